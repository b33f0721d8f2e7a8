// What agents share and remember (S3.1, S3.4, S3.9), through the program's own front door.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { changeMemory } from "../../src/app/operations/_memory-parts.ts";
import type { AgentMemory } from "../../src/formats/agent-memory.ts";
import { formatOfPath } from "../../src/formats/registry.ts";
import type { SharedContext } from "../../src/formats/shared-context.ts";
import { changed, placeOf } from "../../src/workflows/plan/memory.ts";
import { initialMemory } from "../../src/workflows/plan/initial.ts";
import { rewrite } from "../../src/workflows/plan/replay.ts";
import { plan } from "./play.ts";
import { PlanProject } from "./world.ts";

const contextFile = ".claude/memory/shared-context.json";
const agentFile = ".claude/memory/agents/writer.json";
const limit = { timeout: 600_000 };

describe("holdfast memory", () => {
  test(
    "S3.1 a missing file is made when it is first read, and reads are all it takes",
    limit,
    async () => {
      const project = new PlanProject();
      expect(JSON.parse((await project.memory("context", "shared_data")).out)).toEqual({});
      expect(JSON.parse((await project.memory("agent", "writer")).out)).toMatchObject({
        agent: "writer",
      });
      expect(JSON.parse((await project.memory("history")).out)).toMatchObject({ tasks: [] });
      expect((await project.memory("get", "task")).out).toBe("null\n");
      expect(project.tree()).toEqual([
        "agents/writer.json",
        "shared-context.json",
        "task-history.json",
        "task-state.json",
      ]);
      expect(await project.memory("get", "shared_data.none")).toMatchObject({ code: 3 });
    },
  );

  test("S3.9 set, add, remove and list; JSON as it is, other words as a text", limit, async () => {
    const project = new PlanProject();
    await project.memory("set", "shared_data.target_languages", '["ko", "en"]');
    await project.memory("set", "shared_data.current_topic", "anchors and rope");
    await project.memory("set", "/shared_data/a.b/c", "1");
    await project.memory("add", "agents.writer.cache.recent_topics", "anchors");
    await project.memory("set", "preferences.tone", '"plain"');
    expect((await project.memory("get", "shared_data.current_topic")).out).toBe(
      "anchors and rope\n",
    );
    expect(JSON.parse(project.read(contextFile))).toMatchObject({
      shared_data: {
        target_languages: ["ko", "en"],
        current_topic: "anchors and rope",
        "a.b": { c: 1 },
      },
      preferences: { tone: "plain" },
    });
    const listed = JSON.parse((await project.memory("list")).out) as Record<string, string[]>;
    expect(listed["agents.writer"]).toEqual(["agents.writer.cache.recent_topics"]);
    expect(listed["context"]).toContain("/shared_data/a.b");
    await project.memory("remove", "shared_data.current_topic");
    expect(project.read(contextFile)).not.toContain("anchors and rope");
    const before = project.read(contextFile);
    expect((await project.memory("set", "preferences.tone", '"plain"')).out).toContain(
      "so already",
    );
    expect(project.read(contextFile)).toBe(before);
  });

  test("S3.9 lists of a cache keep their newest fifty; fields of a person's own stay", () => {
    const at = "2026-01-31T09:00:00.000Z";
    let memory: AgentMemory = { ...initialMemory("agent-memory", "writer", at), mine: { a: 1 } };
    for (let count = 0; count < 80; count++)
      memory = changed(memory, { on: "add", steps: ["cache", "topics"], value: count }, at);
    expect(memory.cache["topics"]).toEqual(Array.from({ length: 50 }, (_, place) => place + 30));
    const long = {
      on: "set",
      steps: ["cache", "all"],
      value: Array.from({ length: 70 }, () => 0),
    } as const;
    memory = changed(memory, long, at);
    expect(memory.cache["all"]).toHaveLength(50);
    expect(memory).toMatchObject({ mine: { a: 1 }, last_updated: at });
    // A statistic that is a list is no cache.
    const statistic = { ...long, steps: ["statistics", "all"] };
    expect(changed(memory, statistic, at).statistics["all"]).toHaveLength(70);
  });

  test(
    "S3.9 an agent writes its own memory, not another's; a person writes any",
    limit,
    async () => {
      const project = new PlanProject();
      await project.begin("Ship it");
      await project.report(`PLAN:${plan([{ id: 1 }, { id: 2, agent: "editor" }])}`);
      await project.report("START:1", "a");
      const set = (agent: string, ...more: string[]) =>
        project.memory("set", `agents.${agent}.cache.topic`, "anchors", ...more);
      expect(await set("editor", "--session", "a")).toMatchObject({
        code: 4,
        err: expect.stringContaining("works as: writer"),
      });
      expect(project.tree()).not.toContain("agents/editor.json");
      expect((await set("writer", "--session", "a")).code).toBe(0);
      expect((await project.memory("set", "shared_data.a", "1", "--session", "a")).code).toBe(0);
      // Who holds nothing is no agent of the plan.
      expect((await set("editor", "--session", "b")).code).toBe(0);
    },
  );

  test(
    "S3.9 what nobody has written for a set time leaves a cache when a plan begins, and is reported",
    limit,
    async () => {
      const long = "2025-01-01T00:00:00.000Z";
      const brought = (): PlanProject => {
        const project = new PlanProject();
        const cache = { pages: { "/old": 1, "/other": 2 }, topics: ["rope"], empty: {} };
        const memory = { ...initialMemory("agent-memory", "writer", long), cache };
        project.write(agentFile, JSON.stringify({ ...memory, preferences: { tone: "plain" } }));
        return project;
      };
      const project = brought();
      await project.memory("set", "/agents/writer/cache/pages/new", "3");
      await project.memory("add", "agents.writer.cache.fresh", "anchors");
      const begun = await project.begin("Ship it");
      expect(begun.out).toMatch(/cache of “writer”, not written for 30 days: 4 \(pages\.\/old, /);
      expect(JSON.parse(project.read(agentFile))).toMatchObject({
        cache: { pages: { new: 3 }, fresh: ["anchors"] },
        preferences: { tone: "plain" },
      });
      expect(JSON.parse(project.read(agentFile)).cache).toEqual({
        pages: { new: 3 },
        fresh: ["anchors"],
      });
      // As long as the project says.
      const kept = brought();
      kept.write("holdfast.yaml", "version: 1\nmemory:\n  cache_days: 100000\n");
      expect((await kept.begin("Ship it")).out).not.toContain("cache of");
      expect(JSON.parse(kept.read(agentFile)).cache).toHaveProperty("topics");
    },
  );

  test(
    "S3.4 a change that throws, or makes an invalid document, leaves the file byte for byte",
    limit,
    async () => {
      const project = new PlanProject();
      await project.begin("Ship it");
      await project.memory("set", "agents.writer.cache.a", "1");
      await project.memory("set", "shared_data.a", "1");
      const files = [agentFile, contextFile].map((path) => project.read(path));
      const context = project.context();
      const home = { root: project.root, documents: await context.documents() };
      const note = { on: "set", steps: [] } as const;
      for (const path of ["agents.writer", "context"]) {
        const place = placeOf(path);
        if ("key" in place) throw new Error("a place");
        const update = (change: Parameters<typeof changeMemory>[2]): Promise<boolean> =>
          changeMemory(home, place, change, note);
        await expect(
          update(() => {
            throw new Error("half way");
          }),
        ).rejects.toThrow("half way");
        for (const wrong of [{ version: "2.0" }, { last_updated: "now" }, { preferences: [] }])
          await expect(
            update((document) => ({ ...document, ...wrong }) as unknown as SharedContext),
          ).rejects.toMatchObject({
            code: expect.stringMatching(/corrupt|internal|invalid_input/),
          });
        // What is handed to it is frozen: a change in place is an error, too.
        await expect(
          update((document) => {
            (document as { version: string }).version = "9";
            return document;
          }),
        ).rejects.toThrow(/read only/);
      }
      const own = ["task-state.json", "task-history.json"].map((name) => `.claude/memory/${name}`);
      const before = own.map((path) => project.read(path));
      for (const path of own) {
        const format = formatOfPath(path);
        if (format === undefined) throw new Error(path);
        const ref = { path: join(project.root, path), format };
        const update = (change: (found: object) => unknown): Promise<unknown> =>
          home.documents.update({
            files: [ref],
            event: { trigger: "test" },
            apply: (found) => ({
              documents: new Map([[ref.path, change(found.get(ref.path) as object)]]),
              result: null,
            }),
          });
        await expect(
          update(() => {
            throw new Error("half way");
          }),
        ).rejects.toThrow("half way");
        for (const wrong of [{ version: "2.0" }, { pending_tasks: 1, tasks: 1 }, { version: null }])
          await expect(update((found) => ({ ...found, ...wrong }))).rejects.toMatchObject({
            code: expect.stringMatching(/corrupt|internal|invalid_input/),
          });
      }
      await context.close();
      expect(own.map((path) => project.read(path))).toEqual(before);
      expect([agentFile, contextFile].map((path) => project.read(path))).toEqual(files);
      await project.check();
    },
  );

  test(
    "S5.4 no way out of the memory, and nothing that is not a person's to change",
    limit,
    async () => {
      const project = new PlanProject();
      for (const [words, code] of [
        [["set", "agents.../../x.cache.a", "1"], 2],
        [["get", "/agents/..%2f/x"], 2],
        [["set", "/agents/../../x/cache/a", "1"], 2],
        [["set", "shared_data.__proto__.x", "1"], 2],
        [["set", "elsewhere.x", "1"], 2],
        [["set", "shared_data", "{}"], 4],
        [["set", "session.id", "x"], 4],
        [["set", "history.tasks", "[]"], 4],
        [["remove", "task.id"], 4],
        [["set", "agents.writer.agent", "other"], 4],
        [["set", "shared_data.a"], 2],
        [["set", "shared_data.a", '{"b": 1'], 2],
        [["set", "shared_data.a", '{"__proto__": 1}'], 2],
        [["get"], 2],
      ] as const) {
        const ended = await project.call(["memory", ...words], false);
        expect({ words, code: ended.code }).toEqual({ words, code });
        expect(ended.err.length).toBeGreaterThan(20);
      }
      expect(readdirSync(project.root)).toEqual([".git"]);
    },
  );

  test("S5.2 several at once lose nothing", limit, async () => {
    const project = new PlanProject();
    await Promise.all(
      Array.from({ length: 12 }, (_, place) =>
        project.call(["memory", "add", "agents.writer.cache.topics", String(place)], false),
      ),
    );
    const memory = JSON.parse(project.read(agentFile)) as AgentMemory;
    expect((memory.cache["topics"] as number[]).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, place) => place),
    );
    expect(readdirSync(join(project.root, ".claude/memory/agents"))).toEqual(
      expect.not.arrayContaining([expect.stringMatching(/lock|tmp/)]),
    );
  });

  test("S5.3 what a crash interrupted is written again beside a person's own field", () => {
    const at = "2026-01-31T09:00:00.000Z";
    const theirs = { ...initialMemory("shared-context", "", at), mine: 1 };
    const change = { on: "set", steps: ["shared_data", "a"], value: 2 } as const;
    const made = rewrite("shared-context", theirs, { trigger: "memory", at, change });
    expect(made).toMatchObject({ mine: 1, shared_data: { a: 2 } });
    const state = { ...initialMemory("task-state", "", at), mine: 1 };
    const wrote = { "task-state": { pending_tasks: [], last_updated: "later" } };
    expect(rewrite("task-state", state, { trigger: "pause", at, wrote })).toEqual({
      ...state,
      last_updated: "later",
    });
  });
});
