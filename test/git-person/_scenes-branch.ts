// What a person checks out, moves, deletes or rewrites.
import { existsSync, rmSync } from "node:fs";
import { expect } from "vitest";
import { type Person, planWithBase } from "./person.ts";
import type { Scene } from "./scene.ts";

const phase = "phase-1-core";
const tree = `worktree/${phase}`;

/** Somebody has this branch, and something on it. */
const other = ({ git, commit }: Person): void => {
  git("checkout", "-q", "-b", "other");
  commit({ "other.txt": "other\n" });
  git("checkout", "-q", "main");
};
const rewritten = /rewrote branch phase-1-core/;

export const branchScenes: readonly Scene[] = [
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
  },
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
    name: "a commit on the phase's branch conflicts with what a unit makes: theirs counts",
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
  {
    name: "phase 0: another branch is checked out while its units work",
    plan: planWithBase,
    before: other,
    acts: [{ at: "T0.1", does: ({ git }) => void git("checkout", "-q", "other") }],
  },
];
