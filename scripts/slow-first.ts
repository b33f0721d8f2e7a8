// The order of test files: those that take minutes first, so that none of them is left alone at the
// end while the other worker has nothing to do. The others as Vitest has them.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** As `npm run test:full` measured them, the longest first. */
const slow = [
  "test/crash/kill.test.ts",
  "test/crash/contest.test.ts",
  "test/git-person/random.test.ts",
  "test/git-person/server.test.ts",
  "test/git-person/headless.test.ts",
  "test/git-person/session.test.ts",
  "test/engine/kill.test.ts",
  "test/crash/power.test.ts",
  "test/crash/model.test.ts",
  "test/crash/full-disk.test.ts",
  "test/engine/tree-kill.test.ts",
  "test/e2e/screens.test.ts",
  "test/orchestrate/headless.test.ts",
];

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a sequencer's own, not that of a list
    const usual = await super.sort(files);
    return usual.toSorted((one, other) => rank(one) - rank(other));
  }
}

// --- internal ---

function rank({ moduleId }: TestSpecification): number {
  const place = slow.findIndex((name) => moduleId.endsWith(name));
  return place < 0 ? slow.length : place;
}
