// Colours for code: whatever the line, its text stays the same; what is coloured is what it should be.
import { assert, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { highlightFor } from "../../web/parts/highlight.ts";

const shown = (path: string, line: string): string =>
  (highlightFor(path)?.(line) ?? [{ text: line, kind: null }])
    .map(({ text, kind }) => (kind === null ? text : `<${kind[0]}:${text}>`))
    .join("");

describe("S6.2 code in reviews", () => {
  // oxfmt-ignore
  test.each([
    ["a.ts", 'const x = "a // b"; // note', '<k:const> x = <s:"a // b">; <c:// note>'],
    ["a.ts", " * in a block", "<c: * in a block>"],
    ["a.ts", "constant(/* x */ 12)", "constant(<c:/* x */> <s:12>)"],
    ["a.js", "return `a ${b}`", "<k:return> <s:`a ${b}`>"],
    ["A.java", "public final class A {", "<k:public> <k:final> <k:class> A {"],
    ["a.py", "def f(x): # why", "<k:def> f(x): <c:# why>"],
    ["a.sh", 'if [ "$A" = x#y ]; then # z', '<k:if> [ <s:"$A"> = x#y ]; <k:then> <c:# z>'],
    ["a.json", '  "name": "x", "n": 3', '  <n:"name">: <s:"x">, <n:"n">: <s:3>'],
    ["a.yaml", "  - name: true # yes", "  - <n:name>: <k:true> <c:# yes>"],
    ["a.md", "## A heading", "<k:## A heading>"],
    ["a.md", "- `code` and text", "<k:-> <s:`code`> and text"],
    ["a.txt", "const x", "const x"],
  ])("%s: %s", (path, line, expected) => {
    expect(shown(path, line)).toBe(expected);
  });

  test("no line loses or gains a character, and none takes long", () => {
    const paths = ["a.ts", "a.java", "a.py", "a.sh", "a.json", "a.yaml", "a.md"];
    assert(
      property(string({ unit: "binary", maxLength: 200 }), (line) => {
        for (const path of paths)
          expect(
            highlightFor(path)?.(line)
              .map(({ text }) => text)
              .join(""),
          ).toBe(line);
      }),
      { seed: 7, numRuns: 300 },
    );
    // Each would be a trap for a pattern that goes back and forth.
    for (const line of [
      '"'.repeat(2_000),
      "/*".repeat(1_000),
      " ".repeat(2_000),
      "\\".repeat(2_000),
      "a:".repeat(1_000),
    ])
      for (const path of paths)
        expect(
          highlightFor(path)?.(line)
            .map(({ text }) => text)
            .join(""),
        ).toBe(line);
  });
});
