// A request that everything happens to (S4.2 to S4.8): agents fail, drafts are missing or broken, gates
// refuse, contracts vanish, people stop and resume it. Whatever came, every document is valid after
// every step (play.ts), no order is ever wanted twice under one key, and left in peace it ends.
import { describe, expect, test } from "vitest";
import type { Order, OrderOutcome } from "../../src/workflows/orders.ts";
import { full, seeded } from "../crash/programs.ts";
import { Play } from "./play.ts";
import { done, failing, source, usual } from "./scripted.ts";

const rounds = full ? 400 : 6;
const steps = 60;

const tasks = [
  { id: "T1", name: "one", subtasks: ["T1-S1", "T1-S2"] },
  { id: "T2", name: "two", subtasks: ["T2-S1"] },
];

/** Something else than usual, for this order. */
function odd(order: Order, random: (below: number) => number): OrderOutcome {
  const { key } = order;
  if (order.kind === "agent") {
    const [draft = ""] = order.wanted;
    const kinds: OrderOutcome[] = [
      { kind: "failed", key, why: "agent", reason: "gave up" },
      { kind: "failed", key, why: "conflict", reason: "src/item.ts" },
      done(order, {}),
      done(order, { [draft]: "version: 1\nnonsense: true\n" }),
      done(order, { [draft]: '{"items": []}' }),
    ];
    return kinds[random(kinds.length)] ?? usual(order);
  }
  if (order.kind === "command") {
    const outputs = [failing, `${source}\nREADME.md\n`, "", "1..2\nok 1 - a\nnot ok 2 - b\n"];
    return {
      kind: "ran",
      key,
      code: random(3) - 1 || null,
      output: outputs[random(outputs.length)] ?? "",
    };
  }
  if (order.kind === "ask") return { kind: "answered", key, answer: "stop" };
  return { kind: "not_landed", key, why: "conflict", reason: "src/item.ts" };
}

/** What a person, or an accident, does to it. */
function meddle(play: Play, random: (below: number) => number): void {
  const { status } = play.state.request;
  const what = random(8);
  if (status === "stopped" && play.run.ask === null) play.wish("resume");
  else if (status === "active" && what === 0) play.wish("stop");
  else if (what === 1) {
    const paths = [...play.contracts.keys()];
    const path = paths[random(paths.length)];
    if (path !== undefined) play.contracts.delete(path);
  }
}

describe("a request that everything happens to", () => {
  test(
    "S4.8 every document stays valid, no key comes twice, and in peace it ends",
    { timeout: 600_000 },
    () => {
      const random = seeded(11);
      let asked = 0;
      for (let round = 0; round < rounds; round++) {
        const play = new Play();
        const taken = new Set<string>();
        for (let step = 0; step < steps && play.state.request.status !== "completed"; step++) {
          const orders = play.orders();
          const order = orders[random(Math.max(1, orders.length))];
          if (order !== undefined) {
            if (taken.has(order.key)) throw new Error(`${order.key} is wanted again`);
            taken.add(order.key);
            if (order.kind === "ask") asked++;
            play.take(random(3) === 0 ? odd(order, random) : usual(order, { tasks }));
          }
          meddle(play, random);
        }
        for (let step = 0; play.state.request.status !== "completed"; step++) {
          if (play.state.request.status === "stopped" && play.run.ask === null) play.wish("resume");
          const [order] = play.orders();
          if (order !== undefined) play.take(usual(order, { tasks }));
          if (step > 200)
            throw new Error(`round ${round} does not end: ${JSON.stringify(play.state)}`);
        }
        expect(play.end()).toMatchObject({ result: "completed" });
      }
      expect(asked).toBeGreaterThan(0);
    },
  );
});
