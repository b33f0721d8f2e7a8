// A new run of a plan (S2.1): the seed's fields and defaults, what is checked off already is completed.
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";
import type { TaskList } from "../../formats/task-list.ts";
import { rebuildState } from "./rebuild.ts";

export interface Wishes {
  readonly mode?: OrchestrateState["mode"] | undefined;
  /** How many units at once; 0: as many as there are slots. */
  readonly parallel?: number | undefined;
  /** Where news of it goes (S2.12). */
  readonly slack?: string | undefined;
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
export function wished(state: OrchestrateState, wishes: Wishes): OrchestrateState {
  const { config } = state;
  const { mode = state.mode, parallel = config.max_parallel } = wishes;
  const { slack = config.slack_webhook_url } = wishes;
  const same =
    mode === state.mode && parallel === config.max_parallel && slack === config.slack_webhook_url;
  if (same) return state;
  return {
    ...state,
    mode,
    config: { ...config, max_parallel: parallel, slack_webhook_url: slack },
  };
}
