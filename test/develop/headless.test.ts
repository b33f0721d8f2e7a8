// develop carried out by itself (S0), with real agents, real git and real ends of processes.
import { expect, test } from "vitest";
import { approves, carriedOut, design, features } from "./repository.ts";

const limit = { timeout: 120_000 };

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
    const { code, err, looks } = await carriedOut(made, ["chat"], (line) => {
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
