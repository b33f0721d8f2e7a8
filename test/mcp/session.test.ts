// MCP for an agent in a person's own session, over the standard streams and over HTTP.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seeds } from "../cli/program.ts";
import { type Connected, type McpWorld, mcpWorld } from "./world.ts";

const canaries = Array.from({ length: 20 }, (_, place) => `canary-${place}-6f1d2b9c4e`);

let world: McpWorld;
let overStdio: Connected;
let overHttp: Connected;
beforeAll(async () => {
  world = mcpWorld();
  cpSync(join(seeds, "full"), world.root, { recursive: true });
  await world.serve();
  overStdio = await world.stdio({});
  overHttp = await world.http(world.server.token);
});
afterAll(() => world.end());

const doors = (): [string, Connected][] => [
  ["stdio", overStdio],
  ["http", overHttp],
];

describe("MCP in a session", () => {
  test("S6.3 it lists what an agent of a person may do, with schemas and what only reads", async () => {
    for (const [, { client, names }] of doors()) {
      const all = ["state", "why", "recall", "next", "report", "memory", "contracts"];
      expect(await names()).toEqual(all);
      const { tools } = await client.listTools();
      for (const tool of tools) {
        expect(tool.description).not.toBe("");
        expect(tool.inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      }
      const reads = tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
      expect(reads.map(({ name }) => name)).toEqual(["state", "why", "recall", "next"]);
    }
  });

  test("S6.1 state says where all five formats stand, as `holdfast status` does", async () => {
    for (const [, { call }] of doors()) {
      const { isError, data } = await call("state");
      expect(isError).toBe(false);
      expect(data).toMatchObject({
        root: world.root,
        develop: { phase: "IMPLEMENT" },
        orchestrate: { mode: "ultra-thin" },
        problems: [],
      });
    }
  });

  test("S6.3 what is wrong comes back as data: what, where, and what to do", async () => {
    for (const [, { call }] of doors()) {
      const bad = await call("why", { id: 7 });
      expect(bad).toMatchObject({
        isError: true,
        data: {
          error: { code: "invalid_input", field: "id", hint: expect.stringMatching(/again/) },
        },
      });
      const extra = await call("state", { workflo: "plan" });
      expect(extra.data.error).toMatchObject({ code: "invalid_input" });
      expect(extra.text).toContain("workflo");
      const unknown = await call("stat");
      expect(unknown.data.error).toEqual({
        code: "not_found",
        message: "There is no tool “stat” here.",
        hint: "Did you mean “state”?",
      });
      const other = await call("why", { id: "nothing-like-this" });
      expect(other).toMatchObject({ isError: true, data: { error: { code: "not_found" } } });
    }
  });

  test("S6.3 a workflow that can not be worked through here is named with those that can", async () => {
    const { data } = await overStdio.call("next", { workflow: "nonsense" });
    expect(data.error).toMatchObject({ code: "invalid_input" });
    expect(data.error?.message).toContain("create_app");
    const outside = await overStdio.call("next", { workflow: "create_app" });
    expect(outside.data.error).toMatchObject({ code: "refused" });
    expect(outside.data.error?.hint).toContain("holdfast task create");
  });

  test("S6.3 tools of a run are not there for who is in none", async () => {
    for (const [, { call }] of doors())
      for (const name of ["ask_user", "phase_complete", "request_dependency", "progress"])
        expect((await call(name)).data.error).toMatchObject({ code: "not_found" });
  });

  test("S6.6 secrets never come back: 20 canaries in documents, the database and the home", async () => {
    const file = join(world.root, ".claude/orchestrate-state.json");
    const state = JSON.parse(readFileSync(file, "utf8")) as { config: Record<string, unknown> };
    state.config["slack_webhook_url"] = `https://hooks.example.org/${canaries[0]}`;
    writeFileSync(file, JSON.stringify(state, null, 2));
    const store = await world.store();
    const taskId = await world.task("say hello");
    const { openSecretBox } = await import("../../src/store/secrets.ts");
    const box = openSecretBox(world.home);
    await store.commit({
      secrets: await Promise.all(
        canaries.slice(1).map(async (value, place) => ({
          scope: taskId,
          name: `SECRET_${place}`,
          content: await box.seal(taskId, `SECRET_${place}`, value),
          createdAt: "2026-01-01T00:00:00.000Z",
        })),
      ),
    });
    for (const [, { call }] of doors()) {
      const said = await Promise.all([
        call("state"),
        call("why", { id: "T1.5" }),
        call("why", { id: taskId }),
        call("next", { workflow: "custom" }),
        call("report", { workflow: "custom", line: "DONE:1" }),
      ]);
      const text = JSON.stringify(said);
      expect(canaries.filter((canary) => text.includes(canary))).toEqual([]);
      expect(text).not.toContain(world.server.token);
    }
  });

  test("S6.6 without the token, with a wrong one, or from another site nobody is answered", async () => {
    const body = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
    const status = async (headers: Record<string, string | null>): Promise<number> =>
      (await world.call("/mcp", { body, headers })).status;
    expect(await status({ authorization: null })).toBe(401);
    expect(await status({ authorization: "Bearer nonsense" })).toBe(401);
    expect(await status({ authorization: `Bearer run_abc.${world.server.token}` })).toBe(401);
    expect(await status({ origin: "https://example.org" })).toBe(403);
    expect(await status({ host: "example.org" })).toBe(403);
    await expect(world.http("nonsense")).rejects.toThrow(/401|nauthorized/);
  });

  test("S5.4 a message that is too large is refused, and the server goes on", async () => {
    const line = "x".repeat(2 * 1024 * 1024);
    const large = await world.call("/mcp", {
      body: {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "why", arguments: { line } },
      },
    });
    expect(large.status).toBe(413);
    const one = await world.stdio({});
    await expect(one.call("why", { id: line })).rejects.toThrow(/closed/i);
    const long = await overStdio.call("report", { workflow: "custom", line: "x".repeat(20_000) });
    expect(long.data.error).toMatchObject({ code: "invalid_input", field: "line" });
    expect(await overHttp.names()).toHaveLength(7);
  });

  test("S7.5 a project where Holdfast never ran has a state too, and nothing is made for it", async () => {
    const folder = join(world.folder, "empty");
    mkdirSync(folder);
    const home = join(world.folder, "no-home");
    const { call } = await world.stdio({ HOLDFAST_HOME: home }, folder);
    expect((await call("state")).data).toMatchObject({ root: folder, problems: [] });
    expect(() => readFileSync(home)).toThrow(/ENOENT/);
  });
});
