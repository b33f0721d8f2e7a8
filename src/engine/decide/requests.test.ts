import { describe, expect, test } from "vitest";
import type { AgentEvent, Asked } from "../../agents/adapters/adapter.ts";
import type { ProjectSettings } from "../../formats/project-settings.ts";
import type { Answer } from "./world.ts";
import { TurnPlay } from "./turn-agent.ts";

const database: Asked = {
  question: "Which database?",
  options: ["SQLite", "PostgreSQL"],
  several: false,
  header: "Database",
};
const features: Asked = { question: "Which features?", options: ["Search", "Tags"], several: true };
const name: Asked = { question: "What is it called?", options: [], several: false };

const begun = (permissions: ProjectSettings["permissions"] = "edits"): TurnPlay => {
  const play = new TurnPlay();
  play.settings = { version: 1, permissions };
  play.begin();
  play.hears();
  play.written();
  return play;
};
const asks = (play: TurnPlay, ...questions: Asked[]): void =>
  play.says({ type: "question", id: "q-1", questions, input: { questions: [] } });
const answer = (play: TurnPlay, text: string): Answer =>
  play.command({ name: "answer", questionId: play.open("question").id, answer: text });
const reasons = (given: Answer): string => JSON.stringify(given);
/** What comes of an answer to a question with several choices and room for words. */
const choicesOf = (text: string): readonly string[] | undefined => {
  const play = begun();
  asks(play, { ...features, free: true });
  answer(play, text);
  return play.written()[0]?.answers?.given[0]?.chosen;
};

describe("questions in a form of their own (S1.15, S1.16)", () => {
  test("S1.15 one is a question like any other; its answer goes back by the request's id, once", () => {
    const play = begun();
    asks(play, database);
    expect(play.stands).toBe("in_progress/waiting_question");
    expect(play.open("question").data).toMatchObject({
      origin: "agent",
      question: "Which database?",
      options: ["SQLite", "PostgreSQL"],
      reference: "q-1",
    });
    expect(reasons(answer(play, "SQLlite"))).toContain("SQLite");
    expect(answer(play, "postgresql").ok).toBe(true);
    const written = play.written();
    expect(written).toMatchObject([
      {
        kind: "answer",
        about: "q-1",
        answers: {
          given: [{ question: "Which database?", chosen: ["PostgreSQL"] }],
          input: { questions: [] },
        },
      },
    ]);
    expect(play.stands).toBe("in_progress/running");
    play.endsTurn();
    // Answered within the turn: nothing is left to come, so the turn's end is one without a claim.
    expect(play.agent.data).toMatchObject({ reminders: 1 });
  });

  test("S1.15 several in one request: each is answered, in their order", () => {
    const play = begun();
    asks(play, database, features, name);
    const { data } = play.open("question");
    expect(data.options).toEqual([]);
    expect(data.question).toBe(
      "1. Which database? (SQLite | PostgreSQL)\n2. Which features? (Search | Tags)\n3. What is it called?",
    );
    expect(reasons(answer(play, "SQLite"))).toContain("question.each_part");
    expect(reasons(answer(play, "SQLite\nSerch\nNotes"))).toContain("Search");
    expect(play.stands).toBe("in_progress/waiting_question");
    expect(answer(play, "sqlite\n tags, Search \nMy notes, and more").ok).toBe(true);
    expect(play.written()[0]?.answers?.given).toEqual([
      { question: "Which database?", chosen: ["SQLite"] },
      { question: "Which features?", chosen: ["Tags", "Search"] },
      { question: "What is it called?", chosen: ["My notes, and more"] },
    ]);
    expect(play.all("question")[0]?.data.answer).toContain("- Which features? Tags, Search");
    expect(answer2(play)).toBe("refused");
  });

  test("S1.15 JSON names each question, or its heading", () => {
    const play = begun();
    asks(play, database, features);
    expect(reasons(answer(play, '{"Database":"SQLite"}'))).toContain("question.each_part");
    const given = { Database: "SQLite", "Which features?": ["Search", "Tags"] };
    expect(answer(play, JSON.stringify(given)).ok).toBe(true);
    expect(play.written()[0]?.answers?.given.map(({ chosen }) => chosen)).toEqual([
      ["SQLite"],
      ["Search", "Tags"],
    ]);
  });

  test("S1.15 words of one's own where they are allowed, but no misspelt option", () => {
    const play = begun();
    asks(play, { ...database, free: true });
    expect(reasons(answer(play, "SQLit"))).toContain("question.did_you_mean");
    expect(answer(play, "neither, use files").ok).toBe(true);
    expect(play.written()[0]?.answers?.given[0]?.chosen).toEqual(["neither, use files"]);
  });

  test("S1.15 several choices where words of one's own are allowed: a list is a list, a sentence is one", () => {
    expect(choicesOf("tags, Search")).toEqual(["Tags", "Search"]);
    expect(choicesOf('["Search","my own, with a comma"]')).toEqual([
      "Search",
      "my own, with a comma",
    ]);
    expect(choicesOf("none of these, thank you")).toEqual(["none of these, thank you"]);
    expect(choicesOf('["Serch"]')).toBeUndefined();
  });

  test("S1.16 the asker died before it was answered: its successor is told in words, once", () => {
    const play = begun();
    asks(play, database, features);
    play.exits(null);
    answer(play, "SQLite\nSearch");
    play.started();
    const told = play.written().filter(({ kind }) => kind === "answer");
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({ process: play.agent.data.process });
    expect(told[0]).not.toHaveProperty("about");
    expect(told[0]).not.toHaveProperty("answers");
    expect(told[0]?.text).toContain("- Which database? SQLite");
  });

  test("S1.16 the asker died with its answer: the same, in words, under the same id", () => {
    const play = begun();
    asks(play, database);
    answer(play, "SQLite");
    const [first] = play.written();
    play.exits(null);
    const again = play.written().filter(({ kind }) => kind === "answer");
    expect(again).toHaveLength(1);
    expect(again[0]).toMatchObject({ id: first?.id, process: play.agent.data.process });
    expect(again[0]?.text).toContain("SQLite");
    expect(again[0]).not.toHaveProperty("answers");
  });

  test("S6.6 where a secret was blanked, the answer comes as the reason of a refusal", () => {
    const play = begun();
    const event = { type: "question", id: "q-1", questions: [database], secret: true };
    play.says(event as AgentEvent);
    answer(play, "SQLite");
    const [told] = play.written();
    expect(told).toMatchObject({ about: "q-1", permission: { allow: false } });
    expect(told?.text).toContain("SQLite");
  });
});

const wants = (play: TurnPlay, access?: "read" | "edit", id = "p-1"): void =>
  play.says({
    type: "permission",
    id,
    tool: access === undefined ? "Bash" : access === "read" ? "Read" : "Write",
    detail: "rm -rf build",
    input: { command: "rm -rf build" },
    access,
  });

describe("permissions (S1.16)", () => {
  test.each([
    ["read-only", "read", true],
    ["read-only", "edit", false],
    ["edits", "read", true],
    ["edits", "edit", true],
    ["everything", "read", true],
    ["everything", "edit", true],
    ["everything", undefined, true],
  ] as const)(
    "S1.16 %s, asked to %s: answered at once with %s, journaled",
    (policy, access, allow) => {
      const play = begun(policy);
      wants(play, access);
      const written = play.written();
      expect(play.stands).toBe("in_progress/running");
      expect(play.all("question")).toEqual([]);
      const input = { command: "rm -rf build" };
      expect(written).toMatchObject([{ about: "p-1", permission: { allow, input } }]);
      expect(written[0]?.text).toBe(
        allow ? "" : "This task may only read: nothing may be changed.",
      );
      expect(play.journal.at(-1)).toMatchObject({ machine: "agent", trigger: "permission" });
      // Nothing to be told again: whoever comes next asks anew.
      expect(play.agent.data.told.map(({ kind }) => kind)).toEqual(["prompt"]);
    },
  );

  test.each(["read-only", "edits"] as const)(
    "S1.16 %s, asked for anything else: a person is, with the tool and its input",
    (policy) => {
      const play = begun(policy);
      wants(play);
      expect(play.written()).toEqual([]);
      expect(play.stands).toBe("in_progress/waiting_question");
      expect(play.open("question").data).toMatchObject({
        origin: "permission",
        options: ["allow", "deny"],
        request: { tool: "Bash", input: { command: "rm -rf build" } },
      });
      expect(play.open("question").data.question).toContain("Bash: rm -rf build");
    },
  );

  test("S1.16 a person allows, or denies with a reason; another word is refused", () => {
    const allowed = begun();
    wants(allowed);
    expect(reasons(answer(allowed, "alow"))).toContain("allow");
    expect(reasons(answer(allowed, "allow it twice"))).toContain("question.did_you_mean");
    expect(answer(allowed, "Allow").ok).toBe(true);
    expect(allowed.written()).toMatchObject([
      { about: "p-1", text: "", permission: { allow: true, input: { command: "rm -rf build" } } },
    ]);
    const denied = begun();
    wants(denied);
    expect(answer(denied, "deny: use npm run clean").ok).toBe(true);
    expect(denied.written()).toMatchObject([
      { about: "p-1", text: "use npm run clean", permission: { allow: false } },
    ]);
  });

  test("S1.16 the asker died: its successor is not answered, but asks anew, and gets the verdict for the same", () => {
    const play = begun();
    wants(play);
    play.exits(null);
    answer(play, "deny: not now");
    play.started();
    const told = play.written();
    expect(told.filter((each) => each.permission !== undefined)).toEqual([]);
    expect(told.at(-1)?.text).toContain("deny: not now");
    wants(play, undefined, "p-9");
    expect(play.stands).toBe("in_progress/running");
    expect(play.written()).toMatchObject([
      { about: "p-9", text: "not now", permission: { allow: false } },
    ]);
    // Once: the next time a person is asked.
    wants(play, undefined, "p-10");
    expect(play.stands).toBe("in_progress/waiting_question");
  });

  test("S1.16 a verdict that was used counts for no later request", () => {
    const play = begun();
    wants(play);
    answer(play, "allow");
    play.says({ type: "tool", name: "Bash", detail: "rm -rf build" });
    play.exits(null);
    play.written();
    wants(play, undefined, "p-2");
    expect(play.stands).toBe("in_progress/waiting_question");
    expect(play.written()).toEqual([]);
  });

  test("S1.16 what a process asked for that died while it was frozen is dropped", () => {
    const play = begun();
    play.asks();
    wants(play);
    play.exits(null);
    answer(play, "Red");
    play.started();
    expect(play.stands).toBe("in_progress/running");
    expect(play.all("question")).toHaveLength(1);
    expect(play.agent.data.unread).toEqual([]);
    expect(play.written().filter((each) => each.permission !== undefined)).toEqual([]);
  });

  test("S6.6 a request that holds a secret's value is refused, whatever the policy", () => {
    const play = begun("everything");
    const event = { type: "permission", id: "p-1", tool: "Bash", detail: "", input: "…" };
    play.says({ ...event, secret: true } as AgentEvent);
    expect(play.written()).toMatchObject([{ permission: { allow: false } }]);
  });

  test("S1.11 freed while it waits for a person, it asks nothing anew until they answered", () => {
    const play = begun();
    wants(play);
    play.due("frozen");
    play.exits(143);
    expect(play.stands).toBe("in_progress/waiting_question");
    expect(play.all("process")).toHaveLength(1);
  });
});

function answer2(play: TurnPlay): string {
  const { id } = play.all("question")[0] ?? { id: "" };
  const given = play.command({ name: "answer", questionId: id, answer: "x" });
  return given.ok ? "ok" : given.code;
}
