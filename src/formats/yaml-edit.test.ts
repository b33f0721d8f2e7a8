import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seed } from "../../test/fixtures/documents.ts";
import { editYaml } from "./yaml-edit.ts";
import { parseYaml, printYaml } from "./yaml.ts";

// --- helpers ---

function read(text: string): unknown {
  const parsed = parseYaml(text);
  if (!parsed.ok) throw new Error(`${JSON.stringify(parsed.findings[0])}\n${text}`);
  return parsed.value;
}

/** A document that may be changed in every way. */
type Free = ReturnType<typeof JSON.parse>;

function edit(text: string, change: (value: Free) => unknown): string {
  const value = read(text) as Free;
  change(value);
  const edited = editYaml(text, value);
  expect(read(edited)).toEqual(value);
  return edited;
}

/** Lines that are not in the other text, in order: `- old` and `+ new`. */
function differences(before: string, after: string): string[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let head = 0;
  while (head < Math.min(old.length, now.length) && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail))
    tail++;
  return [
    ...old.slice(head, old.length - tail).map((line) => `- ${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+ ${line}`),
  ];
}

const state = seed("full/.develop-workflow/state.yaml").text;

// --- a person's file ---

describe("S0.1 the source's own state.yaml", () => {
  test("the begin of an attempt touches one line, and the word in it", () => {
    const after = edit(
      state,
      (s) => (s.checkpoints["cp-3"] = { status: "in_progress", iteration: 1 }),
    );
    expect(differences(state, after)).toEqual([
      "-   cp-3: { status: pending, iteration: 0 }",
      "+   cp-3: { status: in_progress, iteration: 1 }",
    ]);
  });

  test("a change of phase and time keeps the comments behind them", () => {
    const after = edit(state, (s) => {
      s.phase = "MERGE";
      s.updated_at = "2026-02-16T12:00:00";
    });
    expect(after).toBe(
      state.replace("phase: IMPLEMENT ", "phase: MERGE ").replace("T11:30:00", "T12:00:00"),
    );
  });

  test("a new checkpoint stands in the style of its neighbours", () => {
    const after = edit(state, (s) => (s.checkpoints["cp-4"] = { status: "pending", iteration: 0 }));
    expect(after).toBe(`${state}  cp-4: { status: pending, iteration: 0 }\n`);
  });

  test("a checkpoint is removed with its line, a field with its own", () => {
    const after = edit(state, (s) => {
      delete s.checkpoints["cp-2"];
      delete s.strategy;
    });
    const lines = state.split("\n").filter((line) => !/cp-2|^strategy/.test(line));
    expect(after).toBe(lines.join("\n"));
  });

  test("a whole run from DESIGN to DONE leaves every comment where a person put it", () => {
    let text =
      '# mine\nphase: DESIGN # where\nfeature: \'채팅\' # what\nstarted_at: "2026-02-16T10:00:00"\nupdated_at: "2026-02-16T10:00:00" # when\n# the end\n';
    const steps: ((s: Free) => unknown)[] = [
      (s) =>
        Object.assign(s, {
          phase: "REVIEW",
          checkpoints: { "cp-1": { status: "pending", iteration: 0 } },
        }),
      (s) => Object.assign(s, { phase: "IMPLEMENT", strategy: "direct" }),
      (s) => (s.checkpoints["cp-1"] = { status: "in_progress", iteration: 1 }),
      (s) => (s.checkpoints["cp-1"].iteration = 2),
      (s) => (s.checkpoints["cp-1"].status = "passed"),
      (s) => (s.phase = "MERGE"),
      (s) => (s.phase = "DONE"),
    ];
    for (const step of steps) text = edit(text, step);
    expect(text).toBe(
      '# mine\nphase: DONE # where\nfeature: \'채팅\' # what\nstarted_at: "2026-02-16T10:00:00"\nupdated_at: "2026-02-16T10:00:00" # when\ncheckpoints:\n  cp-1: { status: passed, iteration: 2 }\nstrategy: direct\n# the end\n',
    );
  });
});

describe("S0.1 looks that stay", () => {
  test("Korean longer than a terminal is wide is not folded, anywhere", () => {
    const long = "가나다라 마바사 아자차카 타파하 ".repeat(20).trim();
    const text = `# ${long}\na: ${long}\nb: "${long}"\nc: 1\n`;
    const after = edit(text, (v) => {
      v.c = long;
      v.d = { e: { f: long } };
      v.g = [long];
    });
    expect(after.startsWith(text.replace("c: 1", `c: ${long}`))).toBe(true);
    expect(after.split("\n").filter((line) => line.includes("가나다라"))).toHaveLength(6);
    expect(printYaml({ a: long })).toBe(`a: ${long}\n`);
  });

  test("quotes stay as they were, and times keep theirs", () => {
    const text = "a: 'x' # one\nb: \"x\"\nc: x\nd: 2026-01-01T00:00:00Z\n";
    expect(
      edit(text, (v) => Object.assign(v, { a: "it's", b: 'say "hi"', c: "y z", d: "2027-01-01" })),
    ).toBe('a: \'it\'\'s\' # one\nb: "say \\"hi\\""\nc: y z\nd: "2027-01-01"\n');
  });

  const shapes: readonly [string, string, (v: Free) => unknown, string][] = [
    ["a null gets a value", "a:\nb: 1\n", (v) => (v.a = 5), "a: 5\nb: 1\n"],
    ["a null with a comment", "a: # later\nb: 1\n", (v) => (v.a = "x"), "a: x # later\nb: 1\n"],
    ["a ~ gets a map", "a: ~\nb: 1\n", (v) => (v.a = { c: [1] }), "a:\n  c:\n    - 1\nb: 1\n"],
    ["a value becomes null", "a: 5 # five\n", (v) => (v.a = null), "a: null # five\n"],
    ["an empty list is filled", "a: []\nb: 1\n", (v) => (v.a = ["x"]), "a:\n  - x\nb: 1\n"],
    ["an empty map is filled", "a: {} # none\n", (v) => (v.a.x = 1), "a:\n  x: 1 # none\n"],
    ["a list is emptied", "a:\n  - 1\n  - 2\nb: 1\n", (v) => (v.a = []), "a: []\nb: 1\n"],
    ["a map is emptied", "a:\n  x: 1\n  y: 2\nb: 1\n", (v) => (v.a = {}), "a: {}\nb: 1\n"],
    ["the root is emptied", "a: 1\nb: 2\n", (v) => (delete v.a, delete v.b), "{}\n"],
    ["the empty root is filled", "{}\n", (v) => (v.a = 1), "a: 1\n"],
    ["a flow list grows", "a: [1, 2] # n\n", (v) => v.a.push(3), "a: [1, 2, 3] # n\n"],
    ["a flow list with a comma at its end", "a: [1, 2,]\n", (v) => v.a.push(3), "a: [1, 2, 3,]\n"],
    ["a flow list loses its head", "a: [1, 2, 3]\n", (v) => v.a.shift(), "a: [2, 3]\n"],
    ["a flow list loses its middle", "a: [1, 2, 3]\n", (v) => v.a.splice(1, 1), "a: [1, 3]\n"],
    ["a flow list gets a head", "a: [2, 3]\n", (v) => v.a.unshift(1), "a: [1, 2, 3]\n"],
    ["a flow map grows", "a: {x: 1}\n", (v) => (v.a.y = "b, c"), 'a: {x: 1, y: "b, c"}\n'],
    ["a flow map's bare key", "a: {x, y: 1}\n", (v) => (v.a.x = 2), "a: {x: 2, y: 1}\n"],
    [
      "a flow list over lines, with comments",
      "a: [\n  # one\n  1, # uno\n  # two\n  2, # dos\n  3\n]\n",
      (v) => (v.a = [1, 2, 3, 4]),
      "a: [\n  # one\n  1, # uno\n  # two\n  2, # dos\n  3, 4\n]\n",
    ],
    [
      "an item in the middle goes, its neighbours keep their comments",
      "a:\n  # one\n  - 1\n  # two\n  - 2\n  # three\n  - 3 # tres\n",
      (v) => v.a.splice(1, 1),
      "a:\n  # one\n  - 1\n  # two\n  # three\n  - 3 # tres\n",
    ],
    [
      "an item comes into the middle",
      "a:\n- x: 1\n  y: 2\n- x: 3\n",
      (v) => v.a.splice(1, 0, { x: 9, z: [0] }),
      "a:\n- x: 1\n  y: 2\n- x: 9\n  z:\n    - 0\n- x: 3\n",
    ],
    [
      "the first key behind a dash goes",
      "a:\n  - x: 1\n    y: 2\n    z: 3\n",
      (v) => (delete v.a[0].x, delete v.a[0].y),
      "a:\n  - z: 3\n",
    ],
    [
      "the first key behind a dash goes, above a comment",
      "a:\n  - x: 1\n    # why\n    y: 2\n",
      (v) => delete v.a[0].x,
      "a:\n  - \n    # why\n    y: 2\n",
    ],
    [
      "all keys behind a dash change",
      "a:\n  - x: 1\n    y: 2\n  - 5\n",
      (v) => (v.a[0] = { p: 1, q: 2 }),
      "a:\n  - p: 1\n    q: 2\n  - 5\n",
    ],
    [
      "a block text becomes a word, and a word stays before the next key",
      "a: | # keep\n  one\n  two\n\nb: 1\n",
      (v) => (v.a = "x"),
      "a: x\n\nb: 1\n",
    ],
    ["no line break at the end", "a: 1\nb: 2", (v) => (v.c = 3), "a: 1\nb: 2\nc: 3"],
    [
      "an inner and an outer end",
      "a:\n  b: 1",
      (v) => ((v.a.c = 2), (v.d = 3)),
      "a:\n  b: 1\n  c: 2\nd: 3",
    ],
    ["a marked document", "---\n# x\na: 1\n...\n", (v) => (v.b = 2), "---\n# x\na: 1\nb: 2\n...\n"],
    ["nothing but comments", "# only\n# words\n", (_) => _, "# only\n# words\n"],
  ];
  for (const [says, before, change, after] of shapes)
    test(`S0.1 ${says}`, () => expect(edit(before, change)).toBe(after));

  test("a file of nothing but comments keeps them when it is filled", () => {
    expect(editYaml("# only\n\n# words", { a: 1 })).toBe("# only\n\n# words\na: 1\n");
    expect(editYaml("", { a: 1 })).toBe("a: 1\n");
  });

  test("a file that can not be read is replaced", () => {
    expect(editYaml("a: [", { a: 1 })).toBe("a: 1\n");
    expect(editYaml("- 1\n", { a: 1 })).toContain("a: 1\n");
    expect(read(editYaml("- 1\n", { a: 1 }))).toEqual({ a: 1 });
  });

  test("S5.2 half a character is mended, so that the file can be read again", () => {
    expect(editYaml("a: x # y\n", { a: "z\ud83d" })).toBe("a: z\ufffd # y\n");
    expect(read(printYaml({ "\ud83d": ["\ude00"] }))).toEqual({ "\ufffd": ["\ufffd"] });
  });

  test("CRLF stays CRLF in every line, and a file that mixes is not turned around", () => {
    const dos = state.replaceAll("\n", "\r\n");
    const after = edit(dos, (s) => {
      s.phase = "MERGE";
      s.checkpoints["cp-4"] = { status: "pending", iteration: 0 };
      s.notes = { list: ["a\nb", { c: 1 }] };
      delete s.checkpoints["cp-1"];
    });
    expect(after.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    expect(differences(dos, after).some((line) => line.includes("# .develop"))).toBe(false);
    const mixed = "a: 1\r\nb: 2\nc: 3\r\n";
    expect(edit(mixed, (v) => (v.b = 5))).toBe("a: 1\r\nb: 5\nc: 3\r\n");
  });
});

// --- any document, any edit ---

const strings = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom("x", "pending", "two words", "한국어 문장", "a-b", "v1.2"),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "",
      " ",
      "true",
      "null",
      "~",
      "1",
      "0x1f",
      "1e3",
      ".5",
      "- x",
      "a: b",
      "#",
      "a #b",
      "?",
      "[",
      "{a",
      "]",
      ",",
      "a, b",
      "'",
      '"',
      "it's",
      'say "x"',
      "\\",
      "@x",
      "%x",
      "`",
      "|",
      ">",
      "&a",
      "*a",
      "!t",
      "<<",
      "---",
      "...",
      "2026-01-01",
      "2026-01-01T00:00:00Z",
      ":",
      "a:",
      "one\ntwo",
      "one\n",
      "\n",
      "one\n\n\ntwo\n\n",
      " one\n  two",
      "tab\tx",
      "end ",
      "\r",
      "\r\n",
      "\u0007",
      "\u0085",
      "\u2028",
      "\ufeff",
      "😀",
      "\u00a0",
      "=",
      "y",
      "no",
      "가".repeat(90),
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12, size: "max" }) },
);
const scalars = fc.oneof(
  strings,
  fc.integer({ min: -1000, max: 1000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x || 0),
  fc.boolean(),
  fc.constant(null),
);
const keys = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom("a", "b", "c", "phase", "cp-1", "키", "two words", "n1"),
  },
  { weight: 1, arbitrary: strings.filter((key) => key !== "__proto__" && key !== "<<") },
);

type Value = string | number | boolean | null | Value[] | { [key: string]: Value };

const { value: values } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 4, arbitrary: scalars },
    { weight: 2, arbitrary: fc.array(tie("value"), { maxLength: 4 }) },
    {
      weight: 3,
      arbitrary: fc.dictionary(keys, tie("value"), { maxKeys: 5, noNullPrototype: true }),
    },
  ),
}));
const roots = fc.dictionary(keys, values, {
  minKeys: 1,
  maxKeys: 6,
  size: "max",
  noNullPrototype: true,
});

interface Comment {
  readonly text: string;
  /** The entry it stands above. */
  readonly path: readonly string[];
}

/** Writes a value in styles that are drawn from a list of numbers, with comments all over. */
class Writer {
  readonly comments: Comment[] = [];
  private drawn = 0;
  private readonly noise: readonly number[];

  constructor(noise: readonly number[]) {
    this.noise = noise;
  }

  document(root: { [key: string]: Value }): string {
    const head = this.draw(3) === 0 ? "# head\n\n" : "";
    const mark = this.draw(6) === 0 ? "---\n" : "";
    return head + mark + this.block(root, 0, [], false) + (this.draw(3) === 0 ? "# end\n" : "");
  }

  private draw(below: number): number {
    const noise = this.noise[this.drawn % this.noise.length] ?? 0;
    this.drawn++;
    return (noise + this.drawn * 7) % below;
  }

  /** Lines of a filled collection. `compact`: the first entry stands behind a dash. */
  private block(value: Value, indent: number, path: readonly string[], compact: boolean): string {
    const pad = " ".repeat(indent);
    return Object.entries(value as object)
      .map(([key, item]: [string, Value], index) => {
        const at = [...path, key];
        const behindDash = compact && index === 0;
        const above = behindDash ? "" : this.above(pad, at);
        const name = Array.isArray(value) ? "-" : `${this.key(key)}:`;
        return `${above}${behindDash ? "" : pad}${name}${this.after(item, indent, at, Array.isArray(value))}`;
      })
      .join("");
  }

  private above(pad: string, path: readonly string[]): string {
    const blank = this.draw(8) === 0 ? "\n" : "";
    if (this.draw(3) !== 0) return blank;
    const text = `# note ${this.comments.length}: "it's" {`;
    this.comments.push({ text, path });
    return `${blank}${pad}${text}\n`;
  }

  /** What stands behind a colon or a dash, to the end of the last line. */
  private after(item: Value, indent: number, path: readonly string[], isItem: boolean): string {
    const comment = this.draw(4) === 0 ? " # behind" : "";
    if (!isFilled(item) || this.draw(3) === 0) return this.inOneLine(item, indent, comment);
    const asList = Array.isArray(item);
    const step = asList && !isItem && this.draw(2) === 0 ? 0 : 1 + this.draw(3);
    // `- - x` and `- a: 1`: the inner collection begins behind the dash.
    if (isItem && this.draw(3) > 0) return ` ${this.block(item, indent + 2, path, true)}`;
    return `${comment}\n${this.block(item, indent + step, path, false)}`;
  }

  private inOneLine(item: Value, indent: number, comment: string): string {
    const style = this.draw(8);
    if (
      typeof item === "string" &&
      style === 0 &&
      /^[^\s\p{C}][^\p{C}]*$/u.test(item) &&
      !/\s$/.test(item)
    )
      return ` ${["|-", ">-"][this.draw(2)]}${comment}\n${" ".repeat(indent + 2)}${item}\n`;
    if (item === null && style < 3) return `${comment}\n`;
    return ` ${this.flow(item)}${comment}\n`;
  }

  private flow(item: Value): string {
    const pad = ["", " ", `\n${" ".repeat(40)}`][this.draw(9) % 3 === 2 ? 2 : this.draw(2)] ?? "";
    if (Array.isArray(item)) return `[${pad}${item.map((x) => this.flow(x)).join(", ")}${pad}]`;
    if (typeof item === "object" && item !== null) {
      const pairs = Object.entries(item).map(([key, x]) => `${this.key(key)}: ${this.flow(x)}`);
      return `{${pad}${pairs.join(", ")}${pad}}`;
    }
    if (item === null) return ["null", "~", "Null"][this.draw(3)] ?? "null";
    return typeof item === "string" ? this.quoted(item) : JSON.stringify(item);
  }

  private quoted(text: string): string {
    const style = this.draw(3);
    const words = ["true", "false", "null", "yes", "no", "y", "n"];
    if (style === 0 && /^[A-Za-z가-힣][\w가-힣 .-]*[\w가-힣]$/.test(text) && !words.includes(text))
      return text;
    if (style === 1 && !/[\p{C}\u2028\u2029]/u.test(text)) return `'${text.replaceAll("'", "''")}'`;
    return JSON.stringify(text);
  }

  private key(key: string): string {
    return key !== "null" && /^[a-z가-힣][\w가-힣-]*$/.test(key) ? key : JSON.stringify(key);
  }
}

const isFilled = (value: Value): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length > 0;

interface Edit {
  readonly kind: "set" | "delete" | "add" | "insert" | "nudge";
  readonly where: readonly number[];
  readonly value: Value;
  readonly key: string;
}

const edits = fc.array(
  fc.record<Edit>({
    kind: fc.constantFrom("set", "delete", "add", "insert", "nudge"),
    where: fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 5 }),
    value: values,
    key: keys,
  }),
  { minLength: 1, maxLength: 4 },
);

function apply(root: { [key: string]: Value }, { kind, where, value, key }: Edit): void {
  let holder: Free = root;
  let step = "";
  for (const choice of where) {
    const steps = Object.keys(holder);
    if (steps.length === 0) break;
    step = steps[choice % steps.length] ?? "";
    const inner = holder[step];
    if (typeof inner !== "object" || inner === null || choice % 3 === 0) break;
    holder = inner;
  }
  if (kind === "add") {
    if (Array.isArray(holder)) holder.push(value);
    else holder[key] = value;
  } else if (kind === "insert" && Array.isArray(holder)) holder.splice(Number(step) || 0, 0, value);
  else if (kind === "delete") {
    if (Array.isArray(holder)) holder.splice(Number(step) || 0, 1);
    else delete holder[step];
  } else if (Object.hasOwn(holder, step)) {
    // Most real changes replace a word by a word.
    if (kind === "set") holder[step] = value;
    else if (typeof holder[step] !== "object") holder[step] = "changed";
  }
}

/** Does the entry below the comment, and everything around it, still exist? */
function belongs({ path }: Comment, before: unknown, after: unknown): boolean {
  let [old, now] = [before, after] as [Free, Free];
  for (const step of path) {
    if (typeof old !== "object" || old === null || typeof now !== "object" || now === null)
      return false;
    if (Array.isArray(old) !== Array.isArray(now)) return false;
    // Which of the items is gone, only a person could say.
    if (Array.isArray(old) && old.length !== now.length) return false;
    if (!Object.hasOwn(old, step) || !Object.hasOwn(now, step)) return false;
    [old, now] = [old[step], now[step]];
  }
  return true;
}

describe("any document, any edit", () => {
  test("S5.2 what was wanted is what the text means, always; S0.1 comments survive", () => {
    const count = { cases: 0, comments: 0, lost: 0, unlike: 0 };
    fc.assert(
      fc.property(
        roots,
        fc.array(fc.nat({ max: 1000 }), { minLength: 5, maxLength: 60 }),
        edits,
        fc.boolean(),
        (root, noise, changes, dos) => {
          const writer = new Writer(noise);
          const lines = writer.document(root);
          const text = dos ? lines.replaceAll("\n", "\r\n") : lines;
          expect(read(text)).toEqual(root);
          const wanted = structuredClone(root) as { [key: string]: Value };
          for (const change of changes) apply(wanted, change);
          const edited = editYaml(text, wanted);
          expect(read(edited), `${text}\n=>\n${edited}`).toEqual(wanted);
          expect(dos && edited.replaceAll("\r\n", "").includes("\n")).toBe(false);
          const due = writer.comments.filter((comment) => belongs(comment, root, wanted));
          const lost = due.filter((comment) => !edited.includes(comment.text));
          count.cases++;
          count.comments += due.length;
          count.lost += lost.length;
          if (lost.length > 0) count.unlike++;
        },
      ),
      { numRuns: 3000, seed: 11 },
    );
    expect(count.comments).toBeGreaterThan(count.cases / 2);
    // None of 54,000 in 20,000 cases when this was written.
    expect(count.unlike / count.cases).toBeLessThan(0.001);
  });

  test("S5.2 a new document can be read again, whatever it holds", () => {
    fc.assert(
      fc.property(roots, (root) => {
        expect(read(printYaml(root))).toEqual(root);
      }),
      { numRuns: 2000, seed: 12 },
    );
  });
});
