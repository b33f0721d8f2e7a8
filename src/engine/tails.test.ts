// When an agent has fallen silent (S1.13): by what lies there, not by when we had time to look.
import { expect, test } from "vitest";
import { createPlainReader } from "../agents/adapters/_plain-reader.ts";
import type { Live } from "./_live.ts";
import type { Engine } from "./engine.ts";
import type { Hands } from "./hands.ts";
import { Tails } from "./tails.ts";

test("S1.13 what was written while we had no time belongs to the claim before it", async () => {
  const play = follow();
  play.write("=== CUSTOM TASK COMPLETE ===\nTask: it\n");
  play.wake();
  await play.nothingMore();
  // The rest comes, and the time is up before anybody tells us of it.
  play.write("Summary: all of it\n");
  play.timeIsUp();
  await play.nothingMore();
  expect(play.heard).toEqual([]);
  play.timeIsUp();
  await play.nothingMore();
  expect(play.heard).toMatchObject([
    { signal: { kind: "task_complete", task: "it", summary: "all of it" } },
  ]);
});

// --- internal ---

/** A process whose output and clock are the test's own. */
function follow() {
  let [output, wake, due] = ["", (): void => undefined, (): void => undefined];
  const heard: unknown[] = [];
  const process = {
    id: "p",
    status: "running",
    data: { agentId: "a", offset: 0, lastOutputAt: 0 },
  };
  const live = {
    id: "task_1",
    tails: new Map(),
    pending: [],
    state: { entities: { process: new Map([["p", process]]), agent: new Map([["a", {}]]) } },
  } as unknown as Live;
  const engine = {
    post: (_: string, { output: { events } }: { output: { events: unknown[] } }) =>
      void heard.push(...events),
    parts: {
      complain: (what: string, cause: unknown) => {
        throw new Error(what, { cause });
      },
    },
  } as unknown as Engine;
  const hands = {
    readerFor: () => createPlainReader({}),
    look: async () => ({ state: "running", frozen: false }),
    read: async (_: string, offset: number) => Buffer.from(output).subarray(offset),
    watch: (_: string, call: () => void) => {
      wake = call;
      return () => undefined;
    },
  } as unknown as Hands;
  const after = (_: number, call: () => void): (() => void) => {
    due = call;
    return () => undefined;
  };
  new Tails(engine, hands, { now: () => 0, after }).attach(live);
  return {
    heard,
    write: (text: string) => void (output += text),
    wake: () => wake(),
    timeIsUp: () => due(),
    /** Everything here is a promise that is kept already: one turn is enough for all of it. */
    nothingMore: () => new Promise((turn) => setImmediate(turn)),
  };
}
