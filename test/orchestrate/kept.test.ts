// Everything a unit made is kept or refused by name, and the user's own git configuration is respected
// (S2.6, S1.6, S1.21d): in sessions, and carried out by itself.
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openSecretBox } from "../../src/store/secrets.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { type Ended, holdfast } from "../cli/program.ts";
import { type Repository, repository } from "./repository.ts";

const limit = { timeout: 600_000 };
const one = "# One\n## Phase 1\n- [ ] T1.1: a\n";
const two = `${one}- [ ] T1.2: b\n`;

const folderIn = ({ out }: Ended): string => out.trim().slice("OK:".length);
const put = (path: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
};
/** With nothing on the disk but its length. */
const sparse = (path: string, bytes: number): void => {
  const handle = openSync(path, "w");
  ftruncateSync(handle, bytes);
  closeSync(handle);
};
const journal = (made: Repository, trigger: string) =>
  made
    .call("log --json")
    .out.split("\n")
    .filter((line) => line.includes(`"${trigger}"`))
    .map((line) => JSON.parse(line) as { metadata: { unit: string; folder: string } });
/** With what the user configured for all repositories. */
const everywhere = (made: Repository, text: string): void =>
  put(join(made.folder, ".gitconfig"), text);
const asUser = (made: Repository) => ({ ...made.env, HOME: made.folder });
const call = (made: Repository, words: readonly string[], session?: string): Ended =>
  holdfast([...words, ...(session === undefined ? [] : ["--session", session])], {
    cwd: made.project,
    env: asUser(made),
  });
const report = (made: Repository, line: string): Ended =>
  call(made, ["report", "orchestrate", line], "a");

test(
  "S2.6 in a session: DONE is refused with the name of each file that would be lost, and nothing changes",
  limit,
  () => {
    const made = repository(one);
    made.call("orchestrate --in-session");
    const folder = folderIn(made.report("START:T1.1", "a"));
    const before = [made.git("for-each-ref"), JSON.stringify(made.state())];
    put(join(folder, "a.txt"), "a\n");
    sparse(join(folder, "큰 파일.bin"), 51 * 1024 * 1024);
    mkdirSync(join(folder, 'in "a" folder'));
    execFileSync("mkfifo", [join(folder, 'in "a" folder/pipe')]);
    put(join(folder, "git~1"), "x");
    const refused = made.report("DONE:T1.1", "a");
    expect(refused.code).toBe(4);
    for (const words of ["큰 파일.bin", "50 MiB", 'in "a" folder/pipe', "git~1", ".gitignore"])
      expect(refused.err).toContain(words);
    expect([made.git("for-each-ref"), JSON.stringify(made.state())]).toEqual(before);
    expect(existsSync(join(folder, "a.txt"))).toBe(true);
    put(join(folder, ".gitignore"), "*.bin\n");
    rmSync(join(folder, 'in "a" folder'), { recursive: true });
    rmSync(join(folder, "git~1"));
    expect(made.report("DONE:T1.1", "a").out).toBe("ALL_DONE\n");
    expect(made.git("ls-tree", "--name-only", "main")).toBe(".gitignore\nTASKS.md\na.txt");
    // What is ignored goes with the clone.
    expect([made.trees(), existsSync(join(made.home, "kept"))]).toEqual([[], false]);
  },
);

test(
  "S2.6 in a session: what is given back with such a file is kept, told, and goes with its run",
  limit,
  () => {
    const made = repository(one);
    made.call("orchestrate --in-session");
    const folder = folderIn(made.report("START:T1.1", "a"));
    put(join(folder, "a.txt"), "a\n");
    sparse(join(folder, "large.bin"), 51 * 1024 * 1024);
    expect(made.report("FAIL:T1.1:no time", "a").code).toBe(0);
    expect(existsSync(folder)).toBe(false);
    const [kept] = journal(made, "tree_kept");
    expect(kept?.metadata).toMatchObject({ unit: "T1.1", files: ["large.bin (large)"] });
    const there = kept?.metadata.folder ?? "";
    expect(dirname(dirname(there))).toBe(join(made.home, "kept"));
    expect(readFileSync(join(there, "a.txt"), "utf8")).toBe("a\n");
    expect(existsSync(join(there, "large.bin"))).toBe(true);
    expect(made.call("doctor").out).toContain(join(made.home, "kept"));
    const [run] = (JSON.parse(made.call("task list --json").out) as { tasks: { id: string }[] })
      .tasks;
    made.call(`task cancel ${run?.id}`);
    expect(made.call("task kept").out).toContain(there);
    expect(made.call(`task delete ${run?.id}`).code).toBe(0);
    expect(existsSync(there)).toBe(false);
  },
);

test("S2.6 in a session: a value that was given to the run is in no commit", limit, async () => {
  const made = repository(one);
  made.call("orchestrate --in-session");
  const folder = folderIn(made.report("START:T1.1", "a"));
  const [run] = (JSON.parse(made.call("task list --json").out) as { tasks: { id: string }[] })
    .tasks;
  const id = run?.id ?? "";
  const content = await openSecretBox(made.home).seal(id, "KEY", "s3cret-value-1");
  const store = await openSqlite(join(made.home, "holdfast.db"));
  await store.commit({
    secrets: [{ scope: id, name: "KEY", content, createdAt: "2026-01-01T00:00:00.000Z" }],
  });
  await store.close();
  put(join(folder, ".env"), "KEY=s3cret-value-1\n");
  const refused = made.report("DONE:T1.1", "a");
  expect([refused.code, refused.err.includes("s3cret")]).toEqual([4, false]);
  expect(refused.err).toContain(".env");
  put(join(folder, ".env"), "KEY=\n");
  expect(made.report("DONE:T1.1", "a").out).toBe("ALL_DONE\n");
});

/** Makes a file that can not be kept, in the agent's folder. */
const large = (made: Repository): string[] => {
  const script = join(made.folder, "large.cjs");
  put(script, 'require("fs").truncateSync(require("fs").openSync("large.bin", "w"), 53477376);\n');
  return [script];
};

test(
  "S2.6 by itself: such a file is a finding for its agent, and within its reworks it is mended",
  limit,
  () => {
    const made = repository(one);
    made.course({
      "T1.1": [{ run: large(made), write: { "a.txt": "a\n" } }, { write: { "a.txt": "a\n" } }],
    });
    expect(holdfast(made.run, { cwd: made.project, env: made.env })).toMatchObject({ code: 0 });
    expect(made.prompt("T1.1", 2)).toContain("large.bin");
    expect(made.read("a.txt")).toBe("a\n");
    expect(existsSync(join(made.project, "large.bin"))).toBe(false);
  },
);

test("S2.6 by itself: what an agent that failed could not keep is moved, and told", limit, () => {
  const made = repository(one);
  made.course({ "T1.1": [{ run: large(made), fail: "no such table" }] });
  expect(holdfast(made.run, { cwd: made.project, env: made.env }).code).toBe(4);
  const kept = journal(made, "tree_kept");
  expect(kept.length).toBeGreaterThan(0);
  for (const { metadata } of kept)
    expect(existsSync(join(metadata.folder, "large.bin"))).toBe(true);
  expect(readdirSync(join(made.home, "workspaces"))).toEqual([]);
});

/** Everything that makes a difference to the user's git at once, with a repository that has it all. */
function configured(): Repository {
  const made = repository(two, {}, "version: 1\n");
  const rot = join(made.folder, "rot");
  put(rot, "#!/bin/sh\ntr a-z n-za-m\n");
  execFileSync("chmod", ["755", rot]);
  everywhere(
    made,
    `[core]\n\tautocrlf = true\n\texcludesFile = ~/ignored\n[filter "rot"]\n\tclean = ${rot}\n\tsmudge = ${rot}\n\trequired = true\n[protocol "file"]\n\tallow = always\n[user]\n\tname = P\n\temail = p@localhost\n`,
  );
  put(join(made.folder, "ignored"), "*.swp\n");
  appendFileSync(join(made.project, ".git/info/exclude"), "/.scratch/\n/.claude/\n");
  made.write(".gitattributes", "*.dat filter=rot\n*.u16 working-tree-encoding=UTF-16\n");
  made.write("data.dat", "hello\n");
  made.write("text.txt", "one\r\ntwo\r\n");
  writeFileSync(join(made.project, "글.u16"), Buffer.from("\ufeff하나\n", "utf16le"));
  const other = join(made.folder, "other");
  mkdirSync(other);
  const git = (cwd: string, ...words: string[]): void => {
    const { status, stderr } = spawnSync("git", words, {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", HOME: made.folder, GIT_CONFIG_NOSYSTEM: "1" },
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
  };
  git(other, "init", "-q");
  put(join(other, "lib.c"), "int x;\n");
  git(other, "add", "-A");
  git(other, "commit", "-qm", "lib");
  git(made.project, "submodule", "add", "-q", other, "lib");
  git(made.project, "add", "-A");
  git(made.project, "commit", "-qm", "configured");
  return made;
}

/** What a unit adds that all of it has to come through. */
const names = {
  "새 파일.txt": "가\r\n나\r\n",
  "Case.txt": "upper\n",
  "case.txt": "lower\n",
  'odd "q" \n name.txt': "odd\n",
};
const ignored = { "note.swp": "x", ".scratch/x": "x" };

function expectStored(made: Repository): void {
  const listed = made.git("ls-tree", "-r", "-z", "--name-only", "main").split("\0");
  for (const path of Object.keys(names)) expect(listed).toContain(path);
  for (const path of Object.keys(ignored)) expect(listed).not.toContain(path);
  expect(listed).toContain("nested/made.txt");
  expect(made.git("cat-file", "blob", "main:새 파일.txt")).toBe("가\n나");
  expect(made.git("cat-file", "blob", "main:글.u16")).toBe("둘");
  expect(made.git("cat-file", "blob", "main:data.dat")).toBe("uryyb");
  expect(made.git("ls-tree", "main", "lib")).toMatch(/^160000 commit /);
  // In the user's own tree it lies as their own git has it, and is clean for them.
  expect(made.read("새 파일.txt")).toBe("가\r\n나\r\n");
  expect(readFileSync(join(made.project, "글.u16"), "utf16le")).toBe("\ufeff둘\r\n");
  expect(made.read("data.dat")).toBe("hello\n");
  expect(made.git("status", "--porcelain")).toBe("");
}

test(
  "S2.6 in a session: ignore files, line ends, encodings, filters and submodules of the user hold",
  limit,
  () => {
    const made = configured();
    expect(call(made, ["orchestrate", "--in-session"]).code).toBe(0);
    const folder = folderIn(report(made, "START:T1.1"));
    expect(readFileSync(join(folder, "text.txt"), "utf8")).toBe("one\ntwo\n");
    for (const [path, text] of Object.entries({ ...names, ...ignored }))
      put(join(folder, path), text);
    put(join(folder, "글.u16"), "둘\n");
    execFileSync("git", ["init", "-q", "nested"], { cwd: folder });
    put(join(folder, "nested/made.txt"), "made\n");
    // Refused by name: of a filter, in another encoding, in a submodule.
    put(join(folder, "new.dat"), "x\n");
    put(join(folder, "new.u16"), Buffer.from("\ufeff셋\n", "utf16le"));
    put(join(folder, "lib/lib.c"), "int y;\n");
    const refused = report(made, "DONE:T1.1");
    expect(refused.code).toBe(4);
    for (const name of ["new.dat", "new.u16", "lib "]) expect(refused.err).toContain(name);
    for (const path of ["new.dat", "new.u16", "lib/lib.c"]) rmSync(join(folder, path));
    expect(report(made, "DONE:T1.1").out).toBe("OK\n");
    folderIn(report(made, "START:T1.2"));
    expect(report(made, "DONE:T1.2").out).toBe("ALL_DONE\n");
    expectStored(made);
    expect(made.trees()).toEqual([]);
  },
);

test(
  "S2.6 S1.21d by itself: a tree that is clean for the user is begun in, and stays clean",
  limit,
  () => {
    const made = configured();
    const script = join(made.folder, "nested.cjs");
    put(script, 'require("child_process").execFileSync("git", ["init", "-q", "nested"]);\n');
    const write = { ...names, ...ignored, "글.u16": "둘\n", "nested/made.txt": "made\n" };
    const first = { ...write, "lib/lib.c": "int y;\n", "data.dat": "changed\n" };
    made.course({
      "T1.1": [
        { run: [script], write: first },
        { run: [script], write, remove: [] },
      ],
    });
    const { code, out, err } = holdfast(made.run, { cwd: made.project, env: asUser(made) });
    expect([code, code === 0 ? "" : out + err]).toEqual([0, ""]);
    for (const name of ["data.dat", "lib "]) expect(made.prompt("T1.1", 2)).toContain(name);
    expectStored(made);
    expect(readdirSync(join(made.home, "workspaces"))).toEqual([]);
  },
);
