// Which lines are markers. Everything here looks at one line, already known to be a candidate.
//
// A marker stands alone on its line, at most three spaces in: four columns or a tab are code in
// Markdown, `>` is a quote, and any other character before it is prose, a diff or grep output.
import { type BlockName, blockNames } from "./_protocol-signals.ts";

export type Opener =
  | { readonly kind: "block"; readonly name: BlockName }
  | { readonly kind: "json"; readonly name: BlockName; readonly rest: string }
  /** The one-line `[ERROR] type: …`. */
  | { readonly kind: "line"; readonly rest: string }
  | { readonly kind: "phase"; readonly phase: number }
  | { readonly kind: "task" }
  | { readonly kind: "verification" };

/** Looks like a marker, but the run's token is missing or wrong. */
export const IGNORED = "ignored";

export function readOpener(
  text: string,
  token: string | undefined,
): Opener | typeof IGNORED | null {
  const body = tagBody(text);
  if (body === null) return null;
  if (body.startsWith("[")) return readTag(body, token);
  if (body.startsWith("=== ") && body.endsWith(" ===") && body.length > 8)
    return readHeading(body.slice(4, -4), token);
  return null;
}

/** `[/NAME]` or `[/NAME_JSON]` alone on a line → what stands between `[/` and `]`. */
export function readCloser(text: string): string | null {
  const body = tagBody(text);
  if (body === null || !body.startsWith("[/") || !body.endsWith("]")) return null;
  const name = body.slice(2, -1);
  return nameOf(name) ? name : null;
}

export interface FenceMark {
  readonly char: "`" | "~";
  readonly length: number;
  /** Nothing follows: it may close. */
  readonly bare: boolean;
}

/** A line that opens or closes a code fence, by CommonMark's rules. */
export function readFence(text: string): FenceMark | null {
  const body = tagBody(text);
  const char = body?.[0];
  if (body === null || (char !== "`" && char !== "~")) return null;
  let length = 1;
  while (body[length] === char) length++;
  // ```x``` on one line is inline code.
  if (length < 3 || (char === "`" && body.includes("`", length))) return null;
  return { char, length, bare: body.length === length };
}

/** Spaces, tabs and the CR of a CRLF: the only blanks the grammar knows. */
export function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end);
}

export function trim(text: string): string {
  let start = 0;
  while (start < text.length && isBlank(text.charCodeAt(start))) start++;
  return trimEnd(text.slice(start));
}

// --- internal ---

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d;
}

/** The line without its margin and its trailing blanks; null where it is indented like code. */
function tagBody(text: string): string | null {
  let indent = 0;
  while (text[indent] === " ") indent++;
  return indent > 3 || text[indent] === "\t" ? null : trimEnd(text.slice(indent));
}

function nameOf(word: string): { name: BlockName; json: boolean } | null {
  const json = word.endsWith("_JSON");
  const plain = json ? word.slice(0, -5) : word;
  const name = blockNames.find((known) => known === plain);
  return name ? { name, json } : null;
}

function readTag(body: string, token: string | undefined): Opener | typeof IGNORED | null {
  const close = body.indexOf("]");
  if (close < 0) return null;
  const inside = body.slice(1, close);
  const space = inside.indexOf(" ");
  const known = nameOf(space < 0 ? inside : inside.slice(0, space));
  if (!known) return null;
  const opener = tagOpener(known.name, known.json, trim(body.slice(close + 1)));
  return opener && admit(opener, space < 0 ? "" : inside.slice(space), token);
}

function tagOpener(name: BlockName, json: boolean, rest: string): Opener | null {
  if (json) return rest === "" || rest.startsWith("{") ? { kind: "json", name, rest } : null;
  if (rest === "") return { kind: "block", name };
  // `[ERROR] Failed to …` is how half the world logs. Only a leading `type:` makes it ours.
  return name === "ERROR" && rest.startsWith("type:") ? { kind: "line", rest } : null;
}

const phaseHeading = /^PHASE (\d{1,4}) COMPLETE/;
const taskHeading = "CUSTOM TASK COMPLETE";
const verificationHeading = "VERIFICATION_RESULT";

function readHeading(inner: string, token: string | undefined): Opener | typeof IGNORED | null {
  const phase = phaseHeading.exec(inner);
  if (phase)
    return admit({ kind: "phase", phase: Number(phase[1]) }, inner.slice(phase[0].length), token);
  if (inner.startsWith(taskHeading))
    return admit({ kind: "task" }, inner.slice(taskHeading.length), token);
  if (inner.startsWith(verificationHeading))
    return admit({ kind: "verification" }, inner.slice(verificationHeading.length), token);
  return null;
}

/**
 * `rest` is what follows the name: nothing, or a space and one word, the token.
 * A plain comparison is enough: whoever could time it reads the token in the agent's own
 * prompt, and text that only passes through the agent gets one guess and no answer.
 */
function admit(
  opener: Opener,
  rest: string,
  token: string | undefined,
): Opener | typeof IGNORED | null {
  if (token === undefined) return rest === "" ? opener : null;
  if (rest === ` ${token}`) return opener;
  const oneWord = rest.startsWith(" ") && rest.length > 1 && !/[ \t]/.test(rest.slice(1));
  return rest === "" || oneWord ? IGNORED : null;
}
