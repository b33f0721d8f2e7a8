// MCP for an agent in its own run: its tools act on its own task, and what it says is a claim.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { leaveMail } from "../../src/engine/mail.ts";
import { openSecretBox } from "../../src/store/secrets.ts";
import { holdfast } from "../cli/program.ts";
import { type McpWorld, type Run, mcpWorld } from "./world.ts";

let world: McpWorld;
beforeEach(async () => {
  world = mcpWorld();
  await world.serve();
});
afterEach(() => world.end());

const show = async (id: string) => (await world.call(`/api/tasks/${id}`)).json;
const journal = async (run: Run) =>
  (await world.store()).transitions({ taskId: run.taskId, machine: "agent" });

describe("MCP in a run", () => {
  test("S6.3 it lists what an agent may do for its own task, over both doors", async () => {
    const run = await world.working();
    const names = [
      "recall",
      "next",
      "report",
      "memory",
      "contracts",
      "state",
      "ask_user",
      "request_dependency",
      "phase_complete",
      "progress",
    ];
    expect(await (await world.stdio(run.env)).names()).toEqual(names);
    expect(await (await world.http(run.bearer)).names()).toEqual(names);
  });

  test("S6.3 state and next tell of its own task alone, with what is missing", async () => {
    const run = await world.working({ type: "create_app" });
    const { call } = await world.stdio(run.env);
    const state = await call("state");
    expect(state.data).toMatchObject({
      task: run.taskId,
      phase: 1,
      phases: 4,
      agent: "running",
      variables: [],
    });
    const next = await call("next");
    expect(next.data).toMatchObject({ line: "READY:1" });
    expect(next.data["missing"]).toHaveLength(9);
    expect(String(next.data["prompt"])).toContain("A task");
    // The same for an agent with nothing but a shell.
    const env = { ...world.env, ...run.env };
    expect(holdfast(["next"], { cwd: world.root, env }).out).toMatch(/^READY:1\n/);
    expect((await call("next", { workflow: "custom" })).data.error).toMatchObject({
      code: "refused",
    });
  });

  test("S1.14 phase_complete is a claim: refused with what is missing, and it costs a rework", async () => {
    const run = await world.working({ type: "create_app" });
    const { call } = await world.http(run.bearer);
    const claimed = await call("phase_complete", { phase: 1 });
    expect(claimed).toMatchObject({ isError: true, data: { error: { code: "refused" } } });
    expect(claimed.text).toContain("docs/planning/");
    expect((await call("state")).data).toMatchObject({ round: 1, stage: "work" });
    const other = await call("phase_complete", { phase: 3 });
    expect(other.data.error).toMatchObject({ code: "refused" });
    expect(other.text).toContain("3");
  });

  test("S1.14 a claim that the engine can confirm ends the task", async () => {
    const run = await world.working();
    const { call } = await world.http(run.bearer);
    expect(await call("phase_complete", { phase: 1, summary: "All of it" })).toMatchObject({
      isError: false,
    });
    await world.until(
      `/api/tasks/${run.taskId}`,
      ({ status }: { status: string }) => status === "completed",
    );
    // It is over for this run: nothing it says counts any more.
    const late = await call("progress", { note: "still here" });
    expect(late.data.error).toMatchObject({ code: "refused" });
  });

  test("S1.15 ask_user over stdio: frozen with its run while a person thinks, answered when it goes on", async () => {
    const run = await world.working();
    const { call } = await world.stdio(run.env);
    const asking = call("ask_user", { question: "Which colour?", options: ["Red", "Blue"] });
    const shown = await world.until(
      `/api/tasks/${run.taskId}`,
      ({ questions }: { questions: string[] }) => questions.length === 1,
    );
    expect(shown).toMatchObject({ agentStatus: "waiting_question" });
    expect(
      (await world.call(`/api/tasks/${run.taskId}/answer`, { body: { answer: "blue" } })).status,
    ).toBe(200);
    const asked = await asking;
    expect(asked).toMatchObject({
      isError: false,
      data: { taken: "now", status: "waiting_question" },
    });
    expect(asked.data["says"]).toContain("message");
  });

  test("S1.12 a question twice is asked once, and a choice without options is refused", async () => {
    const run = await world.working();
    const { call } = await world.http(run.bearer);
    const none = await call("ask_user", { question: "Which?", category: "choice" });
    expect(none.data.error).toMatchObject({ code: "invalid_input" });
    expect((await call("ask_user", { question: "Which?" })).data).toMatchObject({ taken: "now" });
    expect((await call("ask_user", { question: "Which?" })).data).toMatchObject({
      taken: "before",
    });
    expect((await show(run.taskId))["questions"]).toHaveLength(1);
  });

  test("S1.12 request_dependency waits for a person; the value never comes back", async () => {
    const run = await world.working();
    const { call } = await world.http(run.bearer);
    const bad = await call("request_dependency", { type: "wish", name: "KEY", description: "x" });
    expect(bad.data.error).toMatchObject({ code: "invalid_input", field: "type" });
    const need = { type: "api_key", name: "PAYMENT_KEY", description: "To charge" };
    expect((await call("request_dependency", need)).data).toMatchObject({
      status: "waiting_dependency",
    });
    expect((await call("state")).data).toMatchObject({ needs: ["PAYMENT_KEY"] });
  });

  test("S1.21b progress is a word for people in the journal; percent are not told", async () => {
    const run = await world.working();
    const { call } = await world.http(run.bearer);
    expect((await call("progress", { note: "Half of it" })).data).toMatchObject({ taken: "now" });
    expect(await journal(run)).toContainEqual(
      expect.objectContaining({ trigger: "progress", metadata: { note: "Half of it" } }),
    );
    expect(await show(run.taskId)).toMatchObject({ progress: 0 });
    const long = await call("progress", { note: "x".repeat(3_000) });
    expect(long.data.error).toMatchObject({ code: "invalid_input", field: "note" });
  });

  test("S2.11 report says in one line what the tools say", async () => {
    const run = await world.working();
    const { call } = await world.http(run.bearer);
    const wrong = await call("report", { workflow: "custom", line: "READY" });
    expect(wrong.data.error).toMatchObject({ code: "invalid_input" });
    expect(wrong.text).toContain("DONE:1");
    expect(
      (await call("report", { workflow: "custom", line: "FAIL:1:the API is gone" })).isError,
    ).toBe(false);
    const failed = await world.until(
      `/api/tasks/${run.taskId}`,
      ({ status }: { status: string }) => status === "failed",
    );
    expect(failed["failure"]).toEqual({ reason: "fatal_error", message: "the API is gone" });
  });

  test("S6.3 one agent can not speak for another: each proof is good for its own run alone", async () => {
    const [one, other] = [await world.working(), await world.working()];
    const proof = one.env["HOLDFAST_RUN_TOKEN"] ?? "";
    const forged = { ...other.env, HOLDFAST_RUN_TOKEN: proof };
    const { call } = await world.stdio(forged);
    for (const [name, given] of [
      ["state", {}],
      ["next", {}],
      ["phase_complete", { phase: 1 }],
      ["ask_user", { question: "?" }],
    ] as const)
      expect((await call(name, given)).data.error).toMatchObject({ code: "refused" });
    const bare = await world.stdio({ ...other.env, HOLDFAST_RUN_TOKEN: "" });
    expect((await bare.call("state")).data.error).toMatchObject({ code: "refused" });
    await expect(world.http(`${other.id}.${proof}`)).rejects.toThrow(/401|nauthorized/);
    // A run's proof opens its own door and no other.
    const headers = { authorization: `Bearer ${one.bearer}` };
    expect((await world.call("/api/tasks", { headers })).status).toBe(401);
    expect(await show(other.taskId)).toMatchObject({ status: "in_progress", questions: [] });
  });

  test("S6.6 20 canaries that were provided to the task never come back, nor into the journal", async () => {
    const canaries = Array.from({ length: 20 }, (_, place) => `canary-${place}-0b7e5d`);
    const run = await world.working({ description: `Do it with ${canaries[0]}.` });
    const store = await world.store();
    const box = openSecretBox(world.home);
    await store.commit({
      secrets: await Promise.all(
        canaries.map(async (value, place) => ({
          scope: run.taskId,
          name: `SECRET_${place}`,
          content: await box.seal(run.taskId, `SECRET_${place}`, value),
          createdAt: "2026-01-01T00:00:00.000Z",
        })),
      ),
    });
    const { call } = await world.http(run.bearer);
    // Memory is the project's, wherever the agent works; what was provided stays out of it.
    const noted = { action: "set", path: "shared_data.note", value: `use ${canaries[1]}` };
    const door = await world.stdio(run.env, world.home);
    expect((await door.call("memory", noted)).isError).toBe(false);
    // Nor is another agent's memory its to write.
    const others = { action: "set", path: "agents.writer.cache.a", value: "1" };
    expect(await door.call("memory", others)).toMatchObject({ isError: true });
    const file = join(world.root, ".claude/memory/shared-context.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      shared_data: { note: expect.stringMatching(/^use (?!canary)/) },
    });
    const said = [
      await call("memory", { action: "get", path: "shared_data" }),
      await call("state"),
      await call("next"),
      await call("progress", { note: `I have ${canaries.join(" and ")}` }),
      await call("ask_user", { question: `Is ${canaries[2]} right?` }),
      await call("state"),
    ];
    const text = JSON.stringify([said, await journal(run), await show(run.taskId)]);
    // The task's own description is the person's words, shown to them as they wrote it.
    const shown = text.replaceAll(`Do it with ${canaries[0]}.`, "");
    expect(canaries.filter((canary) => shown.includes(canary))).toEqual([]);
    const rows = await store.entities({ taskId: run.taskId, kind: "question" });
    expect(JSON.stringify(rows)).not.toContain("canary");
  });

  test("S1.16 with nobody there what was said waits in the inbox, and is not decided by the caller", async () => {
    const run = await world.working();
    const store = await world.store();
    const command = { name: "note", process: run.id, text: "anybody?" } as const;
    const parts = { store, now: () => 0, wait: () => Promise.resolve(), patienceMs: -1 };
    expect(await leaveMail(parts, run.taskId, command, "k1")).toBeUndefined();
    const found = async () => (await journal(run)).filter(({ trigger }) => trigger === "progress");
    while ((await found()).length === 0) await new Promise((turn) => setTimeout(turn, 20));
    expect(await found()).toHaveLength(1);
  });
});
