// The machines of a task and its agent, seen from outside: by the API alone, and by what the agent's own process
// feels of it (S1.1–S1.10).
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { git } from "../engine/world.ts";
import { type Json, type ServerWorld, serverWorld } from "./world.ts";

const settings = `version: 1
agent: sample
task_types:
  memo:
    title: A memo
    phases:
      - { name: Draft, prompt: Write the first one., deliverables: [{ path: 1.txt }] }
      - { name: Final, prompt: Write the second one., deliverables: [{ path: 2.txt }] }
`;

let world: ServerWorld;
beforeAll(async () => {
  world = serverWorld();
  writeFileSync(join(world.root, "holdfast.yaml"), settings);
  git(world.root, ["add", "."], world.env);
  git(world.root, ["commit", "-q", "-m", "settings"], world.env);
  await world.serve({ slots: 2 });
});
afterAll(() => world.end());

interface Task {
  readonly status: string;
  readonly agentStatus: string | null;
  readonly questions: readonly string[];
  readonly reviews: readonly string[];
  readonly actions: readonly { readonly name: string; readonly allowed: boolean }[];
}

const seen = async (id: string): Promise<Task> =>
  (await world.call(`/api/tasks/${id}`)).json as unknown as Task;
const until = async (id: string, is: (task: Task) => boolean): Promise<Task> =>
  (await world.until(`/api/tasks/${id}`, is)) as unknown as Task;
const post = (id: string, action: string, body: object = {}) =>
  world.call(`/api/tasks/${id}/${action}`, { body });
const draft = async (more: object = {}): Promise<string> => {
  const body = { type: "custom", title: "T", description: "D", script: "hang", ...more };
  return String((await world.call("/api/tasks", { body })).json["id"]);
};
const approve = async (id: string): Promise<void> => {
  await until(id, ({ reviews }) => reviews.length > 0);
  const { json } = await world.call(`/api/tasks/${id}/review`);
  const done = await post(id, "approve", { reviewId: json["id"], hash: json["hash"] });
  expect(done.status).toBe(200);
};
const journal = async (id: string): Promise<Record<string, unknown>[]> =>
  (await world.call(`/api/log?task=${id}&limit=0`)).json["transitions"] as never;

describe("a task (S1.2, S1.7, S1.8)", () => {
  test("S1.2 a draft without a title, type or description is not submitted, and stays a draft", async () => {
    for (const missing of [{ title: " " }, { description: "" }]) {
      const id = await draft(missing);
      const refused = await post(id, "submit");
      expect(refused).toMatchObject({ status: 409, json: { error: { code: "refused" } } });
      expect((await seen(id)).status).toBe("draft");
      expect((await journal(id)).map(({ to }) => to)).toEqual(["draft"]);
    }
    const none = await world.call("/api/tasks", { body: { title: "T", description: "D" } });
    expect(none).toMatchObject({ status: 400, json: { error: { code: "invalid_input" } } });
    expect(none.json.error?.message).toContain("type");
  });

  test("S1.7 every state allows its own actions, and refuses the others with what it allows", async () => {
    const wanted: Record<string, { actions: string[]; id: string }> = {};
    const of = (status: string, actions: string[], id: string) =>
      (wanted[status] = { actions, id });
    of("draft", ["submit", "delete"], await draft());
    const busy = [await world.task("hang"), await world.task("hang")];
    for (const id of busy) await until(id, ({ status }) => status === "in_progress");
    of("in_progress", ["pause", "cancel"], busy[0] ?? "");
    of("pending", ["cancel"], await world.task("hang"));
    await expectActions(wanted);
    for (const id of [busy[0] ?? "", busy[1] ?? "", wanted["pending"]?.id ?? ""])
      await post(id, "cancel");
    const next: typeof wanted = {};
    const failed = await world.task("fatal No");
    const done = await world.task("write 1.txt x\nphase 1\nwrite 2.txt y\nphase 2", {
      type: "memo",
    });
    next["review"] = { id: done, actions: ["approve", "request-changes"] };
    await until(done, ({ status }) => status === "review");
    await until(failed, ({ status }) => status === "failed");
    next["failed"] = { id: failed, actions: ["retry", "delete"] };
    await expectActions(next);
    await approve(done);
    await until(done, ({ status, reviews }) => status === "review" && reviews.length > 0);
    await approve(done);
    await until(done, ({ status }) => status === "completed");
    await expectActions({ completed: { id: done, actions: ["archive", "delete"] } });
    expect((await post(done, "retry")).status).toBe(409);
  });

  test("S1.8 its times, phases and progress are null or 0 until they are known, and then stay", async () => {
    const id = await draft({
      type: "memo",
      script: "write 1.txt x\nphase 1\nwrite 2.txt y\nphase 2",
    });
    const fresh = (await world.call(`/api/tasks/${id}`)).json;
    expect(fresh).toMatchObject({ status: "draft", currentPhase: null, progress: 0 });
    expect(fresh).toMatchObject({ startedAt: null, completedAt: null, failedAt: null });
    expect(new Date(String(fresh["createdAt"])).toISOString()).toBe(fresh["createdAt"]);
    await post(id, "submit");
    await until(id, ({ reviews }) => reviews.length > 0);
    const first = (await world.call(`/api/tasks/${id}`)).json;
    expect(first).toMatchObject({ status: "review", currentPhase: 1, totalPhases: 2 });
    expect(first).toMatchObject({ createdAt: fresh["createdAt"], completedAt: null });
    expect(String(first["startedAt"]) >= String(fresh["createdAt"])).toBe(true);
    await approve(id);
    await until(id, ({ status, reviews }) => status === "review" && reviews.length > 0);
    await approve(id);
    const done = await until(id, ({ status }) => status === "completed");
    expect(done).toMatchObject({
      currentPhase: 2,
      totalPhases: 2,
      progress: 100,
      failedAt: null,
    });
    expect(done).toMatchObject({
      startedAt: first["startedAt"],
      completedAt: expect.any(String),
    });
    const failed = await world.task("fatal No");
    const end = await until(failed, ({ status }) => status === "failed");
    expect(end).toMatchObject({ completedAt: null, failedAt: expect.any(String) });
  });

  test("S1.4 S1.6 people are notified of a review and of a failure, with the task's name", async () => {
    const reviewed = await world.task("write 1.txt x\nphase 1", {
      type: "memo",
      title: "To review",
    });
    const failed = await world.task("fatal No", { title: "To fail" });
    await until(reviewed, ({ reviews }) => reviews.length > 0);
    await until(failed, ({ status }) => status === "failed");
    const told = (id: string) => () => world.told.filter((line) => line.includes(id)).join("\n");
    await expect.poll(told(reviewed)).toContain("waits for your review: To review");
    await expect.poll(told(failed)).toContain("To fail");
    await post(reviewed, "cancel");
  });
});

describe("an agent (S1.9, S1.10, S1.15)", () => {
  test("S1.10 its process is stopped while it waits or is paused, continued by SIGCONT and ended by SIGTERM", async () => {
    const log = join(world.folder, "signals.log");
    const agent = `command:node ${join(import.meta.dirname, "signal-agent.mjs")} ${log}`;
    const id = await world.task("", { type: "memo", agent, script: undefined });
    const lines = (): string[] => readFileSync(log, "utf8").split("\n");
    const is = (status: string) => until(id, ({ agentStatus }) => agentStatus === status);
    const conts = (): number => lines().filter((line) => line === "SIGCONT").length;

    const asked = await is("waiting_question");
    expect(asked.status).toBe("in_progress");
    const pid = Number(lines()[0]?.split(" ")[1]);
    await expect.poll(() => stateOf(pid)).toBe("T");
    expect(lines().join("\n")).toContain("Write the first one.");
    expect(conts()).toBe(0);
    await post(id, "answer", { answer: "yes" });
    await expect.poll(() => lines().join("\n")).toContain("ANSWER yes");
    expect(conts()).toBe(1);

    await until(id, ({ status, reviews }) => status === "review" && reviews.length > 0);
    expect((await seen(id)).agentStatus).toBe("waiting_review");
    await expect.poll(() => stateOf(pid)).toBe("T");
    const review = (await world.call(`/api/tasks/${id}/review`)).json;
    await post(id, "request-changes", { reviewId: review["id"], feedback: "Say more." });
    await expect.poll(() => lines().join("\n")).toMatch(/FEEDBACK [\s\S]*Say more\./);
    expect(conts()).toBe(2);
    await until(id, ({ status, reviews }) => status === "review" && reviews[0] !== review["id"]);
    await approve(id);

    await is("waiting_question");
    await expect.poll(() => lines().join("\n")).toContain("Write the second one.");
    await post(id, "pause");
    await post(id, "answer", { answer: "yes" });
    await is("paused");
    await expect.poll(() => stateOf(pid)).toBe("T");
    await post(id, "resume");
    await until(id, ({ status, reviews }) => status === "review" && reviews.length > 0);
    await approve(id);
    await until(id, ({ status }) => status === "completed");
    await expect.poll(() => lines().at(-2)).toBe("SIGTERM");
    await expect.poll(() => stateOf(pid)).toBe("gone");
    // One process from the first prompt to the end.
    expect(lines().filter((line) => line.startsWith("pid "))).toHaveLength(1);
  });

  test("S1.9 a dependency that was provided is not waited for again, whoever asks for it", async () => {
    const file = join(world.folder, "needs.sh");
    const block = [
      "[DEPENDENCY_REQUEST]",
      "type: api_key",
      "name: THE_KEY",
      "description: x",
      "required: true",
      "[/DEPENDENCY_REQUEST]",
    ];
    const done = ["=== CUSTOM TASK COMPLETE ===", "Task: it", "Summary: it had $THE_KEY", ""];
    writeFileSync(
      file,
      `${echoed(block)}\n[ -n "$THE_KEY" ] && {\n${echoed(done)}\n}\nexec sleep 3600\n`,
    );
    const id = await world.task("", { agent: `command:sh ${file}`, script: undefined });
    await until(id, ({ agentStatus }) => agentStatus === "waiting_dependency");
    expect(await post(id, "provide", { value: "s3cret-value" })).toMatchObject({ status: 200 });
    // Its next process begins from the beginning, and asks again.
    await until(id, ({ status }) => status === "completed");
    const waits = (await journal(id)).filter(({ to }) => to === "waiting_dependency");
    expect(waits).toHaveLength(1);
  });

  test("S1.21b its step is the first deliverable that is missing, its progress the share that is there", async () => {
    const text = "A sentence about it that says something. ".repeat(30);
    const files = ["01_idea", "02_market"].map((name) => `write docs/planning/${name}.md ${text}`);
    const script = [...files, "ask choice Which? | Red | Blue", "hang"].join("\n");
    const id = await world.task(script, { type: "create_app" });
    await until(id, ({ questions }) => questions.length > 0);
    const shown = await world.until(
      `/api/tasks/${id}/agent`,
      ({ currentStep }: { currentStep: string | null }) => currentStep === "03_users",
    );
    // Two of nine documents of the first of four phases.
    expect(shown).toMatchObject({ status: "waiting_question", currentPhase: 1, progress: 5 });
    expect(shown).toMatchObject({ checkpoint: { autoSaveInterval: 600_000 }, tokensUsed: 0 });
    expect(new Date(String(shown["lastUpdate"])).toISOString()).toBe(shown["lastUpdate"]);
    await post(id, "cancel");
  });

  test("S1.21 a phase that is complete is journaled with PHASE_COMPLETE, its number and its deliverables", async () => {
    const id = await world.task("write 1.txt x\nphase 1 1.txt", { type: "memo" });
    await until(id, ({ reviews }) => reviews.length > 0);
    const all = await journal(id);
    const said = all.filter(({ trigger }) => trigger === "PHASE_COMPLETE");
    const metadata = expect.objectContaining({ phase: 1, deliverables: 1 }) as object;
    const wanted = [
      { machine: "agent", from: "running", to: "waiting_review", metadata },
      { machine: "task", from: "in_progress", to: "review", metadata },
    ];
    expect(said).toEqual(
      expect.arrayContaining(wanted.map((each) => expect.objectContaining(each) as object)),
    );
    for (const each of all) {
      expect(each).toMatchObject({ taskId: id, type: "state_transition" });
      expect(new Date(String(each["timestamp"])).toISOString()).toBe(each["timestamp"]);
      expect(Object.keys(each)).toEqual(
        expect.arrayContaining(["from", "to", "trigger", "metadata"]),
      );
    }
    await post(id, "cancel");
  });
});

// --- internal ---

/** As a shell prints them. */
function echoed(lines: readonly string[]): string {
  return lines.map((line) => `echo "${line}"`).join("\n");
}

/** Each refuses what it does not allow; in the same words, with what it does. */
async function expectActions(
  wanted: Record<string, { id: string; actions: string[] }>,
): Promise<void> {
  for (const [status, { id, actions }] of Object.entries(wanted)) {
    const task = await seen(id);
    expect(task.status).toBe(status);
    const allowed = task.actions.filter((each) => each.allowed).map(({ name }) => name);
    const names = allowed.map((name) => name.replace("_", "-"));
    expect([status, ...names]).toEqual(expect.arrayContaining([status, ...actions]));
    for (const other of ["submit", "pause", "archive", "retry"].filter(
      (name) => !names.includes(name),
    )) {
      const { json, status: code } = (await post(id, other)) as { json: Json; status: number };
      expect([other, code, json.error?.code]).toEqual([other, 409, "refused"]);
      const said = json.error?.allowed?.map((name) => name.replace("_", "-"));
      expect([status, ...(said ?? [])]).toEqual([status, ...names]);
    }
  }
}

/** As the kernel has it: T is stopped. */
function stateOf(pid: number): string {
  try {
    return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1] ?? "gone";
  } catch {
    return "gone";
  }
}
