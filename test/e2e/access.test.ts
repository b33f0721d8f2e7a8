// What axe finds wrong, on every screen, in both themes: nothing serious. And none of them is wider than
// a phone.
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PageWorld, pageWorld, program } from "./world.ts";

const questions = [
  {
    question: "Which of these come first, and which can wait until later?",
    header: "Order",
    multiSelect: true,
    options: [
      { label: "Search", description: "So that things are found" },
      { label: "AVeryLongNameWithoutAnySpaceInItThatDoesNotFitOnAPhone", description: "" },
    ],
  },
  { question: "What is it called?", header: "", multiSelect: false, options: [] },
];

/** The file with colours, and several lines commented on. */
async function code(page: Page): Promise<void> {
  await page.getByRole("button", { name: /pay\.ts/ }).click();
  await page.locator(".code-keyword").first().waitFor();
  await page.getByRole("button", { name: "Comment on line 2" }).click();
  await page.getByRole("button", { name: "One line more above" }).click();
}

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

describe.skipIf(program === undefined)("S6.2 the page for everybody", () => {
  let world: PageWorld;
  let waiting = "";
  let asking = "";
  let reviewed = "";
  beforeAll(async () => {
    world = await pageWorld();
    await world.serve();
    const more = { type: "note", agent: "sample" };
    const note =
      'write docs/note.md # A note\\n\\nLong enough to be one.\\n\nwrite src/pay.ts // Pays\\nexport const fee = "3";\\n\nphase 1 docs/note.md\n';
    const ask = "say \u001b[31mred\u001b[0m \u001b[2mdim\u001b[0m\nask choice Which? | A | B\n";
    reviewed = await world.task(note, { ...more, title: "Under review" });
    waiting = await world.task(ask, { ...more, title: "Asks something" });
    await world.task("need api_key KEY For it\n", { ...more, title: "Needs something" });
    await world.task("fatal Broken\n", { ...more, title: "Has failed" });
    await world.until(
      `/api/tasks/${reviewed}`,
      ({ status }: { status: string }) => status === "review",
    );
    asking = await world.asking("Asks a lot", { tool: "AskUserQuestion", input: { questions } });
    const input = { command: `echo ${"long ".repeat(80)}`, timeout: 3 };
    await world.asking("Wants a tool", { tool: "Bash", input });
    await world.until("/api/inbox", ({ items }: { items: unknown[] }) => items.length === 5);
  });
  afterAll(() => world.endAll());

  test.each(["light", "dark"] as const)(
    "in the %s theme axe finds nothing serious on any screen",
    async (theme) => {
      const { page, wrong, context } = await world.visit("/", { colorScheme: theme });
      const screens = [
        ["/", "main"],
        ["/board", "a[data-card]"],
        ["/board?view=list", "[role=row]"],
        [`/t/${reviewed}/review`, "footer"],
        [`/t/${reviewed}/review`, "main aside", code],
        [`/t/${waiting}/overview`, "main section"],
        [`/t/${asking}/overview`, "main fieldset"],
        [`/t/${waiting}/output`, "[role=log]"],
        [`/t/${waiting}/history`, "[role=listitem]"],
        [`/t/${reviewed}/attempts`, "main ol li"],
        [`/t/${reviewed}/snapshots`, "main li"],
        [`/t/${reviewed}/files`, "main .prose"],
      ] as const satisfies [string, string, ((page: Page) => Promise<void>)?][];
      for (const [path, there, act] of screens) {
        await page.goto(world.server.url + path);
        await page.locator(there).first().waitFor();
        await act?.(page);
        await page.evaluate(axe.source);
        const found = (await page.evaluate(
          "axe.run().then(({ violations }) => violations)",
        )) as Violation[];
        const serious = found.filter(({ impact }) => impact === "serious" || impact === "critical");
        const told = serious.map(
          ({ id, nodes }) =>
            `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("\n")}`,
        );
        expect({ path, told }).toEqual({ path, told: [] });
        await page.setViewportSize({ width: 390, height: 844 });
        const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        expect({ path, over }).toEqual({ path, over: 0 });
        await page.setViewportSize({ width: 1440, height: 900 });
      }
      expect(wrong).toEqual([]);
      await context.close();
    },
  );
});
