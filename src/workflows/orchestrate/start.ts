// A new run of a plan (S2.1): the seed's fields and defaults, what is checked off already is completed.
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";
import type { TaskList } from "../../formats/task-list.ts";
import { rebuildState } from "./rebuild.ts";

export interface Wishes {
  readonly mode?: OrchestrateState["mode"] | undefined;
  /** How many units at once; 0: as many as there are slots. */
  readonly parallel?: number | undefined;
}

/** The list must be free of problems. `folder`: the project's name where the list has no title. */
export function startState(
  list: TaskList,
  folder: string,
  now: string,
  wishes: Wishes,
): OrchestrateState {
  return wished(rebuildState(list, undefined, folder, now).state, wishes);
}

/** What was asked for on the command line is written into the file, and stays. */
export function wished(state: OrchestrateState, { mode, parallel }: Wishes): OrchestrateState {
  const { config } = state;
  const same =
    (mode ?? state.mode) === state.mode &&
    (parallel ?? config.max_parallel) === config.max_parallel;
  if (same) return state;
  return {
    ...state,
    mode: mode ?? state.mode,
    config: { ...config, max_parallel: parallel ?? config.max_parallel },
  };
}
