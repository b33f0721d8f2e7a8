// The other screens in a real browser: graph, metrics, new task, settings and machines, in both
// languages and themes, by keyboard, and on a phone.
import { readFileSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writePast, writePlan } from "./past.ts";
import { type PageWorld, noteType, pageWorld, program } from "./world.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const phone = { viewport: { width: 390, height: 780 }, hasTouch: true };
const settings = `${noteType}budgets: { task: { cost_usd: 5 } }\nnotify: { webhooks: [TEAM_HOOK, LOST_HOOK] }\n`;

describe.skipIf(program === undefined)("S6.2 graph, metrics, new task, settings, machines", () => {
  let world: PageWorld;
  let asked = "";
  beforeAll(async () => {
    world = await pageWorld(settings);
    world.env["TEAM_HOOK"] = "http://127.0.0.1:9/secret-path";
    writePlan(world.root, 24, 3, ["Login", "Checkout", "Search", "Receipts"]);
    commit(world, "plan");
    await writePast({
      database: join(world.home, "holdfast.db"),
      root: world.root,
      titles: ["Payments", "Chat"],
      language: "en",
      until: Date.now(),
      tasks: 12,
      days: 5,
    });
    await world.serve();
    const script = "usage 1200 0.31\nask choice Which? | A | B\n";
    asked = await world.task(script, { title: "Asks something", agent: "sample" });
    await world.until("/api/inbox", ({ items }: { items: unknown[] }) => items.length === 1);
  });
  afterAll(() => world.endAll());

  const screens = (): [path: string, there: string][] => [
    ["/g", "[role=option]"],
    ["/g/orchestrate?unit=T1.4", "aside dl"],
    ["/g/tasks", "[role=option]"],
    ["/recall?q=Payments", "main ol li"],
    ["/recall?q=zzzqqq", "main p"],
    ["/costs?days=90", "dl dd"],
    ["/new", "input[type=radio]"],
    ["/settings", "main code"],
    [`/t/${asked}/machines`, "svg rect"],
  ];

  for (const locale of ["en-US", "ko-KR"])
    for (const colorScheme of ["light", "dark"] as const)
      for (const size of [{}, phone])
        test(`every screen stands (${locale}, ${colorScheme}, ${"viewport" in size ? "phone" : "wide"}): axe finds nothing serious, nothing is wider than the window`, async () => {
          const { page, wrong, context } = await world.visit("/", { locale, colorScheme, ...size });
          for (const [path, there] of screens()) {
            await page.goto(world.server.url + path);
            await page.locator(there).first().waitFor({ state: "attached" });
            expect({ path, told: await seriousOn(page) }).toEqual({ path, told: [] });
            const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
            expect({ path, over }).toEqual({ path, over: 0 });
          }
          expect(await page.evaluate("document.documentElement.lang")).toBe(locale.slice(0, 2));
          expect(wrong).toEqual([]);
          await context.close();
        });

  test("the list and the picture share one selection, and arrow keys walk along the edges", async () => {
    const { page, wrong, context } = await world.visit("/g/orchestrate");
    const chosen = page.locator("[role=option][aria-selected=true]");
    await page.locator("[role=option]").first().waitFor();
    await page.keyboard.press("j");
    await expect.poll(() => chosen.textContent()).toContain("T0.1");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => page.locator("aside header").textContent()).toMatch(/T0\.[2-9]/);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => chosen.textContent()).toContain("T0.1");
    expect(page.url()).toContain("unit=T0.1");
    // What the drawer says is what `why` says.
    await page.goto(`${world.server.url}/g/orchestrate?unit=T1.6`);
    const why = await world.call("/api/why?id=orchestrate:T1.6");
    const [told] = (why.json as unknown as { explanations: { reasons: string[] }[] }).explanations;
    await page.getByText(told?.reasons[0] ?? "never").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("aside").count()).toBe(0);
    expect(wrong).toEqual([]);
    await context.close();
  });

  test("a filter says how many it hides, and a change of the document by hand is seen without a reload", async () => {
    const { page, wrong, context } = await world.visit("/g/orchestrate");
    await page.getByRole("button", { name: "Failed and blocked" }).click();
    await page.getByText(/\d+ hidden/).waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await expect.poll(() => page.getByText(/\d+ hidden/).count()).toBe(0);
    const path = join(world.root, ".claude/orchestrate-state.json");
    const state = JSON.parse(readFileSync(path, "utf8")) as { tasks: Record<string, string[]> };
    const [failed] = state.tasks["failed"] ?? [];
    // The seed's own recipe (S2.8).
    state.tasks["failed"] = [];
    state.tasks["completed"]?.push(failed ?? "");
    writeFileSync(path, JSON.stringify(state, null, 2));
    await page.getByText("9 of 24 done").waitFor();
    expect(wrong).toEqual([]);
    await context.close();
  });

  test("on a phone the graph is the list, by state", async () => {
    const { page, context } = await world.visit("/g/orchestrate", phone);
    await page.locator("[role=option]").first().waitFor();
    expect(await page.locator("canvas").count()).toBe(0);
    await page.locator("[role=option]").first().click();
    await page.locator("aside dl").waitFor();
    await context.close();
  });

  test("metrics are those of the operation, in the time zone of the browser", async () => {
    const { page, wrong, context } = await world.visit("/costs?days=90", {
      timezoneId: "Asia/Seoul",
    });
    const { json } = await world.call("/api/metrics?days=90&zone=Asia/Seoul");
    const { totals } = json as unknown as { totals: { costUsd: number; retries: number } };
    await page.getByText("Days as in Asia/Seoul").waitFor();
    await page
      .getByText(`$${totals.costUsd.toFixed(2)}`, { exact: true })
      .first()
      .waitFor();
    await page.getByText("As a table").first().click();
    expect(await page.locator("details[open] tbody tr").count()).toBe(90);
    expect(wrong).toEqual([]);
    await context.close();
  });

  test("a new task is kept as it is typed, checked as it is typed, and started by keyboard", async () => {
    const { page, wrong, context } = await world.visit("/board");
    await page.locator("h1").waitFor();
    await page.keyboard.press("c");
    await page.getByText("Missing:").waitFor();
    await page.getByRole("radio", { name: /A note/ }).check();
    await page.getByText("What will happen").waitFor();
    await page.getByLabel("Title").fill("From the page");
    const start = page.getByRole("button", { name: /^Start/ });
    expect(await start.isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Bug", exact: true }).click();
    await page.reload();
    expect(await page.getByLabel("Title").inputValue()).toBe("From the page");
    await page.getByLabel("Agent").selectOption("sample");
    await page.getByLabel("Priority").selectOption("high");
    // Refused, the form stays as it is; put right, the same press makes one task and no more. The
    // browser logs the refusal, and that the draft of the first try is gone.
    writeFileSync(join(world.root, "README.md"), "# Changed\n");
    await page.keyboard.press("Control+Enter");
    await page.getByText("not committed").waitFor();
    commit(world, "mended");
    await page.getByLabel("Title").fill("From the page, mended");
    await page.keyboard.press("Control+Enter");
    await expect.poll(() => page.url()).toMatch(/\/t\/task_/);
    const id = new URL(page.url()).pathname.split("/")[2] ?? "";
    const made = (await world.call(`/api/tasks/${id}`)).json as unknown as Record<string, unknown>;
    expect(made).toMatchObject({ title: "From the page, mended", type: "note", priority: "high" });
    expect(made["status"]).not.toBe("draft");
    const { tasks } = (await world.call("/api/tasks?q=From the page")).json as unknown as {
      tasks: object[];
    };
    expect(tasks).toHaveLength(1);
    await page.goto(`${world.server.url}/new`);
    expect(await page.getByLabel("Title").inputValue()).toBe("");
    expect(wrong.filter((line) => !/status of 40[49]/.test(line))).toEqual([]);
    await context.close();
  });

  test("S6.5b where no agent is configured the page shows which can be used, and a person chooses", async () => {
    const { page, wrong, context } = await world.visit("/new");
    await page.getByRole("radio", { name: /A note/ }).check();
    await page.getByLabel("Title").fill("By whom?");
    await page.getByLabel("What should come of it?").fill("Write a note.");
    await page.getByText("Missing: Agent").waitFor();
    const agent = page.getByLabel("Agent");
    expect(await agent.inputValue()).toBe("");
    await page.getByText("No agent is configured for this project.").waitFor();
    const start = page.getByRole("button", { name: /^Start/ });
    const draft = page.getByRole("button", { name: "Keep as a draft" });
    expect([await start.isDisabled(), await draft.isDisabled()]).toEqual([true, true]);
    const options = await agent
      .locator("option")
      .evaluateAll((all) =>
        all.map((each) => `${each.textContent} ${each.hasAttribute("disabled")}`),
      );
    expect(options[0]).toContain("Choose an agent");
    expect(options.at(-1)).toMatch(/^sample .*does no real work\) false$/);
    expect(options).toContain("codex (not usable here) true");
    await agent.selectOption("sample");
    expect([await start.isEnabled(), await draft.isEnabled()]).toEqual([true, true]);
    await page.getByRole("button", { name: "Clear the form" }).click();
    expect(wrong).toEqual([]);
    await context.close();
  });

  test("a webhook is tested by a button, and its address is nowhere on the page", async () => {
    const { page, wrong, context } = await world.visit("/settings");
    await page.getByText("LOST_HOOK").waitFor();
    const buttons = page.getByRole("button", { name: "Send a test" });
    expect(await buttons.nth(1).isDisabled()).toBe(true);
    await buttons.first().click();
    await page
      .getByText(/could not be sent|was not sent|TEAM_HOOK/)
      .last()
      .waitFor();
    await page.locator("[role=status] p[data-tone=fail]").waitFor();
    const html = await page.content();
    expect(html).not.toContain("secret-path");
    expect(wrong).toEqual([]);
    await context.close();
  });

  test("single keys can be turned off, and theme and language follow at once", async () => {
    const { page, wrong, context } = await world.visit("/settings");
    const single = page.getByRole("group", { name: "Keys of one letter" });
    await single.getByRole("button", { name: "Off" }).click();
    await page.keyboard.press("c");
    await page.getByRole("button", { name: "Dark" }).click();
    await expect.poll(() => page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await page.getByRole("button", { name: "한국어" }).click();
    await page.getByRole("heading", { name: "설정" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/settings");
    expect(wrong).toEqual([]);
    await context.close();
  });

  test("the machines of a task show the path walked, and an arrow says its guard and when it was taken", async () => {
    const { page, wrong, context } = await world.visit(`/t/${asked}/machines`);
    await page.getByRole("button", { name: /Draft.*Pending/ }).click();
    await page.getByText("Fill in first: title, type, description.").waitFor();
    const agent = page.getByRole("group", { name: "Which machine" });
    await agent.getByRole("button", { name: "Agent" }).click();
    await page.getByRole("button", { name: /Running.*Waiting: answer/ }).click();
    await page.getByText("The question was answered already.").waitFor();
    expect(wrong).toEqual([]);
    await context.close();
  });
});

/** A task begins from what is committed (S1.21d). */
function commit({ root, env }: PageWorld, message: string): void {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"];
  for (const args of [
    ["add", "."],
    [...identity, "commit", "-q", "-m", message],
  ])
    spawnSync("git", args, { cwd: root, env });
}

async function seriousOn(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = (await page.evaluate("axe.run().then(({ violations }) => violations)")) as {
    id: string;
    impact: string;
    nodes: { html: string; failureSummary: string }[];
  }[];
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) => `${id}: ${nodes.map((n) => `${n.html} ${n.failureSummary}`).join("\n")}`,
    );
}
