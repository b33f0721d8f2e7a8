// A repository in which everything that can start a program starts one: each leaves a file with its
// name in the canary folder. What an agent could do to the .git it works with, and to its tree.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { put } from "./project.ts";

/** Every name that may turn up in the canary folder. */
export function plant(workTree: string, canary: string): string[] {
  mkdirSync(canary, { recursive: true });
  const gitDir = join(workTree, ".git");
  const names: string[] = [];
  /** A program that leaves its name and passes its input on, as a filter has to. */
  const trap = (name: string): string => {
    names.push(name);
    const file = join(canary, "..", "traps", name);
    put(file, `#!/bin/sh\n: > '${canary}/${name}'\ntimeout 1 cat\nexit 0\n`, 0o755);
    return file;
  };
  for (const hook of hooks) {
    put(join(gitDir, "hooks", hook), `#!/bin/sh\nexec '${trap(`hook-${hook}`)}'\n`, 0o755);
    put(join(gitDir, "other-hooks", hook), `#!/bin/sh\nexec '${trap(`path-${hook}`)}'\n`, 0o755);
  }
  const config = settings(trap, join(gitDir, "other-hooks"));
  for (const [name, value] of config)
    execFileSync("git", ["config", "--file", join(gitDir, "config"), "--add", name, value]);
  const included = join(gitDir, "included");
  execFileSync("git", ["config", "--file", included, "core.fsmonitor", trap("included-fsmonitor")]);
  execFileSync("git", ["config", "--file", join(gitDir, "config"), "include.path", included]);
  plantTree(workTree);
  plantNames(gitDir);
  return names;
}

export function fired(canary: string): string[] {
  return existsSync(canary) ? readdirSync(canary).toSorted() : [];
}

// --- internal ---

const hooks = [
  "applypatch-msg",
  "commit-msg",
  "fsmonitor-watchman",
  "post-applypatch",
  "post-checkout",
  "post-commit",
  "post-index-change",
  "post-merge",
  "post-rewrite",
  "post-update",
  "pre-applypatch",
  "pre-auto-gc",
  "pre-commit",
  "pre-merge-commit",
  "pre-push",
  "pre-rebase",
  "pre-receive",
  "prepare-commit-msg",
  "proc-receive",
  "push-to-checkout",
  "reference-transaction",
  "sendemail-validate",
  "update",
];

function settings(trap: (name: string) => string, hooksPath: string): [string, string][] {
  return [
    ["core.hooksPath", hooksPath],
    ["core.fsmonitor", trap("fsmonitor")],
    ["core.fsmonitorHookVersion", "2"],
    ["core.untrackedCache", "true"],
    ["core.pager", trap("pager")],
    ["pager.log", trap("pager-log")],
    ["pager.diff", trap("pager-diff")],
    ["pager.status", trap("pager-status")],
    ["core.editor", trap("editor")],
    ["sequence.editor", trap("sequence-editor")],
    ["core.sshCommand", trap("ssh")],
    ["core.askPass", trap("askpass")],
    ["core.gitProxy", trap("proxy")],
    ["core.alternateRefsCommand", trap("alternate-refs")],
    ["credential.helper", `!${trap("credential")}`],
    ["filter.evil.clean", trap("clean")],
    ["filter.evil.smudge", trap("smudge")],
    ["filter.evil.required", "true"],
    ["filter.slow=er.process", trap("process")],
    ["filter.slow=er.clean", trap("clean-named-oddly")],
    ["diff.external", trap("external-diff")],
    ["diff.evil.textconv", trap("textconv")],
    ["diff.evil.command", trap("diff-command")],
    ["merge.evil.driver", `${trap("merge-driver")} %A`],
    ["merge.default", "evil"],
    ["gpg.program", trap("gpg")],
    ["gpg.ssh.program", trap("gpg-ssh")],
    ["gpg.format", "ssh"],
    ["commit.gpgSign", "true"],
    ["tag.gpgSign", "true"],
    ["user.signingKey", "/dev/null"],
    ["log.showSignature", "true"],
    ["interactive.diffFilter", trap("diff-filter")],
    ["uploadpack.packObjectsHook", trap("pack-objects-hook")],
    ["protocol.allow", "always"],
    ["protocol.ext.allow", "always"],
    ["remote.origin.url", `ext::${trap("ext")} %S`],
    ["remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"],
    ["remote.origin.uploadpack", trap("upload-pack")],
    ["remote.near.url", "."],
    ["remote.near.uploadpack", trap("upload-pack-near")],
    ["remote.origin.promisor", "true"],
    ["remote.origin.partialCloneFilter", "blob:none"],
    ["submodule.recurse", "true"],
    ["submodule.evil.url", `ext::${trap("submodule-ext")} %S`],
    ["submodule.evil.update", `!${trap("submodule-update")}`],
    ["submodule.evil.active", "true"],
    ["status.submoduleSummary", "true"],
    ["alias.status", `!${trap("alias-status")}`],
    ["alias.st", `!${trap("alias")}`],
    ["gc.auto", "1"],
    ["maintenance.auto", "true"],
    ["trailer.evil.command", trap("trailer")],
    ["core.attributesFile", join(hooksPath, "attributes")],
  ];
}

function plantTree(workTree: string): void {
  put(
    join(workTree, ".gitattributes"),
    "* filter=evil diff=evil merge=evil\n*.odd filter=slow=er\n*.txt text eol=crlf ident\n*.plain !diff\n",
  );
  put(join(workTree, "file.odd"), "odd\n");
  put(join(workTree, "file.plain"), "plain\n");
  put(join(workTree, "planted.txt"), "planted $Id$\r\n");
  put(join(workTree, ".gitmodules"), '[submodule "evil"]\n\tpath = evil\n\turl = ext::sh\n');
  for (const name of ["--output=stolen", "--upload-pack=touch stolen", "-c", "--exec=sh"])
    put(join(workTree, name), "an option?\n");
}

/** Branches that read as options, objects and refs that are rubbish. */
function plantNames(gitDir: string): void {
  const rubbish = "0123456789".repeat(20);
  mkdirSync(join(gitDir, "objects/info"), { recursive: true });
  mkdirSync(join(gitDir, "objects/pack"), { recursive: true });
  writeFileSync(join(gitDir, "objects/info/alternates"), `${gitDir}/other-objects\n`);
  for (const ending of ["pack", "idx", "rev", "bitmap"])
    writeFileSync(join(gitDir, `objects/pack/pack-${"a".repeat(40)}.${ending}`), rubbish);
  put(join(gitDir, "refs/heads/--upload-pack=touch stolen"), `${"0".repeat(40)}\n`);
  put(join(gitDir, "info/grafts"), rubbish);
}
