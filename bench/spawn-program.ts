// A supervisor alone in its process, as small as it will be: starts as many as it is told, and says
// what it took. One JSON a line; see spawn.ts.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { agentEnvironment } from "../src/agents/environment.ts";
import { runFolder } from "../src/agents/run.ts";
import { closeInput } from "../src/agents/streams.ts";
import { type RunSpec, Supervisor } from "../src/agents/supervisor.ts";

const [home = ""] = process.argv.slice(2);
const supervisor = new Supervisor({ home, now: () => performance.now(), wait: pause });
let started = 0;

export interface Asked {
  readonly do: "start" | "bare" | "thousand";
  readonly count: number;
}

const answers: Record<Asked["do"], (count: number) => Promise<unknown>> = {
  start: async (count) => {
    const specs = Array.from({ length: count }, () => nextSpec(["true"]));
    await Promise.all(specs.map((spec) => supervisor.start(spec)));
    await allEnded(specs);
    return count;
  },
  bare: async (count) => {
    const children = Array.from({ length: count }, () => spawn("true", { stdio: "ignore" }));
    await Promise.all(children.map((child) => new Promise((end) => child.once("exit", end))));
    return count;
  },
  thousand: async (count) => {
    const specs = Array.from({ length: count }, () => nextSpec(["cat"]));
    // As a scheduler would: a few at a time.
    for (let at = 0; at < count; at += 20)
      await Promise.all(specs.slice(at, at + 20).map((spec) => supervisor.start(spec)));
    for (const { folder } of specs)
      while ((await supervisor.look(folder)).state !== "running") await pause(1);
    const run = specs[0]?.run ?? "";
    const frozen = await supervisor.freeze(run);
    await supervisor.thaw(run);
    const began = performance.now();
    for (const { folder } of specs) await supervisor.look(folder);
    const look = (performance.now() - began) / count;
    const { rss } = process.memoryUsage();
    for (const { folder } of specs) await closeInput(folder);
    await allEnded(specs);
    return { rss, frozen, look };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line) as Asked;
  console.log(JSON.stringify(await answers[asked.do](asked.count)));
}

// --- internal ---

async function allEnded(specs: readonly RunSpec[]): Promise<void> {
  const left = new Set(specs.map(({ folder }) => join(folder, "exit")));
  while (left.size > 0) {
    for (const path of left) if (existsSync(path)) left.delete(path);
    await pause(1);
  }
}

function nextSpec(command: readonly string[]): RunSpec {
  const run = `run-${++started}`;
  const env = agentEnvironment(process.env, { run, home, root: home });
  return { run, folder: runFolder(home, run), command, cwd: home, env };
}
