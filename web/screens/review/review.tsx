// "May I approve this?" What the engine has checked, the files with what changed, comments at their
// lines, and one verdict for all of it, which carries the hash of exactly what is shown.
import { useState } from "react";
import type { Review, TaskDetail } from "../../data/api.ts";
import { useDraft } from "../../data/drafts.ts";
import { useReview } from "../../data/queries.ts";
import { useKeys } from "../../keys.ts";
import { ErrorNote, Skeleton } from "../../parts/notes.tsx";
import { sayWord, useSay } from "../../texts/index.ts";
import {
  type ReviewDraft,
  type Seen,
  emptyReview,
  nothingSeen,
  reviewDraft,
  seenDraft,
} from "./draft.ts";
import { FileView } from "./file.tsx";
import { type ReviewFile, filesOf, isSeen } from "./model.ts";
import { ReviewSide } from "./side.tsx";
import { Verdict } from "./verdict.tsx";

export function ReviewTab({ task }: { task: TaskDetail }) {
  const [whole, setWhole] = useState(false);
  const open = task.openReviews[0]?.id ?? task.decisions.at(-1)?.id;
  const { data, error, refetch } = useReview(task.id, open, whole);
  if (data === undefined)
    return error ? (
      <div className="p-5">
        <ErrorNote error={error} again={() => void refetch()} />
      </div>
    ) : (
      <Skeleton rows={6} />
    );
  return <Reading key={data.id} task={task} review={data} whole={whole} onWhole={setWhole} />;
}

export interface ReadingProps {
  readonly task: TaskDetail;
  readonly review: Review;
  /** Everything of the phase, or only what changed since the last look. */
  readonly whole: boolean;
  readonly onWhole: (whole: boolean) => void;
}

// --- internal ---

function Reading({ task, review, whole, onWhole }: ReadingProps) {
  const say = useSay();
  const files = filesOf(review);
  const [draft, setDraft] = useDraft<ReviewDraft>(reviewDraft(task.id), emptyReview);
  const [seen, setSeen] = useDraft<Seen>(seenDraft(task.id), nothingSeen);
  const first = files.find((file) => !isSeen(file, seen) && !file.generated) ?? files[0];
  const [path, setPath] = useState(draft.composer?.path ?? first?.path ?? "");
  const file = files.find((each) => each.path === path) ?? first;
  const mark = (one: ReviewFile, is: boolean): void =>
    setSeen((before) => ({ ...before, [one.path]: is ? one.print : "" }));
  useFileKeys({ files, file, seen, setPath, mark });
  const isOpen = review.status === "open";
  return (
    <div className="grid min-h-0 grid-rows-[minmax(0,1fr)_auto]">
      <div className="grid min-h-0 grid-cols-[240px_minmax(0,1fr)] max-sm:block max-sm:overflow-y-auto">
        <ReviewSide
          review={review}
          task={task}
          files={files}
          path={file?.path}
          seen={seen}
          comments={draft.comments}
          onPath={setPath}
          onSeen={mark}
        />
        {file === undefined ? (
          <p className="p-6 text-muted">{say("review.no_files")}</p>
        ) : (
          <FileView
            key={`${file.path} ${whole}`}
            task={task}
            review={review}
            file={file}
            whole={whole}
            onWhole={onWhole}
            seen={isSeen(file, seen)}
            onSeen={(is) => mark(file, is)}
            draft={draft}
            setDraft={setDraft}
            open={isOpen}
          />
        )}
      </div>
      {isOpen ? (
        <Verdict
          task={task}
          review={review}
          unseen={files.filter((each) => !isSeen(each, seen)).length}
          draft={draft}
          setDraft={setDraft}
        />
      ) : (
        <p className="border-t border-line px-5.5 py-3 text-sm text-muted">
          {say("review.closed", { status: sayWord(say, "review", review.status) })}
        </p>
      )}
    </div>
  );
}

/** V marks a file as seen and goes to the next; J and K walk where no list takes them. */
function useFileKeys(props: {
  readonly files: readonly ReviewFile[];
  readonly file: ReviewFile | undefined;
  readonly seen: Seen;
  readonly setPath: (path: string) => void;
  readonly mark: (file: ReviewFile, is: boolean) => void;
}): void {
  const { files, file, seen, setPath, mark } = props;
  const step = (by: number): void => {
    const at = files.findIndex((each) => each === file);
    const next = files[at + by];
    if (next !== undefined) setPath(next.path);
  };
  useKeys([
    { keys: ["]", "j", "arrowdown"], label: "key.next_file", run: () => step(1) },
    { keys: ["[", "k", "arrowup"], label: "key.previous_file", run: () => step(-1) },
    {
      keys: ["v"],
      label: "key.seen",
      run: () => {
        if (file === undefined) return;
        const was = isSeen(file, seen);
        mark(file, !was);
        if (!was) step(1);
      },
    },
  ]);
}
