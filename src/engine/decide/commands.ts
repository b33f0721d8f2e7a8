// What a person (or the scheduler) asks of a task: each becomes one step of the tables, or a
// refusal that says why and what is allowed instead (S1.7).
import { Fault } from "../../core/errors.ts";
import type { Json } from "../../core/events.ts";
import { isSecret } from "../../core/machines/_dependency-value.ts";
import { msg } from "../../core/messages.ts";
import type { Said } from "../../core/protocol.ts";
import { variableOf } from "../../core/variable.ts";
import { phases } from "../../workflows/phases/phases.ts";
import type { TaskType } from "../../workflows/phases/phases.ts";
import type { Draft } from "../_draft.ts";
import { type ReviewComment, isDeleted, notBegun } from "../state.ts";
import { goOn, judgeAgent, stepAgent, takeAgent } from "./agent.ts";
import { type KeepCommand, clear, keep } from "./keep.ts";
import { countTime } from "./time.ts";
import { readOn } from "./output.ts";
import { replaceProcess, tell } from "./process.ts";
import { note, say } from "./say.ts";
import { spoken } from "./spoken.ts";
import { answerQuestion, refusal } from "./questions.ts";
import { type TaskStep, cancelled, stepTask } from "./task.ts";
import { type Answer, type World, done } from "./world.ts";

export type Command =
  | EditCommand
  | { readonly name: "submit"; readonly type: TaskType }
  | { readonly name: "start" }
  | { readonly name: "grant_slot" }
  | { readonly name: "pause" | "resume" | "cancel" | "archive" | "delete" }
  | {
      readonly name: "approve";
      readonly reviewId: string;
      readonly hash: string;
      readonly comment?: string;
    }
  | {
      readonly name: "request_changes";
      readonly reviewId: string;
      readonly feedback: string;
      readonly comments?: readonly ReviewComment[];
    }
  | { readonly name: "answer"; readonly questionId: string; readonly answer: string }
  | ProvideCommand
  /** `newId` is the retry's own. */
  | { readonly name: "retry"; readonly newId: string }
  | { readonly name: "restore"; readonly snapshot: string }
  /** What an agent says by a tool of ours, in its own run: a claim like a marker (S1.14). */
  | { readonly name: "say"; readonly process: string; readonly said: Said }
  | { readonly name: "note"; readonly process: string; readonly text: string }
  /** `tell`: the first of its project; the others stand still for the same reason. */
  | {
      readonly name: "hold";
      readonly on: boolean;
      readonly hold: "disk";
      readonly why?: Readonly<Record<string, Json>>;
      readonly tell?: boolean;
    }
  | KeepCommand;

/** A secret was judged and sealed by whoever sends this: only an open value is part of the command. */
export interface ProvideCommand {
  readonly name: "provide";
  readonly dependencyId: string;
  readonly value?: string;
  readonly confirmed?: boolean;
  /** What was sealed is a file's bytes in base64. */
  readonly encoded?: boolean;
}

/** Of a draft: what is given is different from now on. */
export interface EditCommand {
  readonly name: "edit";
  readonly change: DraftChange;
}

export interface DraftChange {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly agent?: string;
  readonly priority?: number;
  readonly dependsOn?: readonly string[];
}

export function command(draft: Draft, given: Command, world: World): Answer {
  const answer = carryOut(draft, given, world);
  // Whatever an agent said while it stood still may be taken now.
  for (const { id, status } of draft.all("agent"))
    if (status === "running") readOn(draft, id, world);
  return answer;
}

// --- internal ---

function carryOut(draft: Draft, given: Command, world: World): Answer {
  // Deleted, and its files are on their way out: it answers nothing any more (S1.7).
  if (isDeleted(draft.task))
    return refusal("not_found", msg("task.unknown", { id: draft.task.id }));
  switch (given.name) {
    case "edit":
      return edit(draft, given.change, world);
    case "submit":
      return submit(draft, given.type, world);
    case "start":
      return stepTask(draft, { event: "start" }, world);
    case "cancel":
      return stepTask(draft, { event: "cancel", failure: cancelled("") }, world);
    case "pause":
    case "resume":
      return stillOrOn(draft, given.name, world);
    case "archive":
    case "delete":
      for (const { id } of draft.all("agent")) countTime(draft, id);
      return stepTask(draft, { event: given.name }, world);
    case "retry":
      return retry(draft, given.newId, world);
    case "approve":
      return approve(draft, given, world);
    case "request_changes":
      return requestChanges(draft, given, world);
    case "answer":
      return answerQuestion(draft, given.questionId, given.answer, world);
    case "provide":
      return provide(draft, given, world);
    case "grant_slot":
      for (const { id } of draft.all("agent")) goOn(draft, id, world);
      return done;
    case "restore":
      return restore(draft, given.snapshot, world);
    case "say":
      return say(draft, given.process, given.said, world);
    case "note":
      return note(draft, given.process, given.text, world);
    case "hold":
      return holdAll(draft, given, world);
    case "keep":
      return keep(draft, given);
    default:
      return clear(draft);
  }
}

function edit(draft: Draft, change: DraftChange, world: World): Answer {
  const { type, priority, ...data } = change;
  const metadata = { fields: Object.keys(change).join(", ") };
  const answer = stepTask(draft, { event: "edit", metadata }, world);
  if (!answer.ok) return answer;
  const row = {
    ...(type === undefined ? {} : { workflow: type }),
    ...(priority === undefined ? {} : { priority }),
  };
  draft.setTask(row, data);
  return answer;
}

/** All of the task's agents, whatever they do: those that wait remember it for afterwards. */
function holdAll(draft: Draft, given: Named<"hold">, world: World): Answer {
  const { on, hold, why = {} } = given;
  const step = on
    ? ({ event: "park", hold, trigger: "DISK_LOW", metadata: why, reason: hold } as const)
    : ({ event: "unpark", hold, trigger: "DISK_ROOM" } as const);
  const taken = draft.all("agent").filter(({ id }) => stepAgent(draft, id, step, world) === true);
  if (given.tell === true && taken.length > 0) draft.effect("notify", { what: "disk_low" });
  return done;
}

/** The type is kept as it is now: what holdfast.yaml says later does not reach this task. */
function submit(draft: Draft, type: TaskType, world: World): Answer {
  const { title, description, language, document: before, agent } = draft.task.data;
  try {
    world.adapterOf(agent);
    for (const { verifier } of type.phases)
      if (verifier !== null && verifier.agent !== null) world.adapterOf(verifier.agent);
  } catch (cause) {
    // Nobody could ever start it.
    if (cause instanceof Fault) return refusal("invalid_input", cause.text);
    throw cause;
  }
  draft.setTask({}, { document: phases.start({ type, title, description }, language) });
  const answer = stepTask(draft, { event: "submit" }, world);
  if (!answer.ok) draft.setTask({}, { document: before });
  return answer;
}

function stillOrOn(draft: Draft, event: "pause" | "resume", world: World): Answer {
  for (const { id } of draft.all("agent")) countTime(draft, id);
  const answer = stepTask(draft, { event }, world);
  // Of a run: whoever carries it out sees it there, and tells its agents.
  const { run } = draft.task.data;
  if (answer.ok && run)
    draft.setTask({}, { run: { ...run, paused: event === "pause", held: null } });
  return answer;
}

/** Whoever works stands still from now on: its end, while files are put back, is no crash of its own. */
function restore(draft: Draft, snapshot: string, world: World): Answer {
  const gone = draft.task.data.kept?.removedAt ?? null;
  if (gone !== null)
    return refusal("refused", msg("task.files_removed", { id: draft.task.id, at: gone }));
  for (const { id } of draft.all("agent"))
    stepAgent(draft, id, { event: "pause", trigger: "restore", reason: "restore" }, world);
  draft.effect("restore", { snapshot });
  return done;
}

type Named<N extends Command["name"]> = Extract<Command, { name: N }>;

function approve(draft: Draft, given: Named<"approve">, world: World): Answer {
  const { reviewId, hash, comment = null } = given;
  const review = draft.get("review", reviewId);
  const { changedFiles: changed } = world;
  // Another look would show the same snapshot: what helps is said instead.
  if (review?.status === "open" && review.data.hash === hash && changed.length > 0) {
    const files = changed.slice(0, mostNamed).join(", ");
    const more = changed.length > mostNamed ? ", …" : "";
    const params = { id: draft.task.id, files: `${files}${more}` };
    return refusal("refused", msg("review.files_changed", params));
  }
  const verdict = { status: "approved", feedback: comment, comments: [] } as const;
  return decideReview(draft, reviewId, verdict, (key) => ({
    step: {
      event: "approve",
      input: { hash },
      outcome: { kind: "approved", key },
      metadata: { review: reviewId },
    },
    world,
  }));
}

/** Of files that changed: enough to know whose they are. */
const mostNamed = 10;

function requestChanges(draft: Draft, given: Named<"request_changes">, world: World): Answer {
  const { reviewId, feedback, comments = [] } = given;
  const verdict = { status: "changes_requested", feedback, comments } as const;
  const text = withComments(feedback, comments);
  return decideReview(draft, reviewId, verdict, (key) => ({
    step: {
      event: "request_changes",
      // Remarks on single lines say what has to be different, too.
      input: { feedback: text },
      outcome: { kind: "changes", key, feedback: text },
      metadata: { review: reviewId, comments: comments.length },
    },
    world,
  }));
}

/** One decides, once: the second of two approvals at the same time is refused (S1.5). */
function decideReview(
  draft: Draft,
  id: string,
  verdict: {
    readonly status: "approved" | "changes_requested";
    readonly feedback: string | null;
    readonly comments: readonly ReviewComment[];
  },
  decide: (key: string) => { readonly step: TaskStep; readonly world: World },
): Answer {
  const review = draft.get("review", id);
  if (review === undefined) return refusal("not_found", msg("review.unknown", { id }));
  if (review.status !== "open") return refusal("refused", msg(`review.${review.status}`, { id }));
  const { step, world } = decide(review.data.step);
  const answer = stepTask(draft, step, world);
  if (!answer.ok) return answer;
  const { status, feedback, comments } = verdict;
  draft.set("review", id, { decidedAt: draft.at, feedback, comments }, status);
  if (status === "approved") draft.setTask({}, { accepted: review.data.tree });
  draft.noTimer("review", id);
  return answer;
}

/** A failed task stays what it is; the retry is a new one, queued at once (S1.7). */
function retry(draft: Draft, newId: string, world: World): Answer {
  const answer = stepTask(draft, { event: "retry", metadata: { task: newId } }, world);
  if (!answer.ok) return answer;
  const { task } = draft;
  const { title, description, agent, script, language, dependsOn, budget, document } = task.data;
  draft.setTask({}, { retries: [...(task.data.retries ?? []), newId] });
  draft.addTask(
    {
      ...task,
      id: newId,
      status: "pending",
      queuedAt: draft.now,
      archived: false,
      retryOf: task.id,
      rev: 0,
      createdAt: draft.at,
      updatedAt: draft.at,
      data: {
        title,
        description,
        agent,
        script,
        language,
        dependsOn,
        budget,
        document: document && phases.start({ type: document.type, title, description }, language),
        ...notBegun,
      },
    },
    "retry",
  );
  return { ok: true, result: { task: newId } };
}

function withComments(feedback: string, comments: readonly ReviewComment[]): string {
  const lines = comments.map(
    ({ path, line, text }) => `- ${path}${line === null ? "" : `:${line}`}: ${text}`,
  );
  return [feedback.trim(), ...lines].join("\n").trim();
}

function provide(draft: Draft, asked: ProvideCommand, world: World): Answer {
  const { dependencyId: id, confirmed = false, encoded = false } = asked;
  const dependency = draft.get("dependency", id);
  if (dependency === undefined) return refusal("not_found", msg("dependency.unknown", { id }));
  if (dependency.status !== "open")
    return refusal("refused", msg(`dependency.${dependency.status}`, { id }));
  const { agentId, name, type } = dependency.data;
  const value = isSecret(type) ? "sealed" : (asked.value ?? "").trim();
  const agent = draft.get("agent", agentId);
  const step = {
    event: "provide" as const,
    input: { value, confirmed },
    metadata: isSecret(type) ? { name } : { name, value },
  };
  const given = { ...world, provided: new Set([...world.provided, name]) };
  if (agent === undefined) return refusal("not_found", msg("dependency.unknown", { id }));
  const judged = judgeAgent(draft, agent, step, given);
  if (!judged.ok) return { ok: false, code: "invalid_input", reasons: judged.reasons, allowed: [] };
  // A plain program looks for the variable itself; one that works by turns waits to be told.
  if (world.adapterOf(agent.data.adapter).capabilities.structured) {
    replaceProcess(draft, agentId);
    const text = spoken(draft, msg("dependency.in_environment", { name: variableOf(name) }));
    tell(draft, agentId, "note", text, world);
  }
  takeAgent(draft, agentId, step, judged, given);
  const open = isSecret(type) ? {} : { value };
  draft.set("dependency", id, { providedAt: draft.at, encoded, ...open }, "provided");
  return done;
}
