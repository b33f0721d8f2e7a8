import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Language, render } from "../../core/messages.ts";
import { escape, escapeWord, fill, usages } from "./language.ts";
import { readScript } from "./script.ts";

function complaints(text: string, language: Language = "en"): string[] {
  const script = readScript(text);
  return script.ok ? [] : script.complaints.map((complaint) => render(language, complaint));
}

const operations = (text: string): string[] => {
  const script = readScript(text);
  return script.ok ? script.ops.map((op) => op.do) : complaints(text);
};

const place = (line: number): string =>
  `Line ${line}: “on feedback” stands right after a “phase”, “done”, “verdict” or “wait”, once.`;
const nested = (depth: number): string =>
  `${"repeat 1\n".repeat(depth)}say {i}\n${"end\n".repeat(depth)}`;
const blocks = (depth: number): string =>
  `${"wait\non feedback\n".repeat(depth)}${"end\n".repeat(depth)}`;
const back = (written: string): string => fill(written, () => "WRONG");

describe("S7.6 a script", () => {
  test("is one instruction a line; comments, empty lines and indentation mean nothing", () => {
    expect(operations("# first\n\n  say a\r\n\t# then\n\tsay # b\n")).toEqual(["say", "say"]);
    expect(operations("")).toEqual([]);
  });

  test("that waits for a review becomes a ring, left by the next prompt", () => {
    const ring = ["phase", "await work", "heard", "say", "goto", "say"];
    expect(operations("phase 1 a.md\non feedback\n say x\nend\nsay y")).toEqual(ring);
    expect(operations("wait\nsay y")).toEqual(["await work", "say"]);
  });

  test("names the line, the word and the closest one, all errors at once", () => {
    expect(complaints("say hi\nphrase 1\n\nslep 3\nxyzzyx")).toEqual([
      "Line 2: “phrase” is no word of the script language. Did you mean “phase”?",
      "Line 4: “slep” is no word of the script language. Did you mean “sleep”?",
      `Line 5: “xyzzyx” is no word of the script language. Known: ${Object.keys(usages).join(", ")}.`,
    ]);
    expect(complaints("slep 3", "ko")).toEqual([
      "1번째 줄: “slep”는 스크립트에서 쓸 수 없는 낱말입니다. 혹시 “sleep”인가요?",
    ]);
  });

  test("shows how a word is used when its arguments are missing or of another kind", () => {
    const wrong = {
      write: ["write"],
      sleep: ["sleep", "sleep soon", "sleep -1", "sleep 1 2", "sleep 1.5", "sleep {i}"],
      phase: ["phase", "phase one a.md"],
      ask: ["ask choice", "ask choice Which?", "ask choice | a | b", "ask business |"],
      need: ["need api_key"],
      limit: ["limit", "limit soon"],
      error: ["error notify_user"],
      fatal: ["fatal"],
      usage: ["usage", "usage many", "usage 1 dear", "usage 1 -2"],
      tool: ["tool", "tool x"],
      flood: ["flood", "flood 1 2"],
      exit: ["exit", "exit a"],
      hang: ["hang on"],
      wait: ["wait 3"],
      verifier: ["verifier now\nend"],
      repeat: ["repeat\nend", "repeat x\nend", "repeat 1 2\nend"],
    } as const;
    for (const [word, lines] of Object.entries(wrong))
      for (const line of lines)
        expect(complaints(line)).toEqual([
          `Line 1: “${word}” is used differently. Write: ${usages[word as keyof typeof usages]}`,
        ]);
  });

  test("S1.14 has a part for each look of a verifier, and the last one for all that follow", () => {
    const text =
      "say work\nverifier\n verdict fail thin\nend\ndone x\nverifier\n say hm\n verdict pass\nend";
    const plays = (look: number | null): string[] => {
      const script = readScript(text, look);
      return script.ok ? script.ops.map((op) => op.do) : [];
    };
    expect(plays(null)).toEqual(["say", "done", "await work", "heard", "goto"]);
    const judged = ["verdict", "await work", "heard", "goto"];
    expect(plays(1)).toEqual(judged);
    expect([plays(2), plays(3)]).toEqual([
      ["say", ...judged],
      ["say", ...judged],
    ]);
    expect(readScript("say x", 1)).toMatchObject({ ops: [{ do: "verdict", verdict: "pass" }, {}] });
    expect(complaints("repeat 2\nverifier\nend\nend")).toEqual([
      "Line 2: a “verifier” block stands in no other block.",
    ]);
    expect(complaints("verifier\nverdict maybe\nend")[0]).toContain("Allowed: pass, fail.");
  });

  test("names the closest category, type or recovery", () => {
    expect(complaints("ask choise Which? | a")).toEqual([
      "Line 1: “ask” does not know “choise”. Did you mean “choice”? Allowed: business, clarification, choice, confirmation.",
    ]);
    expect(complaints("need apikey K")[0]).toContain("Did you mean “api_key”?");
    expect(complaints("error notify user gone")[0]).toContain("Did you mean “notify_user”?");
    expect(complaints("error zzz gone")[0]).toBe(
      "Line 1: “error” does not know “zzz”. Allowed: pause_and_retry, checkpoint_and_fail, notify_user.",
    );
  });

  test("closes its blocks, and puts “on feedback” where something waits for it", () => {
    expect(complaints("repeat 2\nsay a")).toEqual([
      "Line 1: “repeat” is never closed. Write “end” after its last line.",
    ]);
    expect(complaints("say a\nend")).toEqual(["Line 2: “end” closes nothing. Remove it."]);
    expect(complaints("on feedback\nend")).toEqual([place(1)]);
    expect(complaints("phase 1\nsay a\non feedback\nend")).toEqual([place(3)]);
    expect(complaints("phase 1\non feedback\nend\non feedback\nend")).toEqual([place(4)]);
    expect(complaints("phase 1\non approval\nend")).toEqual([place(2)]);
    expect(complaints("done x\non feedback\nend\nwait\non feedback\nend")).toEqual([]);
  });

  test("nests three loops and eight blocks, and no more", () => {
    expect(complaints(nested(3))).toEqual([]);
    expect(complaints(nested(4))).toEqual(["Line 4: at most 3 “repeat” may stand in each other."]);
    expect(complaints(blocks(8))).toEqual([]);
    expect(complaints(blocks(9))).toEqual([
      "Line 18: blocks stand in each other more than 8 deep.",
    ]);
    expect(complaints(nested(100_000))).toHaveLength(1);
  });

  test("reads a megabyte of anything without harm", () => {
    for (const text of ["repeat ", "\\", "say a\n", "{", "|", "ask choice \\|", "한\n"]) {
      const long = text.repeat(Math.ceil(1_000_000 / text.length));
      expect(readScript(long).ok || complaints(long).length <= 20).toBe(true);
    }
  });
});

describe("S7.6 texts of a script", () => {
  test("know escapes and blanks, in one pass", () => {
    const values: Readonly<Record<string, string>> = { i: "7", answer: "{i} \\n" };
    const filled = (text: string): string => fill(text, (name) => values[name]);
    expect(filled(String.raw`a\nb\tc\sd\\n\{i} \| {i}`)).toBe("a\nb\tc d\\n{i} | 7");
    expect(filled('{answer}, {other} {} {"json": 1} \\x \\')).toBe(
      '{i} \\n, {other} {} {"json": 1} \\x \\',
    );
  });

  test("are given back by whoever escapes them", () => {
    const text = fc.string({
      unit: fc.constantFrom("\\", "{", "}", "i", "|", "\n", "\t", " ", "가"),
    });
    fc.assert(
      fc.property(text, (each) => {
        expect(escape(each)).not.toMatch(/[\n\t]/);
        expect(back(escape(each))).toBe(each);
        expect(escapeWord(each)).not.toMatch(/\s/);
        expect(back(escapeWord(each))).toBe(each);
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});

describe("S7.6 docs/sample-agent.md", () => {
  const doc = readFileSync(join(import.meta.dirname, "../../../docs/sample-agent.md"), "utf8");
  const examples = [...doc.matchAll(/\n```script\n(.*?)\n```\n/gs)].map(([, text = ""]) => text);

  test("has an example of each word, and every example is a script", () => {
    expect(examples.length).toBeGreaterThan(5);
    for (const example of examples) expect(complaints(example)).toEqual([]);
    const lines = examples.flatMap((text) => text.split("\n"));
    const words = new Set(lines.map((line) => line.trim().split(" ")[0]));
    expect(Object.keys(usages).filter((word) => !words.has(word))).toEqual([]);
  });
});
