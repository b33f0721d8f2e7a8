// A task's work in a real browser: from nothing to approved with keys alone, comments on several
// lines, an approval of what is no longer there, and the way back to a snapshot and forth again.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PageWorld, pageWorld, program, together } from "./world.ts";

const lines = "# A note\\n\\nOne is fine.\\nTwo is wrong.\\nThree is wrong.\\nFour is fine.\\n";
const note = `write docs/note.md ${lines}\nphase 1 docs/note.md\non feedback\n  write docs/note.md # A note\\n\\nAll is fine now.\\n\nend\n`;

interface Task {
  readonly status: string;
  readonly workspace: string;
  readonly decisions: { status: string; comments: object[]; feedback: string | null }[];
}

describe.skipIf(program === undefined)("S6.2 a task's work on the page", () => {
  let world: PageWorld;
  beforeAll(async () => {
    world = await pageWorld();
    await world.serve();
  });
  afterAll(() => world.endAll());

  const look = async (id: string): Promise<Task> =>
    (await world.call(`/api/tasks/${id}`)).json as unknown as Task;
  const reviewed = async (title: string): Promise<string> => {
    const id = await world.task(note, { title, type: "note", agent: "sample" });
    await world.until(`/api/tasks/${id}`, ({ status }: Task) => status === "review");
    return id;
  };
  const open = async (page: Page, id: string): Promise<void> => {
    await page.goto(`${world.server.url}/t/${id}/review`);
    await page.getByRole("button", { name: "Lines", exact: true }).click();
  };

  test("S1.1 from nothing to approved with keys alone", async () => {
    const { page, wrong, context } = await world.visit("/board");
    await page.getByRole("heading", { level: 1 }).waitFor();
    const { keyboard } = page;
    await keyboard.press("c");
    const type = page.getByRole("radio", { name: /A note/ });
    await type.waitFor();
    await tabTo(page, page.getByRole("radio").first());
    for (let step = 0; step < 12 && !(await type.isChecked()); step++)
      await keyboard.press("ArrowDown");
    expect(await type.isChecked()).toBe(true);
    await tabTo(page, page.getByLabel("Title"));
    await keyboard.type("By keys");
    await tabTo(page, page.getByLabel("What should come of it?"));
    await keyboard.type("Write a note.");
    const agent = page.getByLabel("Agent");
    await tabTo(page, agent);
    await keyboard.type("sample");
    await expect.poll(() => agent.inputValue()).toBe("sample");
    await keyboard.press("Control+Enter");
    await page.waitForURL(/\/t\/task_/);
    const id = new URL(page.url()).pathname.split("/")[2] ?? "";
    await world.until(`/api/tasks/${id}`, ({ status }: Task) => status === "review");
    await together(page, "g", "i");
    await page.getByRole("heading", { name: "By keys · review of phase 1" }).waitFor();
    await keyboard.press("Enter");
    await page.getByText("Checked by the engine").waitFor();
    await keyboard.press("v");
    await page.getByText("All files seen.").waitFor();
    // Opened, not sent: then sent.
    await keyboard.press("a");
    await page.getByText(/This is the last phase/).waitFor();
    expect((await look(id)).status).toBe("review");
    await keyboard.press("Control+Enter");
    await page.getByText("Completed").first().waitFor();
    expect(wrong).toEqual([]);
    await context.close();
  });

  test("S1.5 a comment may be about several lines: with Shift, or line by line; it is sent with all of them", async () => {
    const id = await reviewed("Several lines");
    const { page, wrong, context } = await world.visit("/board");
    await open(page, id);
    await page.getByRole("button", { name: "Comment on line 5" }).click();
    const field = page.getByLabel("Write a comment");
    await field.fill("Both are");
    await page.getByRole("button", { name: "Comment on line 4" }).click({ modifiers: ["Shift"] });
    await page.getByText("line 4-5", { exact: true }).waitFor();
    expect(await field.inputValue()).toBe("Both are");
    await page.getByRole("button", { name: "One line more above" }).click();
    await page.getByText("line 3-5", { exact: true }).waitFor();
    await page.getByRole("button", { name: "One line less" }).click();
    await field.fill("Both are wrong.");
    await page.getByRole("button", { name: "Add comment" }).click();
    await page.reload();
    await page.getByRole("button", { name: "Lines", exact: true }).click();
    await page.getByText("Both are wrong.").waitFor();
    await page.getByText("line 4-5", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Request changes" }).click();
    await page.keyboard.press("Control+Enter");
    await page.getByText("Asked for last time").waitFor();
    expect((await look(id)).decisions[0]).toMatchObject({
      status: "changes_requested",
      comments: [{ path: "docs/note.md", line: 4, text: "4-5: Both are wrong." }],
    });
    expect(wrong).toEqual([]);
    await context.close();
  });

  test("S1.5 what changed since it was shown is not approved: told with its code, and nothing typed is lost", async () => {
    const id = await reviewed("Changed meanwhile");
    const { page, wrong, context } = await world.visit("/board");
    await open(page, id);
    await page.getByRole("button", { name: "Comment on line 3" }).click();
    await page.getByLabel("Write a comment").fill("Well said.");
    await page.getByRole("button", { name: "Add comment" }).click();
    await page.getByRole("button", { name: "Approve and continue" }).click();
    const word = page.getByLabel(/^A word along with it/);
    await word.fill("Good as it was shown.");
    const { workspace } = await look(id);
    const stray = join(workspace, "stray.txt");
    writeFileSync(stray, "nobody was shown this");
    await page.keyboard.press("Control+Enter");
    const told = page.getByRole("alert");
    await told.getByText("What you wrote is kept in this browser.").waitFor();
    expect(await told.textContent()).toMatch(/refused/);
    expect((await look(id)).status).toBe("review");
    expect(await word.inputValue()).toBe("Good as it was shown.");
    await page.getByText("Well said.").waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Lines", exact: true }).click();
    await page.getByText("Well said.").waitFor();
    // As it was shown, it is.
    rmSync(stray);
    await page.getByRole("button", { name: "Approve and continue" }).click();
    expect(await word.inputValue()).toBe("Good as it was shown.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Completed").first().waitFor();
    expect(wrong.filter((line) => !/status of 409/.test(line))).toEqual([]);
    await context.close();
  });

  test("S1.19 back to a snapshot: shown first, done on a second press, and undone again", async () => {
    const script =
      "write a.txt one\nask choice Go on? | Yes | No\nwrite a.txt two\nwrite b.txt new\nask choice And now? | Yes\nhang\n";
    const id = await world.task(script, { title: "There and back", agent: "sample" });
    await world.until(
      `/api/tasks/${id}`,
      ({ questions }: { questions: string[] }) => questions.length > 0,
    );
    const { page, wrong, context } = await world.visit(`/t/${id}/overview`);
    await page.getByRole("button", { name: "Yes" }).click();
    await page.getByText("And now?").waitFor();
    const { workspace } = await look(id);
    const a = (): string => readFileSync(join(workspace, "a.txt"), "utf8");
    const hasB = (): boolean => existsSync(join(workspace, "b.txt"));
    expect([a(), hasB()]).toEqual(["two", true]);

    await page.getByRole("button", { name: "Snapshots" }).click();
    const rows = page.locator("main li").filter({ hasText: "A question was asked" });
    await expect.poll(() => rows.count()).toBe(2);
    const preview = rows.last().getByRole("button", { name: "What would change?" });
    await preview.click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("2 files change against the newest snapshot:").waitFor();
    await dialog.getByText("b.txt").waitFor();
    await page.keyboard.press("Escape");
    expect([a(), hasB()]).toEqual(["two", true]);
    await preview.click();
    await dialog.getByRole("button", { name: "Go back to it" }).click();
    await expect.poll(() => [a(), hasB()]).toEqual(["one", false]);
    await page.getByRole("button", { name: "Resume" }).waitFor();

    const kept = page.locator("main li").filter({ hasText: "Before going back" });
    await kept.first().getByRole("button", { name: "What would change?" }).click();
    await dialog.getByRole("button", { name: "Go back to it" }).click();
    await expect.poll(() => [a(), hasB()]).toEqual(["two", true]);
    await expect.poll(() => kept.count()).toBe(2);
    expect(wrong).toEqual([]);
    await context.close();
  });
});

/** As a person without a mouse gets there. */
async function tabTo(page: Page, place: Locator): Promise<void> {
  for (let step = 0; step < 60; step++) {
    if (await place.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no Tab leads to ${place.toString()}`);
}
