// One unit: why it stands where it stands, what it waits for, and what its document says of it.
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { api } from "../../data/api.ts";
import { Button, Heading } from "../../parts/basics.tsx";
import { Icon } from "../../parts/icons.tsx";
import { ErrorNote, Skeleton } from "../../parts/notes.tsx";
import { useLanguage, useSay } from "../../texts/index.ts";
import { phaseName } from "./canvas.tsx";
import { type Unit, type Wires, unitLooks } from "./model.ts";

interface Props {
  readonly unit: Unit;
  readonly units: ReadonlyMap<string, Unit>;
  readonly wires: Wires;
  readonly workflow: string;
  readonly project: string | undefined;
  /** Of the answer it belongs to: another one may have another reason. */
  readonly stamp: string;
  readonly onPick: (id: string) => void;
  readonly onClose: () => void;
}

export function UnitDrawer(props: Props) {
  const say = useSay();
  const { unit, workflow } = props;
  const { tone, icon } = unitLooks[unit.state];
  return (
    <aside
      aria-label={unit.title || unit.id}
      className="flex min-h-0 flex-col gap-4 overflow-y-auto border-l border-line bg-surface px-4 py-3.5 max-sm:border-l-0"
    >
      <header className="grid gap-1">
        <div className="flex items-center gap-2 text-xs text-muted">
          <span className="font-mono">{unit.id}</span>
          <button
            type="button"
            onClick={props.onClose}
            aria-label={say("drawer.close")}
            className="ml-auto grid size-7 place-items-center rounded-control hover:bg-sunken max-sm:size-11"
          >
            <Icon name="cross" className="size-3" />
          </button>
        </div>
        <h2 className="text-lg font-semibold">{unit.title || unit.id}</h2>
        <p className="flex flex-wrap items-center gap-2">
          <span
            data-tone={tone}
            className="inline-flex items-center gap-1.5 rounded-control bg-(--tint) px-2 py-px text-xs font-semibold text-(--fg)"
          >
            <Icon name={icon} className="size-3.5" /> {say(`unit.${unit.state}`)}
          </span>
          {unit.critical ? <span className="text-xs">{say("drawer.critical")}</span> : null}
        </p>
        {workflow === "tasks" ? (
          <p className="pt-1">
            <Link href={`/t/${unit.id}`} className="text-sm underline underline-offset-3">
              {say("drawer.task")}
            </Link>
          </p>
        ) : null}
      </header>
      <Reasons {...props} />
      <Facts unit={unit} />
      <Neighbours
        {...props}
        title={say("drawer.before")}
        ids={props.wires.before.get(unit.id) ?? []}
      />
      <Neighbours
        {...props}
        title={say("drawer.after")}
        ids={props.wires.after.get(unit.id) ?? []}
      />
    </aside>
  );
}

// --- internal ---

/** The same facts as `holdfast why`. */
function Reasons({ unit, workflow, project, stamp }: Props) {
  const say = useSay();
  const language = useLanguage();
  const id = workflow === "tasks" ? unit.id : `${workflow}:${unit.id}`;
  const { data, error, refetch } = useQuery({
    queryKey: ["why", project ?? "", id, stamp, language],
    queryFn: () => api.why({ id, project }),
  });
  if (error) return <ErrorNote error={error} again={() => void refetch()} />;
  const told = data?.explanations[0];
  if (told === undefined) return <Skeleton rows={1} />;
  return (
    <section>
      <Heading>{say("drawer.why")}</Heading>
      <ul className="grid gap-1 text-sm">
        {told.reasons.length === 0 ? <li>{say("drawer.nothing_holds")}</li> : null}
        {told.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
        {told.next.map((next) => (
          <li key={next} className="flex gap-1.5 text-muted">
            <span className="pt-1">
              <Icon name="right" className="size-3" />
            </span>
            {next}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Facts({ unit }: { unit: Unit }) {
  const say = useSay();
  const { phase, owner, attempts, status, check, files, state } = unit;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
      {phase === null ? null : <Fact name={say("drawer.phase")}>{phaseName(say, phase)}</Fact>}
      {owner === null ? null : <Fact name={say("drawer.owner")}>{owner}</Fact>}
      {attempts === null ? null : <Fact name={say("drawer.attempts")}>{attempts}</Fact>}
      {status === state ? null : <Fact name={say("drawer.status")}>{status}</Fact>}
      {check === null ? null : (
        <Fact name={say("drawer.check")}>
          <code className="text-code">{check}</code>
        </Fact>
      )}
      {files.length === 0 ? null : (
        <Fact name={say("drawer.files")}>
          {files.map((file) => (
            <code key={file} className="block truncate text-code" title={file}>
              {file}
            </code>
          ))}
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

/** A unit may be waited for by hundreds; the list has them all. */
const mostShown = 12;

function Neighbours(props: Props & { title: string; ids: readonly string[] }) {
  const say = useSay();
  const { ids, units, onPick } = props;
  return (
    <section>
      <Heading>{props.title}</Heading>
      {ids.length === 0 ? <p className="text-sm text-muted">{say("drawer.none")}</p> : null}
      <ul className="grid gap-0.5">
        {ids.slice(0, mostShown).map((id) => {
          const other = units.get(id);
          const look = unitLooks[other?.state ?? "pending"];
          return (
            <li key={id}>
              <Button look="quiet" className="w-full justify-start!" onClick={() => onPick(id)}>
                <span data-tone={look.tone} className="text-(--fg)">
                  <Icon name={look.icon} className="size-3.5" />
                </span>
                <span className="font-mono text-xs">{id}</span>
                <span className="truncate">{other?.title}</span>
              </Button>
            </li>
          );
        })}
      </ul>
      {ids.length > mostShown ? (
        <p className="px-2 text-xs text-muted">+{ids.length - mostShown}</p>
      ) : null}
    </section>
  );
}
