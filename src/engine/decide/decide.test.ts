import { array, assert, nat, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { taskEvents, taskMachine } from "../../core/machines/task.ts";
import type { Command } from "./commands.ts";
import { Play } from "./play.ts";

describe("a task of phases (S1.2–S1.6)", () => {
  test.each(["create_app", "modify_app", "workflow"])(
    "S1.17 %s goes through its four phases, each claimed, checked and approved",
    (type) => {
      const play = new Play(type).begin();
      expect(play.stands).toBe("in_progress/running");
      for (let phase = 1; phase <= 4; phase++) {
        play.claims(phase);
        expect(play.stands).toBe("in_progress/waiting_review");
        play.checked();
        expect(play.stands).toBe("review/waiting_review");
        expect(play.free).toBe(1);
        expect(play.approve().ok).toBe(true);
      }
      expect(play.stands).toBe("completed/completed");
      expect(play.task.data.progress).toBe(100);
      expect(play.seen()).toEqual(
        expect.arrayContaining(["make_workspace", "start", "verify", "pack"]),
      );
    },
  );

  test("S1.14 how long a check took is kept with its attempt, and in the journal where it passed", () => {
    const play = new Play().begin();
    const took = { milliseconds: 1_250, commands: [{ command: "npm test", milliseconds: 1_200 }] };
    play.claims(1);
    play.checked("03_users.md is empty", took);
    play.claims(1);
    play.checked(undefined, { milliseconds: 900, commands: [] });
    expect(play.all("attempt").map(({ status, data }) => [status, data.took])).toEqual([
      ["failed", took],
      ["passed", { milliseconds: 900, commands: [] }],
    ]);
    const passed = play.journal.filter(
      ({ machine, trigger }) => machine === "task" && trigger === "PHASE_COMPLETE",
    );
    expect(passed).toMatchObject([{ metadata: { checkMs: 900 } }]);
  });

  test("S1.4b custom completes by itself when its claim holds", () => {
    const play = new Play("custom").begin();
    play.signals({ kind: "task_complete", task: null, summary: "done" } as never);
    expect(play.stands).toBe("in_progress/running");
    play.checked();
    expect(play.stands).toBe("completed/completed");
    expect(play.free).toBe(1);
  });

  test("S1.2 an empty description is refused, and nothing is queued", () => {
    const play = new Play("create_app", 1, { description: " " });
    expect(play.submit()).toMatchObject({ ok: false, code: "refused" });
    expect(play.task).toMatchObject({ status: "draft", queuedAt: null, data: { document: null } });
  });

  test("S1.14 a claim of another phase changes nothing; the agent is told", () => {
    const play = new Play().begin();
    play.seen();
    play.claims(3);
    expect(play.stands).toBe("in_progress/running");
    expect(play.seen()).toEqual(["write"]);
    expect(play.journal.at(-1)).toMatchObject({ trigger: "malformed" });
  });

  test("S1.6 a claim that fails its check goes back three times, then the task fails", () => {
    const play = new Play().begin();
    for (let rework = 1; rework <= 3; rework++) {
      play.claims(1);
      play.checked("03_users.md is empty");
      expect(play.stands).toBe("in_progress/running");
      expect(play.task.data.document).toMatchObject({ reworks: rework });
    }
    play.claims(1);
    play.checked("03_users.md is empty");
    expect(play.stands).toBe("failed/failed");
    expect(play.task.data.failure?.reason).toBe("verification_failed");
    expect(play.free).toBe(1);
  });

  test("S1.14 a claim whose declared files are missing costs a rework without a check", () => {
    const play = new Play().begin();
    play.around = { missingDeliverables: ["docs/planning/03_users.md"] };
    play.claims(1);
    expect(play.stands).toBe("in_progress/running");
    expect(play.task.data.document).toMatchObject({ stage: "work", reworks: 1 });
    expect(play.task.data.document?.feedback).toContain("03_users.md");
  });

  test("S1.5 remarks on single lines are feedback enough", () => {
    const play = new Play().begin();
    play.claims(1);
    play.checked();
    const reviewId = play.open("review").id;
    const comments = [{ path: "docs/planning/01_idea.md", line: 3, text: "too vague" }];
    expect(play.command({ name: "request_changes", reviewId, feedback: "", comments }).ok).toBe(
      true,
    );
    expect(play.task.data.document?.feedback).toBe("- docs/planning/01_idea.md:3: too vague");
  });

  test("S1.5 changes asked for by a person send the phase back with their comments", () => {
    const play = new Play().begin();
    play.claims(1);
    play.checked();
    const reviewId = play.open("review").id;
    const comments = [{ path: "docs/planning/01_idea.md", line: 3, text: "too vague" }];
    expect(play.command({ name: "request_changes", reviewId, feedback: " " }).ok).toBe(false);
    expect(
      play.command({ name: "request_changes", reviewId, feedback: "Say more.", comments }).ok,
    ).toBe(true);
    expect(play.stands).toBe("in_progress/running");
    expect(play.task.data.document?.feedback).toBe(
      "Say more.\n- docs/planning/01_idea.md:3: too vague",
    );
    expect(play.command({ name: "approve", reviewId, hash: "h1" })).toMatchObject({
      ok: false,
      code: "refused",
    });
  });

  test("S1.5 of two approvals the second is refused; one of what was not shown too", () => {
    const play = new Play().begin();
    play.claims(1);
    play.checked();
    const reviewId = play.open("review").id;
    expect(play.approve("another hash")).toMatchObject({ ok: false, code: "refused" });
    expect(play.stands).toBe("review/waiting_review");
    expect(play.approve().ok).toBe(true);
    expect(play.command({ name: "approve", reviewId, hash: "h1" })).toMatchObject({
      ok: false,
      code: "refused",
    });
    expect(play.task.data.document?.phase).toBe(2);
  });

  test("S1.7 a retry is a new task in the queue, linked to the failed one", () => {
    const play = new Play().begin();
    play.fatal();
    expect(play.stands).toBe("failed/failed");
    expect(play.command({ name: "retry", newId: "task_2" })).toEqual({
      ok: true,
      result: { task: "task_2" },
    });
    expect(play.journal.at(-1)).toMatchObject({ to: "pending", trigger: "retry" });
    expect(play.task.status).toBe("failed");
  });
});

describe("what an agent asks (S1.12–S1.16)", () => {
  test("S1.15 an answer is taken exactly, then without case, else refused with the closest option", () => {
    const play = new Play().begin();
    play.asks();
    expect(play.stands).toBe("in_progress/waiting_question");
    const questionId = play.open("question").id;
    const wrong = play.command({ name: "answer", questionId, answer: "Bleu" });
    expect(wrong).toMatchObject({ ok: false, code: "invalid_input" });
    expect(JSON.stringify(wrong)).toContain("Blue");
    expect(play.command({ name: "answer", questionId, answer: "blue" }).ok).toBe(true);
    expect(play.all("question")[0]?.data.answer).toBe("Blue");
    expect(play.stands).toBe("in_progress/running");
    expect(play.command({ name: "answer", questionId, answer: "Red" })).toMatchObject({
      ok: false,
      code: "refused",
    });
  });

  test("S1.16 an answer given while the asker is dead is told to the process that resumes it, once", () => {
    const play = new Play().begin();
    play.asks();
    play.exits(null);
    expect(play.stands).toBe("in_progress/waiting_question");
    play.seen();
    play.command({ name: "answer", questionId: play.open("question").id, answer: "Red" });
    play.started();
    const written = play.effects.filter(({ name }) => name === "write");
    expect(written).toHaveLength(1);
    expect(JSON.stringify(written)).toContain("Red");
    expect(play.all("process")).toHaveLength(2);
  });

  test("S1.15 a provided value ends the process, and the next one has the variable", () => {
    const play = new Play().begin();
    play.needs();
    expect(play.stands).toBe("in_progress/waiting_dependency");
    const dependencyId = play.open("dependency").id;
    expect(play.command({ name: "provide", dependencyId }).ok).toBe(true);
    expect(play.stands).toBe("in_progress/running");
    expect(play.all("process")).toHaveLength(1);
    play.around = { provided: new Set(["API_KEY"]) };
    play.exits(null, "SIGTERM");
    expect(play.all("process").at(-1)?.data).toMatchObject({
      resume: true,
      variables: ["API_KEY"],
    });
    expect(play.agent.data.crashes).toBe(0);
  });

  test("S1.15 a second name for the same variable is refused with a note", () => {
    const play = new Play().begin();
    play.needs("config.json");
    play.command({ name: "provide", dependencyId: play.open("dependency").id });
    play.needs("config-json");
    expect(play.all("dependency")).toHaveLength(1);
    expect(play.stands).toBe("in_progress/running");
    expect(JSON.stringify(play.agent.data)).toContain("the variable config_json");
  });

  test("S1.13 a question behind a claim is asked when the agent goes on", () => {
    const play = new Play().begin();
    play.claims(1);
    play.asks();
    expect(play.all("question")).toEqual([]);
    play.checked();
    play.approve();
    expect(play.stands).toBe("in_progress/waiting_question");
  });

  test("S1.9 a pause while it waits is remembered and takes effect after the wait", () => {
    const play = new Play().begin();
    play.asks();
    expect(play.command({ name: "pause" }).ok).toBe(true);
    expect(play.stands).toBe("in_progress/waiting_question");
    play.command({ name: "answer", questionId: play.open("question").id, answer: "Red" });
    expect(play.stands).toBe("in_progress/paused");
    expect(play.free).toBe(1);
    expect(play.command({ name: "resume" }).ok).toBe(true);
    expect(play.stands).toBe("in_progress/running");
  });
});

describe("limits, ends and silence (S1.14, S1.18, S1.21c)", () => {
  test("S1.18 a limit parks the agent until the stated reset, closes the gate, and is no attempt", () => {
    const play = new Play().begin();
    play.limited(90);
    expect(play.stands).toBe("in_progress/paused");
    expect(play.timers.get(`task_1:unpark:${play.agent.id}`)).toBe(play.now + 90_000);
    expect(play.timers.get("gate:sample")).toBe(play.now + 90_000);
    expect(play.all("attempt")).toEqual([]);
    expect(play.agent.data.crashes).toBe(0);
    play.due("unpark");
    expect(play.stands).toBe("in_progress/running");
  });

  test("S1.18 while the gate is closed an agent that is to go on gets no slot", () => {
    const play = new Play().begin();
    play.asks();
    play.around = { gate: { closedUntil: play.now + 5_000, parked: 1 } };
    play.command({ name: "answer", questionId: play.open("question").id, answer: "Red" });
    expect(play.stands).toBe("in_progress/running");
    expect(play.agent.data.slot).toBe(false);
    play.around = {};
    play.command({ name: "grant_slot" });
    expect(play.agent.data.slot).toBe(true);
  });

  test("S1.14 a clean exit without a claim is reminded twice, then counts as an attempt", () => {
    const play = new Play().begin();
    play.exits(0);
    play.exits(0);
    expect(play.agent.data).toMatchObject({ reminders: 2, crashes: 0 });
    play.exits(0);
    expect(play.agent.data).toMatchObject({ crashes: 1 });
    play.exits(1);
    expect(play.stands).toBe("in_progress/running");
    play.exits(null, "SIGSEGV");
    expect(play.stands).toBe("failed/failed");
    expect(play.task.data.failure?.reason).toBe("attempts");
  });

  test("S1.20 a process whose end nobody saw is resumed, and no attempt is used", () => {
    const play = new Play().begin();
    for (let reboot = 0; reboot < 5; reboot++) play.exits(null);
    expect(play.stands).toBe("in_progress/running");
    expect(play.agent.data.crashes).toBe(0);
    expect(play.all("process")).toHaveLength(6);
  });

  test("S1.14 a silent agent is asked about, not killed", () => {
    const play = new Play().begin();
    play.seen();
    play.due("silence");
    expect(play.open("question").data).toMatchObject({
      origin: "silence",
      options: ["wait", "restart"],
    });
    expect(play.stands).toBe("in_progress/running");
    expect(play.seen()).toEqual(["notify"]);
  });

  test("S1.21c a spent budget parks the task and asks; as much again goes on", () => {
    const play = new Play("create_app", 1, {
      budget: { costUsd: 1, tokens: null, minutes: null },
    }).begin();
    play.says({ type: "usage", tokens: 10, costUsd: 0.6 });
    expect(play.stands).toBe("in_progress/running");
    play.says({ type: "usage", tokens: 10, costUsd: 0.4 });
    expect(play.stands).toBe("in_progress/paused");
    play.command({ name: "answer", questionId: play.open("question").id, answer: "continue" });
    expect(play.stands).toBe("in_progress/running");
    expect(play.task.data.budget?.costUsd).toBe(2);
  });

  test("S1.5 a review is reminded of after 24, 48 and 72 hours, and not again", () => {
    const play = new Play().begin();
    play.claims(1);
    play.checked();
    const { id } = play.open("review");
    const start = play.now;
    for (const hours of [24, 48, 72]) {
      expect(play.timers.get(`task_1:review:${id}`)).toBe(start + hours * 3_600_000);
      play.due("review", id);
    }
    expect(play.timers.has(`task_1:review:${id}`)).toBe(false);
  });

  test("S1.11 an agent frozen for long is ended, and resumed when it is needed", () => {
    const play = new Play().begin();
    play.asks();
    play.due("frozen");
    play.exits(null, "SIGTERM");
    expect(play.stands).toBe("in_progress/waiting_question");
    play.command({ name: "answer", questionId: play.open("question").id, answer: "Red" });
    expect(play.all("process").at(-1)?.data.resume).toBe(true);
  });
});

describe("S1.7 every action in every state", () => {
  const states: Record<string, () => Play> = {
    draft: () => new Play(),
    pending: () => {
      const play = new Play();
      play.submit();
      return play;
    },
    in_progress: () => new Play().begin(),
    review: () => {
      const play = new Play().begin();
      play.claims(1);
      play.checked();
      return play;
    },
    completed: () => {
      const play = new Play("custom").begin();
      play.claims(1);
      play.checked();
      return play;
    },
    failed: () => {
      const play = new Play().begin();
      play.fatal();
      return play;
    },
  };
  const names = ["pause", "resume", "cancel", "archive", "delete", "retry", "start"] as const;
  const pairs = Object.keys(states).flatMap((state) => names.map((name) => [state, name] as const));

  test.each(pairs)(
    "%s, %s: allowed, or refused with a reason and what is allowed",
    (state, name) => {
      const play = states[state]?.();
      if (play === undefined) return;
      expect(play.task.status).toBe(state);
      const command = (name === "retry" ? { name, newId: "task_9" } : { name }) as Command;
      const rows = taskMachine.rowsFor(play.task.status, name);
      const answer = play.command(command);
      const refused = answer.ok ? { code: "refused", reasons: rows, allowed: [] } : answer;
      expect(refused.code).toBe("refused");
      expect(refused.reasons).not.toEqual([]);
      for (const event of refused.allowed) expect(taskEvents).toContain(event);
      const moved = answer.ok ? state : play.task.status;
      expect(moved).toBe(state);
    },
  );
});

test("S1 whatever happens in whatever order, the tables' guarantees hold and no slot is lost", () => {
  const moves: ((play: Play) => void)[] = [
    (play) => void play.submit(),
    (play) => void play.command({ name: "start" }),
    (play) => void play.command({ name: "pause" }),
    (play) => void play.command({ name: "resume" }),
    (play) => void play.command({ name: "grant_slot" }),
    (play) => play.started(),
    (play) => play.claims(play.task.data.document?.phase ?? 1),
    (play) => play.asks(),
    (play) => play.needs(),
    (play) => play.limited(),
    (play) => play.checked(),
    (play) => play.checked("not good"),
    (play) => play.exits(0),
    (play) => play.exits(null),
    (play) => play.exits(1),
    (play) => play.due("unpark"),
    (play) => play.due("frozen"),
    (play) => play.due("silence"),
    (play) => play.due("autosave"),
    (play) => void play.command({ name: "hold", on: true, hold: "disk" }),
    (play) => void play.command({ name: "hold", on: false, hold: "disk" }),
    (play) => void play.approve(),
    (play) => {
      const { id } = play.open("question");
      play.command({
        name: "answer",
        questionId: id,
        answer: play.open("question").data.options[0] ?? "x",
      });
    },
    (play) => void play.command({ name: "provide", dependencyId: play.open("dependency").id }),
    (play) => {
      const reviewId = play.open("review").id;
      play.command({ name: "request_changes", reviewId, feedback: "more" });
    },
    (play) => play.says({ type: "usage", tokens: 1, costUsd: 0.1 }),
  ];
  const ended = new Set<string>();
  assert(
    property(array(nat(moves.length - 1), { size: "max", maxLength: 120 }), (course) => {
      const play = new Play("create_app", 1, {
        budget: { costUsd: 2, tokens: null, minutes: null },
      });
      for (const at of course) {
        try {
          moves[at]?.(play);
        } catch (cause) {
          // Nothing of that kind is open: not a move now.
          if (!(cause instanceof Error) || !/^(no open|there is no agent)/.test(cause.message))
            throw cause;
        }
        const held = play.all("agent").filter(({ data }) => data.slot).length;
        expect(play.free + held).toBe(1);
        // Whoever works is watched over, started anew or let go on (S1.13, S1.19).
        for (const { id, data } of play.all("agent")) {
          const process = play.all("process").find((each) => each.id === data.process);
          if (!data.slot || process?.status !== "running" || process.data.wanted) continue;
          expect([...play.timers.keys()]).toContain(`task_1:autosave:${id}`);
        }
      }
      ended.add(play.stands);
    }),
    { numRuns: 400, seed: 7 },
  );
  expect(ended.size).toBeGreaterThan(6);
});
