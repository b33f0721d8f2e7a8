// What a person does to the branch that the run lands on.
import { existsSync } from "node:fs";
import { expect } from "vitest";
import { type Person, planWithBase } from "./person.ts";
import type { Scene } from "./scene.ts";

const lost = /Branch main no longer has work that had landed on it/;
const atWork = /Branch main is being rebased or bisected/;
const gone = /Branch main, where this run lands, is not there any more/;

/** A branch with one commit, from where the run begins. */
const feature = ({ git, commit }: Person): void => {
  git("checkout", "-q", "-b", "feature", "HEAD~1");
  commit({ "feature.txt": "feature\n" });
  git("checkout", "-q", "main");
  commit({ "own.txt": "own\n" });
};

/** Stands still in the middle. */
const rebaseBegun = (person: Person): void => {
  const { code } = person.try("rebase", "--exec", "false", "--onto", "feature", "main~1", "main");
  expect(code).not.toBe(0);
  expect(existsSync(person.at(".git/rebase-merge"))).toBe(true);
};

export const targetScenes: readonly Scene[] = [
  {
    name: "the target is being rebased when a phase lands, and that is aborted",
    before: feature,
    acts: [{ at: "T1.2", does: rebaseBegun }],
    held: atWork,
    settle: { by: ({ git }) => void git("rebase", "--abort") },
  },
  {
    name: "the target is being rebased when a phase lands, and that is finished: theirs counts",
    before: feature,
    acts: [
      {
        at: "T1.2",
        does: (person) => {
          person.try("rebase", "--onto", "feature", "main~1", "main");
        },
      },
    ],
    held: /Branch main, where this run lands, was rewritten/,
    settle: { say: "theirs" },
    after: ({ git }) => expect(git("show", "main:feature.txt")).toBe("feature"),
  },
  {
    name: "the target is rebased and aborted while a unit works",
    before: feature,
    acts: [
      {
        at: "T1.1",
        does: (person) => {
          rebaseBegun(person);
          person.git("rebase", "--abort");
        },
      },
    ],
  },
  {
    name: "a rebase of the target that moves nothing below the run is finished while a unit works",
    acts: [
      {
        at: "T1.1",
        does: ({ git, commit }) => {
          git("checkout", "-q", "-b", "side");
          commit({ "side.txt": "side\n" });
          git("checkout", "-q", "main");
          commit({ "main.txt": "main\n" });
          git("rebase", "-q", "side");
        },
      },
    ],
  },
  {
    name: "what landed is rebased with the target onto something else: it is all there",
    before: feature,
    acts: [
      {
        at: "before T2.1",
        does: ({ git }) =>
          void git("rebase", "-q", "--rebase-merges", "--onto", "feature", "main~2", "main"),
      },
    ],
    held: /was rewritten|no longer has/,
    settle: { say: "theirs" },
    after: ({ git }) => expect(git("show", "main:feature.txt")).toBe("feature"),
  },
  {
    name: "another branch than the target is being rebased",
    before: feature,
    acts: [
      {
        at: "T1.1",
        does: (person) => {
          expect(person.try("rebase", "--exec", "false", "main", "feature").code).not.toBe(0);
        },
      },
    ],
  },
  {
    name: "a bisect that began on the target stands in the middle, and is ended",
    before: ({ commit }) => {
      for (const n of [1, 2, 3, 4]) commit({ "n.txt": `${n}\n` });
    },
    acts: [{ at: "T1.2", does: ({ git }) => void git("bisect", "start", "HEAD", "HEAD~4") }],
    held: atWork,
    settle: { by: ({ git }) => void git("bisect", "reset") },
  },
  {
    name: "the merge of a phase is amended",
    acts: [
      {
        at: "before T2.1",
        does: ({ git }) => void git("commit", "-q", "--amend", "-m", "Core is done"),
      },
    ],
    after: ({ git }) => expect(git("log", "--format=%s", "main")).toContain("Core is done"),
  },
  {
    name: "phase 0: a unit's commit is amended with a file more",
    plan: planWithBase,
    acts: [
      {
        at: "before T0.2",
        does: ({ git, write }) => {
          write("more.txt", "more\n");
          git("add", "more.txt");
          git("commit", "-q", "--amend", "--no-edit");
        },
      },
    ],
    after: ({ git }) => expect(git("show", "main:more.txt")).toBe("more"),
  },
  {
    name: "phase 0: a unit's commit is reset away, and ours counts",
    plan: planWithBase,
    acts: [{ at: "before T0.2", does: ({ git }) => void git("reset", "-q", "--hard", "HEAD~1") }],
    held: lost,
    settle: { say: "ours" },
  },
  {
    name: "phase 0: a unit's commit is reset away, and theirs counts",
    plan: planWithBase,
    acts: [{ at: "before T0.2", does: ({ git }) => void git("reset", "-q", "--hard", "HEAD~1") }],
    held: lost,
    settle: { say: "theirs" },
    gone: ["T0.1"],
  },
  {
    name: "phase 0: a unit's commit is reset away while the next one works, and theirs counts",
    plan: planWithBase,
    acts: [{ at: "T0.2", does: ({ git }) => void git("reset", "-q", "--hard", "HEAD~1") }],
    held: lost,
    settle: { say: "theirs" },
    gone: ["T0.1"],
    after: ({ git }) => expect(git("ls-tree", "--name-only", "main")).not.toContain("T0.1.txt"),
  },
  {
    name: "a phase that landed is reset away, and ours counts",
    acts: [{ at: "before T2.1", does: ({ git }) => void git("reset", "-q", "--hard", "HEAD~1") }],
    held: lost,
    settle: { say: "ours" },
  },
  {
    name: "a phase that landed is reset away, and theirs counts",
    acts: [{ at: "before T2.1", does: ({ git }) => void git("reset", "-q", "--hard", "HEAD~1") }],
    held: lost,
    settle: { say: "theirs" },
    gone: ["T1.1", "T1.2"],
  },
  {
    name: "a phase that landed is reset away, and put back by hand",
    acts: [{ at: "before T2.1", does: ({ git }) => void git("reset", "-q", "--hard", "HEAD~1") }],
    held: lost,
    settle: { by: ({ git }) => void git("reset", "-q", "--hard", "HEAD@{1}") },
  },
  {
    name: "a phase that landed is reset away and other work is committed there; ours counts beside it",
    acts: [
      {
        at: "before T2.1",
        does: ({ git, commit }) => {
          git("reset", "-q", "--hard", "HEAD~1");
          commit({ "mine.txt": "mine\n" });
        },
      },
    ],
    held: lost,
    settle: { say: "ours" },
    after: ({ git }) => expect(git("show", "main:mine.txt")).toBe("mine"),
  },
  {
    name: "a phase that landed is reverted by a commit: their files count, its history stays",
    acts: [
      { at: "before T2.1", does: ({ git }) => void git("revert", "--no-edit", "-m", "1", "HEAD") },
    ],
    changed: ["T1.1.txt", "T1.2.txt"],
    after: ({ git }) => expect(git("ls-tree", "--name-only", "main")).not.toContain("T1.1.txt"),
  },
  {
    name: "the target is renamed, and the run goes on there",
    acts: [{ at: "T1.2", does: ({ git }) => void git("branch", "-m", "main", "trunk") }],
    held: gone,
    settle: { onto: "trunk" },
    target: "trunk",
  },
  {
    name: "the target is renamed after a phase landed, and renamed back",
    acts: [{ at: "before T2.1", does: ({ git }) => void git("branch", "-m", "main", "trunk") }],
    held: gone,
    settle: { by: ({ git }) => void git("branch", "-m", "trunk", "main") },
  },
  {
    name: "the target is renamed after a phase landed, and the run goes on there",
    acts: [{ at: "before T2.1", does: ({ git }) => void git("branch", "-m", "main", "trunk") }],
    held: gone,
    settle: { onto: "trunk" },
    target: "trunk",
  },
  {
    name: "the target is deleted after a phase landed, and ours is put back",
    acts: [
      {
        at: "before T2.1",
        does: ({ git }) => {
          git("checkout", "-q", "-b", "mine", "HEAD~1");
          git("branch", "-D", "main");
        },
      },
    ],
    held: gone,
    settle: { say: "ours" },
  },
  {
    name: "the target is deleted while a unit works, and made again by hand",
    acts: [
      {
        at: "T1.1",
        does: ({ git }) => {
          git("checkout", "-q", "-b", "mine");
          git("branch", "-D", "main");
        },
      },
    ],
    held: gone,
    settle: { by: ({ git }) => void git("branch", "main") },
  },
];
