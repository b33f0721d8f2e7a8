// What a person commits to the phase's branch and its worktree, and how they move, delete or rewrite it.
import { rmSync } from "node:fs";
import { expect } from "vitest";
import { other } from "./person.ts";
import type { Scene } from "./scene.ts";

const phase = "phase-1-core";
const tree = `worktree/${phase}`;
const rewritten = /rewrote branch phase-1-core/;

/** Checked out, it is not moved: their commit stands beside what was merged meanwhile. */
const conflicting: Scene["acts"] = [
  { at: "T1.1", does: ({ git }) => void git("checkout", "-q", phase) },
  { at: "T1.2", does: ({ commit }) => commit({ "T1.1.txt": "mine\n" }) },
];

export const branchScenes: readonly Scene[] = [
  {
    name: "a commit is made on the target while a unit works",
    acts: [{ at: "T1.1", does: ({ commit }) => commit({ "mine.txt": "mine\n" }) }],
    after: ({ git }) => expect(git("show", "main:mine.txt")).toBe("mine"),
  },
  {
    name: "a commit is made on the target while the phase is tested",
    acts: [{ at: "gate 1", does: ({ commit }) => commit({ "mine.txt": "mine\n" }) }],
    after: ({ git }) => expect(git("show", "main:mine.txt")).toBe("mine"),
  },
  {
    name: "a commit is made on the phase's branch in the project",
    acts: [
      {
        at: "T1.2",
        does: ({ git, commit }) => {
          git("checkout", "-q", phase);
          commit({ "mine.txt": "mine\n" });
          git("checkout", "-q", "main");
        },
      },
    ],
    after: ({ git }) => expect(git("show", "main:mine.txt")).toBe("mine"),
  },
  {
    name: "a commit is made on the phase's branch, which stays checked out",
    acts: [
      {
        at: "T1.2",
        does: ({ git, commit }) => {
          git("checkout", "-q", phase);
          commit({ "mine.txt": "mine\n" });
        },
      },
    ],
    after: ({ git }) => expect(git("show", "main:mine.txt")).toBe("mine"),
  },
  {
    name: "a commit on the phase's branch has the same lines as the unit that works",
    acts: [
      {
        at: "T1.2",
        does: ({ git, commit }) => {
          git("checkout", "-q", phase);
          commit({ "T1.2.txt": "T1.2\n", "mine.txt": "mine\n" });
          git("checkout", "-q", "main");
        },
      },
    ],
    after: ({ git }) => expect(git("show", "main:mine.txt")).toBe("mine"),
  },
  {
    name: "a commit on the phase's branch conflicts with a unit that was merged: ours counts",
    acts: conflicting,
    held: /conflicts with what the run put there, in: T1\.1\.txt/,
    settle: { by: ({ git }) => void git("checkout", "-q", "main"), say: "ours" },
    after: ({ git }) => {
      const [left = ""] = git("for-each-ref", `refs/holdfast/*/left/${phase}`).split(" ");
      expect(git("show", `${left}:T1.1.txt`)).toBe("mine");
    },
  },
  {
    name: "a commit on the phase's branch conflicts with a unit that was merged: theirs counts",
    acts: conflicting,
    held: /conflicts with what the run put there, in: T1\.1\.txt/,
    settle: { by: ({ git }) => void git("checkout", "-q", "main"), say: "theirs" },
    gone: ["T1.1"],
    after: ({ git }) => expect(git("show", "main:T1.1.txt")).toBe("mine"),
  },
  {
    name: "a commit is made in the phase's worktree while it is tested",
    acts: [
      {
        at: "gate 1",
        does: ({ write, gitIn, at }) => {
          write(`${tree}/mine.txt`, "mine\n");
          gitIn(at(tree), "add", "mine.txt");
          gitIn(at(tree), "commit", "-q", "-m", "by hand");
        },
      },
    ],
    after: ({ git }) => expect(git("show", "main:mine.txt")).toBe("mine"),
  },
  {
    name: "files are edited in the phase's worktree and not committed: they are kept under a name",
    acts: [
      {
        at: "gate 1",
        does: ({ write }) => {
          write(`${tree}/readme.md`, "edited\n");
          write(`${tree}/new.txt`, "new\n");
        },
      },
    ],
    after: ({ git }) => {
      const [left = ""] = git(
        "for-each-ref",
        "--format=%(refname)",
        `refs/holdfast/*/left/${phase}`,
      ).split("\n");
      expect(git("show", `${left}:readme.md`)).toBe("edited");
      expect(git("show", `${left}:new.txt`)).toBe("new");
    },
  },
  {
    name: "the phase's worktree is deleted while it is tested",
    acts: [{ at: "gate 1", does: ({ at }) => rmSync(at(tree), { recursive: true }) }],
  },
  {
    name: "the phase's worktree is removed by git while it is tested",
    acts: [
      {
        at: "gate 1",
        does: ({ git }) => void git("worktree", "remove", "--force", "--force", tree),
      },
    ],
  },
  {
    name: "the phase's worktree is switched to another branch",
    before: other,
    acts: [
      { at: "gate 1", does: ({ gitIn, at }) => void gitIn(at(tree), "checkout", "-q", "other") },
    ],
  },
  {
    name: "the phase's branch is deleted after a unit was merged into it",
    acts: [{ at: "T1.2", does: ({ git }) => void git("branch", "-D", phase) }],
  },
  {
    name: "the phase's branch is deleted while it is tested",
    acts: [
      {
        at: "gate 1",
        does: ({ git, at, gitIn }) => {
          gitIn(at(tree), "checkout", "-q", "--detach");
          git("branch", "-D", phase);
        },
      },
    ],
  },
  {
    name: "the phase's branch is moved elsewhere, and ours counts",
    before: other,
    acts: [{ at: "T1.2", does: ({ git }) => void git("branch", "-f", phase, "other") }],
    held: rewritten,
    settle: { say: "ours" },
    after: ({ git }) => expect(git("ls-tree", "--name-only", "main")).not.toContain("other.txt"),
  },
  {
    name: "the phase's branch is moved elsewhere, and theirs counts: its unit is gone",
    before: other,
    acts: [{ at: "T1.2", does: ({ git }) => void git("branch", "-f", phase, "other") }],
    held: rewritten,
    settle: { say: "theirs" },
    gone: ["T1.1"],
    after: ({ git }) => expect(git("show", "main:other.txt")).toBe("other"),
  },
  {
    name: "the phase's branch is moved elsewhere, and put back by hand",
    before: other,
    acts: [{ at: "T1.2", does: ({ git }) => void git("branch", "-f", phase, "other") }],
    held: rewritten,
    settle: { by: ({ git }) => void git("branch", "-f", phase, `${phase}@{1}`) },
  },
  {
    name: "the phase's branch is rebased onto a newer target: theirs counts, and has everything",
    acts: [
      { at: "T1.1", does: ({ commit }) => commit({ "mine.txt": "mine\n" }) },
      {
        at: "T1.2",
        does: ({ git }) => {
          git("rebase", "-q", "main", phase);
          git("checkout", "-q", "main");
        },
      },
    ],
    held: rewritten,
    settle: { say: "theirs" },
  },
  {
    name: "the phase's branch is rebased onto a newer target: ours counts",
    acts: [
      { at: "T1.1", does: ({ commit }) => commit({ "mine.txt": "mine\n" }) },
      {
        at: "T1.2",
        does: ({ git }) => {
          git("rebase", "-q", "main", phase);
          git("checkout", "-q", "main");
        },
      },
    ],
    held: rewritten,
    settle: { say: "ours" },
  },
  {
    name: "the target is merged into the phase's branch by hand",
    acts: [
      { at: "T1.1", does: ({ commit }) => commit({ "mine.txt": "mine\n" }) },
      {
        at: "T1.2",
        does: ({ git }) => {
          git("checkout", "-q", phase);
          git("merge", "-q", "--no-edit", "main");
          git("checkout", "-q", "main");
        },
      },
    ],
  },
  {
    name: "the person merges the phase's branch themselves before it is done",
    acts: [
      { at: "T1.2", does: ({ git }) => void git("merge", "-q", "--no-ff", "-m", "early", phase) },
    ],
  },
  {
    name: "the person merges the whole phase themselves while it is tested",
    acts: [
      { at: "gate 1", does: ({ git }) => void git("merge", "-q", "--no-ff", "-m", "early", phase) },
    ],
    after: ({ git }) => expect(git("log", "--format=%s", "main")).toContain("early"),
  },
  {
    name: "a unit's commit is cherry-picked onto the target",
    acts: [{ at: "T1.2", does: ({ git }) => void git("cherry-pick", phase) }],
  },
  {
    name: "branches and a tag with the names of the run's are there before it",
    before: ({ git }) => {
      git("branch", phase);
      git("tag", "phase-2-more");
    },
    acts: [{ at: "T1.1", does: ({ git }) => void git("checkout", "-q", "-b", "mine") }],
    after: ({ git }) => expect(git("rev-parse", phase)).toBe(git("rev-parse", "mine")),
  },
  {
    name: "a branch that stands in the way of the phase's name is there before the run",
    before: ({ git }) => void git("branch", `${phase}/old`),
    acts: [],
  },
];
