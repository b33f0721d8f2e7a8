// `why task_…`: a task of the database waits for other tasks, for a slot, or for a person.
import { taskMachine } from "../../core/machines/task.ts";
import { type Message, msg } from "../../core/messages.ts";
import { taskStatuses } from "../../core/vocabulary.ts";
import type { EntityRow, Store, TaskRow } from "../../store/database/store.ts";
import { type Unfinished, isStuck, unfinishedOf } from "../../engine/dependencies.ts";
import { isDeleted } from "../../engine/state.ts";
import { diskRoom } from "../_disk-room.ts";
import type { Context } from "../operation.ts";
import { taskGlance } from "./_status-parts.ts";
import { eventsOf } from "./_why-events.ts";
import { resumeOf } from "../conduct/answer.ts";
import type { Explanation } from "./why.ts";

export async function taskExplained(
  id: string,
  store: Store,
  context: Context,
): Promise<Explanation | undefined> {
  const task = await store.task(id);
  if (!task || isDeleted(task)) return undefined;
  const entities = await store.entities({ taskId: id });
  const asked = entities.filter(({ status }) => status === "open");
  const full = await disk(task, entities, store, context);
  const waits = task.status === "pending" ? await unfinished(task, store) : [];
  return {
    ref: id,
    workflow: task.workflow,
    id,
    kind: "task",
    name: taskGlance(task).title,
    status: task.status,
    reasons: [
      ...(waits.length > 0 ? [msg("task.waits_for_tasks", { ids: named(waits) })] : []),
      ...full,
      ...heldBy(task),
      ...asked.flatMap(asks),
      ...failure(task),
    ],
    next: [full.length > 0 ? msg("why.task.room") : nextOf(task, waits)],
    events: allowed(task),
  };
}

// --- internal ---

function unfinished({ data }: TaskRow, store: Store): Promise<Unfinished[]> {
  const { dependsOn } = fields(data);
  return unfinishedOf(store, Array.isArray(dependsOn) ? dependsOn.map(String) : []);
}

function named(waits: readonly Unfinished[]): string {
  return waits.map(({ id, status }) => `${id} (${status ?? "deleted"})`).join(", ");
}

/** S1.21c: on a full disk nothing new starts, and who works stands still. */
async function disk(
  { status }: TaskRow,
  entities: readonly EntityRow[],
  store: Store,
  context: Context,
): Promise<Message[]> {
  const held = entities.some(({ kind, status: agent, data }) => {
    const { holds } = fields(data);
    const over = agent === "completed" || agent === "failed";
    return kind === "agent" && !over && Array.isArray(holds) && holds.includes("disk");
  });
  if (!held && status !== "pending") return [];
  const { watch } = await diskRoom(context, store);
  const low = watch.holdBack();
  return low === null ? (held ? [msg("why.task.disk")] : []) : [low];
}

/** What its agent wants of a person. */
function asks({ kind, id, data }: EntityRow): Message[] {
  const { question, name } = fields(data);
  if (kind === "question") return [msg("why.task.question", { question: words(question, id) })];
  if (kind === "dependency") return [msg("why.task.dependency", { name: words(name, id) })];
  return kind === "review" ? [msg("why.task.review")] : [];
}

/** A run that waits for a person to put something right (S2.6). */
function heldBy({ data }: TaskRow): Message[] {
  const { held: why } = fields(fields(data)["run"]);
  return typeof why === "string" ? [msg("why.task.held", { why })] : [];
}

function failure({ data }: TaskRow): Message[] {
  const { message } = fields(fields(data)["failure"]);
  return message === undefined ? [] : [msg("why.task.failure", { message: words(message, "") })];
}

/** Not one that a person has to put right goes away by itself (S1.7). */
function nextOfPending({ id }: TaskRow, waits: readonly Unfinished[]): Message {
  const stuck = waits.filter(isStuck);
  const failed = stuck.find(({ status }) => status === "failed");
  if (failed !== undefined) return msg("why.task.dependency_failed", { failed: failed.id, id });
  if (stuck.length > 0) return msg("why.task.dependency_deleted", { id });
  return waits.length > 0
    ? msg("why.when_completed", { ids: named(waits) })
    : msg("why.task.pending");
}

function nextOf(task: TaskRow, waits: readonly Unfinished[]): Message {
  const { id, status, workflow } = task;
  if (status === "in_progress" && heldBy(task).length > 0)
    return msg("conduct.held.hint", { command: resumeOf(workflow) });
  switch (status) {
    case "draft":
      return msg("why.task.draft");
    case "pending":
      return nextOfPending(task, waits);
    case "review":
      return msg("why.task.decide");
    case "completed":
      return msg("why.done");
    case "failed":
      return msg("why.task.failed", { id });
    default:
      return msg("why.task.at_work", { id });
  }
}

/** Of the events that ask for no more than the row: slots, hashes and agents are the engine's. */
function allowed({ status, archived }: TaskRow): Explanation["events"] {
  const state = taskStatuses.find((each) => each === status);
  if (state === undefined) return [];
  const phase = { phase: 1, totalPhases: 1, reviewAsked: true, reworks: 0 };
  const text = { title: "", type: "", description: "" };
  const agent = { slotFree: true, agentPaused: false, artefactsHash: null, holdBack: null };
  const facts = { ...phase, ...text, ...agent, unfinishedDependencies: [], archived };
  return eventsOf(taskMachine.explain(state, facts), ["cancel", "retry", "archive", "delete"]);
}

/** The engine's private data, of which only a few words are looked at. */
function fields(data: unknown): Readonly<Record<string, unknown>> {
  return typeof data === "object" && data !== null ? (data as Record<string, unknown>) : {};
}

function words(value: unknown, otherwise: string): string {
  return typeof value === "string" && value !== "" ? value : otherwise;
}
