// What agents printed and made, for people to look at. Values that were provided for the task are
// blanked wherever they appear: the files on disk are for us alone, what leaves them is not.
import { copyFile, mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { runFolder } from "../agents/run.ts";
import { readOutput, watch } from "../agents/streams.ts";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { type Redactor, createRedactor, redactionMark } from "../core/redact.ts";
import { declaredIn } from "../engine/decide/facts.ts";
import { zipPath } from "../engine/zip-place.ts";
import type { KeptTask, Retention } from "../engine/retention.ts";
import { baseOf, diffTrees, fileAt } from "../git/snapshot.ts";
import { type Kinds, markerTokens, resultOf } from "../engine/state.ts";
import { taskPlaces } from "../git/workspace.ts";
import { phaseNameOf } from "../workflows/phases/types.ts";
import type { Tasks } from "./tasks.ts";
import { checkBefore, comparedWith, inOrder } from "./_reviews.ts";
import { wholeEnd } from "./_whole-end.ts";

export interface OutputsParts {
  readonly home: string;
  readonly tasks: Tasks;
  readonly valuesOf: (taskId: string) => Promise<Readonly<Record<string, string>>>;
  readonly retention: Retention;
}

const pieceBytes = 256 * 1024;
/** A value may have at most 100,000 characters; its longest form in bytes is not much more. */
const longestSecret = 512 * 1024;
/** A file larger than this is not shown in a review, only told. */
const mostText = 1024 * 1024;

export class Outputs {
  readonly #parts: OutputsParts;

  constructor(parts: OutputsParts) {
    this.#parts = parts;
  }

  /** What ended tasks still have here. */
  kept(): Promise<KeptTask[]> {
    return this.#parts.retention.list();
  }

  /** All of it, oldest process first. `ended`: go on as more is printed, until it is raised. */
  async *all(id: string, ended?: () => AbortSignal): AsyncGenerator<string> {
    await this.#parts.tasks.withFiles(id);
    const seen = new Set<string>();
    for (;;) {
      const next = (await this.#processes(id)).find((process) => !seen.has(process.id));
      if (next === undefined) {
        if (ended === undefined || ended().aborted || (await this.#isOver(id))) return;
        await this.#anything(id, ended());
        continue;
      }
      seen.add(next.id);
      // Anew for each: it may have been given a value, or a token, that the one before had not.
      yield* this.#process(id, next.id, await this.#redactor(id), ended);
    }
  }

  /**
   * A piece of one process. Where none is named, of the newest that works on the task: a verifier's is
   * shown while it judges, and after that only when it is asked for.
   */
  async piece(
    id: string,
    place: {
      readonly process?: string | undefined;
      readonly offset?: number | undefined;
      readonly limit?: number | undefined;
    },
  ) {
    await this.#parts.tasks.withFiles(id);
    const all = await this.#processes(id);
    const processes = await Promise.all(
      all.map(async ({ id: run, status, data, verifies }) => ({
        id: run,
        status,
        verifier: verifies,
        size: await this.#size(run),
        startedAt: new Date(data.startedAt).toISOString(),
      })),
    );
    const usual = processes.findLast(({ status, verifier }) => !verifier || status !== "ended");
    const process = place.process ?? usual?.id ?? null;
    const chosen = processes.find((each) => each.id === process);
    if (place.process !== undefined && chosen === undefined)
      throw new Fault("not_found", msg("task.no_process", { id, process: place.process }));
    if (chosen === undefined) return { processes, process, offset: 0, next: 0, size: 0, text: "" };
    const offset = Math.min(place.offset ?? 0, chosen.size);
    const most = place.limit ?? pieceBytes;
    const { text, next, size } = await this.#blanked(id, chosen.id, offset, most);
    return { processes, process, offset, next, size, text };
  }

  async review(id: string, reviewId: string | undefined, whole = false) {
    const { task, entities } = await this.#parts.tasks.withFiles(id);
    const reviews = inOrder(entities.review);
    const review =
      reviewId === undefined
        ? (reviews.find(({ status }) => status === "open") ?? reviews.at(-1))
        : entities.review.get(reviewId);
    if (review === undefined)
      throw new Fault(
        "not_found",
        reviewId === undefined
          ? msg("task.no_review", { id })
          : msg("review.unknown", { id: reviewId }),
      );
    const { trees } = taskPlaces(this.#parts.home, id);
    const { data, status } = review;
    const redactor = await this.#redactor(id);
    const files = await Promise.all(
      data.files.map(async ({ path, characters }) => ({
        path,
        characters,
        text: await this.#text(trees, data.tree, path, redactor),
      })),
    );
    const { since, tree } = comparedWith(reviews, review, whole);
    const from = tree ?? baseOf(trees);
    const diff = from === null ? [] : await diffTrees(trees, from, data.tree);
    const type = task.data.document?.type;
    const definition = type?.phases[data.phase - 1];
    const check = checkBefore(entities.attempt, data);
    return {
      id: review.id,
      status,
      phase: data.phase,
      phaseName: type && definition ? phaseNameOf(type, definition) : null,
      hash: data.hash,
      createdAt: data.createdAt,
      feedback: data.feedback,
      since,
      checked: {
        commands: [...(definition?.verify ?? [])],
        verifier: (definition?.verifier ?? null) !== null && !check.accepted,
        accepted: check.accepted,
        took: check.took,
      },
      files,
      diff: diff.map(({ path, status: change, additions, deletions, patch, binary }) => ({
        path,
        status: change,
        additions,
        deletions,
        patch: redactor.text(patch ?? ""),
        binary,
      })),
    };
  }

  /** What a restore would change in the workspace, as its newest snapshot has it. */
  async changes(id: string, snapshot: string) {
    const all = await this.#parts.tasks.snapshots(id);
    const to = all.find((each) => each.id === snapshot);
    if (to === undefined)
      throw new Fault("not_found", msg("task.unknown_snapshot", { id, snapshot }), {
        hint: msg("task.snapshots.hint", { id }),
      });
    const from = all[0]?.commit ?? null;
    if (from === null || to.commit === null) return [];
    const { trees } = taskPlaces(this.#parts.home, id);
    const diff = await diffTrees(trees, from, to.commit);
    return diff.map(({ path, status, additions, deletions }) => {
      return { path, status, additions, deletions };
    });
  }

  /** Of the ZIP that was made last; null: nobody has asked for one, or it is gone. */
  async zipBytes(id: string): Promise<number | null> {
    return (await stat(zipPath(this.#parts.home, id)).catch(() => undefined))?.size ?? null;
  }

  /** Made now, of the snapshot that was approved: nothing that happened since is in it (S1.6). */
  async zip(id: string, out: string | undefined, cwd: string) {
    const state = await this.#parts.tasks.withFiles(id);
    const commit = resultOf(state);
    if (commit === null)
      throw new Fault("refused", msg("task.no_zip", { id }), { hint: msg("task.no_zip.hint") });
    const path = zipPath(this.#parts.home, id);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const declared = declaredIn(state.task);
    // Loaded by the first who asks: hardly any call does.
    const { zipDeliverables } = await import("../engine/zip.ts");
    const { bytes, leftOut } = await zipDeliverables({
      trees: taskPlaces(this.#parts.home, id).trees,
      commit,
      files: declared.length > 0 ? declared : "all",
      out: path,
      secrets: Object.values(await this.#parts.valuesOf(id)),
    });
    const said = leftOut.map(({ text }) => text);
    if (out === undefined) return { path, bytes, leftOut: said };
    const target = resolve(cwd, out);
    await copyFile(path, target);
    return { path: target, bytes, leftOut: said };
  }

  // --- internal ---

  async *#process(
    id: string,
    run: string,
    redactor: Redactor,
    ended: (() => AbortSignal) | undefined,
  ): AsyncGenerator<string> {
    const stream = redactor.stream();
    const decoder = new TextDecoder();
    for (let offset = 0; ;) {
      const before = (await this.#processes(id)).find((process) => process.id === run);
      const { bytes, next } = await this.#read(run, offset, pieceBytes);
      offset = next;
      if (bytes.length > 0) {
        const text = decoder.decode(stream.push(bytes), { stream: true });
        if (text !== "") yield text;
        continue;
      }
      if (ended === undefined || ended().aborted || before?.status === "ended") break;
      await this.#change(run, ended());
    }
    const rest = decoder.decode(stream.end());
    if (rest !== "") yield rest;
  }

  /** A secret that lies across the piece's border is blanked whole: slices would give it away. */
  async #blanked(id: string, run: string, offset: number, most: number) {
    const redactor = await this.#redactor(id);
    const margin = redactor.active ? Math.min(offset, longestSecret) : 0;
    const more = redactor.active ? longestSecret : 0;
    const window = await this.#read(run, offset - margin, margin + most + more);
    const end = wholeEnd(window.bytes, margin, Math.min(margin + most, window.bytes.length));
    const parts: Buffer[] = [];
    let at = margin;
    for (const { from, to } of redactor.ranges(window.bytes)) {
      if (to <= margin || from >= end) continue;
      parts.push(Buffer.from(window.bytes.subarray(at, Math.max(at, from))));
      parts.push(Buffer.from(redactionMark));
      at = Math.min(end, Math.max(at, to));
    }
    parts.push(Buffer.from(window.bytes.subarray(at, end)));
    const text = Buffer.concat(parts).toString("utf8");
    return { text, next: offset - margin + end, size: window.size };
  }

  async #processes(id: string): Promise<(Kinds["process"] & { readonly verifies: boolean })[]> {
    const { entities } = await this.#parts.tasks.state(id);
    return [...entities.process.values()]
      .toSorted((a, b) => a.data.startedAt - b.data.startedAt)
      .map((process) => {
        const agent = entities.agent.get(process.data.agentId);
        return { ...process, verifies: agent?.data.role === "verifier" };
      });
  }

  async #isOver(id: string): Promise<boolean> {
    const { status } = await this.#parts.tasks.show(id);
    return status === "completed" || status === "failed";
  }

  async #size(run: string): Promise<number> {
    return (await this.#read(run, 0, 0)).size;
  }

  async #read(run: string, offset: number, most: number) {
    try {
      return await readOutput(runFolder(this.#parts.home, run), "out", offset, most);
    } catch (cause) {
      // Not begun yet, or removed to free space.
      if (cause instanceof Fault && cause.code === "not_found")
        return { bytes: new Uint8Array(), next: offset, size: offset };
      throw cause;
    }
  }

  /** Until the process prints or ends, or nobody wants to know any more. */
  #change(run: string, ended: AbortSignal): Promise<void> {
    return new Promise((turn) => {
      const stop = watch(runFolder(this.#parts.home, run), go, 250);
      ended.addEventListener("abort", go, { once: true });
      function go(): void {
        stop();
        turn();
      }
    });
  }

  /** Until there may be another process. */
  async #anything(id: string, ended: AbortSignal): Promise<void> {
    const last = (await this.#processes(id)).at(-1);
    if (last) return this.#change(last.id, ended);
    await new Promise((turn) => setTimeout(turn, 250));
  }

  async #redactor(id: string): Promise<Redactor> {
    const { valuesOf, tasks } = this.#parts;
    const tokens = markerTokens(await tasks.state(id));
    return createRedactor([...Object.values(await valuesOf(id)), ...tokens]);
  }

  async #text(
    trees: Parameters<typeof fileAt>[0],
    commit: string,
    path: string,
    redactor: Redactor,
  ): Promise<string | null> {
    try {
      const file = await fileAt(trees, commit, path, mostText);
      if (file === undefined || file.link || file.bytes.includes(0)) return null;
      return redactor.text(file.bytes.toString("utf8"));
    } catch (cause) {
      if (cause instanceof Fault && cause.code === "refused") return null;
      throw cause;
    }
  }
}
