// Documents as a list and the chosen one beside it; on a phone one after the other.
import { type ReactNode, useEffect, useRef } from "react";
import type { Documents } from "../../data/api.ts";
import { useKeys } from "../../keys.ts";
import { useCount } from "../../notify.ts";
import { Icon, type IconName } from "../../parts/icons.tsx";
import { ErrorNote, Fenced, Skeleton } from "../../parts/notes.tsx";
import { ProjectPick } from "../../parts/project.tsx";
import type { Tone } from "../../parts/state.tsx";
import { type PlainKey, useSay } from "../../texts/index.ts";
import { Said } from "./said.tsx";
import { type Part, useDocuments, useShown } from "./use.ts";

export interface Entry {
  /** In the address. */
  readonly key: string;
  /** What people call it by in commands, before its title. */
  readonly id?: string;
  readonly title: string;
  readonly note?: string;
  readonly look: { readonly tone: Tone; readonly icon: IconName };
  readonly depth?: number;
  /** Stands over it, where a new group begins. */
  readonly group?: string;
  readonly body: () => ReactNode;
}

interface Props {
  readonly part: Part;
  readonly title: PlainKey;
  /** Where they lie, as people find them. */
  readonly place: string;
  readonly entriesOf: (data: Documents) => readonly Entry[];
  /** Where there are none: how to begin. */
  readonly empty: ReactNode;
}

export function DocumentsFrame({ part, title, place, entriesOf, empty }: Props) {
  const say = useSay();
  useCount(say(title));
  const { data, error, refetch } = useDocuments(part);
  const { pickProject } = useShown();
  const entries = data === undefined ? [] : entriesOf(data);
  return (
    <main className="grid min-h-0 min-w-0 grid-rows-[auto_minmax(0,1fr)]">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-5 pt-3 pb-2.5 max-sm:px-4">
        <h1 className="text-lg font-semibold">{say(title)}</h1>
        <ProjectPick onPick={pickProject} />
        <code className="text-xs text-muted">{place}</code>
      </div>
      {data === undefined ? (
        <div className="p-5">
          {error ? <ErrorNote error={error} again={() => void refetch()} /> : <Skeleton rows={6} />}
        </div>
      ) : entries.length === 0 ? (
        <div className="min-h-0 overflow-y-auto">
          <Problems of={data} />
          {data.problems.length === 0 ? empty : null}
        </div>
      ) : (
        <Panes data={data} entries={entries} label={say(title)} />
      )}
    </main>
  );
}

// --- internal ---

function Panes(props: { data: Documents; entries: readonly Entry[]; label: string }) {
  const say = useSay();
  const { data, entries, label } = props;
  const { shown, show } = useShown();
  const named = entries.find(({ key }) => key === shown);
  const chosen = named ?? entries[0];
  const step = (by: number): void => {
    const at = entries.findIndex((entry) => entry === chosen);
    const next = entries[Math.min(entries.length - 1, Math.max(0, at + by))];
    if (next !== undefined) show(next.key);
  };
  useKeys([
    { keys: ["j", "arrowdown"], label: "key.next", run: () => step(1) },
    { keys: ["k", "arrowup"], label: "key.previous", run: () => step(-1) },
    {
      keys: ["escape"],
      label: "key.back",
      run: () => (named === undefined ? false : show(null)),
    },
  ]);
  if (chosen === undefined) return null;
  // One pane on a phone: the list, until something is chosen.
  const [list, pane] = named === undefined ? ["", "max-sm:hidden"] : ["max-sm:hidden", ""];
  return (
    <div className="live-value grid min-h-0 min-w-0 grid-cols-[300px_minmax(0,1fr)] max-lg:grid-cols-[240px_minmax(0,1fr)] max-sm:grid-cols-1">
      <nav
        aria-label={label}
        className={`min-h-0 overflow-y-auto border-r border-line py-2 max-sm:border-r-0 ${list}`}
      >
        <ul>
          {entries.map((entry) => (
            <Row key={entry.key} entry={entry} on={entry === chosen} show={show} />
          ))}
        </ul>
      </nav>
      <div
        key={chosen.key}
        tabIndex={0}
        role="region"
        aria-label={chosen.title}
        className={`min-h-0 overflow-y-auto bg-surface focus-visible:-outline-offset-2 ${pane}`}
      >
        <button
          type="button"
          onClick={() => show(null)}
          className="flex min-h-11 items-center gap-1.5 px-4 text-sm text-muted sm:hidden"
        >
          <Icon name="left" className="size-3.5" />
          {say("docs.all")}
        </button>
        <Problems of={data} />
        <Fenced>
          <article className="grid max-w-4xl min-w-0 gap-7 px-6 pt-5 pb-12 max-sm:px-4 max-sm:pt-1">
            {chosen.body()}
          </article>
        </Fenced>
      </div>
    </div>
  );
}

function Row({ entry, on, show }: { entry: Entry; on: boolean; show: (key: string) => void }) {
  const { key, id, title, note, look, depth = 0, group } = entry;
  const place = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (on) place.current?.scrollIntoView({ block: "nearest" });
  }, [on]);
  const inset =
    ["pl-5 max-sm:pl-4", "pl-9 max-sm:pl-8", "pl-13 max-sm:pl-12"][depth] ?? "pl-13 max-sm:pl-12";
  return (
    <>
      {group === undefined ? null : (
        <li className="px-5 pt-4 pb-1 text-xs font-semibold text-muted first:pt-1 max-sm:px-4">
          {group}
        </li>
      )}
      <li>
        <button
          ref={place}
          type="button"
          aria-current={on ? "true" : undefined}
          onClick={() => show(key)}
          className={`flex min-h-[34px] w-full items-center gap-2 py-1 pr-4 text-left text-sm hover:bg-sunken focus-visible:-outline-offset-2 aria-[current=true]:bg-sunken aria-[current=true]:font-medium max-sm:min-h-11 max-sm:aria-[current=true]:bg-transparent max-sm:aria-[current=true]:font-normal ${inset}`}
        >
          <span data-tone={look.tone} className="text-(--fg)">
            <Icon name={look.icon} className="size-3.5" />
          </span>
          {id === undefined ? null : <span className="font-mono text-xs text-muted">{id}</span>}
          <span className="min-w-0 flex-1 truncate">{title}</span>
          {note === undefined ? null : <span className="text-xs text-muted">{note}</span>}
        </button>
      </li>
    </>
  );
}

/** Of folders, and across documents. */
function Problems({ of: { problems, left } }: { of: Documents }) {
  const say = useSay();
  if (problems.length + left === 0) return null;
  return (
    <div className="grid max-w-4xl gap-2 px-6 pt-5 max-sm:px-4">
      {problems.map((each) => (
        <Said key={`${each.path} ${each.message}`} {...each} tone="queue" />
      ))}
      {left > 0 ? <p className="text-sm text-muted">{say("docs.left", { count: left })}</p> : null}
    </div>
  );
}
