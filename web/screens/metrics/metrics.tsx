// "Where do time and money go?" Four numbers with their trend, a few charts, and the same as tables.
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import { type Metrics, api } from "../../data/api.ts";
import { useProjects } from "../../data/queries.ts";
import { useCount } from "../../notify.ts";
import { Segments } from "../../parts/basics.tsx";
import { countText, moneyText } from "../../parts/figures.tsx";
import { Empty, ErrorNote, Skeleton } from "../../parts/notes.tsx";
import { type Say, useLanguage, useSay } from "../../texts/index.ts";
import { CostChart, RetryChart, TimeChart } from "./charts.tsx";
import { type Figure, percentText, spanText } from "./figures.ts";
import { AgentTable, TaskTable } from "./tables.tsx";

const ranges = ["7", "14", "30", "90"] as const;
type Range = (typeof ranges)[number];
const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
/** Sums of days: nobody watches them by the second. */
const lookMs = 20_000;

export function MetricsScreen() {
  const say = useSay();
  useCount(say("nav.metrics"));
  const [params, setParams] = useSearchParams();
  const range = ranges.find((each) => each === params.get("days")) ?? "14";
  const project = params.get("project") ?? undefined;
  const set = (change: Record<string, string>): void => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(change))
      if (value === "") next.delete(name);
      else next.set(name, value);
    setParams(next, { replace: true });
  };
  const { data, error, refetch } = useQuery({
    queryKey: ["metrics", range, project ?? ""],
    queryFn: () => api.metrics({ days: Number(range), zone, project }),
    refetchInterval: lookMs,
    placeholderData: (before) => before,
  });
  return (
    <main className="min-h-0 overflow-y-auto">
      <div className="mx-auto grid max-w-5xl gap-5 px-5 py-4 max-sm:px-4">
        <div className="flex flex-wrap items-center gap-2">
          <h1 className="text-lg font-semibold">{say("nav.metrics")}</h1>
          <span className="text-xs text-muted">{say("metrics.zone", { zone })}</span>
          <span className="ml-auto flex flex-wrap items-center gap-2">
            <ProjectPick value={project ?? ""} onPick={(value) => set({ project: value })} />
            <Segments<Range>
              label={say("metrics.days")}
              value={range}
              of={ranges.map((value) => ({ value, text: say("metrics.last", { count: value }) }))}
              onChange={(days) => set({ days })}
            />
          </span>
        </div>
        {error && !data ? <ErrorNote error={error} again={() => void refetch()} /> : null}
        {data === undefined ? (
          error ? null : (
            <Skeleton rows={6} />
          )
        ) : data.taskCount === 0 ? (
          <Empty title={say("metrics.none")}>{say("metrics.none.hint")}</Empty>
        ) : (
          <Told data={data} days={Number(range)} />
        )}
      </div>
    </main>
  );
}

// --- internal ---

function ProjectPick({ value, onPick }: { value: string; onPick: (value: string) => void }) {
  const say = useSay();
  const { data } = useProjects();
  const all = data?.projects ?? [];
  if (all.length < 2) return null;
  return (
    <select
      aria-label={say("graph.project")}
      value={value}
      onChange={({ target }) => onPick(target.value)}
      className="min-h-8 rounded-control border border-strong bg-surface px-2 text-sm max-sm:min-h-11"
    >
      <option value="">{say("board.project")}</option>
      {all.map(({ id, root }) => (
        <option key={id} value={id}>
          {root.split("/").at(-1)}
        </option>
      ))}
    </select>
  );
}

function Told({ data, days }: { data: Metrics; days: number }) {
  const say = useSay();
  return (
    <>
      <Numbers data={data} days={days} />
      <div className="grid gap-5 lg:grid-cols-2">
        <TimeChart days={data.days} />
        <CostChart days={data.days} />
        <RetryChart days={data.days} />
        <AgentTable agents={data.agents} />
      </div>
      <TaskTable tasks={data.tasks} />
      {data.taskCount > data.tasks.length ? (
        <p className="text-xs text-muted">{say("metrics.listed", { count: data.tasks.length })}</p>
      ) : null}
    </>
  );
}

function Numbers({ data, days }: { data: Metrics; days: number }) {
  const say = useSay();
  const language = useLanguage();
  const { totals, before } = data;
  const all = totals.workingMs + totals.waitingMs + totals.limitMs;
  const trend = (figure: Figure): string => trendText(say, totals[figure], before[figure], days);
  const numbers = [
    {
      name: say("metrics.cost"),
      value: moneyText(totals.costUsd),
      more: say("metrics.tokens", { count: countText(Math.round(totals.tokens)) }),
      trend: trend("costUsd"),
    },
    {
      name: say("metrics.working"),
      value: spanText(totals.workingMs, language),
      more: say("metrics.tasks", { count: data.taskCount }),
      trend: trend("workingMs"),
    },
    {
      name: say("metrics.waiting"),
      value: spanText(totals.waitingMs, language),
      more: say("metrics.share", { percent: percentText(all === 0 ? 0 : totals.waitingMs / all) }),
      trend: trend("waitingMs"),
    },
    {
      name: say("metrics.retries"),
      value: String(totals.retries),
      more: say("metrics.limit_of", { time: spanText(totals.limitMs, language) }),
      trend: trend("retries"),
    },
  ];
  return (
    <dl className="grid grid-cols-4 gap-3 max-lg:grid-cols-2 max-sm:gap-2">
      {numbers.map(({ name, value, more, trend: change }) => (
        <div
          key={name}
          className="grid content-start gap-0.5 rounded-card border border-line bg-surface px-4 py-3 max-sm:px-3"
        >
          <dt className="text-xs text-muted">{name}</dt>
          <dd className="text-2xl font-semibold">{value}</dd>
          <dd className="text-xs">{more}</dd>
          <dd className="text-xs text-muted">{change}</dd>
        </div>
      ))}
    </dl>
  );
}

/** More is neither good nor bad: the trend has no colour. */
function trendText(say: Say, now: number, before: number, days: number): string {
  if (before === 0) return now === 0 ? say("metrics.same", { days }) : say("metrics.new", { days });
  const change = now / before - 1;
  if (Math.abs(change) < 0.01) return say("metrics.same", { days });
  const percent = percentText(Math.abs(change));
  return say("metrics.more", {
    days,
    change: say(change > 0 ? "metrics.up" : "metrics.down", { percent }),
  });
}
