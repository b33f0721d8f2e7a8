import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Explanation } from "../../src/app/operations/why.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { type Ended, freshPlace, holdfast, nowhere, seeded } from "./program.ts";

let { project, home } = nowhere;
beforeEach(() => {
  ({ project, home } = freshPlace());
  seeded(project);
});

const why = (id: string, ...words: string[]): Ended =>
  holdfast(["why", id, ...words], { cwd: project, env: { HOLDFAST_HOME: home } });
const explained = (id: string): Explanation | undefined =>
  (JSON.parse(why(id, "--json").out) as { explanations: Explanation[] }).explanations[0];

const orchestrate = ".claude/orchestrate-state.json";

function edit(path: string, change: (text: string) => string): void {
  writeFileSync(join(project, path), change(readFileSync(join(project, path), "utf8")));
}

/** T1.3 has failed: T1.5 and T1.6 are blocked by it, T1.7 by those. */
function failing(): void {
  edit(orchestrate, (text) => {
    const state = JSON.parse(text) as { tasks: object };
    const tasks = {
      pending: ["T2.1"],
      ready: ["T1.4"],
      in_progress: [],
      completed: ["T0.5.1", "T1.1", "T1.2"],
      failed: ["T1.3"],
      blocked: ["T1.5", "T1.6", "T1.7"],
    };
    return JSON.stringify({ ...state, tasks });
  });
}

describe("holdfast why", () => {
  test("S6.1 a unit that waits names what it waits for, each with its state, and what would clear it", () => {
    const { code, out } = why("T1.5");
    expect(code).toBe(0);
    expect(out.split("\n")).toEqual([
      "orchestrate:T1.5  pending",
      "  ! It waits for: T1.3 (in_progress), T1.4 (ready).",
      "  → It goes on when these are completed: T1.3, T1.4.",
      "",
    ]);
    expect(explained("T1.5")?.events).toEqual([
      { event: "dependencies_met", allowed: false, reasons: ["It waits for: T1.3, T1.4."] },
    ]);
    expect(why("T1.5", "--lang", "ko").out).toContain("다음이 완료되면 진행됩니다: T1.3, T1.4.");
  });

  test("S2.2 a blocked unit names its nearest blockers, and the failure at the root of it", () => {
    failing();
    expect(explained("T1.7")).toMatchObject({
      status: "blocked",
      reasons: ["Failed or blocked, and it depends on them: T1.5 (blocked), T1.6 (blocked)."],
      next: ["It is free again when these are completed or tried again: T1.3."],
    });
    expect(explained("T1.3")).toMatchObject({
      status: "failed",
      events: [
        { event: "hand_complete", allowed: true, to: "completed" },
        { event: "retry", allowed: true, to: "ready" },
      ],
    });
    expect(explained("T1.4")?.next).toEqual(["Nothing holds it back: it may start."]);
  });

  test("S2.6 a unit of a later phase waits for the phase, and is not said to be free", () => {
    failing();
    expect(explained("T2.1")).toMatchObject({
      reasons: ["It belongs to phase 2, and phase 1 is not done yet."],
      next: [],
    });
    expect(explained("T0.5.2")?.next).toEqual(["It is done."]);
  });

  test("S0.4 a checkpoint waits for those its definition names; both spellings are one id", () => {
    const path = join(project, "docs/develop/checkpoints.yaml");
    mkdirSync(dirname(path), { recursive: true });
    const validation = "validation: { command: make test, expected: ok }";
    writeFileSync(
      path,
      `checkpoints:
  - { id: checkpoint-1, description: One, ${validation} }
  - { id: checkpoint-2, description: Two, ${validation} }
  - { id: checkpoint-3, description: Three, ${validation}, dependencies: [checkpoint-1, checkpoint-2] }
`,
    );
    expect(why("checkpoint-3").out).toBe(why("cp-3").out);
    expect(explained("cp-3")).toMatchObject({
      ref: "develop:cp-3",
      name: "Three",
      reasons: [expect.stringContaining("cp-2 (in_progress)")],
      next: ["It begins when these have passed: cp-2."],
    });
    expect(explained("cp-2")?.next[0]).toContain("Attempt 1 of 3");
    edit(".develop-workflow/state.yaml", (text) =>
      text.replace("phase: IMPLEMENT", "phase: REVIEW").replace(/strategy: .*\n/, ""),
    );
    expect(explained("cp-3")?.reasons[0]).toContain("The run is in REVIEW");
  });

  test("S0.3 an escalated checkpoint needs a person, who may try it again or skip it", () => {
    edit(".develop-workflow/state.yaml", (text) =>
      text.replace("{ status: in_progress, iteration: 1 }", "{ status: escalated, iteration: 3 }"),
    );
    expect(explained("cp-2")).toMatchObject({
      status: "escalated",
      events: [
        { event: "retry", allowed: true },
        { event: "skip", allowed: true },
      ],
    });
  });

  test("S3.2 a step of the plan tells its error and whether a retry is left", () => {
    expect(explained("1")).toMatchObject({ ref: "plan:1", kind: "step", reasons: [] });
    edit(".claude/memory/task-state.json", (text) => {
      const state = JSON.parse(text) as { current_task: { plan: { steps: object[] } } };
      const [step = {}] = state.current_task.plan.steps;
      const at = "2026-01-01T00:00:00Z";
      const error = { type: "transient", message: "no network", timestamp: at, retries: 3 };
      state.current_task.plan.steps = [
        { ...step, status: "failed", started_at: at, error },
        { ...step, id: 2, name: "After", dependencies: [1] },
      ];
      return JSON.stringify(state);
    });
    expect(explained("plan:1")).toMatchObject({
      reasons: ["It failed (transient): no network"],
      events: [
        { event: "retry", allowed: false },
        { event: "escalate", allowed: true },
      ],
    });
    expect(explained("2")?.reasons[0]).toContain("1 단계명 (failed)");
    expect(explained("task-2025-11-18-001")?.next).toEqual(["Steps left: 1, 2."]);
  });

  test("S4.4 a subtask names its next gate in the order 1, 3, 4, 2; what comes later waits its turn", () => {
    expect(explained("T1-S2")).toMatchObject({
      status: "in_progress, implementation",
      reasons: ["GATE-3 has not been passed yet."],
      next: ["It passes when only files named in the contract, and the test file, were changed."],
    });
    expect(explained("T1-S3")?.reasons).toEqual([
      "One comes after the other, and these come first: T1-S2.",
    ]);
    expect(explained("request:T2")?.next).toEqual(["It goes on when these are completed: T1."]);
    expect(explained("T1")?.next).toEqual(["T1-S2 is at work."]);
    expect(explained("R1")?.next).toEqual(["Tasks left: T1, T2."]);
  });

  test("S7.2 an unknown id exits 3 with the closest; a prefix looks into one workflow only", () => {
    const ended = why("T1.55");
    expect(ended.code).toBe(3);
    expect(ended.err).toContain("Did you mean “holdfast why T1.5”?");
    expect(why("plan:T1.5").code).toBe(3);
    expect(why("orchestrate:T1.5").code).toBe(0);
    expect(holdfast(["why"], { cwd: project }).code).toBe(2);
  });

  test("S6.1 where a file can not be read, that is told instead of “no such id”", () => {
    writeFileSync(join(project, orchestrate), "{");
    const ended = why("orchestrate:T1.5");
    expect(ended.code).toBe(3);
    expect(ended.err).toContain(
      `It may be in a file that can not be read. ${orchestrate}: the JSON`,
    );
  });

  test("S2.4 a unit has the title of its plan, wherever that lies; what is only planned is said so", () => {
    const plan = (path: string, title: string): void => {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      const lines = [`- [ ] T1.5: ${title}`, "- [ ] T9.1: 나중에", "- [x] T9.2: Done by hand"];
      writeFileSync(join(project, path), `# Plan\n\n${lines.join("\n")}\n`);
    };
    plan("TASKS.md", "Log in");
    expect(why("T1.5").out.split("\n")[0]).toBe("orchestrate:T1.5  Log in  pending");
    expect(why("T9.1", "--lang", "ko").out).toBe(
      "orchestrate:T9.1  나중에  pending\n  ! TASKS.md 4번째 줄에 있지만, 아직 실행에 포함되지 않았습니다.\n",
    );
    expect(explained("T9.2")).toMatchObject({ status: "completed", next: ["It is done."] });
    plan("docs/planning/TASKS.md", "Sign in");
    expect(explained("T1.5")?.name).toBe("Sign in");
    plan("plans/mine.md", "Enter");
    writeFileSync(
      join(project, "holdfast.yaml"),
      "version: 1\norchestrate:\n  tasks: plans/mine.md\n",
    );
    expect(explained("T1.5")?.name).toBe("Enter");
  });

  test("S4.2 what a request has not begun yet has the names of its plan, and waits its turn", () => {
    expect(explained("T2")?.name).toBe("b API 구현");
    expect(explained("T2-S2")).toMatchObject({
      name: "컨트롤러 구현",
      status: "pending",
      reasons: ["One comes after the other, and these come first: T1, T2-S1."],
    });
  });

  test("S3.6 a plan that has ended is found in the history", () => {
    edit(".claude/memory/task-state.json", (text) =>
      text.replace("task-2025-11-18-001", "task-2025-11-19-001"),
    );
    expect(explained("task-2025-11-18-001")).toMatchObject({
      status: "success",
      next: ["It ended at 2025-11-18T10:05:00Z. 작업 결과 요약"],
    });
  });

  test("S1.7 a task of the database tells what it waits for: other tasks, a person, a decision", async () => {
    const at = "2026-01-01T00:00:00.000Z";
    const times = { createdAt: at, updatedAt: at, queuedAt: 1 };
    const rest = { ...times, projectId: "p1", workflow: "custom", priority: 0, rev: 0 };
    const task = (id: string, status: string, data: object) => ({
      ...rest,
      archived: false,
      retryOf: null,
      id,
      status,
      data,
    });
    const asked = { status: "open", taskId: "task_b", rev: 0 };
    const held = { status: "paused", taskId: "task_e", rev: 0 };
    const store = await openSqlite(join(home, "holdfast.db"));
    await store.commit({
      projects: [{ id: "p1", root: project, hash: "00000000", createdAt: at }],
      tasks: [
        task("task_a", "pending", { title: "Later", dependsOn: ["task_b", "task_c"] }),
        task("task_b", "in_progress", { title: "Now" }),
        task("task_c", "completed", {}),
        task("task_d", "failed", { failure: { reason: "fatal", message: "no key" } }),
        task("task_e", "in_progress", { title: "Stands still" }),
        task("task_f", "pending", { title: "Next" }),
      ],
      entities: [
        { ...asked, kind: "question", id: "q1", data: { question: "Which one?" } },
        { ...asked, kind: "dependency", id: "d1", data: { name: "API_KEY" } },
        { ...asked, kind: "question", id: "q2", status: "answered", data: { question: "Old?" } },
        { ...held, kind: "agent", id: "agent_e", data: { holds: ["disk"] } },
      ],
    });
    await store.close();
    expect(why("task_a").out.split("\n")).toEqual([
      "task_a  Later  pending",
      "  ! It waits for other tasks: task_b (in_progress).",
      "  → It goes on when these are completed: task_b (in_progress).",
      "    cancel: possible now, leads to draft",
      "",
    ]);
    expect(explained("task_b")).toMatchObject({
      ref: "task_b",
      workflow: "custom",
      reasons: ["Its agent needs: API_KEY", "Its agent asks: Which one?"],
    });
    expect(explained("task_d")?.reasons).toEqual(["It failed: no key"]);
    expect(why("task_d", "--lang", "ko").out).toContain("재시도하면 새 작업이 만들어집니다.");
    expect(why("task_x").code).toBe(3);
    // S1.21c: held by the disk, whatever there is by now; with too little, the next one waits too.
    expect(explained("task_e")).toMatchObject({
      reasons: ["Its agent stands still: there was too little room on the disk."],
      next: [expect.stringContaining("when there is room on the disk")],
    });
    writeFileSync(
      join(project, "holdfast.yaml"),
      "version: 1\ndisk: { floor_megabytes: 900000000 }\n",
    );
    for (const id of ["task_e", "task_f"])
      expect(explained(id)?.reasons).toEqual([
        expect.stringMatching(/^Only \d+ MB are free on the disk of .*Below 900000000 MB/),
      ]);
  });
});
