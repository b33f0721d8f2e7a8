// What axe finds wrong, on every screen, in both themes: nothing serious.
import axe from "axe-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PageWorld, pageWorld, program } from "./world.ts";

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

describe.skipIf(program === undefined)("S6.2 the page for everybody", () => {
  let world: PageWorld;
  let waiting = "";
  let reviewed = "";
  beforeAll(async () => {
    world = await pageWorld();
    await world.serve();
    const more = { type: "note", agent: "sample" };
    const note =
      "write docs/note.md # A note\\n\\nLong enough to be one.\\n\nphase 1 docs/note.md\n";
    const ask = "say \u001b[31mred\u001b[0m \u001b[2mdim\u001b[0m\nask choice Which? | A | B\n";
    reviewed = await world.task(note, { ...more, title: "Under review" });
    waiting = await world.task(ask, { ...more, title: "Asks something" });
    await world.task("need api_key KEY For it\n", { ...more, title: "Needs something" });
    await world.task("fatal Broken\n", { ...more, title: "Has failed" });
    await world.until(
      `/api/tasks/${reviewed}`,
      ({ status }: { status: string }) => status === "review",
    );
    await world.until("/api/inbox", ({ items }: { items: unknown[] }) => items.length === 3);
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
        [`/t/${waiting}/overview`, "main section"],
        [`/t/${waiting}/output`, "[role=log]"],
        [`/t/${waiting}/history`, "[role=listitem]"],
        [`/t/${reviewed}/attempts`, "main ol li"],
        [`/t/${reviewed}/snapshots`, "main li"],
        [`/t/${reviewed}/files`, "main .prose"],
      ] as const;
      for (const [path, there] of screens) {
        await page.goto(world.server.url + path);
        await page.locator(there).first().waitFor();
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
      }
      expect(wrong).toEqual([]);
      await context.close();
    },
  );
});
