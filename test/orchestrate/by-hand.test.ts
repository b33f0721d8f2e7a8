// The seed's own recipe (S2.8), `failed` → `completed` by a person's hand: the phase that it completes is
// tested and merged like any other, whoever carries the run, and wherever it is killed.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Ended, cli, holdfast, start } from "../cli/program.ts";
import {
  type Ending,
  differences,
  endingOf,
  killedAt,
  leftIn,
  served,
  someOf,
  tasksOf,
} from "../conduct/killed.ts";
import { full, until } from "../crash/programs.ts";
import { followed } from "./carried.ts";
import { type Repository, repository } from "./repository.ts";
import { byRecipe } from "./world.ts";

const limit = { timeout: full ? 3_600_000 : 600_000 };

const plan = `# Shop
## Phase 1: Core
- [ ] T1.1: model
- [ ] T1.2: pages
## Phase 2: More
- [ ] T2.1: launch
`;

/** The gate leaves a line in the repository's folder, so that it can be counted. */
const settings = (gate: string): string => `version: 1\ncommands:\n  build: '${gate}'\n`;

const failing = {
  // What a failed attempt had written is nobody's work.
  "T1.1": [{ fail: "no such table", write: { "half.txt": "half\n" } }],
  // Built on what phase 1 made: it is there when the phase was merged before.
  "T2.1": [{ run: ["-e", 'require("node:fs").copyFileSync("T1.2.txt", "T2.1.txt")'], write: {} }],
};

/** A run by itself that is held with T1.1 failed, and the recipe done. */
function heldRun(gate = 'echo gate >> "$HOLDFAST_HOME/gates"'): Repository {
  const made = repository(plan, failing, settings(gate));
  const held = holdfast(made.run, { cwd: made.project, env: made.env });
  expect(held).toMatchObject({ code: 4, out: expect.stringContaining("HELD") as string });
  byRecipe(made.project, "T1.1");
  return made;
}

function resumed(made: Repository): Ended {
  return holdfast([...made.run, "--resume"], { cwd: made.project, env: made.env });
}

function expectWhole(made: Repository): void {
  const { tasks, checkpoints, metrics } = made.state();
  expect(tasks.completed.toSorted()).toEqual(["T1.1", "T1.2", "T2.1"]);
  expect(metrics).toMatchObject({ completed_count: 3, failed_count: 0 });
  const merge = made.git("log", "--format=%h", "--abbrev=7", "--grep=Merge phase 1", "main");
  expect(checkpoints["phase_1"]).toMatchObject({
    merged: true,
    merge_commit: merge,
    progress: "2/2",
    tasks: ["T1.1", "T1.2"],
  });
  const subjects = made.git("log", "--format=%s", "main").split("\n").toSorted();
  expect(subjects).toEqual(
    ["Merge phase 1 (phase-1-core)", "Merge phase 2 (phase-2-more)", "T1.2: pages", "T2.1: launch", "begin"], // prettier-ignore
  );
  const files = made.git("ls-tree", "--name-only", "main").split("\n");
  expect(files).toEqual(["T1.2.txt", "T2.1.txt", "TASKS.md", "holdfast.yaml"]);
  expect(made.trees().filter((name) => !name.endsWith(".git"))).toEqual([]);
  // Said as it is: done by a person, and no work of an agent is missing for it.
  const verified = made.call("orchestrate --verify");
  expect(verified).toMatchObject({ code: 0, out: expect.stringMatching(/^VERIFIED/) as string });
  expect(verified.out).toMatch(/T1\.1 was completed by hand/);
}

test(
  "S2.8 the recipe completes a phase: it is tested and merged, the next one is built on it",
  limit,
  () => {
    const made = heldRun();
    // Not done before it was merged, and --verify does not say so.
    const early = made.call("orchestrate --verify");
    expect([early.code, early.out.split("\n")[0]]).toEqual([4, "DIFFERENT:1"]);
    expect(resumed(made)).toMatchObject({ code: 0, out: expect.stringContaining("ALL_DONE") });
    expect(made.git("log", "--format=%s", "-1", "main")).toBe("Merge phase 2 (phase-2-more)");
    expectWhole(made);
  },
);

test(
  "S2.8 its gate fails: the phase is not merged, nothing of the next begins; mended on its branch it is",
  limit,
  () => {
    const made = heldRun("test -f mended.txt");
    const held = resumed(made);
    expect(held.code).toBe(4);
    expect(held.out).toContain("test -f mended.txt");
    expect(made.conversations().has("T2.1")).toBe(false);
    expect(made.git("log", "--format=%s", "main")).toBe("begin");
    const tree = join(made.folder, "tree");
    made.git("worktree", "remove", "--force", join(made.project, "worktree/phase-1-core"));
    made.git("worktree", "add", "-q", tree, "phase-1-core");
    writeFileSync(join(tree, "mended.txt"), "");
    made.git("-C", tree, "add", "-A");
    made.git("-C", tree, "commit", "-qm", "mend");
    made.git("worktree", "remove", tree);
    expect(resumed(made)).toMatchObject({ code: 0, out: expect.stringContaining("ALL_DONE") });
    expect(made.git("log", "--format=%s", "main").split("\n")).toContain("mend");
  },
);

test(
  "S2.8 a phase that was skipped, completed by hand after the run: merged with what had been done of it",
  limit,
  () => {
    const skip = `${settings("true")}orchestrate:\n  failed_phase: skip\n`;
    const made = repository(plan, { "T1.1": failing["T1.1"] }, skip);
    const over = holdfast(made.run, { cwd: made.project, env: made.env });
    expect(over).toMatchObject({ code: 0, out: expect.stringContaining("ALL_DONE") as string });
    byRecipe(made.project, "T1.1");
    expect(resumed(made)).toMatchObject({ code: 0, out: expect.stringContaining("ALL_DONE") });
    expect(made.state().checkpoints["phase_1"]).toMatchObject({ merged: true });
    expect(made.read("T1.2.txt")).toBe("T1.2\n");
    expect(made.conversations().get("T1.2")).toBe(1);
  },
);

const failedAttempts = 3;

/** A lock on a tree that is gone, of a process that is gone: whoever needs it next takes it over (S2.7). */
function withoutTreeLocks(ending: Ending): Ending {
  const locks = (ending["locks"] as string[]).filter((path) => !path.startsWith("home/branches/"));
  return { ...ending, locks };
}

async function killed(kills: string) {
  const made = heldRun("true");
  const words = [...made.run, "--resume"];
  const story = { workflow: "orchestrate", begin: words, resume: words } as const;
  const told = await killedAt(made, story, kills, () => undefined);
  return { made, ...told };
}

test("S2.8 killed at its boundaries the recipe comes to the same end", limit, async () => {
  const found = await killed(someOf(4, 120, 28));
  expectWhole(found.made);
  // Of each attempt at T1.1 that failed the snapshots stay.
  await served(found.made, failedAttempts);
  const [ending, wanted] = [
    await endingOf(found.made, ".claude"),
    await endingOf((await killed("")).made, ".claude"),
  ];
  expect({ kills: found.kills > 0, left: leftIn(withoutTreeLocks(ending)) }).toEqual({
    kills: true,
    left: [],
  });
  expect(differences(withoutTreeLocks(ending), wanted)).toEqual([]);
});

test(
  "S2.8 on a server, killed at its boundaries, the recipe comes to the same end",
  limit,
  async () => {
    const made = heldRun("true");
    const run = (await tasksOf(made)).find(({ workflow }) => workflow === "orchestrate");
    expect(made.call(`task resume ${run?.id}`).code).toBe(0);
    const node = ["--require", join(import.meta.dirname, "../conduct/boundaries.cjs")];
    const kills = someOf(4, 120, 29);
    const env = { ...made.env, BOUNDARIES: join(made.folder, "boundaries"), KILLS: kills };
    const isOver = (): boolean =>
      made.call(`task show ${run?.id} --json`).out.includes('"status": "completed"');
    for (let lives = 0; !isOver(); lives++) {
      const words = [process.execPath, ...node, cli, "serve", "--port", "0"];
      const server = start(words, { cwd: made.project, env });
      let ended: Ended | undefined;
      void server.ended.then((end) => (ended = end));
      await until("the run is over, or the server is gone", () => ended !== undefined || isOver());
      server.child.kill("SIGTERM");
      await server.ended;
      expect(lives).toBeLessThan(full ? 3_000 : 6);
    }
    expectWhole(made);
  },
);

// --- in session ---

/** Held by sessions in the same way. */
function stuckSession(gate = "true"): Repository {
  const made = repository(plan, {}, settings(gate));
  expect(made.call("orchestrate --in-session").code).toBe(0);
  const folderOf = (unit: string): string =>
    made.report(`START:${unit}`, "a").out.trim().slice("OK:".length);
  for (const _ of [1, 2, 3]) {
    writeFileSync(join(folderOf("T1.1"), "half.txt"), "half\n");
    made.report("FAIL:T1.1:no such table", "a");
  }
  writeFileSync(join(folderOf("T1.2"), "T1.2.txt"), "T1.2\n");
  expect(made.report("DONE:T1.2", "a").out).toBe("OK\n");
  return made;
}

/** …and the recipe done. */
function doneByHand(gate?: string): Repository {
  const made = stuckSession(gate);
  byRecipe(made.project, "T1.1");
  return made;
}

function finished(made: Repository): void {
  const begun = made.report("START:T2.1", "a");
  const folder = begun.out.trim().slice("OK:".length);
  writeFileSync(join(folder, "T2.1.txt"), "T1.2\n");
  expect(made.report("DONE:T2.1", "a").out).toBe("ALL_DONE\n");
}

test(
  "S2.8 in session: the next phase waits until --resume has tested and merged what was completed by hand",
  limit,
  () => {
    const made = doneByHand("test -f mended.txt");
    const said = made.next();
    expect(said).toMatch(/^ERROR:PHASE_OPEN:1\n/);
    expect(said).toContain("holdfast orchestrate --resume");
    const early = made.report("START:T2.1", "a");
    expect([early.code, early.err.includes("--resume")]).toEqual([4, true]);
    const refused = made.call("orchestrate --in-session --resume");
    expect([refused.code, refused.err.includes("test -f mended.txt")]).toEqual([4, true]);
    expect(made.git("log", "--format=%s", "main")).toBe("begin");
    made.write("holdfast.yaml", settings("true"));
    expect(made.call("orchestrate --in-session --resume").out).toMatch(/^READY:T2\.1\n/);
    made.git("checkout", "-q", "--", "holdfast.yaml");
    made.write("holdfast.yaml", settings("true"));
    finished(made);
    made.git("checkout", "-q", "--", "holdfast.yaml");
    expectWhole(made);
  },
);

test("S2.8 in session, killed at its boundaries: merged once, nothing lost", limit, async () => {
  const made = doneByHand();
  const node = ["--require", join(import.meta.dirname, "../conduct/boundaries.cjs")];
  const env = { BOUNDARIES: join(made.folder, "boundaries"), KILLS: someOf(4, 25, 30) };
  const words = ["orchestrate", "--in-session", "--resume", "--session", "a"];
  for (let lives = 0; ; lives++) {
    const { code } = await followed(made, words, () => undefined, undefined, { node, env });
    if (code === 0) break;
    expect({ code, lives: lives < 200 }).toEqual({ code: null, lives: true });
  }
  expect(made.next()).toBe("READY:T2.1\n");
  finished(made);
  expectWhole(made);
});

test(
  "S2.8 another change by hand is put back, and answered with the command that does it",
  limit,
  () => {
    const made = stuckSession();
    const document = made.state();
    document.tasks.failed = [];
    document.tasks.ready.push("T1.1");
    made.write(".claude/orchestrate-state.json", `${JSON.stringify(document, null, 2)}\n`);
    const said = made.call("orchestrate --in-session");
    expect(said.out + said.err).toContain("holdfast orchestrate --retry");
    expect(made.state().tasks.failed).toEqual(["T1.1"]);
    expect(made.call("orchestrate --retry T1.1").out).toMatch(/^READY:T1\.1\n/);
  },
);
