// Everything an agent or a stranger can put on the page is text: names of files, titles, answers,
// output, documents. Sixty payloads are shown in every place; nothing runs, nothing is loaded, and
// nothing leaves its place.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { escape, escapeWord } from "../../src/agents/sample/language.ts";
import { hurt, payloads } from "./payloads.ts";
import { type PageWorld, noteType, pageWorld, program } from "./world.ts";

/** The same as an agent asks in a form of its own. */
const asks = [
  {
    tool: "AskUserQuestion",
    input: {
      questions: [
        {
          question: payloads.slice(0, 9).join(" "),
          header: payloads[9],
          multiSelect: true,
          options: payloads
            .slice(10, 44)
            .map((label, at) => ({ label, description: payloads[at + 20] })),
        },
        { question: payloads.slice(44).join(" "), header: payloads[45], options: [] },
      ],
    },
  },
  {
    tool: payloads[0] ?? "",
    input: { command: payloads.join("\n"), [payloads[1] ?? ""]: payloads[2], list: payloads },
  },
];

describe.skipIf(program === undefined)(
  "S6.6 what strangers write is text everywhere on the page",
  () => {
    let world: PageWorld;
    const paths = payloads
      .slice(0, 24)
      .map((payload, at) => `docs/${at} ${payload.replaceAll(/[/\0\n]/g, "_").slice(0, 80)}.md`);
    beforeAll(async () => {
      world = await pageWorld(noteType);
      await world.serve();
    });
    afterAll(() => world.endAll());

    test("60 payloads as titles, questions, options, answers, output, file names and documents: none runs", async () => {
      expect(payloads.length).toBe(60);
      const text = payloads.map((payload) => payload.replaceAll("\u001b", "")).join("\n\n");
      const script = [
        ...payloads.map((payload) => `say ${escape(payload)}`),
        `ask choice ${escape(`Which? ${payloads.slice(0, 6).join(" ")}`)} | ${escape(payloads[0] ?? "")} | ${escape(payloads[46] ?? "")}`,
        ...paths.map((path) => `write ${escapeWord(path)} ${escape(text)}`),
        `write docs/note.md ${escape(`# Note\n\n${text}`)}`,
        "phase 1 docs/note.md",
      ].join("\n");
      const ids: string[] = [];
      for (const [at, payload] of payloads.entries()) {
        const body = {
          type: "note",
          title: `${at} ${payload}`,
          description: payload,
          agent: "sample",
        };
        const made = await world.call("/api/tasks", {
          body: at === 0 ? { ...body, script, submit: true } : body,
        });
        expect(made.status).toBe(200);
        ids.push(String(made.json["id"]));
      }
      const [id = ""] = ids;
      await world.until(
        `/api/tasks/${id}`,
        ({ questions }: { questions: string[] }) => questions.length > 0,
      );

      const asked = await world.asking("Asks with payloads", ...asks);
      await world.until(
        `/api/tasks/${asked}`,
        ({ questions }: { questions: string[] }) => questions.length > 0,
      );

      const { page, wrong, context } = await world.visit("/");
      const isHurt = (): Promise<unknown> => page.evaluate(hurt);
      await page.getByRole("region", { name: "Inbox" }).getByText("Which?").waitFor();
      expect(await isHurt()).toBe(0);
      // In a form of its own: questions, headings, options and what they mean; then a permission.
      await page.goto(`${world.server.url}/t/${asked}/overview`);
      await page.getByRole("checkbox").nth(3).check();
      await page
        .getByLabel(/or in your own words$/)
        .last()
        .fill(payloads[0] ?? "");
      await page.getByText("1 of 2 answered").waitFor();
      expect(await isHurt()).toBe(0);
      const given = { answer: JSON.stringify([[payloads[13]], payloads[3]]) };
      expect((await world.call(`/api/tasks/${asked}/answer`, { body: given })).status).toBe(200);
      await page.getByRole("button", { name: "Allow" }).waitFor();
      expect(await isHurt()).toBe(0);
      await page.goto(`${world.server.url}/`);
      const answer = payloads[46] ?? "";
      await page
        .getByRole("region", { name: "Inbox" })
        .getByRole("button")
        .filter({ hasText: answer.slice(0, 12) })
        .first()
        .click();
      await page
        .getByRole("region", { name: "Inbox" })
        .getByText(/^Sent: /)
        .waitFor();
      const places = [
        ["/board", "a[data-card]"],
        ["/board?view=list", "[role=row]"],
        [`/t/${id}/overview`, "main section"],
        [`/t/${id}/output`, "[role=log] p"],
        [`/t/${id}/history`, "[role=listitem]"],
        [`/t/${id}/snapshots`, "main li"],
      ] as const;
      for (const [path, there] of places) {
        await page.goto(world.server.url + path);
        await page.locator(there).first().waitFor();
        expect({ path, hurt: await isHurt() }).toEqual({ path, hurt: 0 });
      }

      await world.until(
        `/api/tasks/${id}`,
        ({ reviews }: { reviews: string[] }) => reviews.length > 0,
      );
      for (const tab of ["output", "files"]) {
        await page.goto(`${world.server.url}/t/${id}/${tab}`);
        await page.getByRole("heading", { level: 1, name: /^0 <script>/ }).waitFor();
        expect(await isHurt()).toBe(0);
      }
      await page.goto(`${world.server.url}/t/${id}/review`);
      await page.getByText("Checked by the engine").waitFor();
      const files = await page.getByRole("complementary").getByRole("button").all();
      expect(files.length).toBeGreaterThan(paths.length);
      for (const file of files) {
        await file.click();
        expect(await isHurt()).toBe(0);
      }
      // As a document: no link leads anywhere but to the web, and none of these does.
      await page.getByRole("button", { name: "note.md docs", exact: true }).click();
      await page.getByRole("button", { name: "Document", exact: true }).click();
      await page.locator(".prose").waitFor();
      const links = await page.evaluate(
        "[...document.querySelectorAll('.prose a[href]')].map((link) => link.protocol)",
      );
      expect(links).not.toContain("javascript:");
      expect(await isHurt()).toBe(0);
      expect(wrong).toEqual([]);
      await context.close();
    });
  },
);
