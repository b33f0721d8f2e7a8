// The clock of processes that were started and have ended. Node does not tell it, and /proc tells it in
// hundredths of a second: with thirty rounds of 35 ms that alone made ratios uncertain by 4 %.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cache } from "./shim.ts";

let clock: (() => number) | undefined;

/** Milliseconds of CPU, of all of them. Linux only. */
export function childrenCpu(): number {
  clock ??= exactly() ?? inHundredths;
  return clock();
}

// --- internal ---

function exactly(): (() => number) | undefined {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "bench-children-"));
  try {
    const [source, file] = [join(import.meta.dirname, "children.c"), join(folder, "children.node")];
    if (spawnSync("cc", ["-shared", "-fPIC", "-O2", "-o", file, source]).status === 0) {
      const module: { exports: unknown } = { exports: {} };
      process.dlopen(module, file);
      return module.exports as () => number;
    }
    console.log("\nno C compiler (cc): the CPU of children is counted in hundredths of a second");
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function inHundredths(): number {
  // After the name, which may hold blanks: user and system time of children.
  const stat = readFileSync("/proc/self/stat", "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * 10;
}
