// Runs that the server carries out (S0, S2.6): begun, followed, paused and ended as any task is.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServerWorld, serverWorld } from "../server/world.ts";
import { cli } from "../cli/program.ts";
import { tagged } from "../engine/stage.ts";
import { type Course, design } from "./repository.ts";

const limit = { timeout: 600_000 };

let world: ServerWorld;
beforeAll(async () => {
  world = serverWorld();
  await world.serve();
});
afterAll(() => world.end());

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly agentStatus: string | null;
  readonly unit: string | null;
  readonly phaseName: string | null;
  readonly currentPhase: number | null;
  readonly totalPhases: number | null;
  readonly questions: readonly string[];
  readonly openQuestions: readonly { readonly question: string; readonly options: string[] }[];
  readonly failure: { readonly reason: string } | null;
}

/** Of the agent beside it, which does what the course says. */
function agentFor(program: string, name: string, units: Course | object): string {
  const path = join(world.folder, `${name}.json`);
  const log = join(world.folder, `${name}.log`);
  writeFileSync(log, "");
  writeFileSync(path, JSON.stringify({ log, units }));
  return `command:${process.execPath} ${resolve(import.meta.dirname, program)} ${path}`;
}

async function post(path: string, body: object = {}): Promise<Shown> {
  const { status, text, json } = await world.call(`/api/tasks${path}`, { body });
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return json as unknown as Shown;
}

const show = (id: string, is: (task: Shown) => boolean): Promise<Shown> =>
  world.until(`/api/tasks/${id}`, (json) => is(json)) as unknown as Promise<Shown>;

/** The newest task that the run has for the unit, once it is so. */
async function child(
  run: string,
  unit: string,
  is: (task: Shown) => boolean = () => true,
): Promise<Shown> {
  const of = (json: unknown): Shown | undefined =>
    (json as { tasks: Shown[] }).tasks.find((task) => task.unit === unit);
  const found = await world.until(`/api/tasks?run=${run}`, (json) => {
    const task = of(json);
    return task !== undefined && is(task);
  });
  return of(found) as Shown;
}

const items = (json: unknown): { kind: string; taskId: string; title: string; hash: string }[] =>
  (json as { items: never[] }).items;

/** The review of a run's child, found where a person looks for what waits. */
async function approveNext(title: string): Promise<void> {
  const found = await world.until("/api/inbox", (json) =>
    items(json).some((item) => item.kind === "review" && item.title === title),
  );
  const { taskId = "", hash } = items(found).find((item) => item.title === title) ?? {};
  await post(`/${taskId}/approve`, { hash });
}

function git(...words: string[]): string {
  const { stdout } = spawnSync("git", words, { cwd: world.root, env: world.env, encoding: "utf8" });
  return stdout.trim();
}

test(
  "S0.7 S1.22 develop as a task of the server: its place, its reviews and its question are seen and decided there; paused it stands still",
  limit,
  async () => {
    const gate = join(world.folder, "gate");
    const agent = agentFor("role-agent.mjs", "develop", {
      DESIGN: [design("cp-1", "cp-2 < cp-1")],
      "cp-1": [{ fail: "ENV_ISSUE no database" }],
      "cp-2": [{ until: gate }],
    });
    const { id, status } = await post("", { type: "develop", title: "chat", agent });
    expect(status).toBe("in_progress");
    await approveNext("DESIGN: chat");
    const asking = await show(id, ({ questions }) => questions.length > 0);
    expect(asking).toMatchObject({
      type: "develop",
      currentPhase: 3,
      totalPhases: 4,
      phaseName: "IMPLEMENT",
    });
    const [question] = asking.openQuestions;
    expect(question?.options).toEqual(["retry", "skip", "stop"]);
    expect(question?.question).toContain("ENV_ISSUE");
    await post(`/${id}/answer`, { answer: "skip" });
    const begun = await child(id, "cp-2", ({ agentStatus }) => agentStatus === "running");

    const held = spawnSync(process.execPath, [cli, "why", "cp-2"], {
      cwd: world.root,
      env: world.env,
      encoding: "utf8",
    });
    expect(held.stdout).toContain(`Held by run ${id} since `);

    await post(`/${id}/pause`);
    await child(id, "cp-2", ({ agentStatus }) => agentStatus === "paused");
    writeFileSync(gate, "");
    // Nothing is begun for it, either: whoever carries it out looks, and lets it be.
    await post(`/${id}/resume`);
    await child(id, "cp-2", ({ status: now }) => now === "completed");
    expect((await child(id, "cp-2")).id).toBe(begun.id);
    await approveNext("MERGE: chat");
    await show(id, ({ status: now }) => now === "completed");
    // The database first, then the file: another process may look in between.
    const file = join(world.root, ".develop-workflow/state.yaml");
    await expect.poll(() => readFileSync(file, "utf8")).toContain("phase: DONE");
    expect(git("log", "-1", "--format=%s", "main")).toBe("develop: chat");
    await post(`/${id}/archive`);
  },
);

test(
  "S1.3 a run that is cancelled ends its agents with it, and is then deleted",
  limit,
  async () => {
    const never = join(world.folder, "never");
    const agent = agentFor("role-agent.mjs", "cancelled", { DESIGN: [{ until: never }] });
    const { id } = await post("", { type: "develop", title: "search", agent });
    const design1 = await child(id, "DESIGN", ({ agentStatus }) => agentStatus === "running");
    await post(`/${id}/cancel`);
    const ended = await child(id, "DESIGN", ({ status }) => status === "failed");
    expect(ended).toMatchObject({ id: design1.id, failure: { reason: "cancelled" } });
    await world.until(`/api/tasks/${design1.id}/agent`, ({ status }) => status === "failed");
    expect((await world.call(`/api/tasks/${id}/delete`, { body: {} })).status).toBe(200);
    // Its files go first.
    await world.until(`/api/tasks/${id}`, ({ error }) => error !== undefined);
  },
);

test(
  "S1.7 a run that nobody carries out is cancelled with its agents, and deleted with all its tasks",
  limit,
  async () => {
    const others = world;
    // The project of the others has a develop run already.
    world = serverWorld();
    try {
      await world.serve();
      const never = join(world.folder, "never");
      const agent = agentFor("role-agent.mjs", "left", { DESIGN: [{ until: never }] });
      const { id } = await post("", { type: "develop", title: "left", agent });
      const unit = await child(id, "DESIGN", ({ agentStatus }) => agentStatus === "running");
      await expect.poll(() => tagged(world.home)).not.toEqual([]);
      await world.server.stop();
      const holdfast = (...words: string[]) =>
        spawnSync(process.execPath, [cli, "task", ...words, "--json"], {
          cwd: world.root,
          env: world.env,
          encoding: "utf8",
        });
      expect(holdfast("cancel", id)).toMatchObject({ status: 0 });
      expect(JSON.parse(holdfast("show", unit.id).stdout)).toMatchObject({
        status: "failed",
        failure: { reason: "cancelled" },
      });
      await expect.poll(() => tagged(world.home)).toEqual([]);
      expect(holdfast("delete", id)).toMatchObject({ status: 0 });
      await world.serve();
      for (const gone of [id, unit.id])
        await world.until(`/api/tasks/${gone}`, ({ error }) => error !== undefined);
      await world.end();
    } finally {
      world = others;
    }
  },
);

test(
  "S2.6 orchestrate as a task of the server, mode normal: a person lets each phase begin and says what is done about a failed one",
  limit,
  async () => {
    writeFileSync(
      join(world.root, "TASKS.md"),
      "# Shop\n## Phase 1: Core\n- [ ] T1.1: model\n## Phase 2: More\n- [ ] T2.1: pages\n- [ ] T2.2: search\n",
    );
    writeFileSync(join(world.root, "holdfast.yaml"), "version: 1\norchestrate:\n  mode: normal\n");
    git("add", "-A");
    git("-c", "user.name=T", "-c", "user.email=t@localhost", "commit", "-qm", "a plan");
    const agent = agentFor("../orchestrate/unit-agent.mjs", "orchestrate", {
      "T2.1": [{ fail: "no such table" }],
    });
    const { id } = await post("", { type: "orchestrate", title: "shop", agent });
    const answers = async (words: string, options: string[], answer: string): Promise<void> => {
      const asking = await show(id, ({ openQuestions }) =>
        openQuestions.some(({ question }) => question.includes(words)),
      );
      expect(asking.openQuestions[0]?.options).toEqual(options);
      await post(`/${id}/answer`, { answer });
    };
    await answers("Phase 1 is done", ["continue", "stop"], "continue");
    expect(git("log", "-1", "--format=%s", "main")).toContain("Merge phase 1");
    await answers("T2.1 failed", ["fix", "skip", "merge", "stop"], "merge");
    await show(id, ({ status }) => status === "completed");
    expect(git("log", "-1", "--format=%s", "main")).toContain("Merge phase 2");
    expect([
      existsSync(join(world.root, "T2.2.txt")),
      existsSync(join(world.root, "T2.1.txt")),
    ]).toEqual([true, false]);
    const { stdout } = spawnSync(process.execPath, [cli, "task", "list", "--run", id], {
      cwd: world.root,
      env: world.env,
      encoding: "utf8",
    });
    expect(stdout).toMatch(/Completed {2}1\/1 implementer · 100 % {2}T2\.2: search/);
  },
);
