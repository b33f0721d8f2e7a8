// `npm run test:full`: the whole suite at its full counts, and docs/reliability.md with what it
// saw. About an hour on two cores; power cuts and full disks of ext4 need root. With arguments only the tests
// that match; what they see takes the place of what the whole run saw: `npm run test:full -- power`.
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ready, root } from "./ready.mjs";

const words = process.argv.slice(2);
await ready();
const commit = commitHere();
const temporary = realTemporary();
const cache = join(root, "node_modules", ".cache", "test-full");
const figures = join(cache, "figures.jsonl");
mkdirSync(cache, { recursive: true });
const again = words.length > 0;
if (!again) rmSync(figures, { force: true });
const isKept = existsSync(figures) || !again;
if (isKept) appendFileSync(figures, `${JSON.stringify({ run: { commit, again } })}\n`);
// Two files at once and no more: each has many processes of its own.
const tests = run(["node_modules/vitest/vitest.mjs", "run", "--maxWorkers=2", ...words], {
  HOLDFAST_FULL: "1",
  TMPDIR: temporary,
  ...(isKept ? { HOLDFAST_FIGURES: figures } : {}),
});
process.exitCode = tests.status ?? 1;
// Also when something failed: that is what a report is for.
if (isKept) {
  const writer = ["scripts/run-ts.mjs", "scripts/reliability-report.ts", figures];
  const { status } = run([...writer, join(root, "docs/reliability.md")], { TMPDIR: temporary });
  process.exitCode ||= status ?? 1;
}

// --- internal ---

function run(args, environment) {
  return spawnSync(process.execPath, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...environment },
  });
}

/** On a disk: in memory a sync costs nothing, and what waits for one is never seen to wait. */
function realTemporary() {
  const inMemory = 0x0102_1994;
  if (statfsSync(tmpdir()).type !== inMemory) return tmpdir();
  const folder = join(root, "node_modules", ".cache", "test-full");
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** As it is before the run: somebody may go on working meanwhile. */
function commitHere() {
  const name = git("rev-parse", "--short", "HEAD").trim() || "unknown";
  const changes = git("status", "--porcelain", "--", ".", ":!docs/reliability.md").trim();
  return changes === "" ? name : `${name} + changes`;
}

function git(...args) {
  return spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout ?? "";
}
