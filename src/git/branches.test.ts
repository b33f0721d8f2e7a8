import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fired } from "../../test/engine/planted.ts";
import { type Bench, bench, put } from "../../test/engine/project.ts";
import { openBranch } from "./branches.ts";
import { openTree } from "./phase-tree.ts";

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => b.remove());

test("threat 4: a filter that comes with a tracked configuration runs in no later command", async () => {
  b.commit({ ".gitattributes": "*.late filter=late\n", "a.late": "1\n" });
  b.git(["config", "include.path", "../.gitconfig"]);
  const branch = { root: b.root, run: "task_1", name: "phase-1" };
  // What is known of the project was asked for before the configuration came.
  await openBranch(branch);
  const canary = join(b.folder, "canary");
  mkdirSync(canary);
  put(join(b.folder, "trap"), `#!/bin/sh\n: > '${canary}/smudge'\ncat\n`, 0o755);
  writeFileSync(
    join(b.root, ".gitconfig"),
    `[filter "late"]\n\tsmudge = "${join(b.folder, "trap")}"\n`,
  );
  await openTree(branch);
  expect(fired(canary)).toEqual([]);
  // The trap is real.
  b.git(["worktree", "add", "-q", join(b.folder, "plain"), "-b", "plain"]);
  expect(fired(canary)).toEqual(["smudge"]);
});
