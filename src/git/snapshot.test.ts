import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { full, seeded, until } from "../../test/crash/programs.ts";
import { type Bench, bench, put, treeOf } from "../../test/engine/project.ts";
import { Fault } from "../core/errors.ts";
import { languages, render } from "../core/messages.ts";
import { leftOutText } from "./claim.ts";
import { importTree } from "./_snapshot-import.ts";
import { listChanges } from "./_snapshot-list.ts";
import {
  type TakeOptions,
  type Taken,
  diffTrees,
  fileAt,
  filesAt,
  isWhole,
  restoreTree,
  takeTree,
} from "./snapshot.ts";

// oxfmt-ignore
const reasons = ["large", "secret", "special", "unreadable", "name", "submodule", "filter", "encoding"] as const;

let b: Bench;
let seq = 0;
beforeEach(() => {
  b = bench();
  seq = 0;
});
afterEach(() => b.remove());

const folder = (): string => b.places.workspace;
const options = (more: Partial<TakeOptions> = {}): TakeOptions => ({
  trees: b.places.trees,
  seq: seq++,
  at: 1_700_000_000_000 + seq * 1000,
  ...more,
});
const take = (more: Partial<TakeOptions> = {}): Promise<Taken> => takeTree(options(more));
const restore = (commit: string) => restoreTree(commit, options());
const names = (taken: Taken): Promise<string[]> => filesAt(b.places.trees, taken.commit);

async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const thrown: unknown = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (thrown instanceof Fault) return thrown;
  throw new Error(`no Fault: ${String(thrown)}`);
}

/** Every object of the repository, unpacked: a secret may not even lie there unused. */
function stored(): string {
  const gitDir = b.places.trees.repository;
  const ids = b.git([
    "--git-dir",
    gitDir,
    "cat-file",
    "--batch-all-objects",
    "--batch-check=%(objectname)",
  ]);
  return ids
    .split("\n")
    .map((id) => {
      const type = b.git(["--git-dir", gitDir, "cat-file", "-t", id]);
      return type === "tree" ? "" : b.git(["--git-dir", gitDir, "cat-file", type, id]);
    })
    .join("\n");
}

/** Whatever stands at a path or on the way to it makes way. */
function makeWay(path: string): string {
  let at = folder();
  for (const part of path.split("/").slice(0, -1)) {
    at = join(at, part);
    if (lstatSync(at, { throwIfNoEntry: false })?.isDirectory() !== true)
      rmSync(at, { force: true });
    mkdirSync(at, { recursive: true });
  }
  rmSync(join(folder(), path), { recursive: true, force: true });
  return join(folder(), path);
}

/** Flips a bit of every object. */
function damage(objects: string): void {
  for (const name of readdirSync(objects, { recursive: true, encoding: "utf8" })) {
    if (!/(?:^|\/)[0-9a-f]{38}$|\.pack$/.test(name)) continue;
    const file = join(objects, name);
    const bytes = readFileSync(file);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 4;
    chmodSync(file, 0o600);
    writeFileSync(file, bytes);
  }
}

/** A project with a submodule, and a workspace of it. */
const withSubmodule = async (): Promise<string> => {
  const other = join(b.folder, "other");
  mkdirSync(other);
  b.git(["init", "-q"], other);
  put(join(other, "x"), "x");
  put(join(other, ".gitignore"), "out/\n");
  b.git(["add", "-A"], other);
  b.git(["commit", "-q", "-m", "x"], other);
  b.commit({ "a.txt": "a" });
  b.git(["-c", "protocol.file.allow=always", "submodule", "add", "-q", other, "sub 모듈"]);
  b.commit({});
  await b.workspace();
  return join(folder(), "sub 모듈");
};
const populate = (): string =>
  b.git(["-c", "protocol.file.allow=always", "submodule", "update", "-q", "--init"], folder());
const subChanged = [{ path: "sub 모듈", why: "submodule" }];

describe("S1.19 a snapshot of the tree", () => {
  test("comes back byte for byte: changed, removed and new files, modes and links", async () => {
    b.commit({ "a.txt": "a", "gone.txt": "g", "dir/deep/b.txt": "b", "run.sh": "#!/bin/sh\n" });
    await b.workspace();
    b.write("new.txt", "new");
    b.write("run.sh", "#!/bin/sh\n", 0o755);
    b.write("empty", "");
    b.write(
      "bytes.bin",
      Uint8Array.from({ length: 256 }, (_, byte) => byte),
    );
    symlinkSync("a.txt", join(folder(), "inside"));
    symlinkSync("/etc/passwd", join(folder(), "outside"));
    symlinkSync("nowhere", join(folder(), "dangling"));
    rmSync(join(folder(), "gone.txt"));
    const wanted = treeOf(folder());
    const taken = await take();
    expect(taken.files).toBe(Object.keys(wanted).length);
    expect(taken.leftOut).toEqual([]);

    rmSync(join(folder(), "dir"), { recursive: true });
    b.write("a.txt", "other");
    b.write("run.sh", "#!/bin/sh\n", 0o644);
    b.write("more/of/it.txt", "x");
    unlinkSync(join(folder(), "inside"));
    mkdirSync(join(folder(), "inside"));
    b.write("inside/file", "now a folder");
    unlinkSync(join(folder(), "outside"));
    b.write("outside", "now a file");
    const { before, setAside } = await restore(taken.commit);
    expect(treeOf(folder())).toEqual(wanted);
    expect(setAside).toEqual([]);

    // And it can be undone.
    await restore(before.commit);
    expect(treeOf(folder())).toMatchObject({ "inside/file": "100644 now a folder" });
    expect(treeOf(folder())["dir/deep/b.txt"]).toBeUndefined();
  });

  test("holds whatever names files have", async () => {
    await b.workspace();
    const odd = [
      "한글 이름.md",
      "-rf",
      "--output=x",
      "a\nb",
      "tab\there",
      "quote\"s'",
      "back\\slash",
      " lead",
      "trail ",
      "star*?[x]",
      ":(top)magic",
      "a:b",
      "$(touch x)",
      "…/—.txt",
      "con",
    ];
    for (const name of odd) b.write(`d/${name}`, name);
    // Bytes that are no UTF-8, as an archive from elsewhere may have them.
    const korean = Buffer.concat([
      Buffer.from(`${folder()}/d/`),
      Buffer.from([0xc7, 0xd1, 0xb1, 0xdb]),
    ]);
    writeFileSync(korean, "한글");
    const wanted = treeOf(folder());
    expect(Object.keys(wanted)).toHaveLength(odd.length + 1);
    const taken = await take();
    expect(taken.leftOut).toEqual([]);
    rmSync(join(folder(), "d"), { recursive: true });
    await restore(taken.commit);
    expect(treeOf(folder())).toEqual(wanted);
  });

  test("does not turn line ends, keywords or encodings, whatever .gitattributes says", async () => {
    b.commit({
      ".gitattributes": "* text=auto eol=crlf\n*.c ident\n*.u working-tree-encoding=UTF-16\n",
    });
    await b.workspace();
    b.write("dos.txt", "a\r\nb\r\n");
    b.write("unix.txt", "a\nb\n");
    b.write("mixed.txt", "a\r\nb\n");
    b.write("x.c", "/* $Id$ */\n");
    b.write("x.u", "plain\n");
    b.write("sub/.gitattributes", "*.txt eol=lf\n[attr]mine text\n* mine\n");
    b.write("sub/dos.txt", "a\r\n");
    const wanted = treeOf(folder());
    const taken = await take();
    for (const name of readdirSync(folder()))
      if (name !== ".git") rmSync(join(folder(), name), { recursive: true });
    await restore(taken.commit);
    expect(treeOf(folder())).toEqual(wanted);
  });

  test("leaves ignored files out and alone, but keeps those that the project tracks", async () => {
    b.commit({ ".gitignore": "build/\n*.log\n", "build/tracked.js": "1" });
    await b.workspace();
    b.write("build/tracked.js", "2");
    b.write("build/other.js", "x");
    b.write("a.log", "x");
    b.write("node_modules/p/index.js", "x");
    const taken = await take();
    expect(await names(taken)).toEqual([".gitignore", "build/tracked.js"]);
    b.write("build/tracked.js", "3");
    b.write("new.txt", "x");
    await restore(taken.commit);
    expect(Object.keys(treeOf(folder()))).toEqual([
      ".gitignore",
      "a.log",
      "build/other.js",
      "build/tracked.js",
      "node_modules/p/index.js",
    ]);
    expect(readFileSync(join(folder(), "build/tracked.js"), "utf8")).toBe("2");
  });

  test("holds declared deliverables also where .gitignore names them", async () => {
    b.commit({ ".gitignore": "docs/\ndist/\n" });
    await b.workspace();
    b.write("docs/plan.md", "plan");
    b.write("docs/other.md", "other");
    b.write("dist/app.js", "app");
    b.write("dist/node_modules/p.js", "p");
    const taken = await take({ deliverables: ["docs/plan.md", "dist/", "not/there.md"] });
    expect(await names(taken)).toEqual([".gitignore", "dist/app.js", "docs/plan.md"]);
  });

  test("takes the files of repositories inside it as plain ones", async () => {
    b.commit({ "a.txt": "a" });
    await b.workspace();
    const repository = (path: string): void => {
      mkdirSync(join(folder(), path), { recursive: true });
      b.git(["init", "-q"], join(folder(), path));
    };
    repository("app");
    b.write("app/page.tsx", "page");
    b.write("app/.gitignore", "out\n");
    b.write("app/out", "built");
    b.git(["add", "-A"], join(folder(), "app"));
    b.git(["commit", "-q", "-m", "generated"], join(folder(), "app"));
    repository("app/lib");
    repository("empty/한글 저장소");
    b.write("app/lib/lib.ts", "lib");
    b.write("empty/한글 저장소/never-committed.md", "x");
    const taken = await take();
    expect(await names(taken)).toEqual([
      "a.txt",
      "app/.gitignore",
      "app/lib/lib.ts",
      "app/page.tsx",
      "empty/한글 저장소/never-committed.md",
    ]);
    expect(taken.leftOut).toEqual([]);
    b.write("app/page.tsx", "changed");
    b.write("app/more.ts", "more");
    rmSync(join(folder(), "app/lib/lib.ts"));
    const second = await take();
    expect(await names(second)).toContain("app/more.ts");
    await restore(taken.commit);
    expect(readFileSync(join(folder(), "app/page.tsx"), "utf8")).toBe("page");
    expect(readFileSync(join(folder(), "app/lib/lib.ts"), "utf8")).toBe("lib");
    expect(existsSync(join(folder(), "app/more.ts"))).toBe(false);
    // The agent's own history is none of our business.
    expect(b.git(["log", "--format=%s"], join(folder(), "app"))).toBe("generated");
  });

  test("S2.6 keeps a submodule of the project as it is: empty, or as the project has it", async () => {
    const sub = await withSubmodule();
    const empty = await take();
    expect(empty.leftOut).toEqual([]);
    populate();
    expect(existsSync(join(sub, "x"))).toBe(true);
    // Of what is ignored there nobody asks.
    put(join(sub, "out/built"), "x");
    const populated = await take();
    expect([populated.leftOut, populated.tree]).toEqual([[], empty.tree]);
    await restore(empty.commit);
    expect(existsSync(join(sub, "x"))).toBe(true);
  });

  test("S2.6 names a submodule in which something changed, whatever it is", async () => {
    const sub = await withSubmodule();
    const { tree } = await take();
    const outcome = async () => {
      const taken = await take();
      return [taken.leftOut, taken.tree === tree];
    };
    populate();
    put(join(sub, "new"), "new");
    expect(await outcome()).toEqual([subChanged, true]);
    rmSync(join(sub, "new"));
    put(join(sub, "x"), "other");
    expect(await outcome()).toEqual([subChanged, true]);
    b.git(["commit", "-qam", "y"], sub);
    expect(await outcome()).toEqual([subChanged, true]);
    // Its HEAD says what it was, but its objects are gone: nobody can tell.
    rmSync(join(sub, ".git"), { recursive: true });
    expect(await outcome()).toEqual([subChanged, true]);
    rmSync(sub, { recursive: true });
    put(sub, "a file");
    expect(await outcome()).toEqual([subChanged, true]);
    rmSync(sub);
    symlinkSync("a.txt", sub);
    expect(await outcome()).toEqual([subChanged, true]);
    rmSync(sub);
    mkdirSync(sub);
    expect(await outcome()).toEqual([[], true]);
  });

  test("S2.6 a submodule that was taken out is gone, as any file", async () => {
    const sub = await withSubmodule();
    rmSync(sub, { recursive: true });
    rmSync(join(folder(), ".gitmodules"));
    const taken = await take();
    expect([await names(taken), taken.leftOut]).toEqual([["a.txt"], []]);
  });

  test("does not hold what goes away while it is taken", async () => {
    b.commit({ "a.txt": "a", "b.txt": "b" });
    await b.workspace();
    const { trees } = b.places;
    b.write("a.txt", "changed");
    b.write("c.txt", "new");
    const { before } = await restoreTree((await take()).commit, options());
    b.write("a.txt", "again");
    const changes = await listChanges(trees, {}, false);
    rmSync(join(folder(), "a.txt"));
    const [ref, from] = ["refs/holdfast/900", before.commit];
    await importTree({ trees, ref, from, changes, at: 0, secrets: [], maxFileBytes: 100 });
    const taken = await takeTree({ trees, seq: 900, at: 0 });
    expect(await names(taken)).toEqual(["b.txt", "c.txt"]);
  });

  test("skips pipes and sockets, and names them", async () => {
    await b.workspace();
    b.write("d/file", "x");
    execFileSync("mkfifo", [join(folder(), "pipe"), join(folder(), "d/pipe")]);
    const server = createServer().listen(join(folder(), "socket"));
    await new Promise((done) => server.once("listening", done));
    const taken = await take();
    server.close();
    expect(taken.leftOut.toSorted((x, y) => (x.path < y.path ? -1 : 1))).toEqual([
      { path: "d/pipe", why: "special" },
      { path: "pipe", why: "special" },
      { path: "socket", why: "special" },
    ]);
  });

  test("S2.6 names a pipe in a folder that holds nothing else, but none that is ignored", async () => {
    b.commit({ ".gitignore": "*.sock\n/run/\n" });
    await b.workspace();
    for (const path of ['alone/한글 \n"q"', "run", "node_modules/p", "logs", "app"])
      mkdirSync(join(folder(), path), { recursive: true });
    b.git(["init", "-q"], join(folder(), "app"));
    b.write("app/.gitignore", "ignored\n");
    const pipes = [
      'alone/한글 \n"q"/pipe',
      "run/pipe",
      "node_modules/p/pipe",
      "logs/a.sock",
      "app/pipe",
      "app/ignored",
    ];
    execFileSync(
      "mkfifo",
      pipes.map((path) => join(folder(), path)),
    );
    const taken = await take();
    expect(taken.leftOut.map(({ path }) => path).toSorted()).toEqual([pipes[0], "app/pipe"]);
  });

  test("S2.6 a folder that nobody may look into is named, and what was in it is not taken for removed", async ({
    skip,
  }) => {
    skip(process.getuid?.() === 0, "folders that may not be read: root may read all");
    b.commit({ "shut/a.txt": "a" });
    await b.workspace();
    chmodSync(join(folder(), "shut"), 0);
    const taken = await take();
    chmodSync(join(folder(), "shut"), 0o700);
    expect(taken.leftOut.map(({ path }) => path)).toContain("shut/a.txt");
    expect(await names(taken)).toEqual(["shut/a.txt"]);
  });

  test("leaves out names that git would refuse to check out, so that it can be restored", async () => {
    await b.workspace();
    for (const name of ["git~1", "d/.GIT/x", ".git /x", ".g\u200cit", "fine"]) b.write(name, "x");
    symlinkSync("fine", join(folder(), ".gitmodules"));
    const taken = await take();
    expect(await names(taken)).toEqual(["fine"]);
    expect(taken.leftOut.map(({ why }) => why)).toEqual(taken.leftOut.map(() => "name"));
    expect(taken.leftOut.length).toBeGreaterThanOrEqual(4);
    await restore(taken.commit);
    expect(existsSync(join(folder(), "git~1"))).toBe(true);
  });

  test("is the same again for the same number, and another for the next", async () => {
    await b.workspace();
    execFileSync("mkfifo", [join(folder(), "pipe")]);
    b.write("a", "1");
    const first = await takeTree({ trees: b.places.trees, seq: 7, at: 0 });
    b.write("a", "2");
    expect(await takeTree({ trees: b.places.trees, seq: 7, at: 9 })).toEqual(first);
    const next = await takeTree({ trees: b.places.trees, seq: 10, at: 0 });
    expect(next.tree).not.toBe(first.tree);
    b.write("a", "1");
    expect((await takeTree({ trees: b.places.trees, seq: 9, at: 0 })).tree).toBe(first.tree);
  });

  test("can be taken many times at once", async () => {
    await b.workspace();
    b.write("a", "1");
    const all = await Promise.all(Array.from({ length: 5 }, () => take()));
    expect(new Set(all.map(({ tree }) => tree)).size).toBe(1);
    expect(new Set(all.map(({ commit }) => commit)).size).toBe(5);
  });

  test("does not need the agent's own repository, nor the folder itself to restore it", async () => {
    b.commit({ "a.txt": "a" });
    await b.workspace();
    b.write("b.txt", "b");
    rmSync(join(folder(), ".git"), { recursive: true });
    b.write(".git", "gitdir: /nowhere\n");
    const taken = await take();
    expect(await names(taken)).toEqual(["a.txt", "b.txt"]);
    rmSync(folder(), { recursive: true });
    await restore(taken.commit);
    expect(Object.keys(treeOf(folder()))).toEqual(["a.txt", "b.txt"]);
  });

  test("of a tree without a file, and back to it", async () => {
    await b.workspace();
    const empty = await take();
    expect(empty).toMatchObject({ files: 0, bytes: 0 });
    b.write("a/b", "x");
    await take();
    await restore(empty.commit);
    expect(treeOf(folder())).toEqual({});
  });

  test("holds ten thousand files, and finds the one that changed", async () => {
    await b.workspace();
    for (let i = 0; i < 10_000; i++) b.write(`d${i % 100}/f${i}.txt`, `file ${i}\n`);
    const first = await take();
    expect(first.files).toBe(10_000);
    b.write("d7/f7.txt", "changed");
    const second = await take();
    const changed = await diffTrees(b.places.trees, first.commit, second.commit);
    expect(changed.map(({ path }) => path)).toEqual(["d7/f7.txt"]);
    rmSync(join(folder(), "d8"), { recursive: true });
    await restore(first.commit);
    expect(Object.keys(treeOf(folder()))).toHaveLength(10_000);
    expect(readFileSync(join(folder(), "d7/f7.txt"), "utf8")).toBe("file 7\n");
  });
});

describe("S6.6 what must not get into a snapshot", () => {
  const secret = "hf-secret-4711-value";

  test("a file that holds a secret, in any form, in any place", async () => {
    await b.workspace();
    b.write("clean.txt", "nothing");
    b.write("plain.txt", `key=${secret}\n`);
    b.write("encoded.txt", Buffer.from(`user:${secret}`).toString("base64"));
    b.write("deep/한글.json", JSON.stringify({ secret }));
    b.write(`name-${secret}.txt`, "x");
    symlinkSync(`/tmp/${secret}`, join(folder(), "link"));
    const taken = await take({ secrets: [secret] });
    expect(await names(taken)).toEqual(["clean.txt"]);
    expect(taken.leftOut.map(({ path }) => path).toSorted()).toEqual([
      "deep/한글.json",
      "encoded.txt",
      "link",
      "name-[redacted].txt",
      "plain.txt",
    ]);
    expect(stored()).not.toContain(secret);
    expect(readFileSync(join(b.places.trees.repository, "scanned"), "utf8")).not.toContain(secret);
  });

  test("one that was kept before its content became a secret", async () => {
    await b.workspace();
    b.write("a.txt", secret);
    b.write("b.txt", "b");
    const first = await take();
    expect(await names(first)).toEqual(["a.txt", "b.txt"]);
    const second = await take({ secrets: [secret] });
    expect(await names(second)).toEqual(["b.txt"]);
    expect(second.leftOut).toEqual([{ path: "a.txt", why: "secret" }]);
    // Unchanged since, it is still named.
    const third = await take({ secrets: [secret] });
    expect(third.leftOut).toEqual([{ path: "a.txt", why: "secret" }]);
    expect(await names(await take())).toEqual(["a.txt", "b.txt"]);
  });

  test("of a file of the project the project's version stays: it is not deleted in its branch", async () => {
    b.commit({ "config.ts": "key = env.KEY\n", "known.ts": `default = "${secret}"\n` });
    await b.workspace();
    b.write("config.ts", `key = "${secret}"\n`);
    const taken = await take({ secrets: [secret] });
    expect(taken.leftOut).toEqual([{ path: "config.ts", why: "secret" }]);
    const file = await fileAt(b.places.trees, taken.commit, "config.ts");
    expect(file?.bytes.toString()).toBe("key = env.KEY\n");
    // What is in the project's own history is no secret any more.
    expect(await names(taken)).toContain("known.ts");
  });

  test("a huge file; and it is not lost when an older one is restored over it", async () => {
    await b.workspace();
    b.write("data.bin", "small");
    const first = await take({ maxFileBytes: 1000 });
    b.write("data.bin", "x".repeat(1001));
    const second = await take({ maxFileBytes: 1000 });
    expect(second.leftOut).toEqual([{ path: "data.bin", why: "large" }]);
    expect(await names(second)).toEqual([]);
    const { setAside } = await restoreTree(first.commit, options({ maxFileBytes: 1000 }));
    expect(readFileSync(join(folder(), "data.bin"), "utf8")).toBe("small");
    expect(setAside.map(({ path }) => path)).toEqual(["data.bin"]);
    expect(readFileSync(setAside[0]?.to ?? "", "utf8")).toHaveLength(1001);
  });

  test("a file that may not be read is named", async ({ skip }) => {
    skip(process.getuid?.() === 0, "files that may not be read: root may read all");
    await b.workspace();
    b.write("locked", "x", 0o000);
    const taken = await take();
    chmodSync(join(folder(), "locked"), 0o600);
    expect(taken.leftOut).toEqual([{ path: "locked", why: "unreadable" }]);
  });

  test("each reason has its sentence", () => {
    for (const why of reasons)
      for (const language of languages)
        expect(render(language, leftOutText({ path: "x/y.md", why }))).toContain("x/y.md");
  });
});

describe("S1.19 restoring", () => {
  test("follows any change of any kind, in any order (seeded)", async () => {
    await b.workspace();
    const random = seeded(20_261);
    const kept: { commit: string; tree: Record<string, string> }[] = [];
    const pool = ["a", "b", "d/a", "d/b", "d/e/a", "한/글", "x y"];
    const steps = full ? 400 : 15;
    for (let step = 0; step < steps; step++) {
      for (let change = 0; change < 4; change++) {
        const path = makeWay(pool[random(pool.length)] ?? "a");
        const kind = random(5);
        if (kind === 0) put(path, `content ${step} ${change}`, random(2) === 0 ? 0o755 : 0o644);
        else if (kind === 1) symlinkSync(random(2) === 0 ? "a" : "/etc", path);
        else if (kind === 2) put(join(path, "inner"), `inner ${step}`);
        else if (kind === 3) put(path, "");
      }
      kept.push({ commit: (await take()).commit, tree: treeOf(folder()) });
      const wanted = kept[random(kept.length)];
      await restore(wanted?.commit ?? "");
      expect(treeOf(folder())).toEqual(wanted?.tree);
    }
  });

  test("begins by clearing what a killed process left: its locks, and the git it had started", async () => {
    await b.workspace();
    b.write("a", "1");
    const first = await take();
    const { repository } = b.places.trees;
    // As a process that was killed in the middle leaves them.
    for (const name of ["busy", "holdfast.index.lock", "refs/holdfast/1.lock", "HEAD.lock"])
      put(join(repository, name), "");
    put(join(repository, "objects/pack/tmp_pack_x"), "half");
    const orphan = spawn("sleep", ["600"], {
      env: { PATH: process.env["PATH"], HOLDFAST_WORK: `tree:${repository}` },
      stdio: "ignore",
    });
    const stranger = spawn("sleep", ["600"], {
      env: { PATH: process.env["PATH"], HOLDFAST_WORK: `tree:${repository}2` },
      stdio: "ignore",
    });
    b.write("a", "2");
    const second = await take();
    stranger.kill();
    await until("the orphan is gone", () => orphan.signalCode !== null);
    await until("the stranger is gone", () => stranger.signalCode !== null);
    expect([orphan.signalCode, stranger.signalCode]).toEqual(["SIGKILL", "SIGTERM"]);
    expect(second.tree).not.toBe(first.tree);
    expect(readdirSync(repository).filter((name) => /lock|busy/.test(name))).toEqual([]);
    expect(existsSync(join(repository, "objects/pack/tmp_pack_x"))).toBe(false);
    await restore(first.commit);
    expect(treeOf(folder())).toEqual({ a: "100644 1" });
  });

  test("does not write through a link that stands where a folder was", async () => {
    await b.workspace();
    const elsewhere = join(b.folder, "elsewhere");
    mkdirSync(elsewhere);
    put(join(elsewhere, "file"), "theirs");
    b.write("dir/file", "ours");
    const taken = await take();
    renameSync(join(folder(), "dir"), join(folder(), "moved"));
    symlinkSync(elsewhere, join(folder(), "dir"));
    await restore(taken.commit);
    expect(readFileSync(join(elsewhere, "file"), "utf8")).toBe("theirs");
    expect(treeOf(folder())).toEqual({ "dir/file": "100644 ours" });
  });

  test("moves aside what no snapshot holds, and says where", async () => {
    b.commit({ ".gitignore": "", "local.cfg": "1" });
    await b.workspace();
    const first = await take();
    rmSync(join(folder(), "local.cfg"));
    b.write(".gitignore", "local.cfg\n");
    await take();
    // Ignored by now, and not the same: only here.
    b.write("local.cfg", "mine");
    const { setAside } = await restore(first.commit);
    expect(readFileSync(join(folder(), "local.cfg"), "utf8")).toBe("1");
    expect(setAside).toEqual([{ path: "local.cfg", to: expect.any(String) }]);
    expect(readFileSync(setAside[0]?.to ?? "", "utf8")).toBe("mine");
  });

  test("refuses one that is damaged, and leaves the tree as it is", async () => {
    await b.workspace();
    b.write("a.txt", "a".repeat(5000));
    const taken = await take();
    expect(await isWhole(b.places.trees, taken.commit)).toBe(true);
    damage(join(b.places.trees.repository, "objects"));
    expect(await isWhole(b.places.trees, taken.commit)).toBe(false);
    b.write("a.txt", "b");
    const fault = await faultOf(restore(taken.commit));
    expect(fault.code).toBe("corrupt");
    expect(treeOf(folder())).toEqual({ "a.txt": "100644 b" });
    expect((await faultOf(restore("0".repeat(40)))).code).toBe("corrupt");
    expect((await faultOf(restore("HEAD"))).code).toBe("invalid_input");
    expect((await faultOf(restore("--output=x"))).code).toBe("invalid_input");
  });

  test("does not mind that another snapshot is damaged", async () => {
    await b.workspace();
    b.write("a.txt", "a".repeat(5000));
    const old = await take();
    const objects = join(b.places.trees.repository, "objects");
    const blob = b.git(["hash-object", "a.txt"], folder());
    damage(join(objects, blob.slice(0, 2)));
    b.write("a.txt", "b");
    const fresh = await take();
    b.write("a.txt", "c");
    expect(await isWhole(b.places.trees, old.commit)).toBe(false);
    expect(await isWhole(b.places.trees, fresh.commit)).toBe(true);
    await restore(fresh.commit);
    expect(treeOf(folder())).toEqual({ "a.txt": "100644 b" });
  });

  test("and taking go on where the index or the newest snapshot is damaged", async () => {
    await b.workspace();
    b.write("a.txt", "a");
    const first = await take();
    writeFileSync(join(b.places.trees.repository, "holdfast.index"), "rubbish");
    b.write("b.txt", "b");
    const second = await take();
    expect(await names(second)).toEqual(["a.txt", "b.txt"]);
    const gitDir = b.places.trees.repository;
    rmSync(join(gitDir, "objects", second.tree.slice(0, 2), second.tree.slice(2)));
    const third = await take();
    expect(await names(third)).toEqual(["a.txt", "b.txt"]);
    await restore(first.commit);
    expect(Object.keys(treeOf(folder()))).toEqual(["a.txt"]);
  });
});

describe("S1.4 what changed between two snapshots", () => {
  test("is told file by file", async () => {
    b.commit({
      "kept.txt": "same\n",
      "한글.md": "하나\n둘\n셋\n",
      "gone.txt": "g\n",
      "moved.txt": "line\n".repeat(20),
      "run.sh": "x\n",
      "type.txt": "t\n",
      "image.png": "\u0089PNG\u0000one",
    });
    await b.workspace();
    const before = await take();
    b.write("한글.md", "하나\n2\n셋\n넷\n");
    rmSync(join(folder(), "gone.txt"));
    renameSync(join(folder(), "moved.txt"), join(folder(), "renamed to.txt"));
    chmodSync(join(folder(), "run.sh"), 0o755);
    unlinkSync(join(folder(), "type.txt"));
    symlinkSync("kept.txt", join(folder(), "type.txt"));
    b.write("image.png", "\u0089PNG\u0000two");
    b.write("-new.txt", "diff --git a/x b/x\n-- \n");
    const after = await take();
    const diff = await diffTrees(b.places.trees, before.commit, after.commit);
    const brief = diff.map(({ path, status, from, additions, deletions, binary }) =>
      [path, status, from, additions, deletions, binary].join(" "),
    );
    expect(brief.toSorted()).toEqual([
      "-new.txt added  2 0 false",
      "gone.txt deleted  0 1 false",
      "image.png modified  0 0 true",
      "renamed to.txt renamed moved.txt 0 0 false",
      "run.sh modified  0 0 false",
      "type.txt type_changed  1 1 false",
      "한글.md modified  2 1 false",
    ]);
    const patch = (path: string) => diff.find((file) => file.path === path)?.patch;
    expect(patch("한글.md")).toMatch(
      /^diff --git a\/한글\.md b\/한글\.md\n[\s\S]*\n-둘\n\+2\n 셋\n\+넷\n$/,
    );
    expect(patch("-new.txt")).toMatch(/\n\+diff --git a\/x b\/x\n\+-- \n$/);
    expect(patch("type.txt")?.match(/^diff --git/gm)).toHaveLength(2);
    expect(patch("run.sh")).toContain("old mode 100644\nnew mode 100755");
    expect(patch("image.png")).toBeNull();
    expect(await diffTrees(b.places.trees, after.commit, after.commit)).toEqual([]);
  });

  test("is bounded, and a file can be asked for by itself", async () => {
    await b.workspace();
    const before = await take();
    for (const name of ["a", "b", "c", "*"]) b.write(name, `${name}\n`.repeat(1000));
    const after = await take();
    const ids = [b.places.trees, before.commit, after.commit] as const;
    const cut = await diffTrees(...ids, { maxTotal: 4000 });
    expect(cut.map(({ path, patch }) => [path, patch === null])).toEqual([
      ["*", false],
      ["a", true],
      ["b", true],
      ["c", true],
    ]);
    expect(cut.every(({ additions }) => additions === 1000)).toBe(true);
    const one = await diffTrees(...ids, { paths: ["*"] });
    expect(one.map(({ path, patch }) => [path, patch?.length === cut[0]?.patch?.length])).toEqual([
      ["*", true],
    ]);
    expect((await diffTrees(...ids, { maxPatch: 100 })).every(({ patch }) => patch === null)).toBe(
      true,
    );
  });

  test("a file of a snapshot is read by its name, and nothing else is", async () => {
    await b.workspace();
    b.write("-x", "dash");
    b.write("d/한글", "k");
    symlinkSync("-x", join(folder(), "link"));
    const { commit } = await take();
    const read = async (path: string) =>
      (await fileAt(b.places.trees, commit, path))?.bytes.toString();
    expect(await read("-x")).toBe("dash");
    expect(await read("d/한글")).toBe("k");
    expect(await fileAt(b.places.trees, commit, "link")).toMatchObject({ link: true });
    for (const path of ["d", "*", "../x", "/etc/passwd", "no", "d/", ":(glob)**", "--output=x"])
      expect(await read(path)).toBeUndefined();
    expect((await faultOf(fileAt(b.places.trees, commit, "-x", 3))).code).toBe("refused");
    expect((await faultOf(fileAt(b.places.trees, "HEAD", "-x"))).code).toBe("invalid_input");
  });
});
