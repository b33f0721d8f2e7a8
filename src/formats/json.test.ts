import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seeds } from "../../test/fixtures/documents.ts";
import { render } from "../core/messages.ts";
import { maxDepth } from "./_json-plain.ts";
import { scanJson, survives } from "./_json-scan.ts";
import { locateJson, parseJson, printJson } from "./json.ts";

// --- helpers ---

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Complaints that JSON.parse has not: everything but the syntax. */
const ours = new Set(["duplicate", "forbidden_key", "number", "too_deep", "surrogate"]);

function keyOf(text: string): string {
  const read = parseJson(text);
  return read.ok ? "ok" : (read.findings[0]?.text.key ?? "");
}

function sentence(text: string): string {
  const read = parseJson(text);
  const found = read.ok ? undefined : read.findings[0];
  return found ? `${found.line}:${found.column} ${render("en", found.text)}` : "ok";
}

/** JSON text in every layout: blanks anywhere, escapes where none are needed. */
const layouts = fc.record({
  value: fc.jsonValue({ maxDepth: 4 }),
  blanks: fc.array(fc.constantFrom("", "", " ", "\n", "\t", "\r\n", "  "), {
    minLength: 1,
    maxLength: 7,
  }),
  escapes: fc.boolean(),
});

function layOut(value: unknown, blanks: readonly string[], escapes: boolean): string {
  let n = 0;
  return JSON.stringify(value).replaceAll(/"(?:[^"\\]|\\.)*"|[[\]{},:]/g, (token) => {
    const blank = blanks[n++ % blanks.length] ?? "";
    if (!token.startsWith('"')) return blank + token + blank;
    // An escape means itself, whether it is needed or not; `\\u` is left alone.
    const isPlain = escapes && !token.includes("\\");
    return isPlain
      ? `"${token.slice(1, -1).replaceAll(/[a-z]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`)}"`
      : token;
  });
}

/** The value as an integer over a power of ten. */
const exact = (token: string): [bigint, number] => {
  const [mantissa = "", exponent = "0"] = token.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
};

const nested = (open: string, close: string, depth: number): string =>
  open.repeat(depth) + close.repeat(depth);

const same = (a: string, b: string): boolean => {
  const [[x, p], [y, q]] = [exact(a), exact(b)];
  const low = Math.min(p, q);
  return x * 10n ** BigInt(p - low) === y * 10n ** BigInt(q - low);
};

// --- what is read ---

describe("reading JSON", () => {
  test("S5 every valid text is read as JSON.parse reads it, in any layout", () => {
    fc.assert(
      fc.property(layouts, ({ value, blanks, escapes }) => {
        const text = layOut(value, blanks, escapes);
        const { problem } = scanJson(text);
        if (problem && ours.has(problem.kind)) return;
        expect(problem).toBeUndefined();
        expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
      { numRuns: 3000, seed: 1 },
    );
  });

  test("S5 on broken text the scanner and JSON.parse agree, whatever was done to it", () => {
    const edits = fc.array(
      fc.tuple(
        fc.nat(),
        fc.nat({ max: 3 }),
        fc.oneof(
          fc.constantFrom("", '"', "{", "}", "[", "]", ",", ":", "0", "-", ".", "e", "+", "\\"),
          fc.constantFrom("\\u", "\\u12", "tru", "null", "\t", "\n", "\0", "/", "'", "NaN", "01"),
          fc.string({ maxLength: 3 }),
        ),
      ),
      { minLength: 1, maxLength: 3 },
    );
    let broken = 0;
    fc.assert(
      fc.property(layouts, edits, ({ value, blanks, escapes }, changes) => {
        let text = layOut(value, blanks, escapes);
        for (const [place, cut, put] of changes) {
          const at = place % (text.length + 1);
          text = text.slice(0, at) + put + text.slice(at + cut);
        }
        const { problem } = scanJson(text);
        const valid = parses(text);
        if (!valid) broken++;
        // Ours come on top of JSON.parse's; about the rest they must agree.
        const agrees = problem !== undefined && ours.has(problem.kind);
        expect([text, agrees || valid]).toEqual([text, agrees || problem === undefined]);
        expect(parseJson(text).ok).toBe(valid && !problem);
      }),
      { numRuns: 10_000, seed: 2 },
    );
    expect(broken).toBeGreaterThan(3000);
  });

  test("S5.1 a file cut off at any byte is never taken for a whole one", () => {
    for (const { text, path } of seeds.filter((fixture) => fixture.path.endsWith(".json"))) {
      for (let end = 0; end < text.length; end++) {
        const cut = text.slice(0, end);
        const read = parseJson(cut);
        const line = read.ok ? 0 : read.findings[0]?.line;
        expect([path, end, read.ok, line]).toEqual(
          parses(cut) ? [path, end, true, 0] : [path, end, false, cut.split("\n").length],
        );
      }
    }
  });

  test("S5 what is wrong is said with its line and column", () => {
    expect(sentence("")).toBe("1:1 the JSON ends too early, as if the file were cut off");
    expect(sentence('{"a": 1,\n "b": }')).toBe("2:7 not JSON here: “}”");
    expect(sentence('{"a": 1} x')).toBe("1:10 not JSON here: “x”");
    expect(sentence('{"a": "x\ny"}')).toBe("1:9 not JSON here: “\\n”");
    expect(sentence("{'a': 1}")).toBe("1:2 not JSON here: “'”");
    expect(sentence('{"a": 1,}')).toBe("1:9 not JSON here: “}”");
    expect(sentence('{"a": 01}')).toBe("1:7 not JSON here: “0”");
    expect(sentence('{"a": "\\x"}')).toBe('1:7 not JSON here: “"”');
    expect(sentence("// a comment\n{}")).toBe("1:1 not JSON here: “/”");
  });
});

describe("what JSON.parse lets through", () => {
  test("S5.4 a key twice is refused at its second place, also when it is written with escapes", () => {
    expect(sentence('{"a": 1,\n "a": 2}')).toBe("2:2 the key “a” stands here twice; keep one");
    expect(keyOf('{"a": 1, "\\u0061": 1}')).toBe("format.duplicate_key");
    expect(keyOf('{"\\u0061": 1, "a": 1}')).toBe("format.duplicate_key");
    expect(keyOf('{"x": [{"키": 1, "키": 1}]}')).toBe("format.duplicate_key");
    expect(keyOf('{"": 1, "": 1}')).toBe("format.duplicate_key");
    expect(keyOf('[{"a": 1}, {"a": 1}]')).toBe("ok");
    expect(keyOf('{"constructor": 1, "toString": 2, "hasOwnProperty": 3}')).toBe("ok");
  });

  test("S5 a number that would change when written back is refused", () => {
    for (const token of [
      "9007199254740993",
      "12345678901234567890",
      "1e400",
      "-1e400",
      "1e-400",
      "0.1234567890123456789",
      "123456789.123456789",
    ])
      expect([token, keyOf(`{"n": ${token}}`)]).toEqual([token, "format.lossy_number"]);
    for (const token of [
      "0",
      "-0",
      "1.0",
      "1.50",
      "1e3",
      "1E+3",
      "0.1",
      "1e21",
      "9007199254740991",
    ])
      expect([token, keyOf(`{"n": ${token}}`)]).toEqual([token, "ok"]);
  });

  test("S5 a number survives exactly when exact arithmetic says so", () => {
    const digits = fc.integer({ min: 0, max: 2 ** 53 }).map(String);
    const tokens = fc
      .tuple(fc.boolean(), digits, fc.option(digits), fc.option(fc.integer({ min: -30, max: 30 })))
      .map(([minus, whole, fraction, exponent]) =>
        [
          minus ? "-" : "",
          whole,
          fraction === null ? "" : `.${fraction}`,
          exponent === null ? "" : `e${exponent}`,
        ].join(""),
      );
    fc.assert(
      fc.property(tokens, (token) => {
        expect([token, survives(token)]).toEqual([token, same(token, String(Number(token)))]);
      }),
      { numRuns: 5000, seed: 3 },
    );
  });

  test(`S5.4 ${maxDepth} levels are read, one more is not, in whatever layout`, () => {
    for (const depth of [maxDepth, maxDepth + 1]) {
      const expected = depth > maxDepth ? "format.too_deep" : "ok";
      const list = nested("[", "]", depth);
      const map = `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;
      for (const text of [list, map]) {
        expect(keyOf(text)).toBe(expected);
        expect(keyOf(` ${text}`)).toBe(expected);
        expect(keyOf(JSON.stringify(JSON.parse(text), null, 2))).toBe(expected);
      }
    }
  });

  test("S5 half a character is refused; a whole one, escaped or not, is read", () => {
    expect(keyOf('{"a": "\\ud83d"}')).toBe("format.lone_surrogate");
    expect(keyOf('{"a": "x\\uDE00y"}')).toBe("format.lone_surrogate");
    expect(keyOf('{"\\ud83d": 1}')).toBe("format.lone_surrogate");
    expect(keyOf('{"a": "\\ud83d\\ude00 😀"}')).toBe("ok");
    expect(keyOf('{"a": "\\\\ud83d"}')).toBe("ok");
  });
});

describe("where a pointer stands", () => {
  test("S6.1 every value of a document is found at its own line and column", () => {
    const walk = (
      value: unknown,
      pointer: string,
      visit: (p: string, v: unknown) => void,
    ): void => {
      visit(pointer, value);
      if (typeof value !== "object" || value === null) return;
      for (const [key, item] of Object.entries(value))
        walk(item, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, visit);
    };
    fc.assert(
      fc.property(layouts, ({ value, blanks, escapes }) => {
        const text = layOut(value, blanks, escapes);
        const pointers = new Map<string, unknown>();
        walk(value, "", (pointer, inner) => pointers.set(pointer, inner));
        const places = locateJson(text, [...pointers.keys()]);
        const lines = text.split("\n");
        for (const [pointer, inner] of pointers) {
          const place = places.get(pointer);
          const rest = [
            (lines[(place?.line ?? 0) - 1] ?? "").slice((place?.column ?? 0) - 1),
            ...lines.slice(place?.line ?? 0),
          ].join("\n");
          const first = JSON.stringify(inner)[0] ?? "";
          expect([pointer, text, rest[0]]).toEqual([pointer, text, first]);
        }
      }),
      { numRuns: 500, seed: 6 },
    );
  });

  test("S6.1 what is missing stands at the nearest parent that exists", () => {
    const text = '{\n  "a": {\n    "b": [1]\n  }\n}\n';
    const places = locateJson(text, ["/a/b/0", "/a/b/7/x", "/a/c", "/z", ""]);
    expect([...places.values()].map(({ line, column }) => `${line}:${column}`)).toEqual([
      "3:11",
      "3:10",
      "2:8",
      "1:1",
      "1:1",
    ]);
  });
});

describe("printing JSON", () => {
  test("S2.1 indentation, line ends and the last line break of the previous text stay", () => {
    const value = { a: [1], b: {} };
    for (const indent of ["  ", "    ", "\t", ""])
      for (const end of ["\n", ""])
        for (const dos of [false, true]) {
          const lines = JSON.stringify({ a: [2], b: {} }, null, indent) + end;
          const previous = dos ? lines.replaceAll("\n", "\r\n") : lines;
          const expected = previous.replace("2", "1");
          expect(printJson(value, previous)).toBe(expected);
          expect(parseJson(expected)).toEqual({ ok: true, value });
        }
    expect(printJson(value)).toBe('{\n  "a": [\n    1\n  ],\n  "b": {}\n}\n');
  });

  test("S2.1 the order of keys stays, whatever is changed", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.jsonValue()), (value) => {
        const text = printJson(value);
        const read = parseJson(text);
        if (!read.ok) return;
        expect(Object.keys(read.value as object)).toEqual(Object.keys(value));
        const more = { ...(read.value as object), added: 1 };
        expect(Object.keys(JSON.parse(printJson(more, text)) as object)).toEqual(Object.keys(more));
      }),
      { numRuns: 300, seed: 7 },
    );
  });

  test("S2.1 where nothing changed, a person's own layout stays; else it is ours", () => {
    fc.assert(
      fc.property(layouts, fc.jsonValue(), ({ value, blanks }, other) => {
        const text = layOut(value, blanks, false);
        if (!parseJson(text).ok) return;
        expect(printJson(JSON.parse(text), text)).toBe(text);
        const printed = printJson(other, text);
        expect(JSON.stringify(JSON.parse(printed))).toBe(JSON.stringify(other));
      }),
      { numRuns: 2000, seed: 8 },
    );
  });

  test("S5.2 whatever text an agent gave us, what we print we can read again", () => {
    const strings = fc.string({ unit: fc.nat({ max: 0xffff }).map((c) => String.fromCharCode(c)) });
    fc.assert(
      fc.property(fc.dictionary(strings, strings, { noNullPrototype: true }), (value) => {
        delete value["__proto__"];
        const read = parseJson(printJson(value));
        // Two keys that differ by their broken halves alone become one when mended.
        const keys = new Set(
          Object.keys(value).map((key) => key.replaceAll(/\p{Surrogate}/gu, "?")),
        );
        expect(read.ok && Object.keys(read.value as object).length).toBe(keys.size);
      }),
      { numRuns: 1000, seed: 9 },
    );
    expect(printJson({ a: "x\ud83d" })).toBe('{\n  "a": "x\ufffd"\n}\n');
    expect(printJson({ a: "\\ud83d" })).toBe('{\n  "a": "\\\\ud83d"\n}\n');
  });
});
