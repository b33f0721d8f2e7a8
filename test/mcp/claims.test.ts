// The same claim by a tool and by a marker counts once (S6.3): played without a process.
import { describe, expect, test } from "vitest";
import type { Said } from "../../src/core/protocol.ts";
import { Play } from "../../src/engine/decide/play.ts";
import type { Answer } from "../../src/engine/decide/world.ts";

const begun = (type = "create_app"): Play => new Play(type).begin();
const says = (play: Play, said: Said, process = play.agent.data.process ?? ""): Answer =>
  play.command({ name: "say", process, said });
const claim = (phase: number): Said => ({
  kind: "phase_complete",
  phase,
  completed: null,
  files: [],
});
const question = (text: string): Said => ({
  kind: "user_question",
  category: "clarification",
  question: text,
  options: [],
  default: null,
  required: true,
});
const checked = (play: Play, feedback: string): void => {
  const { phase = 1, round = 0 } = play.task.data.document ?? {};
  const step = `check-${phase}-${round}`;
  const result = { kind: "checked", step, result: { passed: false, feedback } } as const;
  play.put({ kind: "effect", key: "k", name: "verify", result });
};

describe("a claim by a tool", () => {
  test("S1.14 it is decided as a marker is: the agent stands still and the check is asked for", () => {
    const [tool, marker] = [begun(), begun()];
    expect(says(tool, claim(1))).toEqual({
      ok: true,
      result: { taken: "now", status: "waiting_review" },
    });
    marker.claims(1);
    expect(tool.stands).toBe(marker.stands);
    expect(tool.effects.map(({ name }) => name)).toEqual(marker.effects.map(({ name }) => name));
    expect(tool.journal).toEqual(marker.journal);
  });

  test("S6.3 tool, then marker: after the check refuses, the marker is not a second claim", () => {
    const play = begun();
    says(play, claim(1));
    play.claims(1);
    checked(play, "too short");
    expect(play.task.data.document).toMatchObject({ stage: "work", round: 1, reworks: 1 });
    expect(play.agent.data.unread).toEqual([]);
    // What is claimed after the feedback is a claim of its own.
    play.claims(1);
    expect(play.task.data.document).toMatchObject({ stage: "check", round: 1 });
  });

  test("S6.3 marker, then tool: the tool is told that it was said before", () => {
    const play = begun();
    play.claims(1);
    expect(says(play, claim(1))).toMatchObject({ ok: true, result: { taken: "before" } });
    checked(play, "too short");
    expect(play.task.data.document).toMatchObject({ stage: "work", reworks: 1 });
  });

  test("S1.12 the same question and the same need by both are asked once", () => {
    const play = begun();
    says(play, question("Which?"));
    play.asks("Which?", []);
    expect(says(play, question("Which?"))).toMatchObject({ result: { taken: "before" } });
    expect(play.all("question")).toHaveLength(1);
    expect(play.agent.data.unread).toEqual([]);
    // Another one waits for its turn.
    expect(says(play, question("Which else?"))).toMatchObject({ result: { taken: "later" } });
    play.command({ name: "answer", questionId: play.open("question").id, answer: "That" });
    expect(play.open("question").data.question).toBe("Which else?");
  });

  test("S1.14 what is wrong is answered, not told as a message: another phase, a verifier's words", () => {
    const play = begun();
    const told = play.agent.data.told.length;
    expect(says(play, claim(3))).toMatchObject({ ok: false, code: "refused" });
    expect(says(play, { kind: "verification_result", criteria: [] })).toMatchObject({ ok: false });
    expect(play.agent.data.told).toHaveLength(told);
    expect(play.stands).toBe("in_progress/running");
  });

  test("S1.14 missing files refuse it at once, with what is missing, and cost a rework as a marker's do", () => {
    const play = begun();
    play.around = { missingDeliverables: ["docs/planning/01_idea.md"] };
    const answer = says(play, claim(1));
    expect(answer).toMatchObject({ ok: false, code: "refused" });
    expect(JSON.stringify(answer)).toContain("01_idea.md");
    expect(play.task.data.document).toMatchObject({ round: 1, reworks: 1 });
  });

  test("S6.3 a process that was replaced, or never was, says nothing any more", () => {
    const play = begun();
    expect(says(play, claim(1), "run_nobody")).toMatchObject({ ok: false, code: "refused" });
    const before = play.agent.data.process ?? "";
    play.put({ kind: "ended", process: before, code: 1, signal: null });
    expect(play.agent.data.process).not.toBe(before);
    expect(says(play, claim(1), before)).toMatchObject({ ok: false, code: "refused" });
    expect(play.task.data.document).toMatchObject({ stage: "work", round: 0 });
  });

  test("S1.14 who speaks is not silent: a note moves the time after which a person is asked", () => {
    const play = begun();
    const key = [...play.timers.keys()].find((name) => name.includes(":silence:")) ?? "";
    const before = play.timers.get(key) ?? 0;
    play.now += 60_000;
    const process = play.agent.data.process ?? "";
    play.command({ name: "note", process, text: "Half of it" });
    expect(play.timers.get(key)).toBe(before + 60_000);
    expect(play.journal.at(-1)).toMatchObject({ machine: "agent", trigger: "progress" });
  });
});
