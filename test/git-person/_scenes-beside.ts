// What else a person's git is doing meanwhile: merges, locks, remotes, tidying up.
import { spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Person } from "./person.ts";
import type { Scene } from "./scene.ts";

export const besideScenes: readonly Scene[] = [
  {
    name: "a merge with conflicts stands in the middle on the target, and is aborted",
    files: { "a.txt": "a\n" },
    acts: [{ at: "T1.1", does: (person) => conflict(person, true) }],
    held: /something is in the way/,
    settle: { by: ({ git }) => void git("merge", "--abort") },
  },
  {
    name: "a merge with conflicts stands in the middle on another branch",
    files: { "a.txt": "a\n" },
    acts: [{ at: "T1.1", does: (person) => conflict(person, false) }],
  },
  {
    name: "objects are packed and what nobody names is pruned, at each unit",
    gate: true,
    acts: [
      { at: "T1.1", does: tidied },
      { at: "T1.2", does: tidied },
      { at: "gate 1", does: tidied },
      { at: "T2.1", does: tidied },
    ],
  },
  {
    name: "a remote is fetched from and pushed to",
    before: ({ folder, git, gitIn }) => {
      gitIn(folder, "init", "-q", "--bare", "-b", "main", "remote.git");
      git("remote", "add", "origin", join(folder, "remote.git"));
      git("push", "-q", "-u", "origin", "main");
    },
    acts: [
      { at: "T1.2", does: ({ git }) => void git("push", "-q", "origin", "main", "phase-1-core") },
      {
        at: "before T2.1",
        does: ({ git }) => {
          git("fetch", "-q");
          git("push", "-q", "origin", "main");
        },
      },
    ],
    after: ({ git }) => {
      git("push", "-q", "origin", "main");
      expect(git("rev-parse", "origin/main")).toBe(git("rev-parse", "main"));
    },
  },
  {
    name: "what others pushed is pulled while a unit works",
    before: ({ folder, git, gitIn }) => {
      gitIn(folder, "init", "-q", "--bare", "-b", "main", "remote.git");
      git("remote", "add", "origin", join(folder, "remote.git"));
      git("push", "-q", "-u", "origin", "main");
    },
    acts: [
      {
        at: "T1.1",
        does: ({ folder, git, gitIn }) => {
          const mate = join(folder, "mate");
          gitIn(folder, "clone", "-q", join(folder, "remote.git"), mate);
          writeFileSync(join(mate, "mate.txt"), "mate\n");
          gitIn(mate, "add", "-A");
          gitIn(
            mate,
            "-c",
            "user.name=T",
            "-c",
            "user.email=t@localhost",
            "commit",
            "-q",
            "-m",
            "mate",
          );
          gitIn(mate, "push", "-q");
          git("pull", "-q", "--ff-only");
        },
      },
    ],
    after: ({ read }) => expect(read("mate.txt")).toBe("mate\n"),
  },
  {
    name: "the index is locked by somebody for long, who goes away",
    acts: [{ at: "T1.1", does: ({ write }) => write(".git/index.lock", "") }],
    held: /index\.lock/,
    settle: { by: ({ at }) => rmSync(at(".git/index.lock")) },
  },
  {
    name: "the index is locked by somebody for a moment, while the phase lands",
    acts: [{ at: "T1.2", does: lockedForAMoment }],
  },
  {
    name: "a second run goes on with the plan after the first was cancelled",
    before: (person) => {
      const { call, report } = person;
      call("orchestrate --in-session");
      writeFileSync(join(report("START:T1.1", "a").out.trim().slice(3), "T1.1.txt"), "T1.1\n");
      expect(report("DONE:T1.1", "a").out).toBe("OK\n");
      const { tasks } = JSON.parse(call("task list --json").out) as { tasks: { id: string }[] };
      expect(call(`task cancel ${tasks[0]?.id}`).code).toBe(0);
    },
    acts: [],
  },
  {
    name: "the reference of the target is locked by somebody who died",
    acts: [{ at: "T1.1", does: ({ write }) => write(".git/refs/heads/main.lock", "") }],
    held: /lock/,
    settle: { by: ({ at }) => rmSync(at(".git/refs/heads/main.lock")) },
  },
  {
    name: "the configuration is changed while a unit works",
    acts: [{ at: "T1.1", does: ({ git }) => void git("config", "core.autocrlf", "true") }],
    after: ({ at }) => expect(readFileSync(at(".git/config"), "utf8")).toContain("autocrlf = true"),
  },
];

// --- internal ---
/** Two that changed the same line are merged; on the target itself, or on a branch of its own. */
function conflict({ git, commit, try: tried }: Person, onTarget: boolean): void {
  git("checkout", "-q", "-b", "side");
  commit({ "a.txt": "side\n" });
  if (onTarget) git("checkout", "-q", "main");
  else git("checkout", "-q", "-b", "mine", "main");
  commit({ "a.txt": "here\n" });
  expect(tried("merge", "side").code).toBe(1);
}

/** Until the run wants to write there. */
function lockedForAMoment({ at, write }: Person): void {
  write(".git/index.lock", "");
  const [lock, landing] = [".git/index.lock", ".git/holdfast/landing.json"].map((path) =>
    JSON.stringify(at(path)),
  );
  const script = `const fs = require("node:fs");
    (function look() { fs.existsSync(${landing}) ? fs.rmSync(${lock}) : setTimeout(look, 5); })()`;
  spawn(process.execPath, ["-e", script], { stdio: "ignore" });
}

function tidied({ git }: Person): void {
  git("reflog", "expire", "--expire=now", "--all");
  git("gc", "-q", "--prune=now");
  git("pack-refs", "--all");
  git("repack", "-q", "-a", "-d");
}
