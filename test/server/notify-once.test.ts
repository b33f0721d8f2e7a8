// A test message to a webhook, for a person who waits for the answer (S2.12): sent once, and neither
// the answer nor what the receiver says holds anything of the address.
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { sendTest } from "../../src/app/notify.ts";
import { type Message, render } from "../../src/core/messages.ts";
import { type ServerWorld, serverWorld } from "./world.ts";

const never = new AbortController().signal;
const open: Server[] = [];
const worlds: ServerWorld[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) server.close();
  for (const world of worlds.splice(0)) await world.end();
});

/** Takes everything, answers with this status. */
async function receiver(status: number): Promise<{ address: string; got: unknown[] }> {
  const got: unknown[] = [];
  const server = createServer((asked, answer) => {
    let text = "";
    asked.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
    asked.on("end", () => {
      got.push(JSON.parse(text));
      answer.writeHead(status).end();
    });
  });
  open.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/hidden-path`, got };
}

const send = (kind: "webhook" | "slack", address: string | undefined): Promise<Message | null> =>
  sendTest(
    { name: "HOOK", kind },
    "project_a",
    address === undefined ? {} : { HOOK: address },
    never,
    { allowLoopback: true },
  );

describe("a test message", () => {
  test("S2.12 is taken: a webhook is sent an event, Slack a text", async () => {
    const { address, got } = await receiver(204);
    expect(await send("webhook", address)).toBeNull();
    expect(await send("slack", address)).toBeNull();
    expect(got).toMatchObject([
      { event: "test", data: { projectId: "project_a" } },
      { text: "[test] Holdfast" },
    ]);
  });

  test("S2.12 is tried once, and a refusal says nothing of the address", async () => {
    const { address, got } = await receiver(500);
    const told = await send("webhook", address);
    expect(got).toHaveLength(1);
    for (const language of ["en", "ko"] as const) {
      const text = told === null ? "" : render(language, told);
      expect(text).toContain("HOOK");
      expect(text).not.toMatch(/127\.0\.0\.1|hidden-path/);
    }
  });

  test("S2.12 without an address it says which variable is missing", async () => {
    expect((await send("webhook", undefined))?.key).toBe("notify.unset");
  });

  test("S2.12 over HTTP: each webhook that holdfast.yaml names is told by name, never by address", async () => {
    const world = serverWorld();
    worlds.push(world);
    world.env["PLAIN_HOOK"] = "http://hooks.example.com/hidden-path";
    writeFileSync(
      join(world.root, "holdfast.yaml"),
      "version: 1\nnotify: { webhooks: [PLAIN_HOOK], slack: LOST_HOOK }\n",
    );
    await world.serve();
    const shown = await world.call("/api/settings");
    expect(shown.json["webhooks"]).toEqual([
      { name: "PLAIN_HOOK", kind: "webhook", set: true },
      { name: "LOST_HOOK", kind: "slack", set: false },
    ]);
    const sent = await world.call("/api/notify", { body: {} });
    expect(sent.json["sent"]).toMatchObject([
      { name: "PLAIN_HOOK", ok: false },
      { name: "LOST_HOOK", ok: false },
    ]);
    expect(shown.text + sent.text + world.told.join("\n")).not.toContain("hidden-path");
    expect(await world.call("/api/notify", { body: { name: "OTHER" } })).toMatchObject({
      status: 404,
    });
  });
});
