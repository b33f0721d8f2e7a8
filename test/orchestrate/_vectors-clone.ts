// What is planted in a clone's own .git: hooks, configuration, and where the .git is, or is taken for one.
import {
  type Group,
  type Step,
  type Trap,
  type Vector,
  configured,
  setting,
  trapText,
} from "./_vector.ts";

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

export function hookVectors(canary: string): Vector[] {
  return hooks.map(([name, control]) => ({
    name: `hook-${name}`,
    group: "hooks",
    plant: [["program", `.git/hooks/${name}`, trapText(canary, `hook-${name}`)]],
    control,
  }));
}

export function configVectors(trap: Trap): Vector[] {
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

export function placeVectors(trap: Trap, away: string): Vector[] {
  const monitor = (name: string): string => setting("core.fsmonitor", trap(name));
  const moved = (name: string): Step[] => [
    ["move", ".git", `${away}/${name}`],
    ["append", `${away}/${name}/config`, monitor(name)],
  ];
  return [
    placed("included", "included", "git status", configured("include.path", "more"), [
      "write",
      ".git/more",
      monitor("included"),
    ]),
    placed(
      "worktree",
      "worktree-config",
      "git status",
      configured("extensions.worktreeConfig", "true"),
      ["write", ".git/config.worktree", monitor("worktree-config")],
    ),
    placed("gitfile", "gitfile", "git status", ...moved("gitfile"), [
      "write",
      ".git",
      `gitdir: ${away}/gitfile\n`,
    ]),
    placed("linked", "linked", "git status", ...moved("linked"), [
      "link",
      ".git",
      `${away}/linked`,
    ]),
    placed(
      "common",
      "commondir",
      "git status",
      ...moved("commondir"),
      ["write", ".git/HEAD", "ref: refs/heads/main\n"],
      ["write", ".git/commondir", `${away}/commondir\n`],
    ),
    placed("tree", "nested", "git -C nested status", ...empty("nested/.git", monitor("nested")), [
      "write",
      "nested/a.txt",
      "nested\n",
    ]),
    placed(
      "tree",
      "bare",
      "git -C bare.d status",
      ...empty("bare.d", `\tbare = false\n\tworktree = .\n${monitor("bare")}`),
      ["write", "bare.d/objects/a", ""],
      ["write", "bare.d/refs/a", ""],
    ),
  ];
}

// --- internal ---

const attributes = (text: string): { more: readonly Step[] } => ({
  more: [["append", ".gitattributes", text]],
});

/** As little as git takes for a repository. */
const empty = (path: string, config: string): Step[] => [
  ["folder", `${path}/objects`],
  ["folder", `${path}/refs`],
  ["write", `${path}/HEAD`, "ref: refs/heads/main\n"],
  ["write", `${path}/config`, `[core]\n\trepositoryformatversion = 0\n${config}`],
];

const placed = (group: Group, name: string, control: string, ...plant: Step[]): Vector => {
  return { group, name, control, plant };
};
