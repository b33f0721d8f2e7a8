// What is asked, in a real browser: several questions at once, permissions, two tabs, syllables that
// are not finished yet, and what reaches a person who looks elsewhere.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type PageWorld, pageWorld, program } from "./world.ts";

const questions = {
  tool: "AskUserQuestion",
  input: {
    questions: [
      {
        question: "Which database?",
        header: "Database",
        multiSelect: false,
        options: [
          { label: "SQLite", description: "One file, nothing to run" },
          { label: "PostgreSQL", description: "A server of its own" },
        ],
      },
      {
        question: "Which features come first?",
        header: "Features",
        multiSelect: true,
        options: [
          { label: "Search", description: "" },
          { label: "Chat", description: "" },
          { label: "Import", description: "" },
        ],
      },
    ],
  },
};
const permission = {
  tool: "Bash",
  input: { command: "rm -rf build && npm ci", description: "Start from nothing" },
};

const card = (page: Page, title: string) =>
  page.getByRole("region", { name: "Inbox" }).getByRole("listitem").filter({ hasText: title });

describe.skipIf(program === undefined)("S6.2 what is asked, on the page", () => {
  let world: PageWorld;
  beforeAll(async () => {
    world = await pageWorld();
    await world.serve();
  });
  afterAll(() => world.endAll());
  // The next one counts what waits.
  afterEach(async () => {
    const { tasks } = (await world.call("/api/tasks?status=in_progress")).json as unknown as {
      tasks: { id: string }[];
    };
    for (const { id } of tasks) await world.call(`/api/tasks/${id}/cancel`, { body: {} });
  });

  const asks = (id: string): Promise<unknown> =>
    world.until(
      `/api/tasks/${id}`,
      ({ questions: open }: { questions: string[] }) => open.length > 0,
    );
  const heard = async (id: string): Promise<string> => {
    const { text } = (await world.call(`/api/tasks/${id}/output`)).json as unknown as {
      text: string;
    };
    return text.replaceAll(String.raw`\"`, '"');
  };
  test("S1.15 several questions are answered together, by mouse and by keyboard; nothing chosen is lost", async () => {
    const id = await world.asking("Asks twice", questions, questions);
    await asks(id);
    const { page, wrong, context } = await world.visit();
    const asked = card(page, "Asks twice");
    await asked.getByText("2 questions: Database, Features").waitFor();
    const send = asked.getByRole("button", { name: "Send all answers" });
    await asked.getByRole("radio", { name: /PostgreSQL/ }).check();
    await asked.getByText("1 of 2 answered").waitFor();
    expect(await send.isDisabled()).toBe(true);
    await asked.getByRole("checkbox", { name: /Import/ }).check();
    await asked.getByLabel("Which features come first? or in your own words").fill("Tags, if easy");
    await page.reload();
    await asked.getByText("2 of 2 answered").waitFor();
    expect(await asked.getByRole("radio", { name: /PostgreSQL/ }).isChecked()).toBe(true);
    await send.click();
    await asked.getByText("Sent: PostgreSQL · Import, Tags, if easy").waitFor();
    await expect
      .poll(() => heard(id))
      .toContain('"Which features come first?":"Import, Tags, if easy"');

    // The second time with keys alone: numbers go on through all parts.
    await asks(id);
    await asked.getByText("0 of 2 answered").waitFor();
    for (const key of ["1", "2", "3", "5"]) await page.keyboard.press(key);
    await asked.getByText("2 of 2 answered").waitFor();
    await page.keyboard.press("Control+Enter");
    await asked.getByText("Sent: PostgreSQL · Search, Import").waitFor();
    await world.until(
      `/api/tasks/${id}`,
      ({ status }: { status: string }) => status === "completed",
    );
    expect(wrong).toEqual([]);
    await context.close();
  });

  test("S1.16 a permission shows what it is asked for; a refusal says why, an allowance does not", async () => {
    const id = await world.asking("Wants a tool", permission, permission);
    await asks(id);
    const { page, wrong, context } = await world.visit();
    const asked = card(page, "Wants a tool");
    await asked.getByText("The agent asks to use Bash").waitFor();
    await asked.getByText("rm -rf build && npm ci").waitFor();
    await asked.getByText("Start from nothing").waitFor();
    await asked.getByLabel(/^Why not/).fill("only what is in dist");
    await asked.getByRole("button", { name: "Deny" }).click();
    await expect.poll(() => heard(id)).toContain('"message":"only what is in dist"');
    await asks(id);
    // The same in the task's own page.
    await page.goto(`${world.server.url}/t/${id}/overview`);
    await page.getByRole("button", { name: "Allow" }).click();
    await expect.poll(() => heard(id)).toContain('"behavior":"allow"');
    expect(wrong).toEqual([]);
    await context.close();
  });

  test("two tabs of one browser share one stream: what one answers leaves the other, and the count with it", async () => {
    const ask = "ask choice Which colour? | Red | Blue\nhang\n";
    const id = await world.task(ask, { title: "In two tabs", agent: "sample" });
    await asks(id);
    const { page, wrong, context } = await world.visit();
    await card(page, "In two tabs").waitFor();
    const other = await context.newPage();
    await other.goto(`${world.server.url}/`);
    await card(other, "In two tabs").getByText("Which colour?").waitFor();
    await expect.poll(() => other.title()).toBe("(1) Inbox · Holdfast");
    await card(page, "In two tabs").getByRole("button", { name: "Red" }).click();
    await expect.poll(() => card(other, "In two tabs").count()).toBe(0);
    await expect.poll(() => other.title()).toBe("Inbox · Holdfast");
    // Who had the stream goes: the other one takes it over.
    await page.close();
    const next = await world.task(ask, { title: "After one closed", agent: "sample" });
    await asks(next);
    await card(other, "After one closed").getByText("Which colour?").waitFor();
    expect(wrong).toEqual([]);
    await context.close();
  });

  test("S7.4 Enter while a Korean syllable is made ends the syllable; the text is sent once and whole", async () => {
    const script = "need package LIBRARY It is needed\nhang\n";
    await world.task(script, { title: "With an IME", agent: "sample" });
    await world.until("/api/inbox", ({ items }: { items: unknown[] }) => items.length === 1);
    const { page, wrong, context } = await world.visit("/", { locale: "ko-KR" });
    const field = page.getByRole("region", { name: "인박스" }).getByLabel("LIBRARY 값");
    await field.focus();
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/provide")) sent.push(request.postData() ?? "");
    });
    const keys = await context.newCDPSession(page);
    const compose = (text: string): Promise<unknown> =>
      keys.send("Input.imeSetComposition", {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    for (const step of ["ㅎ", "하", "한"]) await compose(step);
    // As an IME sends it: the key belongs to the syllable.
    const enter = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 229 };
    await keys.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...enter });
    await keys.send("Input.dispatchKeyEvent", { type: "keyUp", ...enter });
    expect(sent).toEqual([]);
    expect(await field.inputValue()).toBe("한");
    await keys.send("Input.insertText", { text: "한" });
    await expect.poll(() => sent.length).toBe(1);
    expect(JSON.parse(sent[0] ?? "{}")).toMatchObject({ value: "한" });
    // The value is no package: the server says so, once.
    expect(wrong.filter((line) => !/status of 400/.test(line))).toEqual([]);
    await context.close();
  });

  test("who looks elsewhere is told: by the desktop, in the title, and on the icon", async () => {
    const { page, wrong, context } = await world.visit("/board");
    await context.grantPermissions(["notifications"], { origin: world.server.url });
    await page.evaluate(`localStorage.setItem("holdfast.settings", '{"notify":true}')`);
    await page.addInitScript({
      content: `window.told = [];
        const Real = window.Notification;
        window.Notification = class extends Real {
          constructor(title, options) { super(title, options); window.told.push([title, options.body]); }
        };
        document.hasFocus = () => false;`,
    });
    await page.reload();
    await page.getByText("Live", { exact: true }).first().waitFor();
    const icon = (): Promise<string | null> => page.locator("link[rel=icon]").getAttribute("href");
    expect(await page.title()).toBe("Board · Holdfast");
    expect(await icon()).not.toContain("circle");
    const ask = "ask choice Which colour? | Red | Blue\nhang\n";
    const id = await world.task(ask, { title: "Look here", agent: "sample" });
    await expect
      .poll(() => page.evaluate("window.told"))
      .toEqual([["An agent asks", "Which colour?\nLook here"]]);
    await expect.poll(() => page.title()).toBe("(1) Board · Holdfast");
    await expect.poll(icon).toContain("circle");
    await world.call(`/api/tasks/${id}/cancel`, { body: {} });
    await expect.poll(() => page.title()).toBe("Board · Holdfast");
    await expect.poll(icon).not.toContain("circle");
    // S1.6: what ended is told as well, and archiving it afterwards is not.
    const done = await world.task("done All\n", { title: "Well done", agent: "sample" });
    await expect
      .poll(() => page.evaluate("window.told.slice(1)"))
      .toEqual([
        ["A task has failed", "Look here"],
        ["A task is completed", "Well done"],
      ]);
    await world.call(`/api/tasks/${done}/archive`, { body: {} });
    const last = await world.task("done All\n", { title: "And again", agent: "sample" });
    await world.until(
      `/api/tasks/${last}`,
      ({ status }: { status: string }) => status === "completed",
    );
    await expect
      .poll(() => page.evaluate("window.told.slice(3)"))
      .toEqual([["A task is completed", "And again"]]);
    expect(wrong).toEqual([]);
    await context.close();
  });
});
