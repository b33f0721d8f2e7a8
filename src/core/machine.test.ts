// The machinery itself, on a door: the nine real machines are walked in machines/.
import { describe, expect, test } from "vitest";
import { Fault } from "./errors.ts";
import { STAY, all, defineMachine, toMermaid } from "./machine.ts";
import { msg, render } from "./messages.ts";

interface DoorTypes {
  name: "door";
  state: "open" | "shut" | "gone";
  event: "close" | "open" | "knock" | "remove";
  facts: { readonly windy: boolean; readonly locked: boolean };
  input: { readonly key: string };
  effect: "bang" | "creak" | "answer";
  record: { readonly status: string; readonly hinges: number };
}

// Any texts will do; these say nothing about tasks here.
const windy = msg("task.no_slot");
const calm = msg("task.not_paused");
const locked = msg("task.already_paused");
const noKey = msg("task.needs_hash");

const door = defineMachine<DoorTypes>({
  name: "door",
  title: msg("machine.task"),
  states: ["open", "shut", "gone"],
  events: ["close", "open", "knock", "remove"],
  initial: "open",
  final: ["gone"],
  stateOf: (record) => record.status as "open",
  rows: [
    {
      from: "open",
      on: "close",
      to: "shut",
      when: (facts) => !facts.windy || windy,
      effects: ["creak"],
    },
    {
      from: "open",
      on: "close",
      to: "shut",
      when: (facts) => facts.windy || calm,
      effects: ["bang"],
    },
    {
      from: "shut",
      on: "open",
      to: "open",
      when: all(
        (facts) => !facts.locked || locked,
        (facts) => !facts.windy || windy,
      ),
      needs: (input) => input.key === "brass" || noKey,
    },
    {
      from: "shut",
      on: "open",
      to: STAY,
      when: all(
        (facts) => !facts.locked || locked,
        (facts) => facts.windy || calm,
      ),
    },
    { from: ["open", "shut"], on: "knock", to: STAY, effects: ["answer"] },
    { from: ["open", "shut"], on: "remove", to: "gone" },
  ],
  guarantees: {
    open: [{ rule: msg("task.holds.full_progress"), holds: (r) => r.hinges === 2 }],
    shut: [],
    gone: [],
  },
});
const quiet = { windy: false, locked: false };

describe("step", () => {
  test("the first row whose guard holds is taken, with its state, effects and row", () => {
    expect(door.step("open", "close", quiet)).toEqual({
      ok: true,
      from: "open",
      to: "shut",
      effects: ["creak"],
      row: door.rows[0],
    });
    expect(door.step("open", "close", { ...quiet, windy: true })).toMatchObject({
      effects: ["bang"],
    });
  });

  test("a row that stays ends where it began, from each of its states", () => {
    expect(door.step("shut", "knock", quiet)).toMatchObject({ to: "shut", effects: ["answer"] });
    expect(door.step("open", "knock", quiet)).toMatchObject({ to: "open", effects: ["answer"] });
  });

  test("S1.7 an event without a row is no_transition, told with what is possible now", () => {
    const refusal = door.step("open", "open", quiet);
    expect(refusal).toMatchObject({
      ok: false,
      code: "no_transition",
      allowed: ["close", "knock", "remove"],
    });
    if (refusal.ok) throw new Error("taken");
    expect(refusal.reasons.map((reason) => render("en", reason))).toEqual([
      "“open” is not possible while the task is open. Possible now: close, knock, remove.",
    ]);
  });

  test("S1.7 where nothing is possible, a dash stands for the list", () => {
    const refusal = door.step("gone", "knock", quiet);
    if (refusal.ok) throw new Error("taken");
    expect(refusal.allowed).toEqual([]);
    expect(refusal.reasons.map((reason) => render("ko", reason))).toEqual([
      "작업의 상태가 gone일 때는 “knock”를 할 수 없습니다. 지금 할 수 있는 것: –.",
    ]);
  });

  test("a reason that all rows of a pair share is told once, and none but it", () => {
    expect(door.step("shut", "open", { windy: false, locked: true })).toMatchObject({
      code: "refused",
      reasons: [locked],
      allowed: ["knock", "remove"],
    });
  });

  test("where only the input is missing, only that is told, and the event stays allowed", () => {
    const refusal = door.step("shut", "open", quiet, { key: "iron" });
    expect(refusal).toEqual({
      ok: false,
      code: "refused",
      reasons: [noKey],
      allowed: ["open", "knock", "remove"],
    });
    expect(door.step("shut", "open", quiet, { key: "brass" })).toMatchObject({
      ok: true,
      to: "open",
    });
  });
});

test("explain() tells of each event whether it is allowed, where to, with what, or why not", () => {
  expect(door.explain("shut", quiet)).toEqual([
    {
      event: "close",
      allowed: false,
      reasons: [expect.objectContaining({ key: "machine.no_transition" })],
    },
    { event: "open", allowed: true, to: "open", needs: noKey },
    { event: "knock", allowed: true, to: "shut" },
    { event: "remove", allowed: true, to: "gone" },
  ]);
  expect(door.explain("shut", { windy: true, locked: true })[1]).toEqual({
    event: "open",
    allowed: false,
    reasons: [locked],
  });
});

function fault(record: DoorTypes["record"], id?: string): Fault {
  try {
    door.assertInvariants(record, id);
  } catch (error) {
    if (error instanceof Fault) return error;
  }
  throw new Error("no fault");
}

describe("assertInvariants", () => {
  test("a record that keeps its rules passes, also in a state without rules", () => {
    expect(() => door.assertInvariants({ status: "open", hinges: 2 })).not.toThrow();
    expect(() => door.assertInvariants({ status: "shut", hinges: 0 })).not.toThrow();
  });

  test("a broken rule is a corrupt fault that names the record, its state and the rule", () => {
    expect(fault({ status: "open", hinges: 1 }, "d-1")).toMatchObject({
      code: "corrupt",
      message: "Broken record: the task d-1 is open, but that needs: progress is 100.",
    });
  });

  test("a record without an id leaves no gap in the sentence", () => {
    expect(fault({ status: "open", hinges: 1 }).message).toBe(
      "Broken record: the task is open, but that needs: progress is 100.",
    );
  });

  test("an unknown state, one from the prototype too, is a corrupt fault with the known ones", () => {
    for (const status of ["ajar", "", "constructor", "__proto__"])
      expect(fault({ status, hinges: 2 }, "d-1")).toMatchObject({
        code: "corrupt",
        message: `Unknown state “${status}” of the task d-1. Known: open, shut, gone.`,
      });
  });
});

test("the diagram has one arrow for rows that look alike, and marks what may be refused", () => {
  expect(toMermaid(door).split("\n")).toEqual([
    "stateDiagram-v2",
    "  [*] --> open",
    "  open --> shut : close?",
    "  shut --> open : open?",
    "  shut --> shut : open?",
    "  open --> open : knock",
    "  shut --> shut : knock",
    "  open --> gone : remove",
    "  shut --> gone : remove",
    "  gone --> [*]",
    "",
  ]);
});
