// Safe repairs of a memory file that reads but breaks the rules (S3.7): nothing a person wrote is
// lost by them. A field that is missing gets its empty value, unless the file has a field we do
// not know: that may be the missing one, misspelt. Of a task that stands twice the one that ended
// last stays; two tasks with one id get two.
import { type Message, msg } from "../../core/messages.ts";
import { pointerTo } from "../../formats/format.ts";
import { type MemoryFormat, initialMemory } from "./initial.ts";
import { freeId } from "./reconcile.ts";

export interface Repaired {
  readonly value: unknown;
  readonly done: readonly Message[];
}

/** undefined: there is nothing we know how to repair. The result may still be invalid. */
export function repairMemory(
  format: MemoryFormat,
  found: unknown,
  agent: string,
  now: string,
): Repaired | undefined {
  if (!isFields(found)) return undefined;
  const done: Message[] = [];
  const value = { ...found };
  // Statistics of a history cover all that ever ended: they can not be had from what is left of it.
  const lost = format === "task-history" ? "statistics" : undefined;
  fillMissing(value, { ...initialMemory(format, agent, now) }, lost, done);
  if (format === "task-state") eachOnce(value, "pending_tasks", value["current_task"], done);
  if (format === "task-history") eachOnce(value, "tasks", undefined, done);
  return done.length === 0 ? undefined : { value, done };
}

// --- internal ---

type Fields = Record<string, unknown>;
interface Task extends Fields {
  readonly id: string;
  readonly name: string;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTask(value: unknown): value is Task {
  return isFields(value) && typeof value["id"] === "string" && typeof value["name"] === "string";
}

function fillMissing(
  value: Fields,
  initial: Fields,
  lost: string | undefined,
  done: Message[],
): void {
  if (Object.keys(value).some((field) => !Object.hasOwn(initial, field))) return;
  for (const [field, empty] of Object.entries(initial)) {
    if (Object.hasOwn(value, field) || field === lost) continue;
    value[field] = empty;
    done.push(msg("repair.field", { pointer: pointerTo(field), value: JSON.stringify(empty) }));
  }
}

/** `before` stands ahead of the list, and stays. */
function eachOnce(value: Fields, list: string, before: unknown, done: Message[]): void {
  const tasks = value[list];
  if (!Array.isArray(tasks)) return;
  const all = [before, ...(tasks as unknown[])].filter(isTask);
  const taken = new Set(all.map(({ id }) => id));
  const [owners, stays] = [new Map<string, string>(), new Map<string, Task>()];
  for (const task of all) {
    if (!owners.has(task.id)) owners.set(task.id, task.name);
    const other = stays.get(keyOf(task));
    if (!other || endOf(task) > endOf(other)) stays.set(keyOf(task), task);
  }
  value[list] = (tasks as unknown[]).flatMap((task, index) => {
    if (!isTask(task)) return [task];
    const { id } = task;
    const pointer = pointerTo(list, index);
    if (stays.get(keyOf(task)) !== task) {
      done.push(msg("repair.doubled", { pointer, id }));
      return [];
    }
    const to = owners.get(id) === task.name ? undefined : freeId(id, taken);
    if (to === undefined) return [task];
    done.push(msg("repair.renamed", { pointer, id, to }));
    return [{ ...task, id: to }];
  });
}

const keyOf = ({ id, name }: Task): string => `${id} ${name}`;

/** 0: it has not ended. */
function endOf({ completed_at: end }: Task): number {
  return (typeof end === "string" && Date.parse(end)) || 0;
}
