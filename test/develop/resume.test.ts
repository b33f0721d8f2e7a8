// What is found when develop begins: nothing, a run that is complete, or one under way (S0.8, S0.9).
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startDevelop } from "../../src/app/develop.ts";
import type { Message } from "../../src/core/messages.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { seeded } from "../cli/program.ts";
import { World, refusal, stateFile } from "./world.ts";

const limit = { timeout: 600_000 };

/** The copy that was made before the file was removed. */
function backup(says: readonly Message[]): string {
  const path = says.find(({ key }) => key === "develop.kept")?.params["path"];
  return typeof path === "string" ? readFileSync(path, "utf8") : "";
}

describe("resume (S0.8, S0.9)", () => {
  test(
    "S0.8 without a flag it is refused and reports feature, phase and checkpoints; nothing is written",
    limit,
    async () => {
      const world = new World();
      seeded(world.project);
      const before = world.read();
      const { code, text, hint } = await refusal(world.begin("other"));
      expect(code).toBe("refused");
      expect(text).toBe(
        "Previous session: '실시간 채팅 기능', Phase IMPLEMENT\n" +
          "Checkpoints: cp-1 passed, cp-2 in_progress (iter 1/3), cp-3 pending",
      );
      expect(hint).toMatch(/--resume.*--restart/);
      expect(world.read()).toBe(before);
      expect((await refusal(world.call({ feature: "x" }))).text).toBe(text);
    },
  );

  test(
    "S0.1 S0.9 the seed's own file goes on at cp-2, iteration 1, and its comments stay",
    limit,
    async () => {
      const world = new World();
      seeded(world.project);
      expect(await world.begin("other", { resume: true })).toMatchObject({
        line: "ERROR:NO_CHECKPOINTS",
      });
      expect((await refusal(world.report("START:cp-2"))).hint).toContain("--restart");
      world.design("cp-1", "cp-2 < cp-1", "cp-3 < cp-2");
      expect(await world.ready()).toBe("READY:cp-2");
      const before = world.read();
      await world.report("START:cp-2");
      // Taken over, it is where it was: no moment to write.
      expect(world.read()).toBe(before);
      await world.report("DONE:cp-2");
      const lines = before.split("\n");
      const changed = world
        .read()
        .split("\n")
        .filter((line, at) => line !== lines[at]);
      expect(changed).toEqual([
        expect.stringMatching(/^updated_at: /),
        "  cp-2: { status: in_progress, iteration: 2 }",
      ]);
      expect(world.read()).toContain("# 사용자 요청 요약 (세션 재개 시 컨텍스트)");
    },
  );

  test(
    "S0.8 a run that is done is said to be, backed up and removed, and a new one begins",
    limit,
    async () => {
      const world = new World();
      await world.implementing("cp-1");
      await world.report("START:cp-1");
      world.make("cp-1");
      await world.report("DONE:cp-1");
      await world.report("DONE:MERGE");
      await world.call({ approve: true });
      writeFileSync(join(world.project, stateFile), `# mine\n${world.read()}`);
      const old = world.read();
      expect((await refusal(world.call({ inSession: true }))).code).toBe("invalid_input");
      const { says } = await world.begin("search");
      expect(says.map(({ key }) => key)).toEqual([
        "develop.was_done",
        "develop.kept",
        "develop.begun",
      ]);
      expect(world.state).toMatchObject({ phase: "DESIGN", feature: "search" });
      expect(world.read()).not.toContain("# mine");
      expect(backup(says)).toBe(old);
    },
  );

  test(
    "S0.8 start over removes the file after a backup; the run before is over",
    limit,
    async () => {
      const world = new World();
      await world.implementing("cp-1");
      await world.report("START:cp-1");
      const old = world.read();
      const { says, task } = await world.begin(undefined, { restart: true });
      expect(backup(says)).toBe(old);
      expect(world.state).toMatchObject({ phase: "DESIGN", feature: "chat" });
      expect(world.state.checkpoints).toBeUndefined();
      expect(await world.ready()).toBe("READY:DESIGN");
      const store = await openSqlite(join(world.home, "holdfast.db"));
      const all = (await store.tasks({})).map(({ id, status }) => `${status} ${id === task}`);
      await store.close();
      expect(all.toSorted()).toEqual(["failed false", "in_progress true"]);
      expect((await refusal(world.begin("x", { restart: true, resume: true }))).code).toBe(
        "invalid_input",
      );
    },
  );

  test(
    "S5.3 a file that can not be read is not removed, and it is said what to do",
    limit,
    async () => {
      const world = new World();
      world.write(stateFile, "phase: NOWHERE\n");
      const found = await refusal(world.begin("x", { restart: true }));
      expect([found.code, found.hint.includes("move")]).toEqual(["corrupt", true]);
      expect(world.read()).toBe("phase: NOWHERE\n");
    },
  );

  test(
    "S0.9 a design and a merge that wait for a person keep waiting when they are resumed; nothing is written",
    limit,
    async () => {
      const world = new World();
      const resumed = async (): Promise<string> => {
        const before = world.writes;
        const { line } = await world.begin(undefined, { resume: true });
        expect(world.writes).toBe(before);
        return line;
      };
      await world.begin();
      expect(await resumed()).toBe("READY:DESIGN");
      world.design("cp-1");
      await world.report("DONE:DESIGN");
      expect(await resumed()).toBe("WAIT");
      // The other side would have to begin it again.
      const other = await refusal(
        world.with((context) => startDevelop(context, { headless: true, resume: true })),
      );
      expect([other.code, other.hint.includes("--approve")]).toEqual(["refused", true]);
      await world.call({ approve: true });
      expect(await resumed()).toBe("READY:REVIEW");
      await world.report("DONE:REVIEW");
      await world.report("START:cp-1");
      world.make("cp-1");
      await world.report("DONE:cp-1");
      expect(await resumed()).toBe("READY:MERGE");
      await world.report("DONE:MERGE");
      expect(await resumed()).toBe("WAIT");
      await world.call({ approve: true });
      expect(world.state.phase).toBe("DONE");
    },
  );

  test("S0.6 a look ahead names strategy and rounds, and writes nothing", limit, async () => {
    const world = new World();
    world.design("cp-1", "cp-2", "cp-3 < cp-1, cp-2", "cp-4", "cp-5");
    expect(await world.call({ feature: "chat", dryRun: true, strategy: "direct" })).toMatchObject({
      line: "DRY_RUN:DESIGN",
      waves: [["cp-1", "cp-2", "cp-4", "cp-5"], ["cp-3"]],
    });
    expect(world.has(stateFile)).toBe(false);
    expect(readdirSync(world.folder)).not.toContain("home");
    expect((await refusal(world.call({ approve: true, dryRun: true }))).code).toBe("invalid_input");
  });
});
