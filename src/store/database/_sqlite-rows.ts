// How rows are read: plain SQL, and JSON columns parsed. Every list has an order that does not
// depend on how the engine found it.
import type { Connection } from "./_sqlite-connection.ts";
import type { SqlValue } from "./driver.ts";
import type {
  DocumentRow,
  EffectRow,
  EntityRow,
  InboxRow,
  ProjectRow,
  RevisionRow,
  TaskFilter,
  TaskRow,
  TimerRow,
  TransitionFilter,
  TransitionRow,
} from "./store.ts";

export function projectAt(connection: Connection, root: string): ProjectRow | undefined {
  return connection.get(`${projectSql} where root = ?`, [root]) as ProjectRow | undefined;
}

export function allProjects(connection: Connection): ProjectRow[] {
  return connection.all(`${projectSql} order by created_at, id`) as ProjectRow[];
}

export function taskById(connection: Connection, id: string): TaskRow | undefined {
  return connection.all(`${taskSql} where id = ?`, [id]).map(taskOf)[0];
}

export function findTasks(connection: Connection, filter: TaskFilter): TaskRow[] {
  const { projectId, status, workflow, archived, limit = all } = filter;
  const { where, values } = conditions([
    ["project_id = ?", projectId],
    ["status = ?", status],
    ["workflow = ?", workflow],
    ["archived = ?", archived === undefined ? undefined : Number(archived)],
  ]);
  // The order of the queue (S1.8), and of the index by status.
  const sql = `${taskSql}${where} order by priority desc, queued_at, id limit ?`;
  return connection.all(sql, [...values, limit]).map(taskOf);
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

/** In the order they were committed: SQLite has one writer at a time, so `seq` is that order. */
export function findTransitions(connection: Connection, filter: TransitionFilter): TransitionRow[] {
  const { after, taskId, machine, limit = all } = filter;
  const { where, values } = conditions([
    ["seq > ?", after],
    ["task_id = ?", taskId],
    ["machine = ?", machine],
  ]);
  const sql = `select seq, timestamp, task_id as taskId, machine, entity_id as entityId,
    from_state as "from", to_state as "to", trigger, metadata
    from transition${where} order by seq limit ?`;
  const found = connection.all(sql, [...values, limit]);
  return found.map((row) => parsed<TransitionRow>(row, "metadata"));
}

export function openEffects(connection: Connection, taskId?: string): EffectRow[] {
  const { where, values } = conditions([["task_id = ?", taskId]]);
  const sql = `select key, task_id as taskId, name, data, created_at as createdAt, attempts
    from effect${where}${where === "" ? " where" : " and"} done_at is null
    order by created_at, key`;
  return connection.all(sql, values).map((row) => parsed<EffectRow>(row, "data"));
}

export function timersDue(connection: Connection, now: number): TimerRow[] {
  const found = connection.all(`${timerSql} where due_at <= ? order by due_at, key`, [now]);
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
  return connection.get(`${documentSql} where path = ?`, [path]) as DocumentRow | undefined;
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

// --- internal ---

/** As a limit: none. */
const all = -1;

const projectSql = "select id, root, hash, created_at as createdAt from project";
const taskSql = `select id, project_id as projectId, workflow, status, priority,
  queued_at as queuedAt, archived, retry_of as retryOf, rev, data, created_at as createdAt,
  updated_at as updatedAt from task`;
const entitySql = "select kind, id, task_id as taskId, status, rev, data from entity";
const timerSql = "select key, task_id as taskId, name, due_at as dueAt, data from timer";
const inboxSql = `select seq, key, task_id as taskId, name, data, created_at as createdAt,
  acknowledged_at as acknowledgedAt, outcome from inbox`;
const documentSql = `select path, project_id as projectId, task_id as taskId, format, rev, before,
  after, token, boot, updated_at as updatedAt from document`;

/** Only the given ones. */
function conditions(given: readonly (readonly [string, SqlValue | undefined])[]): {
  where: string;
  values: SqlValue[];
} {
  const used = given.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]));
  const where = used.map(({ sql }) => sql).join(" and ");
  return { where: where && ` where ${where}`, values: used.map(({ value }) => value) };
}

/** The row as it came, with one column of JSON read. */
// oxlint-disable-next-line no-unnecessary-type-parameters -- names what the row is said to be
function parsed<Row>(row: unknown, column: keyof Row & string): Row {
  const found = row as Record<string, unknown>;
  return { ...found, [column]: JSON.parse(String(found[column])) as unknown } as Row;
}

function taskOf(row: unknown): TaskRow {
  const task = parsed<Omit<TaskRow, "archived"> & { archived: number }>(row, "data");
  return { ...task, archived: task.archived === 1 };
}

function inboxOf(row: unknown): InboxRow {
  const entry = parsed<InboxRow>(row, "data");
  return entry.outcome === null ? entry : parsed<InboxRow>(entry, "outcome");
}
