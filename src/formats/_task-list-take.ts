// A line inside a task: a field, an item of the field above it, or talk.
import { msg } from "../core/messages.ts";
import { type Draft, type Part, type Reading, complain, tell } from "./_task-list-draft.ts";
import {
  type FieldLine,
  isNone,
  leavesProject,
  plainValue,
  readCheck,
  readField,
  readFiles,
  readRisk,
} from "./_task-list-fields.ts";
import type { Head } from "./_task-list-heads.ts";
import { findRefs } from "./_task-list-ids.ts";
import type { Line } from "./_task-list-lines.ts";

export function takeLine(reading: Reading, line: Line, head: Head | null): void {
  const field = readField(line.text);
  const { open } = reading;
  if (open && continues(open, line, head, field)) {
    const at = head?.at ?? line.text.length - line.text.trimStart().length;
    const text = line.text.slice(at).trimEnd();
    open.items.push({ text, line: line.number, column: at + 1 });
    return;
  }
  if (field === null) {
    if (head === null) closeField(reading);
    return;
  }
  closeField(reading);
  const part = { text: field.value, line: line.number, column: field.at + 1 };
  if (field.value === "") {
    const indent = head?.indent ?? -1;
    reading.open = { field, indent, line: line.number, items: [] };
  } else takeField(reading, field, [part]);
}

/** The value of a field written as a list is complete: a line came that is no part of it. */
export function closeField(reading: Reading): void {
  const { open } = reading;
  reading.open = null;
  if (open) takeField(reading, open.field, open.items);
}

/** `검증:` and then a fence of shell commands. */
export function takeCommands(reading: Reading, body: readonly Line[]): void {
  const { open, task } = reading;
  if (!task || open?.field.name !== "check" || open.items.length > 0 || task.check !== null) return;
  const commands = body.map(({ text }) => text.trim().replace(/^\$ /, "")).filter((c) => c !== "");
  if (commands.length === 0) return;
  task.check = commands.join("\n");
  task.fields++;
  reading.open = null;
}

// --- internal ---

function continues(
  open: NonNullable<Reading["open"]>,
  line: Line,
  head: Head | null,
  field: FieldLine | null,
): boolean {
  if (head === null) {
    const next = open.items.length === 0 && line.number === open.line + 1;
    return next && field === null && !line.text.includes("|");
  }
  if (field === null) return true;
  // `- a.ts: 설명` below `**파일**:` is an item; a known or bold key begins a field of its own.
  return field.name === null && !field.bold && head.indent > open.indent;
}

function takeField(reading: Reading, field: FieldLine, parts: readonly Part[]): void {
  const { task } = reading;
  if (task === null) return;
  task.fields++;
  const value = parts.map(({ text }) => text).join("\n");
  const kept = field.name !== null && takeKnown(reading, task, field, parts, value);
  if (!kept) task.other.push({ key: field.key, value });
}

/** False: the value says nothing we can use, so it is kept as it was written. */
function takeKnown(
  reading: Reading,
  task: Draft,
  field: FieldLine,
  parts: readonly Part[],
  value: string,
): boolean {
  switch (field.name) {
    case "dependencies":
      return takeRefs(reading, task, "dependencies", parts, value);
    case "parallel":
      return takeRefs(reading, task, "parallel", parts, value);
    case "files":
      for (const file of readFiles(value)) task.files.push(file);
      return true;
    case "worktree":
      return takeWorktree(reading, task, parts, value);
    case "risk":
      return takeRisk(reading, task, parts, value);
    case "check":
      return takeOnce(task, "check", readCheck(value)) || isNone(value);
    case "owner":
    case "model":
      return takeOnce(task, field.name, plainValue(value)) || isNone(value);
    default:
      return false;
  }
}

/** The first value counts; what a second one says is kept beside it. */
function takeOnce(
  task: Draft,
  name: "owner" | "model" | "check" | "worktree",
  value: string | null,
): boolean {
  if (value === null || task[name] !== null) return false;
  task[name] = value;
  return true;
}

function takeRefs(
  reading: Reading,
  task: Draft,
  name: "dependencies" | "parallel",
  parts: readonly Part[],
  value: string,
): boolean {
  let found = 0;
  for (const { text, line, column } of parts) {
    for (const ref of findRefs(text)) {
      const at = ref.kind === "word" ? ref.word.at : ref.from.at;
      task[name].push({ ref, line, column: column + at });
      found++;
    }
  }
  if (found > 0 || isNone(value)) return true;
  const [first] = parts;
  if (name === "dependencies" && first)
    tell(reading, first, msg("tasks.no_id_in_value", { id: task.id, value: cut(value) }), task.id);
  return false;
}

function takeWorktree(
  reading: Reading,
  task: Draft,
  parts: readonly Part[],
  value: string,
): boolean {
  const path = plainValue(value);
  const [first] = parts;
  if (path !== null && first && leavesProject(path)) {
    const text = msg("tasks.worktree_outside", { id: task.id, path: cut(path) });
    complain(reading, first, text, task.id);
    return false;
  }
  return takeOnce(task, "worktree", path) || isNone(value);
}

function takeRisk(reading: Reading, task: Draft, parts: readonly Part[], value: string): boolean {
  const risk = readRisk(value);
  const [first] = parts;
  if (risk !== null) task.risk ??= risk;
  else if (first && !isNone(value))
    tell(reading, first, msg("tasks.risk_unknown", { id: task.id, value: cut(value) }), task.id);
  return risk !== null || isNone(value);
}

/** Values are shown in sentences: short, on one line. */
function cut(value: string): string {
  const characters = Array.from(value.replace(/\s+/g, " ").slice(0, 200));
  return characters.length > 60 ? `${characters.slice(0, 60).join("")}…` : characters.join("");
}
