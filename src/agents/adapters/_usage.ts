// `[USAGE_JSON]{"tokens":1200,"cost_usd":0.01}[/USAGE_JSON]`: what a plain command has spent. Not one
// of the protocol's markers, because it claims nothing and asks for nothing; but it stands under the same rules
// (alone on its line, not in a code fence, with the token where one is asked for).
//
// A fence that the value of a block left open hides usage lines for up to 64 KiB: that costs a count,
// and following blocks here would be a second parser.
//
// Only lines that hold its name or a fence are decoded: nearly none.

export interface Usage {
  readonly tokens: number;
  readonly costUsd: number | null;
}

/** Plain data, so that reading goes on where it was saved. */
export interface UsageState {
  offset: number;
  /** The beginning of the line that is not complete yet, base64. */
  head: string;
  /** All bytes of that line so far. */
  length: number;
  fence: { readonly char: string; readonly length: number; readonly until: number } | null;
}

export const noUsage = (): UsageState => ({ offset: 0, head: "", length: 0, fence: null });

/** Where in the chunk a usage line ends (after its newline), and what it says. */
export type FoundUsage = Usage & { readonly after: number };

export function scanUsage(
  state: UsageState,
  chunk: Buffer,
  token: string | undefined,
): FoundUsage[] {
  const found: FoundUsage[] = [];
  let from = 0;
  if (state.length > 0) {
    const newline = chunk.indexOf(NEWLINE);
    keep(state, chunk.subarray(0, newline < 0 ? chunk.length : newline));
    if (newline < 0) {
      state.offset += chunk.length;
      return found;
    }
    from = newline + 1;
    const start = state.offset + newline - state.length;
    const usage = takeLine(state, start, lineOf(state), token);
    if (usage) found.push({ ...usage, after: from });
    state.head = "";
    state.length = 0;
  }
  const last = chunk.lastIndexOf(NEWLINE);
  for (const at of candidates(chunk, from, last)) {
    const newline = chunk.indexOf(NEWLINE, at);
    const line = newline - at > LONGEST ? "" : chunk.toString("utf8", at, newline);
    const usage = takeLine(state, state.offset + at, line, token);
    if (usage) found.push({ ...usage, after: newline + 1 });
  }
  keep(state, chunk.subarray(Math.max(from, last + 1)));
  state.offset += chunk.length;
  return found;
}

/** The output is over: its last line may have no newline. */
export function endUsage(state: UsageState, token: string | undefined): Usage | null {
  const usage = takeLine(state, state.offset - state.length, lineOf(state), token);
  state.head = "";
  state.length = 0;
  return usage;
}

// --- internal ---

const NEWLINE = 0x0a;
/** No usage line and no fence is longer; of a longer line nothing is read. */
const LONGEST = 1024;
/** As core/protocol: a fence that nobody closed stops hiding. */
const FENCE_REACH = 64 * 1024;
const needles = ["[USAGE_JSON", "```", "~~~"].map((needle) => Buffer.from(needle));

/** Where the complete lines begin that hold a needle: few of them, and only those are decoded. */
function* candidates(chunk: Buffer, from: number, last: number): Generator<number> {
  const hits = needles.map(() => -1);
  for (let at = from; at <= last;) {
    let hit = Infinity;
    for (const [index, needle] of needles.entries()) {
      let next = hits[index] ?? -1;
      if (next < at) {
        const found = chunk.indexOf(needle, at);
        next = hits[index] = found < 0 ? Infinity : found;
      }
      hit = Math.min(hit, next);
    }
    if (hit > last) return;
    yield Math.max(from, chunk.lastIndexOf(NEWLINE, hit) + 1);
    at = chunk.indexOf(NEWLINE, hit) + 1;
  }
}

function keep(state: UsageState, bytes: Uint8Array): void {
  const kept = Math.min(state.length, LONGEST + 1);
  const more = bytes.subarray(0, LONGEST + 1 - kept);
  if (more.length > 0)
    state.head = Buffer.concat([Buffer.from(state.head, "base64"), more]).toString("base64");
  state.length += bytes.length;
}

function lineOf(state: UsageState): string {
  return state.length > LONGEST ? "" : Buffer.from(state.head, "base64").toString("utf8");
}

function takeLine(
  state: UsageState,
  start: number,
  text: string,
  token: string | undefined,
): Usage | null {
  const body = alone(text);
  const [mark = "", rest = ""] = /^(`{3,}|~{3,})(.*)$/s.exec(body)?.slice(1) ?? [];
  const { fence } = state;
  if (fence) {
    if (mark.startsWith(fence.char) && mark.length >= fence.length && rest === "") {
      state.fence = null;
      return null;
    }
    if (start < fence.until) return null;
  }
  const char = mark[0];
  if (char !== undefined && !(char === "`" && rest.includes("`"))) {
    state.fence = { char, length: mark.length, until: start + FENCE_REACH };
    return null;
  }
  return readUsage(body, token);
}

/** Without its margin of at most three spaces and its trailing blanks; a line further in is code. */
function alone(text: string): string {
  let start = 0;
  while (text[start] === " ") start++;
  let end = text.length;
  while (end > start && " \t\r".includes(text[end - 1] ?? "")) end--;
  return start > 3 || text[start] === "\t" ? "" : text.slice(start, end);
}

function readUsage(body: string, token: string | undefined): Usage | null {
  const opener = token === undefined ? "[USAGE_JSON]" : `[USAGE_JSON ${token}]`;
  if (!body.startsWith(opener) || !body.endsWith(CLOSER)) return null;
  let value: unknown;
  try {
    value = JSON.parse(body.slice(opener.length, -CLOSER.length));
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const { tokens, cost_usd: cost = null } = value as { tokens?: unknown; cost_usd?: unknown };
  // Sums must stay sums: a budget is not moved by a negative or endless number.
  if (!isAmount(tokens) || !Number.isSafeInteger(tokens)) return null;
  if (cost !== null && !isAmount(cost)) return null;
  return { tokens, costUsd: cost };
}

const CLOSER = "[/USAGE_JSON]";

function isAmount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 1e12;
}
