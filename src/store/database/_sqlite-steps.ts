// How each kind of row is written. A write names the revision it read; the statement looks for
// exactly that one, so that check and write are one, and a row that moved on is not touched.
import { Fault } from "../../core/errors.ts";
import { type Message, msg } from "../../core/messages.ts";
import type { Connection } from "./_sqlite-connection.ts";
import { refusal, stale } from "./_sqlite-refusals.ts";
import type { Change, EffectRow, EntityRow, ProjectRow, TaskRow, TimerRow } from "./store.ts";

/** Does its part inside a transaction, or throws Refused. */
export type Step = (connection: Connection) => unknown;

type What =
  | "snapshot"
  | "task"
  | "entity"
  | "document"
  | "effect"
  | "timer"
  | "transition"
  | "inbox";

export class JsonTexts {
  bytes = 0;

  of(value: unknown, what: What, id: string, kind = ""): string {
    try {
      // undefined has no JSON; the column has to hold something, and null says the same.
      const text = JSON.stringify(value) ?? "null";
      this.bytes += text.length;
      return text;
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      const named: Message = { key: `store.what.${what}`, params: { id, kind } };
      throw new Fault("invalid_input", msg("store.not_json", { what: named, detail }), {
        cause: error,
      });
    }
  }
}

export function projectStep(row: ProjectRow): Step {
  return (connection) => {
    const { id, root, hash, createdAt } = row;
    const changed = connection.run(
      `insert into project (id, root, hash, created_at) values (?, ?, ?, ?)
       on conflict (id) do update set root = excluded.root, hash = excluded.hash
       on conflict (root) do nothing`,
      [id, root, hash, createdAt],
    );
    // Two processes met in the same folder for the first time: the second reads the first's.
    if (changed === 0) throw stale(msg("store.what.project", { id: root }), 0, 1);
  };
}

export function taskStep(row: TaskRow, data: string): Step {
  const { id, rev, workflow, status, priority, queuedAt, retryOf, updatedAt } = row;
  const archived = row.archived ? 1 : 0;
  const create: Step = (connection) =>
    connection.run(
      `insert into task (id, project_id, workflow, status, priority, queued_at, archived, retry_of,
         rev, data, created_at, updated_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?) on conflict (id) do nothing`,
      [
        id,
        row.projectId,
        workflow,
        status,
        priority,
        queuedAt,
        archived,
        retryOf,
        data,
        row.createdAt,
        updatedAt,
      ],
    );
  // Project and creation never change; left out, they spare their index (and its page in the log).
  const update: Step = (connection) =>
    connection.run(
      `update task set workflow = ?, status = ?, priority = ?, queued_at = ?, archived = ?,
         retry_of = ?, rev = rev + 1, data = ?, updated_at = ? where id = ? and rev = ?`,
      [workflow, status, priority, queuedAt, archived, retryOf, data, updatedAt, id, rev],
    );
  return revised(rev === 0 ? create : update, rev, {
    what: () => msg("store.what.task", { id }),
    sql: "select rev from task where id = ?",
    key: [id],
  });
}

export function entityStep(row: EntityRow, data: string): Step {
  const { kind, id, taskId, status, rev } = row;
  const create: Step = (connection) =>
    connection.run(
      `insert into entity (kind, id, task_id, status, rev, data) values (?, ?, ?, ?, 1, ?)
       on conflict (kind, id) do nothing`,
      [kind, id, taskId, status, data],
    );
  const update: Step = (connection) =>
    connection.run(
      `update entity set status = ?, rev = rev + 1, data = ?
       where kind = ? and id = ? and rev = ?`,
      [status, data, kind, id, rev],
    );
  return revised(rev === 0 ? create : update, rev, {
    what: () => msg("store.what.entity", { kind, id }),
    sql: "select rev from entity where kind = ? and id = ?",
    key: [kind, id],
  });
}

/** `write` changes exactly one row, or the row is not as it was read. */
export function revised(
  write: Step,
  rev: number,
  look: { readonly what: () => Message; readonly sql: string; readonly key: readonly string[] },
): Step {
  return (connection) => {
    if (write(connection) === 1) return;
    const found = connection.get(look.sql, look.key) as { rev: number } | undefined;
    throw stale(look.what(), rev, found?.rev);
  };
}

/** Its entities go by themselves. The journal stays, and so does what was decided (effects). */
export function taskGoneStep(id: string): Step {
  return (connection) => {
    connection.run("delete from timer where task_id = ?", [id]);
    connection.run("delete from snapshot where task_id = ?", [id]);
    connection.run("delete from secret where scope = ?", [id]);
    connection.run("delete from task where id = ?", [id]);
    // The lease stays: an epoch is never given twice, and its holder may still have to clean up.
  };
}

/** What is still unanswered; last of all, since the request to remove the task is answered too. */
export function inboxGoneStep(taskId: string): Step {
  return (connection) =>
    connection.run("delete from inbox where task_id = ? and acknowledged_at is null", [taskId]);
}

/** Decided twice is done once, also when it has been done already. */
export function effectStep(row: Omit<EffectRow, "attempts">, data: string): Step {
  return (connection) =>
    connection.run(
      `insert into effect (key, task_id, name, data, created_at) values (?, ?, ?, ?, ?)
       on conflict (key) do nothing`,
      [row.key, row.taskId, row.name, data, row.createdAt],
    );
}

/** Set again, it is moved. */
export function timerStep(row: TimerRow, data: string): Step {
  return (connection) =>
    connection.run(
      `insert into timer (key, task_id, name, due_at, data) values (?, ?, ?, ?, ?)
       on conflict (key) do update set task_id = excluded.task_id, name = excluded.name,
         due_at = excluded.due_at, data = excluded.data`,
      [row.key, row.taskId, row.name, row.dueAt, data],
    );
}

export function inboxStep(row: NonNullable<Change["inbox"]>[number], data: string): Step {
  return (connection) =>
    connection.run(
      `insert into inbox (key, task_id, name, data, created_at) values (?, ?, ?, ?, ?)
       on conflict (key) do nothing`,
      [row.key, row.taskId, row.name, data, row.createdAt],
    );
}

export function acknowledgeStep(seq: number, at: number, outcome: string): Step {
  return (connection) => {
    const changed = connection.run(
      `update inbox set acknowledged_at = ?, outcome = ?
       where seq = ? and acknowledged_at is null`,
      [at, outcome, seq],
    );
    // Handled by someone else meanwhile: whatever this change did about it must not happen twice.
    if (changed === 0)
      throw refusal(
        "stale",
        msg("store.stale.acknowledged", { what: msg("store.what.inbox", { id: seq }) }),
      );
  };
}
