// develop in sessions: real files, a real database, every command run (S0).
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answerHook } from "../../src/app/hooks.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { World, designFile, refusal, stateFile } from "./world.ts";

const limit = { timeout: 600_000 };

describe("a feature from design to merge", () => {
  test(
    "S0.1 S0.3 S0.5 S0.7 every phase in its turn; the file is written at its moments alone",
    limit,
    async () => {
      const world = new World();
      const wrote: number[] = [];
      const step = async (doing: Promise<{ line: string }>): Promise<string> => {
        const { line } = await doing;
        wrote.push(world.writes);
        return line;
      };
      expect(await world.ready()).toBe("ERROR:NOT_STARTED");
      expect(await step(world.begin("채팅"))).toBe("READY:DESIGN");
      expect(await step(world.report("START:DESIGN"))).toBe(`OK:${world.project}`);
      world.design("cp-1", "cp-2 < cp-1");
      expect(await step(world.report("DONE:DESIGN"))).toBe("WAIT");
      expect(await step(world.next())).toBe("WAIT");
      expect(await step(world.call({ approve: true }))).toBe("READY:REVIEW");
      expect(await step(world.report("DONE:REVIEW"))).toBe("PHASE_DONE:REVIEW");
      expect((await world.next()).prompt).toContain("cat cp-1.txt");
      expect(await step(world.report("START:cp-1"))).toMatch(/^OK:/);
      expect(await step(world.report("DONE:cp-1"))).toBe("RETRY:cp-1:2/3:LOGIC_ERROR");
      world.make("cp-1");
      expect(await step(world.report("DONE:cp-1"))).toBe("OK");
      expect(await step(world.report("DONE:cp-1"))).toBe("OK");
      await step(world.report("START:cp-2"));
      world.make("cp-2");
      expect(await step(world.report("DONE:cp-2"))).toBe("PHASE_DONE:IMPLEMENT");
      expect(await step(world.report("DONE:MERGE"))).toBe("WAIT");
      expect(await step(world.call({ approve: true }))).toBe("ALL_DONE");
      // start · REVIEW · IMPLEMENT · cp-1 begins, fails, passes · cp-2 begins, passes and MERGE · DONE
      expect(wrote).toEqual([1, 1, 1, 1, 2, 3, 4, 5, 6, 6, 7, 8, 8, 9]);
      expect(world.state).toMatchObject({ phase: "DONE", strategy: "direct", feature: "채팅" });
      const store = await openSqlite(join(world.home, "holdfast.db"));
      const [task] = await store.tasks({});
      const revisions = await store.revisions(join(world.project, stateFile));
      await store.close();
      expect(task).toMatchObject({
        workflow: "develop",
        status: "completed",
        data: { progress: 100 },
      });
      expect(revisions).toHaveLength(9);
      // Nothing of ours lies beside it but what is allowed to (S0.4).
      expect(readdirSync(join(world.project, ".develop-workflow")).toSorted()).toEqual([
        "state.yaml",
        "state.yaml.bak",
      ]);
    },
  );

  test(
    "S0.4 a missing or cyclic dependency is refused with its path, and what is approved is what lies there",
    limit,
    async () => {
      const world = new World();
      await world.begin();
      const none = await refusal(world.report("DONE:DESIGN"));
      expect(none).toMatchObject({
        code: "refused",
        text: expect.stringContaining(designFile) as string,
      });
      world.design("cp-1 < cp-3", "cp-2 < cp-1, cp-9", "cp-3 < cp-2");
      const { text } = await refusal(world.report("DONE:DESIGN"));
      expect(text).toContain(`${designFile}:9 /checkpoints/1/dependencies/1: cp-2 depends on cp-9`);
      expect(text).toContain("cp-1->cp-3->cp-2->cp-1");
      world.design("cp-1");
      await world.report("DONE:DESIGN");
      world.design("cp-1", "cp-2");
      expect((await refusal(world.call({ approve: true }))).text).toContain(
        "not what was reported",
      );
      expect([world.state.phase, world.writes]).toEqual(["DESIGN", 1]);
    },
  );

  test(
    "S0.4 S0.6 the place of the checkpoints, the strategy and a role's words are the project's to set",
    limit,
    async () => {
      const world = new World();
      world.write(
        "holdfast.yaml",
        "version: 1\ndevelop: { checkpoints: plan/cp.yaml, strategy: subagent }\n",
      );
      world.write(".holdfast/prompts/develop/designer.md", "Design as we do.\n");
      await world.begin();
      expect((await world.next()).prompt).toMatch(/^Design as we do\.\n\nFeature: chat/);
      world.design("cp-1", "cp-2 < cp-1");
      expect((await refusal(world.report("DONE:DESIGN"))).text).toContain("plan/cp.yaml");
      world.write("plan/cp.yaml", world.read(designFile));
      await world.report("DONE:DESIGN");
      await world.call({ approve: true });
      await world.report("DONE:REVIEW");
      expect(world.state.strategy).toBe("subagent");
    },
  );

  test(
    "S0.5 an agent can not pass a checkpoint: not by its word, not by changing the design's file",
    limit,
    async () => {
      const world = new World();
      await world.implementing("cp-1");
      await world.report("START:cp-1");
      world.write(designFile, world.read(designFile).replace("cat cp-1.txt", "echo 1 passed"));
      expect((await world.report("DONE:cp-1")).line).toBe("RETRY:cp-1:2/3:LOGIC_ERROR");
      expect((await refusal(world.report("FAIL:cp-1:it is hard"))).hint).toContain(
        "DESIGN_MISMATCH",
      );
      expect((await world.report("FAIL:cp-1:TYPE_ERROR: no such type")).line).toBe(
        "RETRY:cp-1:3/3:TYPE_ERROR",
      );
      expect((await world.report("DONE:cp-1")).line).toBe("ESCALATED:cp-1:LOGIC_ERROR");
      const waits = await world.next();
      expect([waits.line, waits.prompt]).toEqual(["WAIT", null]);
      const tried = JSON.stringify(waits.says);
      for (const part of ["1. LOGIC_ERROR", "2. TYPE_ERROR: no such type", "3. LOGIC_ERROR"])
        expect(tried).toContain(part);
      // A person mends the check itself, and opens it again.
      await world.call({ retry: "cp-1" });
      expect(world.state.checkpoints).toEqual({ "cp-1": { status: "in_progress", iteration: 1 } });
      await world.report("START:cp-1");
      expect((await world.report("DONE:cp-1")).line).toBe("PHASE_DONE:IMPLEMENT");
    },
  );

  test(
    "S0.3 a person skips a checkpoint, sends the merge back and has the whole checked again",
    limit,
    async () => {
      const world = new World();
      world.write("holdfast.yaml", "version: 1\ncommands: { test: test -f all.txt }\n");
      await world.implementing("cp-1", "cp-2");
      for (const id of ["cp-1", "cp-2"]) await world.report(`START:${id}`);
      world.make("cp-1");
      await world.report("DONE:cp-1");
      expect((await world.report("FAIL:cp-2:ENV_ISSUE:no network")).line).toBe(
        "ESCALATED:cp-2:ENV_ISSUE",
      );
      expect((await world.call({ skip: "cp-2" })).line).toBe("READY:MERGE");
      expect((await refusal(world.report("DONE:MERGE"))).text).toContain("test -f all.txt");
      world.write("all.txt");
      await world.report("DONE:MERGE");
      const back = await world.call({ sendBack: "no logging" });
      expect([back.line, world.state.phase]).toEqual(["READY:FIX", "IMPLEMENT"]);
      expect((await world.next()).prompt).toContain("no logging");
      world.write("cp-1.txt", "broken");
      expect((await refusal(world.report("DONE:FIX"))).text).toContain("cp-1");
      world.make("cp-1");
      expect((await world.report("DONE:FIX")).line).toBe("PHASE_DONE:IMPLEMENT");
      await world.report("DONE:MERGE");
      expect((await world.call({ approve: true })).line).toBe("ALL_DONE");
    },
  );

  test("S0.7 only a person decides: an agent of a run of ours is refused", limit, async () => {
    const world = new World();
    await world.begin();
    world.design("cp-1");
    await world.report("DONE:DESIGN");
    world.env = { HOLDFAST_RUN: "run_x", HOLDFAST_RUN_TOKEN: "t" };
    expect(await refusal(world.call({ approve: true }))).toMatchObject({ code: "refused" });
    expect(world.state.phase).toBe("DESIGN");
  });
});

describe("several sessions", () => {
  test(
    "S0.6 of sessions that come at once, one begins a checkpoint, and four are at work at most",
    limit,
    async () => {
      const world = new World();
      const ids = ["cp-1", "cp-2", "cp-3", "cp-4"];
      await world.implementing(...ids);
      expect(world.state.strategy).toBe("subagent");
      const tries = ids.flatMap((id) => ["a", "b", "c"].map((session) => ({ id, session })));
      const done = await Promise.allSettled(
        tries.map(({ id, session }) => world.report(`START:${id}`, session)),
      );
      const begun = tries.filter((_, at) => done[at]?.status === "fulfilled");
      expect(begun.map(({ id }) => id).toSorted()).toEqual(ids);
      expect(world.state.checkpoints?.["cp-4"]).toEqual({ status: "in_progress", iteration: 1 });
      const [first] = begun;
      world.make("cp-1");
      expect((await refusal(world.report("DONE:cp-1", "stranger"))).code).toBe("refused");
      expect((await world.report("DONE:cp-1", first?.session)).line).toBe("OK");
      expect(await world.ready("stranger")).toBe("WAIT");
    },
  );

  test(
    "S6.4 a session that ends its turn is told what it still holds, and others are not",
    limit,
    async () => {
      const world = new World();
      await world.implementing("cp-1");
      await world.report("START:cp-1", "s1");
      const stop = (session: string) =>
        world.with((context) =>
          answerHook("Stop", { session_id: session, stop_hook_active: false }, context),
        );
      expect(await stop("s1")).toMatchObject({
        kind: "block",
        reason: { params: { ids: "cp-1" } },
      });
      expect(await stop("s2")).toEqual({ kind: "nothing" });
      const done = { session_id: "s1", task_subject: "cp-1 is built" };
      expect(
        await world.with((context) => answerHook("TaskCompleted", done, context)),
      ).toMatchObject({ kind: "refuse" });
    },
  );
});
