// Real processes that die, or whose disk fails, at each call that changes a file (S5.2). The calls
// are counted by a library loaded before them (fault.c), in three situations.
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { figure } from "../figures.ts";
import { checkAfter } from "./check.ts";
import { type Workshop, compile, full, limit, memoryFolder, seeded, workshop } from "./programs.ts";

/** Which calls a fault can meet. */
const faults = {
  kill: "any",
  torn: "write",
  short: "write",
  brink: "write",
  eio: "any",
  enospc: "any",
  sync: "sync",
  "eio-all": "any",
  "enospc-all": "any",
} as const;
type FaultName = keyof typeof faults;

/** From nothing; on a document that is there; after another died between commit and rename. */
const situations = ["fresh", "existing", "orphaned"] as const;
type Situation = (typeof situations)[number];

interface Case {
  readonly situation: Situation;
  readonly fault: FaultName;
  readonly at: number;
}

/** All cases of one fault in one situation, “existing brink”: to look at what it finds. */
const only = process.env["HOLDFAST_FAULT"];
const updates = 3;
const reducedRuns = 60;
/** Folders to run in, two at once. A document's path is its name: nothing can be copied elsewhere. */
const places = ["a", "b"];

let shop: Workshop;
/** Where they run. In memory if there are many: a kill leaves what was written, synced or not. */
let where = "";
let library: string | { why: string };
let writer = "";
/** All of them, not the first: they tell more together. */
const failures: string[] = [];
/**
 * Acknowledged before the run begins. What was committed by one who died counts as such: whoever
 * opens it next finishes it.
 */
const begun: Record<Situation, number> = { fresh: 0, existing: updates, orphaned: updates + 1 };

beforeAll(async () => {
  shop = workshop();
  library = compile("fault.c", shop.folder, true);
  if (typeof library !== "string") return;
  where = (full ? memoryFolder() : undefined) ?? shop.folder;
  writer = await shop.bundle("writer.ts");
  for (const place of places) await prepare(place);
});
afterAll(async () => {
  await shop.close();
  rmSync(where, { recursive: true, force: true });
});

test(
  "S5.2 after a kill or a fault at any call: the old or the new state, what was acknowledged is there, file and journal agree, no litter",
  limit,
  async ({ skip }) => {
    if (typeof library !== "string") skip(`deaths at each call: ${library.why}`);
    const cases = await allCases();
    const chosen = full || only ? cases : choose(cases, reducedRuns);
    const tally: Record<string, number> = {};
    const queue = chosen.values();
    const work = async (place: string): Promise<void> => {
      for (const each of queue) {
        const key = `${each.fault} ${await runCase(place, each)}`;
        tally[key] = (tally[key] ?? 0) + 1;
      }
    };
    await Promise.all(places.map(work));
    const more = Object.entries(tally).map(([key, times]) => `${times} ${key}`);
    figure("kill.runs", {
      seen: chosen.length,
      lost: failures.length,
      more: `of ${cases.length} cases: ${more.toSorted().join(", ")}`,
    });
    expect(failures).toEqual([]);
    expect(chosen.length).toBeGreaterThanOrEqual(only ? 1 : full ? 1500 : reducedRuns);
  },
);

// --- internal ---

/** Keeps each situation beside the place it is for. */
async function prepare(place: string): Promise<void> {
  const keep = (situation: Situation): void =>
    cpSync(folderOf(place), `${folderOf(place)}-${situation}`, { recursive: true });
  mkdirSync(join(folderOf(place), "project"), { recursive: true });
  keep("fresh");
  expect((await run(place, "none", 0)).lines.at(-1)).toBe(`ack ${updates}`);
  keep("existing");
  const rename = (await callsOf(place, "existing")).indexOf("rename") + 1;
  bring(place, "existing");
  expect((await run(place, "kill", rename)).lines).toEqual(["ready"]);
  keep("orphaned");
}

const folderOf = (place: string): string => join(where, place);

function bring(place: string, situation: Situation): void {
  rmSync(folderOf(place), { recursive: true });
  cpSync(`${folderOf(place)}-${situation}`, folderOf(place), { recursive: true });
}

async function runCase(place: string, { situation, fault, at }: Case): Promise<string> {
  bring(place, situation);
  const { lines, ending, acked } = await run(place, fault, at);
  try {
    expect(lines.filter((line) => /^(error|told)/.test(line))).toEqual([]);
    const folder = folderOf(place);
    await checkAfter(join(folder, "home"), join(folder, "project"), {
      acked: new Map([["n", Math.max(acked, begun[situation])]]),
      // It told that the file is not written yet, unlocked and ended: the next one can not know
      // that no person put the old one back.
      ...(ending === "told" ? { mayBeTold: "document.published_again" } : {}),
    });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    failures.push(`${situation}, ${fault} at ${at}; it said: ${lines.join(" | ")}\n${why}`);
  }
  return ending;
}

/** Runs the writer with a fault at its n-th call. */
async function run(
  place: string,
  fault: string,
  at: number,
): Promise<{ lines: string[]; acked: number; ending: string; calls: string[] }> {
  const folder = folderOf(place);
  const log = `${folder}.log`;
  rmSync(log, { force: true });
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  const running = shop.start(
    [process.execPath, writer, home, project, "count", "n", `${updates}`],
    {
      LD_PRELOAD: library as string,
      FAULT_BELOW: `${folder}/`,
      FAULT: fault,
      FAULT_AT: `${at}`,
      FAULT_LOG: log,
    },
  );
  const { code, signal } = await running.ended;
  const calls = readFileSync(log, "utf8").split("\n").slice(0, -1);
  const ending = signal === null ? (code === 0 ? "went on" : "told") : "died";
  return { lines: running.lines, acked: running.acked(), ending, calls };
}

async function callsOf(place: string, situation: Situation): Promise<string[]> {
  bring(place, situation);
  return (await run(place, "none", 0)).calls;
}

async function allCases(): Promise<Case[]> {
  const cases: Case[] = [];
  for (const situation of situations) {
    const calls = await callsOf(places[0] ?? "", situation);
    console.log(`kill: ${situation}: ${calls.length} calls in ${updates} updates`);
    for (const [fault, meets] of Object.entries(faults) as [FaultName, string][])
      for (const [place, call] of calls.entries())
        if (
          (meets === "any" || meets === call) &&
          [undefined, `${situation} ${fault}`].includes(only)
        )
          cases.push({ situation, fault, at: place + 1 });
  }
  return cases;
}

/** Spread over all of them, so that each fault and situation has its share. */
function choose(cases: readonly Case[], wanted: number): Case[] {
  const random = seeded(2026);
  const step = cases.length / wanted;
  return Array.from(
    { length: wanted },
    (_, place) => cases[Math.floor(place * step) + random(Math.floor(step))],
  ).filter((each) => each !== undefined);
}
