// One task from draft to completed in a real browser, and what must hold meanwhile.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PageWorld, pageWorld, program, search, together } from "./world.ts";

const script = `say Reading the brief
ask choice Which database? | SQLite | PostgreSQL
say Taken: {answer}
need api_key PAYMENT_KEY To try the checkout
write docs/note.md # A note\\n\\nThe first line is fine.\\nThe second line is wrong.\\nThe third line is fine.\\n
phase 1 docs/note.md
on feedback
  write docs/note.md # A note\\n\\nThe first line is fine.\\nThe second line is right now.\\nThe third line is fine.\\n
end
`;

const secret = "sk-live-4242-never-shown";

describe.skipIf(program === undefined)("S6.2 the page", () => {
  let world: PageWorld;
  beforeAll(async () => {
    world = await pageWorld();
    await world.serve();
  });
  afterAll(() => world.endAll());

  const draft = async (title: string, more: object = {}): Promise<string> => {
    const body = {
      type: "note",
      title,
      description: "Write it.",
      script,
      agent: "sample",
      ...more,
    };
    return String((await world.call("/api/tasks", { body })).json["id"]);
  };

  test("leads a task from draft to completed: submit, answer, secret, changes at a line, approve, ZIP", async () => {
    const id = await draft("The main flow");
    const { page, wrong, context } = await world.visit("/board");
    await page.getByRole("link", { name: /The main flow/ }).click();
    await page.getByRole("button", { name: "Submit" }).click();

    // Answered in place: an option, then a value that is never shown again.
    await page.getByRole("link", { name: "Inbox" }).click();
    const card = page.getByRole("listitem").filter({ hasText: "Which database?" });
    await card.getByRole("button", { name: "PostgreSQL" }).click();
    await card.getByText("Sent: PostgreSQL").waitFor();
    const need = page.getByRole("listitem").filter({ hasText: "PAYMENT_KEY is needed" });
    const field = need.getByLabel("Value of PAYMENT_KEY");
    expect(await field.getAttribute("type")).toBe("password");
    await field.fill(secret);
    await need.getByRole("button", { name: "Provide" }).click();
    await need.getByText(/Sent:/).waitFor();

    // Facts of the engine, a comment at its line, changes requested with it.
    await page.goto(`${world.server.url}/t/${id}/review`);
    await page.getByText("Checked by the engine").waitFor();
    await page.getByText("test -s docs/note.md").first().waitFor();
    await page.getByRole("button", { name: "Lines", exact: true }).click();
    await page.getByRole("button", { name: "Comment on line 4" }).click();
    await page.getByLabel("Write a comment").fill("Say why.");
    await page.getByRole("button", { name: "Add comment" }).click();
    await page.getByRole("button", { name: "Request changes" }).click();
    await page.getByText(/reworks “Draft”/).waitFor();
    await page.getByRole("button", { name: "Request changes" }).click();

    // The second look shows what changed since the first, and what was asked for.
    await page.getByText("Asked for last time").waitFor();
    await page.getByText("Say why.").waitFor();
    await page.getByText("The second line is right now.").waitFor();
    await page.getByText("The second line is wrong.").waitFor();
    await page.getByRole("button", { name: "Approve and continue" }).click();
    await page.getByText(/This is the last phase/).waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByText("Completed").first().waitFor();

    await page.getByRole("button", { name: "Deliverables" }).click();
    const zip = await page.getByRole("link", { name: "Download as ZIP" }).getAttribute("href");
    const begins = await page.evaluate(
      `fetch(${JSON.stringify(zip)}).then((answer) => answer.text()).then((text) => text.slice(0, 2))`,
    );
    expect(begins).toBe("PK");

    const kept = await page.evaluate(
      "JSON.stringify({ ...localStorage }) + document.body.innerHTML",
    );
    expect(kept).not.toContain(secret);
    const review = (await world.call(`/api/tasks/${id}`)).json as unknown as {
      decisions: { comments: object[]; status: string }[];
    };
    expect(review.decisions.map(({ status }) => status)).toEqual(["changes_requested", "approved"]);
    expect(review.decisions[0]?.comments).toEqual([
      { path: "docs/note.md", line: 4, text: "Say why." },
    ]);
    expect(wrong).toEqual([]);
    await context.close();
  });

  test("two browsers see the same: what one answers leaves the other's Inbox by itself", async () => {
    const id = await draft("Seen by two", { submit: true });
    await world.until(
      `/api/tasks/${id}`,
      ({ questions }: { questions: string[] }) => questions.length > 0,
    );
    const [one, two] = [await world.visit(), await world.visit()];
    const card = (visit: typeof one) =>
      visit.page.getByRole("listitem").filter({ hasText: "Seen by two" });
    await card(two).getByText("Which database?").waitFor();
    await card(one).getByRole("button", { name: "SQLite" }).click();
    await card(two).getByText("PAYMENT_KEY is needed").waitFor();
    await expect.poll(() => two.page.title()).toMatch(/^\(\d+\) Inbox · Holdfast$/);
    expect([...one.wrong, ...two.wrong]).toEqual([]);
    await one.context.close();
    await two.context.close();
  });

  test("works with keys alone, and no single key changes a state", async () => {
    const id = await draft("By keyboard", { submit: true, priority: "critical" });
    await world.until(
      `/api/tasks/${id}`,
      ({ questions }: { questions: string[] }) => questions.length > 0,
    );
    const { page, wrong, context } = await world.visit();
    await page.locator("[data-selected=true]").filter({ hasText: "By keyboard" }).waitFor();
    // The task itself may stand beside the list by now.
    const inbox = page.getByRole("region", { name: "Inbox" });
    await page.keyboard.press("2");
    await inbox.getByText("“PostgreSQL” is chosen.").waitFor();
    const before = (await world.call(`/api/tasks/${id}`)).json as unknown as {
      questions: string[];
    };
    expect(before.questions).toHaveLength(1);
    await page.keyboard.press("Control+Enter");
    await inbox.getByText("Sent: PostgreSQL").waitFor();
    await together(page, "g", "b");
    await page.waitForURL("**/board");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Shortcuts of this screen" }).waitFor();
    await page.keyboard.press("Escape");
    await search(page, "By keyboard");
    await page.waitForURL(`**/t/${id}`);
    // With the Hangul layout on, the key of J types ㅓ: it is still J.
    await page.goto(`${world.server.url}/`);
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    await page.locator("[data-selected=true]").waitFor();
    const first = await page.locator("[data-selected=true]").getAttribute("id");
    await page.evaluate(
      `document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ㅓ", code: "KeyJ", bubbles: true, cancelable: true }))`,
    );
    await expect
      .poll(() => page.locator("[data-selected=true]").getAttribute("id"))
      .not.toBe(first);
    expect(wrong).toEqual([]);
    await context.close();
  });

  test("speaks the browser's language first, and the other one when asked", async () => {
    const { page, wrong, context } = await world.visit("/", { locale: "ko-KR" });
    await page.getByRole("heading", { name: "인박스" }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("ko");
    await search(page, "English");
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    expect(wrong).toEqual([]);
    await context.close();
  });

  test("S1.1 every state of a task has its own word, in Korean as well", async () => {
    const words = {
      "ko-KR": ["초안", "대기 중", "진행 중", "리뷰 대기", "완료", "실패"],
      "en-US": ["Draft", "Pending", "In progress", "In review", "Completed", "Failed"],
    };
    await draft("A state's word");
    for (const [locale, names] of Object.entries(words)) {
      const { page, wrong, context } = await world.visit("/board", { locale });
      await page.getByText("A state's word").waitFor();
      for (const name of names) await page.getByRole("region", { name, exact: true }).waitFor();
      expect(wrong).toEqual([]);
      await context.close();
    }
  });

  test("fits a phone: nothing is wider than the screen, and a question is answered there", async () => {
    const id = await draft("On a phone", { submit: true });
    await world.until(
      `/api/tasks/${id}`,
      ({ questions }: { questions: string[] }) => questions.length > 0,
    );
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const { page, wrong, context } = await world.visit("/", phone);
    const card = page.getByRole("listitem").filter({ hasText: "On a phone" });
    await card.getByRole("button", { name: "SQLite" }).tap();
    await card.getByText("Sent: SQLite").waitFor();
    for (const path of [
      "/",
      "/board",
      `/t/${id}/overview`,
      `/t/${id}/output`,
      `/t/${id}/history`,
    ]) {
      await page.goto(world.server.url + path);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      const wide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
      expect({ path, wide }).toEqual({ path, wide: false });
    }
    expect(wrong).toEqual([]);
    await context.close();
  });

  test("without a token it shows nothing but how to get in, and a wrong one is told", async () => {
    const { url } = world.server;
    const context = await world.browser.newContext({ locale: "en-US" });
    const page = await context.newPage();
    await page.goto(`${url}/board`);
    await page.getByRole("heading", { name: "This address lacks its token." }).waitFor();
    await page.goto(`${url}/#token=wrong`);
    await page.reload();
    await page.getByRole("heading", { name: /lacks its token|did not accept/ }).waitFor();
    expect(await page.getByRole("navigation").count()).toBe(0);
    await context.close();
  });
});
