// A task in a column: at most two lines of title, and what there is to know at a glance.
import { Link } from "wouter";
import type { TaskView } from "../../data/api.ts";
import { useTasks } from "../../data/queries.ts";
import { Age, moneyText } from "../../parts/figures.tsx";
import { Icon } from "../../parts/icons.tsx";
import { shownState } from "../../parts/state.tsx";
import { sayWord, useSay } from "../../texts/index.ts";
import { inStateSince } from "./filter.ts";

export function TaskCard({ task }: { task: TaskView }) {
  const say = useSay();
  const { tone, icon, word } = shownState(task);
  const { currentPhase, totalPhases, phaseName, progress, costUsd, priority } = task;
  return (
    <li>
      <Link
        href={`/t/${task.id}`}
        data-card
        className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1 rounded-card border border-line bg-surface px-3 py-2.5 hover:border-strong"
      >
        <span className="line-clamp-2 text-sm font-medium">{task.title}</span>
        <span className="live-value flex items-center gap-1.5 text-xs text-muted">
          {word[0] === "state" ? (
            // The column says the state already.
            <span className="truncate">{sayWord(say, "new.name", task.type)}</span>
          ) : (
            <span data-tone={tone} className="inline-flex min-w-0 items-center gap-1 text-(--fg)">
              <Icon name={icon} className="size-3" />
              <span className="truncate">{sayWord(say, ...word)}</span>
            </span>
          )}
          <Age since={inStateSince(task)} className="ml-auto" />
        </span>
        {currentPhase === null || totalPhases === null ? null : (
          <span className="live-value grid gap-1">
            <span className="flex items-center gap-1.5 text-xs text-muted">
              <span className="truncate">
                {currentPhase}/{totalPhases} {phaseName}
              </span>
              <span className="ml-auto">{costUsd > 0 ? moneyText(costUsd) : null}</span>
            </span>
            {task.status === "completed" ? null : <Bar progress={progress} tone={tone} />}
          </span>
        )}
        {priority === "critical" || priority === "high" ? (
          <span className="text-xs font-medium">{say(`priority.${priority}`)}</span>
        ) : null}
        <BlockedBy ids={task.status === "pending" ? task.dependsOn : []} />
      </Link>
    </li>
  );
}

export function Bar({ progress, tone }: { progress: number; tone: string }) {
  return (
    <span className="block h-1 overflow-hidden rounded-full bg-line">
      <b data-tone={tone} className="block h-full bg-(--fg)" style={{ width: `${progress}%` }} />
    </span>
  );
}

// --- internal ---

function BlockedBy({ ids }: { ids: readonly string[] }) {
  const say = useSay();
  const { data: tasks = [] } = useTasks();
  const open = ids.filter((id) => tasks.find((task) => task.id === id)?.status !== "completed");
  if (open.length === 0) return null;
  const [first = ""] = open;
  const title = tasks.find((task) => task.id === first)?.title ?? first;
  return (
    <span className="truncate text-xs text-muted">
      {open.length === 1
        ? say("board.blocked_by", { title })
        : say("board.blocked_by_many", { title, count: open.length - 1 })}
    </span>
  );
}
