// Memory and contracts in a real browser: empty, filled, damaged, by keyboard, in both languages and
// themes, on a phone; and whatever agents write there is text.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectHash } from "../../src/core/ids.ts";
import { holdfast } from "../cli/program.ts";
import { writeContracts } from "./contracted.ts";
import { hurt, payloads } from "./payloads.ts";
import { wordsIn, writeMemory } from "./remembered.ts";
import { pageWorld, program, search, together, type PageWorld } from "./world.ts";

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

const path = (screen: string, show?: string): string =>
  show === undefined ? screen : `${screen}?${new URLSearchParams({ show }).toString()}`;

describe.skipIf(program === undefined)("S6.2 memory and contracts", () => {
  let world: PageWorld;
  let request = "";
  beforeAll(async () => {
    world = await pageWorld();
    await writeContracts(world.root, join(world.home, "holdfast.db"), wordsIn("en"));
    request = `${projectHash(world.root)} R1`;
    await world.serve();
  });
  afterAll(() => world.endAll());
  const all = (): [path: string, there: string][] => [
    [path("/memory"), "Release notes for 2.0"],
    [path("/memory", "context"), "What is new in 2.0"],
    [path("/memory", "history"), "Compare three databases"],
    [path("/contracts"), "Orders that never oversell"],
    [path("/contracts", `${request} T1`), "OrderService.place"],
    [path("/contracts", `${request} T1-S2`), "npm test -- stock"],
    [path("/contracts", "knowledge"), "Integers in the smallest unit"],
  ];

  test("S3.1 without a memory it says how to begin, and shows it the moment there is one", async () => {
    const { page, wrong, context } = await world.visit("/memory");
    await page.getByText('holdfast plan "Write the release notes"').waitFor();
    writeMemory(world.root, wordsIn("en"));
    await page.getByRole("heading", { name: "Release notes for 2.0" }).waitFor();
    const steps = page.locator("article ol > li");
    expect(await steps.count()).toBe(4 + 1);
    expect(await steps.nth(2).textContent()).toMatch(
      /Write the notes.*longer than one page.*1 retry/,
    );
    expect(await page.locator("[aria-current=step]").textContent()).toContain("Write the notes");
    expect(wrong).toEqual([]);
    await context.close();
  });

  test("S4.4 S4.7 a request with its tasks, gates with a verdict for each thing, tests, and what was learned", async () => {
    const { page, wrong, context } = await world.visit("/contracts");
    await page.getByRole("heading", { name: "Add an order API with a stock check" }).waitFor();
    await page
      .locator("article")
      .getByRole("button", { name: /POST \/orders/ })
      .click();
    const gate = page.locator("article li").filter({ hasText: "GATE-4" }).first();
    expect(await gate.textContent()).toMatch(/Failed.*boundary OrderController → StockRepository/);
    expect(await gate.textContent()).toMatch(/imports it in line 3.*INV-1.*Not looked at: INV-2/);
    expect(await page.locator("article").textContent()).toMatch(
      /2 of 4 passed, 1 failed, 1 skipped/,
    );
    expect(new URL(page.url()).searchParams.get("show")).toBe(`${request} T1-S2`);
    await page.getByRole("navigation", { name: "Contracts" }).getByText("shop-web").click();
    await page.getByText("Integers in the smallest unit").waitFor();
    expect(wrong).toEqual([]);
    await context.close();
  });

  for (const [locale, colorScheme] of [
    ["en-US", "light"],
    ["ko-KR", "dark"],
  ] as const)
    test(`every document stands (${locale}, ${colorScheme}): axe finds nothing serious, nothing is wider than a phone`, async () => {
      const { page, wrong, context } = await world.visit("/", { locale, colorScheme });
      for (const [address, there] of all()) {
        await page.goto(world.server.url + address);
        await page.getByText(there).last().waitFor();
        await page.evaluate(axe.source);
        const found = (await page.evaluate(
          "axe.run().then(({ violations }) => violations)",
        )) as Violation[];
        const told = found
          .filter(({ impact }) => impact === "serious" || impact === "critical")
          .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join("\n")}`);
        expect({ address, told }).toEqual({ address, told: [] });
        await page.setViewportSize({ width: 390, height: 844 });
        const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        expect({ address, over }).toEqual({ address, over: 0 });
        await page.setViewportSize({ width: 1440, height: 900 });
      }
      expect(await page.evaluate("document.documentElement.lang")).toBe(locale.slice(0, 2));
      expect(wrong).toEqual([]);
      await context.close();
    });

  test("by keyboard: there, through the list, to the palette; on a phone one after the other", async () => {
    const { page, wrong, context } = await world.visit("/");
    await page.locator("h1").waitFor();
    await together(page, "g", "e");
    await page.getByRole("heading", { name: "Release notes for 2.0" }).waitFor();
    await page.keyboard.press("j");
    await page.getByRole("heading", { name: "Shared context" }).waitFor();
    await page.keyboard.press("k");
    await page.getByRole("heading", { name: "Release notes for 2.0" }).waitFor();
    await search(page, "Contracts");
    await expect.poll(() => new URL(page.url()).pathname).toBe("/contracts");
    await page.setViewportSize({ width: 390, height: 780 });
    await page.getByRole("button", { name: "T1 Order API" }).first().click();
    await page.getByRole("heading", { name: "Design contract" }).waitFor();
    expect(await page.getByRole("navigation", { name: "Contracts" }).isVisible()).toBe(false);
    await page.getByRole("button", { name: "Back to the list" }).click();
    await page.getByRole("button", { name: "T1 Order API" }).first().waitFor();
    expect(wrong).toEqual([]);
    await context.close();
  });

  test("S3.7 a document that is damaged under the page is told as `doctor` tells it; mended, it is back", async () => {
    const { page, context } = await world.visit("/memory");
    const file = join(world.root, ".claude/memory/task-state.json");
    const before = readFileSync(file, "utf8");
    await page.getByRole("heading", { name: "Release notes for 2.0" }).waitFor();
    writeFileSync(file, '{ "version": "1.0",\n  "current_task": 7 }');
    await page.getByText("This document is damaged").waitFor();
    const { out } = holdfast(["doctor", "--json"], { cwd: world.root, env: world.env });
    const { lines } = JSON.parse(out) as { lines: { path?: string; hint?: string }[] };
    const line = lines.find((each) => each.path === ".claude/memory/task-state.json");
    expect(line?.hint).toMatch(/doctor --fix/);
    const told = await page.locator("article").textContent();
    expect(told).toContain(line?.hint);
    expect(told).toMatch(/line 2.*\/current_task/);
    // The others stand.
    await page.keyboard.press("j");
    await page.getByText("What is new in 2.0").waitFor();
    writeFileSync(file, before);
    await page.keyboard.press("k");
    await page.getByRole("heading", { name: "Release notes for 2.0" }).waitFor();
    await context.close();
  });

  test("what the server does not answer is said, and comes as soon as it does", async () => {
    const { page, context } = await world.visit("/board");
    await page.locator("h1").waitFor();
    await page.route("**/api/documents**", (route) => route.abort());
    await page.goto(`${world.server.url}/contracts`);
    const alert = page.getByRole("alert");
    await alert.getByText("The server does not answer.").waitFor();
    await page.unroute("**/api/documents**");
    // By itself, too; who does not want to wait presses it.
    await page.getByText("Orders that never oversell").waitFor();
    expect(await alert.count()).toBe(0);
    await context.close();
  });

  test("S6.6 sixty payloads in every field of memory and contracts: none runs, none leaves its place", async () => {
    let next = 0;
    const word = (): string => `${payloads[next % payloads.length] ?? ""} ${next++}`;
    writeMemory(world.root, word);
    await writeContracts(world.root, join(world.home, "holdfast.db"), word);
    expect(next).toBeGreaterThan(payloads.length);
    const { page, wrong, context } = await world.visit("/");
    for (const screen of ["/memory", "/contracts"]) {
      await page.goto(world.server.url + screen);
      await page.locator("article").waitFor();
      const shown = await page.locator("main nav li > button").all();
      expect(shown.length).toBeGreaterThan(4);
      for (const row of shown) {
        await row.click();
        await page.locator("article h2").waitFor();
        for (const more of await page.locator("article summary").all()) await more.click();
        expect(await page.evaluate(hurt)).toBe(0);
      }
      expect(await page.getByText("This document is damaged").count()).toBe(0);
    }
    expect(wrong).toEqual([]);
    await context.close();
  });
});
