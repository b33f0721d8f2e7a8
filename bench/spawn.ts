// Job 7: 1,000 agents started. The limit is C with posix_spawn that starts the very same holders; a
// child without a holder shows what surviving our death costs.
import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { holderCommand } from "../src/agents/_holder.ts";
import { compare, demand } from "./harness.ts";
import { bundleProgram, environment } from "./program.ts";
import { cache } from "./shim.ts";
import type { Asked } from "./spawn-program.ts";

const job = "spawn";
const together = 100;
const rounds = 10;

export async function bench(): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "bench-spawn-"));
  const supervisor = await Program.start(folder);
  try {
    await starts(folder, supervisor);
    await thousand(supervisor);
  } finally {
    await supervisor.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function starts(folder: string, supervisor: Program): Promise<void> {
  const limit = join(folder, "limit");
  const source = join(import.meta.dirname, "spawn.c");
  if (spawnSync("cc", ["-D_GNU_SOURCE", "-O2", "-o", limit, source]).status !== 0) {
    console.log(`\n${job}: SKIPPED no C compiler (cc): nothing to compare with`);
    return;
  }
  const inC = (below: string, words: readonly string[]): number => {
    const { status } = spawnSync(limit, [String(together), below, ...words], {
      env: environment(folder),
      stdio: "ignore",
    });
    if (status !== 0) throw new Error(`${job}: the limit failed`);
    return together;
  };
  // Made before: the limit only starts.
  const places = Array.from({ length: rounds + 1 }, (_, n) => makeFolders(folder, n));
  const done = await compare({
    job: `${job}, ${together} at once`,
    rounds,
    measure: "wall",
    contenders: [
      {
        name: "C, holder",
        run: () => inC(places.pop() ?? "", holderCommand("/bin/sh", "%", ["true"])),
      },
      { name: "ours", run: () => supervisor.ask({ do: "start", count: together }) },
      { name: "C, bare child", run: () => inC(folder, ["true"]) },
      { name: "Node, bare child", run: () => supervisor.ask({ do: "bare", count: together }) },
    ],
    equal: (results) => results.every((count) => count === together),
  });
  const each = done.total("ours") / together;
  console.log(`  one agent: ${each.toFixed(2)} ms from its start to its end`);
  demand(job, "times C with the same holder", done.ratio("ours", "C, holder"), 2.5);
}

async function thousand(supervisor: Program): Promise<void> {
  const count = 1000;
  const { rss, frozen, look } = (await supervisor.ask({ do: "thousand", count })) as {
    rss: number;
    frozen: { ms: number; verified: boolean };
    look: number;
  };
  if (!frozen.verified) throw new Error(`${job}: it was not frozen`);
  console.log(`\n${job}: ${count} living agents`);
  console.log(
    `  one of them frozen in ${Math.round(frozen.ms)} ms, a look at one ${look.toFixed(3)} ms`,
  );
  demand(job, "memory of the supervisor, MB", rss / 1e6, 150);
}

// --- internal ---

function makeFolders(folder: string, round: number): string {
  const below = join(folder, `limit-${round}`);
  for (let n = 0; n < together; n++) {
    mkdirSync(join(below, String(n)), { recursive: true });
    closeSync(openSync(join(below, String(n), "in"), "w"));
  }
  return below;
}

/** The supervisor in a process of its own: forking a small process is what it will do. */
class Program {
  readonly ask: (asked: Asked) => Promise<unknown>;
  readonly stop: () => Promise<void>;

  private constructor(program: string, home: string) {
    const child = spawn(process.execPath, [program, home], {
      stdio: ["pipe", "pipe", "inherit"],
      env: environment(home),
    });
    const waiting: { done: (answer: unknown) => void; failed: (cause: Error) => void }[] = [];
    createInterface({ input: child.stdout }).on("line", (line) =>
      waiting.shift()?.done(JSON.parse(line)),
    );
    const ended = new Promise<void>((end) => child.once("close", () => end()));
    void ended.then(() => {
      for (const { failed } of waiting) failed(new Error(`${job}: the supervisor ended`));
    });
    this.ask = (asked) =>
      new Promise((done, failed) => {
        waiting.push({ done, failed });
        child.stdin.write(`${JSON.stringify(asked)}\n`);
      });
    this.stop = () => {
      child.stdin.end();
      return ended;
    };
  }

  static async start(folder: string): Promise<Program> {
    const program = await bundleProgram(join(import.meta.dirname, "spawn-program.ts"), folder);
    const home = join(folder, "home");
    mkdirSync(home, { mode: 0o700 });
    return new Program(program, home);
  }
}
