// The gate of a phase, which a test may hold open: `node gate.mjs <folder>` in `worktree/phase-<n>-…`.
import { existsSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const [folder = ""] = process.argv.slice(2);
const [, phase = "0"] = /^phase-(\d+)/.exec(basename(process.cwd())) ?? [];
const moment = `gate ${phase}`;

if (existsSync(join(folder, `wants ${moment}`))) {
  writeFileSync(join(folder, `at ${moment}`), "");
  look();
}

function look() {
  if (!existsSync(join(folder, `go ${moment}`))) setTimeout(look, 20);
}
