// Where each unit of an orchestrate run stands, as its state says it.
import type { UnitStatus } from "../../core/vocabulary.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";

/** Each unit once: where it stands in two lists the furthest along wins (S2.2). */
export function unitsOf({ tasks, checkpoints }: OrchestrateState): Map<string, UnitStatus> {
  const units = new Map<string, UnitStatus>();
  for (const status of byProgress) for (const id of tasks[status]) units.set(id, status);
  // A finished phase's tasks count as completed, whether or not a list names them.
  for (const phase of Object.values(checkpoints))
    if (phase.completed_at !== undefined)
      for (const id of phase.tasks ?? []) units.set(id, "completed");
  return units;
}

// --- internal ---

const byProgress = ["pending", "blocked", "ready", "in_progress", "failed", "completed"] as const;
