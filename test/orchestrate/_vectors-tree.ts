// What is planted in the tree: files that come into the project with a commit and run because of its
// owner's configuration, and names that are read as words.
import { type Trap, type Vector, setting, trapText } from "./_vector.ts";

export function projectConfig(trap: Trap): string {
  return [
    setting("core.hooksPath", ".githooks"),
    setting("include.path", "../.gitconfig"),
    setting("filter.tool.clean", trap("project-clean")),
    setting("filter.tool.smudge", trap("project-smudge")),
    setting("diff.tool.textconv", trap("project-textconv")),
    setting("merge.tool.driver", `${trap("project-merge-driver")} %A`),
  ].join("");
}

export function committedVectors(canary: string): Vector[] {
  const group = "committed";
  const hook = (name: string, control: string): Vector => ({
    name: `kept-${name}`,
    group,
    plant: [["program", `.githooks/${name}`, trapText(canary, `kept-${name}`)]],
    control,
  });
  const tracked = (name: string, key: string, attributes: string, control: string): Vector => ({
    name,
    group,
    plant: [
      ["program", `.tools/${name}`, trapText(canary, name)],
      ["append", ".gitconfig", setting(key, `sh ./.tools/${name}`)],
      ["append", ".gitattributes", attributes],
    ],
    control,
  });
  const attributes = (name: string, text: string, control: string): Vector => ({
    name,
    group,
    plant: [["append", ".gitattributes", text]],
    control,
  });
  return [
    // Of files that are there and that no unit writes: a claim with one would be refused.
    attributes("project-clean", "*.tool filter=tool\n", "echo 1 > a.tool && git add a.tool"),
    attributes("project-smudge", "", "rm a.tool && git checkout -q -- a.tool"),
    attributes(
      "project-textconv",
      "*.txt diff=tool\n",
      "echo 1 > a.txt && git add a.txt && git diff --cached HEAD",
    ),
    attributes(
      "project-merge-driver",
      "shared.txt merge=tool\n",
      "git commit -qm a && git merge -m x other",
    ),
    hook("post-checkout", "git checkout -q -f -b kept"),
    hook("post-index-change", "git read-tree HEAD"),
    hook("post-merge", "git merge -q --ff-only -s ours side"),
    hook("reference-transaction", "git update-ref refs/kept HEAD"),
    tracked("tracked-fsmonitor", "core.fsmonitor", "", "git status"),
    tracked(
      "tracked-clean",
      "filter.late.clean",
      "*.late filter=late\n",
      "echo 1 > a.late && git add a.late",
    ),
    tracked("tracked-smudge", "filter.late.smudge", "", "rm a.late && git checkout -q -- a.late"),
    tracked(
      "tracked-merge-driver",
      "merge.late.driver",
      "late.md merge=late\n",
      "git checkout -q -f side && git merge -m x other",
    ),
  ];
}

/** The slashes of a path make folders of a name: joined it is the word again. */
export function nameVectors(trap: Trap, canary: string): Vector[] {
  const upload = trap("ref-upload-pack");
  return [
    named("file-output", `--output=${canary}/file-output`, (word) => `git diff HEAD~1 '${word}'`),
    named(
      "file-pager",
      `--open-files-in-pager=${trap("file-pager")}`,
      (word) => `git grep -e one '${word}'`,
    ),
    named("file-shell", `$(touch ${canary}/file-shell)`, (word) => `git log -- "${word}"`),
    referred(
      "ref-upload-pack",
      `.git/refs/heads/--upload-pack=${upload}`,
      (word) => `git fetch . '${word}'`,
    ),
    referred(
      "ref-output",
      `.git/refs/tags/--output=${canary}/ref-output`,
      (word) => `git log '${word}'`,
    ),
  ];
}

// --- internal ---

const named = (name: string, path: string, control: (word: string) => string): Vector => ({
  name,
  group: "tree",
  plant: [["write", path, "a name\n"]],
  control: control(path.replace(/^\.git\/refs\/(?:heads|tags)\//, "")),
});

const referred = (name: string, path: string, control: (word: string) => string): Vector => ({
  ...named(name, path, control),
  plant: [["write", path, `${"0".repeat(39)}1\n`]],
});
