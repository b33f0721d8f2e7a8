// What a person gives back who lets a stopped request go on (S4.2, S4.5, S4.8), by the reducer alone.
import { describe, expect, test } from "vitest";
import type { Order, OrderOutcome } from "../../src/workflows/orders.ts";
import { Play } from "./play.ts";
import { type Script, usual } from "./scripted.ts";

function playTo(play: Play, until: string, script: Script = {}): string[] {
  const keys: string[] = [];
  for (;;) {
    const [order] = play.orders();
    const key = order?.key.replace(/^R1\./, "");
    if (order === undefined || key === undefined) throw new Error(`ended: ${keys.join(" ")}`);
    if (key === until) return keys;
    keys.push(key);
    play.take(usual(order, script));
    if (keys.length > 100) throw new Error(keys.join(" "));
  }
}

const ran = ({ key }: Order, code: number, output: string): OrderOutcome => ({
  kind: "ran",
  key,
  code,
  output,
});

/** No draft where one was asked for. */
const nothing = ({ key }: Order): OrderOutcome => ({
  kind: "done",
  key,
  commit: null,
  changed: [],
  words: "",
  files: {},
});

/** GATE-1 fails once, GATE-3 once (a new plan), and then no design is ever written. */
const stuckInDesign: Script = {
  outcome: (key, order) => {
    if (key === "T1-S1.file-1") return ran(order, 1, "");
    if (key === "T1-S1.diff-1") return ran(order, 0, "README.md\n");
    return /^T1\.design-[2-9]$/.test(key) ? nothing(order) : undefined;
  },
};

const spent = { "gate T1-S1 GATE-1": 1, "gate T1-S1 GATE-3": 1 };

describe("a person lets it go on", () => {
  test.each([
    ["by an answer", (play: Play) => play.take(usual(play.orders()[0] as Order))],
    ["by resume", (play: Play) => play.wish("resume")],
    [
      "by resume, after it was left stopped",
      (play: Play) => {
        const { key } = play.orders()[0] as Order;
        play.take({ kind: "answered", key, answer: "stop" });
        play.wish("resume");
      },
    ],
  ])(
    "S4.5 %s: what was asked about has its retries again, and nothing else has",
    (_name, goOn: (play: Play) => void) => {
      const play = new Play();
      playTo(play, "ask-1", stuckInDesign);
      expect(play.run).toMatchObject({
        retries: { ...spent, "contract T1.design": 4 },
        phaseRetries: 1,
      });
      goOn(play);
      expect(play.run).toMatchObject({ phaseRetries: 1, ask: null });
      expect(play.run.retries).toEqual(spent);
      // Four times more, and the person is asked again.
      const designs = playTo(play, "ask-2", stuckInDesign);
      expect(designs).toEqual(["T1.design-6", "T1.design-7", "T1.design-8", "T1.design-9"]);
      play.wish("resume");
      // One retry of GATE-1 is left of two: it may fail once more, then a person is asked.
      const noTests: Script = {
        outcome: (key, order) => (/\.file-/.test(key) ? ran(order, 1, "") : undefined),
      };
      const files = playTo(play, "ask-3", noTests).filter((key) => key.includes(".file-"));
      expect(files).toHaveLength(2);
    },
  );

  test("S4.5 stopped by a person, nothing was asked: no retry comes back", () => {
    const play = new Play();
    playTo(play, "T1.design-3", stuckInDesign);
    const { retries, phaseRetries } = play.run;
    expect(retries).toEqual({ ...spent, "contract T1.design": 1 });
    play.wish("stop");
    play.wish("resume");
    expect(play.run).toMatchObject({ retries, phaseRetries });
  });

  test("S4.5 where the plan was made anew as often as it may be, that is given back", () => {
    const play = new Play();
    const strays: Script = {
      outcome: (key, order) => (/\.diff-/.test(key) ? ran(order, 0, "README.md\n") : undefined),
    };
    const plans = playTo(play, "ask-1", strays).filter((key) => key.startsWith("plan-"));
    expect(plans).toHaveLength(3);
    play.wish("resume");
    expect(playTo(play, "ask-2", strays).filter((key) => key.startsWith("plan-"))).toHaveLength(2);
  });
});
