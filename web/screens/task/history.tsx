// Every change of state, oldest first, as it is stored: what asked for it, and what came with it.
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState } from "react";
import type { Log, TaskDetail } from "../../data/api.ts";
import { useLog } from "../../data/queries.ts";
import { Chip } from "../../parts/basics.tsx";
import { exactTime, fullTime } from "../../parts/figures.tsx";
import { Empty, ErrorNote, Skeleton } from "../../parts/notes.tsx";
import { VirtualRows } from "../../parts/rows.tsx";
import { sayWord, useLanguage, useSay } from "../../texts/index.ts";

type Transition = Log["transitions"][number];

export function HistoryTab({ task }: { task: TaskDetail }) {
  const say = useSay();
  const [machine, setMachine] = useState<string | null>(null);
  const { data, error } = useLog(task.id);
  if (error && !data)
    return (
      <div className="p-5">
        <ErrorNote error={error} />
      </div>
    );
  if (data === undefined) return <Skeleton rows={6} />;
  const machines = [...new Set(data.transitions.map((row) => row.machine))];
  const shown = data.transitions.filter((row) => machine === null || row.machine === machine);
  return (
    <div className="grid min-h-0 grid-rows-[auto_minmax(0,1fr)]">
      <div className="flex flex-wrap items-center gap-1.5 border-b border-line px-5.5 py-2 max-sm:px-4">
        <Chip on={machine === null} onClick={() => setMachine(null)}>
          {say("kind.all")} {data.transitions.length}
        </Chip>
        {machines.map((each) => (
          <Chip key={each} on={machine === each} onClick={() => setMachine(each)}>
            {sayWord(say, "machine", each)}
          </Chip>
        ))}
      </div>
      {shown.length === 0 ? <Empty title={say("history.none")} /> : <Rows rows={shown} />}
    </div>
  );
}

// --- internal ---

function Rows({ rows }: { rows: readonly Transition[] }) {
  const say = useSay();
  const place = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => 36,
    overscan: 20,
  });
  return (
    <div
      ref={place}
      className="min-h-0 overflow-y-auto"
      tabIndex={0}
      role="region"
      aria-label={say("tab.history")}
    >
      <VirtualRows virtual={virtual} role="listitem" className="border-b border-line">
        {(index) => <TransitionRow row={rows[index]} />}
      </VirtualRows>
    </div>
  );
}

function TransitionRow({ row }: { row: Transition | undefined }) {
  const say = useSay();
  const language = useLanguage();
  const [open, setOpen] = useState(false);
  if (row === undefined) return null;
  const metadata = JSON.stringify(row.metadata, null, 2);
  const prefix = row.machine === "task" ? "state" : "agent";
  return (
    <div className="grid grid-cols-[72px_88px_minmax(0,1fr)_auto] items-baseline gap-x-3 px-5.5 py-1.5 text-sm max-sm:grid-cols-[72px_minmax(0,1fr)] max-sm:px-4">
      <time
        dateTime={row.timestamp}
        title={fullTime(row.timestamp, language)}
        className="text-xs text-muted"
      >
        {exactTime(row.timestamp, language)}
      </time>
      <span className="text-xs text-muted">{sayWord(say, "machine", row.machine)}</span>
      <span>
        <span className="text-muted">{sayWord(say, prefix, row.from)}</span> →{" "}
        <span className="font-medium">{sayWord(say, prefix, row.to)}</span>{" "}
        <code className="ml-1 text-xs text-muted">{row.trigger}</code>
      </span>
      {metadata === "{}" ? null : (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="text-xs text-muted underline underline-offset-3"
        >
          {say("history.more")}
        </button>
      )}
      {open ? (
        <pre className="col-span-full mt-1 max-h-64 overflow-auto rounded-control bg-sunken px-3 py-2 text-code whitespace-pre-wrap">
          {metadata}
        </pre>
      ) : null}
    </div>
  );
}
