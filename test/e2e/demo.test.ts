// What `npm start` shows, on an English and on a Korean system: all of it in that language.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Demo,
  demoFolder,
  demoOf,
  demoPlace,
  endDemo,
  startDemo,
  until,
} from "../cli/demo.ts";
import { limit } from "../crash/programs.ts";
import { launch, program, visit } from "./world.ts";

const systems = [
  { language: "en", locale: "en_US.UTF-8", browser: "en-US", asks: "Library bookings" },
  { language: "ko", locale: "ko_KR.UTF-8", browser: "ko-KR", asks: "동네 도서관 예약" },
] as const;

const hangul = /[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]/;

describe.each(systems)(
  "S7.4 the demo on a system of $locale",
  ({ language, locale, ...system }) => {
    const { folder, end } = demoFolder();
    const place = demoPlace(folder, language);
    let demo: Demo;
    let reviewed = "";
    let asking = "";

    beforeAll(async () => {
      demo = await demoOf(startDemo(folder, locale), place);
      await until(async () => {
        const tasks = await demo.tasks();
        reviewed = tasks.find(({ status }) => status === "review")?.id ?? "";
        asking = tasks.find(({ questions }) => questions.length > 0)?.id ?? "";
        return reviewed !== "" && asking !== "" && reviewed !== asking;
      });
    }, limit.timeout);
    afterAll(async () => {
      await endDemo(demo, place);
      await end(demo.running);
    }, limit.timeout);

    test("S6.5b tasks, questions, reviews and every other answer of its server are in its language", async () => {
      for (const path of answers(reviewed, asking)) {
        const text = await demo.get(path, language);
        expect({ path, error: text.includes('{"error":') }).toEqual({ path, error: false });
        const lines = language === "en" ? linesWith(hangul, text) : [];
        expect({ path, lines }).toEqual({ path, lines: [] });
      }
      const [one] = (JSON.parse(await demo.get(`/api/tasks/${asking}`, language)) as Asking)
        .openQuestions;
      expect([one.question, ...one.options].map((text) => hangul.test(text))).toEqual(
        [1, 2, 3, 4].map(() => language === "ko"),
      );
      expect(one.question).toContain(system.asks);
    });

    test("S6.5b its project and what the sample agent writes are in its language, under the same names", async () => {
      const { workspace } = (await demo.tasks()).find(({ id }) => id === reviewed) ?? {};
      const written = filesIn(workspace ?? "").filter((path) => path.startsWith("docs/planning/"));
      expect(written).toHaveLength(9);
      for (const [root, files] of [
        [join(place, "project"), filesIn(join(place, "project"))],
        [workspace ?? "", written],
      ] as const)
        for (const path of files) {
          const lines = readFileSync(join(root, path), "utf8").split("\n");
          const wrong = lines.filter((line) =>
            language === "en" ? hangul.test(line) : isEnglish(line),
          );
          expect({ path, wrong, hangul: hangul.test(path) }).toEqual({
            path,
            wrong: [],
            hangul: false,
          });
        }
    });

    test("S7.4 the phases of a built-in type are named in the language of who reads, whoever made the task", async () => {
      for (const [reader, names] of [
        ["en", ["Planning", "Design", "Development", "Testing"]],
        ["ko", ["기획", "설계", "개발", "테스트"]],
      ] as const) {
        const read = async <T>(path: string): Promise<T> =>
          JSON.parse(await demo.get(path, reader)) as T;
        const { phases, phaseName } = await read<Named>(`/api/tasks/${reviewed}`);
        expect([phaseName, ...phases.map(({ name }) => name)]).toEqual([names[0], ...names]);
        expect((await read<Named>(`/api/tasks/${reviewed}/review`)).phaseName).toBe(names[0]);
        const { types } = await read<{ types: Named[] }>("/api/types");
        expect(types[0]?.phases.map(({ name }) => name)).toEqual(names);
      }
    });

    describe.skipIf(program === undefined)("before a browser of that language", () => {
      let browser: Browser;
      beforeAll(async () => {
        browser = await launch();
      });
      afterAll(() => browser.close());

      test("S6.2 no screen shows a word of the other language", limit, async () => {
        const { url, token } = demo.server;
        const { page, wrong } = await visit(browser, `${url}/#token=${token}`, {
          locale: system.browser,
        });
        for (const [path, there] of screens(reviewed, asking, system.asks)) {
          await page.goto(url + path);
          await page.getByText(there).first().waitFor({ state: "attached" });
          if (path === "/new") await page.locator("input[value=create_app]").check();
          const words = (await shown(page)).flatMap((text) => foreign(text, language));
          expect({ path, words: [...new Set(words)] }).toEqual({ path, words: [] });
        }
        expect(wrong).toEqual([]);
      });
    });
  },
);

// --- internal ---

interface Asking {
  readonly openQuestions: readonly [{ readonly question: string; readonly options: string[] }];
}

interface Named {
  readonly phaseName: string;
  readonly phases: readonly { readonly name: string }[];
}

// oxfmt-ignore
const answers = (reviewed: string, asking: string): string[] =>
  [
    "tasks", "inbox", "types", "projects", "log", "machines", "settings", "agents", "units", "metrics", "kept", "server",
    "documents?part=memory", "documents?part=contracts", `why?id=${reviewed}`, `why?id=${asking}`, `tasks/${reviewed}/review`,
    ...[reviewed, asking].flatMap((id) =>
      ["", "/agent", "/agents", "/output", "/snapshots"].map((part) => `tasks/${id}${part}`),
    ),
  ].map((path) => `/api/${path}`);

/** With a text that stands there once it has all of its data. */
const screens = (reviewed: string, asking: string, title: string): [string, string][] => [
  ["/", title],
  ["/board", title],
  [`/t/${asking}`, title],
  [`/t/${reviewed}/overview`, reviewed],
  [`/t/${reviewed}/review`, "09_roadmap.md"],
  [`/t/${reviewed}/output`, "PHASE 1 COMPLETE"],
  ["/g/orchestrate?unit=T1.1", "src/add.ts"],
  ["/g/develop", "cp-3"],
  ["/g/tasks", title],
  ["/new", "TASKS.md"],
  ["/settings", "holdfast.yaml"],
];

/** All that can be read or is read aloud. */
async function shown(page: Page): Promise<string[]> {
  // As a text: what runs in the page has other globals than this file.
  return page.evaluate(`[
    document.title,
    ...document.body.innerText.split("\\n"),
    ...[...document.querySelectorAll("[aria-label], [title], [placeholder]")].flatMap((one) =>
      ["aria-label", "title", "placeholder"].flatMap((name) => one.getAttribute(name) ?? [])),
  ]`);
}

/** Names of programs, keys and units, and the words of the protocol: the same in both. */
const technical = new Set(
  [
    "Holdfast holdfast Ctrl Enter English API HTTP CLI UTC ms project sample notify agent",
    "Claude Code claude Codex codex Gemini gemini opencode ai auth login npm install test add",
    "orchestrate develop backend specialist cp TASKS md",
    "category choice question options required true PHASE COMPLETE Completed Phase Files created",
  ].flatMap((words) => words.split(" ")),
);

function foreign(text: string, language: string): string[] {
  if (language === "en") return hangul.test(text) && text !== "한국어" ? [text] : [];
  const prose = text.replace(/\S*[/._#=]\S*/g, " ");
  return (prose.match(/[A-Za-z]{2,}/g) ?? []).filter((word) => !technical.has(word));
}

/** A line of it: words one after another, apart from commands. */
function isEnglish(line: string): boolean {
  const prose = line.replace(/\bnpm [\w: -]+/g, "");
  return !hangul.test(prose) && /[A-Za-z]{2,} [A-Za-z]{2,} [A-Za-z]{2,}/.test(prose);
}

function linesWith(pattern: RegExp, text: string): string[] {
  return (text.match(new RegExp(`.{0,60}${pattern.source}.{0,60}`, "g")) ?? []).slice(0, 5);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith(".git/"));
}
