// Ways to have git run a program, each planted where an agent works: one row says what is planted and
// which ordinary command sets it off. What goes off leaves a file with the vector's name.
//
// Those of a group are planted together, in one unit's clone; groups are apart where one would hide
// another. `project` is what people have in their own configuration that makes files of the tree run:
// hooks kept in the repository, a tracked configuration, drivers.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Vector {
  readonly name: string;
  readonly group: Group;
  /** For plant.mjs. */
  readonly plant: readonly Step[];
  /** For a shell in the tree: with plain git it goes off. */
  readonly control: string;
}

export const groups = [
  "committed",
  "hooks",
  "config",
  "included",
  "worktree",
  "gitfile",
  "linked",
  "common",
  "tree",
] as const;
export type Group = (typeof groups)[number];

type Step = readonly [what: string, ...words: string[]];

export interface Traps {
  readonly vectors: readonly Vector[];
  /** What the project's owner configured, in .git/config. */
  readonly project: string;
  /** The words that let Node plant a group where it is started. */
  readonly planting: (group: Group) => string[];
  /** Plants a group in a tree. */
  readonly plant: (group: Group, tree: string) => void;
  /** Names of what went off. */
  readonly fired: () => string[];
}

/** In a folder of their own. */
export function traps(folder: string): Traps {
  const canary = join(folder, "canary");
  for (const place of [canary, join(folder, "traps")]) mkdirSync(place, { recursive: true });
  const trap = (name: string): string => {
    const file = join(folder, "traps", name);
    writeFileSync(file, trapText(canary, name), { mode: 0o755 });
    return file;
  };
  const away = join(folder, "away");
  const vectors = [
    ...committedVectors(canary),
    ...hookVectors(canary),
    ...configVectors(trap),
    ...placeVectors(trap, away),
    ...nameVectors(trap, canary),
  ];
  const planting = (group: Group): string[] => {
    const list = join(folder, `${group}.json`);
    const steps = vectors.flatMap((each) => (each.group === group ? each.plant : []));
    writeFileSync(list, JSON.stringify(steps));
    return [join(import.meta.dirname, "plant.mjs"), list];
  };
  return {
    vectors,
    project: projectConfig(trap),
    planting,
    plant: (group, tree) => {
      const { status, stderr } = spawnSync(process.execPath, [...planting(group), tree]);
      if (status !== 0) throw new Error(stderr.toString());
    },
    fired: () => (existsSync(canary) ? readdirSync(canary).toSorted() : []),
  };
}

// --- internal ---

/** Leaves its name and passes its input on, as a filter has to. */
function trapText(canary: string, name: string): string {
  return `#!/bin/sh\n: > '${canary}/${name}'\ntimeout 1 cat\nexit 0\n`;
}

/** `section.a name.key`, as a line or two of a configuration. */
function setting(name: string, value: string): string {
  const [first, last] = [name.indexOf("."), name.lastIndexOf(".")];
  const sub = first === last ? "" : ` "${name.slice(first + 1, last)}"`;
  const text = value.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  return `[${name.slice(0, first)}${sub}]\n\t${name.slice(last + 1)} = "${text}"\n`;
}

type Trap = (name: string) => string;

const configured = (name: string, value: string): Step => [
  "append",
  ".git/config",
  setting(name, value),
];

// --- what comes into the project with a commit, and runs because of its owner's configuration ---

function projectConfig(trap: Trap): string {
  return [
    setting("core.hooksPath", ".githooks"),
    setting("include.path", "../.gitconfig"),
    setting("filter.tool.clean", trap("project-clean")),
    setting("filter.tool.smudge", trap("project-smudge")),
    setting("diff.tool.textconv", trap("project-textconv")),
    setting("merge.tool.driver", `${trap("project-merge-driver")} %A`),
  ].join("");
}

function committedVectors(canary: string): Vector[] {
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
    attributes("project-clean", "*.txt filter=tool\n", "echo 1 > a.txt && git add a.txt"),
    attributes("project-smudge", "", "rm a.txt && git checkout -q -- a.txt"),
    attributes("project-textconv", "*.txt diff=tool\n", "git diff --cached HEAD"),
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

// --- the clone's own .git ---

const hooks: readonly (readonly [name: string, control: string])[] = [
  ["pre-commit", "git commit -q --allow-empty -m a"],
  ["prepare-commit-msg", ""],
  ["commit-msg", ""],
  ["post-commit", ""],
  ["post-rewrite", "git commit -q --allow-empty --amend -m b"],
  ["post-checkout", "git checkout -q -b hooked"],
  ["post-index-change", "git read-tree HEAD"],
  ["reference-transaction", "git update-ref refs/hooked HEAD"],
  ["pre-merge-commit", "git merge -q --no-ff -m c side"],
  ["post-merge", ""],
  ["pre-rebase", "git rebase -q HEAD~1"],
  ["pre-push", "git init -q --bare ../to.git && git push -q ../to.git HEAD:refs/heads/x"],
];

function hookVectors(canary: string): Vector[] {
  return hooks.map(([name, control]) => ({
    name: `hook-${name}`,
    group: "hooks",
    plant: [["program", `.git/hooks/${name}`, trapText(canary, `hook-${name}`)]],
    control,
  }));
}

function configVectors(trap: Trap): Vector[] {
  const row = (
    name: string,
    key: string,
    control: string,
    { value = (path: string) => path, more = [] as readonly Step[] } = {},
  ): Vector => ({
    name,
    group: "config",
    plant: [configured(key, value(trap(name))), ...more],
    control,
  });
  const attributes = (text: string): { more: readonly Step[] } => ({
    more: [["append", ".gitattributes", text]],
  });
  const shell = { value: (path: string) => `!${path}` };
  const fill = "printf 'protocol=https\\nhost=x.invalid\\n\\n' | git credential fill";
  // oxfmt-ignore
  return [
    row("fsmonitor", "core.fsmonitor", "git status"),
    row("clean", "filter.evil.clean", "echo 1 > a.evil && git add a.evil", attributes("*.evil filter=evil diff=evil\n")),
    row("smudge", "filter.evil.smudge", "rm a.evil && git checkout -q -- a.evil"),
    row("process", "filter.slow.process", "echo 1 > a.slow && git add a.slow", attributes("*.slow filter=slow\n")),
    row("external-diff", "diff.external", "git diff --cached HEAD -- a.slow"),
    row("textconv", "diff.evil.textconv", "git diff --no-ext-diff --cached HEAD"),
    row("diff-command", "diff.own.command", "echo 1 > a.own && git add a.own && git diff --cached HEAD -- a.own", attributes("*.own diff=own\n")),
    row("merge-driver", "merge.evil.driver", "git commit -qm a && git merge -m x other", { value: (path) => `${path} %A`, ...attributes("shared.txt merge=evil\n") }),
    row("pager", "core.pager", "git grep -O one HEAD -- || git grep -O one"),
    row("editor", "core.editor", "git commit --allow-empty"),
    row("sequence-editor", "sequence.editor", "git -c core.hooksPath= rebase -i HEAD~1"),
    row("gpg", "gpg.program", "git commit -S --allow-empty -m signed"),
    row("archive", "tar.evil.command", "git archive --format=evil HEAD"),
    row("trailer", "trailer.evil.command", "echo x | git interpret-trailers --trailer evil=1"),
    row("ssh", "core.sshCommand", "git fetch ssh://host.invalid/x"),
    row("proxy", "core.gitProxy", "git fetch git://host.invalid/x"),
    row("credential", "credential.helper", fill, shell),
    row("askpass", "core.askPass", fill),
    row("alias", "alias.st", "git st", shell),
    row("upload-pack", "remote.near.uploadpack", "git fetch near", { more: [configured("remote.near.url", ".")] }),
    row("receive-pack", "remote.near.receivepack", "git push near HEAD:refs/x"),
    row("ext", "remote.origin.url", "git fetch origin", { value: (path) => `ext::${path} %S`, more: [configured("protocol.ext.allow", "always")] }),
    row("instead-of", "remote.far.url", "git fetch far", { value: (path) => `evil:${path}`, more: [configured("url.ext::.insteadOf", "evil:")] }),
    row("submodule", "submodule.evil.update", "git clone -q . evil; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD~1),evil; git submodule update", {
      ...shell,
      more: [
        configured("submodule.evil.url", "./."),
        configured("submodule.evil.active", "true"),
        ["write", ".gitmodules", '[submodule "evil"]\n\tpath = evil\n\turl = ./.\n'],
      ],
    }),
    row("alternates", "core.alternateRefsCommand", "git fetch ../side-by-side HEAD", {
      more: [["append", ".git/objects/info/alternates", "../../../side-by-side/.git/objects\n"]],
    }),
    row("hooks-path", "core.hooksPath", "git -c core.fsmonitor=false checkout -q -f -b elsewhere", { value: () => ".git/others", more: [["program", ".git/others/post-checkout", `#!/bin/sh\nexec '${trap("hooks-path")}'\n`]] }),
  ];
}

// --- where the .git is, or is taken for one ---

function placeVectors(trap: Trap, away: string): Vector[] {
  const monitor = (name: string): string => setting("core.fsmonitor", trap(name));
  const empty = (path: string, config: string): Step[] => [
    ["folder", `${path}/objects`],
    ["folder", `${path}/refs`],
    ["write", `${path}/HEAD`, "ref: refs/heads/main\n"],
    ["write", `${path}/config`, `[core]\n\trepositoryformatversion = 0\n${config}`],
  ];
  const row = (group: Group, name: string, control: string, ...plant: Step[]): Vector => {
    return { group, name, control, plant };
  };
  const moved = (name: string): Step[] => [
    ["move", ".git", `${away}/${name}`],
    ["append", `${away}/${name}/config`, monitor(name)],
  ];
  return [
    row("included", "included", "git status", configured("include.path", "more"), [
      "write",
      ".git/more",
      monitor("included"),
    ]),
    row(
      "worktree",
      "worktree-config",
      "git status",
      configured("extensions.worktreeConfig", "true"),
      ["write", ".git/config.worktree", monitor("worktree-config")],
    ),
    row("gitfile", "gitfile", "git status", ...moved("gitfile"), [
      "write",
      ".git",
      `gitdir: ${away}/gitfile\n`,
    ]),
    row("linked", "linked", "git status", ...moved("linked"), ["link", ".git", `${away}/linked`]),
    row(
      "common",
      "commondir",
      "git status",
      ...moved("commondir"),
      ["write", ".git/HEAD", "ref: refs/heads/main\n"],
      ["write", ".git/commondir", `${away}/commondir\n`],
    ),
    row("tree", "nested", "git -C nested status", ...empty("nested/.git", monitor("nested")), [
      "write",
      "nested/a.txt",
      "nested\n",
    ]),
    row(
      "tree",
      "bare",
      "git -C bare.d status",
      ...empty("bare.d", `\tbare = false\n\tworktree = .\n${monitor("bare")}`),
      ["write", "bare.d/objects/a", ""],
      ["write", "bare.d/refs/a", ""],
    ),
  ];
}

// --- names that are read as words ---

/** The slashes of a path make folders of a name: joined it is the word again. */
function nameVectors(trap: Trap, canary: string): Vector[] {
  const row = (name: string, path: string, control: (word: string) => string): Vector => ({
    name,
    group: "tree",
    plant: [["write", path, "a name\n"]],
    control: control(path.replace(/^\.git\/refs\/(?:heads|tags)\//, "")),
  });
  const ref = (name: string, path: string, control: (word: string) => string): Vector => ({
    ...row(name, path, control),
    plant: [["write", path, `${"0".repeat(39)}1\n`]],
  });
  const upload = trap("ref-upload-pack");
  return [
    row("file-output", `--output=${canary}/file-output`, (word) => `git diff HEAD~1 '${word}'`),
    row(
      "file-pager",
      `--open-files-in-pager=${trap("file-pager")}`,
      (word) => `git grep -e one '${word}'`,
    ),
    row("file-shell", `$(touch ${canary}/file-shell)`, (word) => `git log -- "${word}"`),
    ref(
      "ref-upload-pack",
      `.git/refs/heads/--upload-pack=${upload}`,
      (word) => `git fetch . '${word}'`,
    ),
    ref(
      "ref-output",
      `.git/refs/tags/--output=${canary}/ref-output`,
      (word) => `git log '${word}'`,
    ),
  ];
}
