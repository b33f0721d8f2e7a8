// Who owns a task, until when, under which epoch. All processes share this host's clock.
import { msg } from "../../core/messages.ts";
import type { Connection } from "./_sqlite-connection.ts";
import { refusal } from "./_sqlite-refusals.ts";
import type { Change, LeaseRow } from "./store.ts";

export function claimLease(
  connection: Connection,
  wanted: { readonly taskId: string; readonly owner: string; readonly from?: string | undefined },
  now: number,
  milliseconds: number,
): LeaseRow | undefined {
  const { taskId, owner, from } = wanted;
  const held = leaseOf(connection, taskId);
  const until = now + milliseconds;
  if (held !== undefined && held.until > now && held.owner !== from) {
    // Still ours: no one was in between, so that the epoch may stay.
    return held.owner === owner ? renewLease(connection, held, now, milliseconds) : undefined;
  }
  const epoch = (held?.epoch ?? 0) + 1;
  connection.run(
    `insert into lease (task_id, owner, epoch, until) values (?, ?, ?, ?)
     on conflict (task_id) do update set owner = excluded.owner, epoch = excluded.epoch,
       until = excluded.until`,
    [taskId, owner, epoch, until],
  );
  return { taskId, owner, epoch, until };
}

export function renewLease(
  connection: Connection,
  lease: LeaseRow,
  now: number,
  milliseconds: number,
): LeaseRow | undefined {
  const { taskId, owner, epoch } = lease;
  const until = now + milliseconds;
  const changed = connection.run(
    "update lease set until = ? where task_id = ? and owner = ? and epoch = ? and until > ?",
    [until, taskId, owner, epoch, now],
  );
  return changed === 0 ? undefined : { taskId, owner, epoch, until };
}

/** The row stays, with its epoch: the next holder's has to be higher. */
export function releaseLease(connection: Connection, lease: LeaseRow): void {
  connection.run("update lease set until = 0 where task_id = ? and owner = ? and epoch = ?", [
    lease.taskId,
    lease.owner,
    lease.epoch,
  ]);
}

/** Throws a refusal unless this owner holds the task under this epoch, unexpired. */
export function requireLease(
  connection: Connection,
  lease: NonNullable<Change["lease"]>,
  now: number,
): void {
  const { taskId: id, owner, epoch } = lease;
  const held = leaseOf(connection, id);
  if (held !== undefined && held.owner === owner && held.epoch === epoch && held.until > now)
    return;
  // One that was released or has run out belongs to nobody.
  const other = held !== undefined && held.until > now && held.epoch !== epoch ? held : undefined;
  throw refusal(
    "fenced",
    other === undefined
      ? msg("store.fenced.ended", { id, epoch })
      : msg("store.fenced.other", { id, owner: other.owner, found: other.epoch, epoch }),
  );
}

export function leaseOf(connection: Connection, taskId: string): LeaseRow | undefined {
  const sql = "select task_id as taskId, owner, epoch, until from lease where task_id = ?";
  return connection.get(sql, [taskId]) as LeaseRow | undefined;
}
