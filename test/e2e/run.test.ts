// A run of a plan that the server carries out, seen and steered on its page: units, the graph, the
// question after a phase, what holds it and the way on, its end.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PageWorld, pageWorld, program } from "./world.ts";

const plan = `# Shop
## Phase 0: Base
- [ ] T0.1: Data model
## Phase 1: Pages
- [ ] T1.1: Login page
`;

/** In the page: which of these colours fill something of the picture. */
const painted = `(() => {
  const canvas = document.querySelector("canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const counts = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const colour = "#" + [0, 1, 2].map((k) => data[at + k].toString(16).padStart(2, "0")).join("");
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const style = getComputedStyle(document.documentElement);
  return ["done-bg", "work-bg", "idle-bg", "fail-bg"].filter(
    (name) => (counts.get(style.getPropertyValue("--" + name).trim()) ?? 0) > 500,
  );
})()`;

describe.skipIf(program === undefined)("S2.6 S6.2 a run on its page", () => {
  let world: PageWorld;
  beforeAll(async () => {
    world = await pageWorld("version: 1\nagent: sample\norchestrate: { mode: normal }\n");
    writeFileSync(join(world.root, "TASKS.md"), plan);
    const identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"];
    for (const args of [
      ["add", "."],
      [...identity, "commit", "-q", "-m", "plan"],
    ])
      spawnSync("git", args, { cwd: world.root, env: world.env });
    await world.serve();
  });
  afterAll(() => world.endAll());

  test("S2.4 what its plan says is not asked for again, and a run is never a draft", async () => {
    const { page, wrong, context } = await world.visit("/new");
    const start = page.getByRole("button", { name: /^Start/ });
    await page.getByRole("radio", { name: /Develop a feature/ }).check();
    await page.getByText("Missing: Title").waitFor();
    expect(await start.isDisabled()).toBe(true);
    await page.getByRole("radio", { name: /Work through TASKS\.md/ }).check();
    await page.getByText("stands in the project's TASKS.md").waitFor();
    expect(await start.isEnabled()).toBe(true);
    expect(await page.getByLabel("Title").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Keep as a draft" }).count()).toBe(0);
    expect(wrong).toEqual([]);
    await context.close();
  });

  test("its units and their states, the graph in colours, what holds it and the way on, its question answered there, completed", async () => {
    const script =
      "write done.txt yes\nask choice Which colour? | Red | Blue\ndone Made in {answer}\n";
    const body = { type: "orchestrate", title: "Shop", agent: "sample", script };
    const made = await world.call("/api/tasks", { body });
    const id = String(made.json["id"]);
    const { page, wrong, context } = await world.visit(`/t/${id}`);
    const answer = async (unit: string): Promise<void> => {
      await page.goto(`${world.server.url}/t/${id}/parts`);
      const row = page.locator("main li").filter({ hasText: unit });
      await row.getByText("Waiting: answer").waitFor();
      await row.getByRole("link").click();
      await page.getByRole("button", { name: "Red" }).click();
      await page.goto(`${world.server.url}/t/${id}/parts`);
      await row.getByText("Completed").waitFor();
    };
    // All of the plan is there, also what waits, with the reason.
    await page.goto(`${world.server.url}/t/${id}/parts`);
    const later = page.locator("main li").filter({ hasText: "Login page" });
    await later.getByText("waits for phase 0").waitFor();
    await answer("Data model");

    // In mode normal a person lets the next phase begin.
    await page.getByRole("button", { name: "Overview" }).click();
    await page.getByText("Phase 0 is done. May the next one begin?").waitFor();
    await page.getByRole("button", { name: "Stop here" }).click();
    await page.getByText("You chose to stop here.").waitFor();
    await page.locator("header").getByText("Held, needs you").waitFor();
    // It stands where everything stands that waits for a person, and goes on from there.
    await page.goto(world.server.url);
    await page.getByRole("link", { name: "You chose to stop here." }).waitFor();
    await page.locator("li").getByRole("button", { name: "Resume" }).click();
    await page.goto(`${world.server.url}/t/${id}`);
    await page.getByRole("button", { name: "Continue" }).click();

    // What is done and what is at work: in the list by its word, in the picture by its colour.
    await page.goto(`${world.server.url}/g/orchestrate`);
    await page.locator("[role=option]").filter({ hasText: "T1.1" }).waitFor();
    const states = page.locator("[role=option]");
    await expect
      .poll(() => states.allInnerTexts())
      .toEqual([
        expect.stringMatching(/T0\.1[^]*Completed/),
        expect.stringMatching(/T1\.1[^]*In progress/),
      ]);
    await expect.poll(() => page.evaluate(painted)).toEqual(["done-bg", "work-bg"]);

    await answer("Login page");
    await page.locator("header").getByText("Completed").waitFor();
    expect(wrong).toEqual([]);
    await context.close();
  });
});
