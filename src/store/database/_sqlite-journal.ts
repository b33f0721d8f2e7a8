// The journal: written with every change, read by task now and then. So it is written in order, and
// which transitions are a task's is entered for a whole block of them at once, sorted, when it is
// full: far fewer pages than entering each as it comes. What is asked about a task is looked up for
// the full blocks and looked for in the last one, which takes less than a millisecond.
//
// The numbers have no gap and none is ever taken back (SQLite gives the highest plus one, and no
// transition is deleted), so that the highest number says which blocks are full.
import type { Connection } from "./_sqlite-connection.ts";
import { all, conditions, parsed } from "./_sqlite-rows.ts";
import type { TransitionFilter, TransitionRow } from "./store.ts";

/** Entering a block of 2,048 took 3 ms, looking through one 0.5 ms. */
export const journalBlock = 2_048;

/** Returns its number. */
export function insertTransition(
  connection: Connection,
  row: Omit<TransitionRow, "seq">,
  metadata: string,
): number {
  const seq = connection.insert(
    `insert into transition
       (timestamp, task_id, machine, entity_id, from_state, to_state, trigger, metadata)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    [row.timestamp, row.taskId, row.machine, row.entityId, row.from, row.to, row.trigger, metadata],
  );
  if (seq % journalBlock === 0)
    connection.run(
      `insert into transition_of_task (task_id, seq)
       select task_id, seq from transition where seq > ? and seq <= ? order by task_id, seq`,
      [seq - journalBlock, seq],
    );
  return seq;
}

/** In the order they were committed: SQLite has one writer at a time, so `seq` is that order. */
export function findTransitions(connection: Connection, filter: TransitionFilter): TransitionRow[] {
  const { after = 0, taskId, limit = all } = filter;
  if (taskId === undefined) return select(connection, "transition", filter);
  // Asked first: a block that is filled meanwhile is then looked for, and found, as the last one.
  const newest = connection.get("select max(seq) as seq from transition") as { seq: number | null };
  const last = newest.seq ?? 0;
  const entered = last - (last % journalBlock);
  const found =
    after < entered
      ? select(connection, "transition_of_task join transition using (seq)", filter, entered)
      : [];
  if (limit !== all && found.length >= limit) return found;
  const rest = limit === all ? all : limit - found.length;
  const open = { ...filter, after: Math.max(after, entered), limit: rest };
  return [...found, ...select(connection, "transition", open)];
}

// --- internal ---

function select(
  connection: Connection,
  from: string,
  { after, taskId, machine, limit = all }: TransitionFilter,
  to?: number,
): TransitionRow[] {
  const { where, values } = conditions([
    ["seq > ?", after],
    ["seq <= ?", to],
    [to === undefined ? "task_id = ?" : "transition_of_task.task_id = ?", taskId],
    ["machine = ?", machine],
  ]);
  const sql = `select seq, timestamp, transition.task_id as taskId, machine, entity_id as entityId,
    from_state as "from", to_state as "to", trigger, metadata
    from ${from}${where} order by seq limit ?`;
  const found = connection.all(sql, [...values, limit]);
  return found.map((row) => parsed<TransitionRow>(row, "metadata"));
}
