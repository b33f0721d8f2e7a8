import { describe, expect, test } from "vitest";
import { TurnPlay } from "./turn-agent.ts";

describe("a turn that ends (S1.14)", () => {
  test("S1.14 without a claim it is reminded twice, then each is a failed attempt, and three fail the task", () => {
    const play = new TurnPlay().begin();
    play.written();
    for (const reminders of [1, 2]) {
      play.turn();
      expect(play.agent.data).toMatchObject({ reminders, crashes: 0 });
      expect(play.written()).toMatchObject([{ kind: "reminder" }]);
    }
    for (const crashes of [1, 2]) {
      play.turn();
      expect(play.agent.data).toMatchObject({ crashes });
      expect(play.written()).toMatchObject([{ kind: "note" }]);
      expect(play.stands).toBe("in_progress/running");
    }
    play.turn();
    expect(play.stands).toBe("failed/failed");
    expect(play.task.data.failure?.reason).toBe("attempts");
    expect(play.all("process")).toHaveLength(1);
  });

  test("S1.14 behind a claim, or with a message still to come, it means nothing", () => {
    const play = new TurnPlay().begin();
    play.hears();
    play.claims(1);
    play.endsTurn();
    play.checked("not good");
    expect(play.stands).toBe("in_progress/running");
    expect(play.agent.data.reminders).toBe(0);
    expect(play.agent.data.told).toMatchObject([{ kind: "feedback", heard: false }]);
    play.turn();
    expect(play.agent.data.reminders).toBe(1);
  });

  test("S1.14 an agent that never says what it heard is reminded just the same", () => {
    const play = new TurnPlay().begin();
    play.endsTurn();
    expect(play.agent.data).toMatchObject({ reminders: 1 });
    expect(play.agent.data.told).toMatchObject([{ kind: "reminder" }]);
  });
});

describe("a turn that fails (S1.14, S1.18)", () => {
  test.each(["auth", "billing"] as const)(
    "S1.14 %s: the task is parked and a person asked, no attempt is used, a new process goes on",
    (kind) => {
      const play = new TurnPlay().begin();
      play.hears();
      play.says({ type: "failed", class: kind, message: "401 no" }, { type: "turnEnd" });
      expect(play.stands).toBe("in_progress/paused");
      expect(play.agent.data.holds).toEqual(["account"]);
      expect(play.free).toBe(1);
      const question = play.open("question");
      expect(question.data).toMatchObject({ origin: "account", options: ["continue", "cancel"] });
      expect(question.data.question).toContain("401 no");
      play.written();
      expect(play.command({ name: "answer", questionId: question.id, answer: "Continue" }).ok).toBe(
        true,
      );
      expect(play.stands).toBe("in_progress/running");
      play.exits(143);
      expect(play.all("process")).toHaveLength(2);
      expect(play.written()).toMatchObject([{ kind: "note" }]);
      expect(play.agent.data).toMatchObject({ crashes: 0, reminders: 0, failed: null });
      expect(play.all("attempt")).toEqual([]);
    },
  );

  test("S1.14 a refused account may end the task, by a person's word", () => {
    const play = new TurnPlay().begin();
    play.says({ type: "failed", class: "auth", message: "no" });
    play.command({ name: "answer", questionId: play.open("question").id, answer: "cancel" });
    expect(play.stands).toBe("failed/failed");
    expect(play.task.data.failure?.reason).toBe("cancelled");
  });

  test("S1.14 network: tried again after a longer while each time, no attempt, told to go on", () => {
    const play = new TurnPlay().begin();
    for (const wait of [2_000, 4_000, 8_000]) {
      play.hears();
      play.says({ type: "failed", class: "network", message: "gone" }, { type: "turnEnd" });
      expect(play.stands).toBe("in_progress/paused");
      const due = play.timers.get(`task_1:reconnect:${play.agent.id}`);
      expect((due ?? 0) - play.now).toBe(wait);
      play.written();
      play.due("reconnect");
      expect(play.stands).toBe("in_progress/running");
      expect(play.written()).toMatchObject([{ kind: "note" }]);
      expect(play.agent.data).toMatchObject({ reminders: 0, crashes: 0 });
    }
    play.says({ type: "usage", tokens: 1, costUsd: 0 });
    expect(play.agent.data.outages).toBe(0);
    expect(play.all("attempt")).toEqual([]);
    expect(play.all("question")).toEqual([]);
  });

  test("S1.14 a process that dies while nobody is reached is resumed when it is time, and counts for nothing", () => {
    const play = new TurnPlay().begin();
    play.says({ type: "failed", class: "network", message: "gone" });
    play.exits(1);
    expect(play.all("process")).toHaveLength(1);
    play.due("reconnect");
    expect(play.all("process")).toHaveLength(2);
    expect(play.agent.data.crashes).toBe(0);
  });

  test.each(["input", "crash", "unknown"] as const)(
    "S1.14 %s: a failed attempt with its message, once, also when the process ends with it",
    (kind) => {
      const play = new TurnPlay().begin();
      play.hears();
      play.says({ type: "failed", class: kind, message: "prompt is too long" });
      expect(play.agent.data.crashes).toBe(1);
      expect(play.all("attempt")[0]?.data.problem).toContain("prompt is too long");
      play.exits(1);
      expect(play.agent.data.crashes).toBe(1);
      expect(play.stands).toBe("in_progress/running");
      for (let more = 0; more < 2; more++)
        play.says({ type: "failed", class: kind, message: "again" }, { type: "turnEnd" });
      expect(play.stands).toBe("failed/failed");
      expect(play.task.data.failure?.message).toContain("again");
    },
  );

  test("S1.18 a limit ends the turn: at its reset the agent is told to go on, under a new id", () => {
    const play = new TurnPlay().begin();
    play.hears();
    play.says(
      { type: "rateLimited", resetAt: play.now + 90_000, message: "five hours" },
      { type: "turnEnd" },
    );
    expect(play.stands).toBe("in_progress/paused");
    play.written();
    play.due("unpark");
    const [told] = play.written();
    expect(told).toMatchObject({ kind: "note" });
    expect(told?.id).not.toBe("m1");
    expect(play.agent.data).toMatchObject({ reminders: 0, cut: false });
  });
});

describe("a pause that lets the turn end first (S1.10)", () => {
  test("S1.10 asked to end its turn; frozen and looked at when it has; told to go on afterwards", () => {
    const play = new TurnPlay().begin();
    play.hears();
    play.seen();
    play.command({ name: "pause" });
    expect(play.stands).toBe("in_progress/paused");
    expect(play.free).toBe(1);
    expect(play.effects.map(({ name }) => name)).toEqual(["write"]);
    expect(play.written()).toMatchObject([{ interrupt: expect.any(String) as string }]);
    play.endsTurn();
    expect(play.seen()).toEqual(["settle", "snapshot"]);
    expect(play.timers.has(`task_1:freeze:${play.agent.id}`)).toBe(false);
    play.command({ name: "resume" });
    expect(play.effects.map(({ name }) => name)).toEqual(["write", "settle"]);
    expect(play.written()).toMatchObject([{ kind: "note" }]);
    expect(play.agent.data.reminders).toBe(0);
  });

  test("S1.10 one that does not end its turn is frozen in the middle of it, after a while", () => {
    const play = new TurnPlay().begin();
    play.seen();
    play.command({ name: "pause" });
    expect(play.timers.get(`task_1:freeze:${play.agent.id}`)).toBe(play.now + 10_000);
    play.seen();
    play.due("freeze");
    expect(play.seen()).toEqual(["settle", "snapshot"]);
  });

  test("S1.10 resumed before its turn ended it is told to go on, and not frozen", () => {
    const play = new TurnPlay().begin();
    play.hears();
    play.command({ name: "pause" });
    play.command({ name: "resume" });
    play.seen();
    expect(play.timers.has(`task_1:freeze:${play.agent.id}`)).toBe(false);
    play.endsTurn();
    expect(play.seen()).toEqual([]);
    expect(play.stands).toBe("in_progress/running");
    expect(play.agent.data.reminders).toBe(0);
  });

  test("S1.10 with no turn under way, and for a question or a review, it is frozen at once", () => {
    const idle = new TurnPlay().begin();
    idle.claims(1);
    expect(idle.seen().slice(-3)).toEqual(["settle", "snapshot", "verify"]);
    const asks = new TurnPlay().begin();
    asks.asks();
    expect(asks.seen()).toEqual(expect.arrayContaining(["settle", "snapshot"]));
    const full = new TurnPlay().begin();
    full.seen();
    full.command({ name: "hold", on: true, hold: "disk" });
    expect(full.seen()).toEqual(["settle", "snapshot"]);
  });

  test("S1.20 whoever is killed while it ends its turn is resumed as one that was paused", () => {
    const play = new TurnPlay().begin();
    play.command({ name: "pause" });
    play.exits(null);
    play.due("freeze");
    expect(play.stands).toBe("in_progress/paused");
    play.written();
    play.command({ name: "resume" });
    play.started();
    expect(play.all("process")).toHaveLength(2);
    expect(play.written()).toMatchObject([{ kind: "prompt" }, { kind: "note" }]);
  });
});

describe("what a process that takes up a conversation is told (S1.16)", () => {
  test("S1.16 what it may have missed under the same id, and to go on under a new one", () => {
    const play = new TurnPlay().begin();
    const [prompt] = play.written();
    play.hears();
    play.exits(null);
    const told = play.written();
    expect(told).toMatchObject([{ kind: "prompt", id: prompt?.id }, { kind: "note" }]);
    expect(new Set(told.map(({ id }) => id)).size).toBe(2);
  });

  test("S1.16 one that does not know messages by their ids is not told again what it took up", () => {
    const play = new TurnPlay("create_app", { deduplicates: false }).begin();
    play.written();
    play.hears();
    play.exits(null);
    expect(play.written()).toMatchObject([{ kind: "note" }]);
  });

  test("S1.15 a value comes with a new process, which is told that it is there", () => {
    const play = new TurnPlay().begin();
    play.hears();
    play.needs();
    play.written();
    play.command({ name: "provide", dependencyId: play.open("dependency").id });
    expect(play.written()).toEqual([]);
    play.exits(143);
    expect(play.written().at(-1)?.text).toContain("API_KEY");
    expect(play.agent.data.crashes).toBe(0);
  });

  test("S1.9 the name an agent gives its conversation is kept, and used from then on", () => {
    const play = new TurnPlay().begin();
    play.says({ type: "session", id: "thread-7" });
    expect(play.agent.data.named).toBe("thread-7");
  });
});

describe("watchdogs (S1.14)", () => {
  test("S1.14 one that tries again by itself may be silent until then, and no longer", () => {
    const play = new TurnPlay().begin();
    const until = play.now + 3_600_000;
    play.says({ type: "retry", until });
    expect(play.timers.get(`task_1:silence:${play.agent.id}`)).toBe(until + 900_000);
    play.now = until;
    play.put({
      kind: "timer",
      key: `task_1:silence:${play.agent.id}`,
      name: "silence",
      data: {},
    });
    expect(play.all("question")).toEqual([]);
    play.due("silence");
    expect(play.open("question").data.origin).toBe("silence");
  });

  test("S1.14 one that works for too long is asked about, not killed; to wait asks again later", () => {
    const play = new TurnPlay().begin();
    play.seen();
    play.due("overtime");
    expect(play.seen()).toEqual(["notify"]);
    expect(play.stands).toBe("in_progress/running");
    const { id, data } = play.open("question");
    expect(data).toMatchObject({ origin: "overtime", options: ["wait", "restart"] });
    play.command({ name: "answer", questionId: id, answer: "wait" });
    expect(play.timers.get(`task_1:overtime:${play.agent.id}`)).toBe(play.now + 6 * 3_600_000);
    play.due("overtime");
    play.command({ name: "answer", questionId: play.open("question").id, answer: "restart" });
    expect(play.all("process")[0]?.data.wanted).toBe(true);
    play.exits(143);
    expect(play.all("process")).toHaveLength(2);
    expect(play.agent.data.crashes).toBe(0);
  });

  test("S1.14 standing still takes the watch away; going on begins it anew", () => {
    const play = new TurnPlay().begin();
    play.asks();
    expect(play.timers.has(`task_1:overtime:${play.agent.id}`)).toBe(false);
    play.command({ name: "answer", questionId: play.open("question").id, answer: "Red" });
    expect(play.timers.has(`task_1:overtime:${play.agent.id}`)).toBe(true);
  });
});
