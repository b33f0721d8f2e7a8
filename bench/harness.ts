// Ratios that hold on a noisy machine.
//
// Limit, naive, peer and ours run in the same process and in every round, in an order that
// rotates: whatever slows a round slows them all. Blocks of A, then of B, spread by up to 5.5×
// under load; ratios inside a round by 1.04–1.07. CPU jobs are gated on summed CPU, of this process
// or of the children it waits for, jobs that wait for a disk on median wall time.
import { performance } from "node:perf_hooks";
import { childrenCpu } from "./children.ts";

/** "children": the CPU of processes that were started and have ended; Linux only. */
export type Measure = "cpu" | "children" | "wall";

export interface Contender {
  name: string;
  // oxlint-disable-next-line no-redundant-type-constituents -- says that a promise is awaited
  run(): unknown | Promise<unknown>;
}

export interface Comparison {
  /** How many times as long as `base` did `name` take? */
  readonly ratio: (name: string, base: string) => number;
  /** Milliseconds: the sum over all rounds (CPU) or the median round ("wall"). */
  readonly total: (name: string) => number;
  /** The fastest round: what is left when nobody else wants the machine. */
  readonly best: (name: string) => number;
}

export interface CompareOptions {
  job: string;
  rounds: number;
  /** Rounds before those, which warm up (compiled code, page cache) and are not counted; one. */
  warmUp?: number;
  measure: Measure;
  contenders: Contender[];
  /** Did they all do the same work? Asked in every round, results in the contenders' order. */
  equal?: (results: unknown[]) => boolean;
}

export async function compare(options: CompareOptions): Promise<Comparison> {
  const { job, rounds, warmUp = 1, measure, contenders, equal } = options;
  const times = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  if (times.size !== contenders.length) throw new Error(`${job}: two contenders share a name`);
  for (let round = -warmUp; round < rounds; round++) {
    const results: unknown[] = [];
    for (let turn = 0; turn < contenders.length; turn++) {
      const place = (turn + round + warmUp) % contenders.length;
      const contender = contenders[place];
      if (contender === undefined) continue;
      const { ms, result } = await timed(measure, contender);
      results[place] = result;
      if (round >= 0) times.get(contender.name)?.push(ms);
    }
    if (equal && !equal(results)) throw new Error(`${job}: the contenders did unequal work`);
  }
  const comparison = judge(measure, times);
  printTable(options, comparison);
  return comparison;
}

/** Why a demand may be missed: what stands below it, measured in the same rounds. */
export interface Floor {
  /** How many times the floor did ours take? */
  readonly ratio: number;
  /** More than so many times, and it is our own fault. */
  readonly most: number;
  /** What the floor is, in a sentence that goes on: “ours is 1.12 times that”. */
  readonly reason: string;
}

/**
 * States a demand, prints whether it is met, and remembers the answer for summary(). One that is missed
 * may be explained: by a reason, or by a floor that ours stays near.
 */
export function demand(
  job: string,
  what: string,
  value: number,
  limit: number,
  kind: "max" | "min" = "max",
  why?: Floor | string,
): void {
  const met = kind === "max" ? value <= limit : value >= limit;
  const explained = typeof why === "object" ? why.ratio <= why.most : why !== undefined;
  const verdict = met ? "ok" : explained ? "EXPLAINED" : "MISSED";
  demands.push({ job, what, verdict });
  const figure = `${number(value)} (${kind === "max" ? "≤" : "≥"} ${number(limit)})`;
  const said =
    typeof why === "object"
      ? `${why.reason}; ours is ${number(why.ratio)} times that (≤ ${number(why.most)})`
      : why;
  const reason = met || said === undefined ? "" : `: ${said}`;
  console.log(`  ${verdict.padEnd(6)}  ${what}: ${figure}${reason}`);
}

/** Says how many demands were missed, and which; true when none was. */
export function summary(): boolean {
  const [met, missed, explained] = (["ok", "MISSED", "EXPLAINED"] as const).map((verdict) =>
    demands.filter((each) => each.verdict === verdict),
  ) as [Verdict[], Verdict[], Verdict[]];
  const more = explained.length > 0 ? `, ${explained.length} explained` : "";
  console.log(`\n${met.length} of ${demands.length} demands met${more}`);
  for (const { job, what, verdict } of [...explained, ...missed])
    console.log(`  ${verdict}  ${job}: ${what}`);
  return missed.length === 0;
}

// --- internal ---

interface Verdict {
  readonly job: string;
  readonly what: string;
  readonly verdict: "ok" | "MISSED" | "EXPLAINED";
}

const demands: Verdict[] = [];

async function timed(
  measure: Measure,
  contender: Contender,
): Promise<{ ms: number; result: unknown }> {
  const clock = clocks[measure];
  const start = clock();
  const result = await contender.run();
  return { ms: clock() - start, result };
}

/** Milliseconds. */
const clocks: Readonly<Record<Measure, () => number>> = {
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  children: childrenCpu,
  wall: () => performance.now(),
};

function judge(measure: Measure, times: ReadonlyMap<string, number[]>): Comparison {
  const of = (name: string): number[] => {
    const found = times.get(name);
    if (found === undefined) throw new Error(`no contender is called ${name}`);
    return found;
  };
  const total = (name: string): number => (measure === "wall" ? median : sum)(of(name));
  return {
    total,
    best: (name) => Math.min(...of(name)),
    ratio: (name, base) => {
      if (measure !== "wall") return total(name) / total(base);
      // A round that was slow for all says nothing about the ratio: take it inside each round.
      const bases = of(base);
      return median(of(name).map((ms, round) => ms / (bases[round] ?? ms)));
    },
  };
}

function printTable(options: CompareOptions, comparison: Comparison): void {
  const { job, rounds, measure, contenders } = options;
  const first = contenders[0]?.name ?? "";
  const rows = contenders.map(({ name }) => [
    name,
    `${number(comparison.total(name))} ms`,
    `${number(comparison.ratio(name, first))}×`,
    measure === "wall" ? `best ${number(comparison.best(name))} ms` : "",
  ]);
  const sort = measure === "wall" ? "median wall time" : "summed CPU";
  console.log(`\n${job}: ${sort}, ${rounds} rounds`);
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const [name = "", ...cells] of rows) {
    const figures = cells.map((cell, column) => cell.padStart(widths[column + 1] ?? 0));
    console.log(`  ${[name.padEnd(widths[0] ?? 0), ...figures].join("  ").trimEnd()}`);
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Three digits that count: 0.0123, 1.23, 123, 12,345. */
function number(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}
