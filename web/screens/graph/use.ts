// What the graph shows, live, and what of it is chosen. The run stands in the address, and the unit
// beside it: a link shows the same to everybody.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useLocation, useParams, useSearchParams } from "wouter";
import { type Units, api } from "../../data/api.ts";
import { client } from "../../data/queries.ts";
import { useLanguage } from "../../texts/index.ts";
import {
  type Filter,
  type Picture,
  type Unit,
  type Wires,
  filtered,
  foldOver,
  groupKey,
  noFilter,
  phasesOf,
  pictureOf,
  wiresOf,
} from "./model.ts";

/** People edit documents by hand, and agents in sessions of their own: no event tells of those. */
const lookMs = 2_000;

export function useUnits(project: string | undefined, workflow: string | undefined) {
  // What is said of a document belongs to its language.
  const key = ["units", project ?? "", workflow ?? "", useLanguage()];
  return useQuery({
    queryKey: key,
    queryFn: async () => {
      const before = client.getQueryData<Units>(key);
      const answer = await api.units({ project, workflow, since: before?.stamp });
      return answer.unchanged && before !== undefined ? before : answer;
    },
    refetchInterval: lookMs,
  });
}

export interface Graphed {
  readonly units: readonly Unit[];
  readonly byId: ReadonlyMap<string, Unit>;
  readonly wires: Wires;
  readonly shown: readonly Unit[];
  readonly picture: Picture;
  readonly folded: ReadonlySet<string>;
  readonly foldable: boolean;
}

/** Where we are: the run, the project, the unit. */
export function useWhere() {
  const { run } = useParams<{ run?: string }>();
  const [params, setParams] = useSearchParams();
  const [, go] = useLocation();
  const project = params.get("project") ?? undefined;
  const pick = (unit: string | null): void =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (unit === null) next.delete("unit");
        else next.set("unit", unit);
        return next;
      },
      { replace: true },
    );
  const open = (workflow: string, of: string | undefined): void =>
    go(`/g/${workflow}${of === undefined ? "" : `?project=${encodeURIComponent(of)}`}`);
  return { run, project, unit: params.get("unit"), pick, open };
}

export function useGraph(data: Units | undefined, selected: string | null) {
  const [filter, setFilter] = useState<Filter>(noFilter);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const units = data?.nodes ?? none;
  const wires = useMemo(() => wiresOf({ edges: data?.edges ?? [] }), [data]);
  const byId = useMemo(() => new Map(units.map((unit) => [unit.id, unit])), [units]);
  const about = filter.around === "" ? null : selected;
  const shown = useMemo(() => filtered(units, wires, filter, about), [units, wires, filter, about]);
  const phases = useMemo(() => phasesOf(units), [units]);
  const foldable = units.length > foldOver && phases.length > 1;
  const folded = useMemo(
    // What is filtered is few: it is shown as it is.
    () =>
      new Set(
        foldable && shown.length > foldOver ? phases.filter((one) => !unfolded.has(one)) : [],
      ),
    [foldable, shown, phases, unfolded],
  );
  const picture = useMemo(() => pictureOf(shown, data?.edges ?? [], folded), [shown, data, folded]);
  // One that is chosen is seen.
  const phase = selected === null ? undefined : byId.get(selected)?.phase;
  useEffect(() => {
    if (phase !== undefined) setUnfolded((before) => new Set([...before, groupKey(phase)]));
  }, [phase]);
  const graph: Graphed = { units, byId, wires, shown, picture, folded, foldable };
  return {
    graph,
    filter,
    setFilter,
    unfold: (key: string) => setUnfolded(new Set([...unfolded, key])),
    unfoldAll: () => setUnfolded(new Set(phases)),
    foldAll: () => setUnfolded(new Set()),
  };
}

/** The unit that an arrow key leads to: along an edge, or to the neighbour above or below. */
export function walked({ wires, picture }: Graphed, from: string, key: string): string | undefined {
  if (key === "arrowright" || key === "arrowleft") {
    const next = (key === "arrowright" ? wires.after : wires.before).get(from) ?? [];
    return next.find((id) => picture.indexOf.has(id));
  }
  const at = picture.indexOf.get(from);
  const place = at === undefined ? undefined : picture.layout.places[at];
  if (place === undefined) return undefined;
  const layer = picture.layout.layers[place.layer] ?? [];
  const next = layer[layer.indexOf(at ?? 0) + (key === "arrowdown" ? 1 : -1)];
  return next === undefined ? undefined : picture.drawn[next]?.unit?.id;
}

// --- internal ---

const none: readonly Unit[] = [];
