// News of a run for Slack (S2.12).
import { expect, test } from "vitest";
import { tellSlack } from "../../src/app/_session-orchestrate-slack.ts";
import { msg, render } from "../../src/core/messages.ts";
import type { Accepted, RefusedEvent } from "../../src/workflows/orchestrate/events.ts";
import { newsOf } from "../../src/workflows/orchestrate/news.ts";
import { Play } from "./play.ts";
import { receiver } from "./receiver.ts";

const plan = "# <Shop>\n- [ ] T1.1: one\n- [ ] T1.2: two\n- [ ] T2.1: three\n";

const told = (done: Accepted | RefusedEvent, began = false): string[] =>
  done.ok ? newsOf(done, began).map((news) => render("en", news)) : [done.kind];

test("S2.12 start, a task that failed for good, a phase and the end are told; retries are not", () => {
  const play = Play.of(plan);
  play.rules = { slots: 9, failedPhase: "skip" };
  expect(told(play.start("T1.1"), true)).toEqual(["<Shop>: a run has begun, 3 tasks."]);
  expect(told(play.fail("T1.1", "same"))).toEqual([]);
  play.start("T1.1");
  play.fail("T1.1", "same");
  play.start("T1.1");
  expect(told(play.fail("T1.1", "same"))).toEqual(["<Shop>: T1.1 has failed."]);
  play.start("T1.2");
  expect(told(play.done("T1.2"))).toEqual([]);
  play.start("T2.1");
  expect(told(play.done("T2.1"))).toEqual([
    "<Shop>: phase 2 is done (2 of 3 tasks).",
    "<Shop>: all done. 2 completed, 1 failed.",
  ]);
});

test("S2.12 it is one message without Slack's own signs, and an address that fails stops nothing", async () => {
  const { bodies, address, fails } = await receiver();
  const context = { language: "en", env: {}, ended: new AbortController().signal } as const;
  const news = [msg("orchestrate.news.began", { project: "<!channel>", total: 3 })];
  const options = { allowLoopback: true };
  expect(await tellSlack(context, address, news, options)).toBeNull();
  fails();
  expect(await tellSlack(context, address, news, options)).toBe("failed");
  expect(await tellSlack(context, "not an address", news, options)).toBe("address");
  expect(JSON.parse(bodies[0] ?? "")).toEqual({
    text: "&lt;!channel&gt;: a run has begun, 3 tasks.",
  });
  expect(bodies).toHaveLength(2);
});
