// Do the tests find what they are for? Faults that others have shipped are planted into a copy of
// the sources, one at a time, and a test of the ordinary suite must turn red. Minutes, so only with
// HOLDFAST_FULL=1. One of them, each alone:
//
//   HOLDFAST_FULL=1 npx vitest run test/crash/planted -t begin-deferred
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { figure } from "../figures.ts";
import { type Workshop, full, limit, workshop } from "./programs.ts";

interface Finder {
  readonly file: string;
  /** Only the tests of this name. */
  readonly title?: string;
  readonly environment?: Record<string, string>;
}

/** A person's git and a run's, in one repository (S2.6). */
const beside = "src/git/beside-person.test.ts";

/** By the name of the patch; each of these tests must find it, where it can run at all. */
// oxfmt-ignore
const finders: Record<string, readonly Finder[]> = {
  "no-folder-sync":     [{ file: "test/crash/order.test.ts", title: "its folder is" }],
  "rename-before-sync": [{ file: "test/crash/order.test.ts", title: "its folder is" }],
  "exists-then-create": [{ file: "test/crash/order.test.ts", title: "last moment" }],
  "no-checksum":        [{ file: "src/store/documents.test.ts" }],
  "not-fenced":         [{ file: "test/crash/takeover.test.ts", title: "fenced" }],
  "ignored-byte-count": [{ file: "test/crash/kill.test.ts", environment: { HOLDFAST_FAULT: "existing brink" } }],
  "git-land-on-head":        [{ file: beside, title: "the recorded target" }],
  "git-branch-from-head":    [{ file: beside, title: "made again with everything" }],
  "git-no-unit-ref":         [{ file: beside, title: "has a name from when" }],
  "git-left-out-unsaid":     [{ file: beside, title: "would be left out" }],
  "git-checked-out-deleted": [{ file: beside, title: "has checked out stays" }],
  "git-no-compare-and-swap": [{ file: beside, title: "only from where it was seen" }],
  "begin-deferred": [
    { file: "test/store/processes.test.ts", title: "have their turn" },
    { file: "src/store/database/sqlite.test.ts", title: "with the loop free" },
  ],
  "synchronous-normal": [
    { file: "test/crash/order.test.ts", title: "sync of its own" },
    { file: "src/store/database/sqlite.test.ts", title: "synchronous=FULL" },
    { file: "test/crash/power.test.ts", title: "change of the database" },
  ],
};

const root = resolve(import.meta.dirname, "../..");
const patches = join(import.meta.dirname, "planted");
const hasGit = !spawnSync("git", ["--version"]).error;
let shop: Workshop;
beforeAll(() => {
  shop = workshop();
});
afterAll(() => shop.close());

test("each planted fault has the tests that find it, and fits the sources as they are", () => {
  const names = readdirSync(patches).map((name) => name.replace(/\.patch$/, ""));
  expect(names.toSorted()).toEqual(Object.keys(finders).toSorted());
  if (!hasGit) return;
  const folder = join(shop.folder, "sources");
  cpSync(join(root, "src"), join(folder, "src"), { recursive: true });
  for (const name of names) plant(name, folder, "--check");
});

describe("planted faults (S5)", () => {
  test.for(Object.entries(finders))("%s is found", limit, ([name, tests], { skip }) => {
    skip(!full, "planted faults: they take minutes, so only npm run test:full plants them");
    skip(!hasGit, "planted faults: there is no git");
    const folder = copy(name);
    const able = tests.filter((each) => {
      const { ran, red } = outcome(folder, each);
      expect(red, `${each.file} before it is planted`).toEqual([]);
      return ran;
    });
    skip(able.length === 0, `planted faults: none of the tests that find ${name} can run here`);
    plant(name, folder);
    const found = able.map((each) => outcome(folder, each).red);
    const more = found.flat().join("; ");
    figure(`planted.${name}`, {
      seen: able.length,
      lost: found.filter((red) => red.length > 0).length,
      more,
    });
    for (const [place, red] of found.entries())
      expect(red, `${able[place]?.file} with it`).not.toEqual([]);
  });
});

// --- internal ---

function copy(name: string): string {
  const folder = join(shop.folder, name);
  mkdirSync(folder);
  for (const part of ["src", "test", "scripts", "package.json", "tsconfig.json"])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  cpSync(join(root, "vitest.config.ts"), join(folder, "vitest.config.ts"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

function plant(name: string, folder: string, ...options: string[]): void {
  const args = ["apply", ...options, join(patches, `${name}.patch`)];
  const { status, stderr } = spawnSync("git", args, {
    cwd: folder,
    encoding: "utf8",
    // A repository around this folder would make git look there, and change nothing.
    env: { ...process.env, GIT_CEILING_DIRECTORIES: shop.folder },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
}

/** Which tests failed; `ran`: not all of them were skipped. One that could not begin is no proof. */
function outcome(
  folder: string,
  { file, title, environment }: Finder,
): { ran: boolean; red: string[] } {
  const report = join(folder, "report.json");
  const args = ["run", file, "--reporter=json", `--outputFile=${report}`];
  const { stderr } = spawnSync(
    process.execPath,
    [join(folder, "node_modules/vitest/vitest.mjs"), ...args, ...(title ? ["-t", title] : [])],
    {
      cwd: folder,
      encoding: "utf8",
      env: {
        ...process.env,
        HOLDFAST_FULL: "0",
        HOLDFAST_FIGURES: undefined,
        VITEST: undefined,
        ...environment,
      },
    },
  );
  const { numTotalTests, testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  if (numTotalTests === 0 || results.length === 0) throw new Error(stderr);
  const red = results.filter(({ status }) => status === "failed").map((each) => each.title);
  return { ran: red.length > 0 || results.some(({ status }) => status === "passed"), red };
}

interface Report {
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly title: string }[];
  }[];
}
