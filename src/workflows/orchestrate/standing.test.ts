// One rule, two ways to work it out: the graph that is built once for many steps, and where the units of a
// run stand, worked out for one event.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Fault } from "../../core/errors.ts";
import { buildGraph } from "../../core/graph.ts";
import { type UnitStatus, unitStatuses } from "../../core/vocabulary.ts";
import { Needs } from "./needs.ts";
import { Standing } from "./standing.ts";
import { Filed } from "./units.ts";

const size = 12;
const ids = Array.from({ length: size }, (_, n) => `T1.${n + 1}`);
const statuses = fc.array(fc.constantFrom(...unitStatuses), { minLength: size, maxLength: size });
/** Each needs some of those before it, so that nothing goes in a circle. */
const needs = fc.array(fc.array(fc.nat(size - 1), { maxLength: 4 }), {
  minLength: size,
  maxLength: size,
});
const steps = fc.array(
  fc.record({
    id: fc.constantFrom(...ids),
    edit: fc.option(fc.constantFrom(...unitStatuses), { nil: undefined }),
  }),
  { maxLength: 15 },
);

test("S2.2 S2.8 units stand where the graph has them, after any steps on any plan", () => {
  fc.assert(
    fc.property(statuses, needs, steps, fc.subarray(ids), (given, wanted, taken, lost) => {
      const dependencies = dependenciesOf(wanted);
      const filed = new Map(ids.map((id, n) => [id, given[n] ?? "pending"] as const));
      const gone = new Set(lost);
      const standing = new Standing(new Filed(() => filed), new Needs({ dependencies }), gone);
      const graph = graphOf(filed, dependencies, gone);
      const same = (): void => {
        for (const id of ids) {
          expect(standing.status(id)).toBe(graph.status(id));
          expect(standing.unfinished(id)).toEqual(graph.unfinished(id));
        }
        expect(standing.counts()).toEqual(graph.counts());
        for (const status of unitStatuses)
          expect(standing.list(status)).toEqual(graph.list(status));
        expect(standing.moves()).toEqual(movesFrom(filed, standing));
      };
      same();
      for (const { id, edit } of taken) {
        if (edit !== undefined) {
          graph.edit(id, edit);
          standing.edit(id, edit);
        } else step(id, graph, standing);
        same();
      }
    }),
    { numRuns: 100, seed: 20_260_102 },
  );
});

test("S2.2 the number of outcomes changes whenever another unit is completed, failed or blocked", () => {
  const unnoticed: string[] = [];
  fc.assert(
    fc.property(statuses, needs, steps, (given, wanted, taken) => {
      const filed = new Map(ids.map((id, n) => [id, given[n] ?? "pending"] as const));
      const standing = new Standing(
        new Filed(() => filed),
        new Needs({ dependencies: dependenciesOf(wanted) }),
        new Set(),
      );
      const ended = (): string =>
        ids
          .filter((id) => ["completed", "failed", "blocked"].includes(standing.status(id)))
          .map((id) => `${id} ${standing.status(id)}`)
          .join();
      for (const { id, edit = "completed" } of taken) {
        const before = [ended(), standing.outcomes] as const;
        standing.edit(id, edit);
        if (ended() !== before[0] && standing.outcomes === before[1]) unnoticed.push(id);
      }
    }),
    { numRuns: 100, seed: 20_260_102 },
  );
  expect(unnoticed).toEqual([]);
});

// --- internal ---

type Graph = ReturnType<typeof graphOf>;

function dependenciesOf(wanted: readonly (readonly number[])[]): Record<string, string[]> {
  return Object.fromEntries(
    ids.map((id, n) => [
      id,
      (wanted[n] ?? []).filter((other) => other < n).map((other) => ids[other] ?? ""),
    ]),
  );
}

function graphOf(
  filed: ReadonlyMap<string, UnitStatus>,
  dependencies: Readonly<Record<string, readonly string[]>>,
  lost: ReadonlySet<string>,
) {
  const nodes = [...filed].map(([id, filedAs]) => {
    const status = filedAs === "in_progress" && lost.has(id) ? "pending" : filedAs;
    return { id, status, dependencies: dependencies[id] ?? [] };
  });
  const built = buildGraph(nodes);
  if (!built.ok) throw new Error("a plan without circles has a broken graph");
  return built.graph;
}

/** Whichever step its status allows. */
function step(id: string, graph: Graph, standing: Standing): void {
  switch (graph.status(id)) {
    case "ready":
      graph.start(id);
      return standing.start(id);
    case "in_progress":
      if (id.endsWith("2")) {
        const blocked = graph.fail(id).filter(({ to }) => to === "blocked").length;
        if (standing.fail(id) !== blocked) throw new Error(`${id} holds back ${blocked}`);
        return undefined;
      }
      if (id.endsWith("3")) {
        graph.release(id);
        return standing.release(id);
      }
      graph.complete(id);
      return standing.complete(id);
    case "failed":
      graph.retry(id);
      return standing.retry(id);
    default:
      // Neither lets it be completed.
      return requireRefusal(() => standing.complete(id));
  }
}

function requireRefusal(act: () => void): void {
  let refused = false;
  try {
    act();
  } catch (thrown) {
    refused = thrown instanceof Fault && thrown.code === "refused";
  }
  if (!refused) throw new Error("it was not refused");
}

function movesFrom(filed: ReadonlyMap<string, UnitStatus>, standing: Standing) {
  return [...filed].flatMap(([id, from]) => {
    const to = standing.status(id);
    return to === from ? [] : [{ id, from, to }];
  });
}
