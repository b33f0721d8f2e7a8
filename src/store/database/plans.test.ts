// How SQLite carries out the store's own statements: recorded as they are prepared, and explained. A
// search that names every column it was asked for reads only the rows it returns.
import { expect, test } from "vitest";
import { type Connection, connect } from "./_sqlite-connection.ts";
import { migrate } from "./_sqlite-open.ts";
import * as rows from "./_sqlite-rows.ts";
import { type Database, loadDriver } from "./driver.ts";

/** What the database does for the last statement of `act`. */
function planOf(act: (connection: Connection) => unknown): string {
  const database = loadDriver()(":memory:");
  try {
    migrate(":memory:", database);
    const prepared: string[] = [];
    const recording: Database = {
      isOpen: true,
      isTransaction: false,
      exec: (sql) => database.exec(sql),
      close: () => database.close(),
      prepare: (sql) => {
        prepared.push(sql);
        return database.prepare(sql);
      },
    };
    act(connect(":memory:", recording));
    const steps = database.prepare(`explain query plan ${prepared.at(-1)}`).all();
    return (steps as { detail: string }[]).map(({ detail }) => detail).join("; ");
  } finally {
    database.close();
  }
}

const after = { endedAt: "2026", id: "t" };
const found = { projectId: "p", limit: 9 };

// oxfmt-ignore
test.each<[string, (connection: Connection) => unknown, RegExp]>([
  ["entities of a kind and status", (c) => rows.findEntities(c, { kind: "agent", status: "paused" }), /^SEARCH entity USING INDEX entity_by_status \(kind=\? AND status=\?\)$/],
  ["entities of a task",            (c) => rows.findEntities(c, { taskId: "t" }), /^SEARCH entity USING INDEX entity_by_task \(task_id=\?\)$/],
  ["a task's entities of a kind",   (c) => rows.findEntities(c, { taskId: "t", kind: "agent" }), /^SEARCH entity USING INDEX entity_by_task \(task_id=\? AND kind=\?\)$/],
  ["a task's, of a kind and status", (c) => rows.findEntities(c, { taskId: "t", kind: "agent", status: "held" }), /^SEARCH entity USING INDEX entity_by_task \(task_id=\? AND kind=\?\)$/],
  ["tasks of some states",          (c) => rows.findTasks(c, { statuses: ["review"] }), /^SEARCH task USING INDEX task_by_status \(status=\?\);/],
  ["a project's runs of some states", (c) => rows.findTasks(c, { projectId: "p", workflow: "plan", statuses: ["review"], archived: false }), /^SEARCH task USING INDEX task_by_project \(project_id=\? AND workflow=\? AND status=\?\);/],
  ["a project's runs",              (c) => rows.findTasks(c, { projectId: "p", workflow: "plan" }), /^SEARCH task USING INDEX task_by_project \(project_id=\? AND workflow=\?\);/],
  ["a page of kept tasks",          (c) => rows.keptTasks(c, found), /^SEARCH task USING INDEX task_kept \(project_id=\?\)$/],
  ["the next page",                 (c) => rows.keptTasks(c, { ...found, after }), /^SEARCH task USING INDEX task_kept \(project_id=\? AND <expr>>\?\)$/],
  ["unmeasured tasks",              (c) => rows.keptTasks(c, { ...found, only: "unmeasured", after }), /^SEARCH task USING INDEX task_unmeasured \(project_id=\? AND <expr>>\?\)$/],
  ["announced removals",            (c) => rows.keptTasks(c, { ...found, only: "announced" }), /^SEARCH task USING INDEX task_announced \(project_id=\?\)$/],
])("S8.4 an index finds %s, in its order", (_, act, plan) => {
  expect(planOf(act)).toMatch(plan);
});

// oxfmt-ignore
test.each<[string, (connection: Connection) => unknown]>([
  ["sizes of kept tasks",         (c) => rows.keptBytes(c, "p")],
  ["tasks by status",             (c) => rows.countByStatus(c)],
  ["entities of a kind by status", (c) => rows.countByStatus(c, "agent")],
])("S8.4 an index alone adds up %s", (_, act) => {
  expect(planOf(act)).toMatch(/^(?:SEARCH|SCAN) \w+ USING COVERING INDEX \w+(?: \([^)]*\))?$/);
});
