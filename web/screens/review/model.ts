// The files of a review as they are shown: what changed, and what the phase had to deliver.
import type { Review } from "../../data/api.ts";
import type { DraftComment, Seen } from "./draft.ts";

export interface ReviewFile {
  readonly path: string;
  readonly status: string;
  readonly additions: number;
  readonly deletions: number;
  /** "" where it did not change, is binary or too large. */
  readonly patch: string;
  readonly text: string | null;
  readonly binary: boolean;
  /** Made by a tool: closed at first, and said so. */
  readonly generated: boolean;
  /** The same while the file is the same. */
  readonly print: string;
}

export function filesOf({ files, diff }: Review): ReviewFile[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const changed = diff.map(({ path, status, additions, deletions, patch, binary }) => {
    const text = texts.get(path) ?? null;
    return shown({ path, status, additions, deletions, patch, text, binary });
  });
  const paths = new Set(changed.map(({ path }) => path));
  const rest = files.flatMap(({ path, text }) => {
    // A declared folder is shown by the files in it.
    if (paths.has(path) || [...paths].some((each) => each.startsWith(`${path}/`))) return [];
    const additions = text === null ? 0 : text.split("\n").length;
    return shown({ path, status: "same", additions, deletions: 0, patch: "", text, binary: false });
  });
  return [...rest, ...changed].toSorted(byImportance);
}

export function isSeen({ path, print }: ReviewFile, seen: Seen): boolean {
  return seen[path] === print;
}

export function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path);
}

export type Row =
  | { readonly kind: "hunk"; readonly text: string }
  | {
      readonly kind: "same" | "added" | "removed";
      readonly text: string;
      readonly before: number | null;
      readonly after: number | null;
    };

/** A file that did not change, as rows that can be commented on. */
export function rowsOfText(text: string): Row[] {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line, index) => ({ kind: "same", text: line, before: null, after: index + 1 }));
}

/** Does the comment's line still say what it said? */
export function isInPlace({ line, quote, removed }: DraftComment, rows: readonly Row[]): boolean {
  if (line === null) return true;
  return rows.some(
    (row) =>
      row.kind !== "hunk" &&
      (removed ? row.kind === "removed" && row.before === line : row.after === line) &&
      row.text === quote,
  );
}

// --- internal ---

type Base = Omit<ReviewFile, "generated" | "print">;

function shown(file: Base): ReviewFile {
  return { ...file, generated: isGenerated(file.path), print: printOf(file) };
}

function isGenerated(path: string): boolean {
  return /(?:^|\/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|poetry\.lock|go\.sum)$|\.min\.(?:js|css)$|\.map$/.test(
    path,
  );
}

function byImportance(a: ReviewFile, b: ReviewFile): number {
  return Number(a.generated) - Number(b.generated) || (a.path < b.path ? -1 : 1);
}

/** Short, and different for another content: no secret hangs on it. */
function printOf({ text, patch, additions, deletions }: Base): string {
  let hash = 2_166_136_261;
  const all = text ?? patch;
  for (let at = 0; at < all.length; at++) hash = Math.imul(hash ^ all.charCodeAt(at), 16_777_619);
  return `${(hash >>> 0).toString(36)}.${all.length}.${additions}.${deletions}`;
}
