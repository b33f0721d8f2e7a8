// What a reviewer has written and seen, kept by task as they type. A comment knows the text of its
// line: when the file changes underneath, it is shown as moved and never lost.
export interface DraftComment {
  readonly id: string;
  readonly path: string;
  /** Null: about the whole file, or about a line that is no longer there. */
  readonly line: number | null;
  readonly quote: string | null;
  readonly removed: boolean;
  readonly text: string;
}

export interface Composer {
  readonly path: string;
  readonly line: number | null;
  readonly quote: string | null;
  readonly removed: boolean;
  readonly text: string;
}

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

/** As the server takes them: a line that was removed is quoted, since it has no number any more. */
export function sentComments(comments: readonly DraftComment[]) {
  return comments.map(({ path, line, text, removed, quote }) => ({
    path,
    line: removed ? null : line,
    text: removed && quote !== null ? `> ${quote}\n${text}` : text,
  }));
}
