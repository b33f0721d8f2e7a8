// What a reviewer has written and seen, kept by task as they type. A comment knows the text of its
// line: when the file changes underneath, it is shown as moved and never lost.
export interface DraftComment {
  readonly id: string;
  readonly path: string;
  /** Null: about the whole file, or about a line that is no longer there. Of several the last. */
  readonly line: number | null;
  /** The first of several lines; a draft of an older page has none. */
  readonly from?: number | undefined;
  readonly quote: string | null;
  readonly removed: boolean;
  readonly text: string;
}

export type Composer = Omit<DraftComment, "id">;

export interface ReviewDraft {
  readonly comments: readonly DraftComment[];
  readonly composer: Composer | null;
  readonly feedback: string;
}

export const emptyReview: ReviewDraft = { comments: [], composer: null, feedback: "" };

export const reviewDraft = (taskId: string): string => `review.${taskId}`;
export const seenDraft = (taskId: string): string => `seen.${taskId}`;

/** Path → the file as it was seen. */
export type Seen = Readonly<Record<string, string>>;
export const nothingSeen: Seen = {};

/**
 * As the server takes them. A line that was removed is quoted, since it has no number any more; a
 * comment has one line, so of several the first is named and all of them in its text.
 */
export function sentComments(comments: readonly DraftComment[]) {
  return comments.map(({ path, line, from, text, removed, quote }) => {
    if (removed) return { path, line: null, text: quote === null ? text : `> ${quote}\n${text}` };
    if (line === null || from === undefined || from >= line) return { path, line, text };
    return { path, line: from, text: `${from}-${line}: ${text}` };
  });
}

type Place = Pick<DraftComment, "line" | "from" | "removed">;

/** Is this line of the file as it is now among those it is about? */
export function covers({ line, from, removed }: Place, after: number | null): boolean {
  if (removed || line === null || after === null) return false;
  return after >= (from ?? line) && after <= line;
}

/** `12`, or `12-18`. */
export function linesText({ line, from }: Place): string {
  return from === undefined || from === line ? String(line ?? 0) : `${from}-${line}`;
}

/** With one line more or less; the last line's text is what it is found again by. */
export function stretched(composer: Composer, to: number, text: string): Composer {
  const { line, removed } = composer;
  if (removed || line === null) return composer;
  const from = composer.from ?? line;
  if (to > line) return { ...composer, from, line: to, quote: text };
  return { ...composer, from: to };
}
