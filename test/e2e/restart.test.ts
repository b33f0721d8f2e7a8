// The server is killed under an open page and started again: the page says so, comes back by itself,
// and nothing that was typed is lost.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser } from "playwright-core";
import { until } from "../crash/programs.ts";
import { tagged } from "../engine/stage.ts";
import { type EngineWorld, engineWorld } from "../engine/world.ts";
import { cli, start } from "../cli/program.ts";
import { speak } from "../server/world.ts";
import { launch, noteType, program, visit } from "./world.ts";

interface File {
  readonly url: string;
  readonly token: string;
}

describe.skipIf(program === undefined)("S6.2 the page, when its server is killed", () => {
  let world: EngineWorld;
  let browser: Browser;
  let server: { kill: () => Promise<unknown>; file: File };

  const serve = async (port: string) => {
    const { child, ended } = start([process.execPath, cli, "serve", "--port", port], {
      cwd: world.root,
      env: world.env,
    });
    await new Promise<void>((ready, fail) => {
      let out = "";
      child.stdout.on("data", (text: string) => {
        out += text;
        if (out.includes("#token=")) ready();
      });
      void ended.then(() => fail(new Error(out)));
    });
    const file = JSON.parse(readFileSync(join(world.home, "server.json"), "utf8")) as File;
    return { file, kill: () => (child.kill("SIGKILL"), ended) };
  };

  const call = (path: string, body?: object) =>
    speak(server.file as never, path, body === undefined ? {} : { body });

  beforeAll(async () => {
    world = engineWorld();
    writeFileSync(join(world.root, "holdfast.yaml"), noteType);
    browser = await launch();
    server = await serve("0");
  });
  afterAll(async () => {
    await browser.close();
    const { tasks } = (await call("/api/tasks")).json as unknown as { tasks: { id: string }[] };
    for (const { id } of tasks) await call(`/api/tasks/${id}/cancel`, {});
    // The last server is killed, and would not end them any more.
    await until("all have ended", () => tagged(world.home).length === 0);
    await server.kill();
    await world.close();
  });

  test("S1.20 it says so, keeps what was typed, and goes on with the same task", async () => {
    const script = "ask clarification How many users?\nsay Taken: {answer}\nhang\n";
    const body = { type: "custom", title: "Killed under it", description: "x", agent: "sample" };
    const made = await call("/api/tasks", { ...body, script, submit: true });
    const id = String(made.json["id"]);
    const { file } = server;
    const { page, context } = await visit(browser, `${file.url}/#token=${file.token}`, {});
    const inbox = page.getByRole("region", { name: "Inbox" });
    const field = inbox.getByLabel("Your answer");
    await field.fill("About forty");

    await server.kill();
    await page.getByText(/The connection is lost/).waitFor();
    const send = inbox.getByRole("button", { name: "Send answer" });
    await expect.poll(() => send.isDisabled()).toBe(true);
    await field.fill("About forty-two");

    // It comes back by itself, with what was missed; after a reload the text is there as well.
    // It says so for a moment only: who looks afterwards may be too late.
    const told = page.getByText(/Connected again/).waitFor();
    server = await serve(new URL(file.url).port);
    await told;
    expect(await field.inputValue()).toBe("About forty-two");
    await page.reload();
    await field.waitFor();
    expect(await field.inputValue()).toBe("About forty-two");
    await send.click();
    await inbox.getByText("Sent: About forty-two").waitFor();
    await page.goto(`${file.url}/t/${id}/output`);
    await page.getByText("Taken: About forty-two").waitFor();
    await context.close();
  });
});
