// Whatever an agent plants in the repository it works in, nothing of it runs in a process of ours: not
// by a run that carries itself out, not by sessions (S2.6, S2.11).
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshPlace, holdfast } from "../cli/program.ts";
import { figure } from "../figures.ts";
import { type Repository, repository } from "./repository.ts";
import { type Group, type Traps, groups, traps } from "./vectors.ts";

const limit = { timeout: 600_000 };

/** Phase 0 brings what is committed into the project itself; the rest works on a branch. */
const unitOf = (group: Group): string =>
  group === "committed" ? "T0.1" : `T1.${groups.indexOf(group)}`;
const others = groups.filter((group) => group !== "committed");
const plan = `# Planted
## Phase 0: Ground
- [ ] T0.1: committed
## Phase 1: Work
- [ ] T1.90: left
- [ ] T1.91: right
${others.map((group) => `- [ ] ${unitOf(group)}: ${group}\n`).join("")}`;

const lines = (first: string, last: string): string => `${first}\n${"\n".repeat(20)}${last}\n`;
/** What both of two units change, at its two ends. */
const shared = {
  "shared.txt": lines("one", "two"),
  "late.md": lines("one", "two"),
  // For filters, by attributes that are planted: checked out and looked at by every command on a tree.
  "kept.tool": "1\n",
  "kept.late": "1\n",
  ".gitignore": "/.claude/\n",
};
const bothIn = (text: string): Record<string, string> => ({ "shared.txt": text, "late.md": text });
/** Two that begin at the same place: the second is for a driver to merge, which is a conflict here. */
const left = bothIn(lines("left", "two"));
const right = bothIn(lines("one", "right"));
const both = bothIn(lines("left", "right"));
const settings = "version: 1\nslots: 4\ncommands: { test: 'true' }\n";

const fill = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
};

/** All of it is merged, as it was written, and nothing has run. */
function expectQuiet(
  how: "run" | "sessions",
  { traps: set, git, read, state, trees }: Repository & { traps: Traps },
): void {
  const fired = set.fired();
  figure(`git.${how}`, { seen: set.vectors.length, lost: fired.length });
  expect(fired).toEqual([]);
  expect(state().tasks.completed).toHaveLength(groups.length + 2);
  for (const [path, text] of Object.entries(both)) expect([path, read(path)]).toEqual([path, text]);
  expect(read("nested/a.txt")).toBe("nested\n");
  expect(read(".gitconfig")).toContain("tracked-fsmonitor");
  expect(trees()).toEqual([]);
  // For who looks at it from here on with git of their own, it is no more than files.
  expect(git("-c", "core.hooksPath=/dev/null", "ls-tree", "-r", "--name-only", "main")).toContain(
    "nested/a.txt",
  );
}

test("S2.6 the traps are real: with plain git every one of them goes off", limit, () => {
  const silent: string[] = [];
  let count = 0;
  for (const group of groups) {
    const { folder } = freshPlace();
    const tree = join(folder, "tree");
    const set = traps(join(folder, "planted"));
    const env = {
      PATH: process.env["PATH"],
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: "1",
      ...Object.fromEntries(
        ["AUTHOR", "COMMITTER"].flatMap((who) => [
          [`GIT_${who}_NAME`, "Test"],
          [`GIT_${who}_EMAIL`, "test@localhost"],
        ]),
      ),
    };
    const shell = (line: string): void =>
      void spawnSync("sh", ["-c", line], { cwd: tree, env, timeout: 20_000, stdio: "ignore" });
    mkdirSync(tree);
    writeFileSync(join(tree, "one.txt"), "one\n");
    for (const [path, text] of Object.entries(shared)) writeFileSync(join(tree, path), text);
    shell("git init -q -b main && git add -A && git commit -qm begin && git branch side");
    shell("git init -q ../side-by-side && git fetch -q . && git -C ../side-by-side fetch -q $PWD");
    shell("git -C ../side-by-side commit -q --allow-empty -m x");
    shell(
      "git checkout -q -b other && sed -i s/two/other/ shared.txt late.md && git commit -qam o",
    );
    shell("git checkout -q side && sed -i s/one/side/ late.md && git commit -qam s");
    shell("git checkout -q main && sed -i s/one/main/ shared.txt && git commit -qam m");
    if (group === "committed") appendFileSync(join(tree, ".git/config"), set.project);
    set.plant(group, tree);
    const own = set.vectors.filter((vector) => vector.group === group);
    for (const { control } of own) shell(control);
    const fired = set.fired();
    silent.push(...own.flatMap(({ name }) => (fired.includes(name) ? [] : [name])));
    count += own.length;
  }
  expect(silent).toEqual([]);
  expect(count).toBeGreaterThan(25);
});

test(
  "S2.6 carried out by itself: snapshot, merge, gate and landing run nothing of it",
  limit,
  () => {
    const made = repository(plan, {}, settings, { files: shared });
    const set = traps(join(made.folder, "planted"));
    appendFileSync(join(made.project, ".git/config"), set.project);
    const units = Object.fromEntries(
      groups.map((group) => [unitOf(group), [{ run: set.planting(group) }]]),
    );
    const on = { write: both };
    made.course({ ...units, "T1.90": [{ write: left }, on], "T1.91": [{ write: right }, on] });
    expect(holdfast(made.run, { cwd: made.project, env: made.env })).toMatchObject({ code: 0 });
    expectQuiet("run", { ...made, traps: set });
  },
);

test("S2.11 by sessions: START, DONE, FAIL and the landing run nothing of it", limit, () => {
  const made = repository(plan, {}, settings, { files: shared });
  const set = traps(join(made.folder, "planted"));
  appendFileSync(join(made.project, ".git/config"), set.project);
  made.call("orchestrate --in-session");
  const start = (unit: string): string => made.report(`START:${unit}`, "a").out.trim().slice(3);
  const done = (unit: string): string => made.report(`DONE:${unit}`, "a").out.split("\n")[0] ?? "";
  set.plant("committed", start("T0.1"));
  expect(done("T0.1")).toBe("PHASE_DONE:0");
  const [one, two] = [start("T1.90"), start("T1.91")];
  fill(one, left);
  fill(two, right);
  expect([done("T1.90"), done("T1.91")]).toEqual(["OK", "RETRY:T1.91:1/10:plain"]);
  fill(start("T1.91"), both);
  expect(done("T1.91")).toBe("OK");
  // Given back, what it made is kept: that looks at the same tree in another way.
  for (const group of ["config", "tree"] as const) {
    set.plant(group, start(unitOf(group)));
    expect(made.report(`FAIL:${unitOf(group)}:again`, "a").code).toBe(0);
  }
  for (const group of others) {
    const unit = unitOf(group);
    set.plant(group, start(unit));
    expect(done(unit)).toBe(group === others.at(-1) ? "ALL_DONE" : "OK");
  }
  expectQuiet("sessions", { ...made, traps: set });
});
