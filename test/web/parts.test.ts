// A question with several parts, from what every door shows of it to the answer each sends: what is
// chosen on the page, and what a terminal proposes, is what the agent is told.
import { describe, expect, test } from "vitest";
import { waitingOf } from "../../src/app/task-views.ts";
import type { Asked } from "../../src/agents/adapters/adapter.ts";
import { waitingLines } from "../../src/cli/commands/_asked.ts";
import { render } from "../../src/core/messages.ts";
import { TurnPlay } from "../../src/engine/decide/turn-agent.ts";
import {
  type Choices,
  answerText,
  answerWords,
  answeredCount,
  choiceOf,
  needsForm,
  noChoices,
  optionAt,
  toggled,
  worded,
} from "../../web/screens/inbox/parts.ts";

const one: Asked = {
  question: "Which database?",
  options: ["SQLite", "PostgreSQL"],
  several: false,
  header: "Database",
  descriptions: ["One file", ""],
  free: true,
};
const many: Asked = {
  question: "Which features?",
  options: ["Search", "Tags"],
  several: true,
  free: true,
};
const words: Asked = { question: "What is it called?", options: [], several: false };

const look = {
  language: "en",
  say: (text: Parameters<typeof render>[1]) => render("en", text),
  paint: (_: string, text: string) => text,
} as const;

const asking = (...questions: Asked[]): TurnPlay => {
  const play = new TurnPlay();
  play.begin();
  play.hears();
  play.written();
  play.says({ type: "question", id: "q-1", questions, input: { questions: [] } });
  return play;
};
const answered = (play: TurnPlay, text: string) => {
  const command = { name: "answer", questionId: play.open("question").id, answer: text } as const;
  expect(play.command(command)).toMatchObject({ ok: true });
  return play.written()[0]?.answers?.given.map(({ chosen }) => chosen);
};
const shownBy = (play: TurnPlay) => {
  const [asked] = waitingOf(play.state).openQuestions;
  if (asked === undefined) throw new Error("nothing is asked");
  return asked;
};

describe("S1.15 a question with several parts", () => {
  test("is shown part by part, each with its options and what they mean", () => {
    const { parts, request } = shownBy(asking(one, many, words));
    expect(request).toBeNull();
    expect(parts).toEqual([
      { ...one, descriptions: ["One file", ""] },
      { ...many, header: null, descriptions: ["", ""] },
      { ...words, header: null, descriptions: [], free: true },
    ]);
    expect(needsForm(parts)).toBe(true);
    expect(needsForm(shownBy(asking(one)).parts)).toBe(false);
  });

  test("is answered on the page by what was chosen and written, all at once", () => {
    const play = asking(one, many, words);
    const parts = shownBy(play).parts;
    let choices: Choices = noChoices;
    const press = (key: number): void => {
      const { place = 0, option = "" } = optionAt(parts, key - 1) ?? {};
      const part = parts[place];
      if (part === undefined) throw new Error(`no option ${key}`);
      choices = { ...choices, [place]: toggled(part, choiceOf(choices, place), option) };
    };
    const write = (place: number, text: string): void => {
      const part = parts[place];
      if (part === undefined) throw new Error(`no part ${place}`);
      choices = { ...choices, [place]: worded(part, choiceOf(choices, place), text) };
    };
    for (const key of [1, 2, 4, 3, 4, 4]) press(key);
    expect(answeredCount(parts, choices)).toBe(2);
    write(1, "Import, export");
    write(2, '[Notes] "and" more');
    expect(answeredCount(parts, choices)).toBe(3);
    expect(answerWords(parts, choices)).toBe(
      'PostgreSQL · Search, Tags, Import, export · [Notes] "and" more',
    );
    expect(answered(play, answerText(parts, choices))).toEqual([
      ["PostgreSQL"],
      ["Search", "Tags", "Import, export"],
      ['[Notes] "and" more'],
    ]);
  });

  test("words of one's own take the place of the one option there may be", () => {
    const play = asking(one);
    const [part] = shownBy(play).parts;
    if (part === undefined) throw new Error("no part");
    const chosen = toggled(part, choiceOf(noChoices, 0), "SQLite");
    const own = worded(part, chosen, "neither, files");
    expect(own).toEqual({ chosen: [], own: "neither, files" });
    expect(answered(play, answerText([part], { 0: own }))).toEqual([["neither, files"]]);
  });

  test.each([
    ["several", [one, many, words], [["SQLite"], ["Search"], ["…"]]],
    ["one with several choices", [many], [["Search"]]],
  ])("S7.2 a terminal shows how to answer it, and that is an answer: %s", (_, asked, given) => {
    const play = asking(...asked);
    const { task } = play;
    const waiting = { ...waitingOf(play.state), id: task.id, attempts: [] };
    const lines = waitingLines(waiting, look);
    const [, proposed = ""] = /--answer '(.*)'$/.exec(lines.at(-1) ?? "") ?? [];
    for (const { question, options } of asked)
      for (const text of [question, ...options]) expect(lines.join("\n")).toContain(text);
    expect(answered(play, proposed)).toEqual(given);
  });
});

describe("S1.16 a permission", () => {
  test("is shown with its tool and what it is asked for", () => {
    const play = asking();
    const input = { command: "rm -rf build", description: "Clean up" };
    play.says({ type: "permission", id: "p-1", tool: "Bash", detail: "rm -rf build", input });
    const { parts, request } = shownBy(play);
    expect(parts).toEqual([]);
    expect(request).toEqual({ tool: "Bash", input: JSON.stringify(input, null, 2) });
    const lines = waitingLines({ ...waitingOf(play.state), id: "t", attempts: [] }, look);
    expect(lines.join("\n")).toContain('"description": "Clean up"');
  });

  test("one that holds a whole file is shown at its beginning", () => {
    const play = asking();
    const input = { path: "/etc/x", content: "y".repeat(100_000) };
    play.says({ type: "permission", id: "p-1", tool: "Write", detail: "/etc/x", input });
    expect(shownBy(play).request?.input.length).toBe(20_001);
  });
});
