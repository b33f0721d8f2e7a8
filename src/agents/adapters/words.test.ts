import { spawnSync } from "node:child_process";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { render } from "../../core/messages.ts";
import { splitWords } from "./words.ts";

function words(text: string): readonly string[] {
  const split = splitWords(text);
  if (!split.ok) throw new Error(render("en", split.complaint));
  return split.words;
}

function complaint(text: string): string {
  const split = splitWords(text);
  return split.ok ? `read as ${JSON.stringify(split.words)}` : render("en", split.complaint);
}

test("S6.5 a command is cut into words at blanks, with both quotes and the backslash", () => {
  expect(words("./agent.sh --fast 3")).toEqual(["./agent.sh", "--fast", "3"]);
  expect(words(`  a\t'b c'  "d e" f\\ g `)).toEqual(["a", "b c", "d e", "f g"]);
  expect(words(`a '' "" b`)).toEqual(["a", "", "", "b"]);
  expect(words(`a'b'"c"d`)).toEqual(["abcd"]);
  expect(words(`a '\\' "\\"\\\\" \\'`)).toEqual(["a", "\\", '"\\', "'"]);
  expect(words("도구 --이름=값")).toEqual(["도구", "--이름=값"]);
});

test("S6.5 a malformed command is refused, with the place", () => {
  expect(complaint(`a "b`)).toBe(`the quote " at character 3 is never closed.`);
  expect(complaint("a 'b\\'c'")).toContain("the quote ' at character 8 is never closed.");
  expect(complaint("a \\")).toContain("ends with a backslash");
  expect(complaint(" \t")).toContain("names no program");
  expect(complaint(`"" a`)).toContain("names no program");
});

test("S6.5 what only a shell would understand is refused unless it is quoted", () => {
  for (const sign of ["|", "&", ";", "<", ">", "(", ")", "$", "`", "*", "?"]) {
    expect(complaint(`a b${sign}c`)).toContain(`“${sign}” at character 4`);
    expect(words(`a 'b${sign}c'`)).toEqual(["a", `b${sign}c`]);
    expect(words(`a b\\${sign}c`)).toEqual(["a", `b${sign}c`]);
  }
  expect(complaint('a "$HOME"')).toContain("“$” at character 4");
  expect(complaint("a\nb")).toContain(String.raw`“\n” at character 2`);
  expect(complaint("a '\0'")).toContain(String.raw`“\0” at character 4`);
  expect(words("sh -c './a | tee log'")).toEqual(["sh", "-c", "./a | tee log"]);
});

test("S6.5 what is read is what a shell reads", () => {
  const sign = fc.constantFrom("a", "한", " ", "\t", "'", '"', "\\", "-", "=", "[", "/", "#", "~");
  const text = fc.array(sign, { minLength: 1, maxLength: 12 }).map((signs) => signs.join(""));
  const texts = fc.sample(text, { seed: 7, numRuns: 300 });
  // `#` and `~` mean something at the start of a word, `\` before a plain letter in double quotes.
  const same = texts.filter(
    (each) => !/(^|[ \t])[#~]|"[^"]*\\[^"\\]|=~/.test(each) && splitWords(`x ${each}`).ok,
  );
  expect(same.length).toBeGreaterThan(50);
  const script = same.map((each) => `printf '<%s>' x ${each}; echo; echo ---`).join("\n");
  const { stdout } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
  const wanted = same.map((each) =>
    words(`x ${each}`)
      .map((word) => `<${word}>`)
      .join(""),
  );
  expect(stdout.split("\n---\n").slice(0, -1)).toEqual(wanted);
});
