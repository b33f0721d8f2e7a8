// Which project a screen is about: the one in the address, else the server's own, else the first that
// it knows. A server may stand in a folder that is no project.
import { useSearchParams } from "wouter";
import { useProjects } from "../data/queries.ts";
import { useSay } from "../texts/index.ts";

export interface Chosen {
  /** Undefined: none is known yet, and the server's own folder is meant. */
  readonly id: string | undefined;
  /** Until it is known which there are, nothing is asked for. */
  readonly ready: boolean;
}

export function useProject(): Chosen {
  const [params] = useSearchParams();
  const { data, isError } = useProjects();
  const all = data?.projects ?? [];
  const usual = all.find(({ here }) => here) ?? all[0];
  return { id: params.get("project") ?? usual?.id, ready: data !== undefined || isError };
}

/** Only where there is something to choose. */
export function ProjectPick({ onPick }: { onPick: (id: string) => void }) {
  const say = useSay();
  const { data } = useProjects();
  const { id: chosen } = useProject();
  const all = data?.projects ?? [];
  if (all.length < 2) return null;
  return (
    <select
      aria-label={say("graph.project")}
      value={chosen}
      onChange={({ target }) => onPick(target.value)}
      className="min-h-8 max-w-56 rounded-control border border-strong bg-surface px-2 text-sm max-sm:min-h-11"
    >
      {all.map(({ id, root }) => (
        <option key={id} value={id}>
          {root.split("/").at(-1)}
        </option>
      ))}
    </select>
  );
}
