// The head of a task: where it belongs, its state and why, what it took, and what can be done.
import { Link } from "wouter";
import type { TaskDetail } from "../../data/api.ts";
import { useProjects } from "../../data/queries.ts";
import { countText, moneyText } from "../../parts/figures.tsx";
import { Icon } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state.tsx";
import { sayWord, useLanguage, useSay } from "../../texts/index.ts";
import { Actions } from "./actions.tsx";
import { useNow } from "../../data/clock.ts";
import { durationText } from "../../parts/figures.tsx";
import { waitedMs } from "./times.ts";
import { WhyLine } from "./why.tsx";

export function TaskHeader({ task, back }: { task: TaskDetail; back: boolean }) {
  const say = useSay();
  return (
    <header className="grid gap-1.5 px-5.5 pt-3.5 pb-2.5 max-sm:px-4">
      <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
        {back ? (
          <button
            type="button"
            aria-label={say("key.back")}
            onClick={() => history.back()}
            className="-ml-1 grid size-6 place-items-center rounded-control hover:bg-sunken"
          >
            <Icon name="left" className="size-3.5" />
          </button>
        ) : null}
        <ProjectName id={task.projectId} />
        <span aria-hidden="true">/</span>
        <Link href={`/t/${task.id}`} className="font-mono hover:underline">
          {task.id}
        </Link>
        <span className="h-3.5 w-px bg-line" />
        <span>{sayWord(say, "new.name", task.type)}</span>
        <span>{task.agent}</span>
      </div>
      <div className="flex items-start gap-3">
        <h1 className="line-clamp-2 min-w-0 flex-1 text-xl font-semibold">{task.title}</h1>
        <Actions task={task} />
      </div>
      <div className="live-value flex flex-wrap items-center gap-x-2.5 gap-y-1 text-xs text-muted">
        <StateBadge task={task} />
        <WhyLine task={task} />
        <Spent task={task} />
      </div>
    </header>
  );
}

// --- internal ---

function ProjectName({ id }: { id: string }) {
  const { data } = useProjects();
  const root = data?.projects.find((project) => project.id === id)?.root ?? "";
  return <span title={root}>{root.split("/").at(-1) ?? id}</span>;
}

function Spent({ task }: { task: TaskDetail }) {
  const say = useSay();
  const language = useLanguage();
  const now = useNow();
  if (task.startedAt === null) return null;
  const end = task.completedAt ?? task.failedAt;
  const took = (end === null ? now : Date.parse(end)) - Date.parse(task.startedAt);
  const waited = waitedMs(task, now);
  return (
    <>
      <span className="h-3.5 w-px bg-line" />
      <span>
        {say("task.worked", { time: durationText(Math.max(0, took - waited), language) })}
      </span>
      {waited >= 1_000 ? (
        <span>{say("task.waited", { time: durationText(waited, language) })}</span>
      ) : null}
      {task.tokens > 0 ? (
        <span>{say("task.tokens", { count: countText(task.tokens) })}</span>
      ) : null}
      {task.costUsd > 0 ? <span>{moneyText(task.costUsd)}</span> : null}
    </>
  );
}
