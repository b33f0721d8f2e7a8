// A person stops, goes on, ends and tries again, from the task's own page.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PageWorld, pageWorld, program } from "./world.ts";

describe.skipIf(program === undefined)("S1.10 S6.2 the page's buttons", () => {
  let world: PageWorld;
  beforeAll(async () => {
    world = await pageWorld();
    await world.serve();
  });
  afterAll(() => world.endAll());

  test("S1.10 S1.11 pause, resume, end as failed after a second press, and try again as a new task", async () => {
    const body = { type: "custom", title: "Steered", description: "x", agent: "sample" };
    const made = await world.call("/api/tasks", {
      body: { ...body, script: "say At work\nhang\n", submit: true },
    });
    const id = String(made.json["id"]);
    const { page, wrong, context } = await world.visit(`/t/${id}`);
    const header = page.locator("header");
    await header.getByText("In progress").waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await header.getByText("Paused").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await header.getByText("In progress").waitFor();

    const end = async (): Promise<void> => {
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "End as failed" }).click();
    };
    // Nothing that ends work happens at one click.
    await end();
    await page.getByRole("button", { name: "Leave it" }).click();
    await header.getByText("In progress").waitFor();
    await end();
    await page.getByRole("dialog").getByRole("button", { name: "End as failed" }).click();
    await header.getByText("Failed", { exact: true }).waitFor();

    await page.getByRole("button", { name: "Try again as a new task" }).click();
    await expect.poll(() => page.url()).not.toContain(id);
    await header.getByText("In progress").waitFor();
    expect(wrong).toEqual([]);
    await context.close();
  });

  test("S1.7 a draft is edited on its page: what is typed outlives a reload, and only what changed is sent", async () => {
    const body = { type: "custom", title: "Before", description: "Stays.", agent: "sample" };
    const id = String((await world.call("/api/tasks", { body })).json["id"]);
    const { page, wrong, context } = await world.visit(`/t/${id}`);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await page.getByRole("heading", { name: "Edit draft" }).waitFor();
    await page.getByLabel("Title", { exact: true }).fill("Afterwards");
    await page.reload();
    expect(await page.getByLabel("Title", { exact: true }).inputValue()).toBe("Afterwards");
    await page.getByRole("radio", { name: /A note/ }).check();
    await page.getByLabel("Priority").selectOption("high");
    const sent = page.waitForRequest(/\/edit$/);
    await page.getByRole("button", { name: "Save" }).click();
    expect((await sent).postDataJSON()).toEqual({
      title: "Afterwards",
      type: "note",
      priority: "high",
    });
    await page.locator("header").getByText("Afterwards").waitFor();
    expect((await world.call(`/api/tasks/${id}`)).json).toMatchObject({
      title: "Afterwards",
      description: "Stays.",
      type: "note",
      priority: "high",
      agent: "sample",
      totalPhases: 1,
    });
    expect(wrong).toEqual([]);
    await context.close();
  });

  test("S1.7 a task behind a failed one stands in the inbox; what failed is tried again there and takes its place", async () => {
    const failing = await world.task("fatal It broke\n", { title: "Breaks", agent: "sample" });
    await world.until(
      `/api/tasks/${failing}`,
      ({ status }: { status: string }) => status === "failed",
    );
    await world.task("done All\n", { title: "Afterwards", dependsOn: [failing] });
    const { page, wrong, context } = await world.visit("/", { locale: "ko-KR" });
    const card = page.getByRole("listitem").filter({ hasText: "“Afterwards” 작업이" });
    await card.getByRole("link", { name: "Breaks" }).waitFor();
    await card.getByRole("button", { name: "새 작업으로 다시 시도" }).first().click();
    await card.getByText("보냄: 새 작업으로 다시 시도").waitFor();
    const { tasks } = (await world.call("/api/tasks")).json as unknown as {
      tasks: { retryOf: string | null }[];
    };
    expect(tasks.filter(({ retryOf }) => retryOf === failing)).toHaveLength(1);
    expect(wrong).toEqual([]);
    await context.close();
  });
});
