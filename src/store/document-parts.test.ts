import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Codec, loadCodec } from "../formats/codec.ts";
import { printJson } from "../formats/json.ts";
import type { OrchestrateState } from "../formats/orchestrate-state.ts";
import { loadJsonSchemas } from "../formats/validators.ts";
import { checkChange, short } from "./_document-check.ts";
import { freeze } from "../formats/frozen.ts";
import { indentOf, printParts } from "./_document-print.ts";

const numRuns = process.env["HOLDFAST_FULL"] === "1" ? 2_000 : 150;

type Fields = Record<string, unknown>;

/** Large enough for parts of it to be kept. */
const long = fc.array(fc.string({ unit: "grapheme" }), { minLength: 90, maxLength: 130 });
const part: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  long,
  fc.record({ 목록: long, inner: fc.record({ list: long, n: fc.integer() }) }),
  fc.dictionary(fc.string(), fc.array(fc.string()), { minKeys: 70, maxKeys: 90 }),
);
const key = fc.constantFrom("a", "나", '"', "1", "z\n", "x");
const document = fc.dictionary(key, part, { minKeys: 1, maxKeys: 6, noNullPrototype: true });

/** Takes some items out of a list at this place, and puts others in. */
interface Splice {
  readonly at: number;
  readonly out: number;
  readonly put: readonly string[];
}
const splice: fc.Arbitrary<Splice> = fc.record({
  at: fc.oneof(fc.nat(130), fc.constantFrom(0, 1, 129)),
  out: fc.oneof(fc.nat(3), fc.constant(130)),
  put: fc.array(fc.string({ unit: "grapheme" }), { maxLength: 3 }),
});

/** A new version that shares what it does not change, one level down or two. */
function edited(before: Fields, name: string, value: unknown, by: Splice): Fields {
  const inner = before[name];
  if (typeof inner !== "object" || inner === null) return { ...before, [name]: value };
  const next = Array.isArray(inner)
    ? (inner as unknown[]).toSpliced(by.at, by.out, ...by.put)
    : edited(inner as Fields, Object.keys(inner)[by.at % 2] ?? "edited", value, by);
  return { ...before, [name]: next };
}

describe("a document printed in parts (S2.1)", () => {
  test("is what the codec prints, byte for byte, through any number of versions", () => {
    let inParts = 0;
    const edit = fc.record({ name: key, value: part, by: splice });
    fc.assert(
      fc.property(
        document,
        fc.constantFrom("  ", "    ", "\t"),
        fc.array(edit, { minLength: 1, maxLength: 6 }),
        (first, indent, edits) => {
          let value = first;
          let text = `${JSON.stringify(first, null, indent)}\n`;
          freeze(first);
          for (const { name, value: put, by } of edits) {
            const before = value;
            value = edited(value, name, put, by);
            freeze(value);
            const known = indentOf(text);
            const bytes = known === undefined ? undefined : printParts(value, known, before);
            const wanted = printJson(value, text);
            if (bytes) inParts++;
            expect(Buffer.from(bytes ?? wanted).toString("utf8")).toBe(wanted);
            text = wanted;
          }
        },
      ),
      { seed: 20260105, numRuns },
    );
    expect(inParts).toBeGreaterThan(numRuns);
  });

  test("is left to the codec where JSON would leave something out, mend it or lay it out otherwise", () => {
    for (const value of [
      { a: undefined },
      { a: () => 1 },
      { a: "\ud800" },
      { "\ud800": 1 },
      { a: { b: ["\ud800"] } },
      { toJSON: () => 1 },
      // What stands for a part while the rest is printed.
      { a: "\0part" },
      { "\0part": 1, b: Array.from({ length: 90 }, String) },
      [1],
      "text",
    ])
      expect(printParts(value, "  ")).toBeUndefined();
    for (const text of ["{}\n", '{"a":1}\n', '{\n  "a": 1\n}', '{\r\n  "a": 1\r\n}\r\n'])
      expect(indentOf(text)).toBeUndefined();
    expect(indentOf('{\n\t"a": "\\ud800"\n}\n')).toBeUndefined();
    expect(indentOf('{\n\t"a": 1\n}\n')).toBe("\t");
  });
});

describe("a document checked by what has changed (S3.4)", () => {
  test("no schema judges one part by another, which is what this rests on", async () => {
    const words = new Set<string>();
    const most: unknown[] = [];
    const collect = (node: unknown, names: boolean): void => {
      if (typeof node !== "object" || node === null) return;
      for (const [word, inner] of Object.entries(node)) {
        if (names || Array.isArray(node)) collect(inner, false);
        else {
          words.add(word);
          if (word === "maxItems") most.push(inner);
          if (!["enum", "const", "required", "default", "examples"].includes(word))
            collect(inner, ["properties", "$defs"].includes(word));
        }
      }
    };
    collect(Object.values(await loadJsonSchemas()), false);
    expect([...words]).toEqual(expect.arrayContaining(["properties", "items", "minItems"]));
    // minItems may only refuse what is right: the whole is then looked at.
    expect(most.filter((limit) => Number(limit) > short)).toEqual([]);
    const across = ["uniqueItems", "contains", "maxProperties", "minProperties"];
    const branches = ["anyOf", "oneOf", "allOf", "not", "if", "dependentRequired"];
    expect([...words].filter((word) => [...across, ...branches].includes(word))).toEqual([]);
  });

  test("is judged as the whole would be", async () => {
    const codec = (await loadCodec("orchestrate-state")) as Codec<unknown>;
    const verdicts = { right: 0, wrong: 0 };
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), last, (changes, end) => {
        const before = state(300);
        freeze(before);
        const after = [...changes, end].reduce((now, make) => make(now), before);
        const whole = codec.check(after).find(({ level }) => level === "error");
        const found = checkChange({ format: "orchestrate-state", codec }, before, after);
        expect(found?.pointer).toBe(whole?.pointer);
        verdicts[whole ? "wrong" : "right"]++;
      }),
      { seed: 20260106, numRuns },
    );
    expect(Math.min(verdicts.right, verdicts.wrong)).toBeGreaterThan(numRuns / 10);
  });
});

// --- samples ---

type Change = (before: OrchestrateState) => OrchestrateState;
const lists = ["pending", "ready", "in_progress", "completed", "failed", "blocked"] as const;

const moved =
  (from: (typeof lists)[number], to: (typeof lists)[number], at: number): Change =>
  ({ tasks, ...rest }) => {
    const id = tasks[from][at % Math.max(1, tasks[from].length)];
    if (id === undefined || from === to) return { ...rest, tasks };
    const without = tasks[from].filter((other) => other !== id);
    return { ...rest, tasks: { ...tasks, [from]: without, [to]: [...tasks[to], id] } };
  };
const put =
  (list: (typeof lists)[number], at: number, id: string): Change =>
  (before) => ({
    ...before,
    tasks: { ...before.tasks, [list]: before.tasks[list].toSpliced(at, 1, id) },
  });
const needs =
  (id: string, dependency: string): Change =>
  (before) => ({ ...before, dependencies: { ...before.dependencies, [id]: [dependency] } });
const phase =
  (tasks: readonly string[] | undefined): Change =>
  (before) => ({
    ...before,
    checkpoints: { ...before.checkpoints, phase_0: tasks ? { tasks: [...tasks] } : {} },
  });

const list = fc.constantFrom(...lists);
const id = fc.constantFrom("T0.1", "T0.200", "T9.9", "x", "T0.299");
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(list, list, fc.nat(299)).map((given) => moved(...given)) },
  { weight: 2, arbitrary: fc.tuple(list, fc.nat(299), id).map((given) => put(...given)) },
  { weight: 1, arbitrary: fc.tuple(id, id).map((given) => needs(...given)) },
  { weight: 1, arbitrary: fc.constantFrom(["T0.300"], ["x"], undefined).map(phase) },
);
/** Comes last: some leave nothing that the others could change. */
const last: fc.Arbitrary<Change> = fc.constantFrom<Change>(
  (before) => before,
  (before) => ({ ...before, mode: "fast" as "normal" }),
  (before) => ({ ...before, metrics: { ...before.metrics, total_tasks: -1 } }),
  (before) => ({ ...before, metrics: { ...before.metrics, total_tasks: 7 } }),
  ({ tasks: _tasks, ...rest }) => rest as OrchestrateState,
  (before) => ({ ...before, tasks: { ...before.tasks, pending: "x" as unknown as string[] } }),
  (before) => ({ ...before, note: ["mine"] }),
);

/** Each of its tasks needs the one before; the last stands only in a phase that is over. */
function state(size: number): OrchestrateState {
  const ids = Array.from({ length: size }, (_, n) => `T0.${n + 1}`);
  const now = "2026-01-21T09:00:00Z";
  return {
    version: "2.0",
    mode: "normal",
    project: "p",
    execution: { current_phase: 0, worktree: null, started_at: now, last_updated: now },
    tasks: {
      pending: ids.slice(150, size - 1),
      ready: [],
      in_progress: ids.slice(140, 150),
      completed: ids.slice(0, 140),
      failed: [],
      blocked: [],
    },
    dependencies: Object.fromEntries(ids.slice(1).map((own, n) => [own, [ids[n] ?? ""]])),
    checkpoints: { phase_0: { tasks: ["T0.300"] } },
    metrics: {
      total_tasks: size,
      completed_count: 0,
      failed_count: 0,
      average_task_time_seconds: 1,
    },
    config: { max_parallel: 0, retry_limit: 10, slack_webhook_url: null },
  };
}
