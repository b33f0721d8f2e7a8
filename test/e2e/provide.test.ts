// What an agent needs, of each type and by each way a person has: the API, the command line, the page.
// Each goes to the end: the agent's process has it, and the task completes (S1.15).
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DependencyType, dependencyTypes } from "../../src/core/vocabulary.ts";
import { cli, start } from "../cli/program.ts";
import { limit } from "../crash/programs.ts";
import { type ServerWorld, serverWorld } from "../server/world.ts";
import { launch, program, visit } from "./world.ts";

let world: ServerWorld;
let browser: Browser | undefined;
beforeAll(async () => {
  world = serverWorld();
  await world.serve();
  browser = program === undefined ? undefined : await launch();
});
afterAll(async () => {
  await browser?.close();
  await world.end();
});

/** No text: what is uploaded has to arrive byte by byte. */
const bytes = Buffer.from([0x00, 0xff, 0xfe, 0x0a, 0x80, 0x0d, 0x0a]);

const values: Readonly<Record<Exclude<DependencyType, "file">, string>> = {
  api_key: "key-4f2a91",
  env_variable: "a value of two words",
  service: "postgres://localhost:5432/shop",
  permission: "yes",
  package: "@scope/left-pad@1.3.0",
};

type Need = { readonly type: DependencyType; readonly id: string; readonly title: string };
type Way = (need: Need) => Promise<void>;

const fileFor = (): string => {
  const path = join(world.folder, "upload.bin");
  writeFileSync(path, bytes);
  return path;
};

const ways: Readonly<Record<string, Way>> = {
  "the API": async ({ type, id }) => {
    const body =
      type === "file"
        ? { file: bytes.toString("base64") }
        : { value: values[type], ...(type === "package" ? { confirmed: true } : {}) };
    const { status, text } = await world.call(`/api/tasks/${id}/provide`, { body });
    expect([status, status === 200 ? "" : text]).toEqual([200, ""]);
  },
  "the command line": async ({ type, id }) => {
    const given = type === "file" ? ["--file", fileFor()] : ["--value", values[type]];
    const more = type === "package" ? ["--confirmed"] : [];
    const words = [process.execPath, cli, "task", "provide", id, ...given, ...more];
    const { code, err } = await start(words, { cwd: world.root, env: world.env }).ended;
    expect([code, err]).toEqual([0, ""]);
  },
  "the page": async ({ type, title }) => {
    const address = `${world.server.url}/#token=${world.server.token}`;
    const { page, wrong, context } = await visit(browser as Browser, address, {});
    const card = page
      .getByRole("region", { name: "Inbox" })
      .getByRole("listitem")
      .filter({ hasText: title });
    if (type === "permission") await card.getByRole("button", { name: "Yes" }).click();
    else {
      if (type === "file") await card.getByLabel("THING").setInputFiles(fileFor());
      else await card.getByLabel("Value of THING").fill(values[type]);
      await card.getByRole("button", { name: "Provide" }).click();
    }
    await card.getByText(/^Sent: /).waitFor();
    expect(wrong).toEqual([]);
    await context.close();
  },
};

describe.each(Object.keys(ways))("by %s", (name) => {
  test.skipIf(name === "the page" && program === undefined).each([...dependencyTypes])(
    "S1.15 a dependency of type %s reaches its agent, and the task completes",
    limit,
    async (type) => {
      const agent = join(import.meta.dirname, "needing-agent.mjs");
      const title = `Needs ${type} by ${name}`;
      const id = await world.task("", {
        title,
        agent: `command:'${process.execPath}' '${agent}' ${type} THING`,
        script: undefined,
      });
      await world.until(
        `/api/tasks/${id}`,
        ({ dependencies }: { dependencies: string[] }) => dependencies.length > 0,
      );
      await (ways[name] as Way)({ type, id, title });
      const ended = await world.until(
        `/api/tasks/${id}`,
        ({ status }: { status: string }) => status === "completed" || status === "failed",
      );
      expect(ended).toMatchObject({ status: "completed", failure: null });
      const got = readFileSync(join(String(ended["workspace"]), "got.txt"), "utf8");
      const wanted = type === "file" ? bytes : Buffer.from(values[type]);
      expect(got).toBe(wanted.toString("hex"));
    },
  );
});

test.each([
  ["file", "설정.json", "___json"],
  ["api_key", "config.json", "config_json"],
  ["api_key", "2nd key", "_2nd_key"],
] as const)(
  "S1.15 a %s named %s reaches its agent in the variable %s",
  limit,
  async (type, name, variable) => {
    const agent = join(import.meta.dirname, "needing-agent.mjs");
    const command = `command:'${process.execPath}' '${agent}' ${type} '${name}' ${variable}`;
    const ids = [await world.task("", { agent: command, script: undefined })];
    // A script's names hold no blanks.
    if (!name.includes(" "))
      ids.push(await world.task(`need ${type} ${name}\ndone it has it`, { agent: "sample" }));
    for (const id of ids) {
      await world.until(
        `/api/tasks/${id}`,
        ({ dependencies }: { dependencies: string[] }) => dependencies.length > 0,
      );
      await (ways["the API"] as Way)({ type, id, title: "" });
      const ended = await world.until(
        `/api/tasks/${id}`,
        ({ status }: { status: string }) => status === "completed" || status === "failed",
      );
      expect(ended).toMatchObject({ status: "completed", failure: null });
    }
  },
);

test("S1.15 a value that its type cannot hold is refused with the form it needs, and the agent waits on", async () => {
  const agent = join(import.meta.dirname, "needing-agent.mjs");
  const wrong: readonly (readonly [DependencyType, object, string])[] = [
    ["permission", { value: "maybe" }, "A permission is answered with yes or no."],
    [
      "package",
      { value: "left-pad", confirmed: true },
      "Name the package with its version, as in name@1.2.3.",
    ],
    [
      "package",
      { value: "left-pad@1.3.0" },
      "A person has to confirm the package before it is installed.",
    ],
    ["api_key", { value: "  " }, "Give a value: it cannot be empty."],
    ["api_key", {}, "Give either a value or a file."],
    ["api_key", { file: "AP8=" }, "A file can be given for a dependency of type file only."],
    ["file", { value: "x", file: "AP8=" }, "Give either a value or a file."],
  ];
  for (const [type, body, message] of wrong) {
    const id = await world.task("", {
      agent: `command:'${process.execPath}' '${agent}' ${type} THING`,
      script: undefined,
    });
    await world.until(
      `/api/tasks/${id}`,
      ({ dependencies }: { dependencies: string[] }) => dependencies.length > 0,
    );
    const refused = await world.call(`/api/tasks/${id}/provide`, { body });
    expect([refused.status, refused.json.error?.message]).toEqual([400, message]);
    const { json } = await world.call(`/api/tasks/${id}`);
    expect(json).toMatchObject({ status: "in_progress", blockedBy: "dependency" });
    await world.call(`/api/tasks/${id}/cancel`, { body: {} });
  }
});
