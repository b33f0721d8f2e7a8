import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Play, checkpoints, fails, passes, project } from "../../../test/develop/play.ts";
import { full } from "../../../test/crash/programs.ts";
import type { AgentOrder, Order } from "../orders.ts";
import { reviewFile } from "./prompts.ts";

const approved = { [reviewFile]: "APPROVED\n" };

/** A headless run up to IMPLEMENT. */
function implementing(...lines: readonly string[]): Play {
  const play = new Play({ headless: true, branch: "develop-chat" });
  play.works("DESIGN-1", {}, checkpoints(...lines));
  play.works("REVIEW-2", approved);
  return play;
}

const agent = (order: Order): AgentOrder => {
  if (order.kind !== "agent") throw new Error(`${order.key} is no agent's`);
  return order;
};

describe("a run without a session (S0)", () => {
  test("S0.5 S0.7 design, review, RALPH, merge: each is asked for in its turn, and the branch lands", () => {
    const play = new Play({ headless: true, branch: "develop-chat" });
    const design = agent(play.order("DESIGN-1"));
    expect(design).toMatchObject({
      role: "designer",
      review: true,
      wanted: [project.path],
      merges: true,
    });
    expect(design.branch).toEqual({ name: "develop-chat" });
    play.works("DESIGN-1", {}, checkpoints("cp-1", "cp-2 < cp-1"));
    expect(play.keys()).toEqual(["REVIEW-2"]);
    expect(agent(play.order("REVIEW-2"))).toMatchObject({
      role: "reviewer",
      merges: false,
      review: false,
    });
    play.works("REVIEW-2", approved);
    for (const id of ["cp-1", "cp-2"]) {
      expect(play.keys()).toEqual([`${id}-1`]);
      play.begin(`${id}-1`);
      expect(play.keys()).toEqual([`${id}-1`]);
      play.works(`${id}-1`);
      expect(play.order(`${id}-1-halt`)).toMatchObject({
        kind: "command",
        command: `npm test -- ${id}`,
      });
      play.ran(`${id}-1-halt`, passes);
    }
    expect(play.state.phase).toBe("MERGE");
    expect(agent(play.order("MERGE-3"))).toMatchObject({ review: true, commands: ["npm test"] });
    play.works("MERGE-3");
    expect(play.keys()).toEqual(["MERGE-3-cp-1", "MERGE-3-cp-2"]);
    play.ran("MERGE-3-cp-1", passes);
    play.ran("MERGE-3-cp-2", passes);
    expect(play.order("MERGE-4-land")).toMatchObject({ kind: "land", commands: ["npm test"] });
    expect(play.state.phase).toBe("MERGE");
    play.take({ kind: "landed", key: "MERGE-4-land", commit: "c" });
    expect(play.state.phase).toBe("DONE");
    // start, REVIEW, IMPLEMENT, begin and pass of each (the last with MERGE), DONE.
    expect(play.writes).toBe(8);
  });

  test("S0.4 a design that is not sound goes back with what is wrong, and after three times to a person", () => {
    const play = new Play({ headless: true, branch: "b" });
    for (const key of ["DESIGN-1", "DESIGN-2", "DESIGN-3"]) {
      play.begin(key);
      play.works(key);
    }
    expect(play.writes).toBe(1);
    expect(play.order("DESIGN-4-ask")).toMatchObject({ kind: "ask", unit: "DESIGN" });
    play.answers("DESIGN-4-ask", "again");
    expect(play.keys()).toEqual(["DESIGN-5"]);
  });

  test("S0.7 a blocking review goes back to the design, twice; then a person accepts or stops", () => {
    const play = new Play({ headless: true, branch: "b" });
    const blocks = (round: number): string => {
      play.works(`DESIGN-${2 * round - 1}`, {}, checkpoints("cp-1"));
      play.works(`REVIEW-${2 * round}`, { [reviewFile]: `BLOCKING\n- finding ${round}\n` });
      const [order] = play.orders();
      return order?.kind === "agent" ? order.prompt : "";
    };
    expect(blocks(1)).toContain("finding 1");
    expect(blocks(2)).toContain("finding 2");
    blocks(3);
    const [ask] = play.orders();
    expect(ask).toMatchObject({ kind: "ask", unit: "REVIEW" });
    expect(play.state.phase).toBe("REVIEW");
    play.answers(ask?.key ?? "", "accept (go on)");
    expect(play.state.phase).toBe("IMPLEMENT");
  });

  test("S0.7 a review without a verdict decides nothing", () => {
    const play = new Play({ headless: true, branch: "b" });
    play.works("DESIGN-1", {}, checkpoints("cp-1"));
    play.works("REVIEW-2", { [reviewFile]: "Looks fine, approved by me\n" });
    expect(play.state.phase).toBe("REVIEW");
    expect(agent(play.order("REVIEW-3")).prompt).toContain("APPROVED or BLOCKING");
  });

  test("S0.5 three attempts: plain, wider, after a diagnosis; then a person is asked with what was tried", () => {
    const play = implementing("cp-1");
    play.works("cp-1-1");
    play.ran("cp-1-1-halt", fails);
    expect(agent(play.order("cp-1-2")).prompt).toContain("Read wider");
    play.works("cp-1-2");
    play.ran("cp-1-2-halt", fails);
    expect(play.keys()).toEqual(["cp-1-3-diagnosis"]);
    expect(agent(play.order("cp-1-3-diagnosis"))).toMatchObject({
      role: "diagnosis",
      merges: false,
    });
    play.works("cp-1-3-diagnosis", { "docs/develop/diagnosis-cp-1.md": "an off by one" });
    expect(agent(play.order("cp-1-3")).prompt).toContain("an off by one");
    play.works("cp-1-3");
    play.ran("cp-1-3-halt", fails);
    expect(play.state.checkpoints?.["cp-1"]).toEqual({ status: "escalated", iteration: 3 });
    const ask = play.order("cp-1-3-ask");
    expect(ask).toMatchObject({ kind: "ask", unit: "cp-1" });
    expect(ask.kind === "ask" && ask.question).toMatch(
      /1\. LOGIC_ERROR[^]*2\. LOGIC_ERROR[^]*3\. LOGIC_ERROR/,
    );
    play.answers("cp-1-3-ask", "retry");
    expect(play.state.checkpoints?.["cp-1"]).toEqual({ status: "in_progress", iteration: 1 });
    expect(play.keys()).toEqual(["cp-1-4"]);
  });

  test("S0.5 who says DESIGN_MISMATCH is not sent again; a person skips it, or ends the run", () => {
    const play = implementing("cp-1", "cp-2");
    for (const id of ["cp-1", "cp-2"]) {
      play.begin(`${id}-1`);
      play.take({
        kind: "failed",
        key: `${id}-1`,
        why: "agent",
        reason: "DESIGN_MISMATCH: no such API",
      });
    }
    expect(play.keys()).toEqual(["cp-1-1-ask", "cp-2-1-ask"]);
    play.answers("cp-1-1-ask", "skip");
    play.answers("cp-2-1-ask", "stop");
    expect(play.run.stopped).toContain("no such API");
    expect(play.orders()).toEqual([]);
  });

  test("S0.6 a team works on a wave in one run with teams switched on; what fails is tried one by one", () => {
    const ids = ["cp-1", "cp-2", "cp-3", "cp-4", "cp-5 < cp-1"];
    const play = implementing(...ids);
    expect(play.state.strategy).toBe("agent-teams");
    const team = agent(play.order("TEAM-3"));
    expect(team).toMatchObject({
      unit: "cp-1,cp-2,cp-3,cp-4",
      agent: "claude",
      env: { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: "1" },
    });
    const before = play.writes;
    play.begin("TEAM-3");
    // Four begin in one write.
    expect([play.writes - before, play.keys()]).toEqual([1, ["TEAM-3"]]);
    play.works("TEAM-3");
    expect(play.keys()).toEqual(["cp-1-1-halt", "cp-2-1-halt", "cp-3-1-halt", "cp-4-1-halt"]);
    play.ran("cp-1-1-halt", passes);
    play.ran("cp-2-1-halt", fails);
    expect(play.keys()).toEqual(["cp-2-2", "cp-3-1-halt", "cp-4-1-halt", "cp-5-1"]);
  });

  test("S0.6 a team that comes to nothing costs no attempt: several agents go on", () => {
    const play = implementing("cp-1", "cp-2", "cp-3", "cp-4", "cp-5");
    play.begin("TEAM-3");
    play.take({ kind: "failed", key: "TEAM-3", why: "agent", reason: "teams are off" });
    expect(play.keys()).toEqual(["cp-1-1", "cp-2-1", "cp-3-1", "cp-4-1"]);
    expect(play.state.checkpoints?.["cp-1"]).toEqual({ status: "in_progress", iteration: 1 });
  });

  test("S0.7 what can not land is a person's: again, or back to be mended and checked anew", () => {
    const play = implementing("cp-1");
    play.works("cp-1-1");
    play.ran("cp-1-1-halt", passes);
    play.works("MERGE-3");
    play.ran("MERGE-3-cp-1", fails);
    expect(agent(play.order("MERGE-4")).prompt).toContain("expected 2, got 3");
    play.works("MERGE-4");
    play.ran("MERGE-4-cp-1", passes);
    play.take({ kind: "not_landed", key: "MERGE-5-land", why: "conflict", reason: "chat.ts" });
    expect(play.state.phase).toBe("MERGE");
    play.answers("MERGE-5-ask", "back");
    expect(play.state.phase).toBe("IMPLEMENT");
    expect(agent(play.order("FIX-6")).prompt).toContain("chat.ts");
    play.works("FIX-6");
    play.ran("FIX-6-cp-1", passes);
    expect(play.keys()).toEqual(["MERGE-7"]);
  });

  test("S0.3 an outcome told twice, or of an order that is not wanted, changes nothing", () => {
    const play = implementing("cp-1");
    play.works("cp-1-1");
    expect(play.ran("cp-1-1-halt", fails)).toBe(true);
    const before = JSON.stringify([play.state, play.run]);
    expect(play.ran("cp-1-1-halt", passes)).toBe(false);
    expect(play.take({ kind: "landed", key: "MERGE-3-land", commit: "c" })).toBe(false);
    expect(play.begin("cp-1-1")).toBe(false);
    expect(JSON.stringify([play.state, play.run])).toBe(before);
  });
});

/** A random world: what an order comes to, and whether its driver dies before it has told. */
const world = fc.record({
  needs: fc.array(fc.array(fc.nat(5), { maxLength: 2 }), { minLength: 1, maxLength: 6 }),
  wish: fc.constantFrom(null, "direct", "subagent", "agent-teams"),
  dice: fc.array(fc.record({ which: fc.nat(7), how: fc.nat(9), dies: fc.boolean() }), {
    maxLength: 300,
  }),
});

test("S0.3 S0.5 S0.9 whatever agents, commands and people do, and whenever it is killed, the rules hold", () => {
  const runs: Play[] = [];
  fc.assert(
    fc.property(world, ({ needs, wish, dice }) => {
      const lines = needs.map((all, at) => {
        const before = [...new Set(all.filter((one) => one < at))].map((one) => `cp-${one + 1}`);
        return `cp-${at + 1}${before.length > 0 ? ` < ${before.join(",")}` : ""}`;
      });
      const play = new Play({ headless: true, branch: "b", wish });
      const ended = new Set<string>();
      const matched = new Set<string>();
      runs.push(play);
      for (const { which, how, dies } of dice) {
        const orders = play.orders();
        const order = orders[which % Math.max(1, orders.length)];
        if (order === undefined) break;
        // No key comes again once its outcome is in, and none stands there twice.
        expect(ended.has(order.key)).toBe(false);
        expect(new Set(orders.map(({ key }) => key)).size).toBe(orders.length);
        play.begin(order.key);
        play.stored();
        // Killed before the outcome: the same order is wanted again.
        expect(play.keys()).toContain(order.key);
        if (!dies && outcome(play, order, how, lines)) {
          ended.add(order.key);
          if (order.kind === "command" && how > 3) matched.add(order.unit);
        }
        for (const [id, one] of Object.entries(play.state.checkpoints ?? {}))
          expect(one.status !== "passed" || matched.has(id) || play.run.units[id]?.skipped).toBe(
            true,
          );
      }
    }),
    { numRuns: full ? 5_000 : 150, seed: 7 },
  );
  // Far enough to have met them.
  expect(new Set(runs.map(({ state }) => state.phase))).toContain("DONE");
  expect(runs.some(({ journal }) => journal.some(({ trigger }) => trigger === "skip"))).toBe(true);
});

function outcome(play: Play, order: Order, how: number, lines: readonly string[]): boolean {
  const { key } = order;
  switch (order.kind) {
    case "agent": {
      if (how < 2)
        return play.take({
          kind: "failed",
          key,
          why: "agent",
          reason: how === 0 ? "ENV_ISSUE" : "gave up",
        });
      const files = { [reviewFile]: how < 4 ? "BLOCKING\n- no" : "APPROVED" };
      return play.works(key, files, how < 3 ? undefined : checkpoints(...lines));
    }
    case "command":
      return play.ran(key, how > 3 ? passes : fails);
    case "land":
      if (how > 5) return play.take({ kind: "landed", key, commit: "c" });
      return play.take({ kind: "not_landed", key, why: "gate", reason: "red" });
    default:
      return play.answers(key, order.options[how % (order.options.length - 1)] ?? "");
  }
}
