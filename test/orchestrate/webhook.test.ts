// The webhook of a run, through the program itself (S2.12).
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cli, start } from "../cli/program.ts";
import { receiver } from "./receiver.ts";
import { project } from "./world.ts";

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
