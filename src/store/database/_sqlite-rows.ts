// How rows are read: plain SQL, and JSON columns parsed. Every list has an order that does not
// depend on how the engine found it.
import type { Connection } from "./_sqlite-connection.ts";
import type { SqlValue } from "./driver.ts";
import type {
  DocumentRow,
  EffectRow,
  EntityRow,
  InboxRow,
  KeptFilter,
  ProjectRow,
  RevisionRow,
  TaskFilter,
  TaskRow,
  TimerRow,
  WholeTask,
} from "./store.ts";

export function projectAt(connection: Connection, root: string): ProjectRow | undefined {
  return connection.get(`${projectSql} where root = ?`, [root]) as ProjectRow | undefined;
}

export function allProjects(connection: Connection): ProjectRow[] {
  return connection.all(`${projectSql} order by created_at, id`) as ProjectRow[];
}

export function taskById(connection: Connection, id: string): TaskRow | undefined {
  return connection.lists(`${taskSql} where id = ?`, [id]).map(taskOf)[0];
}

export function findTasks(connection: Connection, filter: TaskFilter): TaskRow[] {
  const { projectId, status, statuses, workflow, archived, limit = all } = filter;
  // A list goes in as one value: the statement stays the same for any number of them.
  const { where, values } = conditions([
    ["project_id = ?", projectId],
    ["status = ?", status],
    ["status in (select value from json_each(?))", statuses && JSON.stringify(statuses)],
    ["workflow = ?", workflow],
    ["archived = ?", archived === undefined ? undefined : Number(archived)],
  ]);
  // The order of the queue (S1.8), and of the index by status.
  const sql = `${taskSql}${where} order by priority desc, queued_at, id limit ?`;
  return connection.lists(sql, [...values, limit]).map(taskOf);
}

export function countByStatus(connection: Connection, kind?: string): Record<string, number> {
  const from = kind === undefined ? "task" : "entity where kind = ?";
  const sql = `select status, count(*) as count from ${from} group by status`;
  const found = connection.all(sql, kind === undefined ? [] : [kind]);
  const counts = found as { readonly status: string; readonly count: number }[];
  return Object.fromEntries(counts.map(({ status, count }) => [status, count]));
}

/** The expressions are those of the indexes; nothing else of a task's data is looked at here. */
export function keptTasks(connection: Connection, filter: KeptFilter): TaskRow[] {
  const { projectId, only = "all", after, limit } = filter;
  const { index, also } = keptParts[only];
  const next = after && ` and ${endedAtSql} >= ? and (${endedAtSql} > ? or id > ?)`;
  const from = after ? [after.endedAt, after.endedAt, after.id] : [];
  const sql = `${taskSql} indexed by ${index} where project_id = ? and ${endedSql} and ${also}${next ?? ""}
    order by ${endedAtSql}, id limit ?`;
  return connection.lists(sql, [projectId, ...from, limit]).map(taskOf);
}

export function keptBytes(connection: Connection, projectId: string): number {
  const { index, also } = keptParts.all;
  const sql = `select coalesce(sum(data ->> '$.kept.bytes'), 0) as bytes
    from task indexed by ${index} where project_id = ? and ${endedSql} and ${also}`;
  return (connection.get(sql, [projectId]) as { bytes: number }).bytes;
}

/** Three questions for any number of tasks: a start after a kill has hundreds to ask about. */
export function wholeTasks(connection: Connection, ids: readonly string[]): WholeTask[] {
  const wanted = [JSON.stringify(ids)];
  const among = "in (select value from json_each(?))";
  const entities = connection.all(`${entitySql} where task_id ${among} order by kind, id`, wanted);
  const effects = connection.all(
    `${effectSql} and task_id ${among} order by created_at, key`,
    wanted,
  );
  const entitiesOf = byTask(entities.map((row) => parsed<EntityRow>(row, "data")));
  const effectsOf = byTask(effects.map((row) => parsed<EffectRow>(row, "data")));
  return connection.lists(`${taskSql} where id ${among}`, wanted).map((row) => {
    const task = taskOf(row);
    const { id } = task;
    return { task, entities: entitiesOf.get(id) ?? [], effects: effectsOf.get(id) ?? [] };
  });
}

export function entityById(
  connection: Connection,
  kind: string,
  id: string,
): EntityRow | undefined {
  const found = connection.all(`${entitySql} where kind = ? and id = ?`, [kind, id]);
  return found.map((row) => parsed<EntityRow>(row, "data"))[0];
}

export function findEntities(
  connection: Connection,
  filter: { taskId?: string; kind?: string; status?: string },
): EntityRow[] {
  const { where, values } = conditions([
    ["task_id = ?", filter.taskId],
    ["kind = ?", filter.kind],
    ["status = ?", filter.status],
  ]);
  const found = connection.all(`${entitySql}${where} order by kind, id`, values);
  return found.map((row) => parsed<EntityRow>(row, "data"));
}

export function openEffects(connection: Connection, taskId?: string): EffectRow[] {
  const values = taskId === undefined ? [] : [taskId];
  const of = taskId === undefined ? "" : " and task_id = ?";
  const found = connection.all(`${effectSql}${of} order by created_at, key`, values);
  return found.map((row) => parsed<EffectRow>(row, "data"));
}

export function tasksWithEffects(connection: Connection): string[] {
  const sql = "select distinct task_id as id from effect where done_at is null order by task_id";
  return (connection.all(sql) as { id: string }[]).map(({ id }) => id);
}

export function tasksWithMail(connection: Connection): string[] {
  const sql = "select distinct task_id as id from inbox where acknowledged_at is null order by 1";
  return (connection.all(sql) as { id: string }[]).map(({ id }) => id);
}

export function timersDue(connection: Connection, now: number): TimerRow[] {
  const found = connection.all(`${timerSql} where due_at <= ? order by due_at, key`, [now]);
  return found.map((row) => parsed<TimerRow>(row, "data"));
}

export function timersNamed(connection: Connection, name: string): TimerRow[] {
  const found = connection.all(`${timerSql} where name = ? order by due_at, key`, [name]);
  return found.map((row) => parsed<TimerRow>(row, "data"));
}

export function nextTimer(connection: Connection): TimerRow | undefined {
  const found = connection.all(`${timerSql} order by due_at, key limit 1`);
  return found.map((row) => parsed<TimerRow>(row, "data"))[0];
}

export function openInbox(connection: Connection, taskId: string): InboxRow[] {
  const sql = `${inboxSql} where task_id = ? and acknowledged_at is null order by seq`;
  return connection.all(sql, [taskId]).map(inboxOf);
}

export function inboxByKey(connection: Connection, key: string): InboxRow | undefined {
  return connection.all(`${inboxSql} where key = ?`, [key]).map(inboxOf)[0];
}

export function documentAt(connection: Connection, path: string): DocumentRow | undefined {
  return connection.get(documentAtSql, [path]) as DocumentRow | undefined;
}

export function documentsOf(connection: Connection, projectId: string): DocumentRow[] {
  const sql = `${documentSql} where project_id = ? order by path`;
  return connection.all(sql, [projectId]) as DocumentRow[];
}

export function revisionsOf(connection: Connection, path: string, after: number): RevisionRow[] {
  const sql = `select path, rev, kind, base, content, event, created_at as createdAt
    from revision where path = ? and rev > ? order by rev`;
  return connection.all(sql, [path, after]).map((row) => parsed<RevisionRow>(row, "event"));
}

export function blobOf(connection: Connection, hash: string): Uint8Array | undefined {
  const row = connection.get("select content from blob where hash = ?", [hash]);
  return (row as { content: Uint8Array } | undefined)?.content;
}

/** As a limit: none. */
export const all = -1;

/** Only the given ones. */
export function conditions(given: readonly (readonly [string, SqlValue | undefined])[]): {
  where: string;
  values: SqlValue[];
} {
  const used = given.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]));
  const where = used.map(({ sql }) => sql).join(" and ");
  return { where: where && ` where ${where}`, values: used.map(({ value }) => value) };
}

/** The row as it came, with one column of JSON read. */
// oxlint-disable-next-line no-unnecessary-type-parameters -- names what the row is said to be
export function parsed<Row>(row: unknown, column: keyof Row & string): Row {
  const found = row as Record<string, unknown>;
  return { ...found, [column]: JSON.parse(String(found[column])) as unknown } as Row;
}

// --- internal ---

/** The index by name: those that are done are many more, and the planner does not know it. */
const effectSql = `select key, task_id as taskId, name, data, created_at as createdAt, attempts
  from effect indexed by effect_open where done_at is null`;
const projectSql = "select id, root, hash, created_at as createdAt from project";
/** In the order of taskOf(). */
const taskSql = `select id, project_id, workflow, status, priority, queued_at, archived, retry_of, rev,
  data, created_at, updated_at from task`;
const endedSql = "status in ('completed', 'failed')";
const endedAtSql = "coalesce(data ->> '$.completedAt', data ->> '$.failedAt', updated_at)";
/** The index by name, because the planner does not know how few of the tasks each one holds. */
const keptParts = {
  all: { index: "task_kept", also: "data ->> '$.kept.removedAt' is null" },
  unmeasured: { index: "task_unmeasured", also: "data ->> '$.kept.bytes' is null" },
  announced: {
    index: "task_announced",
    also: "data ->> '$.kept.removedAt' is null and data ->> '$.kept.removeAt' is not null",
  },
} as const;
const entitySql = "select kind, id, task_id as taskId, status, rev, data from entity";
const timerSql = "select key, task_id as taskId, name, due_at as dueAt, data from timer";
const inboxSql = `select seq, key, task_id as taskId, name, data, created_at as createdAt,
  acknowledged_at as acknowledgedAt, outcome from inbox`;
const documentSql = `select path, project_id as projectId, task_id as taskId, format, rev, before,
  after, token, boot, updated_at as updatedAt from document`;
const documentAtSql = `${documentSql} where path = ?`;

/** By hand: there may be thousands, and a process that was killed has to read them all again. */
function taskOf(row: readonly SqlValue[]): TaskRow {
  return {
    id: row[0] as string,
    projectId: row[1] as string,
    workflow: row[2] as string,
    status: row[3] as string,
    priority: row[4] as number,
    queuedAt: row[5] as number | null,
    archived: row[6] === 1,
    retryOf: row[7] as string | null,
    rev: row[8] as number,
    data: JSON.parse(row[9] as string) as unknown,
    createdAt: row[10] as string,
    updatedAt: row[11] as string,
  };
}

function byTask<Row extends { readonly taskId: string }>(
  rows: readonly Row[],
): ReadonlyMap<string, readonly Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const others = found.get(row.taskId);
    if (others) others.push(row);
    else found.set(row.taskId, [row]);
  }
  return found;
}

function inboxOf(row: unknown): InboxRow {
  const entry = parsed<InboxRow>(row, "data");
  return entry.outcome === null ? entry : parsed<InboxRow>(entry, "outcome");
}
