// The text as lines and fences: what is code or comment is not looked at for tasks.
//
// Nothing is normalised here. Offsets into the original text survive, because checkOff() must
// change one pair of brackets and not a single other byte.
import { msg } from "../core/messages.ts";
import { type TaskListProblem, limits } from "./_task-list-types.ts";

export interface Line {
  readonly number: number;
  /** Offset of the line's first character in the whole text. */
  readonly start: number;
  /** Without its line ending; comments are blanks of the same length. */
  readonly text: string;
}

export type Block =
  | { readonly kind: "line"; readonly line: Line }
  | {
      readonly kind: "fence";
      /** The word after the backticks, in lower case: mermaid, bash, "". */
      readonly language: string;
      readonly line: Line;
      readonly body: readonly Line[];
    };

export type Report = (problem: TaskListProblem) => void;

export function* blocksOf(text: string, report: Report): Generator<Block> {
  const bodyStart = afterFrontMatter(text);
  let fence: OpenFence | null = null;
  let comment: Line | null = null;
  for (const line of linesOf(text)) {
    if (line.start < bodyStart) continue;
    if (line.text.length > limits.lineLength) {
      report(problemAt(line, msg("tasks.line_too_long", { max: limits.lineLength })));
      continue;
    }
    if (fence !== null) {
      if (closes(fence, line.text)) {
        yield { kind: "fence", language: fence.language, line: fence.line, body: fence.body };
        fence = null;
      } else fence.body.push(line);
      continue;
    }
    const masked = maskComments(line.text, comment !== null);
    if (!masked.open) comment = null;
    else if (comment === null || masked.reopened) comment = line;
    const clean = masked.text === line.text ? line : { ...line, text: masked.text };
    fence = openFence(clean);
    if (fence === null) yield { kind: "line", line: clean };
  }
  // What follows is hidden to the very end: saying nothing would lose those tasks.
  if (fence) report(problemAt(fence.line, msg("tasks.fence_open", { mark: fence.mark })));
  if (comment) report(problemAt(comment, msg("tasks.comment_open")));
}

// --- internal ---

interface OpenFence {
  readonly line: Line;
  readonly mark: string;
  readonly language: string;
  readonly body: Line[];
}

function problemAt(line: Line, text: TaskListProblem["text"]): TaskListProblem {
  return { code: "PARSE_FAIL", line: line.number, column: 1, text };
}

function* linesOf(text: string): Generator<Line> {
  let start = text.startsWith("\uFEFF") ? 1 : 0;
  for (let number = 1; start <= text.length; number++) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    const stop = end > start && text[end - 1] === "\r" ? end - 1 : end;
    yield { number, start, text: text.slice(start, stop) };
    start = end + 1;
  }
}

/** YAML front matter is metadata: a `# comment` in it is not the title. */
function afterFrontMatter(text: string): number {
  const begin = /^\uFEFF?---[ \t]*\r?\n(?:#[^\n]*\n)*(?=[\w-]+[ \t]*:)/.exec(text);
  if (begin === null) return 0;
  const end = /\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text);
  return end === null ? 0 : end.index + end[0].length;
}

function openFence(line: Line): OpenFence | null {
  // A fence may begin an item of a list: "- ```".
  const match = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})([^]*)$/.exec(line.text);
  const [, mark, info = ""] = match ?? [];
  // ```code``` on one line is a code span, not a fence.
  if (mark === undefined || (mark.startsWith("`") && info.includes("`"))) return null;
  const language = /^\s*\{?\s*([\w+-]*)/.exec(info)?.[1] ?? "";
  return { line, mark, language: language.toLowerCase(), body: [] };
}

function closes(fence: OpenFence, text: string): boolean {
  const trimmed = text.trim();
  const mark = fence.mark[0] ?? "`";
  return trimmed.length >= fence.mark.length && trimmed === mark.repeat(trimmed.length);
}

interface Masked {
  readonly text: string;
  /** Is a comment still open at the end of the line? */
  readonly open: boolean;
  /** Did that comment begin in this line? */
  readonly reopened: boolean;
}

function maskComments(text: string, inComment: boolean): Masked {
  if (!inComment && !text.includes("<!--")) return { text, open: false, reopened: false };
  let kept = "";
  let at = 0;
  let open = inComment;
  let reopened = false;
  while (at < text.length) {
    const next = open ? text.indexOf("-->", at) : commentStart(text, at);
    const stop = next < 0 ? text.length : open ? next + 3 : next;
    kept += open ? " ".repeat(stop - at) : text.slice(at, stop);
    if (next < 0) break;
    reopened = !open;
    open = !open;
    at = stop;
  }
  return { text: kept, open, reopened: open && reopened };
}

/** The next `<!--` that is not inside a code span: a title may speak about comments. */
function commentStart(text: string, from: number): number {
  let inCode = false;
  for (let i = from; i < text.length; i++) {
    if (text[i] === "`") inCode = !inCode;
    else if (!inCode && text.startsWith("<!--", i)) return i;
  }
  return -1;
}
