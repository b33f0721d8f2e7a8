// Inside a subtask: what its agents did and what the engine's own commands found, up to the gate that
// each of them decides (S4.4: in the order 1, 3, 4, 2).
import { type Message, msg } from "../../core/messages.ts";
import { isUnfilled } from "../../core/placeholders.ts";
import type { OrderOutcome } from "../orders.ts";
import { type Board, focusOf } from "./board.ts";
import { gateSeen } from "./_gate.ts";
import { itemsToJudge, scanned, strayFiles } from "./gates.ts";
import type { Verdict } from "./private.ts";
import { resultOf } from "./result.ts";
import type { CommandStep } from "./steps.ts";
import { tidy } from "./paths.ts";
import type { Working } from "./_working.ts";

type Outcome<K extends OrderOutcome["kind"]> = Extract<OrderOutcome, { kind: K }>;

export function implemented(
  working: Working,
  unit: string,
  outcome: Outcome<"done">,
  by: string | null,
): void {
  const { changed, commit, files } = outcome;
  working.forget(`agent ${unit}.implement`);
  // Whatever was seen before is not what is there now.
  const focus = focusOf(working.state);
  if (focus?.sub?.gates["GATE-3"] === "passed")
    working.setSubtask(focus.task, unit, { gates: { ...focus.sub.gates, "GATE-3": "pending" } });
  working.setWork(unit, {
    implemented: true,
    by,
    changed,
    commit,
    scan: scanned(working.board, files),
  });
}

export function commandRan(
  working: Working,
  { what, unit, command }: CommandStep,
  outcome: Outcome<"ran">,
  board: Board,
): void {
  const { code, output } = outcome;
  if (what === "run") return tested(working, unit, outcome);
  if (what === "file") return testFileSeen(working, board, code === 0);
  if (code !== 0) {
    const shown = output.trim().slice(-1_000);
    return working.giveUp(
      unit,
      msg("request.command_failed", { command, code: code ?? "–", output: shown }),
    );
  }
  if (what === "base")
    return working.setWork(unit, { base: output.trim().split("\n").at(-1) ?? "" });
  const changed = output.split("\n").flatMap((line) => (line === "" ? [] : [unquoted(line)]));
  scopeSeen(working, unit, changed);
}

/** A verdict for each item, or it is asked for again. */
export function judgedBy(
  working: Working,
  unit: string,
  given: unknown,
  by: string | null,
): Message | null {
  const wanted = itemsToJudge(working.board).map(({ item }) => item);
  const read = verdictsOf(given);
  if (read === undefined) return msg("request.bad_verdict");
  const missing = wanted.filter((item) => !read.some((verdict) => verdict.item === item));
  if (missing.length > 0) return msg("request.no_verdict", { items: missing.join(", ") });
  const judged = read.filter(({ item }) => wanted.includes(item));
  const empty = judged.filter(({ why }) => isUnfilled(why)).map(({ item }) => item);
  if (empty.length > 0) return msg("request.unfounded", { items: empty.join(", ") });
  working.forget(`contract ${unit}.verify`, `agent ${unit}.verify`);
  // A lone session may judge its own work, and the journal says so.
  const self = by !== null && working.workOf(unit).by === by ? { self_judged: true } : {};
  designSeen(working, unit, judged, by === null ? {} : { session: by, ...self });
  return null;
}

// --- internal ---

function testFileSeen(working: Working, { tests }: Board, exists: boolean): void {
  const cases = tests?.test_cases.length ?? 0;
  const path = tests?.test_file_path ?? "";
  gateSeen(working, {
    gate: "GATE-1",
    passed: exists && cases > 0,
    why: msg("request.no_test_file", { path }),
    lesson: msg("request.lesson.test_file", { path }),
    facts: { testCases: cases, testFileExists: exists },
  });
}

/** GATE-3, and where code alone sees that GATE-4 fails, that one as well. */
function scopeSeen(working: Working, unit: string, changed: readonly string[]): void {
  const stray = strayFiles(working.board, changed);
  working.setWork(unit, { changed: changed.map(tidy) });
  const files = stray.slice(0, mostNamed).join(", ");
  gateSeen(working, {
    gate: "GATE-3",
    passed: stray.length === 0,
    why: msg("request.stray", { files }),
    lesson: msg("request.lesson.stray", { files }),
    facts: { strayFiles: stray },
  });
  const { scan } = working.workOf(unit);
  const broken = scan.verdicts.some(({ holds }) => !holds);
  // Nobody is asked to judge what is broken already; and where nothing is to judge, nobody is asked.
  const passed = focusOf(working.state)?.sub?.gates["GATE-3"] === "passed" && stray.length === 0;
  if (passed && (broken || itemsToJudge(working.board).length === 0)) designSeen(working, unit, []);
}

function designSeen(
  working: Working,
  unit: string,
  judged: readonly Verdict[],
  judge: Readonly<Record<string, unknown>> = {},
): void {
  const { scan } = working.workOf(unit);
  const verdicts = [...scan.verdicts, ...judged];
  const breaches = verdicts
    .filter(({ holds }) => !holds)
    .map(({ item, why }) => `${item} (${why})`);
  const named = breaches.slice(0, mostNamed).join("; ");
  gateSeen(working, {
    gate: "GATE-4",
    passed: breaches.length === 0,
    why: msg("request.breached", { breaches: named }),
    lesson: msg("request.lesson.breached", { breaches: named }),
    facts: { breaches },
    judge,
    record: { verdicts, uncovered: scan.uncovered },
  });
}

function tested(working: Working, unit: string, { code, output }: Outcome<"ran">): void {
  const { claim } = working.workOf(unit);
  const { tests } = working.board;
  const focus = focusOf(working.state);
  if (claim === null || tests === undefined || focus === null) return;
  const result = resultOf(tests, claim, { code, output }, working.run.language, working.now);
  working.board = { ...working.board, result };
  working.write({ format: "test-result", task: focus.task, subtask: unit }, result);
  const passed = result.execution.result === "pass";
  const { action, reason } = result.recommendation;
  const shown = output.trim().slice(-mostOutput);
  gateSeen(working, {
    gate: "GATE-2",
    passed: passed && action === "complete",
    why: msg("request.tests_failed", { command: claim.command, action, reason, output: shown }),
    lesson: msg("request.lesson.tests", { command: claim.command, reason }),
    facts: { command: passed ? "passed" : "failed", recommendation: action },
  });
}

const mostNamed = 20;
const mostOutput = 4_000;

/** As git quotes what it can not print: the plain form is what contracts name. */
function unquoted(line: string): string {
  if (!line.startsWith('"')) return line;
  try {
    return JSON.parse(line) as string;
  } catch {
    return line;
  }
}

function verdictsOf(given: unknown): Verdict[] | undefined {
  const { items } = (typeof given === "object" && given !== null ? given : {}) as {
    items?: unknown;
  };
  if (!Array.isArray(items)) return undefined;
  const read = items.map((entry: unknown): Verdict | undefined => {
    const { item, holds, why } = (
      typeof entry === "object" && entry !== null ? entry : {}
    ) as Record<string, unknown>;
    const fits = typeof item === "string" && typeof holds === "boolean" && typeof why === "string";
    return fits ? { item, holds, why: why.slice(0, 1_000), by: "verifier" } : undefined;
  });
  return read.includes(undefined) ? undefined : read.filter((verdict) => verdict !== undefined);
}
