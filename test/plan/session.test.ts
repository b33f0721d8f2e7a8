// plan in session, through the program's own front door (S3, S6.4). Each call opens everything anew: it is
// also what another process would find after a kill between two steps.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answerHook } from "../../src/app/hooks.ts";
import type { TaskState } from "../../src/formats/task-state.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { closing, plan, verdict } from "./play.ts";
import { PlanProject } from "./world.ts";

const limit = { timeout: 600_000 };
const two = plan([{ id: 1 }, { id: 2, agent: "editor" }, { id: 3, needs: [1, 2] }], ["a", "b"]);
const today = (): string => new Date().toISOString().slice(0, 10);

describe("a plan from its goal to its lessons", () => {
  test(
    "S3.1 S3.7b next and report lead through it; files, journal and tree are as they must be",
    limit,
    async () => {
      const project = new PlanProject();
      expect((await project.call(["next", "plan"], false)).out).toBe(
        "ERROR:NOT_STARTED\nNo plan is under way in this project.\n",
      );
      expect(await project.call(["report", "plan", "START:1"], false)).toMatchObject({ code: 4 });
      const begun = await project.begin("Release notes\nin Korean");
      expect(begun.line).toBe("READY:PLAN");
      expect(begun.out).toContain(`The plan task-${today()}-001 has begun.`);
      // A word that is no answer is a refusal, with the exact place.
      const refused = await project.report('PLAN:{"steps":[{"id":1}]}');
      expect(refused).toMatchObject({ code: 2 });
      expect(refused.err).toContain("/success_criteria: is missing");
      expect(refused.err).toContain("/steps/0/agent: is missing");
      project.write("steps.json", two);
      expect((await project.report("PLAN:steps.json")).line).toBe(`OK:${project.root}`);
      const ready = await project.call(["next", "plan", "--session", "a"]);
      expect(ready.line).toBe("READY:1,2");
      expect(ready.out).toContain("What “editor” remembers:");
      expect((await project.report("START:3")).err).toContain(
        "It waits for other steps: 1 step 1, 2",
      );
      expect((await project.report("START:1")).line).toBe(`OK:${project.root}`);
      expect((await project.report("START:1", "b")).err).toContain("belongs to the session “a”");
      expect(await project.next("b")).toBe("READY:2");
      await project.report("START:2", "b");
      expect(await project.next("c")).toBe("WAIT");
      expect((await project.report("DONE:2:mine", "a")).code).toBe(4);
      await project.report("DONE:2:the words of b", "b");
      await project.report("DONE:1:the words of a");
      // The answer was lost, the report was not: told again, nothing changes.
      const before = project.read(".claude/memory/task-state.json");
      expect((await project.report("DONE:1:the words of a")).code).toBe(0);
      expect(project.read(".claude/memory/task-state.json")).toBe(before);
      const last = await project.call(["next", "plan"]);
      expect(last.line).toBe("READY:3");
      expect(last.out).toContain("the words of b");
      await project.report("START:3");
      await project.report("DONE:3:done");
      expect(await project.next()).toBe("READY:VERDICT");
      expect((await project.report(`VERDICT:${verdict([true])}`)).err).toContain("not judged: 2");
      await project.report(`VERDICT:${verdict([true, false])}`);
      expect(await project.next()).toBe("READY:LESSONS");
      expect((await project.report(`LESSONS:${closing}`)).line).toBe("ALL_DONE:partial");
      const done = await project.call(["next", "plan"]);
      expect(done.line).toBe("ALL_DONE");
      expect(done.out).toContain("✗ b: seen");
      expect(project.state()).toMatchObject({ current_task: null, pending_tasks: [] });
      expect(project.history()).toMatchObject({
        tasks: [{ result: "partial", summary: "It was done.", lessons: ["test first"] }],
        statistics: { total_tasks: 1, success_rate: 0.5 },
      });
      expect(project.tree()).toEqual(
        expect.arrayContaining(["agents/editor.json", "agents/writer.json", "task-state.json.bak"]),
      );
      // S3.5 copies from before its start, its plan and its end: the newest has all steps done.
      const copies = project.tree().filter((path) => path.startsWith("backup/task-state"));
      const newest = JSON.parse(project.read(`.claude/memory/${copies.at(-1)}`)) as TaskState;
      expect(newest.current_task?.plan.steps.map(({ status }) => status)).toEqual(
        Array(3).fill("completed"),
      );
      const store = await openSqlite(join(project.home, "holdfast.db"));
      const moves = await store.transitions({ machine: "plan-step" });
      expect(moves.map(({ entityId, to }) => `${entityId} ${to}`)).toEqual([
        "1 in_progress",
        "2 in_progress",
        "2 completed",
        "1 completed",
        "3 in_progress",
        "3 completed",
      ]);
      const [row] = await store.tasks({ workflow: "plan" });
      expect(row).toMatchObject({
        status: "completed",
        data: { progress: 100, title: "Release notes" },
      });
      await store.close();
    },
  );

  test(
    "S3.1 a form that is handed back as it was shown is refused: plan, verdict and lessons",
    limit,
    async () => {
      const project = new PlanProject();
      await project.begin("Ship it");
      const shown = async (): Promise<string> => {
        const { out } = await project.call(["next", "plan", "--session", "a"]);
        return /^\{[^]*?^\}$|^\{.*\}$/m.exec(out.slice(out.indexOf("in this form")))?.[0] ?? "";
      };
      const refused = async (verb: string, place: string): Promise<void> => {
        const form = await shown();
        expect(form).toContain("…");
        expect(await project.report(`${verb}:${form}`)).toMatchObject({
          code: 2,
          err: expect.stringContaining(place),
        });
      };
      await refused("PLAN", "/steps/0/name: is still the form's “…”");
      await project.report(`PLAN:${plan([{ id: 1 }])}`);
      await project.report("START:1");
      expect(await project.report("DONE:1:…")).toMatchObject({ code: 2 });
      await project.report("DONE:1:made");
      await refused("VERDICT", "/criteria/0/met");
      const unfounded = { criteria: [{ criterion: 1, met: true, evidence: "…" }] };
      expect((await project.report(`VERDICT:${JSON.stringify(unfounded)}`)).code).toBe(2);
      await project.report(`VERDICT:${verdict([true])}`);
      await refused("LESSONS", "/summary");
      expect(await project.memory("set", "shared_data.topic", "…")).toMatchObject({ code: 2 });
      expect((await project.report(`LESSONS:${closing}`)).line).toBe("ALL_DONE:success");
    },
  );

  test("S3.6 a plan that was cancelled is listed, and lowers no success rate", limit, async () => {
    const project = new PlanProject();
    const one = async (goal: string): Promise<void> => {
      await project.begin(goal);
      await project.report(`PLAN:${plan([{ id: 1 }])}`);
      await project.report("START:1");
      await project.report("DONE:1:made");
      await project.report(`VERDICT:${verdict([true])}`);
      await project.report(`LESSONS:${closing}`);
    };
    await one("First");
    const { avg_duration_seconds: average } = project.history().statistics;
    await project.begin("Second");
    await project.plan("cancel");
    expect(project.history()).toMatchObject({
      tasks: [{ name: "First" }, { name: "Second", cancelled: true }],
      statistics: { total_tasks: 2, success_rate: 1, avg_duration_seconds: average, cancelled: 1 },
    });
    await one("Third");
    expect(project.history().statistics).toMatchObject({ total_tasks: 3, success_rate: 1 });
  });

  test(
    "S3.7b a session does not judge its own work while another is there; alone it may, and the journal says so",
    limit,
    async () => {
      const project = new PlanProject();
      const worked = async (goal: string, planner: string): Promise<void> => {
        await project.begin(goal);
        await project.report(`PLAN:${plan([{ id: 1 }])}`, planner);
        await project.report("START:1", "a");
        await project.report("DONE:1:made", "a");
      };
      await worked("With two", "b");
      expect(await project.next("a")).toBe("WAIT");
      expect(await project.report(`VERDICT:${verdict([true])}`, "a")).toMatchObject({
        code: 4,
        err: expect.stringContaining("session “b”"),
      });
      expect(await project.next("b")).toBe("READY:VERDICT");
      expect((await project.report(`VERDICT:${verdict([true])}`, "b")).code).toBe(0);
      await project.report(`LESSONS:${closing}`, "a");
      await worked("Alone", "a");
      expect(await project.next("a")).toBe("READY:VERDICT");
      expect((await project.report(`VERDICT:${verdict([true])}`, "a")).code).toBe(0);
      const journal = (await project.call(["log", "--json"])).out
        .split("\n")
        .filter((line) => line.includes('"judge"'))
        .map((line) => (JSON.parse(line) as { metadata: object }).metadata);
      expect(journal).toEqual([
        { session: "b", self_judged: "false" },
        { session: "a", self_judged: "true" },
      ]);
    },
  );

  test("S3.8 a claim is checked, and each failure takes its way", limit, async () => {
    const project = new PlanProject();
    await project.begin("Ship it");
    await project.report(
      `PLAN:${plan([{ id: 1, files: ["a.md"], check: "grep -q done a.md" }, { id: 2 }])}`,
    );
    await project.report("START:1");
    expect((await project.report("DONE:1:ready")).err).toContain("a.md");
    project.write("a.md", "not yet\n");
    const unmet = await project.report("DONE:1:ready");
    expect(unmet).toMatchObject({ code: 4 });
    expect(unmet.err).toContain("grep -q done a.md");
    expect(project.state().current_task?.plan.steps[0]?.status).toBe("in_progress");
    expect((await project.report("FAIL:1:validation: no words")).line).toBe("RETRY:1/3");
    expect(await project.next()).toBe("READY:1,2");
    await project.report("START:1");
    expect((await project.report("FAIL:1:transient: rate limit")).line).toMatch(
      /^RETRY:2\/3:\d{4}-/,
    );
    expect((await project.report("START:1")).err).toContain("is tried again after");
    expect(await project.next()).toBe("READY:2");
    await project.report("START:2");
    expect((await project.report("FAIL:2:structural: no such API")).line).toBe("REPLAN");
    expect(await project.next()).toBe("READY:PLAN");
    await project.report(`PLAN:${plan([{ id: 3 }])}`);
    await project.report("START:3");
    expect((await project.report("FAIL:3:critical: the database is gone")).line).toBe("ESCALATED");
    const asks = await project.call(["next", "plan"]);
    expect(asks.line).toBe("ERROR:ESCALATED:3");
    expect(asks.out).toContain("the database is gone");
    expect((await project.plan("status")).out).toContain("✗ 3 step 3");
    expect((await project.plan("retry 9")).code).toBe(4);
    expect((await project.plan("retry")).code).toBe(0);
    expect(await project.next()).toBe("READY:3");
    expect((await project.plan("fail", "no time")).code).toBe(0);
    expect(await project.next()).toBe("READY:LESSONS");
    await project.report(`LESSONS:${closing}`);
    expect(project.history().tasks[0]).toMatchObject({ result: "failure" });
    expect(await project.next()).toBe("ERROR:FAILED");
    // S3.2 it is taken up again, and then it succeeds.
    const { id = "" } = project.history().tasks[0] ?? {};
    expect((await project.plan(`resume ${id}`)).line).toBe("READY:3");
    await project.report("START:3");
    await project.report("DONE:3:ok");
    await project.report(`VERDICT:${verdict([true])}`);
    await project.report(`LESSONS:${closing}`);
    expect(project.history().statistics).toMatchObject({ total_tasks: 1, success_rate: 1 });
  });

  test(
    "S3.3 one at a time: another is refused or queued; pause, approve, edit, cancel",
    limit,
    async () => {
      const project = new PlanProject();
      expect((await project.call(["plan", "first", "--dry-run"], false)).line).toBe(
        `DRY_RUN:task-${today()}-001`,
      );
      expect(await project.call(["plan", "first"], false)).toMatchObject({ code: 4 });
      expect(await project.call(["plan", "two", "words"], false)).toMatchObject({ code: 2 });
      await project.begin("first", "--review");
      const other = await project.begin("second");
      expect(other).toMatchObject({ code: 4 });
      expect(other.err).toContain("--queue");
      expect((await project.begin("second", "--queue")).line).toBe(`QUEUED:task-${today()}-002`);
      await project.begin("third", "--queue");
      await project.report(`PLAN:${two}`);
      expect(await project.next()).toBe("WAIT");
      expect((await project.plan("edit")).out).toContain('"agent": "editor"');
      project.write("mine.json", plan([{ id: 1 }, { id: 2, needs: [1] }]));
      expect((await project.plan("edit mine.json")).code).toBe(0);
      expect((await project.plan("edit", '{"steps":[]}')).err).toContain(
        "/success_criteria: is missing",
      );
      expect((await project.plan("--dry-run")).out).toContain("wave 2: 2");
      expect((await project.plan("approve")).out).toContain("· 2 step 2 (writer) ← 1");
      expect(await project.next()).toBe("READY:1");
      await project.report("START:1");
      expect((await project.plan("pause")).line).toBe(`PAUSED:task-${today()}-001`);
      expect(await project.next()).toBe("ERROR:PAUSED");
      await project.report("DONE:1:while paused");
      expect((await project.call(["plan", "--resume"])).line).toBe("READY:2");
      expect((await project.plan("cancel")).out).toContain("has ended: failure");
      expect(project.state().current_task).toMatchObject({ name: "second", status: "in_progress" });
      expect(await project.next()).toBe("READY:PLAN");
      expect((await project.plan(`cancel task-${today()}-003`)).code).toBe(0);
      await project.plan("cancel");
      expect(project.state()).toMatchObject({ current_task: null, pending_tasks: [] });
      expect(project.history().tasks.map(({ summary }) => summary)).toEqual([
        "cancelled: 1 of 2 steps completed",
        "cancelled: 0 of 0 steps completed",
        "cancelled: 0 of 0 steps completed",
      ]);
      expect((await project.plan("pause")).code).toBe(4);
      // Ids of a day count on, whatever became of those before.
      expect((await project.begin("fourth")).out).toContain(`task-${today()}-004`);
    },
  );

  test(
    "S6.4 a session that ends its turn with a step of its own is told to report it",
    limit,
    async () => {
      const project = new PlanProject();
      await project.begin("Ship it");
      await project.report(`PLAN:${two}`);
      const hook = async (event: "Stop" | "TaskCompleted", more: object) => {
        const context = project.context();
        const input = { stop_hook_active: false, session_id: "a", ...more };
        try {
          return (await answerHook(event, input, context)).kind;
        } finally {
          await context.close();
        }
      };
      expect(await hook("Stop", {})).toBe("nothing");
      await project.report("START:1");
      expect(await hook("Stop", {})).toBe("block");
      expect(await hook("Stop", { session_id: "b" })).toBe("nothing");
      expect(await hook("TaskCompleted", { task_subject: "Step 1 of the plan" })).toBe("refuse");
      expect(await hook("TaskCompleted", { task_subject: "Step 12 of something" })).toBe("nothing");
      await project.report("DONE:1:done");
      expect(await hook("Stop", {})).toBe("nothing");
    },
  );

  test("S7.5 a plan whose home was lost goes on from its file", limit, async () => {
    const project = new PlanProject();
    await project.begin("Ship it");
    await project.report(`PLAN:${two}`);
    await project.report("START:1");
    const elsewhere = new PlanProject();
    elsewhere.write(
      ".claude/memory/task-state.json",
      project.read(".claude/memory/task-state.json"),
    );
    expect(await elsewhere.next()).toBe("READY:2");
    expect((await elsewhere.report("DONE:1:x")).err).toContain("no session holds it");
    expect((await elsewhere.plan("resume")).line).toBe("READY:1,2");
  });
});
