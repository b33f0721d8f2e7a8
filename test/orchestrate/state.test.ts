// What the state file of a run holds, from its first to its last step, read by who only has the file (S2.1–S2.3, S2.7).
import { existsSync, readFileSync, watch, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { cli, holdfast, start } from "../cli/program.ts";
import { repository } from "./repository.ts";
import { project } from "./world.ts";

const limit = { timeout: 600_000 };
const file = ".claude/orchestrate-state.json";

const plan = `# Shop
- [ ] T1.1: model
- [ ] T1.2: pages
- [ ] T1.3: search
  - depends: T1.1, T1.2
- [ ] T1.4: feed
  - depends: T1.3
`;

test(
  "S2.1 a new state file has the fields and defaults of the format, and all tasks of the plan",
  limit,
  () => {
    const { call, state } = project(plan);
    const before = new Date().toISOString();
    call("orchestrate --in-session");
    const { execution, ...rest } = state();
    expect(rest).toEqual({
      version: "2.0",
      mode: "ultra-thin",
      project: "Shop",
      tasks: {
        pending: ["T1.3", "T1.4"],
        ready: ["T1.1", "T1.2"],
        in_progress: [],
        completed: [],
        failed: [],
        blocked: [],
      },
      dependencies: { "T1.3": ["T1.1", "T1.2"], "T1.4": ["T1.3"] },
      checkpoints: expect.any(Object) as object,
      metrics: {
        total_tasks: 4,
        completed_count: 0,
        failed_count: 0,
        average_task_time_seconds: 0,
      },
      config: { max_parallel: 0, retry_limit: 10, slack_webhook_url: null },
    });
    expect(Object.keys(rest.checkpoints).filter((name) => name !== "phase_1")).toEqual([]);
    expect(Object.keys(execution)).toEqual([
      "current_phase",
      "worktree",
      "started_at",
      "last_updated",
    ]);
    expect(execution.worktree).toBeNull();
    expect(execution.started_at >= before && execution.last_updated >= before).toBe(true);
    // With a phase 0 it begins there.
    const zero = project("- [ ] T0.1: a\n- [ ] T1.1: b\n");
    zero.call("orchestrate --in-session");
    expect(zero.state().execution.current_phase).toBe(0);
  },
);

test("S2.1 a plan without a title is named after its folder", limit, () => {
  const { call, state, project: folder } = project("- [ ] T1.1: model\n");
  call("orchestrate --in-session");
  expect(state().project).toBe(basename(folder));
});

test(
  "S2.1 a file of version 1.x is read as mode normal, and not written by who only looks",
  limit,
  () => {
    const { call, write, read } = project();
    const old = {
      version: "1.2",
      project: "Old",
      tasks: { pending: ["T1.1"], completed: ["T1.2"] },
    };
    write(file, JSON.stringify(old));
    const shown = call("status --json");
    expect(shown.code).toBe(0);
    expect(shown.out).toContain('"normal"');
    expect(JSON.parse(read(file))).toEqual(old);
  },
);

test(
  "S2.3 each step moves its lists, counters, times and the checkpoint of its phase",
  limit,
  () => {
    const { call, report, state } = project(`${plan}- [ ] T2.1: launch\n`);
    call("orchestrate --in-session");
    const { started_at: began } = state().execution;
    const stamps: string[] = [];
    const step = (line: string): void => {
      expect(report(line)).toMatchObject({ code: 0 });
      stamps.push(state().execution.last_updated);
    };
    step("START:T1.1");
    expect(state().tasks).toMatchObject({ ready: ["T1.2", "T2.1"], in_progress: ["T1.1"] });
    expect(state().checkpoints["phase_1"]?.started_at).toBeDefined();
    step("DONE:T1.1");
    expect(state().tasks).toMatchObject({ pending: ["T1.3", "T1.4"], ready: ["T1.2", "T2.1"] });
    expect(state().tasks).toMatchObject({ in_progress: [], completed: ["T1.1"] });
    expect(state().metrics).toMatchObject({ total_tasks: 5, completed_count: 1, failed_count: 0 });
    expect(state().checkpoints["phase_1"]?.progress).toBe("1/4");
    // All that it depends on is completed now.
    step("START:T1.2");
    step("DONE:T1.2");
    expect(state().tasks).toMatchObject({ ready: ["T2.1", "T1.3"], pending: ["T1.4"] });
    expect(state().metrics.average_task_time_seconds).toBeGreaterThanOrEqual(0);
    for (let at = 0; at < 3; at++) {
      step("START:T1.3");
      step("FAIL:T1.3:the same");
    }
    expect(state().tasks).toMatchObject({ failed: ["T1.3"], blocked: ["T1.4"], in_progress: [] });
    expect(state().metrics).toMatchObject({ completed_count: 2, failed_count: 1 });
    expect(call("orchestrate --retry T1.3")).toMatchObject({ code: 0 });
    for (const id of ["T1.3", "T1.4"]) for (const word of ["START", "DONE"]) step(`${word}:${id}`);
    const { execution, checkpoints } = state();
    expect(checkpoints["phase_1"]).toMatchObject({ tasks_count: 4, progress: "4/4" });
    expect(checkpoints["phase_1"]?.tasks?.toSorted()).toEqual(["T1.1", "T1.2", "T1.3", "T1.4"]);
    expect(checkpoints["phase_1"]?.completed_at).toBeDefined();
    step("START:T2.1");
    expect(state().execution).toMatchObject({ current_phase: 2, started_at: began });
    expect(execution.started_at).toBe(began);
    expect(stamps).toEqual(stamps.toSorted());
    expect(new Set(stamps).size).toBe(stamps.length);
  },
);

test(
  "S2.6 a phase that has landed is recorded as merged, with seven digits of its merge commit",
  limit,
  () => {
    const made = repository("# One\n## Phase 1: Core\n- [ ] T1.1: a\n");
    made.call("orchestrate --in-session");
    const folder = made.report("START:T1.1", "a").out.trim().slice("OK:".length);
    writeFileSync(join(folder, "a.txt"), "a\n");
    expect(made.report("DONE:T1.1", "a").out).toBe("ALL_DONE\n");
    const head = made.git("rev-parse", "main").slice(0, 7);
    expect(made.state().checkpoints["phase_1"]).toMatchObject({ merged: true, merge_commit: head });
    expect(made.git("rev-list", "--parents", "-1", "main").split(" ")).toHaveLength(3);
  },
);

test(
  "S2.1 mode ralph repeats a task until its check passes, the same error or not, as often as it is told",
  limit,
  () => {
    const wrong = { fail: "still the same" };
    const courses = { "T1.1": [wrong, wrong, wrong, {}] };
    const ended = (most: number) => {
      const made = repository("# One\n- [ ] T1.1: a\n  - check: test -f T1.1.txt\n", courses);
      const words = [...made.run, "--ralph", "--max-iterations", String(most)];
      const { code } = holdfast(words, { cwd: made.project, env: made.env });
      const { mode, tasks } = made.state();
      return { code, mode, tasks, tried: made.conversations().get("T1.1") };
    };
    expect(ended(4)).toMatchObject({
      code: 0,
      mode: "ralph",
      tasks: { completed: ["T1.1"] },
      tried: 4,
    });
    expect(ended(2)).toMatchObject({ code: 4, tasks: { failed: ["T1.1"] }, tried: 2 });
  },
);

test(
  "S2.7 while a run writes its state the lock is there, and afterwards it is gone",
  limit,
  async () => {
    const { call, env, project: cwd } = project(plan);
    call("orchestrate --in-session");
    const seen = new Set<string | null>();
    const watching = watch(join(cwd, ".claude"), (_, name) => seen.add(name));
    try {
      const { ended } = start([process.execPath, cli, "report", "orchestrate", "START:T1.1"], {
        cwd,
        env,
      });
      expect((await ended).code).toBe(0);
      await expect.poll(() => [...seen]).toContain("orchestrate-state.json.lock");
    } finally {
      watching.close();
    }
    expect(existsSync(join(cwd, `${file}.lock`))).toBe(false);
    expect(readFileSync(join(cwd, file), "utf8")).toContain("T1.1");
  },
);
