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
});
