// A branch's own tree is prepared once, by real git (S1.21d, S4.4): whatever commands a request runs in it.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Place, land, runCommandOrder } from "../../src/app/conduct/carry.ts";
import { treeOf } from "../../src/git/_worktree.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { repository } from "../orchestrate/repository.ts";

const limit = { timeout: 600_000 };

test(
  "S1.21d setup runs once for a tree, again for one with other files and for another command",
  limit,
  async () => {
    const {
      project: root,
      home,
      env,
      folder,
    } = repository(undefined, {}, undefined, {
      files: { "a.txt": "a\n" },
    });
    const log = join(folder, "setups");
    const count = (): number =>
      existsSync(log) ? readFileSync(log, "utf8").split("\n").length - 1 : 0;
    const store = await openSqlite(join(folder, "other.db"));
    onTestFinished(() => store.close());
    const branch = { name: "request-R1" };
    const place = (setup: string): Place => ({
      run: "run",
      store,
      root,
      home,
      env: { PATH: process.env["PATH"], ...env },
      language: "en",
      settings: { version: 1, setup },
      now: () => 1_760_000_000_000,
      signal: new AbortController().signal,
    });
    const ready = `echo x >> '${log}'; touch ready`;
    const run = (setup: string, command: string, key: string, looks: { bare?: true } = {}) =>
      runCommandOrder(place(setup), {
        kind: "command",
        key,
        unit: "T1-S1",
        command,
        branch,
        ...looks,
      });

    // Who only looks needs nothing of the project.
    expect(await run(ready, "test -f a.txt", "look", { bare: true })).toMatchObject({ code: 0 });
    expect(count()).toBe(0);
    // One that fails has prepared nothing: it is run again.
    expect(await run(`echo x >> '${log}'; exit 3`, "true", "one")).toMatchObject({ code: null });
    expect(count()).toBe(1);
    for (const key of ["two", "three", "four"])
      expect(await run(ready, "test -f ready && test -f a.txt", key)).toMatchObject({ code: 0 });
    expect(count()).toBe(2);
    await run(`${ready}; true`, "true", "five");
    expect(count()).toBe(3);
    // A unit was merged: perhaps it brought a package.
    const tree = treeOf(root, branch.name);
    const commit = ["-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "B"];
    writeFileSync(join(tree, "b.txt"), "b\n");
    for (const args of [["add", "b.txt"], commit]) execFileSync("git", args, { cwd: tree });
    await run(`${ready}; true`, "true", "six");
    await run(`${ready}; true`, "true", "seven");
    expect(count()).toBe(4);
    rmSync(tree, { recursive: true });
    await run(`${ready}; true`, "true", "eight");
    expect(count()).toBe(5);
    const landed = await land(place(`${ready}; true`), {
      kind: "land",
      key: "R1.land-1",
      branch,
      commands: ["test -f ready"],
      message: "R1",
    });
    expect(landed).toMatchObject({ kind: "landed" });
    expect(count()).toBe(5);
    // A branch of the same name, later, has a tree of its own.
    await run(`${ready}; true`, "true", "nine");
    expect(count()).toBe(6);
  },
);
