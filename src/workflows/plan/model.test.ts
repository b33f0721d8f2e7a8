// Plans under random outcomes: whatever agents and people do, a plan ends, nothing finished runs again,
// and whoever reads the same documents after any step wants the same things under way.
import { array, assert, boolean, nat, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { full, limit } from "../../../test/crash/programs.ts";
import { type Drawn, Play, Refused, closing, plan, verdict } from "../../../test/plan/play.ts";
import type { Order } from "../orders.ts";
import type { PlanEvent } from "./events.ts";

const runs = full ? 3_000 : 60;
const mostTurns = 1_500;

const types = ["transient", "validation", "dependency", "resource", "structural", "critical"];

/** One number decides each outcome: shrinking makes a course of events shorter and tamer. */
function outcome(play: Play, order: Order, dice: number): void {
  const { key } = order;
  if (order.kind === "ask") {
    const answers = ["retry", "replan because", "fail", "approve", "cancel", "other words"];
    play.play({ kind: "answered", key, answer: answers[dice % answers.length] ?? "" });
    return;
  }
  if (order.kind !== "agent") throw new Error("plans order agents and questions");
  const [path] = order.wanted;
  if (path === undefined) {
    // Begun, and at work while other things happen.
    if (dice % 7 === 2) return play.start(Number(order.unit));
    if (dice % 3 === 0) play.failed(key, `${types[dice % types.length]}: no ${dice}`);
    else if (dice % 17 === 0) play.failed(key, "ended", "cancelled");
    else play.done(key);
    return;
  }
  if (dice % 4 === 0) return void play.done(key, "", { [path]: "{" });
  if (dice % 11 === 0) return void play.failed(key, "died");
  if (path.includes("plan")) return void play.answer(plan(drawn(play, dice), ["a", "b"]));
  play.answer(path.includes("verdict") ? verdict([dice % 2 === 0, dice % 5 > 0]) : closing);
}

function drawn(play: Play, dice: number): Drawn[] {
  const first = Math.max(play.run.lastStep, 0) + 1;
  const finished = (play.task?.plan.steps ?? []).filter(({ status }) => status === "completed");
  return Array.from({ length: 1 + (dice % 4) }, (_, place) => ({
    id: first + place,
    needs: [
      ...(place > 0 && (dice >> place) % 2 === 0 ? [first + place - 1] : []),
      ...finished.slice(0, dice % 2).map(({ id }) => id),
    ],
  }));
}

/** What a person may do at any time; most of it is refused, and then nothing has changed. */
function meddle(play: Play, dice: number): void {
  const busy = (play.task?.plan.steps ?? []).filter(({ status }) => status === "in_progress");
  const events: readonly PlanEvent[] = [
    { on: "pause" },
    { on: "resume" },
    { on: "approve" },
    { on: "settle" },
    { on: "decide", decision: "retry", step: null, because: "" },
    { on: "decide", decision: "retry", step: 1 + (dice % 5), because: "" },
    { on: "decide", decision: "replan", step: null, because: "other" },
    { on: "edit", text: plan(drawn(play, dice), ["a", "b"]) },
    { on: "cancel", plan: "task-2020-01-01-001" },
  ];
  const event = events[dice % events.length] ?? { on: "settle" };
  const lost = dice % 7 === 0 ? busy.map(({ id }) => id) : [];
  try {
    play.do(event, lost);
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown;
  }
}

describe("any course of events", () => {
  test(
    "S3.2 ends, repeats nothing that is finished, and goes on from the documents alone",
    limit,
    () => {
      const dice = array(nat(10_000), { minLength: 20, maxLength: 300 });
      assert(
        property(dice, boolean(), (thrown, review) => {
          const play = new Play();
          play.begin("Ship it", { review });
          let turn = 0;
          // After what was thrown everything goes well: then it has to come to its end.
          for (; play.task && turn < mostTurns; turn++) {
            const calm = turn >= thrown.length;
            const one = thrown[turn] ?? 1;
            if (!calm && one % 5 === 0) meddle(play, one >> 3);
            if (play.task.status === "paused") play.do({ on: "resume" });
            const wanted = play.orders();
            // Somebody can always do something: nothing waits for nothing.
            expect(wanted.length).toBeGreaterThan(0);
            expect(new Set(wanted.map(({ key }) => key)).size).toBe(wanted.length);
            const before = JSON.stringify(wanted);
            play.reread();
            expect(JSON.stringify(play.orders())).toBe(before);
            const order = wanted[one % wanted.length];
            const waits = wanted.flatMap((each) =>
              each.kind === "agent" && each.notBefore !== undefined ? [each.notBefore] : [],
            );
            play.now = Math.max(play.now + (one % 5_000), ...waits);
            if (order) outcome(play, order, calm ? calmDice(order) : one);
          }
          expect(play.task).toBeNull();
          expect(turn).toBeLessThan(mostTurns);
          const done = play.journal.filter(({ to }) => to === "completed").map(({ id }) => id);
          expect(new Set(done).size).toBe(done.length);
          const [entry] = play.world.history.tasks;
          expect(entry?.metrics).toMatchObject({
            steps_completed: done.filter((id) => /^\d+$/.test(id)).length,
          });
        }),
        { numRuns: runs, seed: 3 },
      );
    },
  );
});

/** A throw that lets it succeed. */
function calmDice(order: Order): number {
  return order.kind === "ask" ? (order.unit === "approve" ? 3 : 0) : 1;
}
