import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcp } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { type WebhookOptions, postTo } from "../../src/app/_webhook.ts";
import { type NotifierOptions, createNotifier } from "../../src/app/notify.ts";
import { type Message, render } from "../../src/core/messages.ts";
import { type Task, notBegun, stateOf } from "../../src/engine/state.ts";

const never = new AbortController().signal;
const names: Record<string, string[]> = {
  "rebound.example": ["93.184.216.34", "127.0.0.1"],
  "metadata.example": ["169.254.169.254"],
  "inside.example": ["10.1.2.3"],
  "six.example": ["fe80::1"],
  "public.example": ["93.184.216.34"],
};
const resolve: NonNullable<WebhookOptions["resolve"]> = async (name) =>
  (names[name] ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

describe("where a webhook may go (S2.12)", () => {
  // Each would be called from inside the network, or show its secret to somebody else.
  const hostile = {
    "http://public.example/hook": "address",
    "ftp://public.example/hook": "address",
    "file:///etc/passwd": "address",
    "gopher://public.example/": "address",
    "https://user:password@public.example/": "address",
    "not an address": "address",
    "https://127.0.0.1/": "private",
    "https://127.1/": "private",
    "https://2130706433/": "private",
    "https://0x7f000001/": "private",
    "https://0/": "private",
    "https://localhost.inside.example/": "unresolved",
    "https://[::1]/": "private",
    "https://[::ffff:127.0.0.1]/": "private",
    "https://[::ffff:7f00:1]/": "private",
    "https://[fd00::1]/": "private",
    "https://[64:ff9b::7f00:1]/": "private",
    "https://[2002:7f00:1::]/": "private",
    "https://10.0.0.1/": "private",
    "https://172.31.255.255/": "private",
    "https://192.168.1.1/": "private",
    "https://100.64.0.1/": "private",
    "https://169.254.169.254/latest/meta-data/": "private",
    "https://metadata.example/": "private",
    "https://inside.example/": "private",
    "https://six.example/": "private",
    // One of its addresses is fine; which one a later lookup would give is anybody's guess.
    "https://rebound.example/": "private",
    "https://nowhere.example/": "unresolved",
    "https://224.0.0.1/": "private",
    "https://255.255.255.255/": "private",
  };
  test("S2.12 every hostile address is refused before anything is sent, and names no part of it", async () => {
    const found: Record<string, string | null> = {};
    for (const address of Object.keys(hostile))
      found[address] = await postTo(address, {}, { resolve }, never);
    expect(found).toEqual(hostile);
    expect(Object.keys(hostile).length).toBeGreaterThanOrEqual(15);
  });

  test("the lookup can not be answered differently the second time: the call goes to the address that was judged", async () => {
    const { port, calls } = await receiver(() => 200);
    let asked = 0;
    const options: WebhookOptions = {
      allowLoopback: true,
      // As a name server of an attacker does: a good answer first, another one for the call.
      resolve: async () => [{ address: asked++ === 0 ? "127.0.0.1" : "127.0.0.2", family: 4 }],
    };
    expect(await postTo(`http://public.example:${port}/hook`, { a: 1 }, options, never)).toBeNull();
    expect(calls).toEqual([{ a: 1 }]);
    expect(asked).toBe(1);
    // Without the tests' own allowance the same address is refused.
    expect(await postTo(`http://127.0.0.1:${port}/hook`, { a: 1 }, {}, never)).toBe("address");
  });

  test("a redirect is not followed, a silent receiver is given up on, a broken one is told from both", async () => {
    const inner = await receiver(() => 200);
    const outer = await receiver(() => 307, { location: `http://127.0.0.1:${inner.port}/` });
    const options = { allowLoopback: true };
    expect(await postTo(`http://127.0.0.1:${outer.port}/`, {}, options, never)).toBe("failed");
    expect(inner.calls).toEqual([]);
    const silent = createTcp(() => undefined);
    await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    expect(
      await postTo(`http://127.0.0.1:${port}/`, {}, { ...options, timeoutMs: 200 }, never),
    ).toBe("timeout");
    expect(await postTo("http://127.0.0.1:1/", {}, options, never)).toBe("failed");
  });
});

describe("what is told (S1.4, S1.6, S2.12)", () => {
  test("S2.12 webhooks get {event, timestamp, data} with an id, Slack its own form with its signs taken out", async () => {
    const [hook, slack] = [await receiver(() => 200), await receiver(() => 200)];
    const { notifier, told } = notifierFor({ HOOK: hook.url, SLACK: slack.url });
    await notifier.notify({
      key: "task_1:00000007:notify",
      what: "review",
      state,
      data: { at: 0 },
    });
    expect(hook.calls).toEqual([
      {
        id: "task_1:00000007:notify",
        event: "review.created",
        timestamp: "1970-01-01T00:00:00.000Z",
        data: {
          taskId: "task_1",
          title: "<!channel> & more",
          type: "custom",
          status: "in_progress",
          projectId: "project_1",
          phase: null,
          progress: 0,
        },
      },
    ]);
    expect(slack.calls).toEqual([
      { text: "[review.created] &lt;!channel&gt; &amp; more (task_1)" },
    ]);
    expect(told).toEqual(["task_1 waits for your review: <!channel> & more"]);
  });

  test("S2.12 a receiver that fails is tried a few times, then left and told; its address is in no word of it", async () => {
    let left = 2;
    const mended = await receiver(() => (left-- > 0 ? 500 : 204));
    const first = notifierFor({ HOOK: mended.url });
    await first.notifier.notify({ key: "k", what: "failed", state, data: { at: 0 } });
    expect(mended.calls).toHaveLength(3);
    expect(first.told).toHaveLength(1);
    const broken = await receiver(() => 500);
    const second = notifierFor({ HOOK: `${broken.url}secret-path?key=secret` });
    await second.notifier.notify({ key: "k", what: "failed", state, data: { at: 0 } });
    expect(broken.calls).toHaveLength(3);
    expect(second.told.at(-1)).toBe("The webhook HOOK was not told: it did not take the message.");
    expect(second.told.join("\n")).not.toMatch(/secret|127\.0\.0\.1/);
  });

  test("S2.12 a hostile or missing address is told once, by the name of its variable, and work goes on", async () => {
    const { notifier, told } = notifierFor({ HOOK: "https://169.254.169.254/secret" });
    await notifier.notify({ key: "k", what: "completed", state, data: { at: 0 } });
    expect(told.slice(1)).toEqual([
      "The webhook HOOK was not told: its address leads into this machine or network.",
    ]);
    const unset = notifierFor({});
    await unset.notifier.notify({ key: "k", what: "completed", state, data: { at: 0 } });
    expect(unset.told.slice(1).toSorted()).toEqual([
      "Nothing is sent to the webhook HOOK: that variable is not set.",
      "Nothing is sent to the webhook SLACK: that variable is not set.",
    ]);
  });

  test("what is under way when the server ends is not taken for told", async () => {
    const broken = await receiver(() => 500);
    const { notifier } = notifierFor({ HOOK: broken.url }, [60_000]);
    const telling = notifier.notify({ key: "k", what: "failed", state, data: { at: 0 } });
    await expect.poll(() => broken.calls.length).toBe(1);
    notifier.stop();
    await expect(telling).rejects.toThrow("ending");
  });
});

const task: Task = {
  id: "task_1",
  projectId: "project_1",
  workflow: "custom",
  status: "in_progress",
  priority: 2,
  queuedAt: null,
  archived: false,
  retryOf: null,
  rev: 1,
  createdAt: "",
  updatedAt: "",
  data: {
    ...notBegun,
    title: "<!channel> & more",
    description: "",
    agent: "sample",
    script: null,
    language: "en",
    document: null,
    dependsOn: [],
    budget: null,
  },
};
const state = stateOf(task, []);

function notifierFor(env: Record<string, string>, waitsMs: readonly number[] = [1, 1]) {
  const told: string[] = [];
  const notify = {
    webhooks: ["HOOK"],
    ...("SLACK" in env || env["HOOK"] === undefined ? { slack: "SLACK" } : {}),
  };
  const options: NotifierOptions = {
    settings: async () => ({ version: 1, notify }),
    env,
    tell: (text: Message) => void told.push(render("en", text)),
    webhooks: { allowLoopback: true, waitsMs },
  };
  return { notifier: createNotifier(options), told };
}

/** Out there, as far as the sender knows. */
async function receiver(status: () => number, headers: Record<string, string> = {}) {
  const calls: unknown[] = [];
  const server = createServer((request, answer) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      calls.push(JSON.parse(text));
      answer.writeHead(status(), headers).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { port, calls, url: `http://127.0.0.1:${port}/` };
}
