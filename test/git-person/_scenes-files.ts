// What a person has in their files: changed, staged, stashed, new, ignored.
import { existsSync, rmSync } from "node:fs";
import { expect } from "vitest";
import { planWithBase } from "./person.ts";
import type { Scene } from "./scene.ts";

const inTheWay = /Branch main can not be updated, something is in the way/;
const unit = "T1.1.txt";

export const fileScenes: readonly Scene[] = [
  {
    name: "files are changed, staged and new, and none is in the way",
    files: { "a.txt": "a\n", "b.txt": "b\n" },
    acts: [
      {
        at: "T1.1",
        does: ({ write, git }) => {
          write("a.txt", "edited\n");
          write("b.txt", "staged\n");
          git("add", "b.txt");
          write("new.txt", "new\n");
        },
      },
    ],
  },
  {
    name: "a file is staged and changed again",
    files: { "a.txt": "a\n" },
    acts: [
      {
        at: "gate 1",
        does: ({ write, git }) => {
          write("a.txt", "staged\n");
          git("add", "a.txt");
          write("a.txt", "edited\n");
        },
      },
    ],
  },
  {
    name: "files are stashed while a unit works, and brought back",
    files: { "a.txt": "a\n" },
    acts: [
      {
        at: "T1.1",
        does: ({ write, git }) => {
          write("a.txt", "edited\n");
          git("stash", "-q");
        },
      },
      { at: "before T2.1", does: ({ git }) => void git("stash", "pop", "-q") },
    ],
    after: ({ read }) => expect(read("a.txt")).toBe("edited\n"),
  },
  {
    name: "a stash is left where it is",
    files: { "a.txt": "a\n" },
    acts: [
      {
        at: "T1.2",
        does: ({ write, git }) => {
          write("a.txt", "edited\n");
          write("new.txt", "new\n");
          git("stash", "-q", "-u", "--", "a.txt", "new.txt");
        },
      },
    ],
    after: ({ git }) => expect(git("show", "stash@{0}:a.txt")).toBe("edited"),
  },
  {
    name: "a changed file is in the way of a landing, and committed elsewhere",
    files: { "a.txt": "a\n" },
    writes: { "T1.1": { "T1.1.txt": "T1.1\n", "a.txt": "by the unit\n" } },
    acts: [{ at: "T1.1", does: ({ write }) => write("a.txt", "edited\n") }],
    held: inTheWay,
    settle: { by: ({ git }) => void git("stash", "-q", "--", "a.txt") },
  },
  {
    name: "a staged file is in the way of a landing, and unstaged",
    files: { "a.txt": "a\n" },
    writes: { "T1.1": { "T1.1.txt": "T1.1\n", "a.txt": "by the unit\n" } },
    acts: [
      {
        at: "T1.1",
        does: ({ write, git }) => {
          write("a.txt", "edited\n");
          git("add", "a.txt");
        },
      },
    ],
    held: inTheWay,
    settle: { by: ({ git }) => void git("checkout", "-q", "HEAD", "--", "a.txt") },
  },
  {
    name: "a new file is in the way of a landing, and moved",
    acts: [{ at: "T1.1", does: ({ write }) => write(unit, "mine\n") }],
    held: inTheWay,
    settle: { by: ({ at }) => rmSync(at(unit)) },
  },
  {
    name: "phase 0: a new file is in the way of a landing, and moved",
    plan: planWithBase,
    acts: [{ at: "T0.1", does: ({ write }) => write("T0.1.txt", "mine\n") }],
    held: inTheWay,
    settle: { by: ({ at }) => rmSync(at("T0.1.txt")) },
  },
  {
    name: "an ignored file is in the way of a landing, and moved",
    acts: [
      {
        at: "T1.1",
        does: ({ write, commit }) => {
          commit({ ".gitignore": "T1.1.txt\n" });
          write(unit, "the only copy\n");
        },
      },
    ],
    held: inTheWay,
    settle: { by: ({ at }) => rmSync(at(unit)) },
  },
  {
    name: "a folder with new files is in the way of a landing, and moved",
    acts: [{ at: "T1.1", does: ({ write }) => write(`${unit}/mine.txt`, "mine\n") }],
    held: inTheWay,
    settle: { by: ({ at }) => rmSync(at(unit), { recursive: true }) },
  },
  {
    name: "a new file with what the unit wrote is in the way of nobody for long",
    acts: [{ at: "T1.1", does: ({ write }) => write(unit, "T1.1\n") }],
    held: inTheWay,
    settle: { by: ({ at }) => rmSync(at(unit)) },
  },
  {
    name: "everything that git does not track is cleaned while a phase is tested",
    // Their plan and settings are tracked; the state is not, and is written again from the database.
    acts: [{ at: "gate 1", does: ({ git }) => void git("clean", "-ffdxq", "-e", ".claude") }],
  },
  {
    name: "everything that git does not track is cleaned between units, the state with it",
    acts: [{ at: "T1.2", does: ({ git }) => void git("clean", "-ffdxq") }],
  },
  {
    name: "a file is renamed by the person and by nobody else",
    files: { "a.txt": "a\n" },
    acts: [
      {
        at: "T1.1",
        does: ({ git }) => {
          git("mv", "a.txt", "b.txt");
          git("commit", "-q", "-m", "renamed");
        },
      },
    ],
    after: ({ at }) =>
      expect([existsSync(at("a.txt")), existsSync(at("b.txt"))]).toEqual([false, true]),
  },
  {
    name: "an intent to add a file is kept",
    acts: [
      {
        at: "T1.1",
        does: ({ write, git }) => {
          write("later.txt", "later\n");
          git("add", "-N", "later.txt");
        },
      },
    ],
  },
  {
    name: "a file is assumed unchanged, and another skipped",
    files: { "a.txt": "a\n", "b.txt": "b\n" },
    acts: [
      {
        at: "T1.1",
        does: ({ write, git }) => {
          git("update-index", "--assume-unchanged", "a.txt");
          git("update-index", "--skip-worktree", "b.txt");
          write("a.txt", "local\n");
          write("b.txt", "local\n");
        },
      },
    ],
    after: ({ read }) => expect([read("a.txt"), read("b.txt")]).toEqual(["local\n", "local\n"]),
  },
];
