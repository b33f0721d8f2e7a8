// A new tree and its set-up (S1.21d), and who stays in memory with it (S1.7b).
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inside, isOver, nothingLeft, onStage, settings, soon } from "./stage.ts";

const stage = onStage();
const look = (id: string) => inside(stage.open, id);

const notices = async (id: string): Promise<string[]> =>
  (await stage.open.store.transitions({ taskId: id }))
    .filter(({ trigger }) => trigger === "notice")
    .map(({ metadata }) => (metadata as { message: string }).message);

describe("a set-up in each new tree (S1.21d)", () => {
  test("S1.21d in a copy of the project it has to succeed", async () => {
    settings(stage.world, "setup: test -f README.md && echo ready >ready.txt");
    const { id } = await stage.open.submit({ script: "done x" });
    const task = await stage.open.until(id, isOver);
    expect(task.status).toBe("completed");
    expect(existsSync(join(task.workspace ?? "", "ready.txt"))).toBe(true);
  });

  test("S1.21d in an empty folder it runs as well", async () => {
    withoutGit("setup: echo ready >ready.txt");
    const { id } = await stage.open.submit({ script: "done x" });
    const task = await stage.open.until(id, isOver);
    expect(task.status).toBe("completed");
    expect(existsSync(join(task.workspace ?? "", "ready.txt"))).toBe(true);
    expect(await notices(id)).toEqual([expect.stringContaining("is not a git repository")]);
  });

  test("S1.21d in an empty folder what needs the project's files fails, is told, and stops nobody", async () => {
    withoutGit("setup: echo no README here >&2; cat README.md");
    const { id } = await stage.open.submit({ script: "write README.md # New\ndone x" });
    const task = await stage.open.until(id, isOver);
    expect(task).toMatchObject({ status: "completed", failure: null });
    expect(await notices(id)).toEqual([
      expect.stringContaining("is not a git repository"),
      expect.stringMatching(
        /although setup did not succeed there: .*ended with 1[^]*no README here/,
      ),
    ]);
  });
});

describe("frozen agents (S1.7b)", () => {
  test("S1.7b who waits longest is told by when it stopped working, not by what was said of it since", async () => {
    await stage.again({ policies: { frozenMost: 3 } });
    const script = "ask choice Which? | Red | Blue\nsay got {answer}\ndone x";
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      const { id } = await stage.open.submit({ script });
      await stage.open.until(id, ({ questions }) => questions.length > 0);
      ids.push(id);
    }
    await nothingUnderWay();
    // A pause is remembered: it changes the row of one that has waited longest all the same.
    await stage.open.tasks.act(ids[0] ?? "", { name: "pause" });
    await stage.again({ policies: { frozenMost: 2 } });
    const states = async () =>
      Promise.all(ids.map(async (id) => (await look(id)).processes[0]?.status));
    await soon(states).toEqual(["ended", "running", "running"]);
    await stage.open.tasks.act(ids[0] ?? "", { name: "resume" });
    for (const id of ids) await stage.open.tasks.answer(id, { answer: "Red" });
    const tasks = await Promise.all(ids.map((id) => stage.open.until(id, isOver)));
    expect(tasks.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
    await nothingLeft(stage.open);
  });
});

// --- internal ---

function withoutGit(text: string): void {
  rmSync(join(stage.world.root, ".git"), { recursive: true });
  writeFileSync(join(stage.world.root, "holdfast.yaml"), `version: 1\n${text}\n`);
}

async function nothingUnderWay(): Promise<void> {
  await soon(() => stage.open.store.tasksWithEffects()).toEqual([]);
}
