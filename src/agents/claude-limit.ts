// When the limit of a person's own session of Claude Code is lifted, as far as its hook StopFailure tells:
// its input holds only the sentence that the person reads. Newer versions also write the number down,
// in the conversation's file.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { plainly } from "./_files.ts";

/** The hook's JSON as it came. */
type Input = Readonly<Record<string, unknown>>;

/** Milliseconds since 1970; undefined: nobody says. */
export function statedReset(input: Input, now: number): number | undefined {
  return spokenReset(input["last_assistant_message"], now) ?? writtenReset(input, now);
}

/**
 * “… resets 9:49am (Asia/Seoul)”, “resets Nov 19, 9am (UTC)”, “resets Jan 5, 2027, 9:49am (UTC)”. Its clock
 * is this machine's: another zone is not reckoned with. Seconds are cut off there, so it is the end of
 * that minute.
 */
export function spokenReset(text: unknown, now: number): number | undefined {
  const found = typeof text === "string" ? spoken.exec(text.slice(0, 2_000)) : null;
  if (found === null) return undefined;
  const [, month, day, year, hour = "", minute = "0", half, zone] = found;
  if (zone !== Intl.DateTimeFormat().resolvedOptions().timeZone) return undefined;
  const today = new Date(now);
  const at = new Date(
    year === undefined ? today.getFullYear() : Number(year),
    month === undefined ? today.getMonth() : months.indexOf(month),
    day === undefined ? today.getDate() : Number(day),
    (Number(hour) % 12) + (half === "pm" ? 12 : 0),
    Number(minute) + 1,
  );
  // Without a date it is the next time that the clock shows this.
  if (day === undefined && at.getTime() <= now) at.setDate(at.getDate() + 1);
  return at.getTime();
}

// --- internal ---

const spoken =
  /\bresets (?:([A-Z][a-z]{2}) (\d{1,2}), (?:(\d{4}), )?)?(\d{1,2})(?::(\d{2}))?(am|pm) \(([\w+/-]{1,40})\)/;
// oxfmt-ignore
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The last error in the conversation's file. */
function writtenReset({ transcript_path: path }: Input, now: number): number | undefined {
  const lines = typeof path === "string" && path.startsWith("/") ? endOf(path) : [];
  const line = lines.findLast((each) => each.includes('"isApiErrorMessage":true'));
  if (line === undefined) return undefined;
  try {
    const error = JSON.parse(line) as {
      readonly quotaLimits?: { readonly resetsAt?: unknown };
      readonly message?: { readonly content?: readonly { readonly text?: unknown }[] };
    };
    const seconds = error.quotaLimits?.resetsAt;
    if (typeof seconds === "number") return seconds * 1_000;
    return spokenReset(error.message?.content?.[0]?.text, now);
  } catch {
    // Cut off, or not as we know it: then nobody says.
    return undefined;
  }
}

const mostBytes = 64 * 1024;

/** Its last lines. Anything may stand at that path: nothing is waited for, no link followed. */
function endOf(path: string): string[] {
  let handle: number | undefined;
  try {
    handle = openSync(path, plainly);
    const stats = fstatSync(handle);
    if (!stats.isFile()) return [];
    const bytes = Buffer.alloc(Math.min(mostBytes, stats.size));
    const count = readSync(handle, bytes, 0, bytes.length, stats.size - bytes.length);
    return bytes.toString("utf8", 0, count).split("\n");
  } catch {
    return [];
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
