// News of a run for Slack (S2.12).
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tellSlack } from "../../src/app/_session-orchestrate-slack.ts";
import { msg, render } from "../../src/core/messages.ts";
import type { Accepted, RefusedEvent } from "../../src/workflows/orchestrate/events.ts";
import { newsOf } from "../../src/workflows/orchestrate/news.ts";
import { cli, start } from "../cli/program.ts";
import { Play } from "./play.ts";
import { project } from "./world.ts";

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

/** A receiver on this machine: what it was sent, and how it answers from now on. */
async function receiver() {
  const bodies: string[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += String(part)));
    request.on("end", () => {
      bodies.push(body);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}/services/XXX`;
  return { bodies, address, fails: () => (status = 500) };
}

test("S2.12 a post that fails is in the log, without its address; by default a private address is refused", async () => {
  const made = project("# Shop\n- [ ] T1.1: one\n");
  const { bodies, address, fails } = await receiver();
  const holdfast = async (words: string, more: Record<string, string>) => {
    const env = { ...made.env, ...more };
    return start([process.execPath, cli, ...words.split(" ")], { cwd: made.project, env }).ended;
  };
  const loopback = { SLACK_WEBHOOK_URL: address, HOLDFAST_WEBHOOKS: "loopback" };
  expect(await holdfast("orchestrate --in-session", loopback)).toMatchObject({ code: 0 });
  expect(JSON.parse(bodies[0] ?? "")).toEqual({ text: "Shop: a run has begun, 1 tasks." });
  expect(await holdfast("notify", loopback)).toMatchObject({ code: 0 });
  expect(JSON.parse(bodies[1] ?? "")).toEqual({ text: "[test] Holdfast" });
  made.report("START:T1.1", "a");
  fails();
  expect(await holdfast("report orchestrate DONE:T1.1 --session a", loopback)).toMatchObject({
    code: 0,
    out: "ALL_DONE\n",
  });
  expect(bodies).toHaveLength(3);
  await holdfast("notify", { SLACK_WEBHOOK_URL: address });
  expect(bodies).toHaveLength(3);
  const { out } = made.call("log --json");
  const line = out.split("\n").find((each) => each.includes("news_not_sent"));
  expect(JSON.parse(line ?? "{}")).toMatchObject({
    metadata: { to: new URL(address).host, problem: "failed" },
  });
  expect(out).not.toContain("XXX");
});

test("S2.3 S6.6 the address that stands in the file is in no database, and comes back with the file", () => {
  const made = project("# Shop\n- [ ] T1.1: one\n");
  const secret = "https://hooks.slack.invalid/services/XXX/YYY/ZZZ";
  made.call(`orchestrate --in-session --slack ${secret}`);
  made.report("START:T1.1", "a");
  expect(made.read(".claude/orchestrate-state.json")).toContain(secret);
  const stored = readdirSync(made.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  expect(stored.some((bytes) => bytes.includes("holdfast:sealed:"))).toBe(true);
  expect(stored.some((bytes) => bytes.includes("XXX/YYY"))).toBe(false);
  // The newest version lies in the database alone.
  made.write(".claude/orchestrate-state.json", '{"version": "2.0", "mo');
  expect(made.next()).toBe("WAIT\n");
  expect(made.state().config.slack_webhook_url).toBe(secret);
  const sent = made.call("notify --json").out;
  expect(JSON.parse(sent)).toMatchObject({
    sent: [{ name: "orchestrate", kind: "slack", ok: false }],
  });
  expect(sent).not.toContain("XXX");
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
