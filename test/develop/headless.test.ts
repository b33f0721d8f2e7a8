// develop carried out by itself (S0), with real agents, real git and real ends of processes.
import { readFileSync, watch } from "node:fs";
import { expect, test } from "vitest";
import {
  type Features,
  type Person,
  approves,
  carriedOut,
  design,
  features,
} from "./repository.ts";
import { designFile } from "./world.ts";

const limit = { timeout: 600_000 };

const red = { write: { "red.txt": "0 passed\n" } };

test(
  "S0.5 S0.7 checkpoints pass at their first, second and third attempt, one is let pass by a person, and all of it lands",
  limit,
  async () => {
    const made = features({
      DESIGN: [design("cp-1", "cp-2", "cp-3", "cp-4")],
      "cp-2": [red, {}],
      "cp-3": [red, red, {}],
      "cp-4": [red],
    });
    const lines: string[] = [];
    const person = approves(made, "skip");
    const { code, looks } = await carriedOut(made, ["chat"], (line) => {
      lines.push(line);
      person(line);
    });
    expect(code).toBe(0);
    expect(looks).toBeGreaterThan(15);
    expect(made.state()).toMatchObject({
      phase: "DONE",
      strategy: "subagent",
      checkpoints: {
        "cp-1": { status: "passed", iteration: 1 },
        "cp-2": { status: "passed", iteration: 2 },
        "cp-3": { status: "passed", iteration: 3 },
        "cp-4": { status: "passed", iteration: 3 },
      },
    });
    expect(Object.fromEntries(made.conversations())).toEqual({
      DESIGN: 1,
      REVIEW: 1,
      "cp-1": 1,
      "cp-2": 2,
      "cp-3": 3,
      "diagnosis-cp-3": 1,
      "cp-4": 3,
      "diagnosis-cp-4": 1,
      MERGE: 1,
    });
    const subjects = made.git("log", "--first-parent", "--format=%s", "main").split("\n");
    expect(subjects).toEqual(["develop: chat", "no plan", "begin"]);
    expect(made.git("rev-list", "--parents", "-1", "main").split(" ")).toHaveLength(3);
    expect(made.read("cp-3.txt")).toBe("1 passed\n");
    expect(made.git("branch", "--format=%(refname:short)")).toBe("main");
    expect(made.git("status", "--porcelain", "--", ".", ":!.develop-workflow")).toBe("");
    expect(made.trees()).toEqual([]);
  },
);

test(
  "S0.4 S0.7 an invalid checkpoints.yaml goes back to the agent that wrote it, with the place; a person is asked only about a valid one",
  limit,
  async () => {
    const { write: valid = {} } = design("cp-1", "cp-2 < cp-1");
    const { write: cyclic = {} } = design("cp-1 < cp-2", "cp-2 < cp-1");
    const made = features({ DESIGN: [{ write: cyclic, mend: valid }] });
    const approved: string[] = [];
    const person = approves(made);
    const { code } = await carriedOut(made, ["chat"], (line) => {
      if (line.includes("holdfast task approve")) approved.push(made.state()?.phase ?? "");
      person(line);
    });
    expect([code, made.state()?.phase]).toEqual([0, "DONE"]);
    expect(approved).toEqual(["DESIGN", "MERGE"]);
    expect(made.conversations().get("DESIGN")).toBe(1);
    const told = readFileSync(made.log, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("DESIGN-told"));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(`${designFile}:6 /checkpoints/0/dependencies/0`);
  },
);

test(
  "S0.5 a checkpoint that is called done while its validation fails never passes; stopped, nothing has landed",
  limit,
  async () => {
    const wrong = { write: { "cp-1.txt": "0 passed, 1 failed\n" } };
    const made = features({ DESIGN: [design("cp-1")], "cp-1": [wrong] });
    const { code, out } = await carriedOut(made, ["chat"], approves(made, "stop"));
    expect({ code, last: out.includes("FAILED") }).toEqual({ code: 4, last: true });
    expect(made.state()).toMatchObject({
      phase: "IMPLEMENT",
      checkpoints: { "cp-1": { status: "escalated", iteration: 3 } },
    });
    expect(out).not.toContain("passed\n");
    expect(made.conversations().get("cp-1")).toBe(3);
    expect(made.git("log", "--format=%s", "main")).toBe("no plan\nbegin");
  },
);

test(
  "S0.9 killed in each phase and resumed: DESIGN, REVIEW and MERGE begin anew, IMPLEMENT goes on with the agent it has",
  limit,
  async () => {
    const made = features({
      DESIGN: [{ until: "never" }, design("cp-1")],
      REVIEW: [{ until: "never" }, {}],
      "cp-1": [{ until: "cp" }],
      MERGE: [{ until: "never" }, {}],
    });
    const person = approves(made);
    await killedAt(made, "DESIGN", ["chat"], person);
    expect(made.state()?.phase).toBe("DESIGN");
    await killedAt(made, "REVIEW", ["--resume"], person);
    expect(made.state()?.phase).toBe("REVIEW");
    await killedAt(made, "cp-1", ["--resume"], person);
    expect(made.state()?.checkpoints).toEqual({ "cp-1": { status: "in_progress", iteration: 1 } });
    // It comes to its end while nobody looks.
    made.open("cp");
    await killedAt(made, "MERGE", ["--resume"], person);
    expect(made.state()?.phase).toBe("MERGE");
    const { code } = await carriedOut(made, ["--resume"], person);
    expect([code, made.state()?.phase]).toEqual([0, "DONE"]);
    expect(Object.fromEntries(made.conversations())).toEqual({
      DESIGN: 2,
      REVIEW: 2,
      "cp-1": 1,
      MERGE: 2,
    });
    const merges = made.git("log", "--merges", "--format=%s", "main").split("\n");
    expect(merges).toEqual(["develop: chat"]);
    const units = made.git("log", "--no-merges", "--format=%s", "main").split("\n");
    expect(units.filter((line) => line.startsWith("cp-1: "))).toHaveLength(1);
    // Of those that were ended their snapshots stay, as of any task; no clone and no worktree does.
    expect(made.trees().filter((name) => !/^task_\w+\.git$/.test(name))).toEqual([]);
    const open = made.shell(
      "task",
      "list",
      "--run",
      runIn(made),
      "--status",
      "in_progress",
      "--json",
    );
    expect(JSON.parse(open.out)).toMatchObject({ tasks: [] });
  },
);

// --- internal ---

/** As soon as the unit's agent has begun to speak. */
async function killedAt(
  made: Features,
  unit: string,
  words: readonly string[],
  person: Person,
): Promise<void> {
  const { conversations, log } = made;
  const before = conversations().get(unit) ?? 0;
  const killing = new AbortController();
  const look = (): void => {
    if ((conversations().get(unit) ?? 0) > before) killing.abort();
  };
  const watching = watch(log, look);
  try {
    await carriedOut(made, words, person, killing.signal);
    expect(killing.signal.aborted).toBe(true);
  } finally {
    watching.close();
  }
}

function runIn(made: Features): string {
  const { tasks } = JSON.parse(made.shell("task", "list", "--json").out) as {
    tasks: { id: string }[];
  };
  return tasks[0]?.id ?? "";
}
