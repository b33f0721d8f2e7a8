// Faults by the ten thousand, in one process: a disk in memory (memory-disk.ts) fails, tears, drops
// and reorders under the real documents and a real database (S5.1–S5.3). What is tried stands in
// _model-plans.ts, what must be so in _model-case.ts. HOLDFAST_CASE=<part of a title> runs those
// cases alone.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import type { Store } from "../../src/store/database/store.ts";
import { figure } from "../figures.ts";
import { Case } from "./_model-case.ts";
import { type Plan, modeOf, storyPlans, talePlan } from "./_model-plans.ts";
import { full, limit, memoryFolder, seeded } from "./programs.ts";

const only = process.env["HOLDFAST_CASE"];
const every = full || only !== undefined;
/** So many cases, and the faults that must have come in them. */
const most = every
  ? { stories: Number.POSITIVE_INFINITY, tales: 4000 }
  : { stories: 680, tales: 250 };
const demanded = full ? { stories: 20_000, tales: 3500 } : { stories: 1250, tales: 200 };

let folder: string;
let store: Store;
beforeAll(async () => {
  // The database is real, but its own power cuts are another test's: memory will do.
  folder = memoryFolder() ?? mkdtempSync(join(tmpdir(), "holdfast-model-"));
  store = await openSqlite(join(folder, "holdfast.db"));
  const createdAt = "2026-01-01T00:00:00.000Z";
  await store.commit({ projects: [{ id: "p1", root: folder, hash: "00000000", createdAt }] });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

test(
  "S5.2 any fault at any step of a write or a recovery leaves the old or the new state, whole; what was acknowledged is there; file, row and journal agree; no litter; nobody is told without a reason",
  limit,
  async () => {
    const { failures, faults } = await runAll(
      "model.stories",
      spread(await storyPlans(store), most.stories),
    );
    expect(failures).toEqual([]);
    expect(faults).toBeGreaterThanOrEqual(only ? 0 : demanded.stories);
  },
);

test(
  "S5.2, S5.3 nor do several faults in a row, with a person's edits between and within the updates",
  limit,
  async () => {
    const plans = Array.from({ length: most.tales }, (_, place) => talePlan(place + 1));
    const { failures, faults } = await runAll("model.tales", plans);
    expect(failures).toEqual([]);
    expect(faults).toBeGreaterThanOrEqual(only ? 0 : demanded.tales);
  },
);

// --- internal ---

const shown = 20;
/** Documents of cases that are over. */
const over: string[] = [];

async function runAll(
  name: string,
  all: readonly Plan[],
): Promise<{ failures: string[]; faults: number }> {
  const plans = only ? all.filter(({ title }) => title.includes(only)) : all;
  // All of them, not the first: they tell more together.
  const failures: string[] = [];
  let faults = 0;
  for (const plan of plans)
    try {
      faults += await run(plan);
    } catch (cause) {
      failures.push(`${plan.title}: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
  const { length } = failures;
  figure(name, { seen: faults, lost: length, more: `${plans.length} cases` });
  if (length > shown) failures.splice(shown, length, `and ${length - shown} more`);
  return { failures, faults };
}

/** The faults that came. */
async function run({ formats, scenes, seed }: Plan): Promise<number> {
  const random = seeded(seed);
  const each = new Case(store, formats, random);
  over.push(...each.paths);
  // Memory is not endless: what was stored makes room.
  if (over.length > 200) await store.commit({ documentsGone: over.splice(0, 100) });
  let faults = 0;
  for (const scene of scenes) if (await each.act(...scene)) faults++;
  await each.checkUp(modeOf(random));
  return faults;
}

/** So many of them, from all parts. */
function spread(plans: readonly Plan[], wanted: number): readonly Plan[] {
  const step = plans.length / wanted;
  if (step <= 1) return plans;
  const random = seeded(2026);
  return Array.from({ length: wanted }, (_, place) => {
    const chosen = Math.floor(place * step) + random(Math.floor(step));
    return plans[chosen] as Plan;
  });
}
