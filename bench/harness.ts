// Ratios that hold on a noisy machine.
//
// Limit, naive, peer and ours run in the same process and in every round, in an order that
// rotates: whatever slows a round slows them all. Blocks of A, then of B, spread by up to 5.5×
// under load; ratios inside a round by 1.04–1.07. CPU jobs are gated on summed CPU, jobs that
// wait for a disk on median wall time.
import { performance } from "node:perf_hooks";

export interface Contender {
  name: string;
  // oxlint-disable-next-line no-redundant-type-constituents -- says that a promise is awaited
  run(): unknown | Promise<unknown>;
}

export interface Comparison {
  /** How many times as long as `base` did `name` take? */
  readonly ratio: (name: string, base: string) => number;
  /** Milliseconds: the sum over all rounds ("cpu") or the median round ("wall"). */
  readonly total: (name: string) => number;
}

export interface CompareOptions {
  job: string;
  rounds: number;
  measure: "cpu" | "wall";
  contenders: Contender[];
  /** Did they all do the same work? Asked in every round, results in the contenders' order. */
  equal?: (results: unknown[]) => boolean;
}

export async function compare(options: CompareOptions): Promise<Comparison> {
  const { job, rounds, measure, contenders, equal } = options;
  const times = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  if (times.size !== contenders.length) throw new Error(`${job}: two contenders share a name`);
  // Round -1 warms up (compiled code, page cache) and is not counted.
  for (let round = -1; round < rounds; round++) {
    const results: unknown[] = [];
    for (let turn = 0; turn < contenders.length; turn++) {
      const place = (turn + round + 1) % contenders.length;
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

/** States a demand, prints whether it is met, and remembers the answer for summary(). */
export function demand(
  job: string,
  what: string,
  value: number,
  limit: number,
  kind: "max" | "min" = "max",
): void {
  const met = kind === "max" ? value <= limit : value >= limit;
  demands.push({ job, what, met });
  const sign = kind === "max" ? "≤" : "≥";
  console.log(
    `  ${met ? "ok    " : "MISSED"}  ${what}: ${number(value)} (${sign} ${number(limit)})`,
  );
}

/** Says how many demands were missed, and which; true when none was. */
export function summary(): boolean {
  const missed = demands.filter(({ met }) => !met);
  console.log(`\n${demands.length - missed.length} of ${demands.length} demands met`);
  for (const { job, what } of missed) console.log(`  MISSED  ${job}: ${what}`);
  return missed.length === 0;
}

// --- internal ---

const demands: { job: string; what: string; met: boolean }[] = [];

async function timed(
  measure: "cpu" | "wall",
  contender: Contender,
): Promise<{ ms: number; result: unknown }> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const result = await contender.run();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { ms: measure === "cpu" ? (user + system) / 1000 : wall, result };
}

function judge(measure: "cpu" | "wall", times: ReadonlyMap<string, number[]>): Comparison {
  const of = (name: string): number[] => {
    const found = times.get(name);
    if (found === undefined) throw new Error(`no contender is called ${name}`);
    return found;
  };
  const total = (name: string): number => (measure === "cpu" ? sum : median)(of(name));
  return {
    total,
    ratio: (name, base) => {
      if (measure === "cpu") return total(name) / total(base);
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
  ]);
  const sort = measure === "cpu" ? "summed CPU" : "median wall time";
  console.log(`\n${job}: ${sort}, ${rounds} rounds`);
  const widths = [0, 1, 2].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const [name = "", ms = "", ratio = ""] of rows) {
    const [a = 0, b = 0, c = 0] = widths;
    console.log(`  ${name.padEnd(a)}  ${ms.padStart(b)}  ${ratio.padStart(c)}`);
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
