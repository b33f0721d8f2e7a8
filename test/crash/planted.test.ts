// Do the tests find what they are for? Faults that others have shipped are planted into a copy of
// the sources, one at a time, and a test must turn red. Minutes, so only with HOLDFAST_FULL=1.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Workshop, full, limit, workshop } from "./programs.ts";

interface Planted {
  readonly file: string;
  /** Only the tests of this name. */
  readonly title?: string;
  readonly environment?: Record<string, string>;
}

// oxfmt-ignore
const found: Record<string, Planted> = {
  "no-folder-sync":     { file: "test/crash/order.test.ts" },
  "rename-before-sync": { file: "test/crash/order.test.ts" },
  "exists-then-create": { file: "test/crash/order.test.ts" },
  "no-checksum":        { file: "src/store/documents.test.ts" },
  "not-fenced":         { file: "test/crash/contest.test.ts", title: "fenced" },
  "ignored-byte-count": { file: "test/crash/kill.test.ts", environment: { HOLDFAST_FAULT: "existing brink" } },
};

const root = resolve(import.meta.dirname, "../..");
const patches = join(import.meta.dirname, "planted");
let shop: Workshop;
beforeAll(() => {
  shop = workshop();
});
afterAll(() => shop.close());

describe.runIf(full)("planted faults (S5)", () => {
  test("each patch has the test that finds it", () => {
    const names = readdirSync(patches).map((name) => name.replace(/\.patch$/, ""));
    expect(names.toSorted()).toEqual(Object.keys(found).toSorted());
  });

  test.each(Object.entries(found))("%s is found", limit, (name, planted) => {
    const folder = copy(name);
    expect(failures(folder, planted), "before it is planted").toEqual([]);
    const applied = spawnSync("git", ["apply", join(patches, `${name}.patch`)], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(applied.stderr).toBe("");
    const red = failures(folder, planted);
    console.log(`planted: ${name}: ${red.length} red: ${red.join("; ")}`);
    expect(red).not.toEqual([]);
  });
});

// --- internal ---

function copy(name: string): string {
  const folder = join(shop.folder, name);
  mkdirSync(folder);
  for (const part of ["src", "test/crash", "scripts", "package.json", "tsconfig.json"])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  cpSync(join(root, "vitest.config.ts"), join(folder, "vitest.config.ts"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** The titles of the tests that failed; one that could not even begin is no proof. */
function failures(folder: string, { file, title, environment }: Planted): string[] {
  const report = join(folder, "report.json");
  const args = ["run", file, "--reporter=json", `--outputFile=${report}`];
  const { stderr } = spawnSync(
    process.execPath,
    [join(folder, "node_modules/vitest/vitest.mjs"), ...args, ...(title ? ["-t", title] : [])],
    {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, HOLDFAST_FULL: "0", VITEST: undefined, ...environment },
    },
  );
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(
    readFileSync(report, "utf8"),
  ) as Report;
  if (numPassedTests + numFailedTests === 0) throw new Error(stderr);
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "failed")
    .map((each) => each.title);
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly title: string }[];
  }[];
}
