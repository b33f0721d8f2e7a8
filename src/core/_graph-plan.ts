// What lies ahead, for `--dry-run`: what can run side by side, and what sets the pace.
import type { Rows, Wiring } from "./_graph-build.ts";

export interface CriticalPath {
  /** From the first unit to the last, each needing the one before. */
  readonly ids: readonly string[];
  readonly total: number;
}

/** Everything not done yet, each in the first wave after all it waits for; plan order inside. */
export function planWaves(wiring: Wiring, done: (node: number) => boolean): string[][] {
  const waveOf = new Int32Array(wiring.ids.length).fill(-1);
  for (const node of wiring.order) {
    if (done(node)) continue;
    let wave = 0;
    forEach(wiring.dependencies, node, (other) => {
      wave = Math.max(wave, (waveOf[other] ?? -1) + 1);
    });
    waveOf[node] = wave;
  }
  const waves: string[][] = [];
  // By node, not by topological order: a wave reads as the plan does.
  for (const [node, id] of wiring.ids.entries()) {
    const wave = waveOf[node] ?? -1;
    if (wave >= 0) (waves[wave] ??= []).push(id);
  }
  return waves;
}

/** The heaviest chain of what is not done yet; the earlier in the plan of equals. */
export function findCriticalPath(
  wiring: Wiring,
  done: (node: number) => boolean,
  weight: (id: string) => number,
): CriticalPath {
  const reach = new Float64Array(wiring.ids.length);
  const before = new Int32Array(wiring.ids.length).fill(-1);
  let last = -1;
  for (const node of wiring.order) {
    if (done(node)) continue;
    let heaviest = 0;
    forEach(wiring.dependencies, node, (other) => {
      if (done(other)) return;
      const sum = reach[other] ?? 0;
      const first = before[node] === -1 || sum > heaviest;
      if (!first && (sum < heaviest || other >= (before[node] ?? 0))) return;
      heaviest = sum;
      before[node] = other;
    });
    reach[node] = heaviest + counted(weight(wiring.ids[node] ?? ""));
    const best = last === -1 ? -1 : (reach[last] ?? 0);
    if ((reach[node] ?? 0) > best || (reach[node] === best && node < last)) last = node;
  }
  const ids: string[] = [];
  for (let node = last; node !== -1; node = before[node] ?? -1) ids.push(wiring.ids[node] ?? "");
  return { ids: ids.toReversed(), total: last === -1 ? 0 : (reach[last] ?? 0) };
}

// --- internal ---

/** An estimate nobody gave (NaN) or can mean (negative) weighs nothing. */
function counted(weight: number): number {
  return Number.isFinite(weight) && weight > 0 ? weight : 0;
}

function forEach({ starts, items }: Rows, row: number, visit: (item: number) => void): void {
  const end = starts[row + 1] ?? 0;
  for (let at = starts[row] ?? 0; at < end; at++) visit(items[at] ?? 0);
}
