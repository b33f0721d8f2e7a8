// One task: why it is in this state, what can be done, and behind tabs all that is known of it. The
// same pane stands beside the Inbox and at the task's own address.
import { Suspense } from "react";
import type { TaskDetail } from "../../data/api.ts";
import { useTask } from "../../data/queries.ts";
import { Empty, ErrorNote, Fenced, Skeleton } from "../../parts/notes.tsx";
import { useSay } from "../../texts/index.ts";
import { TaskHeader } from "./header.tsx";
import { Overview } from "./overview.tsx";
import { PhaseStrip } from "./phases.tsx";
import { isRun } from "./run.ts";
import { later } from "../../parts/later.tsx";

const ReviewTab = later(async () => (await import("../review/review.tsx")).ReviewTab);
const OutputTab = later(async () => (await import("../output/output.tsx")).OutputTab);
const FilesTab = later(async () => (await import("./files.tsx")).FilesTab);
const HistoryTab = later(async () => (await import("./history.tsx")).HistoryTab);
const AttemptsTab = later(async () => (await import("./attempts.tsx")).AttemptsTab);
const PartsTab = later(async () => (await import("./parts.tsx")).PartsTab);
const MachinesTab = later(async () => (await import("../machines/machines.tsx")).MachinesTab);
const SnapshotsTab = later(async () => (await import("./snapshots.tsx")).SnapshotsTab);

const tabs = [
  "overview",
  "parts",
  "review",
  "output",
  "files",
  "history",
  "machines",
  "attempts",
  "snapshots",
] as const;
type Tab = (typeof tabs)[number];

interface Props {
  readonly id: string;
  readonly tab: string | undefined;
  readonly onTab: (tab: string) => void;
  /** At its own address there is a way back. */
  readonly back?: boolean;
}

export function TaskPane({ id, tab, onTab, back = false }: Props) {
  const say = useSay();
  const { data: task, error, refetch } = useTask(id);
  if (task === undefined && error)
    return (
      <div className="p-6">
        <ErrorNote error={error} again={() => void refetch()} />
      </div>
    );
  if (task === undefined) return <Skeleton rows={5} />;
  const there = tabsOf(task);
  const shown = there.find((each) => each === tab) ?? firstTab(task);
  return (
    <div className="grid h-full min-h-0 grid-rows-[auto_auto_auto_minmax(0,1fr)]">
      <TaskHeader task={task} back={back} />
      <PhaseStrip task={task} />
      <nav
        aria-label={say("task.tabs")}
        className="flex gap-1 overflow-x-auto border-b border-line px-4.5"
      >
        {there.map((each) => (
          <button
            key={each}
            type="button"
            aria-current={each === shown ? "page" : undefined}
            onClick={() => onTab(each)}
            className="-mb-px min-h-9 border-b-2 border-transparent px-2 text-sm whitespace-nowrap text-muted hover:text-text aria-[current=page]:border-ink aria-[current=page]:font-medium aria-[current=page]:text-text max-sm:min-h-11"
          >
            {say(`tab.${each}`)}
          </button>
        ))}
      </nav>
      <Fenced key={shown}>
        <Suspense fallback={<Skeleton rows={5} />}>
          <TabContent tab={shown} task={task} />
        </Suspense>
      </Fenced>
    </div>
  );
}

// --- internal ---

function TabContent({ tab, task }: { tab: Tab; task: TaskDetail }) {
  const say = useSay();
  if (tab === "overview") return <Overview task={task} />;
  if (task.startedAt === null)
    return <Empty title={say("task.not_started")}>{say("task.not_started.hint")}</Empty>;
  switch (tab) {
    case "parts":
      return <PartsTab task={task} />;
    case "review":
      return <ReviewTab task={task} />;
    case "output":
      return <OutputTab task={task} />;
    case "files":
      return <FilesTab task={task} />;
    case "history":
      return <HistoryTab task={task} />;
    case "machines":
      return <MachinesTab task={task} />;
    case "attempts":
      return <AttemptsTab task={task} />;
    default:
      return <SnapshotsTab task={task} />;
  }
}

/** A run of a workflow has agents only through its parts. */
const ofRuns: ReadonlySet<Tab> = new Set(["overview", "parts", "history", "machines"]);

function tabsOf(task: TaskDetail): Tab[] {
  if (isRun(task)) return tabs.filter((each) => ofRuns.has(each));
  const reviewed = task.decisions.length > 0;
  return tabs.filter((each) => each !== "parts" && (each !== "review" || reviewed));
}

/** What a person most likely came for. */
function firstTab(task: TaskDetail): Tab {
  const { status, openReviews, waits } = task;
  if (isRun(task))
    return task.held === null && task.openQuestions.length === 0 ? "parts" : "overview";
  if (openReviews.length > 0) return "review";
  if (status === "in_progress" && !waits.some(({ clears }) => clears === "you")) return "output";
  return "overview";
}
