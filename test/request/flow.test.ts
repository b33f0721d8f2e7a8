// A request from its first order to its last, by the reducer alone (S4.4 to S4.8).
import { describe, expect, test } from "vitest";
import { Play } from "./play.ts";
import { type Script, usual } from "./scripted.ts";

/** Plays until nothing is wanted; the keys in their order. */
function playAll(play: Play, script: Script = {}, most = 60): string[] {
  const keys: string[] = [];
  for (let orders = play.orders(); orders.length > 0; orders = play.orders()) {
    for (const order of orders) {
      keys.push(order.key.replace(/^R1\./, ""));
      play.take(usual(order, script));
      if (keys.length > most) throw new Error(keys.join(" "));
    }
  }
  return keys;
}

describe("a request that goes well", () => {
  test("S4.4 it explores and plans side by side, then goes through gates 1, 3, 4 and 2", () => {
    const play = new Play();
    expect(play.orders().map(({ key }) => key)).toEqual(["R1.explore-1", "R1.plan-1"]);
    expect(playAll(play)).toEqual(
      "explore-1 plan-1 T1.design-1 T1-S1.base-1 T1-S1.test-1 T1-S1.file-1 T1-S1.implement-1 T1-S1.diff-1 T1-S1.verify-1 T1-S1.judge-1 T1-S1.run-1 land-1".split(
        " ",
      ),
    );
    const gates = play.journal.flatMap(({ metadata }) => metadata["gate"] ?? []);
    expect(gates).toEqual(["GATE-1", "GATE-3", "GATE-4", "GATE-2"]);
    expect(play.state.request).toMatchObject({ status: "completed", global_phase: "complete" });
    expect(play.end()).toMatchObject({ result: "completed" });
  });
});
