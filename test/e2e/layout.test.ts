// Where the nodes of the graph stand: rules that hold for any graph.
import { array, assert, constant, integer, nat, property, record, tuple } from "fast-check";
import { describe, expect, test } from "vitest";
import { layoutOf, nodeSize } from "../../web/screens/graph/layout.ts";

const graphs = integer({ min: 1, max: 60 }).chain((count) =>
  record({
    count: constant(count),
    edges: array(tuple(nat(count - 1), nat(count - 1)), { maxLength: 120 }),
  }),
);

describe("S6.2 the layout of the graph", () => {
  test("every node stands behind all it waits for, whatever the plan", () => {
    assert(
      property(graphs, ({ count, edges }) => {
        // From smaller to larger: no circle.
        const forward = edges.flatMap(([a, b]): [number, number][] =>
          a === b ? [] : [[Math.min(a, b), Math.max(a, b)]],
        );
        const { places } = layoutOf(count, forward);
        for (const [from, to] of forward)
          expect(places[to]?.x).toBeGreaterThan((places[from]?.x ?? 0) + nodeSize.width);
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  test("no two nodes lie over each other, circles and loops included", () => {
    assert(
      property(graphs, ({ count, edges }) => {
        const { places, layers, width, height } = layoutOf(count, edges);
        expect(layers.flat().toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: count }, (_, node) => node),
        );
        for (const layer of layers)
          layer.slice(1).forEach((node, place) => {
            const above = places[layer[place] ?? 0]?.y ?? 0;
            expect(places[node]?.y).toBeGreaterThanOrEqual(above + nodeSize.height);
          });
        for (const { x, y } of places) {
          expect(x + nodeSize.width).toBeLessThanOrEqual(width);
          expect(y + nodeSize.height).toBeLessThanOrEqual(height);
        }
      }),
      { seed: 6, numRuns: 200 },
    );
  });
});
