// What a task says of itself and what it allows, from outside: its progress, its agent before the start,
// refusals with what is allowed instead, a draft that is edited, a task that is deleted (S1.7, S1.9, S1.21b).
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cli, start } from "../cli/program.ts";
import { limit } from "../crash/programs.ts";
import { type Answer, type ServerWorld, serverWorld } from "./world.ts";

const phases = ["One", "Two", "Three", "Four"];
const settings = `version: 1
snapshots: { every_minutes: 2.5 }
task_types:
  four:
    title: Four phases
    phases:
${phases
  .map(
    (name, place) => `      - name: ${name}
        prompt: Write both.
        deliverables: [{ path: docs/${place + 1}a.md }, { path: docs/${place + 1}b.md }]
        review: true`,
  )
  .join("\n")}
`;

let world: ServerWorld;
beforeAll(async () => {
  world = serverWorld();
  writeFileSync(join(world.root, "holdfast.yaml"), settings);
  await world.serve();
});
afterAll(() => world.end());

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly progress: number;
  readonly questions: string[];
  readonly reviews: string[];
  readonly actions: { name: string; allowed: boolean }[];
}

interface Step {
  readonly currentStep: string | null;
  readonly progress: number;
}

const path = (id: string, more = ""): string => `/api/tasks/${id}${more}`;
const post = (id: string, action: string, body: object = {}): Promise<Answer> =>
  world.call(path(id, `/${action}`), { body });
const until = async (id: string, is: (task: Shown) => boolean): Promise<Shown> =>
  (await world.until(path(id), is)) as unknown as Shown;
const draft = async (more: object = {}): Promise<string> =>
  world.task("done All\n", { submit: false, ...more });
const terminal = (...words: string[]): Promise<{ code: number | null; out: string; err: string }> =>
  start([process.execPath, cli, "task", ...words], { cwd: world.root, env: world.env }).ended;

test(
  "S1.21b each phase begins at its own share and grows by its own deliverables, and the first missing one is the step",
  limit,
  async () => {
    const script = phases.map(
      (_, place) => `ask choice Begin? | Yes
write docs/${place + 1}a.md A text of a few words.
ask choice More? | Yes
write docs/${place + 1}b.md A text of a few words.
phase ${place + 1} docs/${place + 1}a.md docs/${place + 1}b.md
`,
    );
    const id = await world.task(script.join(""), { type: "four" });
    const seen: (readonly [number, number, string | null, number])[] = [];
    let before = "";
    const asks = async (): Promise<void> => {
      await until(id, ({ questions }) => questions.some((each) => each !== before));
      const task = (await world.call(path(id))).json as unknown as Shown & { currentPhase: number };
      const agent = (await world.call(path(id, "/agent"))).json as unknown as Step;
      seen.push([task.currentPhase, task.progress, agent.currentStep, agent.progress]);
      [before = ""] = task.questions;
      await post(id, "answer", { answer: "Yes" });
    };
    for (const _ of phases) {
      await asks();
      await asks();
      await until(id, ({ status, reviews }) => status === "review" && reviews.length > 0);
      await post(id, "approve");
    }
    expect(seen).toEqual([
      [1, 0, "1a", 0],
      [1, 12, "1b", 12],
      [2, 25, "2a", 25],
      [2, 37, "2b", 37],
      [3, 50, "3a", 50],
      [3, 62, "3b", 62],
      [4, 75, "4a", 75],
      [4, 87, "4b", 87],
    ]);
    expect(await until(id, ({ status }) => status === "completed")).toMatchObject({
      progress: 100,
    });
    // S1.6: and people are told.
    await expect.poll(() => world.told).toContain(`${id} is completed: A task`);
  },
);

test("S1.9 before the start the agent is idle, the phases are those of the type, and the interval is the project's", async () => {
  const id = await draft({ type: "four" });
  expect((await world.call(path(id))).json).toMatchObject({ status: "draft", totalPhases: 4 });
  const { tasks } = (await world.call("/api/tasks?status=draft")).json as unknown as {
    tasks: { id: string; totalPhases: number }[];
  };
  expect(tasks.find((task) => task.id === id)?.totalPhases).toBe(4);
  const idle = await world.call(path(id, "/agent"));
  expect(idle.status).toBe(200);
  expect(idle.json).toEqual({
    id: null,
    name: "main",
    status: "idle",
    currentPhase: null,
    currentStep: null,
    progress: 0,
    tokensUsed: 0,
    cost: 0,
    blockedBy: null,
    holds: [],
    lastUpdate: expect.any(String),
    checkpoint: { lastSaved: null, autoSaveInterval: 150_000 },
  });
  const shown = await terminal("agent", id);
  expect([shown.code, shown.out]).toEqual([0, expect.stringContaining("idle")]);
  const working = await world.task("ask choice Which? | A | B\n");
  await until(working, ({ questions }) => questions.length > 0);
  expect((await world.call(path(working, "/agent"))).json).toMatchObject({
    checkpoint: { autoSaveInterval: 150_000 },
  });
});

describe("S1.7 a refusal lists what the task allows: its own actions, in the words of the routes", () => {
  /** A task in this state, which nobody changes meanwhile. */
  const states: Readonly<Record<string, () => Promise<string>>> = {
    draft: () => draft(),
    pending: async () => world.task("done All\n", { dependsOn: [await draft()] }),
    in_progress: async () => {
      const id = await world.task("say At work\nhang\n");
      await until(id, ({ status }) => status === "in_progress");
      return id;
    },
    review: async () => {
      const id = await world.task(
        "write docs/1a.md A text.\nwrite docs/1b.md A text.\nphase 1 docs/1a.md docs/1b.md\n",
        { type: "four" },
      );
      await until(id, ({ reviews }) => reviews.length > 0);
      return id;
    },
    completed: async () => {
      const id = await world.task("done All\n");
      await until(id, ({ status }) => status === "completed");
      return id;
    },
    failed: async () => {
      const id = await world.task("fatal It broke\n");
      await until(id, ({ status }) => status === "failed");
      return id;
    },
  };
  const bodies: Readonly<Record<string, object>> = {
    edit: { title: "Other" },
    "request-changes": { feedback: "More." },
    answer: { answer: "A" },
    provide: { value: "x" },
  };
  // oxfmt-ignore
  const asked = ["submit", "edit", "pause", "resume", "approve", "request-changes", "retry", "cancel", "archive", "delete", "answer", "provide"];

  test.each(Object.keys(states))("while it is %s", limit, async (state) => {
    const id = await (states[state] as () => Promise<string>)();
    const { actions } = (await world.call(path(id))).json as unknown as Shown;
    const allowed = actions.flatMap(({ name, allowed: may }) => (may ? name : []));
    expect(allowed.filter((name) => !asked.includes(name))).toEqual([]);
    const refusals = asked.filter((name) => !allowed.includes(name));
    expect(refusals.length).toBeGreaterThan(0);
    for (const name of refusals) {
      const { status, json } = await post(id, name, bodies[name]);
      expect([name, status, json.error?.code, json.error?.allowed]).toEqual([
        name,
        409,
        "refused",
        allowed,
      ]);
      // No word that is only the machine's own.
      expect(json.error?.message).not.toMatch(
        /phase_passed|request_changes|fatal_error|verification_failed|\bstart\b/,
      );
    }
    const refused = await terminal(refusals[0] ?? "", id, "--json");
    expect(refused.code).toBe(4);
    expect(refused.out + refused.err).toContain(`Allowed now: ${allowed.join(", ")}.`);
  });
});

describe("S1.7 a draft is edited", () => {
  test("by API and command line: title, type, description, agent, priority, dependencies; the rest stays", async () => {
    const [id, other] = [await draft({ title: "First", priority: "low" }), await draft()];
    const edited = await post(id, "edit", { title: "Second", type: "four", dependsOn: [other] });
    expect([edited.status, edited.json]).toMatchObject([
      200,
      { status: "draft", title: "Second", type: "four", totalPhases: 4, dependsOn: [other] },
    ]);
    expect(edited.json).toMatchObject({ description: "Do it.", priority: "low", agent: "sample" });
    const words = ["--description", "Otherwise.", "--priority", "high", "--depends-on", ""];
    const agent = ["--type", "custom", "--agent", "command:./agent.sh"];
    const said = await terminal("edit", id, ...words, ...agent, "--json");
    expect([said.code, said.err]).toEqual([0, ""]);
    expect(JSON.parse(said.out)).toMatchObject({
      title: "Second",
      description: "Otherwise.",
      priority: "high",
      type: "custom",
      agent: "command:./agent.sh",
      dependsOn: [],
    });
    expect((await world.call(path(id))).json).toMatchObject({ title: "Second", priority: "high" });
    const { json } = await world.call(`/api/log?task=${id}`);
    expect(json["transitions"]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ from: "draft", to: "draft", trigger: "edit" }),
      ]),
    );
  });

  test("what would be wrong with it is refused at once, and nothing of it is changed", async () => {
    const [id, other] = [await draft({ title: "Stays" }), await draft()];
    await post(other, "edit", { dependsOn: [id] });
    const wrong: readonly (readonly [object, number])[] = [
      [{ type: "nothing" }, 400],
      [{ agent: "nobody" }, 400],
      [{ title: "Changed", dependsOn: ["task_none"] }, 404],
      [{ title: "Changed", dependsOn: [other] }, 409],
      [{ title: "Changed", dependsOn: [id] }, 409],
      [{ priority: "urgent" }, 400],
      [{ status: "completed" }, 400],
      [{}, 400],
    ];
    for (const [body, status] of wrong) {
      const answer = await post(id, "edit", body);
      expect([body, answer.status]).toEqual([body, status]);
    }
    expect((await world.call(path(id))).json).toMatchObject({ title: "Stays", dependsOn: [] });
  });

  test("S1.2 what it says then is what is submitted and worked on", async () => {
    const id = await draft({ description: "" });
    expect((await post(id, "submit")).status).toBe(409);
    await post(id, "edit", { description: "Now there is one." });
    expect((await post(id, "submit")).status).toBe(200);
    await until(id, ({ status }) => status === "completed");
  });
});

test(
  "S1.7 from the moment its deletion is acknowledged a task answers nothing, and no retry of it is made",
  limit,
  async () => {
    // So much to remove that its rows are there for a while.
    const many = "repeat 60\n  repeat 20\n    write many/{i}/{j}.txt A text.\n  end\nend\n";
    const id = await world.task(`${many}fatal It broke\n`);
    await until(id, ({ status }) => status === "failed");
    const { tasks: before } = (await world.call("/api/tasks")).json as unknown as {
      tasks: Shown[];
    };
    expect((await post(id, "delete")).status).toBe(200);
    const answers = await Promise.all([
      post(id, "retry"),
      post(id, "delete"),
      post(id, "archive"),
      world.call(path(id)),
      world.call(path(id, "/agent")),
      world.call(path(id, "/output")),
      world.call(path(id, "/snapshots")),
      world.call(`/api/why?id=${id}`),
      post(await draft(), "edit", { dependsOn: [id] }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    const { tasks } = (await world.call("/api/tasks")).json as unknown as { tasks: Shown[] };
    const known = new Set(before.map((task) => task.id));
    expect(tasks.some((task) => task.id === id)).toBe(false);
    expect(tasks.filter((task) => !known.has(task.id) && task.status !== "draft")).toEqual([]);
    expect((await terminal("show", id)).code).toBe(3);
  },
);

interface Inbox {
  readonly items: {
    readonly kind: string;
    readonly taskId: string;
    readonly blocks: number;
    readonly waitsFor: { id: string; status: string | null }[];
  }[];
  readonly waiting: { readonly taskId: string; readonly kind: string }[];
}
const inbox = async (): Promise<Inbox> => (await world.call("/api/inbox")).json as never;
const failed = async (): Promise<string> => {
  const id = await world.task("fatal It broke\n", { title: "Breaks" });
  await until(id, ({ status }) => status === "failed");
  return id;
};
const waitsOf = async (id: string): Promise<object[]> =>
  (await world.call(path(id))).json["waits"] as never;

describe("S1.7 who depends on a failed task", () => {
  test("waits for a person, in the inbox; and then for the newest retry", limit, async () => {
    const first = await failed();
    const after = await world.task("done All\n", { title: "Afterwards", dependsOn: [first] });
    const waits = [{ kind: "tasks", clears: "you", ids: [first] }];
    expect(await waitsOf(after)).toMatchObject(waits);
    const item = (await inbox()).items.find(({ taskId }) => taskId === after);
    expect(item).toMatchObject({
      kind: "blocked",
      waitsFor: [{ id: first, title: "Breaks", status: "failed" }],
    });
    expect((await inbox()).waiting.filter(({ taskId }) => taskId === after)).toEqual([]);
    const listed = await terminal("inbox");
    expect(listed.out).toContain(`waits for tasks that failed or were deleted: ${first}`);
    const why = await world.call(`/api/why?id=${after}`);
    expect(why.text).toContain(`holdfast task retry ${first}`);

    // The retry fails again: it is that one which is to be tried again.
    const second = String((await post(first, "retry")).json["id"]);
    await until(second, ({ status }) => status === "failed");
    expect(await waitsOf(after)).toMatchObject([{ clears: "you", ids: [second] }]);
  });

  test(
    "S1.7 starts by itself when the retry completes, and the wait is nobody's until then",
    limit,
    async () => {
      const agent = join(world.folder, "again.sh");
      const marker = join(world.folder, "again");
      // Fails the first time, asks and completes the second.
      writeFileSync(
        agent,
        `#!/bin/sh
if [ ! -e '${marker}' ]; then touch '${marker}'; echo '[ERROR] type: fatal, message: not yet'; exit 0; fi
while [ ! -e '${marker}.go' ]; do sleep 0.05; done
echo '=== CUSTOM TASK COMPLETE ==='
echo 'Completed: at last'
`,
        { mode: 0o755 },
      );
      const first = await world.task("", { agent: `command:${agent}`, script: undefined });
      await until(first, ({ status }) => status === "failed");
      const after = await world.task("done All\n", { dependsOn: [first] });
      const retry = String((await post(first, "retry")).json["id"]);
      await until(retry, ({ status }) => status === "in_progress");
      expect(await waitsOf(after)).toMatchObject([
        { kind: "tasks", clears: "itself", ids: [retry] },
      ]);
      expect((await inbox()).items.filter(({ taskId }) => taskId === after)).toEqual([]);
      writeFileSync(`${marker}.go`, "");
      await until(after, ({ status }) => status === "completed");
    },
  );

  test("a deleted one is a person's to put right, too: by editing the draft", async () => {
    const gone = await failed();
    const after = await world.task("done All\n", { dependsOn: [gone] });
    await post(gone, "delete");
    const item = (await inbox()).items.find(({ taskId }) => taskId === after);
    expect(item?.waitsFor).toMatchObject([{ id: gone, status: null }]);
    const why = await world.call(`/api/why?id=${after}`);
    expect(why.text).toContain("was deleted");
    await post(after, "cancel");
    await post(after, "edit", { dependsOn: [] });
    await post(after, "submit");
    await until(after, ({ status }) => status === "completed");
  });

  test("S1.8 a circle by way of a retry is refused", limit, async () => {
    const first = await failed();
    const after = await world.task("done All\n", { dependsOn: [first] });
    // With no slot free the retry stays in the queue, and is a draft once it is cancelled.
    const busy = await Promise.all([1, 2, 3, 4].map(() => world.task("hang\n")));
    await world.until(
      "/api/server",
      ({ slots }: { slots: { used: number; total: number } }) => slots.used === slots.total,
    );
    const retry = String((await post(first, "retry")).json["id"]);
    expect((await post(retry, "cancel")).json).toMatchObject({ status: "draft" });
    expect((await post(retry, "edit", { dependsOn: [after] })).status).toBe(409);
    for (const id of [...busy, after]) await post(id, "cancel");
  });
});

test(
  "S1.6 a completed task is told to the project's webhooks, also where no server is there to tell",
  limit,
  async () => {
    const alone = serverWorld();
    const told: string[] = [];
    const receiver = createServer((request, answer) => {
      request.setEncoding("utf8").on("data", (text: string) => void told.push(text));
      request.on("end", () => answer.end());
    });
    await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
    const { port } = receiver.address() as AddressInfo;
    alone.env["HOOK"] = `http://127.0.0.1:${port}/`;
    alone.env["HOLDFAST_WEBHOOKS"] = "loopback";
    writeFileSync(
      join(alone.root, "holdfast.yaml"),
      settings.replace("snapshots", "notify: { webhooks: [HOOK] }\nsnapshots"),
    );
    const script = phases.map(
      (_, place) =>
        `write docs/${place + 1}a.md A text.\nwrite docs/${place + 1}b.md A text.\nphase ${place + 1} docs/${place + 1}a.md docs/${place + 1}b.md\n`,
    );
    await alone.serve();
    const id = await alone.task(script.join(""), { type: "four" });
    const known: string[] = [];
    for (const _ of phases) {
      const { reviews } = (await alone.until(path(id), ({ reviews: open }: Shown) =>
        open.some((each) => !known.includes(each)),
      )) as unknown as Shown;
      known.push(...reviews);
      if (known.length < phases.length) await alone.call(path(id, "/approve"), { body: {} });
    }
    await alone.server.stop();
    const words = [process.execPath, cli, "task", "approve", id];
    const { code, out, err } = await start(words, { cwd: alone.root, env: alone.env }).ended;
    expect([code, out, err]).toEqual([0, expect.stringContaining("Completed"), ""]);
    const ended = told
      .map((text) => JSON.parse(text) as { event: string })
      .filter(({ event }) => event === "task.completed");
    expect(ended).toMatchObject([{ data: { taskId: id, status: "completed", progress: 100 } }]);
    await alone.serve();
    await alone.end();
    receiver.close();
  },
);
