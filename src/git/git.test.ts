import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Bench, bench, put } from "../../test/engine/project.ts";
import { fired, plant } from "../../test/engine/planted.ts";
import { Fault } from "../core/errors.ts";
import { gitEnvironment, safePath } from "./_environment.ts";
import { lookAtDeliverables } from "../engine/deliverables.ts";
import { git, gitLine, requireGit, tryGit } from "./git.ts";
import { diffTrees, fileAt, isWhole, restoreTree, takeTree } from "./snapshot.ts";
import {
  checkProject,
  fetchResult,
  makeWorkspace,
  removeWorkspace,
  taskPlaces,
} from "./workspace.ts";
import { zipDeliverables } from "../engine/zip.ts";

let b: Bench;
let canary = "";
beforeEach(() => {
  b = bench();
  canary = join(b.folder, "canary");
});
afterEach(() => b.remove());

async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const thrown: unknown = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (thrown instanceof Fault) return thrown;
  throw new Error(`no Fault: ${String(thrown)}`);
}

describe("threat 4: what is planted in a repository does not run", () => {
  test("the traps are real: with plain git they go off", () => {
    b.commit({ "a.txt": "a\n" });
    const planted = plant(b.root, canary);
    expect(new Set(planted).size).toBeGreaterThan(60);
    // Whatever these come to: some fail because of the traps.
    const ordinary = [
      ["status"],
      ["add", "-A"],
      ["-c", "commit.gpgSign=false", "commit", "-m", "x"],
      ["diff", "HEAD~1"],
      ["diff", "--no-ext-diff", "HEAD~1"],
      ["commit", "--allow-empty", "-S", "-m", "signed"],
      ["fetch", "origin"],
      ["fetch", "near"],
      ["fetch", "ssh://host.invalid/x"],
      ["rm", "-q", "--cached", "a.txt"],
      ["checkout", "-f", "HEAD"],
      ["checkout", "-f", "-b", "other"],
      ["st"],
    ];
    for (const args of ordinary)
      spawnSync("git", args, {
        cwd: b.root,
        timeout: 20_000,
        env: {
          ...process.env,
          GIT_CONFIG_GLOBAL: "/dev/null",
          GIT_AUTHOR_NAME: "n",
          GIT_AUTHOR_EMAIL: "e",
          GIT_COMMITTER_NAME: "n",
          GIT_COMMITTER_EMAIL: "e",
        },
      });
    const wanted = [
      "alias",
      "clean",
      "diff-command",
      "ext",
      "external-diff",
      "gpg-ssh",
      "path-post-checkout",
      "path-post-index-change",
      "path-pre-commit",
      "path-reference-transaction",
      "smudge",
      "ssh",
      "textconv",
      "upload-pack-near",
    ];
    const went = fired(canary);
    expect(wanted.filter((name) => !went.includes(name))).toEqual([]);
    // One of the two, whichever is read last.
    expect(went.some((name) => name.endsWith("fsmonitor"))).toBe(true);
  });

  test("in an agent's workspace, by anything we do with it", async () => {
    b.commit({ "a.txt": "a\n", "dir/b.txt": "b\n" });
    const { folder, base } = await b.workspace();
    const { trees } = b.places;
    const first = await takeTree({ trees, seq: 1, at: 0 });
    plant(folder, canary);
    // A second one inside, as an agent may make it.
    mkdirSync(join(folder, "nested"));
    b.git(["init", "-q"], join(folder, "nested"));
    plant(join(folder, "nested"), canary);
    rmSync(join(folder, "dir/b.txt"));

    const second = await takeTree({ trees, seq: 2, at: 0 });
    expect(await isWhole(trees, second.commit)).toBe(true);
    const changed = await diffTrees(trees, first.commit, second.commit);
    expect(changed.map(({ path }) => path)).toContain("nested/planted.txt");
    const file = await fileAt(trees, second.commit, "planted.txt");
    expect(file?.bytes.toString()).toBe("planted $Id$\r\n");
    await restoreTree(first.commit, { trees, seq: 3, at: 0 });
    await restoreTree(second.commit, { trees, seq: 4, at: 0 });
    expect(readFileSync(join(folder, "planted.txt"), "utf8")).toBe("planted $Id$\r\n");
    await lookAtDeliverables(folder, [{ path: "planted.txt" }]);
    const zip = { trees, commit: second.commit, out: join(b.folder, "all.zip") };
    await zipDeliverables({ ...zip, files: "all" });
    const result = { snapshot: second, base, message: "x", at: 0 };
    expect(await fetchResult(b.places, b.root, result)).toMatchObject({ ok: true, changed: true });
    expect(b.git(["show", "holdfast/task_1:nested/planted.txt"])).toContain("planted $Id$");
    await removeWorkspace(b.places);
    expect(fired(canary)).toEqual([]);
    expect(existsSync(join(b.root, "stolen"))).toBe(false);
    expect(existsSync(join(trees.repository, "stolen"))).toBe(false);
  });

  test("nor in the project itself, though there we have to open the repository", async () => {
    b.commit({ "a.txt": "a\n", "file.odd": "o\n", "planted.txt": "p\n" });
    plant(b.root, canary);
    const dirty = await checkProject(b.root, { startsEmpty: false });
    expect(dirty).toMatchObject({ ok: false, reason: "dirty" });
    const going = await checkProject(b.root, { startsEmpty: true });
    expect(going.ok).toBe(true);
    const start = going.ok ? going.start : { kind: "empty" as const };
    const { folder, base } = await makeWorkspace(b.places, b.root, start);
    expect(base).not.toBeNull();
    put(join(folder, "new.txt"), "new\n");
    const { commit } = await takeTree({ trees: b.places.trees, seq: 1, at: 0 });
    const fetched = await fetchResult(b.places, b.root, {
      snapshot: { commit },
      base,
      message: "x",
      at: 0,
    });
    expect(fetched).toMatchObject({ ok: true, changed: true });
    expect(fired(canary)).toEqual([]);
  });

  test("an object that is missing is not asked for at a promised address", async () => {
    b.commit({ "a.txt": "a\n" });
    const blob = b.git(["rev-parse", "HEAD:a.txt"]);
    const head = b.git(["rev-parse", "HEAD"]);
    rmSync(join(b.root, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    plant(b.root, canary);
    b.git(["config", "extensions.partialClone", "origin"]);
    b.git(["config", "core.repositoryFormatVersion", "1"]);
    const start = { kind: "git", head, branch: "main" } as const;
    const fault = await faultOf(makeWorkspace(b.places, b.root, start));
    expect(fault.code).toBe("internal");
    expect(fired(canary)).toEqual([]);
    // And half a workspace is not taken for a whole one.
    expect(existsSync(b.places.ready)).toBe(false);
  });

  test("a user's own configuration is read, not carried out", async () => {
    b.commit({ "a.txt": "a\n" });
    const home = join(b.folder, "home-of-user");
    const trap = join(b.folder, "trap");
    put(trap, `#!/bin/sh\n: > '${b.folder}/sprung'\n`, 0o755);
    put(
      join(home, ".gitconfig"),
      `[core]\n\tfsmonitor = ${trap}\n\thooksPath = ${b.folder}\n\tpager = ${trap}\n\texcludesFile = ~/ignored-everywhere\n[alias]\n\tconfig = !${trap}\n`,
    );
    put(join(home, "ignored-everywhere"), "*.swp\n");
    put(join(b.root, "a.txt.swp"), "x");
    const env = { PATH: process.env["PATH"], HOME: home };
    expect(await checkProject(b.root, { startsEmpty: false }, env)).toMatchObject({
      ok: true,
      notices: [],
    });
    expect(existsSync(join(b.folder, "sprung"))).toBe(false);
    // Without it the file would count.
    const without = await checkProject(b.root, { startsEmpty: false }, { ...env, HOME: b.folder });
    expect(without).toMatchObject({ ok: false, reason: "dirty" });
  });

  test("of our environment git sees the path, and no program that somebody put in front of it", () => {
    const env = gitEnvironment(
      { cwd: "/x/y" },
      {
        PATH: ["/p/node_modules/.bin", "relative", ".", "/usr/bin", "/q/node_modules/.bin/"].join(
          delimiter,
        ),
        HOME: "/h",
        LD_PRELOAD: "/evil.so",
        GIT_EXTERNAL_DIFF: "evil",
        GIT_DIR: "/evil",
        GIT_SSH: "evil",
        GIT_PROXY_COMMAND: "evil",
        GIT_EXEC_PATH: "/evil",
        GIT_TEMPLATE_DIR: "/evil",
        GIT_TRACE: "/evil",
        EDITOR: "evil",
        API_KEY: "secret",
      },
    );
    expect(env["PATH"]).toBe("/usr/bin");
    expect(safePath("")).toBe("");
    const text = JSON.stringify(env);
    expect(text).not.toMatch(/evil|secret|"\/h"/);
    expect(env["GIT_CONFIG_GLOBAL"]).toBe("/dev/null");
  });
});

describe("git", () => {
  test("gives its output, and its own words when it refuses", async () => {
    b.commit({ "a.txt": "a\n" });
    expect(await gitLine(["rev-parse", "--abbrev-ref", "HEAD"], { cwd: b.root })).toBe("main");
    const fault = await faultOf(git(["rev-parse", "--verify", "nothing"], { cwd: b.root }));
    expect(fault.message).toContain("Needed a single revision");
    expect(fault.hint).toBeDefined();
    expect((await tryGit(["rev-parse", "-q", "--verify", "nothing"], { cwd: b.root })).code).toBe(
      1,
    );
  });

  test("does not look for a repository above the folder it is in", async () => {
    b.commit({ "deep/er/a.txt": "a\n" });
    const fault = await faultOf(git(["rev-parse", "HEAD"], { cwd: join(b.root, "deep/er") }));
    expect(fault.message).toContain("not a git repository");
  });

  test("is ended when it says or takes too much", async () => {
    b.commit({ "big.txt": "x".repeat(1_000_000) });
    const args = ["cat-file", "blob", "HEAD:big.txt"];
    const fault = await faultOf(git(args, { cwd: b.root, maxOutput: 1000 }));
    expect(fault.text.key).toBe("git.too_much");
    const cut = await tryGit(args, { cwd: b.root, maxOutput: 1000, cut: true });
    expect([cut.cut, cut.stdout.length]).toEqual([true, 1000]);
    const endless = (async function* () {
      yield Buffer.from("");
      await new Promise(() => undefined);
    })();
    const late = await faultOf(
      git(["hash-object", "--stdin"], { cwd: b.root, input: endless, seconds: 0.3 }),
    );
    expect(late.text.key).toBe("git.failed");
  });

  test("a failure of what is fed to it is told, not swallowed", async () => {
    b.commit({});
    const broken = (async function* () {
      yield Buffer.from("x");
      throw new Fault("internal", { key: "error.internal", params: { detail: "ours" } });
    })();
    const fault = await faultOf(git(["hash-object", "--stdin"], { cwd: b.root, input: broken }));
    expect(fault.message).toContain("ours");
  });

  test("that is missing or too old is said so", async () => {
    const bin = join(b.folder, "bin");
    mkdirSync(bin);
    const env = { PATH: bin };
    expect((await faultOf(requireGit(env))).text.key).toBe("git.missing");
    put(join(bin, "git"), "#!/bin/sh\necho git version 2.38.9\n", 0o755);
    const old = await faultOf(requireGit(env));
    expect(old.message).toContain("2.38.9");
    expect(old.hint).toBeDefined();
    put(join(bin, "git"), "#!/bin/sh\necho 'git version 3.0.1 (Apple Git-200)'\n", 0o755);
    await requireGit(env);
  });

  test("ids that are no names are refused before they become a path or a branch", () => {
    for (const id of ["../x", "a b", "x@{1}", "-x", "a/b", "x.lock", "", "task_1\n"])
      expect(() => taskPlaces("/home", id)).toThrow(Fault);
    for (const id of ["task_1", "task_1.T1.3", "T1-S2", "작업"]) {
      const { branch } = taskPlaces("/home", id);
      execFileSync("git", ["check-ref-format", "--branch", branch]);
    }
  });
});
