// Where each node stands: layers from left to right, each node behind all it waits for, and inside a
// layer near what it is joined with. Linear but for a few sweeps that sort layers, so a thousand nodes
// take milliseconds; nothing here knows what a node is.

export interface Placed {
  readonly x: number;
  readonly y: number;
  readonly layer: number;
  readonly order: number;
}

export interface Layout {
  readonly places: readonly Placed[];
  readonly width: number;
  readonly height: number;
  /** Node indices by layer, from top to bottom. */
  readonly layers: readonly (readonly number[])[];
}

export const nodeSize = { width: 172, height: 50 } as const;
const gap = { x: 52, y: 14 } as const;
const sweeps = 6;

/** `edges` are pairs of node indices, from what is waited for to what waits. */
export function layoutOf(count: number, edges: readonly (readonly [number, number])[]): Layout {
  const after: number[][] = Array.from({ length: count }, () => []);
  const before: number[][] = Array.from({ length: count }, () => []);
  for (const [from, to] of acyclic(count, edges)) {
    after[from]?.push(to);
    before[to]?.push(from);
  }
  const layerOf = layered(count, before, after);
  const layers: number[][] = [];
  for (let node = 0; node < count; node++) (layers[layerOf[node] ?? 0] ??= []).push(node);
  const wrapped = wrapLoners(layers, before, after);
  const order = new Float64Array(count);
  for (const layer of wrapped) layer.forEach((node, place) => (order[node] = place));
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? wrapped : wrapped.toReversed())
      sortBy(layer, down ? before : after, order);
  }
  return placed(count, wrapped, before, order);
}

// --- internal ---

/** A plan that is being written may go in a circle: the edge that closes one is not drawn straight. */
function acyclic(
  count: number,
  edges: readonly (readonly [number, number])[],
): (readonly [number, number])[] {
  const out: [number, number][][] = Array.from({ length: count }, () => []);
  for (const edge of edges) out[edge[0]]?.push([edge[0], edge[1]]);
  const state = new Uint8Array(count);
  const kept: (readonly [number, number])[] = [];
  for (let root = 0; root < count; root++) {
    if (state[root] !== 0) continue;
    const stack: { node: number; at: number }[] = [{ node: root, at: 0 }];
    state[root] = 1;
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const edge = out[top.node]?.[top.at++];
      if (edge === undefined) {
        state[top.node] = 2;
        stack.pop();
      } else if (state[edge[1]] !== 1) {
        kept.push(edge);
        if (state[edge[1]] === 0) {
          state[edge[1]] = 1;
          stack.push({ node: edge[1], at: 0 });
        }
      }
    }
  }
  return kept;
}

/** Behind the longest way to it. */
function layered(
  count: number,
  before: readonly number[][],
  after: readonly number[][],
): Int32Array {
  const layer = new Int32Array(count);
  const open = Int32Array.from(before, (list) => list.length);
  const queue: number[] = [];
  for (let node = 0; node < count; node++) if (open[node] === 0) queue.push(node);
  for (let head = 0; head < queue.length; head++) {
    const node = queue[head] ?? 0;
    for (const next of after[node] ?? []) {
      layer[next] = Math.max(layer[next] ?? 0, (layer[node] ?? 0) + 1);
      open[next] = (open[next] ?? 0) - 1;
      if (open[next] === 0) queue.push(next);
    }
  }
  return layer;
}

/** Nodes that are joined with nothing would make the first layer endless: they stand last in it. */
function wrapLoners(
  layers: readonly number[][],
  before: readonly number[][],
  after: readonly number[][],
): number[][] {
  const isLoner = (node: number): boolean =>
    (before[node]?.length ?? 0) + (after[node]?.length ?? 0) === 0;
  return layers.map((layer) => [
    ...layer.filter((node) => !isLoner(node)),
    ...layer.filter(isLoner),
  ]);
}

/** Towards the middle of those it is joined with; who has none stays where it is. */
function sortBy(layer: number[], joined: readonly number[][], order: Float64Array): void {
  const wish = new Map<number, number>();
  for (const node of layer) {
    const others = joined[node] ?? [];
    let sum = 0;
    for (const other of others) sum += order[other] ?? 0;
    wish.set(node, others.length === 0 ? (order[node] ?? 0) : sum / others.length);
  }
  layer.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0) || a - b);
  layer.forEach((node, place) => (order[node] = place));
}

function placed(
  count: number,
  layers: readonly number[][],
  before: readonly number[][],
  order: Float64Array,
): Layout {
  const step = nodeSize.height + gap.y;
  const tallest = Math.max(1, ...layers.map(({ length }) => length));
  const y = new Float64Array(count);
  for (const layer of layers) {
    // Each as near to what it waits for as its neighbours above allow.
    let free = 0;
    const top = ((tallest - layer.length) * step) / 2;
    layer.forEach((node, place) => {
      const others = before[node] ?? [];
      const wish =
        others.length === 0
          ? top + place * step
          : others.reduce((sum, other) => sum + (y[other] ?? 0), 0) / others.length;
      y[node] = Math.max(free, wish);
      free = (y[node] ?? 0) + step;
    });
  }
  const layerOf = new Int32Array(count);
  layers.forEach((layer, index) => layer.forEach((node) => (layerOf[node] = index)));
  const places = Array.from({ length: count }, (_, node) => ({
    x: (layerOf[node] ?? 0) * (nodeSize.width + gap.x),
    y: y[node] ?? 0,
    layer: layerOf[node] ?? 0,
    order: order[node] ?? 0,
  }));
  let height = 0;
  for (const at of y) height = Math.max(height, at + nodeSize.height);
  const width = Math.max(nodeSize.width, layers.length * (nodeSize.width + gap.x) - gap.x);
  return { places, width, height: Math.max(height, nodeSize.height), layers };
}
