// What the panes of documents are made of: a head, sections, states, files.
import type { ReactNode } from "react";
import { useNow } from "../../data/clock.ts";
import { durationText, fullTime } from "../../parts/figures.tsx";
import { Icon, type IconName } from "../../parts/icons.tsx";
import type { Tone } from "../../parts/state.tsx";
import { type Say, sayWord, useLanguage, useSay } from "../../texts/index.ts";

interface Look {
  readonly tone: Tone;
  readonly icon: IconName;
}

/** Of plans, steps, requests, gates, tests: the same colours as everywhere. */
const looks: Readonly<Record<string, Look>> = {
  pending: { tone: "queue", icon: "ring" },
  in_progress: { tone: "work", icon: "half" },
  active: { tone: "work", icon: "half" },
  paused: { tone: "ice", icon: "pause" },
  stopped: { tone: "you", icon: "pause" },
  completed: { tone: "done", icon: "check" },
  success: { tone: "done", icon: "check" },
  passed: { tone: "done", icon: "check" },
  pass: { tone: "done", icon: "check" },
  partial: { tone: "queue", icon: "half" },
  failed: { tone: "fail", icon: "cross" },
  failure: { tone: "fail", icon: "cross" },
  fail: { tone: "fail", icon: "cross" },
  cancelled: { tone: "idle", icon: "cross" },
};

export const damagedLook: Look = { tone: "fail", icon: "warn" };

export function lookOf(status: string): Look {
  return looks[status] ?? { tone: "idle", icon: "ring" };
}

export function stateWord(say: Say, status: string): string {
  return sayWord(say, "doc", status);
}

export function Badge({ status }: { status: string }) {
  const say = useSay();
  const { tone, icon } = lookOf(status);
  return (
    <span
      data-tone={tone}
      className="inline-flex items-center gap-1.5 rounded-control bg-(--tint) px-2 py-px text-xs font-semibold whitespace-nowrap text-(--fg)"
    >
      <Icon name={icon} className={`size-3.5 ${icon === "half" ? "pulse" : ""}`} />
      {stateWord(say, status)}
    </span>
  );
}

export function Head(props: {
  readonly id?: string;
  readonly title: string;
  readonly status?: string;
  readonly since?: string | null;
  readonly children?: ReactNode;
}) {
  const { id, title, status, since = null } = props;
  return (
    <header className="grid gap-1.5">
      <h2 className="text-xl font-semibold wrap-anywhere">{title}</h2>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-xs text-muted">
        {status === undefined ? null : <Badge status={status} />}
        {id === undefined ? null : <span className="font-mono">{id}</span>}
        {since === null ? null : <Changed at={since} />}
        {props.children}
      </div>
    </header>
  );
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid min-w-0 content-start gap-2.5">
      <h3 className="border-b border-line pb-1.5 font-medium">{title}</h3>
      {children}
    </section>
  );
}

export function Nothing({ children }: { children: string }) {
  return <p className="text-sm text-muted">{children}</p>;
}

/** How to begin, as it is typed. */
export function Begin(props: { title: string; hint: string; commands: readonly string[] }) {
  return (
    <div className="mx-auto grid max-w-lg justify-items-center gap-3 px-6 py-16 text-center">
      <p className="font-medium">{props.title}</p>
      <p className="text-sm text-muted">{props.hint}</p>
      <ul className="grid w-full gap-1.5">
        {props.commands.map((line) => (
          <li key={line}>
            <code className="block overflow-x-auto rounded-control border border-line bg-surface px-3 py-2 text-left text-code whitespace-pre">
              {line}
            </code>
          </li>
        ))}
      </ul>
    </div>
  );
}

// --- internal ---

function Changed({ at }: { at: string }) {
  const say = useSay();
  const language = useLanguage();
  const age = durationText(useNow() - Date.parse(at), language);
  return (
    <time dateTime={at} title={fullTime(at, language)}>
      {say("docs.changed", { age })}
    </time>
  );
}
