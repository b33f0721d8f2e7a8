import { describe, expect, test } from "vitest";
import { fixtureOf } from "../../../test/fixtures/documents.ts";
import { unitStatuses } from "../../core/vocabulary.ts";
import { loadCodec } from "../../formats/codec.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";
import { parseTaskList } from "../../formats/task-list.ts";
import { type Rebuilt, rebuildState } from "./rebuild.ts";

const now = "2026-01-31T09:00:00.000Z";
const rebuilt = (text: string, earlier?: OrchestrateState): Rebuilt => {
  const list = parseTaskList(text);
  expect(list.problems).toEqual([]);
  return rebuildState(list, earlier, "folder", now);
};

const plan = `# Shop

## Phase 0
- [x] T0.1: repository
- [x] T0.2: tools

## Phase 1
- [x] T1.1: model
- [ ] T1.2: pages
  - depends: T1.1
- [ ] T1.3: search
  - depends: T1.2

## Phase 2
- [ ] T2.1: launch
`;

const seen = (): OrchestrateState =>
  JSON.parse(fixtureOf("orchestrate-state").text) as OrchestrateState;

/** As the journal last saw this plan. */
const earlier = (): OrchestrateState => ({
  ...seen(),
  tasks: {
    pending: ["T1.3"],
    ready: ["T2.1"],
    in_progress: ["T1.1"],
    completed: ["T0.1"],
    failed: ["T1.2"],
    blocked: [],
  },
  dependencies: {},
  checkpoints: {
    phase_0: { completed_at: "2026-01-21T09:30:00Z", tasks: ["T0.1", "T0.9"], merged: true },
    phase_1: { started_at: "2026-01-21T09:35:00Z", progress: "0/3" },
  },
});

describe("a state rebuilt from its plan (S2.9)", () => {
  test("a checked box is completed, the rest follows from the dependencies", () => {
    const { state, dropped } = rebuilt(plan);
    expect(state.tasks).toEqual({
      pending: ["T1.3"],
      ready: ["T1.2", "T2.1"],
      in_progress: [],
      completed: ["T0.1", "T0.2", "T1.1"],
      failed: [],
      blocked: [],
    });
    expect(state.dependencies).toEqual({ "T1.2": ["T1.1"], "T1.3": ["T1.2"] });
    expect(dropped).toEqual([]);
  });

  test("S2.1 without an older state: the defaults, the plan's title, the first phase not done", () => {
    const { state } = rebuilt(plan);
    expect(state).toMatchObject({
      version: "2.0",
      mode: "ultra-thin",
      project: "Shop",
      execution: { current_phase: 1, worktree: null, started_at: now, last_updated: now },
      config: { max_parallel: 0, retry_limit: 10, slack_webhook_url: null },
    });
    expect(rebuilt("- [ ] T1.1: a\n").state.project).toBe("folder");
  });

  test("S2.2 metrics are counted anew, and a phase has its progress", () => {
    const { state } = rebuilt(plan, earlier());
    expect(state.metrics).toEqual({
      total_tasks: 6,
      completed_count: 3,
      failed_count: 1,
      average_task_time_seconds: 120,
    });
    expect(state.checkpoints["phase_1"]).toEqual({
      started_at: "2026-01-21T09:35:00Z",
      progress: "1/3",
      tasks_count: 3,
    });
    expect(state.checkpoints).not.toHaveProperty("phase_2");
  });

  test("a plan that is all done stands in its last phase", () => {
    const { state } = rebuilt(plan.replaceAll("[ ]", "[x]"));
    expect(state.execution.current_phase).toBe(2);
    expect(state.metrics.completed_count).toBe(6);
  });

  test("S2.2 S2.8 what the journal saw is merged: failures block, work in progress is open again", () => {
    const { state } = rebuilt(plan.replace("[x] T1.1", "[ ] T1.1"), earlier());
    expect(state.tasks).toEqual({
      pending: [],
      ready: ["T1.1", "T2.1"],
      in_progress: [],
      completed: ["T0.1", "T0.2"],
      failed: ["T1.2"],
      blocked: ["T1.3"],
    });
    // A box that was checked since outweighs the failure.
    expect(rebuilt(plan.replace("[ ] T1.2", "[x] T1.2"), earlier()).state.tasks.failed).toEqual([]);
  });

  test("S2.2 a finished phase stays as it was written, and its tasks count as completed", () => {
    const { state, dropped } = rebuilt(plan.replaceAll("[x]", "[ ]"), earlier());
    expect(state.checkpoints["phase_0"]).toEqual(earlier().checkpoints["phase_0"]);
    expect(state.tasks.completed).toEqual(["T0.1"]);
    // T0.9 is no longer in the plan.
    expect(dropped).toEqual(["T0.9"]);
  });

  test("S2.1 settings, fields of a person's own and the worktree of the same phase stay", () => {
    const mine = { ...earlier(), my_note: "keep", mode: "ralph" as const };
    const { state } = rebuilt(plan, mine);
    expect(state).toMatchObject({
      my_note: "keep",
      mode: "ralph",
      project: "project-name",
      config: mine.config,
      execution: { worktree: "worktree/phase-1-feature-name", started_at: "2026-01-21T09:00:00Z" },
    });
    const later = rebuilt(plan.replaceAll(/\[ \] T1/g, "[x] T1"), mine).state;
    expect(later.execution).toMatchObject({ current_phase: 2, worktree: null });
  });

  test("it is always a valid document, with each task in one list", async () => {
    const codec = await loadCodec("orchestrate-state");
    for (const before of [undefined, earlier(), seen()]) {
      const { state } = rebuilt(plan, before);
      expect(codec.check(state)).toEqual([]);
      const listed = unitStatuses.flatMap((status) => state.tasks[status]);
      expect(listed.toSorted()).toEqual(["T0.1", "T0.2", "T1.1", "T1.2", "T1.3", "T2.1"]);
    }
  });
});
