import { describe, expect, test } from "vitest";
import { fixtureOf } from "../../../test/fixtures/documents.ts";
import { render } from "../../core/messages.ts";
import { loadCodec } from "../../formats/codec.ts";
import type { TaskHistory } from "../../formats/task-history.ts";
import type { PlanTask, TaskState } from "../../formats/task-state.ts";
import { reconcile } from "./reconcile.ts";

const now = "2026-01-31T09:00:00.000Z";
const history = (): TaskHistory => JSON.parse(fixtureOf("task-history").text) as TaskHistory;
const state = (): TaskState => JSON.parse(fixtureOf("task-state").text) as TaskState;
const current = (change: Partial<PlanTask> = {}): PlanTask => {
  const task = state().current_task;
  if (!task) throw new Error("the fixture has a current task");
  return { ...task, ...change };
};
const said = ({ done }: ReturnType<typeof reconcile>): string[] =>
  done.map((message) => render("en", message));

describe("a plan's state against its history (S3.7)", () => {
  test("a current task that has ended is no longer current, and that is told", () => {
    // The sources' own examples: the task of the history ended after the state's last word on it.
    const made = reconcile(state(), history(), now);
    expect(made.state).toEqual({ ...state(), current_task: null, last_updated: now });
    expect(said(made)).toEqual([
      "the current task task-2025-11-18-001 has ended according to the history; it is no longer current",
    ]);
  });

  test("so is a waiting one", () => {
    const waiting = { ...state(), current_task: null, pending_tasks: [current()] };
    const made = reconcile(waiting, history(), now);
    expect(made.state.pending_tasks).toEqual([]);
    expect(said(made)[0]).toContain("the waiting task task-2025-11-18-001 has ended");
  });

  test("S3.2 a failed task that was taken up again is current by right", () => {
    const again = { ...state(), current_task: current({ updated_at: "2025-11-18T10:06:00Z" }) };
    expect(reconcile(again, history(), now)).toEqual({ state: again, done: [], ended: [] });
  });

  test("another task under the id of an ended one gets an id of its own", async () => {
    const other = {
      ...state(),
      current_task: current({ name: "다른 작업" }),
      pending_tasks: [current({ id: "task-2025-11-18-002" })],
    };
    const made = reconcile(other, history(), now);
    expect(made.state.current_task?.id).toBe("task-2025-11-18-003");
    expect(made.state.pending_tasks).toEqual(other.pending_tasks);
    expect(said(made)).toEqual([
      "the id task-2025-11-18-001 belongs to another task in the history; this one is now task-2025-11-18-003",
    ]);
    expect((await loadCodec("task-state")).check(made.state)).toEqual([]);
  });

  test("two that agree stay the very same, and what was reconciled agrees", () => {
    const fine = { ...state(), current_task: current({ id: "task-2025-11-19-001" }) };
    expect(reconcile(fine, history(), now).state).toBe(fine);
    const made = reconcile(state(), history(), now).state;
    expect(reconcile(made, history(), now)).toEqual({ state: made, done: [], ended: [] });
  });
});
