// Snapshots and secrets: what is kept beside the rows of a task.
import type { Connection } from "./_sqlite-connection.ts";
import type { Step } from "./_sqlite-steps.ts";
import type { SecretRow, SnapshotRow } from "./store.ts";

export function snapshotStep(row: SnapshotRow, data: string): Step {
  return (connection) =>
    connection.run(
      `insert into snapshot (id, task_id, seq, reason, data, created_at) values (?, ?, ?, ?, ?, ?)
       on conflict do nothing`,
      [row.id, row.taskId, row.seq, row.reason, data, row.createdAt],
    );
}

/** Given again, the newer one counts; null takes it away. */
export function secretStep(row: SecretRow): Step {
  const { scope, name, content, createdAt } = row;
  if (content === null)
    return (connection) =>
      connection.run("delete from secret where scope = ? and name = ?", [scope, name]);
  return (connection) =>
    connection.run(
      `insert into secret (scope, name, content, created_at) values (?, ?, ?, ?)
       on conflict (scope, name) do update set content = excluded.content,
         created_at = excluded.created_at`,
      [scope, name, content, createdAt],
    );
}

/** Newest first: the newest is the one that counts (S1.19). */
export function snapshotsOf(connection: Connection, taskId: string): SnapshotRow[] {
  const sql = `select id, task_id as taskId, seq, reason, data, created_at as createdAt
    from snapshot where task_id = ? order by seq desc`;
  return connection.all(sql, [taskId]).map((row) => {
    const found = row as Omit<SnapshotRow, "data"> & { data: string };
    return { ...found, data: JSON.parse(found.data) as unknown };
  });
}

export function secretsOf(connection: Connection, scope: string): SecretRow[] {
  const sql = `select scope, name, content, created_at as createdAt from secret
    where scope = ? order by name`;
  return connection.all(sql, [scope]) as SecretRow[];
}
