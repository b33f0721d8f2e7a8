// One file under review: its head, then its change or its text, with comments at their lines.
import { Suspense, useMemo, useState } from "react";
import { type Review, type TaskDetail, newKey } from "../../data/api.ts";
import { useKeys } from "../../keys.ts";
import { Button, Segments } from "../../parts/basics.tsx";
import { useHighlight } from "../../parts/code.tsx";
import { Skeleton } from "../../parts/notes.tsx";
import { useSay } from "../../texts/index.ts";
import { CommentCard, ComposerCard } from "./comments.tsx";
import { DiffRows } from "./diff.tsx";
import { type Composer, type ReviewDraft, stretched } from "./draft.ts";
import { type ReviewFile, isInPlace, isMarkdown, rowsOfText } from "./model.ts";
import { rowsOfPatch } from "./parse.ts";
import { later } from "../../parts/later.tsx";

const Markdown = later(async () => (await import("../../parts/markdown.tsx")).Markdown);

interface Props {
  readonly task: TaskDetail;
  readonly review: Review;
  readonly file: ReviewFile;
  readonly whole: boolean;
  readonly onWhole: (whole: boolean) => void;
  readonly seen: boolean;
  readonly onSeen: (is: boolean) => void;
  readonly draft: ReviewDraft;
  readonly setDraft: (change: (before: ReviewDraft) => ReviewDraft) => void;
  readonly open: boolean;
}

type View = "document" | "change";

export function FileView(props: Props) {
  const say = useSay();
  const { file, draft, open } = props;
  const readable = isMarkdown(file.path) && file.text !== null;
  // A new document is read; one that was reworked is compared.
  const usual: View = readable && props.review.since === "phase" ? "document" : "change";
  const [view, setView] = useState<View>(draft.composer?.path === file.path ? "change" : usual);
  const { rows, highlight } = useRows(file);
  const writing = useWriting(props);
  const comments = draft.comments.filter(({ path }) => path === file.path);
  const inPlace = comments.filter((comment) => comment.line !== null && isInPlace(comment, rows));
  const above = comments.filter((comment) => !inPlace.includes(comment));
  const composer = draft.composer?.path === file.path ? draft.composer : null;
  const shown = view === "document" && readable ? "document" : "change";
  return (
    <section
      aria-label={file.path}
      className="grid min-h-0 min-w-0 grid-rows-[auto_auto_minmax(0,1fr)] px-5.5 pt-3.5 max-sm:block max-sm:px-3 max-sm:pb-4"
    >
      <FileHead
        {...props}
        view={shown}
        onView={readable ? setView : undefined}
        comment={() => writing.begin(null, null, false)}
      />
      <div className="border-x border-line">
        {above.map((comment) => (
          <CommentCard
            key={comment.id}
            comment={comment}
            moved={comment.line !== null}
            remove={writing.remove}
          />
        ))}
        {composer?.line === null && open ? <ComposerCard composer={composer} {...writing} /> : null}
      </div>
      {shown === "document" ? (
        <Document text={file.text ?? ""} />
      ) : rows.length === 0 || (file.patch === "" && file.text === null) ? (
        <p className="border border-t-0 border-line p-4 text-sm text-muted">
          {say(file.binary ? "review.binary" : "review.too_large")}
        </p>
      ) : (
        <DiffRows
          rows={rows}
          comments={inPlace}
          composer={composer}
          writing={writing}
          open={open}
          plain={file.patch === ""}
          highlight={highlight}
        />
      )}
    </section>
  );
}

export interface Writing {
  readonly begin: (line: number | null, quote: string | null, removed: boolean) => void;
  /** To or from another line of the file, with what it says. */
  readonly stretch: (line: number, text: string) => void;
  readonly type: (text: string) => void;
  readonly keep: () => void;
  readonly drop: () => void;
  readonly remove: (id: string) => void;
}

// --- internal ---

/** What is shown line by line, and its colours once they are there. */
function useRows({ path, patch, text }: ReviewFile) {
  const rows = useMemo(
    () => (patch !== "" ? rowsOfPatch(patch) : rowsOfText(text ?? "")),
    [patch, text],
  );
  const characters = Math.max(patch.length, text?.length ?? 0);
  return { rows, highlight: useHighlight(path, rows.length, characters) };
}

function Document({ text }: { text: string }) {
  return (
    <div className="min-h-0 overflow-y-auto rounded-b-card border border-t-0 border-line px-6 py-5 max-sm:px-4">
      <Suspense fallback={<Skeleton />}>
        <Markdown text={text} />
      </Suspense>
    </div>
  );
}

/** Comments as they are written: each keystroke is kept. */
function useWriting({ file, setDraft }: Props): Writing {
  return {
    begin: (line, quote, removed) =>
      setDraft((before) => {
        const started = before.composer;
        const kept =
          started !== null && started.text.trim() !== "" ? added(before, started) : before;
        return { ...kept, composer: { path: file.path, line, quote, removed, text: "" } };
      }),
    stretch: (line, text) =>
      setDraft((before) => ({
        ...before,
        composer: before.composer && stretched(before.composer, line, text),
      })),
    type: (text) =>
      setDraft((before) => ({
        ...before,
        composer: before.composer && { ...before.composer, text },
      })),
    keep: () =>
      setDraft((before) => {
        const { composer } = before;
        if (composer === null || composer.text.trim() === "") return { ...before, composer: null };
        return { ...added(before, composer), composer: null };
      }),
    drop: () => setDraft((before) => ({ ...before, composer: null })),
    remove: (id) =>
      setDraft((before) => ({
        ...before,
        comments: before.comments.filter((one) => one.id !== id),
      })),
  };
}

function added(draft: ReviewDraft, composer: Composer): ReviewDraft {
  const comment = { ...composer, id: newKey(), text: composer.text.trim() };
  return { ...draft, comments: [...draft.comments, comment] };
}

interface HeadProps extends Props {
  readonly view: View;
  readonly onView: ((view: View) => void) | undefined;
  readonly comment: () => void;
}

function FileHead({ file, review, whole, view, onView, open, comment, ...props }: HeadProps) {
  const say = useSay();
  useKeys([
    { keys: ["shift+m"], label: "key.comment_file", run: () => (open ? comment() : false) },
    {
      keys: ["d"],
      label: "key.view",
      run: () => onView?.(view === "change" ? "document" : "change"),
    },
  ]);
  return (
    <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5 rounded-t-card border border-line bg-page px-3 py-1.5 text-sm">
      <code className="min-w-0 text-code font-semibold">{file.path}</code>
      <span className="text-xs whitespace-nowrap text-muted">
        {file.status === "same" ? say("review.same") : `+${file.additions} -${file.deletions}`}
      </span>
      <span className="ml-auto flex flex-wrap items-center gap-1.5">
        <Compare {...props} review={review} whole={whole} />
        {onView === undefined ? null : (
          <Segments<View>
            label={say("review.view")}
            value={view}
            of={[
              { value: "document", text: say("review.document") },
              { value: "change", text: say("review.lines") },
            ]}
            onChange={onView}
          />
        )}
        {open ? (
          <Button look="quiet" onClick={comment} className="min-h-7 text-xs">
            {say("review.comment_file")}
          </Button>
        ) : null}
        <Button
          aria-pressed={props.seen}
          onClick={() => props.onSeen(!props.seen)}
          hint="v"
          className="min-h-7 text-xs aria-pressed:bg-sunken"
        >
          {props.seen ? say("review.seen") : say("review.mark_seen")}
        </Button>
      </span>
    </header>
  );
}

/** From the second look at a phase on, there are two things to compare with. */
function Compare(props: Pick<Props, "task" | "review" | "whole" | "onWhole">) {
  const say = useSay();
  const { task, review, whole, onWhole } = props;
  const again = task.decisions.some(
    ({ id, phase, status }) =>
      id !== review.id && phase === review.phase && status === "changes_requested",
  );
  if (!again || (review.since === "phase" && !whole)) return null;
  return (
    <Segments<"review" | "phase">
      label={say("review.compare")}
      value={whole ? "phase" : "review"}
      of={[
        { value: "review", text: say("review.since_last") },
        { value: "phase", text: say("review.since_phase") },
      ]}
      onChange={(value) => onWhole(value === "phase")}
    />
  );
}
