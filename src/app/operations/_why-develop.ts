// `why cp-2`: a checkpoint waits for its phase and for the checkpoints it depends on.
import { checkpointMachine } from "../../core/machines/checkpoint.ts";
import { type Message, msg } from "../../core/messages.ts";
import { attemptLimits } from "../../core/retry.ts";
import { checkpointKey } from "../../formats/checkpoint-definitions.ts";
import type { DevelopState } from "../../formats/develop-state.ts";
import { formats } from "../../formats/registry.ts";
import type { Looked } from "./_look.ts";
import { eventsOf } from "./_why-events.ts";
import type { Entry } from "./why.ts";

export async function checkpointsOf(looked: Looked): Promise<Entry[]> {
  const state = await looked.at(formats["develop-state"].path, "develop-state");
  if (!state) return [];
  const definitions = await definitionsOf(looked);
  const ids = new Set([...Object.keys(state.checkpoints ?? {}), ...definitions.keys()]);
  return [...ids].map((id) => ({ id, explain: () => explain(id, state, definitions) }));
}

// --- internal ---

interface Definition {
  readonly description: string;
  readonly dependencies: readonly string[];
}

type Definitions = ReadonlyMap<string, Definition>;

/** Where the settings say, else at the usual place (S0.4). */
async function definitionsOf(looked: Looked): Promise<Definitions> {
  const settings = await looked.at(formats["project-settings"].path, "project-settings");
  const path = settings?.develop?.checkpoints ?? formats["checkpoint-definitions"].path;
  const found = await looked.at(path, "checkpoint-definitions");
  return new Map(
    (found?.checkpoints ?? []).map(({ id, description, dependencies = [] }) => [
      checkpointKey(id),
      { description, dependencies: dependencies.map(checkpointKey) },
    ]),
  );
}

function explain(id: string, state: DevelopState, definitions: Definitions) {
  const { phase, checkpoints = {} } = state;
  const { status, iteration } = checkpoints[id] ?? { status: "pending" as const, iteration: 0 };
  const definition = definitions.get(id);
  const unpassed = (definition?.dependencies ?? []).filter(
    (other) => checkpoints[other]?.status !== "passed",
  );
  const lines = checkpointMachine.explain(status, {
    unpassedDependencies: unpassed,
    iteration,
    validation: "not_run",
    failure: null,
    byPerson: true,
  });
  const open = status === "pending" || status === "in_progress";
  const reasons: Message[] = [];
  if (open && phase !== "IMPLEMENT") reasons.push(msg("why.checkpoint.phase", { phase }));
  if (status === "pending" && unpassed.length > 0) {
    const ids = unpassed.map((other) => `${other} (${checkpoints[other]?.status ?? "pending"})`);
    reasons.push(msg("checkpoint.waits_for", { ids: ids.join(", ") }));
  }
  if (status === "escalated") reasons.push(msg("why.checkpoint.escalated", { iteration }));
  return {
    kind: "checkpoint" as const,
    name: definition?.description ?? "",
    status,
    reasons,
    next: [nextOf(status, unpassed, iteration)],
    // Whether the validation command has run in this attempt is not in the document.
    events: eventsOf(lines, ["begin", "retry", "skip"]),
  };
}

function nextOf(status: string, unpassed: readonly string[], iteration: number): Message {
  const max = attemptLimits.checkpoint;
  if (status === "passed") return msg("why.done");
  if (status === "escalated") return msg("why.checkpoint.person");
  if (status === "in_progress") return msg("why.checkpoint.validation", { iteration, max });
  return unpassed.length > 0
    ? msg("why.when_passed", { ids: unpassed.join(", ") })
    : msg("why.may_start");
}
