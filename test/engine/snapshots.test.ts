// Snapshots (S1.19): taken whenever an agent stands still, a phase or the task ends, and every few
// minutes; going back to one puts files and state back, and can be undone.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fileAt } from "../../src/git/snapshot.ts";
import { taskPlaces } from "../../src/git/workspace.ts";
import type { SnapshotRow } from "../../src/store/database/store.ts";
import { inside, isOver, nothingLeft, onStage, settings, soon } from "./stage.ts";

const stage = onStage({ policies: { autosaveMs: 400 } });
const look = (id: string) => inside(stage.open, id);

const two = `task_types:
  two:
    phases:
      - { name: One, prompt: Do one, deliverables: [{ path: a.txt }] }
      - { name: Two, prompt: Do two, deliverables: [{ path: b.txt }] }`;

const script = `write a.txt first
phase 1 a.txt
write b.txt beside
write a.txt second
ask choice Which? | Red | Blue
write c.txt {answer}
phase 2 b.txt
`;

test("S1.6 S2.6 a claim with a file that can not be kept goes back to its agent, which mends it", async () => {
  const { id } = await stage.open.submit({
    script: `need api_key THE_KEY
write a.txt key=s3cret-value
write b.txt b
done first
on feedback
  write a.txt clean
end`,
  });
  await stage.open.until(id, ({ dependencies }) => dependencies.length > 0);
  await stage.open.tasks.provide(id, { value: "s3cret-value" });
  const task = await stage.open.until(id, isOver);
  expect([task.status, (await look(id)).attempts]).toEqual([
    "completed",
    [expect.stringMatching(/^failed .*a\.txt/s), expect.stringMatching(/^passed/)],
  ]);
  await nothingLeft(stage.open);
  const [last] = await stage.open.store.snapshots(id);
  expect(await fileIn(last, id, "a.txt")).not.toContain("s3cret");
});

describe("when one is taken (S1.19)", () => {
  test("S1.19 at each freeze, each phase's end, the end, and in between, each with its files", async () => {
    settings(stage.world, two);
    const { id } = await stage.open.submit({
      type: "two",
      script: `write n.txt 1
ask choice Which? | Red | Blue
write n.txt 2
need api_key THE_KEY
write n.txt 3
limit 1
write a.txt first
write n.txt 4
phase 1 a.txt
write n.txt 5
say begun
sleep 3600000`,
    });
    await stage.open.until(id, ({ questions }) => questions.length > 0);
    await stage.open.tasks.answer(id, { answer: "Red" });
    await stage.open.until(id, ({ dependencies }) => dependencies.length > 0);
    await stage.open.tasks.provide(id, { value: "s3cret-value" });
    await stage.open.until(id, ({ reviews }) => reviews.length > 0);
    await stage.open.tasks.approve(id, {});
    await stage.open.until(id, ({ agentStatus }) => agentStatus === "running");
    await soon(() => named(id, "interval")).not.toBe("");
    await stage.open.tasks.act(id, { name: "pause" });
    await stage.open.until(id, ({ agentStatus }) => agentStatus === "paused");
    await stage.open.tasks.act(id, { name: "cancel" });
    await nothingLeft(stage.open);
    const taken = (await stage.open.store.snapshots(id)).toReversed();
    expect(taken.map(({ reason }) => reason).filter((reason) => reason !== "interval")).toEqual([
      "question",
      "dependency",
      "rate_limit",
      "phase_complete",
      "pause",
      "cancel",
    ]);
    expect(taken.map(({ reason }) => reason)).toContain("interval");
    const seqs = taken.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    const [question, dependency, limited] = taken.filter(({ reason }) => reason !== "interval");
    expect(await fileIn(question, id, "n.txt")).toBe("1");
    expect(await fileIn(dependency, id, "n.txt")).toBe("2");
    expect(await fileIn(limited, id, "n.txt")).toBe("3");
    // Names of variables, never their values.
    expect(JSON.stringify(taken)).toContain("THE_KEY");
    expect(JSON.stringify(taken)).not.toContain("s3cret-value");
    const [agent] = (await look(id)).entities.agent.values();
    expect(agent?.data.checkpoint.lastSaved).not.toBeNull();
  });

  test("S1.19 a failure and a completion leave a last one", async () => {
    const failed = await stage.open.submit({ script: "write a.txt x\nfatal No" });
    const done = await stage.open.submit({ script: "write a.txt x\ndone x" });
    for (const { id } of [failed, done]) await stage.open.until(id, isOver);
    await nothingLeft(stage.open);
    const [last] = await stage.open.store.snapshots(failed.id);
    expect(last?.reason).toBe("fatal_error");
    expect(await fileIn(last, failed.id, "a.txt")).toBe("x");
    const [end] = await stage.open.store.snapshots(done.id);
    expect(await fileIn(end, done.id, "a.txt")).toBe("x");
  });
});

describe("going back (S1.19)", () => {
  test("S1.19 files and phase as they were; undone by the one taken before; then on to the end", async () => {
    settings(stage.world, two);
    const { id } = await stage.open.submit({ type: "two", script });
    const workspace = await toTheQuestion(id);
    const first = await named(id, "phase_complete");
    await stage.open.tasks.restore(id, first);
    await soon(() => files(workspace)).toEqual({ "a.txt": "first" });
    const back = await stage.open.until(id, ({ currentPhase }) => currentPhase === 1);
    expect(back).toMatchObject({ status: "in_progress", agentStatus: "paused", questions: [] });
    expect((await look(id)).attempts).toEqual(["passed null"]);

    await stage.open.tasks.restore(id, await named(id, "before_restore"));
    await soon(() => files(workspace)).toEqual({ "a.txt": "second", "b.txt": "beside" });
    await stage.open.until(id, ({ currentPhase }) => currentPhase === 2);

    await stage.open.tasks.restore(id, first);
    await stage.open.until(id, ({ currentPhase }) => currentPhase === 1);
    await stage.open.tasks.act(id, { name: "resume" });
    await toTheQuestion(id);
    await stage.open.tasks.answer(id, { answer: "Blue" });
    await stage.open.until(id, ({ reviews }) => reviews.length > 0);
    await stage.open.tasks.approve(id, {});
    const task = await stage.open.until(id, isOver);
    expect(task).toMatchObject({ status: "completed", failure: null, progress: 100 });
    expect(files(workspace)).toEqual({ "a.txt": "second", "b.txt": "beside", "c.txt": "Blue" });
  });

  test("S1.19 an agent at work is stopped for it, and that is no attempt", async () => {
    const { id } = await stage.open.submit({
      script:
        "write a.txt 1\nask choice Which? | Red | Blue\nwrite a.txt 2\nrepeat 600\nsay {i}\nsleep 100\nend\ndone x",
    });
    const { workspace } = await stage.open.until(id, ({ questions }) => questions.length > 0);
    await soon(async () => (await stage.open.tasks.snapshots(id)).length).toBeGreaterThan(0);
    await stage.open.tasks.answer(id, { answer: "Red" });
    await soon(() => files(workspace ?? "")).toEqual({ "a.txt": "2" });
    await stage.open.tasks.restore(id, await named(id, "question"));
    await soon(() => files(workspace ?? "")).toEqual({ "a.txt": "1" });
    await soon(async () => (await look(id)).entities.agent.size).toBe(2);
    const { entities, attempts } = await look(id);
    expect(attempts).toEqual([]);
    expect([...entities.agent.values()].map(({ data }) => data.crashes)).toEqual([0, 0]);
    await soon(async () => (await look(id)).processes.map(({ status }) => status)).toEqual([
      "ended",
    ]);
  });

  test.each(["completed", "failed"])("S1.19 a %s task goes on from a snapshot too", async (end) => {
    const { id } = await stage.open.submit({
      script: `write a.txt 1\nask choice Which? | Red | Blue\nwrite a.txt 2\n${end === "failed" ? "fatal No" : "done x"}`,
    });
    const { workspace } = await stage.open.until(id, ({ questions }) => questions.length > 0);
    await stage.open.tasks.answer(id, { answer: "Red" });
    await stage.open.until(id, ({ status }) => status === end);
    await nothingLeft(stage.open);
    await stage.open.tasks.restore(id, await named(id, "question"));
    await soon(async () => (await stage.open.tasks.show(id)).status).toBe("in_progress");
    expect(files(workspace ?? "")).toEqual({ "a.txt": "1" });
    await stage.open.tasks.act(id, { name: "resume" });
    await stage.open.until(id, ({ questions }) => questions.length > 0);
    await stage.open.tasks.answer(id, { answer: "Blue" });
    const task = await stage.open.until(id, isOver);
    expect(task.status).toBe(end);
    expect(files(workspace ?? "")).toEqual({ "a.txt": "2" });
  });

  test("S1.19 S1.20 a restore that the server's end interrupts is finished by the next one", async () => {
    settings(stage.world, two);
    const { id } = await stage.open.submit({ type: "two", script });
    const workspace = await toTheQuestion(id);
    const first = await named(id, "phase_complete");
    await stage.open.tasks.restore(id, first);
    await stage.again();
    await soon(() => files(workspace)).toEqual({ "a.txt": "first" });
    await stage.open.until(id, ({ currentPhase }) => currentPhase === 1);
    const befores = (await stage.open.tasks.snapshots(id)).filter(
      ({ reason }) => reason === "before_restore",
    );
    expect(befores).toHaveLength(1);
  });
});

// --- internal ---

async function toTheQuestion(id: string): Promise<string> {
  await stage.open.until(id, ({ reviews }) => reviews.length > 0);
  await stage.open.tasks.approve(id, {});
  const { workspace } = await stage.open.until(id, ({ questions }) => questions.length > 0);
  await soon(() => named(id, "question")).not.toBe("");
  return workspace ?? "";
}

/** The newest that was taken for this reason. */
async function named(id: string, reason: string): Promise<string> {
  return (await stage.open.tasks.snapshots(id)).find((each) => each.reason === reason)?.id ?? "";
}

function files(workspace: string): Record<string, string> {
  return Object.fromEntries(
    ["a.txt", "b.txt", "c.txt"]
      .map((name) => [name, join(workspace, name)] as const)
      .filter(([, path]) => existsSync(path))
      .map(([name, path]) => [name, readFileSync(path, "utf8")]),
  );
}

async function fileIn(
  row: SnapshotRow | undefined,
  id: string,
  path: string,
): Promise<string | undefined> {
  const commit = (row?.data as { tree: { commit: string } } | undefined)?.tree.commit ?? "";

  const { trees } = taskPlaces(stage.world.home, id);
  return (await fileAt(trees, commit, path, 1_000))?.bytes.toString("utf8");
}
