// Plans under random outcomes: whatever agents and people do, a plan ends, nothing finished runs again,
// and whoever reads the same documents after any step wants the same things under way.
import { array, assert, boolean, nat, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { full } from "../../../test/crash/programs.ts";
import { type Drawn, Play, closing, plan, verdict } from "../../../test/plan/play.ts";
import type { Order } from "../orders.ts";

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

describe("any course of events", () => {
  test("S3.2 ends, repeats nothing that is finished, and goes on from the documents alone", () => {
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
  });
});

/** A throw that lets it succeed. */
function calmDice(order: Order): number {
  return order.kind === "ask" ? (order.unit === "approve" ? 3 : 0) : 1;
}
