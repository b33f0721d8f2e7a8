// What a state file says that breaks the format (S2.9), for instance one that a model wrote: any lists of completed
// and failed tasks, completed phases, the mode. Nothing else of it is believed.
import { orchestrateModes } from "../../core/vocabulary.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";

export interface Salvaged {
  readonly units: ReadonlyMap<string, "completed" | "failed">;
  /** All of their tasks are completed. */
  readonly phases: ReadonlySet<number>;
  readonly mode: OrchestrateState["mode"] | undefined;
}

export function salvage(document: unknown): Salvaged {
  const found: Found = { units: new Map(), phases: new Set() };
  look(document, found, 0);
  const mode = isFields(document) ? document["mode"] : undefined;
  return { ...found, mode: orchestrateModes.find((each) => each === mode) };
}

// --- internal ---

interface Found {
  readonly units: Map<string, "completed" | "failed">;
  readonly phases: Set<number>;
}

type Fields = Readonly<Record<string, unknown>>;

/** Deeper than any of these files. */
const deepest = 6;

function look(value: unknown, found: Found, depth: number): void {
  if (depth > deepest) return;
  if (Array.isArray(value)) {
    for (const each of value as unknown[]) look(each, found, depth + 1);
    return;
  }
  if (!isFields(value)) return;
  const { id, status } = value;
  if (typeof id === "string") take(found, id, status);
  for (const [key, inner] of Object.entries(value)) {
    const listed = /^(completed|failed)(?:_?tasks)?$/i.exec(key)?.[1]?.toLowerCase();
    if (Array.isArray(inner) && listed !== undefined)
      for (const each of inner as unknown[])
        if (typeof each === "string") take(found, each, listed);
    if (Array.isArray(inner) && /^completed_?phases$/i.test(key))
      for (const each of inner as unknown[])
        if (Number.isInteger(each)) found.phases.add(Number(each));
    const phase = /^phase_(\d{1,4})$/.exec(key)?.[1];
    if (phase !== undefined && isFields(inner) && typeof inner["completed_at"] === "string")
      found.phases.add(Number(phase));
    // `{"T1.1": "completed"}`, `{"T1.1": {"status": "done"}}`
    take(found, key, isFields(inner) ? inner["status"] : inner);
    look(inner, found, depth + 1);
  }
}

function take({ units }: Found, id: string, status: unknown): void {
  const word = typeof status === "string" ? status.toLowerCase() : "";
  if (word === "completed" || word === "done") units.set(id, "completed");
  else if (word === "failed" && !units.has(id)) units.set(id, "failed");
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
