// What the database keeps of an orchestrate run beside its document (DESIGN, "Data"): the run as a task,
// a claim for each unit that was begun, and what was read of the plan.
import type { TaskData } from "../engine/state.ts";
import type { OrchestrateState } from "../formats/orchestrate-state.ts";
import type { EntityRow, Store, TaskRow } from "../store/database/store.ts";
import { type RunData, runOf } from "../workflows/orchestrate/private.ts";
import {
  type Owner,
  type SessionUnit,
  holderOf,
  isDue,
  isLost,
} from "./_session-orchestrate-owner.ts";
import type { Sources } from "./_session-orchestrate-sources.ts";

export const workflow = "orchestrate";
export const planKind = "plan";
export const claimKind = "claim";

export type SessionTaskData = TaskData & { readonly session: RunData };

export interface Rows {
  /** The newest run: under way, or completed. */
  readonly task: TaskRow | undefined;
  readonly plan: EntityRow | undefined;
  /** Units that a session holds. */
  readonly held: readonly EntityRow[];
  /** The one that was asked for. */
  readonly unit: EntityRow | undefined;
}

export const noRows: Rows = { task: undefined, plan: undefined, held: [], unit: undefined };

/** `known`: a row of the plan that was read before, and is not to be written: of 10,000 units 70 KB. */
export async function readRows(
  store: Store,
  projectId: string,
  unit?: string,
  known?: EntityRow,
): Promise<Rows> {
  const statuses = ["in_progress", "completed"];
  const runs = await store.tasks({ projectId, workflow, statuses, archived: false });
  const [task] = runs.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  if (task === undefined) return noRows;
  return {
    task,
    plan: known?.id === task.id ? known : await store.entity(planKind, task.id),
    held: await store.entities({ taskId: task.id, kind: claimKind, status: "held" }),
    unit: unit === undefined ? undefined : await store.entity(claimKind, claimId(task.id, unit)),
  };
}

export function claimId(task: string, unit: string): string {
  return `${task}.${unit}`;
}

export function unitOf(row: EntityRow): SessionUnit {
  return row.data as SessionUnit;
}

export function runIn({ task }: Rows, state: OrchestrateState): RunData {
  return task === undefined ? runOf(state) : (task.data as SessionTaskData).session;
}

export function sourcesIn({ plan }: Rows): Sources | undefined {
  return plan === undefined ? undefined : (plan.data as Sources);
}

/** Units whose session is gone. */
export function lostIn({ held }: Rows, owner: Owner, now: number): Set<string> {
  return new Set(
    held.flatMap((row) => (isLost(unitOf(row), owner, now) ? [unitOf(row).unit] : [])),
  );
}

/** Units in progress that no living session is known to hold. */
export function unheldIn(
  { held }: Rows,
  { tasks }: OrchestrateState,
  owner: Owner,
  now: number,
): Set<string> {
  const kept = new Set(
    held.flatMap((row) => (isLost(unitOf(row), owner, now) ? [] : [unitOf(row).unit])),
  );
  return new Set(tasks.in_progress.filter((id) => !kept.has(id)));
}

/** The session's own claims, where their lease is to be written anew. */
export function renewed({ held }: Rows, owner: Owner, now: number): EntityRow[] {
  return held.flatMap((row) => {
    const unit = unitOf(row);
    if (unit.holder === null || !isDue(unit, owner, now)) return [];
    const { until } = holderOf(owner, now);
    return [{ ...row, data: { ...unit, holder: { ...unit.holder, until } } }];
  });
}

/** Each call of a session renews its claims (S2.11). No harm is done if somebody was faster. */
export async function renew(
  { store, rows }: { readonly store: Store | undefined; readonly rows: Rows },
  owner: Owner,
): Promise<void> {
  const entities = renewed(rows, owner, Date.now());
  if (entities.length > 0) await store?.commit({ entities });
}
