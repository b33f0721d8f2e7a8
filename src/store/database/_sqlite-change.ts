// One Change as steps inside a transaction. What can be prepared is prepared when the change is
// handed in (JSON above all): a value that JSON can not hold fails its own caller at once, and the
// write lock is held for SQL only.
import type { Connection } from "./_sqlite-connection.ts";
import { documentGoneStep, documentStep } from "./_sqlite-documents.ts";
import { insertTransition } from "./_sqlite-journal.ts";
import { secretStep, snapshotStep } from "./_sqlite-kept.ts";
import { requireLease } from "./_sqlite-leases.ts";
import { refusal } from "./_sqlite-refusals.ts";
import {
  JsonTexts,
  type Step,
  acknowledgeStep,
  effectStep,
  entityStep,
  inboxGoneStep,
  inboxStep,
  projectStep,
  taskGoneStep,
  taskStep,
  timerStep,
} from "./_sqlite-steps.ts";
import type { Change, Outcome } from "./store.ts";

export interface Plan {
  /** About how much it writes. */
  readonly bytes: number;
  /** Inside a transaction; throws Refused. */
  apply(connection: Connection, now: number): Outcome;
}

export function planOf(change: Change): Plan {
  const { lease, guard } = change;
  const json = new JsonTexts();
  const steps: Step[] = [];
  addGone(change, steps);
  addRows(change, json, steps);
  addKeyed(change, json, steps);
  const transitions = (change.transitions ?? []).map((row) => ({
    row,
    metadata: json.of(row.metadata, "transition", row.entityId),
  }));
  const following = change.next?.map(planOf) ?? [];
  return {
    bytes: following.reduce((sum, { bytes }) => sum + bytes, json.bytes),
    apply: (connection, now) => {
      if (lease !== undefined) requireLease(connection, lease, now);
      const allowed = guard?.() ?? true;
      if (allowed !== true) throw refusal("guarded", allowed);
      for (const step of steps) step(connection);
      let lastSeq = 0;
      for (const { row, metadata } of transitions)
        lastSeq = insertTransition(connection, row, metadata);
      for (const plan of following) {
        const outcome = plan.apply(connection, now);
        if (outcome.ok) lastSeq = outcome.lastSeq || lastSeq;
      }
      return { ok: true, lastSeq };
    },
  };
}

// --- internal ---

/** What goes, goes first: a change may remove something and make it anew. */
function addGone(change: Change, steps: Step[]): void {
  for (const id of change.tasksGone ?? []) steps.push(taskGoneStep(id));
  for (const path of change.documentsGone ?? []) steps.push(documentGoneStep(path));
  for (const key of change.timersGone ?? [])
    steps.push((connection) => connection.run("delete from timer where key = ?", [key]));
  for (const id of change.snapshotsGone ?? [])
    steps.push((connection) => connection.run("delete from snapshot where id = ?", [id]));
}

/** Projects before tasks before entities: each refers to the one before. */
function addRows(change: Change, json: JsonTexts, steps: Step[]): void {
  for (const row of change.projects ?? []) steps.push(projectStep(row));
  for (const row of change.tasks ?? [])
    steps.push(taskStep(row, json.of(row.data, "task", row.id)));
  for (const row of change.entities ?? [])
    steps.push(entityStep(row, json.of(row.data, "entity", row.id, row.kind)));
  for (const write of change.documents ?? []) {
    json.bytes += write.revision.content?.length ?? 0;
    const event = json.of(write.revision.event, "document", write.document.path);
    steps.push(documentStep(write, event));
  }
}

function addKeyed(change: Change, json: JsonTexts, steps: Step[]): void {
  for (const row of change.effects ?? [])
    steps.push(effectStep(row, json.of(row.data, "effect", row.key)));
  for (const key of change.effectsTried ?? [])
    steps.push((connection) =>
      connection.run("update effect set attempts = attempts + 1 where key = ?", [key]),
    );
  for (const { key, at } of change.effectsDone ?? [])
    steps.push((connection) =>
      connection.run("update effect set done_at = ? where key = ? and done_at is null", [at, key]),
    );
  for (const row of change.timers ?? [])
    steps.push(timerStep(row, json.of(row.data, "timer", row.key)));
  for (const row of change.inbox ?? [])
    steps.push(inboxStep(row, json.of(row.data, "inbox", row.key)));
  for (const { path, rev } of change.documentsUnpublished ?? [])
    steps.push((connection) =>
      connection.run("update document set token = '' where path = ? and rev = ?", [path, rev]),
    );
  for (const row of change.snapshots ?? [])
    steps.push(snapshotStep(row, json.of(row.data, "snapshot", row.id)));
  for (const row of change.secrets ?? []) steps.push(secretStep(row));
  for (const { seq, at, outcome } of change.acknowledge ?? [])
    steps.push(acknowledgeStep(seq, at, json.of(outcome, "inbox", String(seq))));
  for (const id of change.tasksGone ?? []) steps.push(inboxGoneStep(id));
}
