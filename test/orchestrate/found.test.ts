// What strangers found who tried to break a run with git and a text editor (S2.6, S2.11, S7.5).
import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cli, holdfast, start } from "../cli/program.ts";
import { type Repository, repository } from "./repository.ts";

const limit = { timeout: 600_000 };

/** START, a file of its own, DONE: what was answered. */
function unit(made: Repository, id: string): string {
  const folder = made.report(`START:${id}`, "a").out.trim().slice("OK:".length);
  writeFileSync(join(folder, `${id}.txt`), `${id}\n`);
  return made.report(`DONE:${id}`, "a").out.trim();
}

const filesOf = (made: Repository): string[] =>
  made.git("ls-tree", "--name-only", "main").split("\n");

test("S2.6 a phase keeps the branch it began on, whatever its heading says later", limit, () => {
  const plan = "# Two\n## Phase 1: Auth\n- [ ] T1.1: a\n- [ ] T1.2: b\n- [ ] T1.3: c\n";
  const made = repository(plan);
  made.git("branch", "old");
  made.call("orchestrate --in-session");
  unit(made, "T1.1");
  made.write("TASKS.md", plan.replace("Auth", "Login"));
  made.git("commit", "-qam", "another name");
  unit(made, "T1.2");
  expect(unit(made, "T1.3")).toBe("ALL_DONE");
  expect(filesOf(made)).toEqual(expect.arrayContaining(["T1.1.txt", "T1.2.txt", "T1.3.txt"]));
  expect(made.call("orchestrate --verify").out).toContain("VERIFIED");
});

test(
  "S7.5 another home can not report on a unit either, nor rebuild or settle the run",
  limit,
  () => {
    const made = repository("# One\n- [ ] T0.1: a\n- [ ] T0.2: b\n");
    made.call("orchestrate --in-session");
    unit(made, "T0.1");
    const other = join(realpathSync(made.folder), "other");
    mkdirSync(other);
    const env = { HOLDFAST_HOME: other };
    for (const words of [
      ["report", "orchestrate", "START:T0.2"],
      ["orchestrate", "--rebuild-state"],
      ["orchestrate", "--settle", "ours"],
    ]) {
      const { code, err } = holdfast(words, { cwd: made.project, env });
      expect([words, code]).toEqual([words, 4]);
      expect(err).toContain(made.home);
    }
    expect(unit(made, "T0.2")).toBe("ALL_DONE");
  },
);

test("S2.6 many that land at once are not taken for work that was lost", limit, async () => {
  const ids = Array.from({ length: 6 }, (_, n) => `T0.${n + 1}`);
  const made = repository(`# Many\n${ids.map((id) => `- [ ] ${id}: x\n`).join("")}`);
  made.call("orchestrate --in-session --parallel 6");
  for (const id of ids) {
    const folder = made.report(`START:${id}`, id).out.trim().slice("OK:".length);
    writeFileSync(join(folder, `${id}.txt`), "x\n");
  }
  const told = await Promise.all(
    ids.map((id) => {
      const words = ["report", "orchestrate", `DONE:${id}`, "--session", id];
      return start([process.execPath, cli, ...words], { cwd: made.project, env: made.env }).ended;
    }),
  );
  expect(told.map(({ code, err }) => [code, err])).toEqual(ids.map(() => [0, ""]));
  expect(filesOf(made)).toEqual(expect.arrayContaining(ids.map((id) => `${id}.txt`)));
});

test("S2.11 a START that is refused claims nothing", limit, () => {
  const made = repository("# One\n- [ ] T0.1: a\n- [ ] T0.2: b\n");
  made.call("orchestrate --in-session");
  unit(made, "T0.1");
  made.git("reset", "-q", "--hard", "HEAD~1");
  expect(made.report("START:T0.2", "a").code).toBe(4);
  expect(made.state().tasks.in_progress).toEqual([]);
  expect(made.call("orchestrate --settle ours").code).toBe(0);
  expect(unit(made, "T0.2")).toBe("ALL_DONE");
  expect(filesOf(made)).toEqual(expect.arrayContaining(["T0.1.txt", "T0.2.txt"]));
});

test(
  "S2.6 a worktree of the target that somebody removed by hand is in nobody's way",
  limit,
  () => {
    const made = repository("# One\n- [ ] T0.1: a\n- [ ] T0.2: b\n");
    made.call("orchestrate --in-session");
    made.git("checkout", "-q", "-b", "mine");
    const tree = join(made.folder, "linked");
    made.git("worktree", "add", "-q", tree, "main");
    unit(made, "T0.1");
    rmSync(tree, { recursive: true });
    expect(unit(made, "T0.2")).toBe("ALL_DONE");
    expect(filesOf(made)).toEqual(expect.arrayContaining(["T0.1.txt", "T0.2.txt"]));
  },
);
