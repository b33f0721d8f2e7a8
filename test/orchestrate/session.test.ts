// orchestrate in session, through the program itself (S2.11).
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { taskListPaths } from "../../src/formats/task-list.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { seeded, cli } from "../cli/program.ts";
import { byRecipe, project } from "./world.ts";

const limit = { timeout: 600_000 };

const plan = `# Shop

## Phase 0
- [x] T0.1: repository

## Phase 1
- [ ] T1.1: model
  - check: test -f model.txt
- [ ] T1.2: pages
  - depends: T1.1
- [ ] T1.3: search

## Phase 2
- [ ] T2.1: launch
`;

describe("a plan from its first to its last task", () => {
  test("S2.11 next and report go through phases, each answer under 200 bytes", limit, () => {
    const { call, report, next, state } = project(plan);
    expect(next()).toBe("ERROR:NOT_STARTED\nNo orchestrate run has begun in this project.\n");
    expect(report("START:T1.1")).toMatchObject({ code: 4 });
    expect(call("orchestrate --in-session").out).toMatch(/^READY:T1\.1,T1\.3\nShop: 1 of 5/);
    expect(next("RESOLVE_NEXT:PHASE:1")).toBe("READY:T1.1,T1.3\n");
    const said: string[] = [];
    const order: string[] = [];
    for (let line = next(); line !== "ALL_DONE\n"; line = next()) {
      said.push(line);
      const [id = ""] = /[TP]\d[\w.-]*/.exec(line) ?? [];
      order.push(id);
      said.push(report(`START:${id}`).out);
      if (id === "T1.1") writeFileSync(join(said.at(-1)?.trim().slice(3) ?? "", "model.txt"), "");
      said.push(report(`DONE:${id}:elapsed=1s`).out);
    }
    expect(order).toEqual(["T1.1", "T1.2", "T1.3", "T2.1"]);
    for (const text of said) expect(Buffer.byteLength(text)).toBeLessThan(200);
    expect(said.filter((text) => !/^(?:READY|OK)/.test(text))).toEqual([
      "PHASE_DONE:1\n",
      "ALL_DONE\n",
    ]);
    expect(state()).toMatchObject({
      tasks: { pending: [], ready: [], in_progress: [], failed: [], blocked: [] },
      metrics: { total_tasks: 5, completed_count: 5, failed_count: 0 },
      execution: { current_phase: 2 },
    });
    expect(Object.keys(state().checkpoints)).toEqual(["phase_0", "phase_1", "phase_2"]);
    // The answer to the last report may have been lost: it is told again, and nothing changes.
    expect(report("DONE:T2.1").out).toBe("ALL_DONE\n");
  });

  test("S2.11 every run is a task, and each step of it stands in the journal", limit, async () => {
    const { call, report, home } = project(plan);
    call("orchestrate --in-session");
    report("START:T1.3", "a");
    report("DONE:T1.3", "a");
    const { tasks } = JSON.parse(call("task list --json").out) as {
      tasks: { id: string; type: string; status: string; progress: number; title: string }[];
    };
    expect(tasks).toEqual([
      expect.objectContaining({ type: "orchestrate", status: "in_progress", progress: 40 }),
    ]);
    const [{ id } = { id: "" }] = tasks;
    expect(call(`task show ${id}`)).toMatchObject({ code: 0 });
    const lines = call(`log --task ${id} --json`)
      .out.trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ machine, entityId, from, to }) => [machine, entityId, from, to])).toEqual([
      ["task", id, "pending", "in_progress"],
      ["task", id, "in_progress", "in_progress"],
      ["unit", "T1.3", "ready", "in_progress"],
      ["unit", "T1.3", "in_progress", "completed"],
    ]);
    expect(lines.at(-1)).toMatchObject({ metadata: { session: "a", check: "none" } });
    const store = await openSqlite(join(home, "holdfast.db"));
    // No engine has it: nobody holds the task itself, and no agent of ours works there.
    expect(await store.lease(id)).toBeUndefined();
    expect(await store.entities({ taskId: id, kind: "agent" })).toEqual([]);
    await store.close();
  });

  test("S2.11 a plan of 3,000 ready tasks: READY lists what fits, whatever its size", limit, () => {
    const tasks = Array.from({ length: 3_000 }, (_, n) => `- [ ] T1.${n + 1}: t`).join("\n");
    const { call, next } = project(`# Big\n${tasks}\n`);
    call("orchestrate --in-session --parallel 1000");
    const line = next();
    expect(line).toMatch(/^READY:T1\.1,T1\.2,T1\.3,/);
    expect(Buffer.byteLength(line)).toBeLessThan(200);
    expect(Buffer.byteLength(line)).toBeGreaterThan(150);
  });
});

describe("what a report is worth", () => {
  test("S2.11 DONE is checked by the task's own command; a refusal says what failed", limit, () => {
    const { call, report, state, write } = project(plan);
    call("orchestrate --in-session");
    report("START:T1.1");
    const refused = report("DONE:T1.1");
    expect(refused).toMatchObject({ code: 4, out: "" });
    expect(refused.err).toContain("“test -f model.txt” has to succeed");
    expect(state().tasks.in_progress).toEqual(["T1.1"]);
    write("model.txt", "");
    expect(report("DONE:T1.1").out).toBe("OK\n");
  });

  test(
    "S2.6 without one the project's test counts, and a phase ends with test and build",
    limit,
    () => {
      const { call, report, state, write, read } = project("- [ ] T1.1: a\n- [ ] T1.2: b\n");
      write(
        "holdfast.yaml",
        "version: 1\ncommands: { test: 'echo test >> ran', build: 'echo build >> ran; test -f built' }\n",
      );
      call("orchestrate --in-session");
      report("START:T1.1");
      report("START:T1.2");
      expect(report("DONE:T1.1").out).toBe("OK\n");
      expect(report("DONE:T1.2")).toMatchObject({ code: 4 });
      expect(state().tasks.in_progress).toEqual(["T1.2"]);
      expect(state().checkpoints["phase_1"]).not.toHaveProperty("completed_at");
      write("built", "");
      expect(report("DONE:T1.2").out).toBe("ALL_DONE\n");
      // The test once for each report, and not again for the phase.
      expect(read("ran")).toBe("test\ntest\nbuild\ntest\nbuild\n");
    },
  );

  test(
    "S2.5 a failure is tried again, the same three times end it, a rate limit does not count",
    limit,
    () => {
      const { call, report, next, state } = project(plan);
      call("orchestrate --in-session");
      const attempt = (reason: string): string => {
        expect(report("START:T1.1").code).toBe(0);
        return report(`FAIL:T1.1:${reason}`).out.split("\n")[0] ?? "";
      };
      expect(attempt("HTTP 429 too many requests")).toBe("LIMITED:T1.1");
      expect(attempt("line 3 is wrong")).toBe("RETRY:T1.1:1/10:plain");
      expect(attempt("line 4 is wrong")).toBe("RETRY:T1.1:2/10:plain");
      expect(call("orchestrate --unit T1.1").out).toContain("line 4 is wrong");
      expect(attempt("line 5 is wrong")).toBe("FAILED:T1.1");
      expect(state().tasks).toMatchObject({ failed: ["T1.1"], blocked: ["T1.2"] });
      expect(next()).toBe("READY:T1.3\n");
      report("START:T1.3");
      report("DONE:T1.3");
      expect(next()).toMatch(/^ERROR:PHASE_FAILED:1:T1\.1\n/);
      expect(call("orchestrate --retry T1.1").out).toMatch(/^READY:T1\.1\n/);
      expect(state().tasks).toMatchObject({ failed: [], blocked: [] });
    },
  );

  test("S2.11 what is no report is answered with what is, and changes nothing", limit, () => {
    const { call, report, state } = project(plan);
    call("orchestrate --in-session");
    const before = state();
    for (const line of ["DONE", "START:../x", "FAIL:T1.1:", "BEGIN:T1.1", "START:T1.1:x"])
      expect([line, report(line)]).toMatchObject([
        line,
        { code: 2, err: expect.stringContaining("START:T1.3") as unknown },
      ]);
    expect(state()).toEqual(before);
  });

  test(
    "S2.11 an unknown task is not found, one that waits is refused with its reason",
    limit,
    () => {
      const { call, report } = project(plan);
      call("orchestrate --in-session");
      expect(report("START:T9.9")).toMatchObject({ code: 3 });
      expect(report("START:T1.2")).toMatchObject({ code: 4 });
      expect(report("START:T2.1")).toMatchObject({
        code: 4,
        err: expect.stringMatching(/phase 1 is not done/) as unknown,
      });
    },
  );
});

describe("sessions beside each other", () => {
  test("S2.11 a unit is its session's; who comes later is told whose", limit, () => {
    const { call, report } = project(plan);
    call("orchestrate --in-session");
    expect(report("START:T1.3", "a").code).toBe(0);
    expect(report("START:T1.3", "b")).toMatchObject({
      code: 4,
      err: expect.stringMatching(/another session \(a\)/) as unknown,
    });
    expect(report("DONE:T1.3", "b").code).toBe(4);
    expect(call("next orchestrate", "b").out).toBe("READY:T1.1\n");
    expect(report("DONE:T1.3", "a").out).toBe("OK\n");
  });

  test(
    "S2.11 a claim whose lease ran out is ready for others, and its late report refused",
    limit,
    async () => {
      const { call, report, home, state } = project("- [ ] T1.1: a\n- [ ] T1.2: b\n");
      call("orchestrate --in-session");
      report("START:T1.1", "a");
      await aged(home, { until: 1 });
      expect(call("next orchestrate", "b").out).toBe("READY:T1.1,T1.2\n");
      expect(report("START:T1.1", "b").code).toBe(0);
      expect(report("DONE:T1.1", "a")).toMatchObject({ code: 4 });
      expect(report("DONE:T1.1", "b").out).toBe("OK\n");
      expect(state().tasks.completed).toEqual(["T1.1"]);
    },
  );

  test(
    "S2.11 a claim of a process that is gone is free at once; of one that lives it is not",
    limit,
    async () => {
      const { call, report, home, state } = project("- [ ] T1.1: a\n- [ ] T1.2: b\n");
      call("orchestrate --in-session");
      expect(report("START:T1.1").code).toBe(0);
      expect(call("next orchestrate", "b").out).toBe("READY:T1.2\n");
      const gone = spawnSync(process.execPath, ["-e", "console.log(process.pid)"], {
        encoding: "utf8",
      });
      await aged(home, { pid: Number(gone.stdout) });
      expect(call("next orchestrate", "b").out).toBe("READY:T1.1,T1.2\n");
      // Another unit's step takes the loss in.
      report("START:T1.2", "b");
      expect(state().tasks).toMatchObject({ ready: ["T1.1"], in_progress: ["T1.2"] });
    },
  );

  test(
    "S6.4 a session that would stop with work in its hands is told; others are not",
    limit,
    () => {
      const { call, report, project: cwd, env } = project(plan);
      call("orchestrate --in-session");
      report("START:T1.3", "claude-1");
      const hook = (event: string, input: object) => {
        const { status, stdout, stderr } = spawnSync(cli, ["hook", event], {
          input: JSON.stringify({ cwd, ...input }),
          encoding: "utf8",
          env: { PATH: process.env["PATH"], LANG: "C", ...env },
        });
        return { status, stdout, stderr };
      };
      const stop = { stop_hook_active: false };
      expect(hook("Stop", { ...stop, session_id: "claude-1" }).stdout).toContain("T1.3");
      expect(hook("Stop", { ...stop, session_id: "claude-2" }).stdout).toBe("");
      const done = (task_subject: string) =>
        hook("TaskCompleted", { session_id: "claude-1", task_subject }).status;
      expect(done("T1.3: search")).toBe(2);
      expect(done("T1.33: other")).toBe(0);
      report("DONE:T1.3", "claude-1");
      expect(done("T1.3: search")).toBe(0);
      expect(hook("Stop", { ...stop, session_id: "claude-1" }).stdout).toBe("");
    },
  );
});

describe("what others wrote", () => {
  test("S2.8 the seed's example resumes: T1.3 goes on, T1.5 follows T1.3 and T1.4", limit, () => {
    const made = project();
    seeded(made.project);
    const { call, report, next, state } = made;
    expect(next()).toBe("READY:T1.4\n");
    expect(call("orchestrate --in-session").out).toContain("In progress: T1.3");
    expect(call("orchestrate --resume").out).toMatch(/^READY:T1\.3,T1\.4\n/);
    for (const id of ["T1.3", "T1.4"]) {
      report(`START:${id}`);
      report(`DONE:${id}`);
    }
    expect(next()).toBe("READY:T1.5,T1.6\n");
    expect(state().metrics).toMatchObject({ total_tasks: 45, completed_count: 7, failed_count: 0 });
    expect(call("orchestrate --resume").out).not.toMatch(/^ERROR/);
  });

  test(
    "S2.8 the seed's jq recipe: the blocked ones wake, the counters move by the difference",
    limit,
    () => {
      const { call, report, next, state, project: cwd } = project(plan);
      call("orchestrate --in-session");
      for (const _ of [1, 2, 3]) {
        report("START:T1.1");
        report("FAIL:T1.1:x");
      }
      expect(state().tasks.blocked).toEqual(["T1.2"]);
      byRecipe(cwd, "T1.1");
      expect(next()).toBe("READY:T1.2,T1.3\n");
      expect(report("START:T1.2").code).toBe(0);
      expect(state()).toMatchObject({
        tasks: { blocked: [], failed: [], in_progress: ["T1.2"] },
        metrics: { completed_count: 2, failed_count: 0 },
      });
      expect(call("orchestrate --verify").out).toContain("VERIFIED");
    },
  );

  test(
    "S2.4 errors of the plan name their line and task, and stop what begins, not what ends",
    limit,
    () => {
      const { call, report, next, write } = project(plan);
      call("orchestrate --in-session");
      report("START:T1.3");
      write("TASKS.md", plan.replace("depends: T1.1", "depends: T9.9"));
      const said = next();
      expect(said).toMatch(/^ERROR:MISSING_DEP:T9\.9\n.*TASKS\.md, line 10:/);
      expect(said).toContain("T1.2");
      expect(report("START:T1.1")).toMatchObject({
        code: 2,
        err: expect.stringMatching(/line 10/) as unknown,
      });
      expect(report("DONE:T1.3").out).toBe("OK\n");
      write(
        "TASKS.md",
        `${plan}- [ ] T2.2: more\n  - depends: T2.3\n- [ ] T2.3: x\n  - depends: T2.2\n`,
      );
      expect(next()).toMatch(/^ERROR:CIRCULAR_DEP:T2\.2->T2\.3->T2\.2\n/);
      rmSync(join(call("status --json").out.match(/"root": "([^"]+)"/)?.[1] ?? "", "TASKS.md"));
      expect(next()).toMatch(/^ERROR:TASKS_NOT_FOUND\n/);
    },
  );

  test("S2.4 without a plan there is nothing to begin; one that grew is taken in", limit, () => {
    const { call, report, next, write, state } = project();
    expect(next()).toMatch(/^ERROR:TASKS_NOT_FOUND\n/);
    expect(call("orchestrate --in-session")).toMatchObject({ code: 3 });
    write("docs/planning/06-tasks.md", plan);
    call("orchestrate --in-session");
    write("docs/planning/06-tasks.md", `${plan}- [ ] T1.4: late\n`);
    expect(next("--phase", "1")).toBe("READY:T1.1,T1.3,T1.4\n");
    expect(report("START:T1.4").code).toBe(0);
    expect(state().metrics.total_tasks).toBe(6);
    expect(taskListPaths).toEqual([
      "docs/planning/06-tasks.md",
      "docs/planning/TASKS.md",
      "TASKS.md",
    ]);
  });

  test(
    "S2.4 a plan that is gone: nothing begins, what is held can end, and it continues when the plan is back",
    limit,
    () => {
      const made = project(plan);
      const { call, report, next, write, state } = made;
      call("orchestrate --in-session");
      for (const id of ["T1.1", "T1.3"]) report(`START:${id}`);
      for (let times = 1; times <= 2; times++) {
        rmSync(join(made.project, "TASKS.md"));
        const error = next();
        expect(error).toMatch(/^ERROR:TASKS_NOT_FOUND\n/);
        expect(report("START:T1.3", "other").code).toBeGreaterThan(0);
        // Its check is known from the plan that was there.
        expect(report("DONE:T1.1").code).toBe(4);
        expect(report("FAIL:T1.3:broken").out).toMatch(/^RETRY:T1\.3/);
        expect(report("START:T1.3").code).toBeGreaterThan(0);
        expect(next()).toBe(error);
        expect(state().tasks.in_progress).toEqual(["T1.1"]);
        write("TASKS.md", plan);
        expect(next()).toBe("READY:T1.3\n");
        expect(report("START:T1.3").code).toBe(0);
      }
    },
  );

  test("S2.7 a foreign lock is waited for, and named; it is not broken", limit, () => {
    const { call, report, write } = project(plan);
    call("orchestrate --in-session");
    write(".claude/orchestrate-state.json.lock", "");
    expect(report("START:T1.1")).toMatchObject({ code: 5 });
    expect(call("next orchestrate").out).toBe("READY:T1.1,T1.3\n");
  });

  test(
    "S2.9 a damaged state comes back; one that is lost is rebuilt when that is asked",
    limit,
    () => {
      const made = project(plan);
      const { call, report, next, state, write, home } = made;
      call("orchestrate --in-session");
      report("START:T1.3");
      report("DONE:T1.3");
      write(".claude/orchestrate-state.json", '{"version": "2.0", "mo');
      expect(next()).toBe("READY:T1.1\n");
      // A new machine: no database, but what lies beside the file.
      rmSync(home, { recursive: true });
      write(".claude/orchestrate-state.json", '{"version": "2.0", "mo');
      expect(next()).toBe("READY:T1.1\n");
      expect(state().tasks.completed).toContain("T0.1");
      // And not even that.
      rmSync(home, { recursive: true });
      rmSync(join(made.project, ".claude/orchestrate-state.json.bak"), { force: true });
      write(".claude/orchestrate-state.json", '{"version": "2.0", "mo');
      expect(next()).toMatch(/^ERROR:STATE_CORRUPT\n.*orchestrate --rebuild-state/);
      const corrupt = call("orchestrate --in-session");
      expect([corrupt.code, corrupt.err.includes("orchestrate --rebuild-state")]).toEqual([
        6,
        true,
      ]);
      expect(call("orchestrate --in-session --resume").code).toBe(6);
      write("TASKS.md", plan.replace("[ ] T1.3", "[x] T1.3"));
      expect(call("orchestrate --rebuild-state").out).toMatch(/^READY:T1\.1\n/);
      expect(state()).toMatchObject({
        tasks: { completed: ["T0.1", "T1.3"] },
        metrics: { total_tasks: 5, completed_count: 2 },
      });
      expect(report("START:T1.1").code).toBe(0);
    },
  );

  test(
    "S2.9 who only reads reports a damaged state (6), what repairs it, and writes nothing",
    limit,
    () => {
      const { call, next, read, write, home } = project(plan);
      call("orchestrate --in-session");
      const path = ".claude/orchestrate-state.json";
      const whole = read(path);
      for (const theirs of [whole.slice(0, 50), ""]) {
        write(path, theirs);
        for (const words of [
          "orchestrate --verify",
          "orchestrate --dry-run",
          "why T1.1",
          "status orchestrate",
        ]) {
          const { code, out, err } = call(words);
          expect({ words, code }).toEqual({ words, code: 6 });
          expect(out + err).toContain(path);
          expect(out + err).toMatch(words.startsWith("status") ? "validate" : "doctor --fix");
          expect(read(path)).toBe(theirs);
        }
      }
      expect(next()).toBe("READY:T1.1,T1.3\n");
      expect(read(path)).toBe(whole);
      // Nor does it make a home where there is none, though a copy lies beside the file.
      rmSync(home, { recursive: true });
      write(`${path}.bak`, whole);
      write(path, whole.slice(0, 50));
      expect(call("orchestrate --verify").code).toBe(6);
      expect(read(path)).toBe(whole.slice(0, 50));
    },
  );

  test(
    "S2.1 a state of an unknown version is refused and left as it is, by updates too",
    limit,
    () => {
      const { call, report, read, write, home } = project(plan);
      call("orchestrate --in-session");
      const path = ".claude/orchestrate-state.json";
      const whole = read(path);
      const theirs = whole.replace('"2.0"', '"9.0"');
      write(path, theirs);
      for (const words of ["next orchestrate", "orchestrate --in-session", "orchestrate --verify"])
        expect({ words, ...call(words) }).toMatchObject({
          words,
          code: 4,
          err: expect.stringContaining("version 9.0"),
        });
      expect(report("START:T1.1").code).toBe(4);
      expect(read(path)).toBe(theirs);
      expect(existsSync(join(home, "quarantine"))).toBe(false);
      write(path, whole);
      expect(report("START:T1.1").code).toBe(0);
    },
  );

  test(
    "S2.9 a state is not rebuilt while a session holds a unit; its attempts stay counted",
    limit,
    () => {
      const { call, report, state, read } = project(plan);
      call("orchestrate --in-session");
      report("START:T1.3", "a");
      const before = read(".claude/orchestrate-state.json");
      const refused = call("orchestrate --rebuild-state");
      expect(refused.code).toBe(4);
      expect(refused.err).toMatch(/T1\.3 \(a\)/);
      expect(read(".claude/orchestrate-state.json")).toBe(before);
      expect(report("FAIL:T1.3:x", "a").out).toMatch(/^RETRY:T1\.3:1\/10/);
      const rebuilt = call("orchestrate --rebuild-state");
      expect(rebuilt.out).toMatch(/^READY:T1\.1,T1\.3\n/);
      expect(rebuilt.out).toContain("completed, from the plan: T0.1.");
      expect(rebuilt.out).toContain("T1.3 (1)");
      expect(state().tasks.in_progress).toEqual([]);
      expect(report("START:T1.3", "b").code).toBe(0);
      expect(report("FAIL:T1.3:y", "b").out).toMatch(/^RETRY:T1\.3:2\/10/);
    },
  );

  test("S2.9 what a readable file of another shape says is taken, and listed", limit, () => {
    const { call, write, state } = project(plan);
    const file = {
      version: "2.0",
      mode: "ralph",
      completed_tasks: ["T1.3"],
      tasks: [{ id: "T1.1", status: "done" }],
    };
    write(".claude/orchestrate-state.json", JSON.stringify(file));
    const rebuilt = call("orchestrate --rebuild-state");
    expect(rebuilt.out).toMatch(/^READY:T1\.2\n/);
    expect(rebuilt.out).toContain("completed, from the damaged file: T1.1, T1.3.");
    expect(state()).toMatchObject({ mode: "ralph", metrics: { completed_count: 3 } });
  });

  test(
    "S2.9 where plan, state and journal disagree a person is asked, and nothing is changed",
    limit,
    () => {
      const { call, report, write, state, read } = project(plan);
      call("orchestrate --in-session");
      for (const reason of ["x", "x", "x"]) {
        report("START:T1.1", "a");
        report(`FAIL:T1.1:${reason}`, "a");
      }
      write("TASKS.md", plan.replace("[ ] T1.1", "[x] T1.1"));
      const before = read(".claude/orchestrate-state.json");
      const asked = call("orchestrate --rebuild-state");
      expect(asked.code).toBe(4);
      expect(asked.err).toContain("T1.1: completed says the plan, failed says the state");
      expect(asked.err).toContain("--rebuild-state --yes");
      expect(read(".claude/orchestrate-state.json")).toBe(before);
      expect(call("orchestrate --rebuild-state --yes").out).toMatch(/^READY:T1\.2,T1\.3\n/);
      expect(state().tasks).toMatchObject({ failed: [], completed: ["T0.1", "T1.1"] });
    },
  );
});

describe("the command", () => {
  test("S2.10 --dry-run writes nothing, and shows waves and the longest chain", limit, () => {
    const made = project(plan);
    const { out } = made.call("orchestrate --dry-run");
    expect(out).toContain("phase 1, wave 1 (2): T1.1, T1.3\nphase 1, wave 2 (1): T1.2");
    expect(out).toContain("longest chain: T1.1 → T1.2 → T2.1");
    expect(existsSync(join(made.project, ".claude"))).toBe(false);
    expect(existsSync(made.home)).toBe(false);
  });

  test("S2.10 --normal begins in mode normal; two modes at once are refused", limit, () => {
    const { call, report, next, state } = project(plan);
    expect(call("orchestrate --in-session --normal --ralph").code).toBe(2);
    expect(call("orchestrate --in-session --normal").code).toBe(0);
    expect(state().mode).toBe("normal");
    expect(call("orchestrate --help").out).toContain("--normal");
    for (const id of ["T1.3", "T1.1", "T1.2"]) {
      const folder = report(`START:${id}`).out.trim().slice("OK:".length);
      writeFileSync(join(folder, "model.txt"), "");
      report(`DONE:${id}`);
    }
    expect(next()).toMatch(/^PHASE_DONE:1\n/);
  });

  test("S2.10 --check-off ticks boxes and changes no other byte", limit, () => {
    const text = `${plan.replaceAll("\n", "\r\n")}끝`;
    const { call, report, read, project: folder } = project(text);
    call("orchestrate --in-session");
    report("START:T1.3");
    report("DONE:T1.3");
    expect(call("orchestrate --check-off").out).toMatch(/^CHECKED_OFF:1\n/);
    expect(read("TASKS.md")).toBe(text.replace("[ ] T1.3", "[x] T1.3"));
    expect(call("orchestrate --check-off").out).toMatch(/^CHECKED_OFF:0\n/);
    expect(readdirSync(folder).filter((name) => name.includes("tmp"))).toEqual([]);
    expect(call("orchestrate --verify").out).toContain("notices: 0");
  });

  test(
    "S2.1 modes and parallelism are written into the file, and wrong words are told",
    limit,
    () => {
      const { call, state, next, write } = project(plan);
      // Carried out by itself it needs a history to clone.
      expect(call("orchestrate")).toMatchObject({ code: 4 });
      expect(call("orchestrate --verify --dry-run")).toMatchObject({ code: 2 });
      expect(call("orchestrate --in-session --ralph --ultra-thin")).toMatchObject({ code: 2 });
      write("holdfast.yaml", "version: 1\norchestrate: { mode: normal }\n");
      call("orchestrate --in-session --parallel 1");
      expect(state()).toMatchObject({ mode: "normal", config: { max_parallel: 1 } });
      expect(next()).toMatch(/^READY:T1\.1\nPhase 1\./);
      call("orchestrate --resume --ralph");
      expect(state().mode).toBe("ralph");
    },
  );

  test("S2.1 mode normal asks a person after each phase", limit, () => {
    const { call, report, next, write } = project("- [ ] T1.1: a\n- [ ] T2.1: b\n");
    write("holdfast.yaml", "version: 1\norchestrate: { mode: normal }\n");
    call("orchestrate --in-session");
    report("START:T1.1");
    expect(report("DONE:T1.1").out).toBe("PHASE_DONE:1\n");
    expect(next()).toMatch(/^PHASE_DONE:1\n/);
    expect(report("START:T2.1").code).toBe(4);
    expect(call("orchestrate --resume").out).toMatch(/^READY:T2\.1\n/);
    expect(report("START:T2.1").code).toBe(0);
  });

  test("S2.3 the webhook's address is in no answer and no journal", limit, () => {
    const made = project();
    seeded(made.project);
    const secret = "https://hooks.slack.com/services/XXX/YYY/ZZZ";
    expect(readFileSync(join(made.project, ".claude/orchestrate-state.json"), "utf8")).toContain(
      secret,
    );
    const said = [
      made.call("orchestrate --resume"),
      made.report("START:T1.4"),
      made.call("orchestrate --verify"),
      made.call("log"),
      made.call("task list --json"),
    ];
    for (const { out, err } of said) expect(out + err).not.toContain("XXX/YYY");
  });
});

/** As if time had passed, or its process had ended. */
async function aged(home: string, { until, pid }: { until?: number; pid?: number }): Promise<void> {
  const store = await openSqlite(join(home, "holdfast.db"));
  const rows = await store.entities({ kind: "claim", status: "held" });
  const entities = rows.map((row) => {
    const data = row.data as { holder: { process: object | null; until: number } };
    const { holder } = data;
    const process = pid === undefined ? holder.process : { ...holder.process, pid };
    return {
      ...row,
      data: { ...data, holder: { ...holder, process, until: until ?? holder.until } },
    };
  });
  expect(rows.length).toBe(1);
  expect(await store.commit({ entities })).toMatchObject({ ok: true });
  await store.close();
}
