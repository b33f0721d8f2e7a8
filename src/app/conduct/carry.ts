// What is done about one order. Each may be repeated: a child is found by its order's key, a merge by
// its mark in the history, a landing by where the branch is, a question by its id.
import { rm } from "node:fs/promises";
import { agentEnvironment } from "../../agents/environment.ts";
import { type Language, msg, render } from "../../core/messages.ts";
import { mergeUnit, openBranch } from "../../git/branches.ts";
import type { Held } from "../../git/held.ts";
import { closeBranch, landBranch, landedBefore } from "../../git/land.ts";
import { isSetUp, markSetUp, openTree } from "../../git/phase-tree.ts";
import { lookAtRun } from "../../git/target.ts";
import { fetchUnit, wantedFiles } from "../../git/unit.ts";
import { ranCommand } from "../../engine/ran.ts";
import { runSetup } from "../../engine/setup.ts";
import type { QuestionData, Task } from "../../engine/state.ts";
import {
  type Verification,
  type VerifyFinding,
  feedbackOf,
  verifyPhase,
} from "../../engine/verify.ts";
import type { ProjectSettings } from "../../formats/project-settings.ts";
import type { Store } from "../../store/database/store.ts";
import type { Environment } from "../../store/home.ts";
import type {
  AgentOrder,
  AskOrder,
  CommandOrder,
  LandOrder,
  OrderOutcome,
} from "../../workflows/orders.ts";
import { digestOf } from "../_task-rules.ts";
import { leaveUnit } from "./_kept.ts";
import { lastLines } from "./_last-lines.ts";
import { aloneInTree, branchAt } from "./_tree.ts";

export interface Place {
  /** The run's own task. */
  readonly run: string;
  readonly store: Store;
  readonly home: string;
  readonly root: string;
  readonly env: Environment;
  readonly language: Language;
  readonly settings: ProjectSettings | undefined;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** What came of an agent that is over; undefined: what it made is not there yet. */
export async function outcomeOf(
  place: Place,
  order: AgentOrder,
  child: Task,
): Promise<OrderOutcome | Held | undefined> {
  const { store, language } = place;
  const { key } = order;
  if ((await store.openEffects(child.id)).length > 0) return undefined;
  if (child.status === "failed") return failureOf(place, key, child);
  const base = child.data.order?.base ?? "";
  const unit = await fetchUnit(place, key, base);
  if (unit === undefined) {
    const reason = render(language, msg("conduct.no_result", { id: child.id }));
    return { kind: "failed", key, why: "agent", reason };
  }
  const files = await wantedFiles(place, key, order.wanted);
  const words = await lastWords(store, child.id);
  const { tokens } = child.data.spent;
  const done = { kind: "done", key, changed: unit.changed, words, files, tokens } as const;
  if (!order.merges) return { ...done, commit: null };
  const { commit } = unit;
  const how = { commit, base, subject: child.data.title, key, at: place.now() };
  const merged = await mergeUnit(branchAt(place, order.branch.name), how);
  if (merged.kind === "merged") return { ...done, commit: merged.commit };
  if (merged.kind === "held") return merged;
  const what = msg("conduct.conflict", { files: merged.files.join(", "), detail: merged.text });
  return { kind: "failed", key, why: "conflict", reason: render(language, what) };
}

/** It is over: its clone goes, or is kept. What it made stays under a name of ours. */
export async function clearAway(place: Place, child: Task): Promise<void> {
  const { store, home, run } = place;
  const { unit = "" } = child.data.order ?? {};
  // Of one that failed, the snapshots stay as those of any task that ended.
  const handedIn = child.status === "completed";
  await leaveUnit({ store, home, run, unit, at: place.now() }, child.id, handedIn);
}

/** Undefined: we are to end; it is run again when somebody goes on. */
export function runCommandOrder(
  place: Place,
  order: CommandOrder,
): Promise<OrderOutcome | Held | undefined> {
  return aloneInTree(place, order.branch.name, () => ranOrder(place, order));
}

/** Undefined: we are to end; it is done when somebody goes on. */
export function land(place: Place, order: LandOrder): Promise<OrderOutcome | Held | undefined> {
  return aloneInTree(place, order.branch.name, () => landed(place, order));
}

/** Asked once; undefined until somebody has answered. */
export async function ask(
  { store, now }: Pick<Place, "store" | "now">,
  run: Task,
  order: AskOrder,
): Promise<OrderOutcome | undefined> {
  const id = questionId(run.id, order.key);
  const row = await store.entity("question", id);
  if (row !== undefined) {
    const { answer } = row.data as QuestionData;
    return answer === null ? undefined : { kind: "answered", key: order.key, answer };
  }
  const { question, options } = order;
  const at = now();
  const data: QuestionData = {
    agentId: "",
    origin: "run",
    category: order.unit,
    question,
    options,
    default: order.default,
    required: true,
    askedAt: new Date(at).toISOString(),
    deadlineAt: null,
    answer: null,
    answeredAt: null,
    reference: order.key,
    parts: [],
    request: null,
  };
  const notice = { key: `${run.id}:ask:${id}`, taskId: run.id, name: "notify", createdAt: at };
  await store.commit({
    entities: [{ kind: "question", id, taskId: run.id, status: "open", rev: 0, data }],
    effects: [{ ...notice, data: { what: "question", id, at } }],
  });
  return undefined;
}

export function questionId(run: string, key: string): string {
  return `question_${digestOf(run, key).slice(0, 20)}`;
}

// --- internal ---

async function ranOrder(
  place: Place,
  { key, command, branch, bare }: CommandOrder,
): Promise<OrderOutcome | Held | undefined> {
  const set = await prepared(place, branch.name, key, bare === true);
  if (set === undefined || "kind" in set) return set;
  if (!set.ok) return { kind: "ran", key, code: null, output: set.output };
  const { folder, env } = set;
  const { signal } = place;
  const ran = await ranCommand({ command, folder, env, signal, tag: tagOf(place, key) });
  return ran.stopped ? undefined : { kind: "ran", key, code: ran.code, output: ran.output };
}

async function landed(place: Place, order: LandOrder): Promise<OrderOutcome | Held | undefined> {
  const { language } = place;
  const { key, commands, message } = order;
  const branch = branchAt(place, order.branch.name);
  const first = await lookAtRun(branch);
  const before = await landedBefore(branch, first);
  if (before !== undefined) {
    await closeBranch(branch);
    return { kind: "landed", key, commit: before };
  }
  if (order.opens) {
    const opened = await openBranch(branch);
    if ("kind" in opened) return opened;
  }
  // Whatever runs takes its time: then it is looked again.
  const isStill = commands.length === 0 && order.opens === undefined;
  for (let seen = isStill ? first : undefined; ; seen = undefined) {
    const found = await tried(place, branch.name, commands, key);
    if (found === undefined || "kind" in found) return found;
    if (found.findings.length > 0)
      return { kind: "not_landed", key, why: "gate", reason: feedbackOf(found.findings, language) };
    const about = { message, at: place.now(), tested: found.commit };
    const merged = await landBranch(branch, { ...about, ...(seen && { seen }) });
    // Somebody committed to it while it was tested: what they did is tested too.
    if (merged.kind === "moved") continue;
    if (merged.kind === "held") return merged;
    if (merged.kind === "merged") {
      await closeBranch(branch);
      return { kind: "landed", key, commit: merged.commit };
    }
    const name = branch.name ?? "";
    const what = msg("conduct.land_conflict", { name, files: merged.files.join(", ") });
    return { kind: "not_landed", key, why: "conflict", reason: render(language, what) };
  }
}

type Prepared =
  | {
      readonly ok: true;
      readonly folder: string;
      /** What is there. */
      readonly commit: string;
      readonly env: Record<string, string>;
    }
  | { readonly ok: false; readonly output: string; readonly finding: VerifyFinding };

/** A tree of ours is as empty of installed packages as a new clone: first the project's `setup`. */
async function prepared(
  place: Place,
  name: string | null,
  key: string,
  bare = false,
): Promise<Prepared | Held | undefined> {
  const { root, env: outer, home, settings, signal, language } = place;
  const opened = await openTree(branchAt(place, name));
  if ("kind" in opened) return opened;
  const { folder, commit } = opened;
  const env = agentEnvironment(outer, { run: `gate_${key}`, home, root });
  const command = settings?.setup;
  if (bare || name === null || command === undefined || (await isSetUp(folder, command)))
    return { ok: true, folder, commit, env };
  const log = `${folder}.setup.log`;
  const set = await runSetup({ command, folder, log, env, signal });
  if (signal.aborted) return undefined;
  await rm(log, { force: true });
  if (set.ok) {
    await markSetUp(folder, command);
    return { ok: true, folder, commit, env };
  }
  const text = msg("conduct.setup", { detail: render(language, set.text) });
  const { output } = set;
  return { ok: false, output, finding: { check: "command", text, output } };
}

interface Tried extends Pick<Verification, "findings"> {
  /** What was tested; null: nothing had to be. */
  readonly commit: string | null;
}

/** Undefined: stopped in the middle. */
async function tried(
  place: Place,
  name: string | null,
  commands: readonly string[],
  key: string,
): Promise<Tried | Held | undefined> {
  if (commands.length === 0) return { findings: [], commit: null };
  const set = await prepared(place, name, key);
  if (set === undefined || "kind" in set) return set;
  if (!set.ok) return { findings: [set.finding], commit: null };
  const { folder, env, commit } = set;
  const phase = { deliverables: [], verify: commands };
  const { signal } = place;
  const found = await verifyPhase({ folder, phase, env, signal, tag: tagOf(place, key) });
  return found.stopped ? undefined : { findings: found.findings, commit };
}

function tagOf({ root }: Place, key: string): string {
  return `${root} ${key}`;
}

async function failureOf(
  { store, home, language }: Place,
  key: string,
  child: Task,
): Promise<OrderOutcome> {
  const { data } = child;
  const { reason, message } = data.failure ?? { reason: "fatal_error", message: "" };
  const why =
    reason === "cancelled" ? "cancelled" : reason === "verification_failed" ? "check" : "agent";
  const { tokens } = data.spent;
  const said = message === "" ? reason : message;
  // Only that it ended is known: what it printed last says why.
  const lines = reason === "attempts" ? await lastLines(store, home, child) : "";
  const printed = lines === "" ? "" : `\n${render(language, msg("conduct.last_lines", { lines }))}`;
  return { kind: "failed", key, why, reason: `${said}${printed}`, tokens };
}

async function lastWords(store: Store, taskId: string): Promise<string> {
  const agents = await store.entities({ taskId, kind: "agent" });
  const said = agents.map(({ data }) => (data as { summary?: string }).summary ?? "");
  return said.findLast((words) => words !== "") ?? "";
}
