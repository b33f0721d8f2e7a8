import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OrderedSet } from "./_graph-ready.ts";
import { Fault } from "./errors.ts";
import {
  type Graph,
  type GraphNode,
  type GraphProblem,
  type Misplaced,
  type Move,
  buildGraph,
  cycleText,
  findProblems,
} from "./graph.ts";
import { type UnitStatus, unitStatuses } from "./vocabulary.ts";
import { render } from "./messages.ts";

// --- helpers ---

function build(nodes: readonly GraphNode[]): Graph {
  const built = buildGraph(nodes);
  if (!built.ok) throw new Error(JSON.stringify(built.problems));
  return built.graph;
}

function problems(nodes: readonly GraphNode[]): readonly GraphProblem[] {
  const built = buildGraph(nodes);
  const found = built.ok ? [] : built.problems;
  expect(findProblems(nodes)).toEqual(found);
  return found;
}

function cycles(nodes: readonly GraphNode[]): string[] {
  return problems(nodes).map((problem) =>
    problem.code === "CIRCULAR_DEP" ? cycleText(problem.path) : problem.code,
  );
}

function misplaced(nodes: readonly GraphNode[]): readonly Misplaced[] {
  const built = buildGraph(nodes);
  if (!built.ok) throw new Error(JSON.stringify(built.problems));
  return built.misplaced;
}

/** `plan("a", "b:a", "c:a,b")`: each with its dependencies. */
function plan(...lines: readonly string[]): GraphNode[] {
  return lines.map((line) => {
    const [id = "", list = ""] = line.split(":");
    return { id, dependencies: list === "" ? [] : list.split(",") };
  });
}

function to(status: UnitStatus, moves: readonly Move[]): string[] {
  return moves.filter((move) => move.to === status).map(({ id }) => id);
}

function faultOf(attempt: () => unknown): Fault {
  try {
    attempt();
  } catch (fault) {
    if (fault instanceof Fault) return fault;
    throw fault;
  }
  throw new Error("nothing was thrown");
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}

function statuses(graph: Graph, nodes: readonly GraphNode[]): UnitStatus[] {
  return nodes.map(({ id }) => graph.status(id));
}

const decided: ReadonlySet<UnitStatus> = new Set(["in_progress", "completed", "failed"]);

/** All statuses worked out from scratch, by the words of S2.2 and nothing else. */
function recompute(
  nodes: readonly GraphNode[],
  own: ReadonlyMap<string, UnitStatus>,
): Map<string, UnitStatus> {
  const nodeOf = new Map(nodes.map((node) => [node.id, node]));
  const found = new Map<string, UnitStatus>();
  const visit = (id: string): UnitStatus => {
    const known = found.get(id);
    if (known) return known;
    const inputs = (nodeOf.get(id)?.dependencies ?? []).map(visit);
    const held = inputs.some((status) => status === "failed" || status === "blocked");
    const open = inputs.every((status) => status === "completed") ? "ready" : "pending";
    const given = own.get(id);
    const status = given && decided.has(given) ? given : held ? "blocked" : open;
    found.set(id, status);
    return status;
  };
  for (const { id } of nodes) visit(id);
  return found;
}

/** A DAG in shuffled plan order, so that dependencies stand before and behind. */
const dag = fc
  .record({
    edges: fc.array(fc.array(fc.nat(1_000_000), { maxLength: 4 }), { minLength: 1, maxLength: 30 }),
    shuffle: fc.array(fc.nat(1_000_000), { minLength: 30, maxLength: 30 }),
  })
  .map(({ edges, shuffle }) =>
    edges
      .map((row, index) => ({
        id: `n${index}`,
        dependencies: index === 0 ? [] : row.map((pick) => `n${pick % index}`),
      }))
      .map((node, index) => ({ node, rank: shuffle[index] ?? 0 }))
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ node }) => node),
  );

const anyStatus = fc.constantFrom(...unitStatuses);
const deed = fc.record({
  kind: fc.constantFrom("take", "start", "complete", "fail", "release", "retry", "edit"),
  pick: fc.nat(1_000_000),
  status: anyStatus,
});
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

/** Does one deed if the status allows it, and writes what was decided into `own`. */
function act(graph: Graph, own: Map<string, UnitStatus>, { kind, pick, status }: Deed): Move[] {
  const all = unitStatuses.flatMap((each) => graph.list(each)).toSorted();
  const among = (wanted: UnitStatus): string | undefined => {
    const ids = graph.list(wanted);
    return ids[pick % Math.max(1, ids.length)];
  };
  const does = (id: string | undefined, moves: (id: string) => Move[], now?: UnitStatus) => {
    if (id === undefined) return [];
    if (now) own.set(id, now);
    else own.delete(id);
    return moves(id);
  };
  switch (kind) {
    case "take": {
      const first = graph.list("ready")[0];
      if (graph.next() !== first || graph.take() !== first) throw new Error("not in plan order");
      if (first === undefined) return [];
      own.set(first, "in_progress");
      return [{ id: first, from: "ready", to: "in_progress" }];
    }
    case "start":
      return does(among("ready"), (id) => graph.start(id), "in_progress");
    case "complete":
      return does(among("in_progress"), (id) => graph.complete(id), "completed");
    case "fail":
      return does(among("in_progress"), (id) => graph.fail(id), "failed");
    case "release":
      return does(among("in_progress"), (id) => graph.release(id));
    case "retry":
      return does(among("failed"), (id) => graph.retry(id));
    default:
      return does(all[pick % all.length], (id) => graph.edit(id, status), status);
  }
}

// --- against the reference ---

describe("against all statuses worked out from scratch (S2.2, S2.8)", () => {
  test("any sequence of steps and hand edits gives the same statuses, moves and counts", () => {
    fc.assert(
      fc.property(dag, fc.array(deed, { maxLength: 60, size: "max" }), (nodes, deeds) => {
        const graph = build(nodes);
        const own = new Map<string, UnitStatus>();
        let before = recompute(nodes, own);
        for (const each of deeds) {
          const moves = act(graph, own, each);
          const after = recompute(nodes, own);
          expect(statuses(graph, nodes)).toEqual(nodes.map(({ id }) => after.get(id)));
          const expected = nodes
            .map(({ id }) => ({ id, from: before.get(id), to: after.get(id) }))
            .filter((move) => move.from !== move.to);
          expect(moves.toSorted(byId)).toEqual(expected.toSorted(byId));
          before = after;
        }
        for (const status of unitStatuses) {
          const ids = nodes.map(({ id }) => id).filter((id) => before.get(id) === status);
          expect(graph.list(status)).toEqual(ids);
          expect(graph.counts()[status]).toBe(ids.length);
        }
      }),
      { seed: 20260103, numRuns: 1500 },
    );
  });

  test("a stored state is taken up as it would have been reached", () => {
    const stored = dag.chain((nodes) =>
      fc
        .array(anyStatus, { minLength: nodes.length, maxLength: nodes.length, size: "max" })
        .map((list) =>
          nodes.map((node, index) => Object.assign({ status: list[index] ?? "pending" }, node)),
        ),
    );
    fc.assert(
      fc.property(stored, fc.array(deed, { maxLength: 10, size: "max" }), (nodes, deeds) => {
        const own = new Map(nodes.map(({ id, status }) => [id, status]));
        const expected = recompute(nodes, own);
        const graph = build(nodes);
        expect(statuses(graph, nodes)).toEqual(nodes.map(({ id }) => expected.get(id)));
        const wrong = nodes.filter(({ id, status }) => status !== expected.get(id));
        const early = nodes.filter(
          ({ id, status }) => status === "in_progress" && graph.unfinished(id).length > 0,
        );
        const listed = new Set(misplaced(nodes).map(({ id }) => id));
        expect(listed).toEqual(new Set([...wrong, ...early].map(({ id }) => id)));
        for (const each of deeds) act(graph, own, each);
        const after = recompute(nodes, own);
        expect(statuses(graph, nodes)).toEqual(nodes.map(({ id }) => after.get(id)));
      }),
      { seed: 20260104, numRuns: 1500 },
    );
  });

  test("a step looks at no more edges than leave the units it changed", () => {
    fc.assert(
      fc.property(dag, fc.array(deed, { maxLength: 60, size: "max" }), (nodes, deeds) => {
        const graph = build(nodes);
        const own = new Map<string, UnitStatus>();
        for (const each of deeds) {
          const before = graph.edgesTouched;
          const changed = new Set(act(graph, own, each).map(({ id }) => id));
          const leaving = nodes.flatMap(({ dependencies }) =>
            [...new Set(dependencies)].filter((id) => changed.has(id)),
          );
          expect(graph.edgesTouched - before).toBeLessThanOrEqual(leaving.length);
        }
      }),
      { seed: 20260105, numRuns: 300 },
    );
  });
});

test("ready units are found in order at any size, from any place", () => {
  const size = fc.constantFrom(1, 31, 32, 33, 1024, 1025, 40_000, 1_100_000);
  const change = fc.record({ add: fc.boolean(), pick: fc.nat(), near: fc.nat(70) });
  fc.assert(
    fc.property(size, fc.array(change, { maxLength: 80, size: "max" }), (count, changes) => {
      const set = new OrderedSet(count);
      const members = new Set<number>();
      for (const { add, pick, near } of changes) {
        // Half of them close together, where words end; half of them anywhere.
        const number = (pick % 2 === 0 ? near : pick) % count;
        if (add) set.add(number);
        else set.remove(number);
        if (add) members.add(number);
        else members.delete(number);
        const sorted = [...members].toSorted((a, b) => a - b);
        for (const from of [0, number, number + 1, near, count])
          expect(set.next(from)).toBe(sorted.find((member) => member >= from) ?? -1);
      }
    }),
    { seed: 20260109, numRuns: 500 },
  );
});

// --- by hand ---

describe("one step at a time", () => {
  const diamond = plan("a", "b:a", "c:a", "d:b,c", "e:d");

  test("ready units come in plan order, and a completion wakes only what waited for it last", () => {
    const graph = build(diamond);
    expect(graph.list("ready")).toEqual(["a"]);
    expect(graph.take()).toBe("a");
    expect(graph.take()).toBeUndefined();
    expect(to("ready", graph.complete("a"))).toEqual(["b", "c"]);
    expect([graph.next(), graph.next("b"), graph.next("c")]).toEqual(["b", "c", undefined]);
    expect([graph.take(), graph.take()]).toEqual(["b", "c"]);
    expect(graph.complete("c")).toEqual([{ id: "c", from: "in_progress", to: "completed" }]);
    expect(graph.unfinished("d")).toEqual(["b"]);
    expect(to("ready", graph.complete("b"))).toEqual(["d"]);
  });

  test("a failure blocks its dependents transitively (S2.2)", () => {
    const graph = build(diamond);
    graph.start("a");
    expect(graph.fail("a")).toEqual([
      { id: "a", from: "in_progress", to: "failed" },
      { id: "b", from: "pending", to: "blocked" },
      { id: "c", from: "pending", to: "blocked" },
      { id: "d", from: "pending", to: "blocked" },
      { id: "e", from: "pending", to: "blocked" },
    ]);
    expect(graph.next()).toBeUndefined();
  });

  test("failed → completed wakes exactly those that nothing else holds back (S2.8)", () => {
    const graph = build(plan("a", "b", "c:a", "d:a,b", "e:c", "f:d"));
    for (const id of ["a", "b"]) graph.start(id);
    graph.fail("a");
    graph.fail("b");
    expect(graph.edit("a", "completed")).toEqual([
      { id: "a", from: "failed", to: "completed" },
      { id: "c", from: "blocked", to: "ready" },
      { id: "e", from: "blocked", to: "pending" },
    ]);
    expect(to("ready", graph.edit("b", "completed"))).toEqual(["d"]);
    expect(graph.status("f")).toBe("pending");
  });

  test("a retry opens the unit and un-blocks what it held back", () => {
    const graph = build(diamond);
    graph.start("a");
    graph.fail("a");
    const moves = graph.retry("a");
    expect(to("ready", moves)).toEqual(["a"]);
    expect(to("pending", moves)).toEqual(["b", "c", "d", "e"]);
  });

  test("a released unit is ready again at its old place in the plan (S2.8)", () => {
    const graph = build(plan("a", "b", "c"));
    graph.take();
    graph.take();
    expect(graph.next()).toBe("c");
    graph.release("a");
    expect(graph.next()).toBe("a");
  });

  test("a completed unit set back to failed or open takes its dependents with it", () => {
    const graph = build(diamond);
    graph.edit("a", "completed");
    expect(to("blocked", graph.edit("a", "failed"))).toEqual(["b", "c", "d", "e"]);
    graph.edit("a", "completed");
    expect(to("pending", graph.edit("a", "pending"))).toEqual(["b", "c"]);
    expect(graph.status("a")).toBe("ready");
  });

  test("an unfitting step is refused, with the status it would need", () => {
    const graph = build(diamond);
    expect(() => graph.complete("b")).toThrow(Fault);
    expect(() => graph.complete("b")).toThrow("it is pending. It would have to be in_progress");
    expect(() => graph.start("b")).toThrow("It would have to be ready");
    expect(graph.status("b")).toBe("pending");
  });

  test("an unknown id is refused with the closest known one", () => {
    const graph = build(plan("T1.1", "login"));
    const fault = faultOf(() => graph.start("lgoin"));
    expect(fault.code).toBe("not_found");
    expect(fault.hint && render("ko", fault.hint)).toBe("혹시 “login”을 말씀하셨나요?");
    expect(faultOf(() => graph.start("zzz")).hint).toBeUndefined();
  });

  test("ids named like parts of an object's prototype are ids like any other (S5.4)", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];
    const nodes = names.map((id, index) => ({ id, dependencies: names.slice(0, index) }));
    const graph = build(nodes);
    for (const id of names) {
      expect(graph.take()).toBe(id);
      graph.complete(id);
    }
    expect(graph.counts().completed).toBe(names.length);
    expect(graph.has("isPrototypeOf")).toBe(false);
    expect(problems(plan("a:__proto__"))).toEqual([
      { code: "MISSING_DEP", id: "a", missing: "__proto__" },
    ]);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });
});

describe("problems of a plan (S0.4, S2.4)", () => {
  test("a cycle is told with its path", () => {
    expect(problems(plan("a:b", "b:a"))).toEqual([{ code: "CIRCULAR_DEP", path: ["a", "b", "a"] }]);
    expect(cycles(plan("a:b", "b:a"))).toEqual(["a->b->a"]);
    expect(cycles(plan("x", "a:x,b", "b:c", "c:a", "y:a"))).toEqual(["a->b->c->a"]);
  });

  test("a self-dependency is a cycle of one", () => {
    expect(cycles(plan("a:a", "b"))).toEqual(["a->a"]);
  });

  test("the shortest one of each knot is told, from its first unit in the plan", () => {
    expect(cycles(plan("a:b,c", "b:d", "d:a", "c:a"))).toEqual(["a->c->a"]);
    expect(cycles(plan("p:q", "q:p", "m", "x:y,p", "y:x"))).toEqual(["p->q->p", "x->y->x"]);
  });

  test("every missing id, every duplicate and every cycle is told at once", () => {
    expect(problems(plan("a:zz,b,yy", "b:a", "a:xx", "a", "c:zz"))).toEqual([
      { code: "DUPLICATE_ID", id: "a" },
      { code: "MISSING_DEP", id: "a", missing: "zz" },
      { code: "MISSING_DEP", id: "a", missing: "yy" },
      { code: "MISSING_DEP", id: "a", missing: "xx" },
      { code: "MISSING_DEP", id: "c", missing: "zz" },
      { code: "CIRCULAR_DEP", path: ["a", "b", "a"] },
    ]);
  });

  test("any path told is a cycle of the plan, and a plan without one is taken", () => {
    const tangle = fc.array(fc.array(fc.nat(12), { maxLength: 3 }), { maxLength: 13, size: "max" });
    fc.assert(
      fc.property(tangle, (rows) => {
        const nodes = rows.map((row, index) => ({
          id: `n${index}`,
          dependencies: row.map((pick) => `n${pick % rows.length}`),
        }));
        const needs = new Map(nodes.map(({ id, dependencies }) => [id, dependencies]));
        const found = problems(nodes);
        expect(found.length > 0).toBe(hasCycle(needs));
        for (const problem of found) {
          if (problem.code !== "CIRCULAR_DEP") throw new Error(problem.code);
          const { path } = problem;
          expect(path.at(-1)).toBe(path[0]);
          expect(new Set(path).size).toBe(path.length - 1);
          for (const [at, id] of path.slice(0, -1).entries())
            expect(needs.get(id)).toContain(path[at + 1]);
        }
      }),
      { seed: 20260106, numRuns: 2000 },
    );
  });

  test("a long path keeps its ends and fits in a line", () => {
    const path = [...Array.from({ length: 100 }, (_, n) => `T1.${n}`), "T1.0"];
    const text = cycleText(path);
    expect(text).toContain("T1.0->T1.1->");
    expect(text).toContain("->…(90)…->T1.99->T1.0");
    expect(text.length).toBeLessThan(100);
  });
});

/** Takes away what needs nothing until nothing more goes. */
function hasCycle(needs: ReadonlyMap<string, readonly string[]>): boolean {
  const left = new Map(needs);
  for (let gone = true; gone;) {
    gone = false;
    for (const [id, dependencies] of left) {
      if (dependencies.some((other) => left.has(other))) continue;
      left.delete(id);
      gone = true;
    }
  }
  return left.size > 0;
}

describe("a stored state (S2.2)", () => {
  test("statuses that do not fit are listed with what is expected, not thrown", () => {
    const nodes: GraphNode[] = [
      { id: "a", dependencies: [], status: "in_progress" },
      { id: "b", dependencies: ["a"], status: "ready" },
      { id: "c", dependencies: ["a"], status: "blocked" },
      { id: "d", dependencies: ["b"], status: "in_progress" },
      { id: "e", dependencies: ["b"], status: "completed" },
      { id: "f", dependencies: [], status: "failed" },
      { id: "g", dependencies: ["f"], status: "pending" },
      { id: "h", dependencies: ["f"] },
    ];
    expect(misplaced(nodes)).toEqual([
      { id: "b", status: "ready", expected: "pending", unfinished: ["a"] },
      { id: "c", status: "blocked", expected: "pending", unfinished: ["a"] },
      { id: "d", status: "in_progress", expected: "pending", unfinished: ["b"] },
      { id: "g", status: "pending", expected: "blocked", unfinished: ["f"] },
    ]);
    expect(statuses(build(nodes), nodes)).toEqual([
      "in_progress",
      "pending",
      "pending",
      "in_progress",
      "completed",
      "failed",
      "blocked",
      "blocked",
    ]);
  });
});

describe("what lies ahead (S2.10 --dry-run)", () => {
  const nodes = plan("d:b,c", "a", "b:a", "c:a", "e:d", "x");

  test("waves hold what may run side by side, in plan order; completed units take no part", () => {
    const graph = build(nodes);
    expect(graph.waves()).toEqual([["a", "x"], ["b", "c"], ["d"], ["e"]]);
    graph.edit("a", "completed");
    graph.edit("d", "completed");
    expect(graph.waves()).toEqual([["b", "c", "e", "x"]]);
    expect(build([]).waves()).toEqual([]);
  });

  test("the critical path is the heaviest chain, the earlier in the plan of equals", () => {
    const graph = build(nodes);
    expect(graph.criticalPath()).toEqual({ ids: ["a", "b", "d", "e"], total: 4 });
    const weights = new Map([
      ["c", 5],
      ["x", Number.NaN],
      ["e", -3],
    ]);
    const weight = (id: string): number => weights.get(id) ?? 1;
    expect(graph.criticalPath(weight)).toEqual({ ids: ["a", "c", "d"], total: 7 });
    expect(graph.criticalPath((id) => (id === "x" ? 100 : 1)).ids).toEqual(["x"]);
    graph.edit("a", "completed");
    expect(graph.criticalPath().ids).toEqual(["b", "d", "e"]);
    expect(build([]).criticalPath()).toEqual({ ids: [], total: 0 });
  });

  test("agrees with every chain tried", () => {
    fc.assert(
      fc.property(dag, fc.array(fc.nat(9), { minLength: 30, maxLength: 30 }), (some, list) => {
        const weight = (id: string): number => list[Number(id.slice(1))] ?? 0;
        const nodeOf = new Map(some.map((node) => [node.id, node]));
        const memo = new Map<string, number>();
        const heaviest = (id: string): number => {
          const inputs = (nodeOf.get(id)?.dependencies ?? []).map(
            (other) => memo.get(other) ?? heaviest(other),
          );
          const sum = weight(id) + Math.max(0, ...inputs);
          memo.set(id, sum);
          return sum;
        };
        const graph = build(some);
        const { ids, total } = graph.criticalPath(weight);
        expect(total).toBe(Math.max(...some.map(({ id }) => heaviest(id))));
        expect(ids.reduce((sum, id) => sum + weight(id), 0)).toBe(total);
        for (const [at, id] of ids.slice(1).entries())
          expect(nodeOf.get(id)?.dependencies).toContain(ids[at]);
        const waves = graph.waves();
        expect(waves.length).toBe(graph.criticalPath().total);
        expect(waves.flat().toSorted()).toEqual(some.map(({ id }) => id).toSorted());
      }),
      { seed: 20260107, numRuns: 500 },
    );
  });
});

/** Runs all of it, a few at a time, and says how many edges were looked at. */
function run(graph: Graph, together: number): number {
  const running: string[] = [];
  for (let head = 0; ;) {
    while (running.length - head < together) {
      const id = graph.take();
      if (id === undefined) break;
      running.push(id);
    }
    const next = running[head++];
    if (next === undefined) break;
    graph.complete(next);
  }
  expect(graph.counts().completed).toBe(graph.size);
  return graph.edgesTouched;
}

describe("100,000 units", () => {
  const size = 100_000;
  const chain = Array.from({ length: size }, (_, n) => ({
    id: `T${n}`,
    dependencies: n === 0 ? [] : [`T${n - 1}`],
  }));

  test("a chain runs, fails and wakes without a deep stack, one edge a completion", () => {
    expect(run(build(chain), 1)).toBe(size - 1);
    const graph = build(chain);
    graph.start("T0");
    expect(graph.fail("T0").length).toBe(size);
    expect(graph.counts().blocked).toBe(size - 1);
    expect(graph.edit("T0", "completed").length).toBe(size);
    expect(graph.counts()).toMatchObject({ ready: 1, pending: size - 2 });
    expect(graph.waves().length).toBe(size - 1);
    expect(graph.criticalPath().total).toBe(size - 1);
  });

  test("a chain written backwards is the same", () => {
    expect(run(build(chain.toReversed()), 1)).toBe(size - 1);
  });

  test("a chain closed to a ring is told as a cycle", () => {
    const ring = chain.map((node, n) => (n === 0 ? { ...node, dependencies: ["T99999"] } : node));
    const [problem] = problems(ring);
    if (problem?.code !== "CIRCULAR_DEP") throw new Error("no cycle found");
    expect(problem.path.length).toBe(size + 1);
    expect(problem.path.slice(0, 3)).toEqual(["T0", "T99999", "T99998"]);
  });

  test("a ring behind a long chain is found without going through the chain again", () => {
    const nodes = chain.map((node, n) => (n === 0 ? { ...node, dependencies: ["T1"] } : node));
    expect(cycles(nodes.toReversed())).toEqual(["T1->T0->T1"]);
  });

  test("a star wakes all at once, and its other way round the last one", () => {
    const star = chain.map(({ id }, n) => ({ id, dependencies: n === 0 ? [] : ["T0"] }));
    expect(run(build(star), 64)).toBe(size - 1);
    const rest = chain.slice(1).map(({ id }) => id);
    const sink = chain.map(({ id }, n) => ({ id, dependencies: n === 0 ? rest : [] }));
    expect(run(build(sink), 64)).toBe(size - 1);
  });

  test("layers with random edges: each edge is looked at once", () => {
    let seed = 1;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
      return seed % below;
    };
    let edges = 0;
    const layered = chain.map(({ id }, n) => {
      const layer = Math.floor(n / 1000);
      const above = Array.from({ length: 3 }, () => `T${(layer - 1) * 1000 + random(1000)}`);
      const dependencies = layer === 0 ? [] : [...new Set(above)];
      edges += dependencies.length;
      return { id, dependencies };
    });
    expect(run(build(layered), 64)).toBe(edges);
  });
});
