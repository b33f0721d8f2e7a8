// The rows of a change. Only those in sight are there, so a file of 20,000 lines opens like one of
// twenty. A row is commented on by its number, or with M at the marked row.
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState } from "react";
import { useKeys } from "../../keys.ts";
import { Code } from "../../parts/code.tsx";
import type { Highlight } from "../../parts/highlight.ts";
import { VirtualRows } from "../../parts/rows.tsx";
import { useSay } from "../../texts/index.ts";
import { CommentCard, ComposerCard } from "./comments.tsx";
import { type Composer, type DraftComment, covers } from "./draft.ts";
import type { Writing } from "./file.tsx";
import type { Row } from "./model.ts";

interface Props {
  readonly rows: readonly Row[];
  readonly comments: readonly DraftComment[];
  readonly composer: Composer | null;
  readonly writing: Writing;
  readonly open: boolean;
  /** Not a change: a file as it is, with one column of numbers. */
  readonly plain: boolean;
  readonly highlight: Highlight | undefined;
}

type Line =
  | { readonly kind: "row"; readonly row: Row; readonly at: number }
  | { readonly kind: "comment"; readonly comment: DraftComment }
  | { readonly kind: "composer"; readonly composer: Composer };

export function DiffRows(props: Props) {
  const say = useSay();
  const { rows, writing, open } = props;
  const place = useRef<HTMLDivElement>(null);
  const lines = linesOf(props);
  const [cursor, setCursor] = useState(-1);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => place.current,
    estimateSize: (index) => (lines[index]?.kind === "row" ? 20 : 120),
    overscan: 30,
  });
  const jump = (by: 1 | -1): void => {
    const next = nextChange(rows, cursor, by);
    if (next === null) return;
    setCursor(next);
    virtual.scrollToIndex(
      lines.findIndex((line) => line.kind === "row" && line.at === next),
      {
        align: "center",
      },
    );
  };
  useKeys([
    { keys: ["n"], label: "key.next_change", run: () => jump(1) },
    { keys: ["p"], label: "key.previous_change", run: () => jump(-1) },
    {
      keys: ["m"],
      label: "key.comment_line",
      run: () => {
        const row = rows[Math.max(0, cursor)];
        if (!open || row === undefined) return false;
        return begin(writing, row.kind === "hunk" ? rows[1] : row);
      },
    },
  ]);
  return (
    <div
      ref={place}
      tabIndex={0}
      role="region"
      aria-label={say("review.changes")}
      className="min-h-0 overflow-auto rounded-b-card border border-t-0 border-line font-mono text-code max-sm:max-h-[70vh]"
    >
      <VirtualRows virtual={virtual}>
        {(index) => {
          const line = lines[index];
          if (line === undefined) return null;
          const marked = line.kind === "row" && line.at === cursor;
          return <LineOf line={line} marked={marked} {...props} />;
        }}
      </VirtualRows>
    </div>
  );
}

// --- internal ---

function linesOf({ rows, comments, composer, open }: Props): Line[] {
  const lines: Line[] = [];
  for (const [at, row] of rows.entries()) {
    lines.push({ kind: "row", row, at });
    if (row.kind === "hunk") continue;
    for (const comment of comments)
      if (isAt(comment, row)) lines.push({ kind: "comment", comment });
    if (composer !== null && open && composer.line !== null && isAt(composer, row))
      lines.push({ kind: "composer", composer });
  }
  return lines;
}

function isAt({ line, removed }: Pick<Composer, "line" | "removed">, row: Row): boolean {
  if (row.kind === "hunk") return false;
  return removed ? row.kind === "removed" && row.before === line : row.after === line;
}

function begin(writing: Writing, row: Row | undefined): void {
  if (row === undefined || row.kind === "hunk") return;
  const removed = row.kind === "removed";
  writing.begin(removed ? row.before : row.after, row.text, removed);
}

/** A line that was removed is on another side: it can not be one of several. */
function canStretch(composer: Composer | null, row: Row): boolean {
  return composer !== null && composer.line !== null && !composer.removed && row.kind !== "removed";
}

/** The first row of the next run of changes. */
function nextChange(rows: readonly Row[], from: number, by: 1 | -1): number | null {
  const isChange = (at: number): boolean => {
    const kind = rows[at]?.kind;
    return kind === "added" || kind === "removed";
  };
  for (let at = from + by; at >= 0 && at < rows.length; at += by)
    if (isChange(at) && !isChange(at - 1)) return at;
  return null;
}

const looks = {
  same: { row: "", number: "text-muted", sign: " " },
  added: { row: "bg-add", number: "bg-add-n text-text", sign: "+" },
  removed: { row: "bg-del", number: "bg-del-n text-text", sign: "-" },
} as const;

function LineOf({ line, marked, ...props }: Props & { line: Line; marked: boolean }) {
  if (line.kind === "comment")
    return <CommentCard comment={line.comment} moved={false} remove={props.writing.remove} />;
  if (line.kind === "composer")
    return <ComposerCard composer={line.composer} rows={props.rows} {...props.writing} />;
  const { row } = line;
  if (row.kind === "hunk")
    return <p className="bg-page px-2.5 py-0.5 text-muted whitespace-pre-wrap">{row.text}</p>;
  const about = [...props.comments, ...(props.composer === null ? [] : [props.composer])];
  const within = about.some((each) => each.from !== undefined && covers(each, row.after));
  return <CodeRow row={row} marked={marked} within={within} {...props} />;
}

/** At the row's edge, above the colours of its cells. */
function bar(marked: boolean, within: boolean): string {
  if (!marked && !within) return "";
  const colour = marked ? "before:bg-ring" : "before:bg-you-dot";
  return `relative before:absolute before:inset-y-0 before:left-0 before:z-1 before:w-[3px] ${colour}`;
}

interface RowProps extends Props {
  readonly row: Exclude<Row, { kind: "hunk" }>;
  readonly marked: boolean;
  /** Of several lines that a comment is about. */
  readonly within: boolean;
}

function CodeRow({ row, marked, within, writing, open, plain, ...props }: RowProps) {
  const say = useSay();
  const look = looks[row.kind];
  const number = row.after ?? row.before ?? 0;
  return (
    <div
      className={`group grid ${plain ? "grid-cols-[44px_20px_minmax(0,1fr)]" : "grid-cols-[44px_44px_20px_minmax(0,1fr)] max-sm:grid-cols-[0_36px_16px_minmax(0,1fr)]"} ${look.row} ${bar(marked, within)}`}
    >
      {plain ? null : (
        <span className={`overflow-hidden px-2 text-right select-none ${look.number}`}>
          {row.before}
        </span>
      )}
      <span className={`relative text-right select-none ${look.number}`}>
        {open ? (
          <button
            type="button"
            tabIndex={-1}
            aria-label={say("comment.at", { line: number })}
            // With Shift: from the line that is being commented on to this one.
            onClick={({ shiftKey }) =>
              shiftKey && canStretch(props.composer, row)
                ? writing.stretch(number, row.text)
                : begin(writing, row)
            }
            className="w-full px-2 text-right group-hover:bg-ink group-hover:text-on-ink"
          >
            {row.after ?? "·"}
          </button>
        ) : (
          <span className="px-2">{row.after}</span>
        )}
      </span>
      <span className="text-center text-muted select-none">{look.sign}</span>
      <span className="pr-2.5 break-words whitespace-pre-wrap">
        {row.text === "" ? " " : <Code text={row.text} highlight={props.highlight} />}
      </span>
    </div>
  );
}
