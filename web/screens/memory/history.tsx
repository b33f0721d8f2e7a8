// Plans that ended: what they came to, what it took, and what was learned.
import type { TaskHistory } from "../../../src/formats/task-history.ts";
import { Age, countText, durationText } from "../../parts/figures.tsx";
import { useLanguage, useSay } from "../../texts/index.ts";
import { Badge, Head, Nothing, Section } from "../documents/parts.tsx";
import { Points, useCut } from "../documents/value.tsx";
import { Artifacts } from "./plan.tsx";

export function HistoryPane({ history }: { history: TaskHistory }) {
  const say = useSay();
  const language = useLanguage();
  const { statistics, tasks } = history;
  // Times may have an offset or none: compared as instants.
  const newest = tasks.toSorted((a, b) => Date.parse(b.completed_at) - Date.parse(a.completed_at));
  const [shown, more] = useCut(newest);
  const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
  return (
    <>
      <Head title={say("memory.history")} />
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
        <Figure name={say("memory.total")} value={countText(statistics.total_tasks)} />
        <Figure name={say("memory.success_rate")} value={percent.format(statistics.success_rate)} />
        <Figure
          name={say("memory.average")}
          value={durationText(statistics.avg_duration_seconds * 1_000, language)}
        />
      </dl>
      <Section title={say("memory.ended")}>
        {shown.length === 0 ? <Nothing>{say("memory.history.none")}</Nothing> : null}
        <ol className="grid">
          {shown.map((task) => (
            <Ended key={task.id} task={task} />
          ))}
        </ol>
        {more}
      </Section>
    </>
  );
}

// --- internal ---

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div className="grid">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="text-2xl font-semibold">{value}</dd>
    </div>
  );
}

function Ended({ task }: { task: TaskHistory["tasks"][number] }) {
  const say = useSay();
  const language = useLanguage();
  const { metrics, lessons = [], artifacts = [] } = task;
  return (
    <li className="grid gap-1.5 border-b border-line py-3 first:pt-0 last:border-b-0">
      <div className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1">
        <Badge status={task.result} />
        <span className="min-w-0 font-medium wrap-anywhere">{task.name}</span>
        <span className="font-mono text-xs text-muted">{task.id}</span>
        <Age since={task.completed_at} className="ml-auto text-xs text-muted" />
      </div>
      {task.summary === "" ? null : (
        <p className="text-sm wrap-anywhere whitespace-pre-wrap">{task.summary}</p>
      )}
      <p className="flex flex-wrap gap-x-3 text-xs text-muted">
        <span>
          {say("memory.took", { time: durationText(task.duration_seconds * 1_000, language) })}
        </span>
        {metrics === undefined ? null : (
          <>
            <span>
              {say("memory.steps_of", {
                done: metrics.steps_completed,
                total: metrics.steps_total,
              })}
            </span>
            <span>{say("memory.retries", { count: metrics.retries })}</span>
            <span>{say("task.tokens", { count: countText(metrics.tokens_used) })}</span>
          </>
        )}
      </p>
      {lessons.length === 0 ? null : (
        <div className="grid gap-0.5">
          <p className="text-xs font-semibold text-muted">{say("memory.lessons")}</p>
          <Points of={lessons} />
        </div>
      )}
      {artifacts.length === 0 ? null : <Artifacts of={artifacts} />}
    </li>
  );
}
