import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Project, findProject as find, projectMarks } from "./project.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-project-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const findProject = (cwd: string): Project => find(cwd, () => ({ path: join(folder, "home") }));

/** Real git, with nothing of the user's configuration. */
function git(cwd: string, ...words: string[]): void {
  const who = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"];
  const ended = spawnSync("git", [...who, ...words], {
    cwd,
    encoding: "utf8",
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1" },
  });
  if (ended.status !== 0) throw new Error(`git ${words.join(" ")}: ${ended.stderr}`);
}

function repository(name: string): string {
  const root = join(folder, name);
  mkdirSync(join(root, "src/deep"), { recursive: true });
  git(root, "init", "-q");
  git(root, "commit", "-q", "--allow-empty", "-m", "first");
  return root;
}

describe("the project's root", () => {
  test("S7.5 is the top of the worktree, from any folder inside and through a link", () => {
    const root = repository("main");
    symlinkSync(join(root, "src"), join(folder, "link"));
    for (const cwd of [root, join(root, "src/deep"), join(folder, "link/deep")])
      expect(findProject(cwd)).toEqual({
        root,
        because: "git",
        mark: ".git",
        git: join(root, ".git"),
      });
  });

  test("S7.5 a linked worktree leads to the main one, wherever it lies", () => {
    const root = repository("main");
    for (const tree of [join(root, "worktree/phase-1"), join(folder, "beside")]) {
      git(root, "worktree", "add", "-q", "--detach", tree);
      mkdirSync(join(tree, "below"));
      expect(findProject(join(tree, "below"))).toEqual({
        root,
        because: "worktree",
        mark: ".git",
        git: join(root, ".git"),
      });
    }
  });

  test("S7.5 git wins over a seed's folder that lies deeper", () => {
    const root = repository("main");
    mkdirSync(join(root, "src/.claude/memory"), { recursive: true });
    expect(findProject(join(root, "src")).root).toBe(root);
  });

  test("a submodule and a repository kept elsewhere are projects of their own", () => {
    const root = repository("main");
    const other = repository("other");
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "sub");
    expect(findProject(join(root, "sub"))).toMatchObject({ root: join(root, "sub") });
    const apart = join(folder, "apart");
    git(folder, "init", "-q", "--separate-git-dir", join(folder, "store.git"), apart);
    expect(findProject(apart)).toMatchObject({ root: apart, git: join(folder, "store.git") });
    git(apart, "commit", "-q", "--allow-empty", "-m", "first");
    // Of such a repository git itself does not know where the main worktree lies.
    git(apart, "worktree", "add", "-q", "--detach", join(folder, "tree"));
    expect(findProject(join(folder, "tree")).root).toBe(join(folder, "tree"));
  });

  test("a worktree of a submodule leads to the submodule", () => {
    const root = repository("main");
    git(
      root,
      "-c",
      "protocol.file.allow=always",
      "submodule",
      "--quiet",
      "add",
      repository("o"),
      "sub",
    );
    git(join(root, "sub"), "worktree", "add", "-q", "--detach", join(folder, "tree"));
    expect(findProject(join(folder, "tree"))).toMatchObject({
      root: join(root, "sub"),
      because: "worktree",
    });
  });

  test("a bare repository has no main worktree: each of its worktrees stands for itself", () => {
    const root = repository("main");
    git(folder, "clone", "-q", "--bare", root, "bare.git");
    git(join(folder, "bare.git"), "worktree", "add", "-q", "--detach", join(folder, "tree"));
    expect(findProject(join(folder, "tree"))).toMatchObject({ root: join(folder, "tree") });
  });

  test("a .git file that the repository does not know of leads nowhere else", () => {
    const root = repository("main");
    git(root, "worktree", "add", "-q", "--detach", join(folder, "tree"));
    const planted = join(folder, "unpacked");
    mkdirSync(planted);
    cpSync(join(folder, "tree/.git"), join(planted, ".git"));
    expect(findProject(planted).root).toBe(planted);
  });

  test("S7.5 without git it is the nearest ancestor with a seed's file or holdfast.yaml", () => {
    for (const mark of projectMarks) {
      const root = join(folder, mark.replaceAll("/", "-"));
      mkdirSync(join(root, "a/b"), { recursive: true });
      mkdirSync(join(root, mark, ".."), { recursive: true });
      writeFileSync(join(root, mark), "");
      expect(findProject(join(root, "a/b"))).toEqual({ root, because: "mark", mark, git: null });
    }
  });

  test("S7.5 else it is the folder itself; an empty .git is no repository", () => {
    mkdirSync(join(folder, "plain/.git"), { recursive: true });
    symlinkSync(join(folder, "plain"), join(folder, "link"));
    expect(findProject(join(folder, "link"))).toEqual({
      root: join(folder, "plain"),
      because: "here",
      mark: "",
      git: null,
    });
    writeFileSync(join(folder, "plain/x"), "");
    mkdirSync(join(folder, "other"));
    writeFileSync(join(folder, "other/.git"), "gitdir: /no/such/folder\n");
    expect(findProject(join(folder, "other")).because).toBe("here");
  });
});
