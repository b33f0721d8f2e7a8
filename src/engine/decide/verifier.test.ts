import { array, assert, nat, property } from "fast-check";
import { describe, expect, test } from "vitest";
import type { ProjectSettings } from "../../formats/project-settings.ts";
import { Play } from "./play.ts";
import { TurnPlay } from "./turn-agent.ts";

const settings = (review: boolean): ProjectSettings => ({
  version: 1,
  task_types: {
    judged: {
      phases: [
        { name: "One", prompt: "Do it", verifier: "It is good.", review },
        { name: "Two", prompt: "More", review },
      ],
    },
  },
});

const judged = (review = true, slots = 1): Play => {
  const play = new Play("judged", slots);
  play.settings = settings(review);
  return play.begin();
};
/** Claimed and found good by the engine: the verifier is at work. */
const begun = (review = true): Play => {
  const play = judged(review);
  play.claims(1);
  play.checked();
  return play;
};
const answers = (play: Play, answer: string) =>
  play.command({ name: "answer", questionId: play.open("question").id, answer });
/** It ended without a verdict, again and again. */
const lost = (): Play => {
  const play = begun();
  for (let time = 0; time < 3; time++) play.exits(0, null, play.verifier);
  return play;
};
const malformed = {
  type: "signal",
  signal: { kind: "malformed", marker: "VERIFICATION_RESULT", complaint: "x", start: 0, end: 1 },
} as never;

describe("a verifier (S1.14)", () => {
  test.each([true, false])(
    "S1.14 a claim that passed the checks counts only with its verdict (review: %s)",
    (review) => {
      const play = begun(review);
      expect(play.task.status).toBe("in_progress");
      expect(play.task.data.document).toMatchObject({ stage: "check", phase: 1 });
      expect(play.verifier).toMatchObject({ status: "running", data: { role: "verifier" } });
      expect(play.seen()).toEqual(expect.arrayContaining(["make_copy", "start"]));
      play.judges("passed", "passed");
      expect(play.verifier.status).toBe("completed");
      expect(play.task.status).toBe(review ? "review" : "in_progress");
      if (review) play.approve();
      expect(play.task.data.document).toMatchObject({ phase: 2, stage: "work" });
      expect(play.stands).toBe("in_progress/running");
      expect(play.agent.data.slot).toBe(true);
      expect(play.seen()).toContain("remove_copy");
    },
  );

  test("S1.14 it is told the order, what to judge and how to say it, and sees no value", () => {
    const play = judged();
    play.around = { provided: new Set(["API_KEY"]) };
    play.claims(1);
    play.checked();
    const [prompt] = play.effects
      .filter(
        ({ name, data }) => name === "write" && data["process"] === play.verifier.data.process,
      )
      .map(({ data }) => data["text"]);
    for (const part of ["A list", "Do it", "It is good.", "=== VERIFICATION_RESULT ==="])
      expect(prompt).toContain(part);
    const process = play.all("process").find(({ id }) => id === play.verifier.data.process);
    expect(process?.data.variables).toEqual([]);
  });

  test("S1.14 one criterion that failed is feedback and a rework; three in a row, and the task fails", () => {
    const play = begun();
    for (let rework = 1; rework <= 3; rework++) {
      play.judges("passed", "failed");
      expect(play.stands).toBe("in_progress/running");
      expect(play.task.data.document).toMatchObject({ stage: "work", reworks: rework });
      expect(play.task.data.document?.feedback).toContain("- c2: too thin");
      play.claims(1);
      play.checked();
    }
    expect(play.all("agent").filter(({ data }) => data.role === "verifier")).toHaveLength(4);
    play.judges("failed");
    expect(play.stands).toBe("failed/failed");
    expect(play.task.data.failure?.reason).toBe("verification_failed");
    expect(play.free).toBe(1);
  });

  test("S1.14 what the checks refuse it never sees", () => {
    const play = judged();
    play.claims(1);
    play.checked("a.md is empty");
    expect(play.all("agent")).toHaveLength(1);
    expect(play.task.data.document).toMatchObject({ reworks: 1 });
  });

  test("S1.7b it holds a slot: with a single one, that of who claimed", () => {
    for (const review of [true, false]) {
      const play = begun(review);
      expect(play.verifier.data.slot).toBe(true);
      expect(play.agent.data.slot).toBe(false);
      expect(play.free).toBe(0);
      // Nobody else gets it meanwhile.
      play.command({ name: "grant_slot" });
      expect(play.agent.data.slot).toBe(false);
    }
  });

  test("S1.14 ended without a verdict it is reminded twice, then a person is asked; it is never passed", () => {
    const play = begun();
    for (let reminder = 1; reminder <= 2; reminder++) {
      play.exits(0, null, play.verifier);
      expect(play.verifier.data.reminders).toBe(reminder);
      expect(play.verifier.status).toBe("running");
    }
    play.exits(0, null, play.verifier);
    expect(play.verifier.status).toBe("failed");
    expect(play.stands).toBe("in_progress/waiting_review");
    expect(play.all("attempt").at(-1)).toMatchObject({ status: "failed" });
    expect(play.open("question").data).toMatchObject({
      origin: "verifier",
      options: ["again", "rework", "accept", "cancel"],
    });
    expect(play.all("review")).toEqual([]);
    expect(play.free).toBe(1);
  });

  test("S1.14 a malformed verdict is told to it twice, the third is none", () => {
    const play = begun();
    for (let time = 0; time < 2; time++) play.saysAs(play.verifier, malformed);
    expect(play.verifier).toMatchObject({ status: "running", data: { reminders: 2 } });
    play.saysAs(play.verifier, malformed);
    expect(play.verifier.status).toBe("failed");
    expect(play.open("question").data.origin).toBe("verifier");
  });

  test("S1.14 one that crashes is started again, three times in all", () => {
    const play = begun();
    for (let crash = 0; crash < 2; crash++) play.exits(1, null, play.verifier);
    expect(play.verifier.status).toBe("running");
    play.exits(1, null, play.verifier);
    expect(play.open("question").data.question).toContain("exit 1");
    expect(play.agent.data.crashes).toBe(0);
  });

  test("S1.14 asked, a person has it looked at again, accepts it, sends it back, or cancels", () => {
    const again = lost();
    answers(again, "again");
    again.started();
    expect(again.verifier.status).toBe("running");
    again.judges("passed");
    expect(again.stands).toBe("review/waiting_review");
    const accepted = lost();
    answers(accepted, "accept");
    expect(accepted.stands).toBe("review/waiting_review");
    expect(accepted.all("attempt").map(({ status, data }) => [status, data.accepted])).toEqual([
      ["failed", undefined],
      ["passed", true],
    ]);
    const back = lost();
    answers(back, "rework");
    expect(back.task.data.document).toMatchObject({ stage: "work", reworks: 1 });
    expect(back.stands).toBe("in_progress/running");
    const ended = lost();
    answers(ended, "cancel");
    expect(ended.stands).toBe("failed/failed");
  });

  test("S1.14 its copy or its start that can not be had is a missing verdict, not a failed task", () => {
    const play = begun();
    play.put({
      kind: "effect",
      key: "k1",
      name: "make_copy",
      result: { kind: "failed", message: "no space", about: play.verifier.id },
    });
    expect(play.stands).toBe("in_progress/waiting_review");
    expect(play.open("question").data.question).toContain("no space");
  });

  test("S1.14 it may only judge: a claim, a question, a need of it change nothing", () => {
    const play = begun();
    const before = play.verifier.data.process;
    for (const kind of ["phase_complete", "user_question", "dependency_request"])
      play.saysAs(play.verifier, {
        type: "signal",
        signal: { kind, phase: 1, files: [], start: 0, end: 1 },
      } as never);
    expect(play.verifier).toMatchObject({ status: "running", data: { process: before } });
    expect([play.all("question"), play.all("dependency")]).toEqual([[], []]);
    expect(play.journal.filter(({ trigger }) => trigger === "malformed")).toHaveLength(3);
  });

  test("S1.16 one that works by turns: reminded at their ends, it may read, and nobody answers it", () => {
    const play = new TurnPlay("judged");
    play.settings = { ...settings(true), permissions: "everything" };
    play.begin();
    play.hears();
    play.claims(1);
    play.checked();
    play.written();
    const request = { tool: "x", detail: "", input: {} };
    play.saysAs(play.verifier, { type: "permission", id: "p1", ...request, access: "read" });
    play.saysAs(play.verifier, { type: "permission", id: "p2", ...request, access: "edit" });
    play.saysAs(play.verifier, { type: "permission", id: "p3", ...request });
    const questions = [{ question: "Why?", options: [], several: false }];
    play.saysAs(play.verifier, { type: "question", id: "q1", questions });
    expect(play.written().map(({ about, permission }) => [about, permission?.allow])).toEqual([
      ["p1", true],
      ["p2", false],
      ["p3", false],
      ["q1", false],
    ]);
    for (let turn = 0; turn < 3; turn++) {
      expect(play.verifier.status).toBe("running");
      play.saysAs(play.verifier, { type: "turnEnd" });
    }
    expect(play.verifier.status).toBe("failed");
    expect(play.open("question").data.origin).toBe("verifier");
  });

  test("S1.14 the verdict of anybody else is refused", () => {
    const play = judged();
    play.signals({ kind: "verification_result", criteria: [] } as never);
    expect(play.stands).toBe("in_progress/running");
    expect(play.journal.at(-1)).toMatchObject({ trigger: "malformed" });
  });

  test("S1.9 paused with its task, it goes on with it; none begins while a person holds it", () => {
    const play = begun();
    play.command({ name: "pause" });
    expect(play.verifier.status).toBe("paused");
    play.command({ name: "resume" });
    expect(play.verifier.status).toBe("running");
    const held = judged();
    held.claims(1);
    held.command({ name: "pause" });
    held.checked();
    expect(held.all("agent")).toHaveLength(1);
    held.command({ name: "resume" });
    held.started();
    expect(held.verifier.status).toBe("running");
    held.judges("passed");
    expect(held.stands).toBe("review/waiting_review");
  });

  test("S1.7 cancelled while it judges: it ends as well, and its copy goes", () => {
    const play = begun();
    play.seen();
    play.command({ name: "cancel" });
    expect(play.all("agent").map(({ status }) => status)).toEqual(["failed", "failed"]);
    expect(play.seen()).toContain("remove_copy");
    expect(play.free).toBe(1);
  });

  test("S1.20 a check whose end was not committed is looked at again, and begins no second one", () => {
    const play = begun();
    play.checked();
    expect(play.all("agent")).toHaveLength(2);
  });

  test("S1.2 an agent that nobody knows is refused before anything starts", () => {
    const play = new Play("judged");
    const phases = [{ name: "One", prompt: "x", verifier: "y", verifier_agent: "nobody" }];
    play.settings = { version: 1, task_types: { judged: { phases } } };
    expect(play.submit()).toMatchObject({ ok: false, code: "invalid_input" });
  });
});

test("S1.14 whatever happens in whatever order, no slot is lost and nothing passes unjudged", () => {
  const moves: ((play: Play) => void)[] = [
    (play) => play.claims(play.task.data.document?.phase ?? 1),
    (play) => play.checked(),
    (play) => play.checked("bad"),
    (play) => play.judges("passed"),
    (play) => play.judges("failed"),
    (play) => play.saysAs(play.verifier, malformed),
    (play) => play.exits(0, null, play.verifier),
    (play) => play.exits(null, null, play.verifier),
    (play) => play.exits(0),
    (play) => void play.command({ name: "pause" }),
    (play) => void play.command({ name: "resume" }),
    (play) => void play.command({ name: "grant_slot" }),
    (play) => play.limited(),
    (play) => play.due("unpark"),
    (play) => play.due("frozen"),
    (play) => play.due("frozen", play.verifier.id),
    (play) => play.due("silence", play.verifier.id),
    (play) => void play.approve(),
    (play) => void answers(play, play.open("question").data.options[0] ?? "x"),
    (play) => void answers(play, play.open("question").data.options[1] ?? "x"),
    (play) => {
      if (play.open("question").data.origin === "verifier") answers(play, "accept");
    },
    (play) => play.started(),
  ];
  const seen = new Set<string>();
  for (const review of [true, false])
    assert(
      property(array(nat(moves.length - 1), { size: "max", maxLength: 80 }), (course) => {
        const play = judged(review);
        for (const at of course) {
          try {
            moves[at]?.(play);
          } catch (cause) {
            if (!(cause instanceof Error) || !/^(no open|there is no agent)/.test(cause.message))
              throw cause;
          }
          const held = play.all("agent").filter(({ data }) => data.slot).length;
          expect(play.free + held).toBe(1);
        }
        const passed = play.task.data.document?.phase === 2 || play.all("review").length > 0;
        const judgedGood = play.journal.some(
          ({ trigger, to }) => trigger === "VERIFICATION_RESULT" && to === "completed",
        );
        const accepted = play
          .all("question")
          .some(({ data }) => data.origin === "verifier" && data.answer === "accept");
        expect(!passed || judgedGood || accepted).toBe(true);
        seen.add(`${play.stands} ${play.task.data.document?.phase}`);
      }),
      { numRuns: 400, seed: 11 },
    );
  expect(seen.size).toBeGreaterThan(8);
});
