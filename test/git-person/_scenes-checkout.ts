// What a person has checked out, and where.
import { existsSync } from "node:fs";
import { expect } from "vitest";
import { other, planWithBase } from "./person.ts";
import type { Scene } from "./scene.ts";

const phase = "phase-1-core";

export const checkoutScenes: readonly Scene[] = [
  {
    name: "the phase's branch is checked out in the project while a unit works",
    acts: [{ at: "T1.1", does: ({ git }) => void git("checkout", "-q", phase) }],
  },
  {
    name: "the phase's branch is checked out while another unit of it works, and left before the last",
    acts: [
      { at: "T1.1", does: ({ git }) => void git("checkout", "-q", phase) },
      { at: "T1.2", does: ({ git }) => void git("checkout", "-q", "main") },
    ],
  },
  {
    name: "the phase's branch is checked out after a unit was merged into it",
    acts: [{ at: "T1.2", does: ({ git }) => void git("checkout", "-q", phase) }],
  },
  {
    name: "a new branch is made and checked out while a unit works",
    acts: [{ at: "T1.1", does: ({ git }) => void git("checkout", "-q", "-b", "mine") }],
  },
  {
    name: "a new branch is made, checked out and committed to between phases",
    acts: [
      {
        at: "before T2.1",
        does: ({ git, commit }) => {
          git("checkout", "-q", "-b", "mine");
          commit({ "mine.txt": "mine\n" });
        },
      },
    ],
    after: ({ git }) => expect(git("ls-tree", "--name-only", "main")).not.toContain("mine.txt"),
  },
  {
    name: "another branch that was there is checked out while a unit works",
    before: other,
    acts: [{ at: "T1.1", does: ({ git }) => void git("checkout", "-q", "other") }],
  },
  {
    name: "another branch is checked out while the phase is tested",
    before: other,
    acts: [{ at: "gate 1", does: ({ git }) => void git("checkout", "-q", "other") }],
  },
  {
    name: "a person switches away and comes back at each unit",
    before: other,
    acts: [
      { at: "T1.1", does: ({ git }) => void git("checkout", "-q", "other") },
      { at: "T1.2", does: ({ git }) => void git("checkout", "-q", "main") },
      { at: "T2.1", does: ({ git }) => void git("checkout", "-q", "other") },
    ],
  },
  {
    name: "HEAD is detached while a unit works",
    acts: [{ at: "T1.1", does: ({ git }) => void git("checkout", "-q", "--detach") }],
  },
  {
    name: "HEAD is detached at an older commit between phases",
    acts: [
      { at: "before T2.1", does: ({ git }) => void git("checkout", "-q", "--detach", "HEAD~1") },
    ],
  },
  {
    name: "the target is checked out in another worktree of the person's",
    acts: [
      {
        at: "T1.1",
        does: ({ git, folder }) => {
          git("checkout", "-q", "-b", "mine");
          git("worktree", "add", "-q", `${folder}/linked`, "main");
        },
      },
    ],
    after: ({ gitIn, folder }) => {
      const linked = `${folder}/linked`;
      expect(gitIn(linked, "status", "--porcelain")).toBe("");
      expect(existsSync(`${linked}/T2.1.txt`)).toBe(true);
    },
  },
  {
    name: "the target is checked out in another worktree before the run begins there on a branch",
    before: ({ git, folder }) => {
      git("branch", "spare");
      git("worktree", "add", "-q", `${folder}/linked`, "spare");
    },
    acts: [
      {
        at: "T1.1",
        does: ({ gitIn, folder }) =>
          void gitIn(`${folder}/linked`, "commit", "-q", "--allow-empty", "-m", "there"),
      },
    ],
  },
  {
    name: "an orphan branch is checked out, with none of the files",
    acts: [
      {
        at: "T1.1",
        does: ({ git }) => {
          git("checkout", "-q", "--orphan", "pages");
          git("rm", "-rfq", ".");
          git("commit", "-q", "--allow-empty", "-m", "pages");
        },
      },
    ],
    // Its plan is gone with them, so that nothing new begins. By itself a run asks, and waits until it is there again.
    held: /TASKS\.md/,
    settle: { by: ({ git }) => void git("checkout", "-q", "main") },
    ways: ["session"],
  },
  {
    name: "phase 0: another branch is checked out while its units work",
    plan: planWithBase,
    before: other,
    acts: [{ at: "T0.1", does: ({ git }) => void git("checkout", "-q", "other") }],
  },
];
