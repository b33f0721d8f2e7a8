// Real processes and one lock (S2.7): its holder dies, is stopped, or is not Holdfast at all.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { figure } from "../figures.ts";
import { checkAfter, litter } from "./check.ts";
import {
  type Running,
  type Workshop,
  compile,
  full,
  isStopped,
  limit,
  stop,
  until,
  workshop,
} from "./programs.ts";
import { documentOf } from "./real-world.ts";

const writers = 8;
const rounds = full ? 60 : 10;
/** More calls than an update makes beside its document. */
const mostSteps = 16;

let shop: Workshop;
let writer = "";
let home = "";
let project = "";
let document = "";

beforeEach(async () => {
  shop = workshop();
  writer = await shop.bundle("writer.ts");
  home = join(shop.folder, "home");
  project = join(shop.folder, "project");
  document = documentOf(project).path;
  mkdirSync(dirname(document), { recursive: true });
});
afterEach(() => shop.close());

test(
  `S2.7 of ${writers} contenders for the lock of a dead process only one is inside at a time`,
  limit,
  async () => {
    const stale = await lockOfTheDead();
    const contenders = Array.from({ length: writers }, () => start("contend"));
    await Promise.all(contenders.map((each) => each.said("ready")));
    for (let round = 1; round <= rounds; round++) {
      copyFileSync(stale, `${document}.lock`);
      for (const each of contenders) each.tell("go");
      await Promise.all(contenders.map((each) => each.said("held", round)));
    }
    for (const each of contenders) each.tell("");
    for (const each of contenders) expect(await each.ended).toMatchObject({ code: 0 });
    expect(litter(project)).toEqual([]);
    figure("takeover.stale", { seen: rounds, lost: 0, more: `${writers} contenders each` });
  },
);

test(
  "S2.7 a killed holder is replaced within a second, a stopped one after a second, and then it is fenced",
  limit,
  async () => {
    const holder = start("ask", "stopped");
    await holder.said("inside");
    await stop(holder);
    const began = Date.now();
    const next = start("count", "next", 2);
    expect(await next.ended).toMatchObject({ code: 0 });
    expect(Date.now() - began).toBeGreaterThanOrEqual(1000);

    holder.tell("go on");
    holder.signal("SIGCONT");
    // What it wanted to write is refused, so it reads anew and asks again.
    await holder.said("inside", 2);
    holder.tell("go on");
    expect(await holder.ended).toMatchObject({ code: 0 });
    await checkAfter(home, project, {
      acked: new Map([
        ["next", 2],
        ["stopped", 1],
      ]),
      exact: true,
    });
    figure("takeover.fenced", { seen: 1, lost: 0 });

    const killed = start("ask", "killed");
    await killed.said("inside");
    const heir = start("ask", "heir");
    await contending();
    killed.signal("SIGKILL");
    await killed.ended;
    // The second is what is promised, not patience.
    await until("the heir inside", () => heir.lines.includes("inside"), 1000);
    heir.tell("go on");
    expect(await heir.ended).toMatchObject({ code: 0 });
    expect(litter(project)).toEqual([]);
    figure("takeover.killed", { seen: 1, lost: 0 });
  },
);

test(
  "S2.7 a process stopped at any step of its update and taken over loses nothing, nor does the other",
  limit,
  async ({ skip }) => {
    const library = compile("fault.c", shop.folder, true);
    if (typeof library !== "string") skip(`stops at each step: ${library.why}`);
    const tally: Record<string, number> = {};
    const queue = Array.from({ length: mostSteps }, (_, place) => place + 1).values();
    const work = async (): Promise<void> => {
      for (const step of queue) {
        const ending = await stoppedAt(step, library as string);
        tally[ending] = (tally[ending] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: 4 }, work));
    const more = Object.entries(tally).map(([ending, times]) => `${times} ${ending}`);
    figure("takeover.stopped", { seen: mostSteps, lost: 0, more: more.join(", ") });
    // Beyond the last step nobody is stopped: so all of them were reached.
    expect(tally["not reached"]).toBeGreaterThan(0);
    expect(tally["taken over"]).toBeGreaterThan(5);
  },
);

test(
  "S2.7 a shell script that follows the sources' rule and Holdfast keep each other out",
  limit,
  async ({ skip }) => {
    skip(spawnSync("sh", ["-c", "true"]).error !== undefined, "a foreign script: there is no sh");
    expect(await start("count").ended).toMatchObject({ code: 0 });

    // The script has the lock and has read the file: we wait.
    const first = script('"preferences": {}', '"preferences": {"tone": "kind"}');
    await first.said("locked");
    const waiting = start("count");
    await contending();
    expect(waiting.acked()).toBe(0);
    first.tell("go on");
    expect(await first.ended).toMatchObject({ code: 0 });
    expect(await waiting.ended).toMatchObject({ code: 0 });
    expect(waiting.lines).toEqual(["ready", "ack 2", "told document.foreign"]);

    // We have it: the script waits.
    const ours = start("ask");
    await ours.said("inside");
    const second = script('"kind"', '"short"');
    await second.said("waiting");
    expect(second.lines).toEqual(["waiting"]);
    ours.tell("go on");
    expect(await ours.ended).toMatchObject({ code: 0 });
    await second.said("locked");
    second.tell("go on");
    expect(await second.ended).toMatchObject({ code: 0 });

    const acked = new Map([["n", 3]]);
    await checkAfter(home, project, { acked, exact: true, told: ["document.foreign"] });
    expect(JSON.parse(readFileSync(document, "utf8"))).toMatchObject({
      preferences: { tone: "short" },
      shared_data: { n: 4 },
    });
    figure("takeover.script", { seen: 2, lost: 0 });
  },
);

// --- internal ---

/** One is stopped before its n-th call in the project, another makes an update, the first goes on. */
async function stoppedAt(step: number, library: string): Promise<string> {
  const [its, there] = [join(shop.folder, `home-${step}`), join(shop.folder, `project-${step}`)];
  const command = [process.execPath, writer, its, there, "count"];
  expect(await shop.start([...command, "first", "1"]).ended).toMatchObject({ code: 0 });
  const first = shop.start([...command, "first", "1"], {
    LD_PRELOAD: library,
    FAULT: "stop",
    FAULT_AT: `${step}`,
    FAULT_BELOW: `${there}/`,
  });
  await until("it stopped or ended", () => isStopped(first));
  const reached = stands(first);
  const second = shop.start([...command, "second", "1"]);
  await second.ended;
  first.signal("SIGCONT");
  await first.ended;
  expect(first.lines, `stopped at step ${step}`).toEqual(["ready", "ack 2"]);
  // Stopped in the middle of a transaction, it keeps the database from everybody: told clearly.
  const kept = second.lines.some((line) => line.startsWith("fault locked"));
  expect(kept || second.lines.join(), `after a stop at step ${step}`).toBe(kept || "ready,ack 1");
  const acked = new Map([
    ["first", 2],
    ["second", kept ? 0 : 1],
  ]);
  await checkAfter(its, there, { acked, exact: true });
  return !reached ? "not reached" : kept ? "told" : "taken over";
}

/** Stopped, not gone: what one that is gone has said may still be on its way to us. */
function stands({ pid }: Running): boolean {
  try {
    return /\) [Tt] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

function start(what: string, name = "n", times = 1): Running {
  return shop.start([process.execPath, writer, home, project, what, name, `${times}`]);
}

/** Somebody stands before the lock: its own file is there until it is inside. */
function contending(): Promise<void> {
  return until("a contender", () =>
    readdirSync(dirname(document)).some((name) => name.endsWith(".own")),
  );
}

/** A lock file whose holder has died, kept aside. */
async function lockOfTheDead(): Promise<string> {
  const holder = start("ask");
  await holder.said("inside");
  const kept = join(shop.folder, "stale.lock");
  copyFileSync(`${document}.lock`, kept);
  holder.signal("SIGKILL");
  await holder.ended;
  return kept;
}

/** The sources' rule: wait while the lock exists, create it, edit a copy, move it over, remove it. */
function script(from: string, to: string): Running {
  const text = `
    set -e
    if [ -e "$1.lock" ]; then echo waiting; fi
    while [ -e "$1.lock" ]; do sleep 0.01; done
    : > "$1.lock"
    sed 's/${from}/${to}/' "$1" > "$1.theirs"
    echo locked
    read -r go
    mv "$1.theirs" "$1"
    rm "$1.lock"`;
  return shop.start(["sh", "-c", text, "script", document]);
}
