// Whatever happens in whatever order, against a naive reference that knows nothing of graphs.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Play, answerOf } from "../../../test/orchestrate/play.ts";
import { type UnitStatus, unitStatuses } from "../../core/vocabulary.ts";
import { loadCodec } from "../../formats/codec.ts";
import { decideAgain } from "./apply.ts";

const full = process.env["HOLDFAST_FULL"] === "1";

interface Node {
  readonly id: string;
  readonly deps: readonly string[];
}

const acts = fc.record({
  on: fc.constantFrom("start", "start", "done", "done", "fail", "hand", "lose", "retry", "settle"),
  pick: fc.nat(40),
  session: fc.constantFrom("a", "b"),
  reason: fc.constantFrom("ant", "bee", "rate limit"),
  wait: fc.nat(100_000),
});
type Act = typeof acts extends fc.Arbitrary<infer A> ? A : never;

const graphs = fc
  .array(fc.record({ phase: fc.nat(2), deps: fc.array(fc.nat(40), { maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((nodes): Node[] => {
    const sorted = nodes.toSorted((a, b) => a.phase - b.phase);
    const ids = sorted.map(({ phase }, n) => `T${phase}.${n + 1}`);
    return sorted.map(({ deps }, n) => ({
      id: ids[n] ?? "",
      deps: n === 0 ? [] : [...new Set(deps.map((dep) => ids[dep % n] ?? ""))],
    }));
  });

/** What somebody decided about each task, and by recursion all that follows. */
class Model {
  readonly nodes: readonly Node[];
  readonly #is = new Map<string, "in_progress" | "completed" | "failed">();
  readonly #holder = new Map<string, string>();
  readonly #began = new Map<string, number>();
  readonly times: number[] = [];

  constructor(nodes: readonly Node[]) {
    this.nodes = nodes;
  }

  status(id: string): UnitStatus {
    const decided = this.#is.get(id);
    if (decided !== undefined) return decided;
    const { deps = [] } = this.nodes.find((node) => node.id === id) ?? {};
    const needed = deps.map((dep) => this.status(dep));
    if (needed.some((status) => status === "failed" || status === "blocked")) return "blocked";
    return needed.every((status) => status === "completed") ? "ready" : "pending";
  }

  holds(id: string, session: string): boolean {
    return this.#is.get(id) === "in_progress" && this.#holder.get(id) === session;
  }

  /** The first phase that is not done is the one in which something may start. */
  mayStart(id: string, session: string): boolean {
    const open = this.nodes.find((node) => this.status(node.id) !== "completed");
    const inPhase = open?.id.slice(1, 2) === id.slice(1, 2);
    return this.holds(id, session) || (inPhase && this.status(id) === "ready");
  }

  start(id: string, session: string, at: number): void {
    if (this.#is.get(id) === "in_progress") return;
    this.#is.set(id, "in_progress");
    this.#holder.set(id, session);
    if (!this.#began.has(id)) this.#began.set(id, at);
  }

  complete(id: string, at?: number): void {
    this.#is.set(id, "completed");
    if (at !== undefined) this.times.push((at - (this.#began.get(id) ?? 0)) / 1000);
  }

  open(id: string): void {
    this.#is.delete(id);
  }

  fail(id: string): void {
    this.#is.set(id, "failed");
    this.#began.delete(id);
  }
}

/** Plays one act on both; what the run answered, and what the model says it should have. */
function played(play: Play, model: Model, act: Act): { got: unknown; wanted: unknown } {
  const { on, pick, session, reason, wait } = act;
  play.at += wait;
  const { id = "" } = model.nodes[pick % model.nodes.length] ?? {};
  const status = model.status(id);
  const mine = model.holds(id, session);
  const same = { got: true, wanted: true };
  if (on === "start") {
    const wanted = model.mayStart(id, session);
    if (wanted) model.start(id, session, play.at);
    return { got: play.start(id, session).ok, wanted };
  }
  if (on === "done") {
    const { ok } = play.done(id, session);
    if (mine) model.complete(id, play.at);
    // A report that was taken before is taken again, and changes nothing.
    return { got: ok || status === "completed", wanted: mine || status === "completed" };
  }
  if (on === "fail") {
    const answer = answerOf(play.fail(id, reason, session)) as { kind?: string };
    if (mine && answer.kind === "failed") model.fail(id);
    else if (mine) model.open(id);
    return { got: typeof answer === "object", wanted: mine };
  }
  if (on === "retry") {
    if (status === "failed") model.open(id);
    return { got: play.do({ on: "retry", unit: id }).ok, wanted: status === "failed" };
  }
  if (on === "settle") {
    const { state } = play;
    play.do({ on: "settle" });
    return { got: play.state === state, wanted: true };
  }
  if (on === "hand" && status === "failed") {
    play.completeByHand(id);
    model.complete(id);
  }
  if (on === "lose" && status === "in_progress") {
    play.lost = new Set([id]);
    model.open(id);
  }
  play.do({ on: "settle" });
  return same;
}

describe("whatever happens in whatever order (S2.2, S2.3)", () => {
  test("each task is in one list, ready follows from the dependencies, counters are exact", async () => {
    const codec = await loadCodec("orchestrate-state");
    fc.assert(
      fc.property(graphs, fc.array(acts, { maxLength: 60 }), (nodes, all) => {
        const play = Play.of(textOf(nodes));
        const model = new Model(nodes);
        for (const act of all) {
          const { got, wanted } = played(play, model, act);
          expect([act.on, got]).toEqual([act.on, wanted]);
          const { tasks, metrics } = play.state;
          const lists = unitStatuses.map((list) => [list, tasks[list].toSorted()]);
          expect(lists).toEqual(
            unitStatuses.map((list) => [
              list,
              nodes.flatMap(({ id }) => (model.status(id) === list ? [id] : [])).toSorted(),
            ]),
          );
          const { times } = model;
          const average = times.reduce((sum, time) => sum + time, 0) / Math.max(1, times.length);
          expect(metrics).toEqual({
            total_tasks: nodes.length,
            completed_count: tasks.completed.length,
            failed_count: tasks.failed.length,
            average_task_time_seconds: expect.closeTo(average, 2) as number,
          });
          expect(codec.check(play.state)).toEqual([]);
        }
      }),
      { numRuns: full ? 5_000 : 300 },
    );
  });

  test("S5.3 decisions made once more on the same state come to the same state", () => {
    fc.assert(
      fc.property(graphs, fc.array(fc.nat(40), { maxLength: 20 }), (nodes, picks) => {
        const play = Play.of(textOf(nodes));
        for (const pick of picks) {
          const { id = "" } = nodes[pick % nodes.length] ?? {};
          const { state, run, facts, rules } = play;
          const now = new Date(play.at).toISOString();
          const done = play.start(id);
          const decided = done.ok ? done.decided : [];
          expect(decideAgain({ state, run, facts, rules, now }, decided)).toEqual(play.state);
          play.done(id);
        }
      }),
      { numRuns: 50 },
    );
  });
});

function textOf(nodes: readonly Node[]): string {
  return nodes
    .map(({ id, deps }) => {
      const depends = deps.length > 0 ? `\n  - depends: ${deps.join(", ")}` : "";
      return `- [ ] ${id}: t${depends}`;
    })
    .join("\n");
}
