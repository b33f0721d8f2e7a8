// What a person may do with git at any moment without losing anything of their own.
import { existsSync, rmSync } from "node:fs";
import type { Person } from "./person.ts";

/** A number below this one. */
export type Draw = (below: number) => number;

const phases = ["phase-1-core", "phase-2-more"];
const isOn = ({ try: git }: Person, branch: string): boolean =>
  git("symbolic-ref", "-q", "--short", "HEAD").out.trim() === branch;

/** A commit of a file of their own, wherever they are. */
const committed = ({ write, try: git }: Person, draw: Draw): void => {
  const name = `mine-${draw(1e6)}.txt`;
  write(name, "mine\n");
  git("add", name);
  git("commit", "-q", "-m", "by hand", "--", name);
};

/** Not the commit that the run began at: where that is gone only theirs can count. */
const amended = ({ try: git }: Person, ...words: string[]): void => {
  if (git("merge-base", "--is-ancestor", "HEAD", "began").code === 1)
    git("commit", "-q", "--amend", "--only", ...words);
};

export const primitives: Readonly<Record<string, (person: Person, draw: Draw) => void>> = {
  "checkout main": ({ try: git }) => void git("checkout", "-q", "main"),
  "checkout other": ({ try: git }) => void git("checkout", "-q", "other"),
  "checkout -b": ({ try: git }, draw) => void git("checkout", "-q", "-b", `new-${draw(1e6)}`),
  "checkout --detach": ({ try: git }) => void git("checkout", "-q", "--detach"),
  "checkout <phase>": ({ try: git }, draw) =>
    void git("checkout", "-q", phases[draw(phases.length)] ?? ""),
  commit: committed,
  "commit, on the phase": (person, draw) => {
    const { try: git } = person;
    if (git("checkout", "-q", phases[draw(phases.length)] ?? "").code !== 0) return;
    committed(person, draw);
    git("checkout", "-q", "main");
  },
  "commit --amend": (person) => amended(person, "-m", "amended"),
  "commit --amend --no-edit": (person) => amended(person, "--no-edit"),
  "branch -D <phase>": ({ try: git }, draw) => void git("branch", "-D", phases[draw(2)] ?? ""),
  "branch -f <phase>": ({ try: git }, draw) =>
    void git("branch", "-f", phases[draw(2)] ?? "", "other"),
  "reset --hard HEAD~1": (person) => {
    const { try: git } = person;
    // Never below where the run began.
    if (!isOn(person, "main")) return;
    if (git("merge-base", "--is-ancestor", "began", "HEAD~1").code === 0)
      git("reset", "-q", "--keep", "HEAD~1");
  },
  "stash -u": ({ try: git }) => void git("stash", "-q", "-u", "--", ":!.claude", ":!worktree"),
  "stash pop": ({ try: git }) => void git("stash", "pop", "-q"),
  edit: ({ write }, draw) => write("readme.md", `edited ${draw(1e6)}\n`),
  "edit, staged": ({ write, try: git }, draw) => {
    write("a.txt", `staged ${draw(1e6)}\n`);
    git("add", "a.txt");
  },
  "a new file": ({ write }, draw) => write(`draft-${draw(1e6)}.txt`, "draft\n"),
  "a new file in the way": ({ write, at }, draw) => {
    const name = ["T1.1.txt", "T1.2.txt", "T2.1.txt"][draw(3)] ?? "";
    if (!existsSync(at(name))) write(name, "mine\n");
  },
  "clean -fd": ({ try: git }) => void git("clean", "-fdq", "-e", ".claude"),
  gc: ({ try: git }) => void git("gc", "-q", "--prune=now"),
  "pack-refs": ({ try: git }) => void git("pack-refs", "--all"),
  "merge main, on the phase": ({ try: git }, draw) => {
    if (git("checkout", "-q", phases[draw(2)] ?? "").code !== 0) return;
    git("merge", "-q", "--no-edit", "main");
    git("checkout", "-q", "main");
  },
  "merge <phase>": ({ try: git }, draw) =>
    void git("merge", "-q", "--no-edit", phases[draw(2)] ?? ""),
  "cherry-pick <phase>": ({ try: git }, draw) => void git("cherry-pick", phases[draw(2)] ?? ""),
  tag: ({ try: git }, draw) => void git("tag", `tag-${draw(1e6)}`),
  "worktree add": ({ try: git, folder }, draw) => {
    const name = `tree-${draw(1e6)}`;
    git("worktree", "add", "-q", "-b", name, `${folder}/${name}`);
  },
  "rebase, in the middle": ({ try: git }) => void git("rebase", "--exec", "false", "HEAD~1"),
  "rebase --abort": ({ try: git }) => void git("rebase", "--abort"),
  "bisect start": ({ try: git }) => void git("bisect", "start", "HEAD", "HEAD~2"),
  "bisect reset": ({ try: git }) => void git("bisect", "reset"),
};

/** What they had begun they give up, and what was in the way they take away. */
export function giveUp(person: Person): void {
  const { try: git, at } = person;
  for (const words of ["rebase --abort", "merge --abort", "cherry-pick --abort", "bisect reset"])
    git(...words.split(" "));
  for (const name of git("ls-files", "-o", "--", "T*.txt").out.split("\n"))
    if (name !== "") rmSync(at(name));
  if (git("checkout", "-q", "main").code !== 0) {
    git("stash", "-q", "-u", "--", ":!.claude", ":!worktree");
    git("checkout", "-q", "main");
  }
}
