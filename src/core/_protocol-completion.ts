// The lines after `=== PHASE N COMPLETE ===` and `=== CUSTOM TASK COMPLETE ===`. They have no
// closing tag: what does not belong ends them.
import { type Message, msg } from "./messages.ts";
import { columns, inlineList, isItem, itemText } from "./_protocol-fields.ts";
import { type Checked, tooLong } from "./_protocol-checks.ts";
import { trim } from "./_protocol-markers.ts";
import type { Limits } from "./_protocol-signals.ts";

export interface PhaseLines {
  readonly kind: "phase";
  readonly phase: number;
  completed: string | null;
  readonly files: string[];
  listing: boolean;
}

export interface TaskLines {
  readonly kind: "task";
  task: string | null;
  summary: string | null;
  /** The value an indented line continues. */
  current: "task" | "summary" | null;
}

export type Completion = PhaseLines | TaskLines;

/** Does the line belong, is it the last one, or is it somebody else's? */
export type Belongs = "yes" | "last" | "no";

export function addToCompletion(open: Completion, text: string): Belongs {
  const content = trim(text);
  if (content === "" || isRule(content) || content.replace(/\.$/, "") === "Ready for review")
    return "last";
  if (open.kind === "phase") return addToPhase(open, content) ? "yes" : "no";
  return addToTask(open, text, content) ? "yes" : "no";
}

export function checkCompletion(open: Completion, limits: Limits): Checked {
  const texts =
    open.kind === "phase"
      ? [
          ["Completed", open.completed] as const,
          ...open.files.map((file) => ["Files", file] as const),
        ]
      : [["Task", open.task] as const, ["Summary", open.summary] as const];
  const complaints = texts
    .map(([field, text]) => tooLong(field, text ?? "", limits))
    .filter((complaint): complaint is Message => complaint !== null);
  if (complaints.length > 0) return { complaints: complaints.slice(0, 1) };
  if (open.kind === "task")
    return { said: { kind: "task_complete", task: open.task, summary: open.summary } };
  const { phase, completed, files } = open;
  return { said: { kind: "phase_complete", phase, completed, files } };
}

export function tooLarge(marker: string, limits: Limits): Message {
  return msg("protocol.too_large", { marker, limit: limits.block });
}

// --- internal ---

function isRule(content: string): boolean {
  return /^={3,}$/.test(content);
}

function addToPhase(open: PhaseLines, content: string): boolean {
  const name = label(content, ["completed", "phase"]);
  if (name !== null) {
    open.completed ??= name || null;
    open.listing = false;
    return true;
  }
  const files = label(content, ["documents created", "files created"]);
  if (files !== null) {
    // Other words after the colon (“9 files”) are a remark; the list follows.
    open.files.push(...(inlineList(files) ?? []).map(unquoted));
    open.listing = true;
    return true;
  }
  if (!open.listing || !isItem(content)) return false;
  const file = unquoted(itemText(content));
  if (file !== "") open.files.push(file);
  return true;
}

function addToTask(open: TaskLines, text: string, content: string): boolean {
  for (const key of ["task", "summary"] as const) {
    const value = label(content, [key]);
    if (value === null || open[key] !== null) continue;
    open[key] = value;
    open.current = key;
    return true;
  }
  if (open.current === null || columns(text) === 0) return false;
  const before = open[open.current];
  open[open.current] = before ? `${before}\n${content}` : content;
  return true;
}

/** What follows one of the labels, whatever its case. */
function label(content: string, names: readonly string[]): string | null {
  for (const name of names) {
    const end = name.length + 1;
    if (content.slice(0, end).toLowerCase() === `${name}:`) return trim(content.slice(end));
  }
  return null;
}

/** Paths are often set in backticks. */
function unquoted(path: string): string {
  return path.length > 2 && path.startsWith("`") && path.endsWith("`") ? path.slice(1, -1) : path;
}
