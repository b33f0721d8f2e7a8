// Beside the file: what the engine has checked itself (facts, not the agent's word), what was asked
// for last time, and the files with what was seen of them.
import type { Review, TaskDetail } from "../../data/api.ts";
import { Heading } from "../../parts/basics.tsx";
import { Icon } from "../../parts/icons.tsx";
import { shortDuration } from "../../parts/figures.tsx";
import { useLanguage, useSay } from "../../texts/index.ts";
import type { DraftComment, Seen } from "./draft.ts";
import { type ReviewFile, isSeen } from "./model.ts";

interface Props {
  readonly review: Review;
  readonly task: TaskDetail;
  readonly files: readonly ReviewFile[];
  readonly path: string | undefined;
  readonly seen: Seen;
  readonly comments: readonly DraftComment[];
  readonly onPath: (path: string) => void;
  readonly onSeen: (file: ReviewFile, is: boolean) => void;
}

export function ReviewSide(props: Props) {
  const say = useSay();
  const { review, task, files, seen } = props;
  const count = files.filter((file) => isSeen(file, seen)).length;
  return (
    <aside className="grid min-h-0 grid-cols-[minmax(0,1fr)] content-start gap-4 overflow-y-auto border-r border-line py-3.5 pr-2.5 pl-5.5 max-sm:overflow-visible max-sm:border-r-0 max-sm:border-b max-sm:px-4">
      <section>
        <Heading>{say("review.verified")}</Heading>
        <Facts review={review} />
      </section>
      <Before task={task} review={review} />
      <section>
        <Heading>{say("review.files", { seen: count, all: files.length })}</Heading>
        <ul className="-mx-1.5">
          {files.map((file) => (
            <FileLine key={file.path} file={file} {...props} />
          ))}
        </ul>
      </section>
    </aside>
  );
}

// --- internal ---

function Facts({ review }: { review: Review }) {
  const say = useSay();
  const language = useLanguage();
  const there = review.files.length;
  const result = (command: string): string => {
    const ran = review.checked.took?.commands.find((one) => one.command === command);
    if (ran === undefined) return say("review.exit_0");
    return `${say("review.exit_0")} · ${shortDuration(ran.milliseconds, language)}`;
  };
  return (
    <ul className="grid gap-1">
      {there > 0 ? (
        <Fact text={say("review.there", { count: there })} more={say("review.there.more")} />
      ) : null}
      {review.checked.commands.map((command) => (
        <Fact
          key={command}
          text={<code className="text-code">{command}</code>}
          more={result(command)}
        />
      ))}
      {review.checked.verifier ? <Fact text={say("review.verifier")} /> : null}
      {there === 0 && review.checked.commands.length === 0 ? (
        <li className="text-xs text-muted">{say("review.nothing_checked")}</li>
      ) : null}
    </ul>
  );
}

function Fact({ text, more }: { text: React.ReactNode; more?: string }) {
  return (
    <li className="grid grid-cols-[16px_minmax(0,1fr)] gap-1.5 text-sm">
      <span className="pt-1 text-done">
        <Icon name="check" className="size-3.5" />
      </span>
      <span>
        {text}
        {more === undefined ? null : <span className="block text-xs text-muted">{more}</span>}
      </span>
    </li>
  );
}

/** What the last review of this phase asked for: is it done? */
function Before({ task, review }: { task: TaskDetail; review: Review }) {
  const say = useSay();
  const before = task.decisions.findLast(
    ({ id, phase, status, createdAt }) =>
      id !== review.id &&
      phase === review.phase &&
      status === "changes_requested" &&
      createdAt < review.createdAt,
  );
  if (before === undefined) return null;
  return (
    <section>
      <Heading>{say("review.asked")}</Heading>
      <ul className="grid gap-1.5 text-sm">
        {before.feedback ? <li className="whitespace-pre-wrap">{before.feedback}</li> : null}
        {before.comments.map(({ path, line, text }) => (
          <li key={`${path}${line}${text}`} className="border-l-2 border-line pl-2">
            <code className="text-xs text-muted">{line === null ? path : `${path}:${line}`}</code>
            <p className="whitespace-pre-wrap">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function FileLine({ file, ...props }: Props & { file: ReviewFile }) {
  const say = useSay();
  const { path, additions, deletions, generated } = file;
  const seen = isSeen(file, props.seen);
  const comments = props.comments.filter((comment) => comment.path === path).length;
  return (
    <li
      className="flex min-h-7 items-center gap-2 rounded-control px-1.5 text-sm data-[on=true]:bg-sunken data-[on=true]:font-medium max-sm:min-h-11"
      data-on={path === props.path}
    >
      <input
        type="checkbox"
        checked={seen}
        aria-label={say("review.seen_file", { path })}
        onChange={({ target }) => props.onSeen(file, target.checked)}
        className="size-3.5 shrink-0 accent-(--ink)"
      />
      <button
        type="button"
        title={path}
        aria-current={path === props.path ? "true" : undefined}
        onClick={() => props.onPath(path)}
        className={`flex min-w-0 flex-1 items-baseline gap-1.5 py-0.5 text-left ${seen ? "text-muted" : ""}`}
      >
        <FileName path={path} />
      </button>
      {comments > 0 ? (
        <span className="text-xs font-semibold whitespace-nowrap text-you">
          {say("review.comment_count", { count: comments })}
        </span>
      ) : (
        <small className="text-xs whitespace-nowrap text-muted">
          {generated ? say("review.generated") : changes(additions, deletions)}
        </small>
      )}
    </li>
  );
}

/** The name first: folders are the same for most of them. */
export function FileName({ path }: { path: string }) {
  const cut = path.lastIndexOf("/") + 1;
  return (
    <>
      <span className="max-w-full shrink-0 truncate">{path.slice(cut)}</span>{" "}
      <span className="min-w-0 truncate text-xs font-normal text-muted">
        {path.slice(0, Math.max(0, cut - 1))}
      </span>
    </>
  );
}

function changes(additions: number, deletions: number): string {
  return [additions > 0 ? `+${additions}` : "", deletions > 0 ? `-${deletions}` : ""]
    .join(" ")
    .trim();
}
