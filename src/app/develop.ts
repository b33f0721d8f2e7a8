// How a develop run begins, goes on or begins anew (S0.8, S0.9). Three things may be found: no file, the
// file of one that is complete, or of one that is under way, about which a person decides.
import { randomUUID } from "node:crypto";
import { basename, join } from "node:path";
import { Fault } from "../core/errors.ts";
import { type Message, msg } from "../core/messages.ts";
import { attemptLimits } from "../core/retry.ts";
import type { Strategy } from "../core/vocabulary.ts";
import type { DevelopState } from "../formats/develop-state.ts";
import { realDisk } from "../store/disk.ts";
import type { Change, TaskRow } from "../store/database/store.ts";
import { replaceFile } from "../store/replace.ts";
import { applyEvent, oursOf, startState } from "../workflows/develop/apply.ts";
import { newRun } from "../workflows/develop/private.ts";
import { notBegun, readDevelop, refused, stateRef, takeStep } from "./_develop-run.ts";
import { changeOf, givenUp, rowOf } from "./_develop-rows.ts";
import { sourcesOf } from "./_develop-sources.ts";
import { phaseWorkOf } from "./_develop-work.ts";
import { type Owner } from "./_session-orchestrate-owner.ts";
import type { Context } from "./operation.ts";

export interface Wanted {
  readonly feature?: string | undefined;
  readonly strategy?: Strategy | undefined;
  readonly resume?: boolean | undefined;
  readonly restart?: boolean | undefined;
  /** Holdfast's own agents do the work. */
  readonly headless: boolean;
  /** Which of them (agent-choice.ts). */
  readonly agent?: string | undefined;
}

export interface Begun {
  /** The run's task. */
  readonly id: string;
  readonly says: readonly Message[];
}

export type Choice = "new" | "resume" | "restart" | "after_done";

/** What this call comes to; refused where only a person can say (S0.8). Nothing is written. */
export async function chooseDevelop(context: Context, wanted: Wanted): Promise<Choice> {
  const { feature, resume = false, restart = false } = wanted;
  if (resume && restart) throw new Fault("invalid_input", msg("develop.both"));
  const state = (await readable(context))?.state;
  if (state === undefined || state.phase === "DONE") {
    if (feature === undefined)
      throw new Fault(resume ? "not_found" : "invalid_input", msg("develop.no_feature"), {
        hint: msg("develop.no_feature.hint"),
      });
    return state === undefined ? "new" : "after_done";
  }
  if (!resume && !restart)
    throw new Fault("refused", msg("develop.under_way", placeOf(state)), {
      hint: msg("develop.under_way.hint"),
    });
  return resume ? "resume" : "restart";
}

/** Makes the run's task and its first document, or takes up the ones there are. */
export async function startDevelop(
  context: Context,
  wanted: Wanted,
  owner: Owner | null = null,
): Promise<Begun> {
  const choice = await chooseDevelop(context, wanted);
  if (choice === "resume") return resumeDevelop(context, wanted, owner);
  const said: Message[] = [];
  let { feature = "" } = wanted;
  if (choice !== "new") {
    const removed = await removeState(context);
    feature = feature === "" ? removed.feature : feature;
    if (choice === "after_done") said.push(msg("develop.was_done"));
    said.push(msg("develop.kept", { feature: removed.feature, path: removed.kept }));
  }
  const id = await create(context, wanted, feature);
  return { id, says: [...said, msg("develop.begun", { feature, phase: "DESIGN" })] };
}

/** “cp-2 in_progress (iter 1/3)”, as the seed reports it. */
export function placeOf({ feature, phase, checkpoints = {} }: DevelopState) {
  const list = Object.entries(checkpoints).map(([id, { status, iteration }]) =>
    status === "in_progress"
      ? `${id} ${status} (iter ${iteration}/${attemptLimits.checkpoint})`
      : `${id} ${status}`,
  );
  return { feature, phase, list: list.length > 0 ? list.join(", ") : "–" };
}

// --- internal ---

/** Nothing that can not be read is removed: a person looks at it first. */
async function readable(context: Context): ReturnType<typeof readDevelop> {
  try {
    return await readDevelop(context);
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== "corrupt") throw thrown;
    const { path } = stateRef(context);
    throw new Fault("corrupt", thrown.text, {
      hint: msg("develop.unreadable.hint", { path }),
      cause: thrown,
    });
  }
}

async function resumeDevelop(
  context: Context,
  { feature: given, strategy, headless }: Wanted,
  owner: Owner | null,
): Promise<Begun> {
  const branch = headless ? branchFor() : null;
  const wish = strategy ?? null;
  const read = await readDevelop(context);
  if (read === undefined) throw notBegun();
  const work = await phaseWorkOf(await context.store(), read, Date.now());
  const done = await takeStep(context, owner, (situation) =>
    applyEvent(situation, { on: "resume", headless, branch, wish, work }),
  );
  if (done === null) throw notBegun();
  if (!done.ok) throw refused(done);
  const { feature, phase, list } = placeOf(done.state);
  const other = given !== undefined && given.trim() !== feature;
  return {
    id: done.id,
    says: [
      ...(other ? [msg("develop.other_feature", { given, feature })] : []),
      msg("develop.resumed", { feature, phase }),
      ...(done.state.checkpoints === undefined ? [] : [msg("develop.checkpoints", { list })]),
    ],
  };
}

async function create(context: Context, wanted: Wanted, feature: string): Promise<string> {
  const { id: projectId } = await context.projectRow();
  const sources = await sourcesOf(context.project.root);
  const ref = stateRef(context);
  const now = Date.now();
  const state = startState(feature.trim(), new Date(now).toISOString());
  const { headless, strategy } = wanted;
  const wish = strategy ?? sources.strategy;
  const run = newRun({ headless, wish, branch: headless ? branchFor() : null });
  const agent = (headless ? wanted.agent : undefined) ?? "session";
  const writing = { task: undefined, projectId, language: context.language, agent, now };
  const { id, change } = changeOf({ state, run, journal: [] }, writing);
  const store = await context.store();
  let earlier: TaskRow | undefined;
  return (await context.documents()).update({
    files: [ref],
    event: { develop: oursOf(state) },
    before: async () => {
      earlier = await rowOf(store, projectId);
    },
    apply: (found) => {
      const other = found.get(ref.path) as DevelopState | undefined;
      // Another was faster.
      if (other !== undefined)
        throw new Fault("refused", msg("develop.under_way", placeOf(other)), {
          hint: msg("develop.under_way.hint"),
        });
      const all = earlier === undefined ? change : together(givenUp(earlier, now), change);
      return { documents: new Map([[ref.path, state]]), change: all, result: id };
    },
  });
}

/** A person who removed the file has given up the run it belonged to (S0.8). */
function together(first: Rows, second: Rows): Rows {
  return {
    tasks: [...(first.tasks ?? []), ...(second.tasks ?? [])],
    transitions: [...(first.transitions ?? []), ...(second.transitions ?? [])],
  };
}

type Rows = Pick<Change, "tasks" | "transitions">;

/** Removed only when a copy of it is durable (S0.8); the run it belonged to is over with it. */
async function removeState(context: Context): Promise<{ feature: string; kept: string }> {
  const ref = stateRef(context);
  const { id: projectId } = await context.projectRow();
  const store = await context.store();
  const bytes = realDisk.read(ref.path);
  const kept = bytes === null ? "–" : await keep(context, projectId, bytes);
  let task = await rowOf(store, projectId);
  return (await context.documents()).update({
    files: [ref],
    event: { removed: kept },
    before: async () => {
      task = await rowOf(store, projectId);
    },
    apply: (found) => {
      const state = found.get(ref.path) as DevelopState | undefined;
      const change = task === undefined ? {} : givenUp(task, Date.now());
      const documents = new Map(state === undefined ? [] : [[ref.path, null]]);
      return { documents, change, result: { feature: state?.feature ?? "", kept } };
    },
  });
}

/** In Holdfast's own folder: `.develop-workflow/` holds the state alone (S0.4). */
async function keep(context: Context, projectId: string, bytes: Uint8Array): Promise<string> {
  const folder = join(context.home.path, "backups", projectId);
  realDisk.makeFolder(folder);
  const stamp = new Date().toISOString().replaceAll(":", "-");
  const path = join(folder, `develop-${stamp}-${basename(stateRef(context).path)}`);
  const text = Buffer.from(bytes).toString("utf8");
  await replaceFile({ path, temporary: `${path}.tmp`, text, mode: 0o600 });
  return path;
}

/** Short, and of nobody else: a feature's own words may be in any script. */
function branchFor(): string {
  return `develop-${randomUUID().slice(0, 8)}`;
}
