// Sessions on a real repository (S2.6, S2.11): each unit in a clone of its own, merged when it is done.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Ended, holdfast } from "../cli/program.ts";
import { repository } from "./repository.ts";

const limit = { timeout: 600_000 };

const plan = `# Shop
## Phase 1: Core
- [ ] T1.1: model
- [ ] T1.2: pages
- [ ] T1.3: search
  - depends: T1.1
`;

const folderIn = ({ out }: Ended): string => out.trim().slice("OK:".length);

test(
  "S2.11 START answers with a clone, DONE merges it, and the last one lands the phase",
  limit,
  () => {
    const settings = 'version: 1\ncommands:\n  test: "test ! -f broken.txt"\n';
    const made = repository(plan, {}, settings);
    made.call("orchestrate --in-session");
    const one = folderIn(made.report("START:T1.1", "a"));
    const two = folderIn(made.report("START:T1.2", "b"));
    expect(new Set([one, two, made.project]).size).toBe(3);
    expect(made.state().execution.worktree).toBe("worktree/phase-1-core");
    expect(made.call("doctor").out).not.toContain("never known");
    writeFileSync(join(one, "model.txt"), "model\n");
    writeFileSync(join(two, "pages.txt"), "pages\n");
    // What an agent does to its copy of the state counts for nothing.
    writeFileSync(join(two, "holdfast.yaml"), "version: 1\n");
    expect(made.report("DONE:T1.1", "a").out).toBe("OK\n");
    expect(made.report("DONE:T1.2", "b").out).toBe("OK\n");
    expect(existsSync(one)).toBe(false);
    const three = folderIn(made.report("START:T1.3", "a"));
    expect(existsSync(join(three, "model.txt")) && existsSync(join(three, "pages.txt"))).toBe(true);
    writeFileSync(join(three, "broken.txt"), "1\n");
    const refused = made.report("DONE:T1.3", "a");
    expect(refused.code).toBe(4);
    writeFileSync(join(three, "search.txt"), "search\n");
    rmSync(join(three, "broken.txt"));
    expect(made.report("DONE:T1.3", "a").out).toBe("ALL_DONE\n");
    expect(made.git("log", "--topo-order", "--format=%s", "main").split("\n")).toEqual([
      "Merge phase 1 (phase-1-core)",
      "T1.3: search",
      "T1.2: pages",
      "T1.1: model",
      "begin",
    ]);
    expect(made.read("holdfast.yaml")).toBe(settings);
    expect(made.state().checkpoints["phase_1"]).toMatchObject({ merged: true });
    expect(made.state().execution.worktree).toBeNull();
    expect(made.trees()).toEqual([]);
  },
);

test(
  "S2.6 a conflict with what another session merged is a retry on top of it, and nothing is lost",
  limit,
  () => {
    const made = repository(
      "# Two\n## Phase 1\n- [ ] T1.1: one\n- [ ] T1.2: two\n- [ ] T1.3: three\n",
    );
    made.call("orchestrate --in-session");
    const one = folderIn(made.report("START:T1.1", "a"));
    const two = folderIn(made.report("START:T1.2", "b"));
    writeFileSync(join(one, "a.txt"), "one\n");
    writeFileSync(join(two, "a.txt"), "two\n");
    expect(made.report("DONE:T1.1", "a").out).toBe("OK\n");
    const again = made.report("DONE:T1.2", "b");
    expect(again.out).toMatch(/^RETRY:T1\.2:1\/10/);
    expect(made.call("orchestrate --unit T1.2").out).toContain("a.txt");
    const kept = made
      .git("for-each-ref", "--format=%(refname)", "refs/holdfast/*/unit/*")
      .split("\n");
    const texts = kept.map((ref) => made.git("show", `${ref}:a.txt`));
    expect(texts).toContain("two");
    const fresh = folderIn(made.report("START:T1.2", "b"));
    writeFileSync(join(fresh, "a.txt"), "one\ntwo\n");
    expect(made.report("DONE:T1.2", "b").out).toBe("OK\n");
    expect(made.git("show", "phase-1:a.txt")).toBe("one\ntwo");
    // Kept while there is a run to look at, also one that a person has ended (S1.7).
    const refs = () => made.git("for-each-ref", "refs/holdfast/");
    const [run] = (JSON.parse(made.call("task list --json").out) as { tasks: { id: string }[] })
      .tasks;
    expect(made.call(`task cancel ${run?.id}`).code).toBe(0);
    expect(refs()).not.toBe("");
    made.git("update-ref", "refs/holdfast/task_of_another/unit/T1.1-1", "HEAD");
    expect(made.call(`task delete ${run?.id}`).code).toBe(0);
    expect(refs()).toMatch(/^\w+ commit\trefs\/holdfast\/task_of_another\/unit\/T1\.1-1$/);
  },
);

test(
  "S2.6 a clone that is gone refuses DONE by its name: moved back it is handed in, given back it is made again",
  limit,
  () => {
    const made = repository("# Gone\n\n## Phase 0\n\n- [ ] T0.1: One\n- [ ] T0.2: Two\n");
    made.call("orchestrate --in-session");
    const one = folderIn(made.report("START:T0.1", "a"));
    writeFileSync(join(one, "one.txt"), "one\n");
    renameSync(one, `${one}.away`);
    const refused = made.report("DONE:T0.1", "a");
    expect([refused.code, refused.out]).toEqual([4, ""]);
    expect(refused.err).toContain(one);
    renameSync(`${one}.away`, one);
    expect(made.report("DONE:T0.1", "a").out).toBe("OK\n");
    expect(made.read("one.txt")).toBe("one\n");
    const two = folderIn(made.report("START:T0.2", "a"));
    rmSync(two, { recursive: true });
    expect(made.report("DONE:T0.2", "a").code).toBe(4);
    expect(made.report("FAIL:T0.2:its folder is gone", "a").out).toMatch(/^RETRY:T0\.2:1\/10/);
    const again = folderIn(made.report("START:T0.2", "a"));
    writeFileSync(join(again, "two.txt"), "two\n");
    expect(made.report("DONE:T0.2", "a").out).toBe("ALL_DONE\n");
    expect(made.call("orchestrate --verify").out).toMatch(/^VERIFIED/);
    expect(made.read("two.txt")).toBe("two\n");
  },
);

test(
  "S2.11 what is written into a clone after DONE has taken it is kept under a name, and journaled",
  limit,
  () => {
    const made = repository("# One\n## Phase 1\n- [ ] T1.1: a\n");
    // The gate of the phase runs between the two: another program goes on writing meanwhile.
    const where = join(made.folder, "where");
    const build = `echo late > "$(cat ${where})/late.txt"`;
    made.write("holdfast.yaml", `version: 1\ncommands:\n  build: '${build}'\n`);
    made.call("orchestrate --in-session");
    const folder = folderIn(made.report("START:T1.1", "a"));
    writeFileSync(join(folder, "a.txt"), "in time\n");
    writeFileSync(where, folder);
    expect(made.report("DONE:T1.1", "a").out).toBe("ALL_DONE\n");
    expect(existsSync(folder)).toBe(false);
    const lines = made.call("log --json").out.split("\n");
    const left = lines.filter((line) => line.includes("work_left"));
    expect(left).toHaveLength(1);
    const { metadata } = JSON.parse(left[0] ?? "") as { metadata: { unit: string; ref: string } };
    expect(metadata.unit).toBe("T1.1");
    expect(made.git("show", `${metadata.ref}:late.txt`)).toBe("late");
    // The branch has what was handed in, and no more.
    const merged = made.git("ls-tree", "--name-only", "main").split("\n");
    expect([merged.includes("a.txt"), merged.includes("late.txt")]).toEqual([true, false]);
    expect(made.trees()).toEqual([]);
  },
);

test("S2.6 where the project says so, all work in its own folder", limit, () => {
  const made = repository(plan, {}, "version: 1\norchestrate:\n  trees: shared\n");
  made.call("orchestrate --in-session");
  expect(folderIn(made.report("START:T1.1", "a"))).toBe(made.project);
  expect(made.state().execution.worktree).toBeNull();
});

test(
  "S2.1 execution.worktree is that of the phase that is worked on: none for phase 0, another for each",
  limit,
  () => {
    const made = repository(
      "# Three\n- [ ] T0.1: a\n## Phase 1: 로그인\n- [ ] T1.1: b\n- [ ] T2.1: c\n",
    );
    made.call("orchestrate --in-session");
    const seen = ["T0.1", "T1.1", "T2.1"].map((id) => {
      const folder = folderIn(made.report(`START:${id}`, "a"));
      writeFileSync(join(folder, `${id}.txt`), "");
      const { worktree } = made.state().execution;
      made.report(`DONE:${id}`, "a");
      return [worktree, made.state().execution.worktree];
    });
    // Phase 0 is on the target as soon as it is done (S2.1).
    const merged = made.git("log", "--format=%h", "--abbrev=7", "--grep=T0.1", "main");
    expect(made.state().checkpoints["phase_0"]).toMatchObject({
      merged: true,
      merge_commit: merged,
      tasks: ["T0.1"],
    });
    expect(seen).toEqual([
      [null, null],
      ["worktree/phase-1-로그인", null],
      ["worktree/phase-2", null],
    ]);
  },
);

test(
  "S2.6 who died in a phase's tree left git's lock there: the next one frees it, and says so",
  limit,
  () => {
    const made = repository("# One\n## Phase 1\n- [ ] T1.1: a\n");
    // The gate ends who runs it, as a power cut would, with git in the middle of its work.
    const once = join(made.folder, "once");
    const lock = '"$(git rev-parse --git-path index.lock)"';
    const gate = `test -f ${once} || { touch ${once} ${lock}; kill -9 $PPID; sleep 60; }`;
    made.write("holdfast.yaml", `version: 1\ncommands:\n  build: '${gate}'\n`);
    made.call("orchestrate --in-session");
    writeFileSync(join(folderIn(made.report("START:T1.1", "a")), "a.txt"), "a\n");
    expect(made.report("DONE:T1.1", "a")).toMatchObject({ code: null, out: "" });
    const tree = join(made.project, "worktree/phase-1");
    const left = join(made.project, ".git/worktrees/phase-1/index.lock");
    expect([existsSync(tree), existsSync(left)]).toEqual([true, true]);
    expect(made.report("DONE:T1.1", "a").out).toBe("ALL_DONE\n");
    const freed = made
      .call("log --json")
      .out.split("\n")
      .filter((line) => line.includes("tree_freed"));
    expect(freed.map((line) => (JSON.parse(line) as { metadata: object }).metadata)).toEqual([
      { branch: "phase-1", locks: [left] },
    ]);
    expect(made.trees()).toEqual([]);
  },
);

test("S2.6 a lock in a phase's tree that nobody of ours died with is not touched", limit, () => {
  const settings = "version: 1\ncommands:\n  build: test -f built.txt\n";
  const made = repository("# One\n## Phase 1\n- [ ] T1.1: a\n", {}, settings);
  made.call("orchestrate --in-session");
  const folder = folderIn(made.report("START:T1.1", "a"));
  writeFileSync(join(folder, "a.txt"), "a\n");
  expect(made.report("DONE:T1.1", "a").code).toBe(4);
  const theirs = join(made.project, ".git/worktrees/phase-1/index.lock");
  writeFileSync(theirs, "");
  writeFileSync(join(folder, "built.txt"), "");
  const refused = made.report("DONE:T1.1", "a");
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain("index.lock");
  expect(existsSync(theirs)).toBe(true);
  rmSync(theirs);
  expect(made.report("DONE:T1.1", "a").out).toBe("ALL_DONE\n");
});

test(
  "S2.6 reported again after a refused landing: only what changed since becomes a commit",
  limit,
  () => {
    const settings = "version: 1\ncommands:\n  build: 'grep -q good pages.txt'\n";
    const list = "# Shop\n## Phase 1: Core\n- [ ] T1.1: model\n- [ ] T1.2: pages\n";
    const made = repository(list, {}, settings);
    made.call("orchestrate --in-session");
    const one = folderIn(made.report("START:T1.1", "a"));
    const two = folderIn(made.report("START:T1.2", "b"));
    writeFileSync(join(one, "model.txt"), "model\n");
    expect(made.report("DONE:T1.1", "a").out).toBe("OK\n");
    writeFileSync(join(two, "pages.txt"), "bad\n");
    // The phase as a whole is refused, twice with the same files.
    for (const code of [made.report("DONE:T1.2", "b").code, made.report("DONE:T1.2", "b").code])
      expect(code).toBe(4);
    writeFileSync(join(two, "pages.txt"), "good\n");
    expect(made.report("DONE:T1.2", "b").out).toBe("ALL_DONE\n");
    expect(made.git("log", "--topo-order", "--format=%s", "main").split("\n")).toEqual([
      "Merge phase 1 (phase-1-core)",
      "T1.2: pages",
      "T1.2: pages",
      "T1.1: model",
      "begin",
    ]);
    expect(made.git("show", "main:pages.txt")).toBe("good");
    expect(made.call("orchestrate --verify").out).toMatch(/^VERIFIED/);
  },
);

test(
  "S2.6 S2.11 a session's run that is held is refused by `next` too, said by status, why and the inbox, and answered there",
  limit,
  () => {
    const list = "# Shop\n## Phase 1: Core\n- [ ] T1.1: model\n- [ ] T1.2: pages\n";
    const made = repository(list);
    made.call("orchestrate --in-session");
    const finish = (unit: string, session: string): Ended => {
      writeFileSync(join(folderIn(made.report(`START:${unit}`, session)), `${unit}.txt`), "1\n");
      return made.report(`DONE:${unit}`, session);
    };
    expect(finish("T1.1", "a").out).toBe("OK\n");
    made.git("branch", "-f", "phase-1-core", "main");
    const refused = finish("T1.2", "a");
    expect([refused.code, refused.err]).toEqual([4, expect.stringContaining("--settle theirs")]);
    const next = made.call("next orchestrate", "a");
    expect([next.code, next.err]).toEqual([4, refused.err]);
    const [, run = ""] = /(task_\w+)/.exec(made.call("task list").out) ?? [];
    for (const words of ["status", `why ${run}`, "task inbox"])
      expect([words, made.call(words).out]).toEqual([
        words,
        expect.stringMatching(/rewrote branch phase-1-core[^]*theirs[^]*ours[^]*stop/),
      ]);
    // Mended by hand, it is not held any more; spoiled again, it is.
    made.git("branch", "-f", "phase-1-core", "phase-1-core@{1}");
    expect(made.call("next orchestrate", "a")).toMatchObject({ code: 0, out: "WAIT\n" });
    made.git("branch", "-f", "phase-1-core", "main");
    expect(made.call(`task answer ${run} --answer ours`)).toMatchObject({ code: 0 });
    expect(made.call("next orchestrate", "a")).toMatchObject({ code: 0, out: "WAIT\n" });
    expect(made.report("DONE:T1.2", "a").out).toBe("ALL_DONE\n");
    expect(made.call("task inbox").out).not.toContain("phase-1-core");
    expect(made.git("ls-tree", "--name-only", "main")).toMatch(/T1\.1\.txt[^]*T1\.2\.txt/);
  },
);

test("S2.6 a branch that an agent left in its clone is kept with it, and journaled", limit, () => {
  const made = repository("# Shop\n## Phase 1: Core\n- [ ] T1.1: model\n");
  made.call("orchestrate --in-session");
  const folder = folderIn(made.report("START:T1.1", "a"));
  const git = (...words: string[]): string => made.git("-C", folder, ...words);
  const commit = ["-c", "user.name=a", "-c", "user.email=a@a", "commit", "-q", "-m", "aside"];
  git("checkout", "-q", "-b", "aside");
  writeFileSync(join(folder, "aside.txt"), "aside\n");
  git("add", "-A");
  git(...commit);
  git("checkout", "-q", "-");
  writeFileSync(join(folder, "model.txt"), "model\n");
  writeFileSync(join(folder, ".gitignore"), "*.log\n");
  writeFileSync(join(folder, "made.log"), "by force\n");
  git("add", "-f", "made.log");
  git(...commit);
  expect(made.report("DONE:T1.1", "a").out).toBe("ALL_DONE\n");
  const log = made.call("log --json").out;
  const [, kept = ""] = /"tree_kept".*?"folder":"([^"]+)"/.exec(log) ?? [];
  expect(log).toContain("refs/heads/aside");
  expect(made.git("-C", kept, "show", "aside:aside.txt")).toBe("aside");
  const landed = made.git("ls-tree", "--name-only", "main").split("\n");
  expect(landed).toContain("model.txt");
  expect(landed).not.toContain("aside.txt");
  // Ignored is ignored, also where it was added by force.
  expect(landed).not.toContain("made.log");
});

test.each([["for a session"], ["by itself"]])(
  "S7.5 S2.6 begun in a linked worktree %s, a run lands on the branch that is checked out there",
  limit,
  (how) => {
    const made = repository("# Shop\n## Phase 1: Core\n- [ ] T1.1: model\n", {
      "T1.1": [{ write: { "model.txt": "model\n" } }],
    });
    const linked = join(made.folder, "linked");
    made.git("worktree", "add", "-q", "-b", "feature/x", linked);
    mkdirSync(join(linked, "sub"));
    const { env } = made;
    const inLinked = (...words: string[]): Ended =>
      holdfast(words, { cwd: join(linked, "sub"), env });
    const inSession = (): Ended => {
      inLinked("orchestrate", "--in-session");
      writeFileSync(join(folderIn(made.report("START:T1.1", "a")), "model.txt"), "model\n");
      return made.report("DONE:T1.1", "a");
    };
    // What the main worktree has checked out does not matter.
    made.git("checkout", "-q", "--detach");
    const { out } = how === "by itself" ? inLinked(...made.run) : inSession();
    expect(out).toContain("ALL_DONE");
    expect(made.git("show", "feature/x:model.txt")).toBe("model");
    expect(made.git("ls-tree", "--name-only", "main")).not.toContain("model.txt");
    expect(made.git("-C", linked, "status", "--porcelain")).toBe("");
    expect(existsSync(join(linked, "model.txt"))).toBe(true);
  },
);

test(
  "S1.19 where a clone began survives a rewritten history and gc, until the work is in",
  limit,
  () => {
    const made = repository("# P\n## Phase 0\n- [ ] T0.1: one\n- [ ] T0.2: two\n");
    made.call("orchestrate --in-session");
    writeFileSync(join(made.project, "second.txt"), "second\n");
    made.git("add", "second.txt");
    made.git("commit", "-q", "-m", "second");
    const folder = folderIn(made.report("START:T0.1", "a"));
    expect(made.git("for-each-ref", "refs/holdfast/*/began/*")).toContain("began/T0.1-1");
    // What the clone was made of is in no branch any more, and in no reflog.
    made.git("commit", "-q", "--amend", "-m", "said otherwise");
    made.git("reflog", "expire", "--expire=now", "--all");
    made.git("gc", "-q", "--prune=now");
    writeFileSync(join(folder, "made.txt"), "made\n");
    expect(made.report("DONE:T0.1", "a")).toMatchObject({ code: 0, out: "OK\n" });
    expect(made.git("show", "main:made.txt")).toBe("made");
    expect(made.git("fsck", "--connectivity-only")).not.toMatch(/missing|broken/);
    // Held by what it made from then on.
    expect(made.git("for-each-ref", "refs/holdfast/*/began/*")).toBe("");
  },
);

test(
  "S7.5 a unit that was begun before its project was moved is merged in the new place",
  limit,
  () => {
    const made = repository(plan);
    made.call("orchestrate --in-session");
    const folder = folderIn(made.report("START:T1.1", "a"));
    writeFileSync(join(folder, "model.txt"), "model\n");
    const moved = join(made.folder, "moved");
    renameSync(made.project, moved);
    const words = ["report", "orchestrate", "DONE:T1.1", "--session", "a", "--cwd", moved];
    expect(holdfast(words, { cwd: moved, env: made.env })).toMatchObject({ code: 0, out: "OK\n" });
    renameSync(moved, made.project);
    expect(made.git("show", "phase-1-core:model.txt")).toBe("model");
  },
);
