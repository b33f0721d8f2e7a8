// Which project a folder in a workspace means (S2.11, S7.5), and what can not lead it elsewhere.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Fault } from "../core/errors.ts";
import { findProject } from "./project.ts";

let folder = "";
let [home, root, clone] = ["", "", ""];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-clone-")));
  [home, root] = [join(folder, "home"), join(folder, "project")];
  clone = made(home, root);
  repository(root);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As git leaves one; nothing here runs git. */
function repository(at: string): void {
  mkdirSync(join(at, ".git"), { recursive: true });
  writeFileSync(join(at, ".git/HEAD"), "ref: refs/heads/main\n");
}

/** As makeWorkspace leaves one. */
function made(at: string, from: string, id = "task_1"): string {
  const workspace = join(at, "workspaces", id);
  repository(workspace);
  writeFileSync(join(at, "holdfast.db"), "");
  writeFileSync(`${workspace}.ready`, `${JSON.stringify({ base: null, root: from })}\n`);
  return workspace;
}

const find = (cwd: string, own = home) => findProject(cwd, () => ({ path: own }));

function refusal(cwd: string, own = home): string {
  try {
    return `found ${find(cwd, own).root}`;
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return `${thrown.code} ${thrown.text.key}`;
  }
}

test("S2.11 a folder in a workspace means the project that it was made from", () => {
  mkdirSync(join(clone, "a/b"), { recursive: true });
  repository(join(clone, "a"));
  symlinkSync(join(clone, "a"), join(folder, "link"));
  symlinkSync(home, join(folder, "other-name"));
  for (const cwd of [clone, join(clone, "a/b"), join(folder, "link/b")])
    for (const own of [home, join(folder, "other-name")])
      expect(find(cwd, own)).toEqual({
        root,
        because: "clone",
        mark: clone,
        git: join(root, ".git"),
      });
});

test("S2.11 what an agent writes into its workspace leads nowhere else", () => {
  const victim = join(folder, "victim");
  repository(victim);
  // Inside it looks like a home with a workspace of another project.
  const inner = made(clone, victim);
  expect(find(inner).root).toBe(root);
  writeFileSync(join(clone, ".ready"), JSON.stringify({ base: null, root: victim }));
  writeFileSync(join(clone, ".git/holdfast.json"), JSON.stringify({ root: victim }));
  rmSync(join(clone, ".git/HEAD"));
  writeFileSync(join(clone, "holdfast.yaml"), "version: 1\n");
  expect(find(clone).root).toBe(root);
});

test("S7.5 what only looks like a home, from an archive or another user's, leads to no project", () => {
  const planted = made(join(folder, "unpacked"), root);
  expect(refusal(planted)).toBe("refused project.workspace_elsewhere");
  expect(refusal(clone, join(folder, "none"))).toBe("refused project.workspace_elsewhere");
});

test("S2.11 without a word about its project, or without the project, it is no project itself", () => {
  const ready = `${clone}.ready`;
  for (const text of ["", "{", "[]", "null", "{}", '{"root":1}', '{"root":"project"}']) {
    writeFileSync(ready, text);
    expect([text, refusal(clone)]).toEqual([text, "refused project.workspace_lost"]);
  }
  for (const from of [join(folder, "gone"), clone, join(home, "workspaces/task_2")]) {
    writeFileSync(ready, JSON.stringify({ base: null, root: from }));
    expect(refusal(clone)).toBe("refused project.workspace_moved");
  }
  rmSync(ready);
  expect(refusal(clone)).toBe("refused project.workspace_lost");
  rmSync(join(home, "holdfast.db"));
  expect(refusal(clone)).toBe("refused project.workspace_lost");
});

test("S7.5 a folder that merely has such a name is whatever it was", () => {
  for (const path of ["workspaces/task_1", "home/workspaces/app", "home/workspaces"]) {
    const own = join(folder, "elsewhere", path);
    repository(own);
    expect(find(own, join(folder, "elsewhere/home"))).toMatchObject({ root: own, because: "git" });
  }
});
