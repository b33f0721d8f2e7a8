// Where the states of a machine stand and how its arrows run: the graph's own layers, with arrows
// that lead back drawn below and those that skip a layer above.
import type { Machines } from "../../data/api.ts";
import { type Layout, layoutOf } from "../graph/layout.ts";

export type Machine = Machines["machines"][number];
export type Row = Machine["rows"][number];

/** All rows between two states are one arrow. */
export interface Arrow {
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly rows: readonly Row[];
  readonly path: string;
  /** Where its label stands. */
  readonly x: number;
  readonly y: number;
}

export interface Diagram {
  readonly boxes: readonly { readonly state: string; readonly x: number; readonly y: number }[];
  readonly arrows: readonly Arrow[];
  readonly width: number;
  readonly height: number;
}

export const box = { width: 132, height: 36 } as const;

export function diagramOf({ states, rows }: Machine): Diagram {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = arrowKey(row.from, row.to);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const indexOf = new Map(states.map((state, index) => [state, index]));
  // The order of the states is the order of a life: what leads back in it is not laid out.
  const forward = [...groups.values()].flatMap(([row]): [number, number][] => {
    const [from, to] = [indexOf.get(row?.from ?? "") ?? 0, indexOf.get(row?.to ?? "") ?? 0];
    return from < to ? [[from, to]] : [];
  });
  const layout = layoutOf(states.length, forward);
  const boxes = states.map((state, index) => ({ state, ...placeOf(layout, index) }));
  const bottom = Math.max(...boxes.map(({ y }) => y)) + box.height;
  const arrows = [...groups.values()].flatMap((own, place): Arrow[] => {
    const [row] = own;
    const one = boxes[indexOf.get(row?.from ?? "") ?? -1];
    const other = boxes[indexOf.get(row?.to ?? "") ?? -1];
    if (row === undefined || one === undefined || other === undefined) return [];
    const key = arrowKey(row.from, row.to);
    return [{ key, from: row.from, to: row.to, rows: own, ...routed(one, other, place, bottom) }];
  });
  const width = Math.max(...boxes.map(({ x }) => x)) + box.width + pad;
  return { boxes, arrows, width, height: bottom + pad + 12 };
}

export const arrowKey = (from: string, to: string): string => `${from} ${to}`;

// --- internal ---

const pad = 34;
const step = { x: 232, y: 74 } as const;

/** The layers' own distances are those of a graph of many; here there is room. */
function placeOf({ places, layers }: Layout, index: number): { x: number; y: number } {
  const place = places[index] ?? { layer: 0, order: 0 };
  const tallest = Math.max(...layers.map(({ length }) => length));
  const layer = layers[place.layer] ?? [];
  const top = ((tallest - layer.length) * step.y) / 2;
  return { x: pad + place.layer * step.x, y: pad + top + layer.indexOf(index) * step.y };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function routed(
  one: Point,
  other: Point,
  place: number,
  bottom: number,
): Pick<Arrow, "path" | "x" | "y"> {
  const { width, height } = box;
  if (one === other) {
    const [x, y] = [one.x + width / 2, one.y];
    return { path: `M${x - 14} ${y} c -10 -26, 38 -26, 28 0`, x, y: y - 20 };
  }
  if (other.x > one.x) {
    const [x, y] = [one.x + width, one.y + height / 2];
    const [toX, toY] = [other.x, other.y + height / 2];
    const far = other.x - one.x > step.x;
    // One that skips a layer bows out, so that it does not run through what stands between.
    const bow = far ? (toY <= y ? -46 : 46) : 0;
    const bend = (toX - x) / 2;
    return {
      path: `M${x} ${y} C${x + bend} ${y + bow}, ${toX - bend} ${toY + bow}, ${toX} ${toY}`,
      x: (x + toX) / 2,
      y: (y + toY) / 2 + bow * 0.75 - 6,
    };
  }
  if (other.x === one.x) {
    const down = other.y > one.y;
    const side = one.x + (down ? width * 0.7 : width * 0.3);
    const [y, toY] = down ? [one.y + height, other.y] : [one.y, other.y + height];
    const out = down ? 22 : -22;
    return {
      path: `M${side} ${y} C${side + out} ${y}, ${side + out} ${toY}, ${side} ${toY}`,
      x: side + out,
      y: (y + toY) / 2,
    };
  }
  const [x, toX] = [one.x + width * 0.35, other.x + width * 0.65];
  const depth = Math.min(bottom + 24, Math.max(one.y, other.y) + height + 30 + (place % 3) * 7);
  return {
    path: `M${x} ${one.y + height} C${x} ${depth}, ${toX} ${depth}, ${toX} ${other.y + height}`,
    x: (x + toX) / 2,
    y: (Math.max(one.y, other.y) + height) * 0.25 + depth * 0.75,
  };
}
