import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Fault } from "./errors.ts";
import { texts } from "./all-texts.ts";
import { type Message, languages, render } from "./messages.ts";
import { type ProtocolOptions, type Signal, byPriority, createProtocolParser } from "./protocol.ts";

const folder = join(import.meta.dirname, "../../test/fixtures/protocol");
const fixture = (name: string): Buffer => readFileSync(join(folder, name));
const innocent = readdirSync(join(folder, "innocent")).map((name) => `innocent/${name}`);
const crlf = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.toString("latin1").replaceAll("\n", "\r\n"), "latin1");
const fixtures: readonly (readonly [string, Buffer])[] = [
  ...["session.txt", "broken.txt", "bytes.txt", ...innocent].map(
    (name) => [name, fixture(name)] as const,
  ),
  ["session.txt with CRLF", crlf(fixture("session.txt"))],
  ["broken.txt with CRLF", crlf(fixture("broken.txt"))],
];

function parse(text: string | Uint8Array, options: ProtocolOptions = {}): Signal[] {
  const parser = createProtocolParser(options);
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  return [...parser.push(bytes), ...parser.end()];
}

/** The one signal of a text, without its place. */
function only(text: string, options?: ProtocolOptions): Record<string, unknown> {
  const [signal, ...more] = parse(text, options);
  expect(more).toEqual([]);
  const { start: _start, end: _end, ...rest } = signal ?? { start: 0, end: 0 };
  return rest;
}

/** What is complained about, as the names of the texts. */
function complaints(text: string, options?: ProtocolOptions): string[] {
  return parse(text, options).flatMap((signal) =>
    signal.kind === "malformed" ? names(signal.complaint) : [signal.kind],
  );
}

function names(message: Message): string[] {
  if (message.key !== "protocol.several") return [message.key.replace("protocol.", "")];
  return Object.values(message.params).flatMap((part) =>
    typeof part === "object" ? names(part) : [],
  );
}

const question = (extra = "", token = ""): string =>
  `[USER_QUESTION${token}]\ncategory: business\nquestion: Ship?\nrequired: true\n${extra}[/USER_QUESTION]\n`;

const choice = (options: string): string =>
  `[USER_QUESTION]\ncategory: choice\nquestion: Which?\n${options}required: true\n[/USER_QUESTION]`;

const optionsOf = (options: string): unknown => only(choice(`${options}\n`))["options"];
const limitError = (extra: string): Record<string, unknown> =>
  only(`[ERROR]\ntype: recoverable\nmessage: limit\nrecovery: pause_and_retry\n${extra}\n[/ERROR]`);
const phaseWith = (rest: string): unknown => only(`=== PHASE 12 COMPLETE ===\n${rest}`);
const verdict = (form: string): string[] => complaints(`=== VERIFICATION_RESULT ===\n${form}`);
const count = (text: string): number => parse(text).length;
const placed = (start: number, signal: object): Signal =>
  ({ ...signal, start, end: start + 1 }) as Signal;

describe("the blocks", () => {
  test("S1.12 a dependency request has type, name, description, required and default", () => {
    const text =
      "[DEPENDENCY_REQUEST]\ntype: env_variable\nname: PORT\ndescription: To listen on\n" +
      "required: false\ndefault: 8080\n[/DEPENDENCY_REQUEST]\n";
    expect(only(text)).toEqual({
      kind: "dependency_request",
      type: "env_variable",
      name: "PORT",
      description: "To listen on",
      required: false,
      default: "8080",
    });
  });

  test("S1.12 options are items, indented or not, or an inline list, quoted where they hold commas", () => {
    expect(optionsOf("options:\n- A\n- B b")).toEqual(["A", "B b"]);
    expect(optionsOf("options:\n    - A\n\n    - B\n      more of B")).toEqual([
      "A",
      "B\nmore of B",
    ]);
    expect(optionsOf("options: [A, B, C]")).toEqual(["A", "B", "C"]);
    expect(optionsOf('options: ["A, or B", "C"]')).toEqual(["A, or B", "C"]);
  });

  test("S1.12 a value goes on over indented lines, and `\\n` is a newline in prose only", () => {
    const text =
      "[ERROR]\ntype: recoverable\nmessage: one\\ntwo, not \\\\n\ndetails: first\n    a\n\n      b\n" +
      "recovery: notify_user\n[/ERROR]";
    expect(only(text)).toMatchObject({ message: "one\ntwo, not \\n", details: "first\na\n\n  b" });
    expect(only(question("default: C:\\new\n"))).toMatchObject({ default: "C:\\new" });
  });

  test("S1.12 the whole block may be indented, up to three spaces for its tags", () => {
    const text =
      "   [USER_QUESTION]\n      category: business\n      question: Ship?\n        Now?\n" +
      "      required: true\n   [/USER_QUESTION]  \n";
    expect(only(text)).toMatchObject({ kind: "user_question", question: "Ship?\nNow?" });
  });

  test("S1.12 an error says when to go on: seconds, an ISO time or a Unix time", () => {
    expect(limitError("retry_after: 90")).toMatchObject({ retryAfter: 90, resetAt: null });
    const resetAt = "2026-02-09T01:00:00.000Z";
    expect(limitError("reset_at: 2026-02-09T10:00:00+09:00")).toMatchObject({ resetAt });
    expect(limitError("reset_at: 1770598800")).toMatchObject({ resetAt });
    expect(limitError("reset_at: 2026-02-09T10:00:00")).toMatchObject({ kind: "malformed" });
  });

  test("S1.12 the JSON form may stand on one line, on several, and in a fence", () => {
    const body =
      '{"category":"choice","question":"a [/USER_QUESTION_JSON] b?","options":["x"],"required":true}';
    const wanted = {
      kind: "user_question",
      question: "a [/USER_QUESTION_JSON] b?",
      options: ["x"],
    };
    const [open, close] = ["[USER_QUESTION_JSON]", "[/USER_QUESTION_JSON]"];
    for (const text of [
      `${open}${body}${close}`,
      `${open} ${body} ${close}\n`,
      `${open}\n${body}\n${close}\n`,
      `${open}\n${JSON.stringify(JSON.parse(body), null, 2)}${close}\n`,
      `${open}\n\`\`\`json\n${body}\n\`\`\`\n${close}\n`,
    ])
      expect(only(text)).toMatchObject(wanted);
  });
});

describe("the error on one line", () => {
  test("S1.12 commas and foreign keys inside the message survive", () => {
    const text =
      "[ERROR] type: recoverable, message: no space, at: /tmp, type: ext4, recovery: notify_user\n";
    expect(only(text)).toEqual({
      kind: "error",
      type: "recoverable",
      message: "no space, at: /tmp, type: ext4",
      details: null,
      recovery: "notify_user",
      retryAfter: null,
      resetAt: null,
    });
  });

  test("S1.12 it may leave out the message, and a fatal one its recovery", () => {
    expect(only("[ERROR] type: fatal")).toMatchObject({
      message: "",
      recovery: "checkpoint_and_fail",
    });
    expect(only("[ERROR] type: recoverable, recovery: pause_and_retry")).toMatchObject({
      kind: "error",
      recovery: "pause_and_retry",
    });
    expect(complaints("[ERROR] type: recoverable")).toEqual(["missing_field"]);
  });
});

describe("completions", () => {
  test("S1.12 a phase names itself and its files, and ends where a line does not belong", () => {
    const files = ["docs/a.md", "docs/b c.md"];
    const base = { kind: "phase_complete", phase: 12 };
    const list = "- docs/a.md\n  - `docs/b c.md`\n";
    const completed = "Phase 12 (Planning)";
    for (const end of ["", "\n", "===\n- c\n", "Ready for review.\n", "Now the design.\n", "```\n"])
      expect(
        phaseWith(`Completed: Phase 12 (Planning)\nDocuments created:\n${list}${end}`),
      ).toEqual({
        ...base,
        completed,
        files,
      });
    expect(phaseWith("Phase: Planning\nFiles created: [docs/a.md, docs/b c.md]")).toEqual({
      ...base,
      completed: "Planning",
      files,
    });
    expect(phaseWith("")).toEqual({ ...base, completed: null, files: [] });
    expect(phaseWith("- not a file\n")).toEqual({ ...base, completed: null, files: [] });
  });

  test("S1.12 a custom task is complete with its name and summary, or without", () => {
    const text = "=== CUSTOM TASK COMPLETE ===\nTask: tidy\nSummary: 12 files\n  all green\n\nBye.";
    expect(only(text)).toEqual({
      kind: "task_complete",
      task: "tidy",
      summary: "12 files\nall green",
    });
    expect(only("=== CUSTOM TASK COMPLETE ===")).toMatchObject({ task: null, summary: null });
  });

  test("S1.12 a verification result is JSON, bare or fenced, and needs criteria", () => {
    const body = '{"criteria":[{"id":"P1","status":"failed","details":"a } b"}]}';
    const criteria = [
      { id: "P1", status: "failed", details: "a } b", suggestion: "", affectedDocuments: [] },
    ];
    for (const form of [body, `\n${body}`, `\`\`\`json\n${body}\n\`\`\``, `~~~\n${body}\n~~~`])
      expect(only(`=== VERIFICATION_RESULT ===\n${form}\n`)).toEqual({
        kind: "verification_result",
        criteria,
      });
    expect(verdict("none")).toEqual(["bad_json"]);
    expect(verdict("{}")).toEqual(["no_criteria"]);
    expect(verdict('{"criteria":[{"id":"a","status":"ok"}]}')).toEqual(["bad_criterion"]);
    expect(verdict('{"criteria":[')).toEqual(["bad_json"]);
  });

  test("S1.12 an agent that falls silent after its claim is heard: settle() takes it as it stands", () => {
    const parser = createProtocolParser();
    expect(parser.push(Buffer.from("=== PHASE 1 COMPLETE ===\nFiles created:\n- a\n"))).toEqual([]);
    expect(parser.pending).toEqual({ marker: "PHASE COMPLETE", start: 0 });
    expect(parser.settle()).toMatchObject([{ kind: "phase_complete", files: ["a"] }]);
    expect(parser.settle()).toEqual([]);
    parser.push(Buffer.from("[USER_QUESTION]\n"));
    expect(parser.settle()).toEqual([]);
    expect(parser.pending?.marker).toBe("USER_QUESTION");
  });
});

describe("malformed blocks", () => {
  test("S1.12 every fault is named at once, in both languages, and nothing is fatal", () => {
    const text =
      "[USER_QUESTION]\ncategory: quiz\nquestion:\nrequired: yes\nprio: 1\nrequired: true\n[/USER_QUESTION]\n";
    const [signal] = parse(text + question());
    if (signal?.kind !== "malformed") throw new Error("expected a complaint");
    expect(names(signal.complaint)).toEqual([
      "unknown_field",
      "duplicate_field",
      "bad_value",
      "missing_field",
      "bad_value",
    ]);
    expect(render("en", signal.complaint)).toContain("Allowed: true, false.");
    expect(render("ko", signal.complaint)).toContain("가능한 값: true, false.");
    expect(signal.excerpt).toBe(text.trimEnd());
    expect(complaints(text + question()).at(-1)).toBe("user_question");
  });

  test("S1.12 a choice needs options, and options have to be a list", () => {
    expect(complaints(choice(""))).toEqual(["options_needed"]);
    expect(complaints(choice("options:\n"))).toEqual(["options_needed"]);
    expect(complaints(choice("options: A or B\n"))).toEqual(["not_a_list"]);
  });

  test("S1.12 an unclosed block is told at the next marker, and that marker is still seen", () => {
    for (const [next, kind] of [
      ["=== PHASE 1 COMPLETE ===\n", "phase_complete"],
      ["=== CUSTOM TASK COMPLETE ===\n", "task_complete"],
      ["[ERROR] type: fatal\n", "error"],
      [question(), "user_question"],
      [
        '=== VERIFICATION_RESULT ===\n{"criteria":[{"id":"a","status":"passed"}]}\n',
        "verification_result",
      ],
      ["", undefined],
    ] as const) {
      const after = kind === undefined ? [] : [kind];
      expect(complaints(`[USER_QUESTION]\ncategory: business\n${next}`)).toEqual([
        "unclosed",
        ...after,
      ]);
      expect(complaints(`[ERROR_JSON]\n{\n${next}`)).toEqual(["unclosed", ...after]);
    }
  });

  test("S1.12 a line that is no field ends the block, so that a lone [ERROR] in a log hides nothing", () => {
    const text =
      "[ERROR]\nsomething failed\n```\n=== PHASE 1 COMPLETE ===\n```\n=== PHASE 2 COMPLETE ===\n";
    expect(parse(text)).toMatchObject([
      { kind: "malformed" },
      { kind: "phase_complete", phase: 2 },
    ]);
  });

  test("S1.12 a field of 10,000 characters passes, one more does not; 100 KB hold for the block", () => {
    const long = (length: number): string => question(`default: ${"가".repeat(length)}\n`);
    expect(complaints(long(10_000))).toEqual(["user_question"]);
    expect(complaints(long(10_001))).toEqual(["field_too_long"]);
    expect(complaints(question(`default: ${"😀".repeat(10_000)}\n`))).toEqual(["user_question"]);
    const lines = question(`default: ${"a\n ".repeat(60_000)}\n`);
    expect(complaints(`${lines}${question()}`)).toEqual(["too_large", "user_question"]);
    const line = `[ERROR_JSON]{"message":"${"a".repeat(200_000)}"}[/ERROR_JSON]\n`;
    expect(complaints(line + question())).toEqual(["too_large", "user_question"]);
    expect(complaints(`[ERROR] type: fatal, message: ${"a".repeat(200_000)}`)).toEqual([
      "too_large",
    ]);
    expect(
      complaints(`=== PHASE 1 COMPLETE ===\nFiles created:\n${"- a\n".repeat(30_000)}`),
    ).toEqual(["too_large"]);
    expect(complaints(`=== PHASE 1 COMPLETE ===\n${"a".repeat(200_000)}\n`)).toEqual([
      "phase_complete",
    ]);
  });
});

describe("what is not a marker", () => {
  test.each(innocent)("S1.13 %s fires nothing", (name) => {
    expect(parse(fixture(name))).toEqual([]);
  });

  test("S1.13 a fence hides markers until its closing line, as CommonMark has it", () => {
    const phase = "=== PHASE 1 COMPLETE ===\n";
    expect(count(`\`\`\`\n${phase}\`\`\`\n${phase}`)).toBe(1);
    expect(count(`\`\`\`\`\n\`\`\`\n${phase}\`\`\`\`\`\n${phase}`)).toBe(1);
    expect(count(`~~~ md\n\`\`\`\n${phase}~~~ md\n${phase}~~~  \n${phase}`)).toBe(1);
    expect(count(`   \`\`\`\n${phase}    \`\`\`\n${phase}`)).toBe(0);
    expect(count(`\`\`\`a\`b\n${phase}`)).toBe(1);
  });

  test("S1.13 a fence nobody closed hides 64 KiB and no more, and its late closing line opens nothing", () => {
    const filler = "const a = 1;\n".repeat(6000);
    const phase = "=== PHASE 1 COMPLETE ===\n\n";
    expect(parse(`\`\`\`ts\n${phase}${filler}${phase}`)).toHaveLength(1);
    expect(parse(`\`\`\`ts\n${filler}\`\`\`\n${phase}`)).toHaveLength(1);
    expect(parse(`\`\`\`ts\n${filler}\`\`\`js\n${phase}\`\`\`\n${phase}`)).toHaveLength(1);
  });

  test("S1.13 with a token only markers that carry it count, and the others are counted", () => {
    const token = "k7Qm2xVb9-_A";
    const text = [
      "=== PHASE 1 COMPLETE ===",
      `=== PHASE 2 COMPLETE ${token} ===`,
      "",
      "=== PHASE 3 COMPLETE wrongtoken ===",
      `=== CUSTOM TASK COMPLETE ${token} ===`,
      "",
      "[ERROR] type: fatal",
      `[ERROR ${token}] type: fatal`,
      question() + question("", ` ${token}`),
      `[ERROR_JSON ${token}]{"type":"fatal","message":"m","recovery":"notify_user"}[/ERROR_JSON]`,
      `=== VERIFICATION_RESULT ${token} ===`,
      '{"criteria":[{"id":"a","status":"passed"}]}',
      "[ERROR] Failed to build",
    ].join("\n");
    const parser = createProtocolParser({ token });
    const kinds = [...parser.push(Buffer.from(text)), ...parser.end()].map(({ kind }) => kind);
    expect(kinds).toEqual([
      "phase_complete",
      "task_complete",
      "error",
      "user_question",
      "error",
      "verification_result",
    ]);
    expect(parser.ignored).toBe(4);
    expect(parse(`=== PHASE 2 COMPLETE ${token} ===\n`)).toEqual([]);
    expect(() => createProtocolParser({ token: "a b" })).toThrow(Fault);
  });
});

describe("bytes", () => {
  test("S1.12 a session gives these signals, each with its first byte and the one after it", () => {
    const bytes = fixture("session.txt");
    const signals = parse(bytes);
    expect(signals.map(({ kind }) => kind)).toEqual([
      "dependency_request",
      "user_question",
      "user_question",
      "error",
      "error",
      "phase_complete",
      "user_question",
      "dependency_request",
      "verification_result",
      "verification_result",
      "task_complete",
    ]);
    for (const { start, end } of signals) {
      const text = bytes.subarray(start, end).toString();
      expect(text).toMatch(/^(\[|===)/);
      expect(text.endsWith("\n")).toBe(true);
    }
    expect(signals[3]).toMatchObject({ details: "HTTP 429\n  retry-after: 60", retryAfter: 60 });
    expect(signals[4]).toMatchObject({ message: "no space left, really" });
    expect(signals[5]).toMatchObject({
      files: ["docs/planning/01_idea.md", "docs/planning/02_market.md"],
    });
  });

  test("S1.12 a BOM, CRLF and broken UTF-8 are accepted", () => {
    expect(parse(fixture("bytes.txt"))).toMatchObject([
      { kind: "phase_complete", start: 0, files: ["a.md", "b.md"] },
      { kind: "error", message: "broken \ufffd\ufffd bytes \ufffd" },
    ]);
    const plain = parse(fixture("session.txt")).map(({ start: _s, end: _e, ...rest }) => rest);
    const dos = parse(crlf(fixture("session.txt"))).map(({ start: _s, end: _e, ...rest }) => rest);
    expect(dos).toEqual(plain);
  });

  test.each(fixtures)(
    "S1.12 %s: one byte at a time and every split in two give the same",
    (_, bytes) => {
      const whole = parse(bytes);
      const single = createProtocolParser();
      const bytewise = [...bytes].flatMap((byte) => single.push(Uint8Array.of(byte)));
      expect([...bytewise, ...single.end()]).toEqual(whole);
      for (let at = 1; at < bytes.length; at++) {
        const parser = createProtocolParser();
        const signals = [...parser.push(bytes.subarray(0, at)), ...parser.push(bytes.subarray(at))];
        expect([...signals, ...parser.end()]).toEqual(whole);
      }
    },
  );

  test.each(fixtures)(
    "S1.20 %s: saved and resumed at every byte, nothing is lost or seen twice",
    (_, bytes) => {
      const whole = parse(bytes);
      for (let at = 0; at <= bytes.length; at++) {
        const before = createProtocolParser();
        const signals = before.push(bytes.subarray(0, at));
        const after = createProtocolParser({ resume: before.save() });
        expect(after.offset).toBe(at);
        expect([...signals, ...after.push(bytes.subarray(at)), ...after.end()]).toEqual(whole);
      }
    },
  );

  test("S1.20 a saved state that is not ours is refused", () => {
    for (const resume of ["", "{", "null", "{}", '{"version":2}'])
      expect(() => createProtocolParser({ resume })).toThrow(Fault);
  });

  test("S1.13 after end() the next text starts anew, and places go on", () => {
    const parser = createProtocolParser();
    parser.push(Buffer.from("```\nnever closed"));
    expect(parser.end()).toEqual([]);
    const [signal] = [...parser.push(Buffer.from("=== PHASE 1 COMPLETE ===")), ...parser.end()];
    expect(signal).toMatchObject({ kind: "phase_complete", start: 16, end: 40 });
  });
});

describe("several at once", () => {
  const recoverable = { kind: "error", type: "recoverable" };
  const fatal = { kind: "error", type: "fatal" };

  test("S1.13 errors come first, then completions, dependencies and questions, each in order", () => {
    const kinds = [
      "user_question",
      "malformed",
      "dependency_request",
      "task_complete",
      "phase_complete",
    ];
    const signals = [...kinds, ...kinds].map((kind, index) => placed(index, { kind }));
    const sorted = byPriority([...signals, placed(99, recoverable)]);
    expect(sorted.map(({ start }) => start)).toEqual([99, 3, 4, 8, 9, 2, 7, 0, 5, 1, 6]);
  });

  test("S1.13 a fatal error drops what would come after it, but no complaint", () => {
    const signals = [
      placed(1, { kind: "phase_complete" }),
      placed(2, recoverable),
      placed(3, fatal),
      placed(4, { kind: "user_question" }),
      placed(5, recoverable),
      placed(6, { kind: "malformed" }),
    ];
    expect(byPriority(signals).map(({ start }) => start)).toEqual([2, 3, 6]);
  });
});

test("S7.4 every complaint has the same blanks in both languages", () => {
  const own = Object.entries(texts).filter(([key]) => key.startsWith("protocol."));
  expect(own.length).toBeGreaterThan(15);
  for (const [key, text] of own) {
    const blanks = languages.map((language) =>
      [...text[language].matchAll(/\{\w+\}/g)].map(String).toSorted(),
    );
    expect([key, ...(blanks[1] ?? [])]).toEqual([key, ...(blanks[0] ?? [])]);
  }
});
