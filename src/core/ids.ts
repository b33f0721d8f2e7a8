// Ids: read strictly, written back exactly.
//
// Each parser takes the whole text or nothing. A loose one is worse than none: a pattern that
// accepts a prefix reads T0.5.2 as T0.5 and marks the wrong unit done. Numbers have no leading
// zeros, so that format(parse(id)) === id and no two spellings name one thing.
import { createHash } from "node:crypto";
import { Fault } from "./errors.ts";
import { msg } from "./messages.ts";

export { isSafeId, requireSafeId, unsafeId } from "./_ids-safe.ts";

// --- tasks of the server: task_abc123 (S1.7) ---

/** The random part comes from outside: 1 to 40 lower-case letters and digits. */
export function taskId(random: string): string {
  return checked(`task_${random}`, isTaskId);
}

export function isTaskId(text: string): boolean {
  return /^task_[0-9a-z]{1,40}$/.test(text);
}

// --- names of ours for programs that take only UUIDs ---

/** Always the same for one name: version 8, of its SHA-256. The third group begins with `80`. */
export function uuidOf(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `80${hex.slice(14, 16)}`];
  return [...groups, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
}

// --- plan and memory: task-2026-01-31-001, session-2026-01-31-001 (S3.3) ---

export type DayIdKind = "task" | "session";

export interface DayId {
  readonly kind: DayIdKind;
  /** YYYY-MM-DD, a day that exists. */
  readonly day: string;
  readonly number: number;
}

export function parseDayId(text: string): DayId | undefined {
  // Three digits, and from 1000 on as many as it takes.
  const match = /^(task|session)-(\d{4}-\d{2}-\d{2})-(\d{3}|[1-9]\d{3,8})$/.exec(text);
  const [, kind, day, digits] = match ?? [];
  if (kind === undefined || day === undefined || !isDay(day)) return undefined;
  return { kind: kind === "task" ? "task" : "session", day, number: Number(digits) };
}

export function formatDayId({ kind, day, number }: DayId): string {
  const text = `${kind}-${day}-${String(number).padStart(3, "0")}`;
  return checked(text, (id) => parseDayId(id) !== undefined);
}

/** The id after the highest one of that kind and day; gaps are not filled. */
export function nextDayId(kind: DayIdKind, day: string, existing: Iterable<string>): string {
  let highest = 0;
  for (const id of existing) {
    const parsed = parseDayId(id);
    if (parsed?.kind === kind && parsed.day === day) highest = Math.max(highest, parsed.number);
  }
  return formatDayId({ kind, day, number: highest + 1 });
}

// --- requests: R1, T1, T1-S1 (S4.1) ---

export type RequestId =
  | { readonly kind: "request"; readonly number: number }
  | { readonly kind: "task"; readonly number: number }
  | { readonly kind: "subtask"; readonly task: number; readonly number: number };

export function parseRequestId(text: string): RequestId | undefined {
  const match = /^(?:R([1-9]\d{0,8})|T([1-9]\d{0,8})(?:-S([1-9]\d{0,8}))?)$/.exec(text);
  if (match === null) return undefined;
  const [, request, task, subtask] = match;
  if (request !== undefined) return { kind: "request", number: Number(request) };
  if (subtask === undefined) return { kind: "task", number: Number(task) };
  return { kind: "subtask", task: Number(task), number: Number(subtask) };
}

export function formatRequestId(id: RequestId): string {
  const text =
    id.kind === "request"
      ? `R${id.number}`
      : id.kind === "task"
        ? `T${id.number}`
        : `T${id.task}-S${id.number}`;
  return checked(text, (written) => parseRequestId(written) !== undefined);
}

/** The next request, the next task, or (with a task's number) that task's next subtask. */
export function nextRequestId(
  series: { kind: "request" } | { kind: "task" } | { kind: "subtask"; task: number },
  existing: Iterable<string>,
): string {
  let highest = 0;
  for (const id of existing) {
    const parsed = parseRequestId(id);
    if (parsed?.kind !== series.kind) continue;
    if (parsed.kind === "subtask" && series.kind === "subtask" && parsed.task !== series.task)
      continue;
    highest = Math.max(highest, parsed.number);
  }
  return formatRequestId({ ...series, number: highest + 1 });
}

// --- develop: cp-1 (S0.1) ---

/** The number of a checkpoint; `checkpoint-1` is read too, and written as cp-1. */
export function parseCheckpointId(text: string): number | undefined {
  const match = /^(?:cp|checkpoint)-(0|[1-9]\d{0,8})$/.exec(text);
  return match ? Number(match[1]) : undefined;
}

export function formatCheckpointId(number: number): string {
  return checked(`cp-${number}`, (id) => parseCheckpointId(id) === number);
}

// --- orchestrate: T1.3, T0.5.2, P0-T0.1, P2-R1-T1, P2-S1-T1, P2-S1-V (S2.4) ---

export type UnitId =
  /** T1.3 is phase 1, steps [3]; T0.5.2 is phase 0, steps [5, 2]. */
  | { readonly form: "plain"; readonly phase: number; readonly steps: readonly number[] }
  /** P0-T0.1: phase 0, task 0.1. */
  | { readonly form: "phased"; readonly phase: number; readonly steps: readonly number[] }
  /** P2-R1-T1 (a resource's task), P2-S1-T1 (a screen's), P2-S1-V (its verification). */
  | {
      readonly form: "resource" | "screen";
      readonly phase: number;
      readonly part: number;
      readonly task: number | "V";
    };

export function parseUnitId(text: string): UnitId | undefined {
  const parts = unitShape.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const { phase, plain, p, phased, kind, part, task } = parts;
  if (plain !== undefined) return { form: "plain", phase: Number(phase), steps: numbers(plain) };
  if (phased !== undefined) return { form: "phased", phase: Number(p), steps: numbers(phased) };
  return {
    form: kind === "R" ? "resource" : "screen",
    phase: Number(p),
    part: Number(part),
    task: task === undefined ? "V" : Number(task),
  };
}

export function formatUnitId(id: UnitId): string {
  return checked(writeUnitId(id), (text) => parseUnitId(text) !== undefined);
}

/** By phase, then as a person would count: T1.2 before T1.10. Ids of no known form come last. */
export function compareUnitIds(a: string, b: string): number {
  const [x, y] = [parseUnitId(a)?.phase ?? Infinity, parseUnitId(b)?.phase ?? Infinity];
  return x === y ? compareNaturally(a, b) : x - y;
}

/** Runs of digits by value, all else by code unit. A total order: only equal texts are equal. */
export function compareNaturally(a: string, b: string): number {
  const [x, y] = [runs(a), runs(b)];
  for (let place = 0; place < Math.min(x.length, y.length); place++) {
    const order = compareRuns(x[place] ?? "", y[place] ?? "");
    if (order !== 0) return order;
  }
  return x.length - y.length || compareText(a, b);
}

// --- projects (S4.1) ---

/** The first 8 hex digits of the root path's MD5: a name, not a protection. */
export function projectHash(root: string): string {
  return createHash("md5").update(root, "utf8").digest("hex").slice(0, 8);
}

// --- internal ---

/** A number as ids write it: no leading zeros, small enough to be exact. */
const n = String.raw`(?:0|[1-9]\d{0,8})`;
const unitShape = new RegExp(
  `^(?:T(?<phase>${n})\\.(?<plain>${n}(?:\\.${n})?)` +
    `|P(?<p>${n})-(?:T(?<phased>${n}\\.${n})` +
    `|(?<kind>[RS])(?<part>${n})-(?:T(?<task>${n})|V)))$`,
);

function numbers(dotted: string): number[] {
  return dotted.split(".").map(Number);
}

function writeUnitId(id: UnitId): string {
  switch (id.form) {
    case "plain":
      return `T${id.phase}.${id.steps.join(".")}`;
    case "phased":
      return `P${id.phase}-T${id.steps.join(".")}`;
    default: {
      const task = id.task === "V" ? "V" : `T${id.task}`;
      return `P${id.phase}-${id.form === "resource" ? "R" : "S"}${id.part}-${task}`;
    }
  }
}

/** A number that can not be written (negative, 1.5, NaN) is our own mistake: say so loudly. */
function checked(text: string, valid: (text: string) => boolean): string {
  if (valid(text)) return text;
  throw new Fault("internal", msg("error.internal", { detail: `not an id: ${text}` }), {
    hint: msg("error.internal.hint"),
  });
}

/** Does the day exist? No Date: it would take 2026-02-30 for the second of March. */
function isDay(day: string): boolean {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return date >= 1 && date <= days;
}

function runs(text: string): readonly string[] {
  return text.match(/[0-9]+|[^0-9]+/g) ?? [];
}

function compareRuns(a: string, b: string): number {
  const [digitsA, digitsB] = [/^[0-9]/.test(a), /^[0-9]/.test(b)];
  if (!digitsA || !digitsB) return digitsA === digitsB ? compareText(a, b) : digitsA ? -1 : 1;
  // By length first, so that numbers of any size need no arithmetic.
  const [x, y] = [a.replace(/^0+/, ""), b.replace(/^0+/, "")];
  return x.length - y.length || compareText(x, y);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
