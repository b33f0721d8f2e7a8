// Hooks and keys of the person's own, which holdfast.yaml asks for (S2.6).
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { type Person, planWithBase } from "./person.ts";
import type { Scene } from "./scene.ts";

export function hook({ at }: Person, name: string, text: string, folder = ".git/hooks"): void {
  const path = at(join(folder, name));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

/** A key of theirs, and who is trusted with it. */
function withKey({ folder, git }: Person): void {
  const key = join(folder, "key");
  const made = spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", key]);
  expect(made.status).toBe(0);
  writeFileSync(join(folder, "signers"), `test@localhost ${readFileSync(`${key}.pub`, "utf8")}`);
  git("config", "gpg.format", "ssh");
  git("config", "user.signingKey", `${key}.pub`);
  git("config", "gpg.ssh.allowedSignersFile", join(folder, "signers"));
}

/** All commits that the run brought are signed, and by them. */
function expectSigned({ git }: Person): void {
  const lines = git(
    "log",
    "--format=%G? %(trailers:key=Co-authored-by,valueonly,separator=;)",
    "main",
  );
  const ours = lines.split("\n").filter((line) => line.includes("Holdfast"));
  expect(ours.length).toBeGreaterThan(1);
  expect(ours.filter((line) => !line.startsWith("G "))).toEqual([]);
}

const nothing = { at: "T1.1", does: () => undefined } as const;
const log = ({ folder }: Person): string => readFileSync(join(folder, "hooks.log"), "utf8");

export const ownCommandScenes: readonly Scene[] = [
  {
    name: "hooks are to be run, and one refuses a landing until the person lets it",
    settings: "git:\n  hooks: run\n",
    before: (person) => {
      const to = `>> '${join(person.folder, "hooks.log")}'`;
      const allowed = `test -f '${join(person.folder, "allowed")}'`;
      const said = `echo before: $(git diff --cached --name-only) ${to}`;
      hook(person, "pre-merge-commit", `${said}\n${allowed} || { echo not on a Friday; exit 1; }`);
      hook(person, "commit-msg", `echo 'Checked-by: a hook' >> "$1"`);
      hook(person, "post-merge", `echo after: $(git log -1 --format=%s) $(ls T*.txt) ${to}`);
    },
    acts: [nothing],
    held: /pre-merge-commit[^]*not on a Friday/,
    settle: { by: ({ folder }) => writeFileSync(join(folder, "allowed"), "") },
    after: (person) => {
      const { git, at } = person;
      expect(log(person)).toMatch(/^before: T1\.1\.txt T1\.2\.txt$/m);
      expect(log(person)).toMatch(/^after: .*T1\.1\.txt T1\.2\.txt$/m);
      const marked = git("log", "--merges", "--grep", "Checked-by: a hook", "--format=%h", "main");
      expect(marked.split("\n")).toHaveLength(2);
      expect(existsSync(at("worktree"))).toBe(false);
    },
  },
  {
    name: "a landing changes the hooks that are tracked: it is judged by those of before",
    plan: planWithBase,
    settings: "git:\n  hooks: run\n",
    files: { ".hooks/pre-commit": "#!/bin/sh\n" },
    writes: {
      "T0.1": { "T0.1.txt": "T0.1\n", ".hooks/pre-commit": "#!/bin/sh\nexit 0\n# by an agent\n" },
    },
    before: (person) => {
      const to = `>> '${join(person.folder, "hooks.log")}'`;
      hook(person, "pre-commit", `grep -c 'by an agent' "$0" ${to}\necho mine ${to}`, ".hooks");
      hook(person, "post-commit", `echo after ${to}`, ".hooks");
      person.git("config", "core.hooksPath", ".hooks");
      person.git("add", "-A");
      person.git("commit", "-q", "--no-verify", "-m", "hooks");
      writeFileSync(join(person.folder, "hooks.log"), "");
    },
    acts: [nothing],
    // Of the first unit the person's own; afterwards theirs is what the agent made of it, which says nothing.
    after: (person) => expect(log(person)).toBe("1\nmine\nafter\n"),
  },
  {
    name: "commits are to be signed, and are, by the person's own key",
    plan: planWithBase,
    settings: "git:\n  sign: true\n",
    before: withKey,
    acts: [nothing],
    after: expectSigned,
  },
  {
    name: "commits are to be signed, and the key is missing at first",
    settings: "git:\n  sign: true\n",
    before: ({ git, folder }) => {
      git("config", "gpg.format", "ssh");
      git("config", "user.signingKey", join(folder, "nowhere.pub"));
    },
    acts: [nothing],
    held: /git\.sign[^]*nowhere\.pub/,
    settle: { by: withKey },
    after: expectSigned,
  },
];
