// A verifier with real processes (S1.14): its verdict decides, in a copy of its own, whoever dies.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { copyFolder } from "../../src/engine/_effect-remove.ts";
import { inside, isOver, onStage, pidOf, powerCut, send, settings, soon } from "./stage.ts";

const stage = onStage({ slots: 1 });
const look = (id: string) => inside(stage.open, id);

const types = (review: boolean): string => `task_types:
  judged:
    phases:
      - { name: One, prompt: Do it, deliverables: [{ path: a.txt }], verifier: It is good, review: ${review} }`;

const verifiers = async (id: string) =>
  [...(await look(id)).entities.agent.values()]
    .filter(({ data }) => data.role === "verifier")
    .toSorted((a, b) => (a.data.lastUpdate < b.data.lastUpdate ? -1 : 1));
const processOf = async (id: string, agentId: string) =>
  (await look(id)).processes.findLast(({ data }) => data.agentId === agentId);
const working = async (id: string) => {
  await soon(async () => {
    const agent = (await verifiers(id)).at(-1);
    return agent && (await processOf(id, agent.id))?.status;
  }).toBe("running");
  const agent = (await verifiers(id)).at(-1);
  if (agent === undefined) throw new Error("nobody judges");
  return agent;
};

describe("a phase with a verifier (S1.14)", () => {
  test("S1.14 with one slot: a failing verdict is feedback, the next look passes, the task completes", async () => {
    settings(stage.world, types(false));
    const script = [
      "write a.txt first",
      "phase 1 a.txt",
      "on feedback",
      "  write a.txt second {feedback}",
      "end",
      "verifier",
      "  write stray.txt x",
      "end",
      "verifier",
      "  verdict fail a.txt says too little",
      "end",
      "verifier",
      "  verdict pass",
      "end",
    ].join("\n");
    // The first look dies of its own script: it may not write where it looks. (As root nothing stops it,
    // and it ends without a verdict.) Either way a person is asked, and has it looked at again.
    const { id } = await stage.open.submit({ type: "judged", script });
    const asked = await stage.open.until(id, (task) => task.questions.length > 0);
    expect(existsSync(join(asked.workspace ?? "", "stray.txt"))).toBe(false);
    await stage.open.tasks.answer(id, { answer: "again" });
    const task = await stage.open.until(id, isOver);
    expect(task).toMatchObject({ status: "completed", failure: null });
    const text = readFileSync(join(task.workspace ?? "", "a.txt"), "utf8");
    expect(text).toContain("a.txt says too little");
    const judges = await verifiers(id);
    expect(judges.map(({ status }) => status)).toEqual(["failed", "completed", "completed"]);
    for (const { id: agent } of judges)
      await soon(() => existsSync(copyFolder(stage.world.home, agent))).toBe(false);
    const { attempts } = await look(id);
    expect(attempts).toMatchObject([
      expect.stringContaining("could not be verified") as string,
      expect.stringContaining("says too little") as string,
      "passed null",
    ]);
  });

  test("S1.14 it judges a copy that can not be written to, and the server's end does not touch it", async () => {
    settings(stage.world, types(true));
    const script =
      "write a.txt first\nphase 1 a.txt\nverifier\nsay looking\nlimit 1\nverdict pass\nend";
    const { id } = await stage.open.submit({ type: "judged", script });
    const { id: agent } = await working(id);
    const copy = copyFolder(stage.world.home, agent);
    expect(readFileSync(join(copy, "a.txt"), "utf8")).toBe("first");
    expect(statSync(join(copy, "a.txt")).mode & 0o222).toBe(0);
    expect(statSync(copy).mode & 0o222).toBe(0);
    expect(existsSync(join(copy, ".git"))).toBe(false);
    await stage.again();
    const task = await stage.open.until(id, ({ reviews }) => reviews.length > 0);
    expect(task.status).toBe("review");
    expect((await verifiers(id)).map(({ status }) => status)).toEqual(["completed"]);
    const own = (await look(id)).processes.filter(({ data }) => data.agentId === agent);
    expect(own).toHaveLength(1);
  });

  test("S1.20 killed with everything else, then by itself: resumed in its conversation, it judges", async () => {
    settings(stage.world, types(true));
    const script =
      "write a.txt first\nphase 1 a.txt\nverifier\nsay looking\nsleep 2000\nverdict pass\nend";
    const { id } = await stage.open.submit({ type: "judged", script });
    const { id: agent } = await working(id);
    await stage.open.close();
    await powerCut(stage.world.home);
    await stage.again();
    const own = async () => (await look(id)).processes.filter(({ data }) => data.agentId === agent);
    await soon(async () => (await own()).map(({ status }) => status)).toEqual(["ended", "running"]);
    expect((await verifiers(id))[0]?.data.crashes).toBe(0);
    const second = await processOf(id, agent);
    expect(second?.data.resume).toBe(true);
    // Its holder says who it is a moment after it was started.
    const file = join(stage.world.home, "runs", second?.id ?? "", "pid");
    await soon(() => existsSync(file) && pidOf(stage.world.home, second?.id ?? "") > 0).toBe(true);
    send(pidOf(stage.world.home, second?.id ?? ""), "SIGKILL");
    const task = await stage.open.until(id, ({ reviews }) => reviews.length > 0);
    expect(task.status).toBe("review");
    expect(await own()).toHaveLength(3);
    expect(await verifiers(id)).toMatchObject([{ status: "completed", data: { crashes: 1 } }]);
  });
});
