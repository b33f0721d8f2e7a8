// What one step of an orchestrate run writes beside its document, for the same commit.
import type { Language } from "../core/messages.ts";
import type { TaskData } from "../engine/state.ts";
import type { OrchestrateState } from "../formats/orchestrate-state.ts";
import { places } from "../formats/places.ts";
import type { Change, EntityRow, TaskRow, TransitionRow } from "../store/database/store.ts";
import type { Accepted } from "../workflows/orchestrate/events.ts";
import { newRunData, newRunId, newRunRow } from "./_run-row.ts";
import type { Owner } from "./_session-orchestrate-owner.ts";
import {
  type Rows,
  type SessionTaskData,
  claimId,
  claimKind,
  noRows,
  planKind,
  renewed,
  unitOf,
  workflow,
} from "./_session-orchestrate-rows.ts";
import type { Looked } from "./_session-orchestrate-sources.ts";

export interface Writing {
  readonly rows: Rows;
  readonly looked: Looked;
  readonly owner: Owner;
  readonly projectId: string;
  readonly language: Language;
  readonly now: number;
}

export function changeOf(stepped: Accepted, writing: Writing): Omit<Change, "next"> {
  const { rows } = writing;
  const live = rows.task?.status === "in_progress";
  // Carried out by itself, its end is told by who does that: a branch may still have to land.
  const waits =
    live && (rows.task?.data as Partial<SessionTaskData> | undefined)?.run !== undefined;
  const done = waits ? { ...stepped, allDone: false } : stepped;
  // A run that is over, or never was ours, and of which nothing is left to do.
  if (!live && done.allDone && done.journal.length === 0) return {};
  // One that is over stays as it is: what came after it is another.
  const known = live ? rows : noRows;
  const id = known.task?.id ?? newRunId();
  const at = new Date(writing.now).toISOString();
  const task = taskOf(done, known.task, id, at, writing);
  const entities = [
    ...claimsOf(done, known, id, writing),
    ...(writing.looked.changed || known.plan === undefined
      ? [{ ...rowOf(known.plan, planKind, id, id), data: writing.looked.sources }]
      : []),
  ];
  return {
    ...(task === undefined ? {} : { tasks: [task] }),
    ...(entities.length > 0 ? { entities } : {}),
    transitions: transitionsOf(done, known.task, id, at),
  };
}

// --- internal ---

function claimsOf(done: Accepted, rows: Rows, id: string, { owner, now }: Writing): EntityRow[] {
  const working = new Set(done.state.tasks.in_progress);
  const own = done.unit?.unit;
  const released = new Set(done.released);
  const again = new Map(renewed(rows, owner, now).map((row) => [row.id, row]));
  const others = rows.held.flatMap((row): EntityRow[] => {
    const unit = unitOf(row);
    if (unit.unit === own) return [];
    // Released here, or moved by a person's change.
    const gone = released.has(unit.unit) || !working.has(unit.unit);
    if (gone) return [{ ...row, status: "free", data: { ...unit, holder: null } }];
    return [again.get(row.id) ?? []].flat();
  });
  if (done.unit === null || own === undefined) return others;
  const claim = rowOf(rows.unit, claimKind, claimId(id, own), id);
  const status = done.unit.holder === null ? "free" : "held";
  return [...others, { ...claim, status, data: done.unit }];
}

function rowOf(row: EntityRow | undefined, kind: string, id: string, task: string): EntityRow {
  return row ?? { kind, id, taskId: task, status: "free", rev: 0, data: null };
}

/** The run's own row: made when it begins, written when what it holds has changed. */
function taskOf(
  { state, run, allDone }: Accepted,
  task: TaskRow | undefined,
  id: string,
  at: string,
  { projectId, language }: Writing,
): TaskRow | undefined {
  const status = allDone ? "completed" : "in_progress";
  const had = task?.data as SessionTaskData | undefined;
  if (status === task?.status && JSON.stringify(had?.session) === JSON.stringify(run))
    return undefined;
  const { completed_count: completed, total_tasks: total } = state.metrics;
  const data: SessionTaskData = {
    ...(had ?? newData(state, at, language)),
    title: state.project,
    progress: total === 0 ? 0 : Math.min(100, Math.floor((completed / total) * 100)),
    completedAt: allDone ? at : null,
    session: run,
  };
  return {
    ...(task ?? newRunRow({ id, projectId, workflow, status: "in_progress" }, at)),
    status,
    data,
    updatedAt: at,
  };
}

function newData({ project }: OrchestrateState, at: string, language: Language): TaskData {
  const description = places["orchestrate-state"];
  const run = { title: project, description, agent: "session", language };
  return { ...newRunData(run), startedAt: at };
}

function transitionsOf(
  { journal, ended, allDone }: Accepted,
  task: TaskRow | undefined,
  taskIdOf: string,
  timestamp: string,
): Omit<TransitionRow, "seq">[] {
  const common = { timestamp, taskId: taskIdOf };
  const ofTask = (from: string, to: string, trigger: string, metadata: object) => {
    return { ...common, machine: "task", entityId: taskIdOf, from, to, trigger, metadata };
  };
  const units = journal.map(({ id: entityId, from, to, trigger, metadata }) => {
    return { ...common, machine: "unit", entityId, from, to, trigger, metadata };
  });
  return [
    ...(task === undefined ? [ofTask("pending", "in_progress", "start", {})] : []),
    ...units,
    ...ended.map((phase) => ofTask("in_progress", "in_progress", "phase_passed", { phase })),
    ...(allDone ? [ofTask("in_progress", "completed", "phase_passed", {})] : []),
  ];
}
