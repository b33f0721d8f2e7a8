// What the task has delivered, phase by phase, as it was reviewed; and all of it as one file.
import { Suspense, useState } from "react";
import { type TaskDetail, api } from "../../data/api.ts";
import { useReview } from "../../data/queries.ts";
import { bytesText } from "../../parts/figures.tsx";
import { Chip } from "../../parts/basics.tsx";
import { CodeFile } from "../../parts/code.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Empty, ErrorNote, Skeleton } from "../../parts/notes.tsx";
import { useSay } from "../../texts/index.ts";
import { isMarkdown } from "../review/model.ts";
import { FileName } from "../review/side.tsx";
import { later } from "../../parts/later.tsx";

const Markdown = later(async () => (await import("../../parts/markdown.tsx")).Markdown);

export function FilesTab({ task }: { task: TaskDetail }) {
  const say = useSay();
  // Of each phase the newest look.
  const newest = task.phases.flatMap((phase, index) => {
    const decision = task.decisions.findLast((one) => one.phase === index + 1);
    return decision === undefined ? [] : [{ name: phase.name, review: decision.id }];
  });
  const [chosen, setChosen] = useState(newest.at(-1)?.review);
  return (
    <div className="grid min-h-0 grid-rows-[auto_minmax(0,1fr)]">
      <div className="flex flex-wrap items-center gap-1.5 border-b border-line px-5.5 py-2 max-sm:px-4">
        {newest.map(({ name, review }) => (
          <Chip key={review} on={review === chosen} onClick={() => setChosen(review)}>
            {name}
          </Chip>
        ))}
        {task.zip ? (
          <a
            href={api.zipAddress(task.id)}
            download
            className="ml-auto inline-flex min-h-8 items-center gap-1.5 rounded-control border border-ink bg-ink px-3 text-sm font-medium text-on-ink hover:opacity-90 max-sm:min-h-11"
          >
            <Icon name="download" /> {say("files.zip")}
            {task.zipBytes === null ? null : (
              <span className="font-normal opacity-80">{bytesText(task.zipBytes)}</span>
            )}
          </a>
        ) : (
          <span className="ml-auto text-xs text-muted">{say("files.zip_later")}</span>
        )}
      </div>
      {chosen === undefined ? (
        <Empty title={say("files.none")}>{say("files.none.hint")}</Empty>
      ) : (
        <Delivered key={chosen} taskId={task.id} reviewId={chosen} />
      )}
    </div>
  );
}

// --- internal ---

function Delivered({ taskId, reviewId }: { taskId: string; reviewId: string }) {
  const say = useSay();
  const { data, error } = useReview(taskId, reviewId, false);
  const [path, setPath] = useState<string | undefined>();
  if (error && !data)
    return (
      <div className="p-5">
        <ErrorNote error={error} />
      </div>
    );
  if (data === undefined) return <Skeleton />;
  const file = data.files.find((each) => each.path === path) ?? data.files[0];
  if (file === undefined) return <Empty title={say("files.none")}>{say("files.none.hint")}</Empty>;
  return (
    <div className="grid min-h-0 grid-cols-[240px_minmax(0,1fr)] max-sm:block max-sm:overflow-y-auto">
      <ul className="min-h-0 overflow-y-auto border-r border-line p-3.5 max-sm:border-r-0 max-sm:border-b">
        {data.files.map(({ path: each }) => (
          <li key={each}>
            <button
              type="button"
              aria-current={each === file.path ? "true" : undefined}
              onClick={() => setPath(each)}
              className="flex min-h-8 w-full items-center gap-2 rounded-control px-2 text-left text-sm hover:bg-sunken aria-[current=true]:bg-sunken aria-[current=true]:font-medium max-sm:min-h-11"
            >
              <Icon name="file" className="size-3.5 text-muted" />
              <span className="flex min-w-0 flex-1 items-baseline gap-1.5">
                <FileName path={each} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      <div
        className="min-h-0 overflow-y-auto px-6 py-5 max-sm:px-4"
        tabIndex={0}
        role="region"
        aria-label={file.path}
      >
        {file.text === null ? (
          <p className="text-sm text-muted">{say("review.too_large")}</p>
        ) : isMarkdown(file.path) ? (
          <Suspense fallback={<Skeleton />}>
            <Markdown text={file.text} />
          </Suspense>
        ) : (
          <CodeFile key={file.path} path={file.path} text={file.text} />
        )}
      </div>
    </div>
  );
}
