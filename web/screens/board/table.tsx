// The same tasks as a list: only the rows in sight are drawn, so thousands scroll as smoothly as ten.
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState } from "react";
import { useLocation } from "wouter";
import type { TaskView } from "../../data/api.ts";
import { useKeys } from "../../keys.ts";
import { Age, moneyText } from "../../parts/figures.tsx";
import { StateBadge, shownState } from "../../parts/state.tsx";
import { useSay } from "../../texts/index.ts";
import { Bar } from "./card.tsx";
import { inStateSince } from "./filter.ts";

const rowHeight = 42;
const grid =
  "grid grid-cols-[minmax(0,1fr)_170px_170px_90px_80px_70px] items-center gap-3 px-5 max-lg:grid-cols-[minmax(0,1fr)_170px_80px] max-sm:grid-cols-[minmax(0,1fr)_130px] max-sm:px-4";

export function TaskTable({ tasks }: { tasks: readonly TaskView[] }) {
  const say = useSay();
  const [, go] = useLocation();
  const place = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const virtual = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => place.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const step = (by: number): void => {
    const next = Math.min(tasks.length - 1, Math.max(0, at + by));
    setAt(next);
    virtual.scrollToIndex(next);
  };
  const open = (): void => {
    const task = tasks[at];
    if (task !== undefined) go(`/t/${task.id}`);
  };
  useKeys([
    { keys: ["j", "arrowdown"], label: "key.next", run: () => step(1) },
    { keys: ["k", "arrowup"], label: "key.previous", run: () => step(-1) },
    { keys: ["enter"], label: "key.open", run: open },
  ]);
  return (
    <div
      ref={place}
      role="grid"
      aria-label={say("nav.board")}
      aria-rowcount={tasks.length}
      aria-activedescendant={`row-${at}`}
      tabIndex={0}
      className="min-h-0 overflow-y-auto"
    >
      <div className="relative" role="rowgroup" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            id={`row-${index}`}
            role="row"
            aria-rowindex={index + 1}
            aria-selected={index === at}
            onClick={() => go(`/t/${tasks[index]?.id ?? ""}`)}
            className={`${grid} absolute top-0 left-0 h-[42px] w-full cursor-pointer border-b border-line text-sm hover:bg-sunken aria-selected:bg-sunken`}
            style={{ transform: `translateY(${start}px)` }}
          >
            <Cells task={tasks[index]} />
          </div>
        ))}
      </div>
    </div>
  );
}

// --- internal ---

function Cells({ task }: { task: TaskView | undefined }) {
  if (task === undefined) return null;
  const { currentPhase, totalPhases, phaseName, progress } = task;
  const { tone } = shownState(task);
  return (
    <>
      <span role="gridcell" className="truncate font-medium">
        {task.title}
      </span>
      <span role="gridcell">
        <StateBadge task={task} />
      </span>
      <span role="gridcell" className="truncate text-xs text-muted max-lg:hidden">
        {currentPhase === null ? "" : `${currentPhase}/${totalPhases ?? 0} ${phaseName ?? ""}`}
      </span>
      <span role="gridcell" className="max-lg:hidden">
        {task.status === "in_progress" || task.status === "review" ? (
          <Bar progress={progress} tone={tone} />
        ) : null}
      </span>
      <span role="gridcell" className="text-right text-xs text-muted max-lg:hidden">
        {task.costUsd > 0 ? moneyText(task.costUsd) : ""}
      </span>
      <span role="gridcell" className="text-right text-xs text-muted max-sm:hidden">
        <Age since={inStateSince(task)} />
      </span>
    </>
  );
}
