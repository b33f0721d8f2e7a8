// JSON documents: read strictly, print so that a person's key order and own fields survive.
import { type Message, msg } from "../core/messages.ts";
import { type Finding, stepsOf } from "./format.ts";
import { indentOf, isDeep, maxDepth, parsePlain } from "./_json-plain.ts";
import { type JsonProblem, scanJson } from "./_json-scan.ts";
import { type Parsed, type Place, placeAt, placesOf, wellFormed } from "./_text.ts";

export function parseJson(text: string): Parsed {
  const plain = parsePlain(text);
  if (plain) return { ok: true, value: plain.value };
  // First of all: half a gigabyte of nested lists could be built from 32 MiB of brackets, and
  // JSON.stringify would overflow the stack on them.
  if (isDeep(text)) return refused(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused(text);
  }
  const { problem } = scanJson(text);
  return problem ? { ok: false, findings: [complaint(text, problem)] } : { ok: true, value };
}

/**
 * Prints with the indentation and line ends of the previous text (two spaces for a new one).
 * Where nothing but the layout would change, a person's layout stays.
 */
export function printJson(value: unknown, previous?: string): string {
  const text = printed(value, previous);
  // The one escape that JSON.stringify writes for what could not be read back.
  if (text.includes("\\ud")) {
    const mended = wellFormed(value);
    if (printed(mended, previous) !== text) return printJson(mended, previous);
  }
  return previous !== undefined && sameButSpace(text, previous) ? previous : text;
}

/** Line and column of each pointer; for a missing field, of the nearest parent that exists. */
export function locateJson(text: string, pointers: readonly string[]): Map<string, Place> {
  const wanted = new Map<string, readonly string[]>();
  for (const pointer of pointers) {
    const steps = stepsOf(pointer);
    for (let n = steps.length; n >= 0; n--)
      wanted.set(JSON.stringify(steps.slice(0, n)), steps.slice(0, n));
  }
  const { places } = scanJson(text, wanted);
  const offsets = pointers.map((pointer) => {
    const steps = stepsOf(pointer);
    while (steps.length > 0 && !places.has(JSON.stringify(steps))) steps.pop();
    return places.get(JSON.stringify(steps)) ?? 0;
  });
  return placesOf(text, pointers, offsets);
}

// --- internal ---

function refused(text: string): Parsed {
  return { ok: false, findings: [complaint(text, scanJson(text).problem)] };
}

function printed(value: unknown, previous: string | undefined): string {
  const text = JSON.stringify(value, null, indentOf(previous));
  const ended = previous === undefined || previous.endsWith("\n") ? `${text}\n` : text;
  const isDos = previous !== undefined && previous[previous.indexOf("\n") - 1] === "\r";
  return isDos ? ended.replaceAll("\n", "\r\n") : ended;
}

/** Equal but for white space between the parts? Ends at the first difference. */
function sameButSpace(a: string, b: string): boolean {
  let inText = false;
  let j = 0;
  for (let i = 0; i < a.length; i++) {
    const code = a.charCodeAt(i);
    if (!inText) {
      if (isSpace(code)) continue;
      while (isSpace(b.charCodeAt(j))) j++;
    }
    if (b.charCodeAt(j) !== code) return false;
    j++;
    if (code === 34) inText = !inText;
    else if (code === 92 && inText) {
      if (a[++i] !== b[j++]) return false;
    }
  }
  while (isSpace(b.charCodeAt(j))) j++;
  return j === b.length;
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

/** A control character by its escape: nothing may move a terminal's cursor. */
function visible(character: string): string {
  return /\p{C}/u.test(character) ? JSON.stringify(character).slice(1, -1) : character;
}

function complaint(text: string, problem: JsonProblem | undefined): Finding {
  // JSON.parse refused and we did not: call the whole text unreadable rather than guess.
  const found = problem ?? { kind: "syntax" as const, offset: 0, found: text.slice(0, 1) };
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
    case "surrogate":
      return msg("format.lone_surrogate");
    case "too_deep":
      return msg("format.too_deep", { max: maxDepth });
    default:
      return problem.found === ""
        ? msg("format.json_cut_off")
        : msg("format.not_json", { found: visible(problem.found) });
  }
}
