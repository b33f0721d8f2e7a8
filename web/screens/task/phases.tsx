// The phases as one bar: width is real time, blue is work, amber is waiting for a person.
import type { TaskDetail } from "../../data/api.ts";
import { useNow } from "../../data/clock.ts";
import { durationText } from "../../parts/figures.tsx";
import { type Say, useLanguage, useSay } from "../../texts/index.ts";
import { type PhaseTime, phaseTimes } from "./times.ts";

/** So that a short phase can still be read: its least share of the longest. */
const leastShare = 0.55;

export function PhaseStrip({ task }: { task: TaskDetail }) {
  const say = useSay();
  const now = useNow();
  if (task.phases.length === 0) return <div />;
  const times = phaseTimes(task, now);
  const longest = Math.max(1, ...times.map((time) => (time ? time.worked + time.waited : 0)));
  const columns = times
    .map((time) => `${(leastShare + share(time, longest)).toFixed(3)}fr`)
    .join(" ");
  return (
    <ol
      aria-label={say("task.phases")}
      className="live-value grid gap-1 overflow-x-auto px-5.5 pt-0.5 pb-2 text-xs max-sm:px-4"
      style={{ gridTemplateColumns: columns }}
    >
      {task.phases.map((phase, index) => (
        <li
          key={phase.name}
          className="min-w-24"
          aria-current={phase.status === "current" ? "step" : undefined}
        >
          <Bar time={times[index] ?? null} phase={phase} failed={task.status === "failed"} />
          <p className="truncate">
            <span className="font-semibold">
              {index + 1} {phase.name}
            </span>{" "}
            <PhaseNote task={task} index={index} time={times[index] ?? null} />
          </p>
        </li>
      ))}
    </ol>
  );
}

// --- internal ---

type Phase = TaskDetail["phases"][number];

function share(time: PhaseTime | null, longest: number): number {
  return time === null ? 0 : (time.worked + time.waited) / longest;
}

function Bar({ time, phase, failed }: { time: PhaseTime | null; phase: Phase; failed: boolean }) {
  if (time === null) return <i className="mb-1 block h-[5px] rounded-[3px] bg-line" />;
  const all = Math.max(1, time.worked + time.waited);
  const work = phase.status === "done" ? "bg-done" : failed ? "bg-fail" : "bg-work";
  return (
    <i className="mb-1 flex h-[5px] gap-px overflow-hidden rounded-[3px]">
      <b className={work} style={{ width: `${(time.worked / all) * 100}%` }} />
      <b
        className={phase.status === "done" ? "bg-done/45" : "bg-you-dot"}
        style={{ width: `${(time.waited / all) * 100}%` }}
      />
    </i>
  );
}

function PhaseNote(props: { task: TaskDetail; index: number; time: PhaseTime | null }) {
  const say = useSay();
  const language = useLanguage();
  const { task, index, time } = props;
  const phase = task.phases[index];
  if (phase === undefined) return null;
  const took = time === null ? null : durationText(time.worked + time.waited, language);
  const parts = [noteOf(task, phase, index, say), took].filter((part) => part !== null);
  return <span className="text-muted">{parts.join(" · ")}</span>;
}

function noteOf(task: TaskDetail, phase: Phase, index: number, say: Say): string | null {
  if (phase.status === "next") return say("phase.next");
  const rounds = task.decisions.filter(
    (one) => one.phase === index + 1 && one.status === "changes_requested",
  ).length;
  if (phase.status === "done") return phase.review ? say("phase.approved") : say("phase.passed");
  if (task.status === "failed") return say("state.failed");
  if (task.status === "review") return say("phase.in_review");
  return rounds > 0 ? say("phase.rework", { count: rounds }) : null;
}
