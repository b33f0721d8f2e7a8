// Freeze, thaw and end of real agents by a real server (S1.10), whatever the agent does about it
// and however the server was started. What is verified is read from /proc by the test itself.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Found } from "../../src/agents/supervisor.ts";
import { limit, until } from "../crash/programs.ts";
import { figure } from "../figures.ts";
import { type Server, bundle, startServer, ways } from "./servers.ts";
import { type ChaosWorld, chaosWorld, living, moving } from "./world.ts";

let world: ChaosWorld;
let program = "";
let shelf: ChaosWorld;

beforeAll(async () => {
  shelf = chaosWorld();
  program = await bundle("server.ts", shelf.place);
});
afterAll(() => shelf.close());
beforeEach(() => {
  world = chaosWorld();
});
afterEach(() => world.close());

/** Appends to the file until the end of its days. */
const ticks = 'while :; do echo tick >>"$HOLDFAST_ROOT/ticks"; sleep 0.01; done';
/** Each with the processes it has at least, the holder's two among them, and how it ends. */
const kinds = {
  polite: { script: `trap 'exit 5' TERM; ${ticks}`, least: 3, code: 5 },
  "ignores SIGTSTP": { script: `trap '' TSTP; ${ticks}`, least: 3, code: 143 },
  "ignores SIGTERM": { script: `trap '' TERM; ${ticks}`, least: 3, code: 137 },
  "double-forks": { script: `( ( ${ticks} ) & ); exec sleep 1000`, least: 4, code: 143 },
  "tool in its own session": {
    script: `setsid sh -c '${ticks}' & exec sleep 1000`,
    least: 4,
    code: 143,
  },
} as const;
type Kind = keyof typeof kinds;

const times: Record<string, number[]> = {};
const note = (what: string, { ms }: Found): void => void (times[what] ??= []).push(ms);

const cases = (Object.keys(kinds) as Kind[]).flatMap((kind) => ways.map((way) => [kind, way]));
let passed = 0;

test.each(cases as [Kind, (typeof ways)[number]][])(
  "S1.10 an agent that is “%s”, server “%s”: frozen, thawed, ended, and ended while frozen",
  limit,
  async (kind, way) => {
    const server = startServer(program, world.home, world.place, { way });
    await begin(server, "a", kind);

    note("freeze", await server.ask({ do: "freeze", run: "a" }));
    await isQuiet("a", kind);
    expect(await server.ask({ do: "look", run: "a" })).toMatchObject({ frozen: true });
    passed++;

    const thawed = await server.ask({ do: "thaw", run: "a" });
    note("thaw", thawed);
    expect(thawed).toMatchObject({ verified: true });
    expect(living(world.home).filter(({ states }) => states.includes("T"))).toEqual([]);
    await ticksOn();
    passed++;

    note(`end, ${kinds[kind].code === 137 ? "killed" : "polite"}`, await end(server, "a", kind));
    passed++;

    await begin(server, "b", kind);
    expect(await server.ask({ do: "freeze", run: "b" })).toMatchObject({ verified: true });
    await isQuiet("b", kind);
    note(
      `end while frozen, ${kinds[kind].code === 137 ? "killed" : "polite"}`,
      await end(server, "b", kind),
    );
    passed++;
    await server.stop();
  },
);

test("S1.10 all sixty of sixty", () => {
  const more = Object.entries(times).map(([what, list]) => {
    const sorted = list.toSorted((a, b) => a - b).map((ms) => Math.round(ms));
    return `${what} ${sorted[sorted.length >> 1]} ms, at most ${sorted.at(-1)}`;
  });
  const late = times["freeze"]?.filter((ms) => ms > 250).length ?? 0;
  figure("agents frozen and ended", {
    seen: passed,
    lost: 60 - passed + late,
    more: more.join("; "),
  });
  expect(passed).toBe(60);
});

// --- internal ---

async function begin(server: Server, run: string, kind: Kind): Promise<void> {
  const { script, least } = kinds[kind];
  await server.ask({ do: "start", run, command: ["sh", "-c", script] });
  await until("all of it runs", () => living(world.home).length >= least);
  await ticksOn();
}

const ticked = (): number => {
  const path = join(world.place, "ticks");
  return existsSync(path) ? readFileSync(path).length : 0;
};

async function ticksOn(): Promise<void> {
  const before = ticked();
  await until("it ticks", () => ticked() > before + 5);
}

/** Every thread of every process of it is stopped, and what it would do does not happen. */
async function isQuiet(run: string, kind: Kind): Promise<void> {
  const all = living(world.home);
  expect(all.length).toBeGreaterThanOrEqual(kinds[kind].least);
  expect(moving(all)).toEqual([]);
  expect(all.every((each) => each.run === run)).toBe(true);
  const before = ticked();
  // Five times as long as a tick takes, measured by a process that is not frozen.
  spawnSync("sleep", ["0.05"]);
  expect(ticked()).toBe(before);
}

async function end(server: Server, run: string, kind: Kind): Promise<Found> {
  const found = await server.ask({
    do: "end",
    run,
    graceMs: kinds[kind].code === 137 ? 200 : 60_000,
  });
  expect(found).toMatchObject({ verified: true });
  expect(living(world.home)).toEqual([]);
  const before = ticked();
  spawnSync("sleep", ["0.05"]);
  expect(ticked()).toBe(before);
  // It had its say, also when it was frozen: a stopped process acts on SIGTERM when it goes on.
  expect(await server.ask({ do: "look", run })).toMatchObject({
    state: "ended",
    code: kinds[kind].code,
  });
  return found;
}
