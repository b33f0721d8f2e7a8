// JSON documents: read strictly, print so that a person's key order and own fields survive.
import { type Message, msg } from "../core/messages.ts";
import { type Finding, stepsOf } from "./format.ts";
import { type JsonProblem, maxDepth, scanJson } from "./_json-scan.ts";
import { type Parsed, placeAt } from "./_text.ts";

export function parseJson(text: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, findings: [complaint(text, scanJson(text).problem)] };
  }
  // Text that equals its own printed form has no key twice and no number that would change:
  // two native calls prove it, a scan in JavaScript costs three times as much.
  if (!text.includes("__proto__") && isShallow(value) && printJson(value, text) === text) {
    return { ok: true, value };
  }
  const { problem } = scanJson(text);
  return problem ? { ok: false, findings: [complaint(text, problem)] } : { ok: true, value };
}

/** Prints with the indentation of the previous text (two spaces for a new one). */
export function printJson(value: unknown, previous?: string): string {
  return `${JSON.stringify(value, null, indentOf(previous))}${previous === undefined || previous.endsWith("\n") ? "\n" : ""}`;
}

/** Line and column of each pointer; for a missing field, of the nearest parent that exists. */
export function locateJson(
  text: string,
  pointers: readonly string[],
): Map<string, { line: number; column: number }> {
  const wanted = new Map<string, readonly string[]>();
  for (const pointer of pointers) {
    const steps = stepsOf(pointer);
    for (let n = steps.length; n >= 0; n--)
      wanted.set(JSON.stringify(steps.slice(0, n)), steps.slice(0, n));
  }
  const { places } = scanJson(text, wanted);
  const found = new Map<string, { line: number; column: number }>();
  for (const pointer of pointers) {
    const steps = stepsOf(pointer);
    while (steps.length > 0 && !places.has(JSON.stringify(steps))) steps.pop();
    found.set(pointer, placeAt(text, places.get(JSON.stringify(steps)) ?? 0));
  }
  return found;
}

// --- internal ---

/** Nested no deeper than allowed? Iterative: a hostile file must not overflow the stack. */
function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return false;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== "object" || item === null) continue;
      for (const child of Array.isArray(item) ? item : Object.values(item)) {
        if (typeof child === "object" && child !== null) next.push(child);
      }
    }
    level = next;
  }
  return true;
}

function indentOf(text: string | undefined): string {
  if (text === undefined) return "  ";
  const second = text.indexOf("\n") + 1;
  if (second === 0) return "";
  let end = second;
  while (text[end] === " " || text[end] === "\t") end++;
  return text.slice(second, end).slice(0, 10);
}

function complaint(text: string, problem: JsonProblem | undefined): Finding {
  // JSON.parse refused and we did not: call the whole text unreadable rather than guess.
  const found = problem ?? { kind: "syntax" as const, offset: 0, found: text.slice(0, 12) };
  return { level: "error", pointer: "", text: describe(found), ...placeAt(text, found.offset) };
}

function describe(problem: JsonProblem): Message {
  switch (problem.kind) {
    case "duplicate":
      return msg("format.duplicate_key", { key: problem.key });
    case "forbidden_key":
      return msg("format.forbidden_key", { key: problem.key });
    case "number":
      return msg("format.lossy_number", { token: problem.token.slice(0, 40) });
    case "too_deep":
      return msg("format.too_deep", { max: maxDepth });
    default:
      return problem.found === ""
        ? msg("format.json_cut_off")
        : msg("format.not_json", { found: problem.found });
  }
}
