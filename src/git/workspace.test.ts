import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { until } from "../../test/crash/programs.ts";
import { type Bench, bench, put, treeOf } from "../../test/engine/project.ts";
import { runSetup } from "../engine/setup.ts";
import { Fault } from "../core/errors.ts";
import { render } from "../core/messages.ts";
import { leaveWorkspace } from "./kept.ts";
import { restoreTree, takeTree } from "./snapshot.ts";
import {
  type ProjectCheck,
  checkProject,
  fetchResult,
  makeWorkspace,
  removeWorkspace,
} from "./workspace.ts";

let b: Bench;
beforeEach(() => (b = bench()));
afterEach(() => b.remove());

const check = (startsEmpty: boolean): Promise<ProjectCheck> =>
  checkProject(b.root, { startsEmpty }, { PATH: process.env["PATH"], HOME: b.folder });

/** What both kinds of type are told: [refusal and its hint, notices]. */
async function answers(): Promise<{ refused: string; hint: string; notices: string[] }> {
  const [strict, easy] = [await check(false), await check(true)];
  return {
    refused: strict.ok ? "" : render("en", strict.text),
    hint: strict.ok ? "" : render("en", strict.hint),
    notices: easy.ok ? easy.notices.map((text) => render("en", text)) : ["refused"],
  };
}

function isRunning(id: string): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${id}/stat`, "latin1"));
  } catch {
    return false;
  }
}

const fetch = async (seq: number, base: string | null, message = "Task done\n\n내용") => {
  const { commit } = await takeTree({ trees: b.places.trees, seq, at: 0 });
  return fetchResult(b.places, b.root, {
    snapshot: { commit },
    base,
    message,
    at: 1_700_000_000_000,
  });
};
const log = (): string => readFileSync(join(b.folder, "setup.log"), "utf8");
const pid = (): string => readFileSync(join(b.root, "pid"), "utf8").trim();

describe("S1.21d before anything starts", () => {
  test("a clean project on a branch is taken as it is", async () => {
    const head = b.commit({ "a.txt": "a" });
    const start = { kind: "git", head, branch: "main" };
    expect(await check(false)).toEqual({ ok: true, start, notices: [] });
    expect(await check(true)).toEqual({ ok: true, start, notices: [] });
  });

  test("no git: what changes code is refused with the command that helps, what builds anew begins empty", async () => {
    put(join(b.root, "a.txt"), "a");
    const { refused, hint, notices } = await answers();
    expect(refused).toContain("is not a git repository");
    expect(hint).toContain("git init && git add -A && git commit");
    expect(notices).toEqual([expect.stringContaining("begins in an empty folder")]);
    expect(await check(true)).toMatchObject({ start: { kind: "empty" } });
  });

  test("no commit yet", async () => {
    b.git(["init", "-q"]);
    put(join(b.root, "a.txt"), "a");
    const { refused, hint, notices } = await answers();
    expect(refused).toContain("has no commit yet");
    expect(hint).toContain("git add -A && git commit");
    expect(notices).toEqual([expect.stringContaining("begins in an empty folder")]);
  });

  test("a detached HEAD", async () => {
    const head = b.commit({ "a.txt": "a" });
    b.git(["checkout", "-q", "--detach"]);
    const { refused, hint, notices } = await answers();
    expect(refused).toContain(head.slice(0, 7));
    expect(hint).toContain("git switch -c");
    expect(notices).toHaveLength(1);
    expect(await check(true)).toMatchObject({ start: { kind: "git", head, branch: null } });
  });

  test("a dirty tree: changed, staged, removed and new files, the first five by name", async () => {
    b.commit({
      "changed.txt": "1",
      "removed.txt": "1",
      "staged.txt": "1",
      ".gitignore": "*.log\n",
    });
    put(join(b.root, "changed.txt"), "2");
    put(join(b.root, "staged.txt"), "2");
    b.git(["add", "staged.txt"]);
    rmSync(join(b.root, "removed.txt"));
    put(join(b.root, "ignored.log"), "x");
    put(join(b.root, "새 파일\n.txt"), "x");
    for (const n of [1, 2, 3]) put(join(b.root, `new/${n}.txt`), "x");
    const { refused, hint, notices } = await answers();
    expect(refused).toContain("(7): changed.txt, removed.txt, staged.txt, new/1.txt, new/2.txt, …");
    expect(hint).toContain("git stash");
    expect(notices).toEqual([expect.stringContaining("begins without them")]);
    expect(refused).not.toContain("ignored.log");
  });

  test("our own files do not make it dirty, others beside them do", async () => {
    b.commit({ "a.txt": "a", ".claude/memory/task-state.json": "{}" });
    for (const path of [
      ".claude/orchestrate-state.json",
      ".claude/orchestrate-state.json.lock",
      ".claude/orchestrate-state.json.bak",
      ".claude/memory/task-state.json",
      ".claude/memory/agents/x.json",
      ".claude/orchestrator/sessions/a/state.json",
      ".develop-workflow/state.yaml",
      "worktree/phase-1/x",
      "holdfast.yaml",
    ])
      put(join(b.root, path), "x");
    expect(await check(false)).toMatchObject({ ok: true });
    put(join(b.root, ".claude/settings.json"), "x");
    expect((await answers()).refused).toContain("(1): .claude/settings.json.");
  });

  test("a repository above the project is not taken for its own", async () => {
    b.commit({ "a.txt": "a" });
    mkdirSync(join(b.root, "inner"));
    expect(await checkProject(join(b.root, "inner"), { startsEmpty: false })).toMatchObject({
      ok: false,
      reason: "no_git",
    });
  });

  test("looking changes nothing, not even the index", async () => {
    b.commit({ "a.txt": "a" });
    put(join(b.root, "a.txt"), "a");
    const before = readFileSync(join(b.root, ".git/index"));
    await check(false);
    expect(readFileSync(join(b.root, ".git/index")).equals(before)).toBe(true);
  });
});

describe("S1.3 a workspace", () => {
  test("is the project at that commit, on a branch of its own, with its history and no way back", async () => {
    b.commit({ "a.txt": "old" });
    const head = b.commit({ "a.txt": "new", "bin/run": "x", "한글/파일.md": "가" });
    const made = await b.workspace();
    const { workspace: folder, branch } = b.places;
    expect(made).toEqual({ folder, branch, base: head, onto: "main" });
    const git = (...args: string[]): string => b.git(args, made.folder);
    expect(git("status", "--porcelain")).toBe("");
    expect(git("rev-parse", "--abbrev-ref", "HEAD")).toBe("holdfast/task_1");
    expect(git("rev-list", "--count", "HEAD")).toBe("2");
    expect(git("rev-parse", "main")).toBe(head);
    expect(git("remote")).toBe("");
    expect(treeOf(made.folder)).toEqual(treeOf(b.root));
    // It reads the project's objects, and nothing it writes is there.
    git("fsck", "--full");
    const own = git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "the agent's");
    expect(git("cat-file", "-t", own)).toBe("commit");
    expect(() => b.git(["cat-file", "-t", own])).toThrow(
      /could not get object info|Not a valid object name/,
    );
  });

  test("keeps files as they are stored, so that line ends make no difference of their own", async () => {
    b.commit({ "a.bat": "one\ntwo\n", ".gitattributes": "*.bat text eol=crlf\n" });
    const { folder } = await b.workspace();
    expect(readFileSync(join(folder, "a.bat"), "utf8")).toBe("one\ntwo\n");
    const first = await takeTree({ trees: b.places.trees, seq: 0, at: 0 });
    expect(first.tree).toBe(b.git(["rev-parse", "HEAD^{tree}"]));
  });

  test("is an empty repository where there is nothing to clone", async () => {
    const { folder, base } = await b.workspace();
    expect(base).toBeNull();
    expect(treeOf(folder)).toEqual({});
    expect(b.git(["symbolic-ref", "HEAD"], folder)).toBe("refs/heads/holdfast/task_1");
  });

  test("is made once: asked again, it is left as it is, also when the project went on", async () => {
    const head = b.commit({ "a.txt": "a" });
    await b.workspace();
    b.write("work.txt", "hours of it");
    b.commit({ "a.txt": "b" });
    expect(await b.workspace()).toMatchObject({ base: head });
    expect(existsSync(join(b.places.workspace, "work.txt"))).toBe(true);
  });

  test("that was not finished is made anew, whatever is left of it", async () => {
    b.commit({ "a.txt": "a", "b.txt": "b" });
    await b.workspace();
    const leftovers: (() => void)[] = [
      () => rmSync(b.places.ready),
      () => rmSync(b.places.workspace, { recursive: true }),
      () => {
        rmSync(b.places.ready);
        rmSync(join(b.places.workspace, ".git/objects"), { recursive: true });
        put(join(b.places.workspace, ".git/index.lock"), "");
      },
      () => {
        rmSync(b.places.ready);
        rmSync(b.places.workspace, { recursive: true });
        writeFileSync(b.places.workspace, "a file");
      },
      () => {
        rmSync(b.places.ready);
        put(`${b.places.ready}.tmp`, "half");
        rmSync(join(b.places.trees.repository, "refs"), { recursive: true });
      },
    ];
    for (const leave of leftovers) {
      leave();
      const { folder } = await b.workspace();
      expect(treeOf(folder)).toEqual(treeOf(b.root));
      expect(b.git(["status", "--porcelain"], folder)).toBe("");
      await takeTree({ trees: b.places.trees, seq: 0, at: 0 });
    }
  });

  test("that was not finished begins where the project is by now", async () => {
    b.commit({ "a.txt": "a" });
    await b.workspace();
    rmSync(b.places.ready);
    const head = b.commit({ "a.txt": "b" });
    expect(await b.workspace()).toMatchObject({ base: head });
    const { commit } = await takeTree({ trees: b.places.trees, seq: 0, at: 0 });
    const result = { snapshot: { commit }, base: head, message: "", at: 0 };
    expect(await fetchResult(b.places, b.root, result)).toMatchObject({ changed: false });
  });

  test("of a shallow clone, of SHA-256, of a branch called holdfast", async () => {
    b.commit({ "a.txt": "1" });
    b.commit({ "a.txt": "2" });
    const shallow = join(b.folder, "shallow");
    b.git(["clone", "-q", "--depth", "1", `file://${b.root}`, shallow]);
    const head = b.git(["rev-parse", "HEAD"], shallow);
    const { folder } = await makeWorkspace(b.places, shallow, {
      kind: "git",
      head,
      branch: "holdfast",
    });
    expect(b.git(["log", "--format=%s"], folder)).toBe("more");
    b.git(["fsck", "--full"], folder);
    await removeWorkspace(b.places);
    const modern = join(b.folder, "modern");
    mkdirSync(modern);
    b.git(["init", "-q", "--object-format=sha256", "-b", "main"], modern);
    put(join(modern, "x"), "x");
    b.git(["add", "-A"], modern);
    b.git(["commit", "-q", "-m", "x"], modern);
    const long = b.git(["rev-parse", "HEAD"], modern);
    const made = await makeWorkspace(b.places, modern, { kind: "git", head: long, branch: "main" });
    b.write("y", "y");
    const { commit } = await takeTree({ trees: b.places.trees, seq: 0, at: 0 });
    expect(commit).toHaveLength(64);
    const fetched = await fetchResult(b.places, modern, {
      snapshot: { commit },
      base: made.base,
      message: "x",
      at: 0,
    });
    expect(fetched).toMatchObject({ ok: true, changed: true });
  });

  test("is removed with its snapshots, and removing it twice is harmless", async () => {
    b.commit({ "a.txt": "a" });
    await b.workspace();
    symlinkSync(b.root, join(b.places.workspace, "link"));
    await removeWorkspace(b.places);
    await removeWorkspace(b.places);
    expect(existsSync(b.places.workspace)).toBe(false);
    expect(existsSync(b.places.trees.repository)).toBe(false);
    expect(existsSync(join(b.root, "a.txt"))).toBe(true);
  });

  test("is removed also where an agent locked its own folders", async ({ skip }) => {
    skip(process.getuid?.() === 0, "folders that may not be written to: root may write to all");
    await b.workspace();
    b.write("cache/deep/file", "x");
    chmodSync(join(b.places.workspace, "cache/deep"), 0o500);
    chmodSync(join(b.places.workspace, "cache"), 0o500);
    await removeWorkspace(b.places);
    expect(existsSync(b.places.workspace)).toBe(false);
  });
});

const foreign = (): string => join(b.folder, "foreign");

describe("S1.19 a workspace that was swapped", () => {
  const swaps: Record<string, (workspace: string) => void> = {
    "by a link": (workspace) => symlinkSync(foreign(), workspace),
    "by another folder": (workspace) => renameSync(foreign(), workspace),
    "by a file": (workspace) => writeFileSync(workspace, "theirs"),
  };

  test("by a new folder with its inode, or by nothing, is no workspace in which everything was removed", async () => {
    b.commit({ "a.txt": "a" });
    const { folder } = await b.workspace();
    const { ino } = lstatSync(folder);
    const next = { trees: b.places.trees, seq: 1, at: 0 };
    rmSync(folder, { recursive: true });
    await expect(takeTree(next)).rejects.toMatchObject({ text: { key: "workspace.gone" } });
    // Its inode is given to one of the next folders.
    for (let n = 0; n < 100 && !existsSync(folder); n++) {
      const made = join(b.folder, `new ${n}`);
      mkdirSync(made);
      if (lstatSync(made).ino === ino || n === 99) renameSync(made, folder);
    }
    await expect(takeTree(next)).rejects.toMatchObject({ text: { key: "workspace.swapped" } });
  });

  test.each(Object.entries(swaps))(
    "%s is neither read, made again, kept nor removed",
    async (_, swap) => {
      b.commit({ "a.txt": "a" });
      const { folder } = await b.workspace();
      const { commit } = await takeTree({ trees: b.places.trees, seq: 1, at: 0 });
      put(join(foreign(), "private.txt"), "theirs");
      renameSync(folder, `${folder}.away`);
      swap(folder);
      const before = treeOf(b.folder);
      const swapped = { code: "refused", text: { key: "workspace.swapped" } };
      const next = { trees: b.places.trees, seq: 2, at: 0 };
      await expect(takeTree(next)).rejects.toMatchObject(swapped);
      await expect(restoreTree(commit, next)).rejects.toMatchObject(swapped);
      await expect(b.workspace()).rejects.toMatchObject(swapped);
      await leaveWorkspace(b.places, { at: 0, secrets: [], handedIn: false });
      expect(treeOf(b.folder)).toEqual(before);
      await removeWorkspace(b.places);
      expect(existsSync(b.places.trees.repository)).toBe(false);
      expect(existsSync(folder)).toBe(true);
    },
  );

  test("and put back is what it was, also one whose marker is of an older version", async () => {
    b.commit({ "a.txt": "a" });
    const { folder } = await b.workspace();
    renameSync(folder, `${folder}.away`);
    renameSync(`${folder}.away`, folder);
    expect((await takeTree({ trees: b.places.trees, seq: 1, at: 0 })).files).toBe(1);
    // As one that was made by an older version has it.
    const { base, root } = JSON.parse(readFileSync(b.places.ready, "utf8")) as Record<
      string,
      unknown
    >;
    writeFileSync(b.places.ready, JSON.stringify({ base, root }));
    expect((await takeTree({ trees: b.places.trees, seq: 2, at: 0 })).files).toBe(1);
  });
});

describe("S1.6 the result", () => {
  test("is a branch of the project: one commit on top of the one it began at", async () => {
    const head = b.commit({ "a.txt": "a", "gone.txt": "g" });
    await b.workspace();
    b.write("a.txt", "changed");
    b.write("새 파일.md", "새 내용");
    b.write("run.sh", "x", 0o755);
    rmSync(join(b.places.workspace, "gone.txt"));
    // What the agent committed by itself is in the tree as well.
    b.git(["add", "-A"], b.places.workspace);
    b.git(["commit", "-q", "-m", "agent's own"], b.places.workspace);
    b.commit({ "later.txt": "the project goes on" });
    const untouched = treeOf(b.root);
    const result = await fetch(0, head);
    expect(result).toMatchObject({ ok: true, changed: true });
    expect(b.git(["log", "-1", "--format=%P %B", "holdfast/task_1"])).toBe(
      `${head} Task done\n\n내용`,
    );
    const changed = b.git([
      "-c",
      "core.quotePath=false",
      "diff",
      "--name-status",
      head,
      "holdfast/task_1",
    ]);
    expect(changed.split("\n").toSorted()).toEqual([
      "A\trun.sh",
      "A\t새 파일.md",
      "D\tgone.txt",
      "M\ta.txt",
    ]);
    expect(treeOf(b.root)).toEqual(untouched);
    expect(b.git(["status", "--porcelain"])).toBe("");
    b.git(["merge", "-q", "--no-edit", "holdfast/task_1"]);
    b.git(["fsck", "--full", "--strict"]);
  });

  test("comes once: fetched again it is the same commit", async () => {
    const head = b.commit({ "a.txt": "a" });
    await b.workspace();
    b.write("a.txt", "b");
    const first = await fetch(0, head);
    expect(await fetch(0, head)).toEqual(first);
    expect(b.git(["branch", "--list", "holdfast/*"])).toBe("holdfast/task_1");
    // A crash later, or a day.
    const { commit } = await takeTree({ trees: b.places.trees, seq: 1, at: 5 });
    const later = {
      snapshot: { commit },
      base: head,
      message: "otherwise said",
      at: 1_800_000_000_000,
    };
    expect(await fetchResult(b.places, b.root, later)).toEqual(first);
    b.write("a.txt", "c");
    expect(await fetch(2, head)).toMatchObject({ ok: false });
  });

  test("makes no branch where nothing was changed", async () => {
    const head = b.commit({ "a.txt": "a" });
    await b.workspace();
    expect(await fetch(0, head)).toEqual({ ok: true, commit: head, changed: false });
    expect(b.git(["branch", "--list", "holdfast/*"])).toBe("");
  });

  test("does not overwrite a branch with something else on it", async () => {
    const head = b.commit({ "a.txt": "a" });
    await b.workspace();
    b.write("a.txt", "b");
    b.git(["branch", "holdfast/task_1", head]);
    const refused = await fetch(0, head);
    expect(refused).toMatchObject({ ok: false });
    expect(b.git(["rev-parse", "holdfast/task_1"])).toBe(head);
  });

  test("of a task that began empty is a first commit, also where the project has none yet", async () => {
    b.git(["init", "-q", "-b", "main"]);
    await makeWorkspace(b.places, b.root, { kind: "empty" });
    b.write("app.js", "x");
    expect(await fetch(0, null)).toMatchObject({ ok: true, changed: true });
    expect(b.git(["ls-tree", "--name-only", "holdfast/task_1"])).toBe("app.js");
    expect(b.git(["rev-list", "--count", "holdfast/task_1"])).toBe("1");
  });

  test("needs ids, not words", async () => {
    b.commit({ "a.txt": "a" });
    await b.workspace();
    for (const commit of ["HEAD", "--output=x", "main"])
      await expect(
        fetchResult(b.places, b.root, { snapshot: { commit }, base: null, message: "", at: 0 }),
      ).rejects.toThrow(Fault);
  });
});

describe("S1.21d the project's setup", () => {
  const env = { PATH: process.env["PATH"] ?? "", EXTRA: "given" };
  const setup = (command: string, more: object = {}) =>
    runSetup({ command, folder: b.root, env, log: join(b.folder, "setup.log"), ...more });

  test("runs in the tree, by the shell, with the variables it was given", async () => {
    const result = await setup("echo $EXTRA > made && pwd && echo error >&2; echo '한글'");
    expect(result).toEqual({ ok: true });
    expect(readFileSync(join(b.root, "made"), "utf8")).toBe("given\n");
    expect(log()).toBe(`${b.root}\nerror\n한글\n`);
  });

  test("sees nothing else of our environment", async () => {
    process.env["HOLDFAST_TEST_TOKEN"] = "must-not-be-seen";
    await setup("env", { env: { PATH: process.env["PATH"] ?? "" } });
    delete process.env["HOLDFAST_TEST_TOKEN"];
    expect(log()).not.toContain("must-not-be-seen");
    expect(log()).toContain("PATH=");
  });

  test("that fails is told with its code, its output and where the rest is", async () => {
    const result = await setup("echo broken; exit 3");
    expect(result).toMatchObject({ ok: false, output: "broken\n" });
    expect(result.ok ? "" : render("en", result.text)).toContain("ended with 3");
    expect(result.ok ? "" : render("ko", result.hint)).toContain("holdfast.yaml");
    const killed = await setup("kill -9 $$");
    expect(killed.ok ? "" : render("en", killed.text)).toContain("137");
  });

  test("is ended after its time with everything it started, new sessions too", async () => {
    const command = `setsid sh -c 'echo $$ > session; exec sleep 600' & sh -c 'trap "" TERM; echo $$ > stubborn; sleep 600' & sleep 600`;
    const result = await setup(command, { seconds: 3 });
    expect(result.ok ? "" : render("en", result.text)).toContain("longer than 3 s");
    for (const name of ["session", "stubborn"]) {
      expect(isRunning(readFileSync(join(b.root, name), "utf8").trim())).toBe(false);
    }
  });

  test("is ended when the task is", async () => {
    const abort = new AbortController();
    const running = setup("echo $$ > pid; sleep 600", { signal: abort.signal });
    await until("it runs", () => existsSync(join(b.root, "pid")) && pid() !== "");
    abort.abort();
    const result = await running;
    expect(result.ok ? "" : render("en", result.text)).toContain("was stopped");
    expect(isRunning(pid())).toBe(false);
    expect((await setup("echo never > never", { signal: abort.signal })).ok).toBe(false);
    expect(existsSync(join(b.root, "never"))).toBe(false);
  });

  test("may leave a service behind, if it succeeded", async () => {
    expect(await setup("setsid sleep 600 > /dev/null 2>&1 & echo $! > pid")).toEqual({ ok: true });
    expect(isRunning(pid())).toBe(true);
    process.kill(Number(pid()), "SIGKILL");
  });

  test("whose service still runs ends it with the workspace", async () => {
    await b.workspace();
    const { workspace, setupLog } = b.places;
    const command = `setsid sleep 600 > /dev/null 2>&1 & echo $! > '${b.root}/pid'`;
    expect(await setup(command, { folder: workspace, log: setupLog })).toEqual({ ok: true });
    await removeWorkspace(b.places);
    expect(isRunning(pid())).toBe(false);
    expect(existsSync(setupLog)).toBe(false);
  });

  test("S6.6 writes no secret to its log, and no more than fits", async () => {
    const secret = "setup-secret-value-1";
    await setup(`printf 'token=%s' setup-; printf 'secret-value-1\\n'`, { secrets: [secret] });
    expect(log()).toBe("token=[redacted]\n");
    const flood = await setup("yes 'a line of output' | head -c 20000000; exit 1");
    expect(log().length).toBeLessThanOrEqual(4 * 1024 * 1024);
    expect(flood.ok ? 0 : flood.output.length).toBeLessThanOrEqual(16 * 1024);
  });

  test("S5.4 does not write its log through a link", async () => {
    put(join(b.folder, "victim"), "theirs");
    symlinkSync("victim", join(b.folder, "setup.log"));
    await expect(setup("echo x")).rejects.toThrow(Fault);
    expect(readFileSync(join(b.folder, "victim"), "utf8")).toBe("theirs");
  });
});
