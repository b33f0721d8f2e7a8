// Where each unit of an orchestrate run stands, as its state says it.
import type { UnitStatus } from "../../core/vocabulary.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";

/** Each unit once: where it stands in two lists the furthest along wins (S2.2). */
export function unitsOf(state: OrchestrateState): Map<string, UnitStatus> {
  return readUnits(state).units;
}

/** `tidy`: every list names units that stand there, each once; else a person has changed it. */
export function readUnits({ tasks, checkpoints }: OrchestrateState): {
  units: Map<string, UnitStatus>;
  tidy: boolean;
} {
  const units = new Map<string, UnitStatus>();
  let listed = 0;
  for (const status of byProgress) {
    listed += tasks[status].length;
    for (const id of tasks[status]) units.set(id, status);
  }
  let tidy = units.size === listed;
  // A finished phase's tasks count as completed, whether or not a list names them.
  for (const phase of Object.values(checkpoints))
    if (phase.completed_at !== undefined)
      for (const id of phase.tasks ?? []) {
        tidy &&= (units.get(id) ?? "completed") === "completed";
        units.set(id, "completed");
      }
  return { units, tidy };
}

// --- internal ---

const byProgress = ["pending", "blocked", "ready", "in_progress", "failed", "completed"] as const;
