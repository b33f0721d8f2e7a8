// A git that is killed alone, while who called it lives: its lock is removed where nobody else works, and
// told where somebody may (S2.6).
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { mergeUnit } from "../../git/branches.ts";
import { openTree } from "../../git/phase-tree.ts";
import { render } from "../../core/messages.ts";
import { self } from "../../os/identity.ts";
import { openSqlite } from "../../store/database/sqlite.ts";
import { digestOf } from "../_task-rules.ts";
import { aloneInTree } from "./_tree.ts";
import type { Place } from "./carry.ts";

/** So many that git is at work for a while. */
const files = 2_000;

test("S2.6 a git that was killed in a branch's tree leaves no lock there, and the journal says so", async () => {
  const { place, git, root } = await world();
  const lock = join(root, ".git/worktrees/b/index.lock");
  const open = () => aloneInTree(place, "b", () => openTree({ root, run: place.run, name: "b" }));
  const tree = join(root, "worktree/b");
  // When it is made, and when it is brought up to date.
  for (const before of [
    () => undefined,
    () => rmSync(join(tree, "files"), { recursive: true, force: true }),
  ]) {
    before();
    const restore = deadly(place.home, lock);
    const opening = open();
    await expect(opening).rejects.toThrow(/git (?:worktree|read-tree) did not succeed/);
    restore();
    expect(existsSync(lock)).toBe(false);
  }
  expect(await open()).toMatchObject({ folder: tree });
  expect(git("-C", tree, "status", "--porcelain")).toBe("");
  const lines = await place.store.transitions({ taskId: place.run });
  expect(lines.map(({ trigger, metadata }) => ({ trigger, metadata }))).toEqual([
    { trigger: "tree_freed", metadata: { branch: "b", locks: [lock] } },
    { trigger: "tree_freed", metadata: { branch: "b", locks: [lock] } },
  ]);
});

test("S2.6 of one in the project itself nothing is removed: who it is and what to do is said", async () => {
  const { place, git, root } = await world();
  for (let n = 0; n < files; n++) writeFileSync(join(root, "files", `${n}`), `other ${n}\n`);
  const lock = join(root, ".git/index.lock");
  const adding = spawn("git", ["add", "-A"], { cwd: root, stdio: "ignore" });
  const ended = new Promise((end) => adding.once("close", end));
  while (!existsSync(lock)) await turn();
  adding.kill("SIGKILL");
  await ended;
  expect(existsSync(lock)).toBe(true);
  const base = git("rev-parse", "HEAD");
  const made = git("commit-tree", `${base}^{tree}`, "-p", base, "-m", "made");
  const unit = { commit: made, base, subject: "one", key: "one", at: 0 };
  const target = { root, run: place.run, name: null };
  const merged = await mergeUnit(target, unit);
  expect(merged.kind).toBe("held");
  const said = merged.kind === "held" ? render("en", merged.why) : "";
  expect(said).toBe(
    `Branch main can not be updated, something is in the way: A git that is at work has ${lock}, and one that was killed leaves it. If no git runs there, an editor's neither, delete that file and go on.`,
  );
  expect(existsSync(lock)).toBe(true);
  rmSync(lock);
  expect(await mergeUnit(target, unit)).toMatchObject({ kind: "merged" });
});

test("S2.6 who was killed while it waited for a branch's tree leaves nothing; who waits still has its place", async () => {
  const { place, root } = await world();
  const folder = join(place.home, "branches");
  mkdirSync(folder);
  const own = (token: string) => `.${digestOf(root, "b")}.${token}.own`;
  // No system gives so high a number.
  for (const [token, pid] of [
    ["00000000000000aa", 2 ** 22 + 1],
    ["00000000000000bb", process.pid],
  ] as const) {
    const named = { holdfast: 1, token, took: [], process: { ...self(), pid } };
    writeFileSync(join(folder, own(token)), JSON.stringify(named));
  }
  await aloneInTree(place, "b", () => Promise.resolve());
  expect(readdirSync(folder)).toEqual([own("00000000000000bb")]);
});

// --- internal ---

async function world() {
  // In memory where there is one: what is tested here is not the disk.
  const below = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const folder = realpathSync(mkdtempSync(join(below, "holdfast-tree-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [root, home] = [join(folder, "project"), join(folder, "home")];
  for (const path of [join(root, "files"), home]) mkdirSync(path, { recursive: true });
  for (let n = 0; n < files; n++) writeFileSync(join(root, "files", `${n}`), `file ${n}\n`);
  const git = (...words: string[]): string => {
    const env = { PATH: process.env["PATH"] ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
    const { status, stdout, stderr } = spawnSync("git", words, { cwd: root, env });
    if (status !== 0) throw new Error(`git ${words.join(" ")}: ${stderr.toString()}`);
    return stdout.toString().trim();
  };
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Test");
  git("config", "user.email", "test@localhost");
  git("add", "-A");
  git("commit", "-q", "-m", "begin");
  const store = await openSqlite(join(home, "holdfast.db"));
  onTestFinished(() => store.close());
  const { signal } = new AbortController();
  const run = "task_run";
  const about = { run, store, home, root, env: {}, language: "en", settings: undefined } as const;
  const place: Place = { ...about, now: Date.now, signal };
  return { place, git, root };
}

/** A git whose `read-tree` is killed as soon as its lock is there; gives what ends that. */
function deadly(folder: string, lock: string): () => void {
  const path = process.env["PATH"] ?? "";
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  mkdirSync(join(folder, "bin"), { recursive: true });
  const script = `#!/bin/sh
case " $* " in *" read-tree "*)
  '${real}' "$@" & pid=$!
  while [ ! -e '${lock}' ] && kill -0 $pid 2>/dev/null; do :; done
  kill -9 $pid; kill -9 $$ ;;
esac
exec '${real}' "$@"
`;
  writeFileSync(join(folder, "bin", "git"), script, { mode: 0o755 });
  process.env["PATH"] = `${join(folder, "bin")}:${path}`;
  const restore = (): void => void (process.env["PATH"] = path);
  onTestFinished(restore);
  return restore;
}
