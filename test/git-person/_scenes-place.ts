// Repositories of every kind.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { full } from "../crash/programs.ts";
import { type Person, plan } from "./person.ts";
import type { Scene } from "./scene.ts";

/** The project becomes a clone of what it was. */
function cloned(person: Person, ...words: string[]): void {
  const origin = join(person.folder, "origin");
  renameSync(person.project, origin);
  person.gitIn(person.folder, "clone", "-q", ...words, `file://${origin}`, person.project);
  named(person);
}

function named({ git }: Person): void {
  git("config", "user.name", "Test");
  git("config", "user.email", "test@localhost");
}

/** The project begins anew as this. */
function begunAgain({ project, git, gitIn, ...person }: Person, ...words: string[]): void {
  rmSync(join(project, ".git"), { recursive: true });
  gitIn(project, "init", "-q", "-b", "main", ...words);
  named({ project, git, gitIn, ...person });
  git("add", "-A");
  git("commit", "-q", "-m", "begin");
}

function hook({ at }: Person, name: string, text: string): void {
  mkdirSync(at(".git/hooks"), { recursive: true });
  writeFileSync(at(`.git/hooks/${name}`), `#!/bin/sh\n${text}\n`);
  chmodSync(at(`.git/hooks/${name}`), 0o755);
}

function readOnly({ at }: Person): void {
  const objects = at(".git/objects");
  for (const entry of readdirSync(objects, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), 0o444);
}

/** The whole number in the long form. */
const manyFiles = full ? 50_000 : 2_000;

const nothing = { at: "T1.1", does: () => undefined } as const;

export const placeScenes: readonly Scene[] = [
  {
    name: "the project is a shallow clone",
    before: (person) => cloned(person, "--depth", "1"),
    acts: [{ at: "T1.1", does: ({ commit }) => commit({ "mine.txt": "mine\n" }) }],
    after: ({ git }) => expect(git("rev-parse", "--is-shallow-repository")).toBe("true"),
  },
  {
    name: "a shallow clone is deepened while a unit works",
    before: (person) => cloned(person, "--depth", "1"),
    acts: [{ at: "T1.2", does: ({ git }) => void git("fetch", "-q", "--unshallow") }],
  },
  {
    name: "only a part of the files is checked out (sparse)",
    files: { "in/a.txt": "a\n", "out/b.txt": "b\n" },
    before: ({ git }) => void git("sparse-checkout", "set", "in"),
    acts: [nothing],
    after: ({ at, git }) => {
      expect([existsSync(at("in/a.txt")), existsSync(at("out"))]).toEqual([true, false]);
      expect(git("status", "--porcelain", "--", "in", "out")).toBe("");
    },
  },
  {
    name: "a unit writes outside of what is checked out (sparse)",
    files: { "in/a.txt": "a\n", "out/b.txt": "b\n" },
    writes: { "T1.1": { "T1.1.txt": "T1.1\n", "out/b.txt": "by the unit\n", "out/c.txt": "c\n" } },
    before: ({ git }) => void git("sparse-checkout", "set", "in"),
    acts: [nothing],
    after: ({ at, git }) => {
      expect(existsSync(at("out"))).toBe(false);
      expect(git("status", "--porcelain", "--", "in", "out")).toBe("");
    },
  },
  {
    name: "the project is a worktree of a bare repository",
    before: ({ folder, project, gitIn }) => {
      renameSync(project, join(folder, "whole"));
      gitIn(folder, "clone", "-q", "--bare", join(folder, "whole"), join(folder, "common.git"));
      gitIn(join(folder, "common.git"), "config", "user.name", "Test");
      gitIn(join(folder, "common.git"), "config", "user.email", "test@localhost");
      gitIn(join(folder, "common.git"), "worktree", "add", "-q", project, "main");
    },
    acts: [{ at: "T1.1", does: ({ commit }) => commit({ "mine.txt": "mine\n" }) }],
  },
  {
    name: "objects are named by SHA-256",
    before: (person) => begunAgain(person, "--object-format=sha256"),
    acts: [{ at: "T1.2", does: ({ commit }) => commit({ "mine.txt": "mine\n" }) }],
  },
  {
    name: "each worktree has a configuration of its own",
    before: ({ git }) => {
      git("config", "extensions.worktreeConfig", "true");
      git("config", "--worktree", "core.autocrlf", "input");
    },
    gate: true,
    acts: [
      { at: "gate 1", does: ({ git }) => void git("config", "--worktree", "color.ui", "never") },
    ],
  },
  {
    name: "the project is a clone without blobs, with its promises at hand",
    files: { "old.txt": "old\n" },
    before: (person) => {
      const { project, folder, git } = person;
      person.commit({ "old.txt": "new\n" });
      person.gitIn(project, "config", "uploadpack.allowFilter", "true");
      cloned(person, "--filter=blob:none");
      expect(git("config", "remote.origin.promisor")).toBe("true");
      expect(existsSync(join(folder, "origin"))).toBe(true);
    },
    acts: [nothing],
  },
  {
    name: "every object is read-only, loose and packed",
    acts: [
      { at: "T1.1", does: (person) => readOnly(person) },
      {
        at: "T1.2",
        does: (person) => {
          person.git("repack", "-q", "-a", "-d");
          readOnly(person);
        },
      },
    ],
  },
  {
    name: "the person's name is gone from the configuration while a unit works",
    acts: [
      { at: "T1.2", does: ({ git }) => void git("config", "--unset", "user.name") },
      { at: "T2.1", does: ({ git }) => void git("config", "user.name", "Test") },
    ],
  },
  {
    name: `${manyFiles.toLocaleString("en")} files are tracked`,
    before: ({ git, write }) => {
      for (let n = 0; n < manyFiles; n++) write(`many/${n % 250}/${n}.txt`, `${n}\n`);
      git("add", "-A");
      git("commit", "-q", "-m", "many");
    },
    acts: [{ at: "T1.1", does: ({ write }) => write("many/7/7.txt", "mine\n") }],
  },
  {
    name: "hooks refuse every commit and every change of a reference",
    acts: [
      {
        at: "T1.1",
        does: (person) => {
          hook(person, "pre-commit", "exit 1");
          hook(person, "pre-merge-commit", "exit 1");
          hook(person, "reference-transaction", 'test "$1" != prepared');
        },
      },
    ],
  },
  {
    name: "commits have to be signed and nobody can",
    before: ({ git }) => {
      git("config", "commit.gpgSign", "true");
      git("config", "gpg.program", "false");
    },
    acts: [nothing],
  },
  {
    name: "names differ in case alone",
    files: { "Readme.md": "one\n", "README.MD": "two\n" },
    writes: { "T1.1": { "T1.1.txt": "T1.1\n", "t1.1.TXT": "other\n" } },
    acts: [nothing],
    after: ({ read }) => expect([read("Readme.md"), read("README.MD")]).toEqual(["one\n", "two\n"]),
  },
  {
    name: "phases, branches and files have Korean names",
    plan: plan.replace("Core", "로그인 화면").replace("More", "결제"),
    files: { "문서/안내.md": "안내\n" },
    writes: { "T1.1": { "T1.1.txt": "T1.1\n", "문서/모델.md": "모델\n" } },
    acts: [
      { at: "T1.1", does: ({ git }) => void git("checkout", "-q", "-b", "내-가지") },
      { at: "T1.2", does: ({ commit }) => commit({ "문서/메모.md": "메모\n" }) },
    ],
  },
  {
    name: "files have blanks, quotes and more in their names",
    files: { "a b/c'd\".txt": "1\n", "-n": "2\n", "tab\there.txt": "3\n" },
    writes: {
      "T1.1": {
        "T1.1.txt": "T1.1\n",
        "a b/e'f\".txt": "4\n",
        "$(x) `y`.txt": "5\n",
        ":(top)": "6\n",
      },
    },
    acts: [{ at: "T1.2", does: ({ write }) => write('a b/mine "here".txt', "mine\n") }],
  },
  {
    name: "the project has a submodule",
    before: ({ folder, git, gitIn }) => {
      const inner = join(folder, "inner");
      mkdirSync(inner);
      gitIn(inner, "init", "-q", "-b", "main");
      gitIn(
        inner,
        "-c",
        "user.name=T",
        "-c",
        "user.email=t@localhost",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "inner",
      );
      git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "inner");
      git("commit", "-q", "-m", "with a submodule");
    },
    acts: [
      {
        at: "T1.1",
        does: ({ gitIn, at }) =>
          void gitIn(
            at("inner"),
            "-c",
            "user.name=T",
            "-c",
            "user.email=t@localhost",
            "commit",
            "-q",
            "--allow-empty",
            "-m",
            "ahead",
          ),
      },
    ],
    after: ({ gitIn, at }) => expect(gitIn(at("inner"), "log", "-1", "--format=%s")).toBe("ahead"),
  },
];
