// Job 6, of orchestrate: what an agent calls at every unit. `next` reads the run, `report` writes it
// durably: document, claim, journal. The limit is a process of the same Node that does nothing; the
// plan is a real TASKS.md, which a call must not parse when nothing in it has changed.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OrchestrateState } from "../src/formats/orchestrate-state.ts";
import { compare, demand } from "./harness.ts";
import { makeStepFloor } from "./orchestrate-floor.ts";
import { call, starter, told } from "./program.ts";
import { makeState } from "./samples.ts";
import { cache } from "./shim.ts";

const job = "orchestrate";
/** One call differs from the next by 13 %: with so many a ratio is uncertain by 1.5 %. */
const rounds = 150;
const sizes = [100, 1_000, 10_000] as const;

export async function bench(): Promise<void> {
  if (!existsSync(starter))
    throw new Error(`${job}: dist/holdfast is not built; npm run bench builds it`);
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "bench-orchestrate-"));
  try {
    const runs = sizes.map((size) => new Run(folder, size));
    const [first] = runs;
    const done = await compare({
      job,
      rounds,
      measure: "children",
      contenders: [
        { name: "node -e 0", run: () => call(["-e", "0"], first?.home ?? "") },
        ...runs.flatMap((run) => [
          { name: `next, ${run.size} tasks`, run: () => run.next() },
          { name: `report START, ${run.size} tasks`, run: () => run.start() },
          { name: `report DONE, ${run.size} tasks`, run: () => run.done() },
          { name: `a bare step, ${run.size} tasks`, run: () => run.bare() },
        ]),
      ],
      // Each says whether it has done its work.
      equal: ([, ...results]) => results.every((result) => result === true),
    });
    for (const [size, limit] of [
      [100, 1.3],
      [1_000, 1.3],
      [10_000, 1.5],
    ] as const)
      for (const what of ["next", "report START", "report DONE"]) {
        const title = `${what} at ${size.toLocaleString("en-US")} tasks, times node -e 0`;
        demand(job, title, done.ratio(`${what}, ${size} tasks`, "node -e 0"), limit);
      }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// --- internal ---

interface Held {
  readonly root: string;
  readonly id: string;
}

/** A plan that is begun: half of it is checked off, and what is next waits for what is done now. */
class Run {
  readonly size: number;
  readonly home: string;
  /** Projects with the same plan: a small one has too few units for all rounds. */
  readonly #roots: string[] = [];
  readonly #each: number;
  #started = 0;
  /** Whichever comes first in a round: START needs one that is free, DONE one that is held. */
  readonly #held: Held[] = [];

  constructor(folder: string, size: number) {
    this.size = size;
    this.home = join(folder, `home-${size}`);
    const plan = planOf(makeState(size));
    // Not all of them: the last of a plan ends it, which is another step.
    this.#each = Math.floor(size * 0.4);
    for (let units = 0; units < rounds + 10; units += this.#each)
      this.#roots.push(this.#begin(join(folder, `project-${size}-${units}`), plan));
    for (let n = 0; n < 3; n++) this.start();
  }

  next(): boolean {
    return /^READY:T\d/.test(this.#call(this.#free().root, ["next", "orchestrate"]));
  }

  start(): boolean {
    const { root, id } = this.#free();
    this.#started++;
    const said = this.#call(root, ["report", "orchestrate", `START:${id}`]);
    this.#held.push({ root, id });
    return said.startsWith("OK:") && stateIn(root).tasks.in_progress.includes(id);
  }

  /** No demand on us, only to be seen beside: what is left when nothing is decided, checked or kept. */
  bare(): boolean {
    const copy = join(this.home, "bare-state.json");
    if (!existsSync(copy)) writeFileSync(copy, JSON.stringify(stateIn(this.#free().root), null, 2));
    const floor = makeStepFloor(join(this.home, "bare.cjs"), join(this.home, "bare.db"));
    return call([floor, copy], this.home) === "OK\n";
  }

  done(): boolean {
    const { root, id } = this.#held.shift() ?? this.#free();
    const said = this.#call(root, ["report", "orchestrate", `DONE:${id}`]);
    return said === "OK\n" && stateIn(root).tasks.completed.includes(id);
  }

  #begin(root: string, plan: string): string {
    mkdirSync(root, { recursive: true });
    // Its own project, whatever lies above it.
    mkdirSync(join(root, ".git"));
    writeFileSync(join(root, ".git", "HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(root, "TASKS.md"), plan);
    this.#call(root, ["orchestrate", "--in-session", "--parallel", "1000"]);
    return root;
  }

  #free(): Held {
    const root = this.#roots[Math.floor(this.#started / this.#each)] ?? "";
    const [id = ""] = stateIn(root).tasks.ready;
    return { root, id };
  }

  #call(root: string, words: readonly string[]): string {
    return told([...words, "--session", "bench", "--cwd", root], this.home);
  }
}

function stateIn(root: string): OrchestrateState {
  const path = join(root, ".claude/orchestrate-state.json");
  return JSON.parse(readFileSync(path, "utf8")) as OrchestrateState;
}

/** One phase, so that as many are ready as are wanted; each needs up to three of those done. */
function planOf({ tasks, dependencies }: OrchestrateState): string {
  const done = new Set(tasks.completed);
  const ids = [...tasks.completed, ...tasks.in_progress, ...tasks.pending];
  const lines = ids.map((id) => {
    const needed = (dependencies[id] ?? []).filter((other) => done.has(id) || done.has(other));
    const depends = needed.length > 0 ? `\n  - depends: ${needed.map(inOnePhase).join(", ")}` : "";
    return `- [${done.has(id) ? "x" : " "}] ${inOnePhase(id)}: A task of the plan${depends}`;
  });
  return `# Bench\n\n## Phase 1: all\n\n${lines.join("\n")}\n`;
}

function inOnePhase(id: string): string {
  const [, phase, number] = /^T(\d+)\.(\d+)$/.exec(id) ?? [];
  return `T1.${Number(phase) * 500 + Number(number)}`;
}
