// Cycles, one for each knot.
//
// Nodes that reach each other form a knot (a strongly connected component); it may hold more
// cycles than there are atoms, so one is told for each: a shortest one through its first node
// in plan order. Linear, and without recursion: a cycle may be 100,000 long.
import type { Rows } from "./_graph-build.ts";

/** Each cycle as nodes, every one needing the next, the last equal to the first. */
export function findCycles(dependencies: Rows, size: number): number[][] {
  const knotOf = findKnots(dependencies, size);
  const told = new Set<number>();
  const cycles: number[][] = [];
  for (let node = 0; node < size; node++) {
    const knot = knotOf[node] ?? 0;
    if (told.has(knot)) continue;
    told.add(knot);
    const cycle = shortestCycle(dependencies, knotOf, node);
    if (cycle.length > 0) cycles.push(cycle);
  }
  return cycles;
}

// --- internal ---

/** Tarjan's algorithm with its call stack written out. Gives each node the number of its knot. */
function findKnots({ starts, items }: Rows, size: number): Int32Array {
  const seenAt = new Int32Array(size); // 0 = not seen yet
  const lowest = new Int32Array(size);
  const cursor = starts.slice(0, size);
  const knotOf = new Int32Array(size).fill(-1);
  const open: number[] = []; // seen, knot not yet known
  const path: number[] = []; // the calls in progress
  let time = 0;
  let knots = 0;

  const enter = (node: number): void => {
    seenAt[node] = lowest[node] = ++time;
    open.push(node);
    path.push(node);
  };
  const leave = (node: number): void => {
    path.pop();
    const parent = path.at(-1);
    if (parent !== undefined) lowest[parent] = Math.min(lowest[parent] ?? 0, lowest[node] ?? 0);
    if (lowest[node] !== seenAt[node]) return;
    for (let member = open.pop(); member !== undefined; member = open.pop()) {
      knotOf[member] = knots;
      if (member === node) break;
    }
    knots++;
  };

  for (let root = 0; root < size; root++) {
    if (seenAt[root] !== 0) continue;
    enter(root);
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const at = cursor[node] ?? 0;
      if (at === starts[node + 1]) {
        leave(node);
        continue;
      }
      cursor[node] = at + 1;
      const next = items[at] ?? 0;
      if (seenAt[next] === 0) enter(next);
      else if (knotOf[next] === -1) lowest[node] = Math.min(lowest[node] ?? 0, seenAt[next] ?? 0);
    }
  }
  return knotOf;
}

/** Breadth first from the node back to itself inside its knot; empty when there is no way. */
function shortestCycle({ starts, items }: Rows, knotOf: Int32Array, from: number): number[] {
  const cameFrom = new Map<number, number>();
  const queue = [from];
  for (let head = 0; head < queue.length; head++) {
    const node = queue[head] ?? from;
    for (let at = starts[node] ?? 0; at < (starts[node + 1] ?? 0); at++) {
      const next = items[at] ?? 0;
      if (next === from) return walkBack(cameFrom, from, node);
      if (knotOf[next] !== knotOf[from] || cameFrom.has(next)) continue;
      cameFrom.set(next, node);
      queue.push(next);
    }
  }
  return [];
}

function walkBack(cameFrom: ReadonlyMap<number, number>, from: number, last: number): number[] {
  const cycle = [from];
  let node = last;
  while (node !== from) {
    cycle.push(node);
    node = cameFrom.get(node) ?? from;
  }
  cycle.push(from);
  return cycle.toReversed();
}
