// What the agent prints, live. It follows only while the reader is at the end; who scrolls up is
// left in peace and told how much came since.
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import type { TaskDetail } from "../../data/api.ts";
import { useSettings } from "../../data/settings.ts";
import { useKeys } from "../../keys.ts";
import { Button } from "../../parts/basics.tsx";
import { bytesText } from "../../parts/figures.tsx";
import { Empty, ErrorNote, Skeleton } from "../../parts/notes.tsx";
import { VirtualRows } from "../../parts/rows.tsx";
import { useSay } from "../../texts/index.ts";
import type { LogLine } from "./log.ts";
import { usePieces } from "./pieces.ts";
import { Toolbar, useFind } from "./toolbar.tsx";

export function OutputTab({ task }: { task: TaskDetail }) {
  const say = useSay();
  const { log, processes, process, before, error, loading, choose, loadAll } = usePieces(task);
  const { raw } = useSettings();
  const lines = raw ? log.lines : log.told;
  const find = useFind(lines);
  if (error && loading)
    return (
      <div className="p-5">
        <ErrorNote error={error} />
      </div>
    );
  if (loading) return <Skeleton rows={6} />;
  if (process === null || log.lines.length === 0)
    return <Empty title={say("output.none")}>{say("output.none.hint")}</Empty>;
  const running = processes.some(({ id, status }) => id === process && status !== "ended");
  return (
    <div className="grid min-h-0 grid-rows-[auto_minmax(0,1fr)]">
      <Toolbar
        find={find}
        processes={processes}
        process={process}
        choose={choose}
        running={running}
        structured={log.told !== log.lines}
      />
      <Lines
        key={`${process} ${raw}`}
        lines={lines}
        found={find.found}
        current={find.current}
        head={
          before > 0 || log.dropped > 0 ? (
            <p className="flex items-center gap-3 px-4 py-2 font-sans text-xs text-muted">
              {say("output.cut", { size: bytesText(before) })}
              {before > 0 ? <Button onClick={loadAll}>{say("output.all")}</Button> : null}
            </p>
          ) : null
        }
      />
    </div>
  );
}

// --- internal ---

interface LinesProps {
  readonly lines: readonly LogLine[];
  readonly found: ReadonlySet<number>;
  /** The line that is looked at in a search. */
  readonly current: number | null;
  readonly head: React.ReactNode;
}

function Lines({ lines, found, current, head }: LinesProps) {
  const say = useSay();
  const { wrap } = useSettings();
  const place = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => place.current,
    estimateSize: () => 20,
    overscan: 40,
  });
  const { follow, setFollow, missed, atScroll } = useFollow(place, lines.length, () =>
    virtual.scrollToIndex(lines.length - 1, { align: "end" }),
  );
  useEffect(() => {
    if (current === null) return;
    setFollow(false);
    virtual.scrollToIndex(current, { align: "center" });
  }, [current]);
  useKeys([{ keys: ["f"], label: "key.follow", run: () => setFollow(!follow) }]);
  return (
    <div className="relative min-h-0">
      <div
        ref={place}
        onScroll={atScroll}
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={say("tab.output")}
        className="h-full overflow-auto bg-surface font-mono text-code"
      >
        {head}
        <VirtualRows virtual={virtual}>
          {(index) => (
            <OutputLine
              line={lines[index]}
              wrap={wrap}
              hit={found.has(index)}
              current={index === current}
            />
          )}
        </VirtualRows>
      </div>
      <Ticks
        lines={lines}
        go={(index) => (setFollow(false), virtual.scrollToIndex(index, { align: "center" }))}
      />
      {follow ? null : <ToEnd missed={missed} go={() => setFollow(true)} />}
    </div>
  );
}

function ToEnd({ missed, go }: { missed: number; go: () => void }) {
  const say = useSay();
  return (
    <Button
      look="primary"
      hint="f"
      onClick={go}
      className="absolute right-6 bottom-4 rounded-full shadow-lg"
    >
      {missed > 0 ? say("output.new_lines", { count: missed }) : say("output.to_end")}
    </Button>
  );
}

function OutputLine(props: {
  line: LogLine | undefined;
  wrap: boolean;
  hit: boolean;
  current: boolean;
}) {
  const { line, wrap, hit, current } = props;
  if (line === undefined) return null;
  const mark = line.mark === null ? "" : "font-semibold text-work";
  return (
    <p
      className={`min-h-5 pr-6 pl-4 ${wrap ? "break-words whitespace-pre-wrap" : "whitespace-pre"} ${mark} ${hit ? "bg-you-tint" : ""} ${current ? "shadow-[inset_3px_0_0_var(--you-dot)]" : ""}`}
    >
      {line.segments.map(({ text, look }, index) => (
        <span key={index} className={look}>
          {text}
        </span>
      ))}
    </p>
  );
}

/** At the end it follows; who leaves the end stays where they are. */
function useFollow(
  place: React.RefObject<HTMLDivElement | null>,
  count: number,
  toEnd: () => void,
) {
  const [follow, setFollow] = useState(true);
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (follow) toEnd();
  }, [follow, count]);
  const set = (on: boolean): void => {
    setFollow(on);
    setLeft(count);
  };
  const atScroll = (): void => {
    const box = place.current;
    if (box === null) return;
    const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 30;
    if (atEnd !== follow) set(atEnd);
  };
  return { follow, setFollow: set, missed: Math.max(0, count - left), atScroll };
}

const tickColors = {
  phase: "bg-done",
  question: "bg-you-dot",
  need: "bg-you-dot",
  error: "bg-fail",
};

/** Where the markers are, along the scrollbar. */
function Ticks({ lines, go }: { lines: readonly LogLine[]; go: (index: number) => void }) {
  const say = useSay();
  const marked = lines.flatMap((line, index) =>
    line.mark === null ? [] : [{ mark: line.mark, index }],
  );
  return (
    <div className="pointer-events-none absolute inset-y-0 right-3.5 w-2">
      {marked.slice(-200).map(({ mark, index }) => (
        <button
          key={index}
          type="button"
          tabIndex={-1}
          title={say(`mark.${mark}`)}
          aria-label={say(`mark.${mark}`)}
          onClick={() => go(index)}
          className={`pointer-events-auto absolute h-1 w-2 rounded-sm ${tickColors[mark]}`}
          style={{ top: `${(index / Math.max(1, lines.length)) * 98}%` }}
        />
      ))}
    </div>
  );
}
