// What an agent printed, as lines that are safe to show. Colours of a terminal become classes; every
// other control sequence is left out, whole, also where it is cut between two pieces. What could
// turn the reading order around is shown as the stranger it is.
import { readable } from "./readable.ts";

export interface Segment {
  readonly text: string;
  readonly look: string;
}

export const marks = ["phase", "question", "need", "error"] as const;
export type Mark = (typeof marks)[number];

export interface LogLine {
  readonly segments: readonly Segment[];
  readonly plain: string;
  readonly mark: Mark | null;
}

/** More than this of one line is not read by anybody. */
const longestLine = 10_000;
/** A message of an agent that is longer is shown as it is. */
const longestMessage = 200_000;
/** An escape sequence that does not end is none. */
const longestEscape = 4_096;
const mostLines = 100_000;

interface Style {
  readonly color: number | null;
  readonly flags: string;
}

const plainStyle: Style = { color: null, flags: "" };

export class Log {
  /** As they were printed. */
  readonly lines: LogLine[] = [];
  /** The same, with messages in words; the same array where there are none. */
  get told(): readonly LogLine[] {
    return this.#told ?? this.lines;
  }

  /** Lines that were dropped at the beginning, because there were too many. */
  dropped = 0;
  #told: LogLine[] | null = null;
  #whole = "";
  #rest = "";
  #style = plainStyle;
  #segments: Segment[] = [];
  #run = "";
  #length = 0;
  #cut = false;
  /** The last line is not finished yet. */
  #open = false;

  feed(text: string): void {
    const all = this.#rest + text;
    this.#rest = "";
    if (this.#open) {
      this.lines.pop();
      this.#told?.pop();
    }
    this.#open = false;
    for (let at = 0; at < all.length;) {
      const code = all.charCodeAt(at);
      if (code === 0x1b) {
        const end = escapeEnd(all, at);
        if (end === -1) {
          this.#rest = all.slice(at);
          break;
        }
        this.#take(all.slice(at, end));
        at = end;
      } else {
        this.#put(code, all, at);
        at++;
      }
    }
    if (this.#length > 0 || this.#segments.length > 0) {
      this.#push(this.#line());
      this.#open = true;
    }
    this.#shorten();
  }

  // --- internal ---

  #put(code: number, all: string, at: number): void {
    if (code === 0x0a) return this.#end();
    // A return without a new line draws the line anew.
    if (code === 0x0d) {
      if (all.charCodeAt(at + 1) !== 0x0a) this.#clear();
      return;
    }
    if (code < 0x20 && code !== 0x09) return;
    if (code >= 0x7f && code <= 0x9f) return;
    if (this.#whole.length < longestMessage) this.#whole += all[at];
    if (this.#length >= longestLine) return void (this.#cut = true);
    this.#length++;
    this.#run += turns(code) ? "\uFFFD" : all[at];
  }

  #take(escape: string): void {
    if (!escape.startsWith("\x1b[") || !escape.endsWith("m")) return;
    this.#flush();
    this.#style = restyled(this.#style, escape.slice(2, -1));
  }

  #flush(): void {
    if (this.#run === "") return;
    this.#segments.push({ text: this.#run, look: lookOf(this.#style) });
    this.#run = "";
  }

  #line(): LogLine {
    const run = this.#run === "" ? [] : [{ text: this.#run, look: lookOf(this.#style) }];
    const more = this.#cut ? [{ text: " …", look: "sgr-d" }] : [];
    const segments = [...this.#segments, ...run, ...more];
    const plain = segments.map(({ text }) => text).join("");
    return { segments, plain, mark: markOf(plain) };
  }

  #end(): void {
    const message = readable(this.#whole);
    if (message === null) this.#push(this.#line());
    else {
      this.#told ??= [...this.lines];
      this.lines.push(this.#line());
      for (const { text, look } of message) this.#told.push(shown(text, look));
    }
    this.#clear();
  }

  #push(line: LogLine): void {
    this.lines.push(line);
    this.#told?.push(line);
  }

  #clear(): void {
    this.#segments = [];
    this.#run = "";
    this.#whole = "";
    this.#length = 0;
    this.#cut = false;
  }

  #shorten(): void {
    const over = this.lines.length - mostLines;
    if (over <= 0) return;
    this.lines.splice(0, over);
    this.#told?.splice(0, over);
    this.dropped += over;
  }
}

// --- internal ---

/** A stranger's text out of a message: the same rules as for what is printed. */
function shown(text: string, look: string): LogLine {
  const plain = Array.from(text.slice(0, longestLine), (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    if (code < 0x20 && code !== 0x09) return "";
    if (code >= 0x7f && code <= 0x9f) return "";
    return turns(code) ? "\uFFFD" : sign;
  }).join("");
  return { segments: [{ text: plain, look }], plain, mark: markOf(plain) };
}

/** Where it ends; -1: not yet. One that goes on for too long is skipped at its first sign. */
function escapeEnd(text: string, from: number): number {
  const kind = text[from + 1];
  if (kind === undefined) return -1;
  const most = Math.min(text.length, from + longestEscape);
  if (kind === "[") {
    for (let at = from + 2; at < most; at++) {
      const code = text.charCodeAt(at);
      if (code >= 0x40 && code <= 0x7e) return at + 1;
      if (code < 0x20) return at;
    }
  } else if ("]PX^_".includes(kind)) {
    for (let at = from + 2; at < most; at++) {
      if (text.charCodeAt(at) === 0x07) return at + 1;
      if (text.charCodeAt(at) === 0x1b && text[at + 1] === "\\") return at + 2;
    }
  } else return from + 2;
  return text.length - from >= longestEscape ? from + 2 : -1;
}

function restyled(before: Style, codes: string): Style {
  let { color, flags } = before;
  const numbers = codes.split(/[;:]/).map(Number);
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] ?? 0;
    if (code === 0) [color, flags] = [null, ""];
    else if (code in flagOf) flags = withFlag(flags, flagOf[code] ?? "");
    else if (code === 22) flags = flags.replace(/[bd]/g, "");
    else if (code === 24) flags = flags.replace("u", "");
    else if (code === 29) flags = flags.replace("s", "");
    else if (code >= 30 && code <= 37) color = code - 30;
    else if (code >= 90 && code <= 97) color = code - 90;
    else if (code === 39) color = null;
    // A colour of a palette: its number, or its three parts, mean nothing to us.
    else if (code === 38 || code === 48) at += numbers[at + 1] === 2 ? 4 : 2;
  }
  return { color, flags };
}

const flagOf: Readonly<Record<number, string>> = { 1: "b", 2: "d", 4: "u", 9: "s" };

function withFlag(flags: string, flag: string): string {
  return flags.includes(flag) ? flags : flags + flag;
}

function lookOf({ color, flags }: Style): string {
  const parts = Array.from(flags, (flag) => `sgr-${flag}`);
  return [...parts, ...(color === null ? [] : [`sgr-${color}`])].join(" ");
}

function turns(code: number): boolean {
  return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

function markOf(plain: string): Mark | null {
  const line = plain.trimStart();
  if (line.startsWith("[USER_QUESTION")) return "question";
  if (line.startsWith("[DEPENDENCY_REQUEST")) return "need";
  if (line.startsWith("[ERROR")) return "error";
  return line.startsWith("=== ") && line.endsWith(" ===") ? "phase" : null;
}
