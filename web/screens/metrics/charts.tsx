// Bars by day. A chart is a picture for the eye; the same figures stand in a table below it, which
// opens for everybody and is what a screen reader is given.
import type { ReactNode } from "react";
import { moneyText } from "../../parts/figures.tsx";
import { useLanguage, useSay } from "../../texts/index.ts";
import { type Day, dayText, spanText } from "./figures.ts";

export function TimeChart({ days }: { days: readonly Day[] }) {
  const say = useSay();
  const language = useLanguage();
  const parts = [
    { name: say("metrics.legend.working"), colour: "bg-work", of: (day: Day) => day.workingMs },
    { name: say("metrics.legend.waiting"), colour: "bg-you-dot", of: (day: Day) => day.waitingMs },
    { name: say("metrics.legend.limit"), colour: "bg-ice", of: (day: Day) => day.limitMs },
  ];
  return (
    <Chart
      title={say("metrics.time_chart")}
      days={days}
      parts={parts}
      shown={(value) => spanText(value, language)}
    />
  );
}

export function CostChart({ days }: { days: readonly Day[] }) {
  const say = useSay();
  const parts = [{ name: say("metrics.cost"), colour: "bg-ink", of: (day: Day) => day.costUsd }];
  return <Chart title={say("metrics.cost_chart")} days={days} parts={parts} shown={moneyText} />;
}

export function RetryChart({ days }: { days: readonly Day[] }) {
  const say = useSay();
  const parts = [
    { name: say("metrics.retries"), colour: "bg-muted", of: (day: Day) => day.retries },
  ];
  return <Chart title={say("metrics.retry_chart")} days={days} parts={parts} shown={String} />;
}

/** A pane of this screen. */
export function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid min-w-0 content-start gap-3 rounded-card border border-line bg-surface px-4 py-3 max-sm:px-3">
      <h2 className="text-sm font-medium">{title}</h2>
      {children}
    </section>
  );
}

// --- internal ---

interface Part {
  readonly name: string;
  readonly colour: string;
  readonly of: (day: Day) => number;
}

interface Props {
  readonly title: string;
  readonly days: readonly Day[];
  readonly parts: readonly Part[];
  readonly shown: (value: number) => string;
}

function Chart({ title, days, parts, shown }: Props) {
  const language = useLanguage();
  const sum = (day: Day): number => parts.reduce((all, part) => all + part.of(day), 0);
  const most = Math.max(...days.map(sum));
  const every = Math.ceil(days.length / 7);
  return (
    <Panel title={title}>
      {parts.length > 1 ? <Legend parts={parts} /> : null}
      <div aria-hidden="true" className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
        <div className="flex h-32 flex-col justify-between text-right text-xs text-muted">
          <span>{shown(most)}</span>
          <span>0</span>
        </div>
        <div className="flex h-32 items-end gap-[3px] border-y border-line">
          {days.map((day) => (
            <div
              key={day.day}
              title={[
                dayText(day.day, language, true),
                ...parts.map((part) => `${part.name} ${shown(part.of(day))}`),
              ].join("\n")}
              className="flex h-full min-w-0 flex-1 flex-col-reverse gap-px hover:bg-sunken"
            >
              {parts.map((part) => (
                <i
                  key={part.name}
                  className={`block rounded-[2px] ${part.colour}`}
                  style={{ height: most === 0 ? 0 : `${(part.of(day) / most) * 100}%` }}
                />
              ))}
            </div>
          ))}
        </div>
        <span />
        <div className="flex pt-1 text-xs text-muted">
          {days.map((day, index) => (
            <span key={day.day} className="min-w-0 flex-1 overflow-visible whitespace-nowrap">
              {index % every === 0 ? (
                // On a phone there is room for every second one.
                <span className={index % (every * 2) === 0 ? "" : "max-sm:hidden"}>
                  {dayText(day.day, language)}
                </span>
              ) : null}
            </span>
          ))}
        </div>
      </div>
      <DayTable title={title} days={days} parts={parts} shown={shown} />
    </Panel>
  );
}

function Legend({ parts }: { parts: readonly Part[] }) {
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-muted">
      {parts.map(({ name, colour }) => (
        <span key={name} className="inline-flex items-center gap-1.5">
          <i className={`size-2.5 rounded-[3px] ${colour}`} /> {name}
        </span>
      ))}
    </p>
  );
}

function DayTable({ title, days, parts, shown }: Props) {
  const say = useSay();
  const language = useLanguage();
  return (
    <details>
      <summary className="w-fit cursor-pointer text-xs text-muted hover:text-text max-sm:py-2">
        {say("metrics.table")}
      </summary>
      <div className="mt-2 max-h-64 overflow-auto" tabIndex={0} role="region" aria-label={title}>
        <table className="w-full text-sm">
          <thead>
            <tr className="text-left text-xs text-muted">
              <th className="py-1 pr-3 font-medium">{say("metrics.day")}</th>
              {parts.map(({ name }) => (
                <th key={name} className="py-1 pr-3 text-right font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.day} className="border-t border-line">
                <th className="py-1 pr-3 text-left font-normal">
                  {dayText(day.day, language, true)}
                </th>
                {parts.map((part) => (
                  <td key={part.name} className="py-1 pr-3 text-right">
                    {shown(part.of(day))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
