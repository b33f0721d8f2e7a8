import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Log } from "../../web/screens/output/log.ts";

function linesOf(...pieces: string[]): string[] {
  const log = new Log();
  for (const piece of pieces) log.feed(piece);
  return log.lines.map(({ plain }) => plain);
}

describe("S6.2 the output on the page", () => {
  test("keeps colours as names and drops every other sequence of a terminal", () => {
    const log = new Log();
    log.feed(
      "\u001b[1;31merror\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007 \u001b[2Jdone\n",
    );
    expect(log.lines[0]?.segments).toEqual([
      { text: "error", look: "sgr-b sgr-1" },
      { text: " link done", look: "" },
    ]);
  });

  test("a line that is drawn anew is there once, one without an end goes on with the next piece", () => {
    expect(linesOf("10 %\r50 %\r100 %\nne", "xt\nla")).toEqual(["100 %", "next", "la"]);
  });

  test("what turns the reading order around is shown as the stranger it is", () => {
    expect(linesOf("a\u202Eb\u2066c\n")).toEqual(["a\uFFFDb\uFFFDc"]);
  });

  test("names the lines that mean something", () => {
    const log = new Log();
    log.feed(
      "[USER_QUESTION]\n=== PHASE 1 COMPLETE ===\n[ERROR] type: fatal\n[DEPENDENCY_REQUEST]\nsay\n",
    );
    expect(log.lines.map(({ mark }) => mark)).toEqual(["question", "phase", "error", "need", null]);
  });

  test("tells messages of an agent in words, without what could hurt, and keeps the lines themselves", () => {
    const log = new Log();
    const text = "Done.\u001b[2J\u202E\nSecond line.";
    const said = { type: "assistant", message: { content: [{ type: "text", text }] } };
    const used = {
      type: "assistant",
      message: { content: [{ type: "tool_use", name: "Bash", input: { command: "npm test" } }] },
    };
    log.feed(`plain\n${JSON.stringify(said)}\n${JSON.stringify(used)}\n{"type":"other"}\n`);
    expect(log.lines).toHaveLength(4);
    expect(log.told.map(({ plain }) => plain)).toEqual([
      "plain",
      "Done.[2J\uFFFD",
      "Second line.",
      "▸ Bash npm test",
      '{"type":"other"}',
    ]);
  });

  test("is the same however it is cut, and no control character is left", () => {
    const text = fc.string({
      unit: fc.constantFrom(
        "a",
        "가",
        "\n",
        "\r",
        "\u001b",
        "[",
        "3",
        "1",
        "m",
        ";",
        "]",
        "\u0007",
        "\\",
        "\u0000",
        "\u009b",
      ),
      maxLength: 60,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 60 }), (all, at) => {
        // A return and its new line may be parted: then the line counts as drawn anew.
        fc.pre(!all.includes("\r"));
        const whole = linesOf(all);
        expect(linesOf(all.slice(0, at), all.slice(at))).toEqual(whole);
        const codes = Array.from(whole.join(""), (sign) => sign.codePointAt(0) ?? 0);
        expect(codes.filter((code) => code < 0x20 || (code > 0x7e && code < 0xa0))).toEqual([]);
      }),
      { seed: 7, numRuns: 2_000 },
    );
  });
});
