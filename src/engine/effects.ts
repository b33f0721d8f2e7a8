// Carries out what was committed. Each effect looks at the task as it is now before it acts, so that
// one that is repeated after a crash, or comes late, does no harm.
import { existsSync } from "node:fs";
import { agentEnvironment } from "../agents/environment.ts";
import { Fault } from "../core/errors.ts";
import { msg, render } from "../core/messages.ts";
import type { Json } from "../core/events.ts";
import type { ProjectSettings } from "../formats/project-settings.ts";
import type { Effect, EffectName } from "./_draft.ts";
import type { Live } from "./_live.ts";
import { declaredIn } from "./decide/facts.ts";
import type { Clock } from "./engine.ts";
import type { Hands } from "./hands.ts";
import type { EffectResult } from "./inputs.ts";
import type { Processes, ProcessesParts } from "./processes.ts";
import { type LeftOut, refusedFiles } from "../git/claim.ts";
import { lookAtFolder } from "../git/made.ts";
import { type TakeOptions, type Taken, restoreTree, takeTree } from "../git/snapshot.ts";
import { type TaskState, acceptedIn } from "./state.ts";
import { makeCopy, removeCopy } from "./_effect-copy.ts";
import { lookAtClaim } from "./_effect-check.ts";
import { packResult } from "./_effect-pack.ts";
import { keptIn, seqOf } from "./_effect-trees.ts";
import { copyFolder, removeFiles } from "./_effect-remove.ts";
import { prepareWorkspace, swappedFor } from "./_effect-workspace.ts";
import { taskPlaces } from "../git/workspace.ts";

/** Tells people; `key` is the same when it is told again after a crash. */
export type Notify = (notice: {
  readonly key: string;
  readonly what: string;
  readonly state: TaskState;
  readonly data: Readonly<Record<string, Json>>;
}) => Promise<void>;

export interface EffectsParts extends ProcessesParts {
  readonly processes: Processes;
  readonly clock: Clock;
  readonly notify: Notify;
  readonly settings: (projectId: string) => Promise<ProjectSettings | undefined>;
}

const done: EffectResult = { kind: "done" };
const long: ReadonlySet<EffectName> = new Set(["verify", "pack", "notify"]);

export class EngineHands implements Hands {
  readonly retryMs = 1_000;
  readonly #parts: EffectsParts;
  /** The last one of each task: where nothing has changed since, it is the next one too. */
  readonly #taken = new Map<string, Taken>();

  constructor(parts: EffectsParts) {
    this.#parts = parts;
  }

  isLong(name: EffectName): boolean {
    return long.has(name);
  }

  /**
   * A snapshot or a notice that can not be had never stops the work; a workspace, a start or a check
   * that can not be had ends the task with its reason. To freeze or end a process is tried for ever,
   * and a full disk is waited for (S5.2).
   */
  giveUp({ name, data }: Effect, tries: number, cause: unknown): EffectResult | undefined {
    if (
      name === "settle" ||
      name === "end" ||
      name === "write" ||
      tries < mostTries ||
      isDiskTrouble(cause)
    )
      return undefined;
    if (name === "snapshot" || name === "notify" || name === "pack" || name === "remove_copy")
      return done;
    const message = cause instanceof Error ? cause.message : String(cause);
    const about = data["process"] ?? data["agent"];
    // What could not be removed from an ended task does not fail it.
    if (name === "clear") return { kind: "noticed", notices: [message] };
    return { kind: "failed", message, about: typeof about === "string" ? about : undefined };
  }

  get readerFor() {
    return this.#parts.processes.readerFor.bind(this.#parts.processes);
  }
  get look() {
    return this.#parts.processes.look.bind(this.#parts.processes);
  }
  get read() {
    return this.#parts.processes.read.bind(this.#parts.processes);
  }
  get watch() {
    return this.#parts.processes.watch.bind(this.#parts.processes);
  }

  async carryOut(effect: Effect, live: Live, signal: AbortSignal): Promise<EffectResult> {
    const swapped = swappedFor(effect, live, this.#places(live).trees);
    if (swapped !== undefined) return { kind: "swapped", swapped };
    const { key, name, data } = effect;
    const { processes, notify, home } = this.#parts;
    const seq = seqOf(effect);
    const text = (field: string): string => {
      const value = data[field];
      return typeof value === "string" ? value : "";
    };
    switch (name) {
      case "make_workspace":
        return this.#makeWorkspace(live, signal);
      case "start":
        return processes.start(live, text("process"));
      case "write":
        return processes.write(live, text("process"), Number(data["offset"]), text("text"));
      case "settle":
        return processes.settle(live, text("agent"));
      case "end":
        return processes.end(text("process"));
      case "snapshot":
        return this.#snapshot(live, text("agent"), text("reason"), seq);
      case "verify":
        return this.#verify(live, text("agent"), seq, signal);
      case "make_copy":
        return this.#copy(live, text("agent"), text("commit"));
      case "remove_copy":
        return removeCopy(copyFolder(home, text("agent"))).then(() => done);
      case "pack":
        return this.#pack(live);
      case "notify":
        return notify({ key, what: text("what"), state: live.state, data }).then(() => done);
      case "restore":
        return this.#restore(live, text("snapshot"), seq);
      case "clear":
        return this.#clear(live);
      default:
        return this.#remove(live);
    }
  }

  // --- internal ---

  async #makeWorkspace(live: Live, signal: AbortSignal): Promise<EffectResult> {
    const { task } = live.state;
    if (task.data.document === null || task.data.workspace !== null) return done;
    return prepareWorkspace({
      task,
      type: task.data.document.type,
      root: await this.#parts.rootOf(task.projectId),
      places: this.#places(live),
      settings: await this.#parts.settings(task.projectId),
      env: await this.#environment(live, "setup"),
      secrets: await this.#values(live),
      signal,
    });
  }

  async #take(live: Live, seq: number): Promise<Taken> {
    const before = this.#taken.get(live.id);
    const wanted = await this.#taking(live, seq);
    const taken = await takeTree(before === undefined ? wanted : { ...wanted, before });
    this.#taken.set(live.id, taken);
    return taken;
  }

  async #taking(live: Live, seq: number): Promise<TakeOptions> {
    return {
      trees: this.#places(live).trees,
      seq,
      at: this.#parts.clock.now(),
      secrets: await this.#values(live),
      deliverables: declaredIn(live.state.task),
    };
  }

  async #snapshot(live: Live, agent: string, reason: string, seq: number): Promise<EffectResult> {
    if (live.state.task.data.workspace === null) return done;
    const { commit, tree, files, bytes, leftOut } = await this.#take(live, seq);
    const missing = leftOut.slice(0, 20).map(({ path }) => path);
    const kept: Json = { commit, tree, files, bytes, missing };
    return { kind: "snapshot", agent, reason, tree: kept };
  }

  async #verify(
    live: Live,
    agent: string,
    seq: number,
    signal: AbortSignal,
  ): Promise<EffectResult> {
    const env = await this.#environment(live, "verify");
    const secrets = await this.#values(live);
    return lookAtClaim({
      state: live.state,
      agent,
      env,
      secrets,
      signal,
      now: () => this.#parts.clock.now(),
      trees: this.#places(live).trees,
      take: () => this.#take(live, seq),
      refused: (taken) => this.#refused(live, taken),
    });
  }

  async #refused({ id, state }: Live, taken: Taken): Promise<readonly LeftOut[]> {
    const { home, rootOf } = this.#parts;
    const { projectId, data } = state.task;
    const root = (data.workspace?.base ?? null) === null ? null : await rootOf(projectId);
    const { trees } = taskPlaces(home, id);
    return refusedFiles(trees, root !== null && existsSync(root) ? root : null, taken);
  }

  /** For an agent that judges; one that was decided on meanwhile needs none. */
  async #copy(live: Live, agent: string, commit: string): Promise<EffectResult> {
    if (live.state.task.data.verifying?.agent !== agent) return done;
    await makeCopy(this.#places(live).trees, commit, copyFolder(this.#parts.home, agent));
    return done;
  }

  /** The result as a branch of the project where it has a history. */
  async #pack(live: Live): Promise<EffectResult> {
    const { task } = live.state;
    if (task.data.workspace === null) return done;
    const { rootOf, clock } = this.#parts;
    const { base } = task.data.workspace;
    return packResult({
      task,
      places: this.#places(live),
      root: await rootOf(task.projectId),
      result: base === null ? null : this.#accepted(live),
      at: clock.now(),
    });
  }

  /** What was accepted; where this process took it, with what it knows of it. */
  #accepted(live: Live): Pick<Taken, "commit"> | null {
    const commit = acceptedIn(live.state);
    const taken = this.#taken.get(live.id);
    if (commit === null) return null;
    return taken?.commit === commit ? taken : { commit };
  }

  async #restore(live: Live, snapshot: string, seq: number): Promise<EffectResult> {
    const rows = await this.#parts.store.snapshots(live.id);
    const row = rows.find(({ id }) => id === snapshot);
    const kept = row && keptIn(row);
    if (kept === undefined || kept.document === null || kept.commit === null) return done;
    const { trees } = this.#places(live);
    if (lookAtFolder(trees) === "swapped") {
      const text = msg("workspace.swapped", { path: trees.workTree });
      return { kind: "noticed", notices: [render(live.state.task.data.language, text)] };
    }
    // Nothing may write there meanwhile; the agent is ended with the new state anyway.
    for (const { id, status } of live.state.entities.process.values())
      if (status !== "ended")
        await this.#parts.supervisor.end(id, { graceMs: this.#parts.graceMs });
    const { before } = await restoreTree(kept.commit, await this.#taking(live, seq));
    const { commit, tree, files, bytes } = before;
    return {
      kind: "restored",
      restored: {
        snapshot,
        document: kept.document,
        progress: kept.progress,
        before: { commit, tree, files, bytes },
      },
    };
  }

  async #remove(live: Live): Promise<EffectResult> {
    this.#taken.delete(live.id);
    await removeFiles(this.#parts, live.state);
    return { kind: "removed" };
  }

  /** Only of a task that is over and was told so: it may have been put back to work meanwhile. */
  async #clear(live: Live): Promise<EffectResult> {
    if ((live.state.task.data.kept?.removedAt ?? null) === null) return done;
    this.#taken.delete(live.id);
    await removeFiles(this.#parts, live.state);
    const rows = await this.#parts.store.snapshots(live.id);
    return { kind: "cleared", snapshots: rows.map(({ id }) => id) };
  }

  #places(live: Live) {
    return taskPlaces(this.#parts.home, live.id);
  }

  async #values(live: Live): Promise<string[]> {
    return Object.values(await this.#parts.valuesOf(live.id));
  }

  /** For commands of the project: what an agent would see, without its values. */
  async #environment(live: Live, what: string): Promise<Record<string, string>> {
    const { env, home, rootOf } = this.#parts;
    const root = await rootOf(live.state.task.projectId);
    return agentEnvironment(env, { run: `${what}_${live.id}`, home, root });
  }
}

// --- internal ---

const mostTries = 8;

function isDiskTrouble(cause: unknown): boolean {
  return cause instanceof Fault && cause.text.key === "disk.full";
}
