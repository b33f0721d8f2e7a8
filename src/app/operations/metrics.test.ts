import { describe, expect, test } from "vitest";
import type { TransitionRow } from "../../store/database/store.ts";
import { calendarOf, eachDay, shifted } from "./_metrics-days.ts";
import { figuresByDay, storyOf } from "./_metrics-parts.ts";

const at = (text: string): number => Date.parse(text);
const minute = 60_000;
const hour = 60 * minute;

/** What an agent went through: its state from each instant on. */
function journal(steps: readonly (readonly [string, string, string])[]): TransitionRow[] {
  return steps.map(([timestamp, to, trigger], index) => ({
    seq: index + 1,
    timestamp,
    taskId: "task_a",
    machine: "agent",
    entityId: "agent_a",
    from: steps[index - 1]?.[1] ?? "idle",
    to,
    trigger,
    metadata: {},
  }));
}

describe("days as people have them", () => {
  test.each([
    ["UTC", "2026-03-29", 24],
    ["Asia/Seoul", "2026-03-29", 24],
    ["Europe/Berlin", "2026-03-29", 23],
    ["Europe/Berlin", "2026-10-25", 25],
    ["America/New_York", "2026-11-01", 25],
    ["Asia/Kathmandu", "2026-05-05", 24],
  ])("S1.21 in %s the day %s lasts %d hours", (zone, day, hours) => {
    const { startOf, dayOf } = calendarOf(zone);
    const [start, end] = [startOf(day), startOf(shifted(day, 1))];
    expect((end - start) / hour).toBe(hours);
    expect([dayOf(start - 1), dayOf(start), dayOf(end - 1), dayOf(end)]).toEqual([
      shifted(day, -1),
      day,
      day,
      shifted(day, 1),
    ]);
  });

  test("S1.21 a span over midnight is cut there, and nothing of it is lost", () => {
    const cut: [string, number][] = [];
    const [from, to] = [at("2026-11-14T14:30:00Z"), at("2026-11-15T16:00:00Z")];
    eachDay(from, to, calendarOf("Asia/Seoul"), (day, ms) => cut.push([day, ms / minute]));
    expect(cut).toEqual([
      ["2026-11-14", 30],
      ["2026-11-15", 24 * 60],
      ["2026-11-16", 60],
    ]);
  });

  test("a zone that nobody knows is refused", () => {
    expect(() => calendarOf("Mars/Olympus")).toThrow(RangeError);
  });
});

describe("where time and money went", () => {
  const rows = journal([
    ["2026-11-14T10:00:00Z", "running", "assign"],
    ["2026-11-14T10:30:00Z", "waiting_question", "ask"],
    // Another hold while it waits is remembered, and changes nothing.
    ["2026-11-14T10:40:00Z", "waiting_question", "RATE_LIMIT"],
    ["2026-11-14T11:00:00Z", "running", "answer"],
    ["2026-11-14T11:10:00Z", "paused", "RATE_LIMIT"],
    ["2026-11-14T11:40:00Z", "running", "RATE_LIMIT_RESET"],
    ["2026-11-14T11:50:00Z", "running", "verification_failed"],
    ["2026-11-14T12:00:00Z", "paused", "pause"],
    ["2026-11-14T12:20:00Z", "running", "resume"],
    ["2026-11-14T12:30:00Z", "waiting_review", "PHASE_COMPLETE"],
  ]);

  test("S1.21 working, waiting for people and limits are told apart, and what is open lasts until now", () => {
    const story = storyOf(rows, at("2026-11-14T12:45:00Z"));
    const figures = figuresByDay(story, [], calendarOf("UTC")).get("2026-11-14");
    expect(figures).toMatchObject({
      workingMs: (30 + 10 + 20 + 10) * minute,
      waitingMs: (30 + 20 + 15) * minute,
      limitMs: 30 * minute,
      retries: 1,
    });
  });

  test("S1.21 an ended agent spends nothing more", () => {
    const over = journal([
      ["2026-11-14T10:00:00Z", "running", "assign"],
      ["2026-11-14T10:10:00Z", "completed", "approve"],
    ]);
    const { spans } = storyOf(over, at("2026-11-20T00:00:00Z"));
    expect(spans).toEqual([
      { kind: "workingMs", from: at("2026-11-14T10:00:00Z"), to: at("2026-11-14T10:10:00Z") },
    ]);
  });

  test("S1.21c what a universal day cost is shared out by the work in each of the person's days", () => {
    // In Seoul the day begins at 15:00Z: three quarters of the work lie behind it.
    const story = storyOf(
      journal([
        ["2026-11-14T14:00:00Z", "running", "assign"],
        ["2026-11-14T18:00:00Z", "completed", "approve"],
      ]),
      at("2026-11-15T00:00:00Z"),
    );
    const spent = { costUsd: 4, tokens: 1_000, milliseconds: 4 * hour };
    const days = figuresByDay(story, [{ day: "2026-11-14", spent }], calendarOf("Asia/Seoul"));
    expect(days.get("2026-11-14")).toMatchObject({ costUsd: 1, tokens: 250, workingMs: hour });
    expect(days.get("2026-11-15")).toMatchObject({ costUsd: 3, tokens: 750, workingMs: 3 * hour });
  });

  test("S1.21c money without a time on record is not lost", () => {
    const spent = { costUsd: 2, tokens: 10, milliseconds: 0 };
    const days = figuresByDay(
      { spans: [], retries: [] },
      [{ day: "2026-11-14", spent }],
      calendarOf("America/New_York"),
    );
    expect([...days.values()].reduce((sum, { costUsd }) => sum + costUsd, 0)).toBe(2);
  });
});
