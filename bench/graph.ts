// Job 2: complete one unit and take the next, in plans of 10,000 and 100,000 units.
//
// The limit is two arrays of counters written by hand for this one purpose. What is naive, and
// common, is to look through all units again after each completion.
import { performance } from "node:perf_hooks";
import { type Graph, type GraphNode, buildGraph } from "../src/core/graph.ts";
import { compare, demand } from "./harness.ts";

const job = "graph";
const rounds = 10;
const sizes = [10_000, 100_000] as const;
/** Units in progress at a time. */
const together = 64;

export async function bench(): Promise<void> {
  const plans = new Map(sizes.map((size) => [size, makePlan(size)]));
  const nodesOf = (size: number): GraphNode[] => plans.get(size as 10_000) ?? [];
  countEdges(nodesOf(100_000));

  // As many completions at each size: ten small plans against one large one.
  const steps = 100_000;
  const contenders = sizes.flatMap((size) => {
    const nodes = nodesOf(size);
    const times = steps / size;
    // Building is not what is measured: each round finds its plans ready.
    const counted = stock(times * (rounds + 1), () => makeCounters(nodes));
    const built = stock(times * (rounds + 1), () => build(nodes));
    return [
      { name: `counters ${size}`, run: () => counted(times).map(runCounters) },
      { name: `ours ${size}`, run: () => built(times).map((graph) => runGraph(graph)) },
    ];
  });
  const checkers = sizes.map((size) => checker(nodesOf(size)));
  const equal = (results: unknown[]): boolean =>
    results.every((orders, place) =>
      (orders as string[][]).every((order) => checkers[place >> 1]?.(order)),
    );
  const done = await compare({ job, rounds, measure: "cpu", contenders, equal });
  const micros = (name: string): number => (done.total(name) * 1000) / steps / rounds;

  for (const size of sizes) {
    const at = `at ${size.toLocaleString("en-US")}`;
    demand(job, `complete + next ${at}, µs`, micros(`ours ${size}`), 5);
    const ratio = done.ratio(`ours ${size}`, `counters ${size}`);
    demand(job, `times the counters written by hand, ${at}`, ratio, 4);
  }
  demand(job, "growth from 10,000 to 100,000", done.ratio("ours 100000", "ours 10000"), 1.5);
  for (const size of sizes) await againstRescan(nodesOf(size));
  timeBuild(nodesOf(100_000));
}

// --- contenders ---

interface Counters {
  readonly ids: readonly string[];
  readonly indexOf: ReadonlyMap<string, number>;
  readonly waiting: number[];
  readonly dependents: readonly number[][];
}

function makeCounters(nodes: readonly GraphNode[]): Counters {
  const indexOf = new Map(nodes.map(({ id }, index) => [id, index]));
  const dependents: number[][] = nodes.map(() => []);
  for (const [index, { dependencies }] of nodes.entries())
    for (const id of dependencies) dependents[indexOf.get(id) ?? 0]?.push(index);
  const waiting = nodes.map(({ dependencies }) => dependencies.length);
  return { ids: nodes.map(({ id }) => id), indexOf, waiting, dependents };
}

/** The same work through the same door: an id comes in, the next id goes out. */
function runCounters({ ids, indexOf, waiting, dependents }: Counters): string[] {
  const order: string[] = [];
  const queue: number[] = [];
  let taken = 0;
  const take = (): void => {
    if (taken < queue.length) order.push(ids[queue[taken++] ?? 0] ?? "");
  };
  for (let node = 0; node < ids.length; node++) if (waiting[node] === 0) queue.push(node);
  for (let n = 0; n < together; n++) take();
  for (let head = 0; head < order.length; head++) {
    for (const next of dependents[indexOf.get(order[head] ?? "") ?? 0] ?? []) {
      const left = (waiting[next] ?? 0) - 1;
      waiting[next] = left;
      if (left === 0) queue.push(next);
    }
    take();
  }
  return order;
}

function runGraph(graph: Graph, steps = Infinity): string[] {
  const order: string[] = [];
  for (let n = 0; n < together; n++) {
    const id = graph.take();
    if (id !== undefined) order.push(id);
  }
  for (let head = 0; head < order.length && head < steps; head++) {
    graph.complete(order[head] ?? "");
    const id = graph.take();
    if (id !== undefined) order.push(id);
  }
  return order;
}

/** Looks through the whole plan for the first unit that may start, after each completion. */
function runRescan(nodes: readonly GraphNode[], steps: number): string[] {
  const status = new Map(nodes.map(({ id }) => [id, "pending"]));
  const order: string[] = [];
  const next = (): void => {
    let first: GraphNode | undefined;
    for (const node of nodes) {
      if (status.get(node.id) !== "pending") continue;
      if (node.dependencies.every((id) => status.get(id) === "completed")) first ??= node;
    }
    if (first === undefined) return;
    status.set(first.id, "in_progress");
    order.push(first.id);
  };
  for (let n = 0; n < together; n++) next();
  for (let head = 0; head < steps; head++) {
    status.set(order[head] ?? "", "completed");
    next();
  }
  return order;
}

async function againstRescan(nodes: readonly GraphNode[]): Promise<void> {
  const few = 5;
  const steps = 200_000 / nodes.length;
  const built = stock(few + 1, () => build(nodes));
  const name = `rescan of ${nodes.length}`;
  const done = await compare({
    job: `${job}, the first ${steps + together} units of ${nodes.length}`,
    rounds: few,
    measure: "wall",
    contenders: [
      { name: "ours", run: () => built(1).map((graph) => runGraph(graph, steps))[0] },
      { name, run: () => runRescan(nodes, steps) },
    ],
    // Ours takes in plan order, so that even the order has to be the same.
    equal: ([ours, theirs]) => String(ours) === String(theirs),
  });
  demand(job, `faster than a ${name}, times`, done.ratio(name, "ours"), 100, "min");
}

// --- plans ---

/** Layers of 100; each unit needs three of the layer above. Random, but always the same. */
function makePlan(size: number): GraphNode[] {
  let seed = 42;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (seed >>> 8) % below;
  };
  return Array.from({ length: size }, (_, n) => {
    const layer = Math.floor(n / 100);
    const above = Array.from({ length: 3 }, () => `T${layer - 1}.${random(100)}`);
    return { id: `T${layer}.${n % 100}`, dependencies: layer === 0 ? [] : [...new Set(above)] };
  });
}

function build(nodes: readonly GraphNode[]): Graph {
  const built = buildGraph(nodes);
  if (!built.ok) throw new Error(`${built.problems.length} problems in the plan`);
  return built.graph;
}

/** Things made beforehand, handed out so many at a time. */
function stock<T>(size: number, make: () => T): (count: number) => T[] {
  const things = Array.from({ length: size }, make);
  return (count) => things.splice(-count);
}

/** Every unit once, none before what it needs. Leaves no garbage for the next round to pay for. */
function checker(nodes: readonly GraphNode[]): (order: readonly string[]) => boolean {
  const indexOf = new Map(nodes.map(({ id }, index) => [id, index]));
  const needs = nodes.map(({ dependencies }) => dependencies.map((id) => indexOf.get(id) ?? -1));
  const at = new Int32Array(nodes.length);
  return (order) => {
    at.fill(-1);
    for (const [place, id] of order.entries()) at[indexOf.get(id) ?? 0] = place;
    if (order.length !== nodes.length || at.includes(-1)) return false;
    return needs.every((list, node) => list.every((other) => (at[other] ?? 0) < (at[node] ?? 0)));
  };
}

/** A counter first: it can not be noisy. */
function countEdges(nodes: readonly GraphNode[]): void {
  const edges = nodes.reduce((sum, { dependencies }) => sum + dependencies.length, 0);
  const graph = build(nodes);
  runGraph(graph);
  console.log(`\n${job}: ${nodes.length} units, ${edges} edges`);
  demand(job, "edges looked at, per edge, in a full run", graph.edgesTouched / edges, 1);
}

function timeBuild(nodes: readonly GraphNode[]): void {
  const start = performance.now();
  build(nodes);
  const ms = performance.now() - start;
  console.log(`\n${job}: ${nodes.length} units are built and checked in ${Math.round(ms)} ms`);
}
