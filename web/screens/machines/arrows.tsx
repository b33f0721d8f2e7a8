// Every arrow as a line that can be chosen, and what there is to say about the chosen one: the same
// as the diagram, for keyboards and readers.
import type { ReactNode } from "react";
import { Heading } from "../../parts/basics.tsx";
import { fullTime } from "../../parts/figures.tsx";
import { Icon } from "../../parts/icons.tsx";
import { sayWord, useLanguage, useSay } from "../../texts/index.ts";
import type { Arrow, Machine, Row } from "./diagram.ts";
import { arrowKey } from "./diagram.ts";
import type { Step } from "./machines.tsx";

interface Props {
  readonly arrows: readonly Arrow[];
  readonly machine: Machine;
  readonly taken: ReadonlyMap<string, readonly Step[]>;
  readonly walked: readonly Step[];
  readonly picked: string | null;
  readonly onPick: (key: string | null) => void;
}

export function ArrowList(props: Props) {
  const say = useSay();
  const { arrows, taken, walked, picked, onPick, machine } = props;
  const arrow = arrows.find(({ key }) => key === picked);
  const others = arrows.filter(({ key }) => !taken.has(key));
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <section className="min-w-0">
        <Heading>{say("machines.walked")}</Heading>
        {walked.length === 0 ? (
          <p className="text-sm text-muted">{say("machines.not_begun")}</p>
        ) : null}
        <ol className="grid">
          {walked.map((step) => (
            <Line
              key={step.seq}
              {...step}
              on={step.trigger}
              machine={machine}
              picked={picked}
              onPick={onPick}
              at={step.timestamp}
            />
          ))}
        </ol>
        <details className="mt-3">
          <summary className="cursor-pointer text-xs text-muted hover:text-text max-sm:py-2">
            {say("machines.all")}
          </summary>
          <ul className="grid pt-1">
            {others.map(({ key, from, to, rows }) => (
              <Line
                key={key}
                from={from}
                to={to}
                on={rows.map(({ on }) => on).join(", ")}
                machine={machine}
                picked={picked}
                onPick={onPick}
              />
            ))}
          </ul>
        </details>
      </section>
      <section className="min-w-0" aria-live="polite">
        {arrow === undefined ? (
          <p className="text-sm text-muted">{say("machines.pick")}</p>
        ) : (
          <About arrow={arrow} machine={machine} steps={taken.get(arrow.key) ?? []} />
        )}
      </section>
    </div>
  );
}

// --- internal ---

function useStateName(machine: Machine): (state: string) => string {
  const say = useSay();
  return (state) => sayWord(say, machine.name === "task" ? "state" : "agent", state);
}

function Line(props: {
  readonly from: string;
  readonly to: string;
  readonly on: string;
  readonly at?: string;
  readonly machine: Machine;
  readonly picked: string | null;
  readonly onPick: (key: string) => void;
}) {
  const language = useLanguage();
  const nameOf = useStateName(props.machine);
  const key = arrowKey(props.from, props.to);
  return (
    <li>
      <button
        type="button"
        // Where it came from is no state of the machine: how it was made.
        disabled={!props.machine.states.includes(props.from)}
        aria-pressed={key === props.picked}
        onClick={() => props.onPick(key)}
        className="flex min-h-8 w-full flex-wrap items-center gap-x-1.5 rounded-control px-2 text-left text-sm hover:bg-sunken aria-pressed:bg-sunken max-sm:min-h-11"
      >
        {nameOf(props.from)}
        <Icon name="right" className="size-3 text-muted" />
        <span className="font-medium">{nameOf(props.to)}</span>
        <code className="text-xs text-muted">{props.on}</code>
        {props.at === undefined ? null : (
          <time dateTime={props.at} className="ml-auto text-xs text-muted">
            {fullTime(props.at, language)}
          </time>
        )}
      </button>
    </li>
  );
}

function About({
  arrow,
  machine,
  steps,
}: {
  arrow: Arrow;
  machine: Machine;
  steps: readonly Step[];
}) {
  const say = useSay();
  const language = useLanguage();
  const nameOf = useStateName(machine);
  return (
    <div className="grid gap-3 rounded-card border border-line px-4 py-3">
      <h3 className="flex items-center gap-1.5 font-medium">
        {nameOf(arrow.from)} <Icon name="right" className="size-3" /> {nameOf(arrow.to)}
      </h3>
      {arrow.rows.map((row) => (
        <AboutRow key={`${row.on} ${row.refusals.join()}`} row={row} />
      ))}
      <div>
        <Heading>{say("machines.when")}</Heading>
        {steps.length === 0 ? <p className="text-sm text-muted">{say("machines.never")}</p> : null}
        <ul className="grid gap-0.5 text-sm">
          {steps.map((step) => (
            <li key={step.seq}>
              <time dateTime={step.timestamp}>{fullTime(step.timestamp, language)}</time>{" "}
              <code className="text-xs text-muted">{step.trigger}</code>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function AboutRow({ row }: { row: Row }) {
  const say = useSay();
  const free = row.refusals.length === 0 && row.needs.length === 0;
  return (
    <div className="grid gap-1.5 border-t border-line pt-2.5 text-sm">
      <code className="font-semibold">{row.on}</code>
      {free ? <p className="text-muted">{say("machines.always")}</p> : null}
      <Sentences title={say("machines.refusals")} of={row.refusals} />
      <Sentences title={say("machines.needs")} of={row.needs} />
      {row.effects.length === 0 ? null : (
        <p className="text-xs text-muted">
          {say("machines.effects")}: <code>{row.effects.join(", ")}</code>
        </p>
      )}
    </div>
  );
}

function Sentences({ title, of }: { title: string; of: readonly string[] }): ReactNode {
  if (of.length === 0) return null;
  return (
    <div>
      <p className="text-xs text-muted">{title}</p>
      <ul className="list-disc pl-4">
        {of.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}
