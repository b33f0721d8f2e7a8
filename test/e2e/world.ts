// A real server with the sample agent, and a real browser before it. What a page logs as an error,
// throws, or has refused by its policy is kept: a test that ends with any of it has failed.
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  chromium,
} from "playwright-core";
import type { ServeOptions } from "../../src/server/serve.ts";
import { patience } from "../patience.ts";
import { type ServerWorld, serverWorld } from "../server/world.ts";

/** Set by scripts/chromium.mjs; else where systems have it. */
export const program = [
  process.env["HOLDFAST_CHROMIUM"] ?? "",
  ...(process.env["PATH"] ?? "").split(":").map((folder) => join(folder, "chromium")),
  ...(process.env["PATH"] ?? "").split(":").map((folder) => join(folder, "google-chrome")),
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
].find((path) => path !== "" && existsSync(path));

export interface Visit {
  readonly page: Page;
  /** Errors of the console, exceptions, violations of the policy. */
  readonly wrong: string[];
  readonly context: BrowserContext;
}

export interface PageWorld extends ServerWorld {
  /** Opens the page as the server prints it: with the token behind the #. */
  visit(path?: string, options?: BrowserContextOptions): Promise<Visit>;
  browser: Browser;
  /** Makes and submits a task whose agent asks this, as Claude Code would. */
  asking(title: string, ...asks: { tool: string; input: object }[]): Promise<string>;
  endAll(): Promise<void>;
}

/** One phase that asks for a review, with a file and a command to check. */
export const noteType = `version: 1
questions: { on_deadline: park }
task_types:
  note:
    title: A note
    phases:
      - name: Draft
        prompt: Write docs/note.md.
        deliverables:
          - { path: docs/note.md, min_characters: 10 }
        verify:
          - test -s docs/note.md
        review: true
`;

export async function pageWorld(settings = noteType): Promise<PageWorld> {
  const world = serverWorld();
  const serve = world.serve.bind(world);
  writeFileSync(join(world.root, "holdfast.yaml"), settings);
  for (const args of [
    ["add", "."],
    ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-q", "-m", "settings"],
  ])
    spawnSync("git", args, { cwd: world.root, env: world.env });
  const agent = join(world.folder, "claude");
  const asker = join(import.meta.dirname, "asking-agent.mjs");
  writeFileSync(agent, `#!/bin/sh\nexec "${process.execPath}" "${asker}"\n`);
  chmodSync(agent, 0o755);
  const browser = await launch();
  const open = Object.assign(world, {
    browser,
    serve: (options: Partial<ServeOptions> = {}) =>
      serve({ programs: { sample: world.sample, find: () => agent }, ...options }),
    asking: (title: string, ...asks: { tool: string; input: object }[]) => {
      const description = `Ask.\nASKS ${JSON.stringify(asks)}`;
      return open.task("", { title, description, agent: "claude", script: undefined });
    },
    visit: (path = "/", options: BrowserContextOptions = {}) =>
      visit(open.browser, `${open.server.url}${path}#token=${open.server.token}`, options),
    endAll: async () => {
      await open.browser.close();
      await open.end();
    },
  });
  return open;
}

export function launch(): Promise<Browser> {
  if (program === undefined) throw new Error("there is no Chromium");
  return chromium.launch({ executablePath: program, args: ["--no-sandbox"], timeout: patience });
}

export async function visit(
  browser: Browser,
  address: string,
  options: BrowserContextOptions,
): Promise<Visit> {
  const context = await browser.newContext({
    locale: "en-US",
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  // A loaded machine is no failure: nothing here is about how fast a browser is.
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") wrong.push(message.text());
  });
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("dialog", (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  // As a text: what runs in the page has other globals than this file.
  await page.addInitScript({
    content: `document.addEventListener("securitypolicyviolation", (event) =>
      console.error("policy: " + event.violatedDirective + " " + event.blockedURI));`,
  });
  await page.goto(address);
  // Who goes on to another address before its session is open has none there either.
  await page.locator("#root > *").first().waitFor({ state: "attached" });
  return { page, wrong, context };
}

/** Two keys as a person presses them, one right behind the other, however busy we are ourselves. */
export async function together(page: Page, first: string, second: string): Promise<void> {
  await Promise.all([page.keyboard.press(first), page.keyboard.press(second)]);
}

/** By Ctrl K: what is typed goes into the field once that is there, and the entry is chosen once it is. */
export async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.locator("[cmdk-input]:focus").waitFor();
  await page.keyboard.type(text);
  await page.locator("[cmdk-item][data-selected=true]").filter({ hasText: text }).waitFor();
  await page.keyboard.press("Enter");
}
