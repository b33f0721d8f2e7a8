// "What holds up what?" The units of a workflow as a picture and as a list, with one selection.
import { useRef } from "react";
import { type Binding, useKeys } from "../../keys.ts";
import { useCount } from "../../notify.ts";
import { useProjects } from "../../data/queries.ts";
import { Button, Chip } from "../../parts/basics.tsx";
import { LineField } from "../../parts/fields.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Empty, ErrorNote, Skeleton } from "../../parts/notes.tsx";
import { sayWord, useSay } from "../../texts/index.ts";
import type { Units } from "../../data/api.ts";
import { GraphCanvas, type Hand } from "./canvas.tsx";
import { UnitDrawer } from "./drawer.tsx";
import { UnitList } from "./list.tsx";
import { type Unit, noFilter } from "./model.ts";
import { useGraph, useUnits, useWhere, walked } from "./use.ts";
import { usePhone } from "./phone.ts";

export function GraphScreen() {
  const say = useSay();
  useCount(say("nav.graph"));
  const where = useWhere();
  const { data, error, refetch } = useUnits(where.project, where.run);
  if (data === undefined)
    return (
      <main className="min-h-0 p-5">
        {error ? <ErrorNote error={error} again={() => void refetch()} /> : <Skeleton rows={6} />}
      </main>
    );
  if (data.workflow === null)
    return (
      <main className="grid min-h-0 grid-rows-[auto_minmax(0,1fr)]">
        <Head data={data} where={where} />
        <Empty title={say("graph.none")}>{say("graph.none.hint")}</Empty>
      </main>
    );
  return <Graph key={`${where.project ?? ""} ${data.workflow}`} data={data} where={where} />;
}

// --- internal ---

type Where = ReturnType<typeof useWhere>;

function Graph({ data, where }: { data: Units; where: Where }) {
  const phone = usePhone();
  const hand = useRef<Hand | null>(null);
  const state = useGraph(data, where.unit);
  const { graph } = state;
  const unit = where.unit === null ? undefined : graph.byId.get(where.unit);
  const pick = (id: string | null): void => {
    where.pick(id);
    const at = id === null ? undefined : graph.picture.indexOf.get(id);
    if (at !== undefined) hand.current?.show(at);
  };
  const pickDrawn = (index: number | null): void => {
    const drawn = index === null ? undefined : graph.picture.drawn[index];
    if (drawn?.group) state.unfold(drawn.key);
    else pick(drawn?.unit?.id ?? null);
  };
  useKeys(keysOf(graph, where.unit, pick, hand));
  const picked = unit === undefined ? null : (graph.picture.indexOf.get(unit.id) ?? null);
  const columns =
    unit === undefined
      ? "lg:grid-cols-[260px_minmax(0,1fr)]"
      : "lg:grid-cols-[260px_minmax(0,1fr)_320px]";
  return (
    <main className="grid min-h-0 min-w-0 grid-rows-[auto_auto_minmax(0,1fr)]">
      <Head data={data} where={where} />
      <Filters state={state} selected={where.unit} />
      <div className={`grid min-h-0 min-w-0 sm:grid-cols-[220px_minmax(0,1fr)] ${columns}`}>
        {phone && unit !== undefined ? null : (
          <Listed shown={graph.shown} selected={where.unit} phone={phone} onPick={pick} />
        )}
        {phone ? null : (
          <GraphCanvas
            picture={graph.picture}
            selected={picked}
            hand={(given) => (hand.current = given)}
            onPick={pickDrawn}
          />
        )}
        {unit === undefined ? null : (
          <div className="grid min-h-0 max-lg:absolute max-lg:inset-y-0 max-lg:right-0 max-lg:z-10 max-lg:w-80 max-lg:shadow-lg max-sm:static max-sm:w-auto max-sm:shadow-none">
            <UnitDrawer
              unit={unit}
              units={graph.byId}
              wires={graph.wires}
              workflow={data.workflow ?? ""}
              project={where.project}
              stamp={data.stamp}
              onPick={pick}
              onClose={() => pick(null)}
            />
          </div>
        )}
      </div>
    </main>
  );
}

function Listed(props: {
  readonly shown: readonly Unit[];
  readonly selected: string | null;
  readonly phone: boolean;
  readonly onPick: (id: string) => void;
}) {
  const say = useSay();
  const { shown, selected, phone, onPick } = props;
  return (
    <div className="flex min-h-0 flex-col border-r border-line pt-1 max-sm:border-r-0">
      {shown.length === 0 ? (
        <p className="p-4 text-sm text-muted">{say("graph.nothing_fits")}</p>
      ) : (
        <UnitList units={shown} selected={selected} grouped={phone} onPick={onPick} />
      )}
    </div>
  );
}

function keysOf(
  graph: ReturnType<typeof useGraph>["graph"],
  selected: string | null,
  pick: (id: string | null) => void,
  hand: React.RefObject<Hand | null>,
): Binding[] {
  const step = (by: number): void => {
    const at = graph.shown.findIndex(({ id }) => id === selected);
    const next = graph.shown[Math.min(graph.shown.length - 1, Math.max(0, at + by))];
    if (next !== undefined) pick(next.id);
  };
  const walk = (key: string): void => {
    const first = graph.shown[0]?.id;
    const next = selected === null ? first : walked(graph, selected, key);
    if (next !== undefined) pick(next);
  };
  return [
    { keys: ["j"], label: "key.next", run: () => step(1) },
    { keys: ["k"], label: "key.previous", run: () => step(-1) },
    { keys: ["arrowleft", "arrowright", "arrowup", "arrowdown"], label: "key.walk", run: walk },
    { keys: ["0"], label: "key.fit", run: () => hand.current?.fit() },
    {
      keys: ["+", "-"],
      label: "key.zoom",
      run: (key) => hand.current?.zoom(key === "+" ? 1.25 : 0.8),
    },
    { keys: ["escape"], label: "key.back", run: () => (selected === null ? false : pick(null)) },
  ];
}

function Head({ data, where }: { data: Units; where: Where }) {
  const say = useSay();
  const { data: projects } = useProjects();
  const run = data.runs.find(({ workflow }) => workflow === data.workflow);
  const here = projects?.projects ?? [];
  const look =
    "min-h-8 max-w-56 rounded-control border border-strong bg-surface px-2 text-sm max-sm:min-h-11";
  return (
    <div className="flex flex-wrap items-center gap-2 px-5 pt-3 pb-2 max-sm:px-4">
      <h1 className="text-lg font-semibold">{say("nav.graph")}</h1>
      {here.length > 1 ? (
        <select
          aria-label={say("graph.project")}
          className={look}
          value={where.project ?? here.find((one) => one.here)?.id ?? ""}
          onChange={({ target }) => where.open("", target.value)}
        >
          {here.map(({ id, root }) => (
            <option key={id} value={id}>
              {root.split("/").at(-1)}
            </option>
          ))}
        </select>
      ) : null}
      {data.runs.length > 0 ? (
        <select
          aria-label={say("graph.run")}
          className={look}
          value={data.workflow ?? ""}
          onChange={({ target }) => where.open(target.value, where.project)}
        >
          {data.runs.map(({ workflow }) => (
            <option key={workflow} value={workflow}>
              {sayWord(say, "run", workflow)}
            </option>
          ))}
        </select>
      ) : null}
      {run === undefined ? null : (
        <span className="min-w-0 truncate text-sm text-muted">
          {run.title} · {say("graph.done", { done: run.done, total: run.total })}
          {data.left > 0 ? ` · ${say("graph.left", { count: data.left })}` : ""}
        </span>
      )}
      {data.problems.map(({ path, message }) => (
        <p key={path} role="alert" data-tone="fail" className="w-full text-sm text-(--fg)">
          {message}
        </p>
      ))}
    </div>
  );
}

function Filters(props: { state: ReturnType<typeof useGraph>; selected: string | null }) {
  const say = useSay();
  const { state, selected } = props;
  const { graph, filter, setFilter } = state;
  const hidden = graph.units.length - graph.shown.length;
  const around = (which: "up" | "down") => ({
    on: filter.around === which && selected !== null,
    disabled: selected === null,
    onClick: () => setFilter({ ...filter, around: filter.around === which ? "" : which }),
  });
  return (
    <div className="flex flex-wrap items-center gap-1.5 border-b border-line px-5 pb-2.5 max-sm:px-4">
      <div className="w-44 max-sm:w-full">
        <LineField
          type="search"
          aria-label={say("graph.search")}
          placeholder={say("graph.search")}
          value={filter.q}
          onChange={(q) => setFilter({ ...filter, q })}
        />
      </div>
      <Chip on={filter.trouble} onClick={() => setFilter({ ...filter, trouble: !filter.trouble })}>
        {say("graph.trouble")}
      </Chip>
      <Chip
        on={filter.critical}
        onClick={() => setFilter({ ...filter, critical: !filter.critical })}
      >
        {say("graph.critical")}
      </Chip>
      <Chip {...around("up")}>{say("graph.up")}</Chip>
      <Chip {...around("down")}>{say("graph.down")}</Chip>
      {hidden > 0 ? (
        <span
          data-tone="queue"
          className="inline-flex items-center gap-1.5 rounded-full bg-(--tint) py-px pr-1 pl-2.5 text-xs font-medium text-(--fg)"
        >
          <Icon name="eye" className="size-3.5" />
          {say("graph.hidden", { count: hidden })}
          <button
            type="button"
            className="min-h-6 rounded-full px-1.5 underline underline-offset-3"
            onClick={() => setFilter(noFilter)}
          >
            {say("graph.show_all")}
          </button>
        </span>
      ) : null}
      {graph.foldable ? (
        <Button
          look="quiet"
          className="ml-auto max-sm:hidden"
          onClick={graph.folded.size > 0 ? state.unfoldAll : state.foldAll}
        >
          {graph.folded.size > 0 ? say("graph.expand") : say("graph.collapse")}
        </Button>
      ) : null}
    </div>
  );
}
