// What is read late is what would have been read at once, and what is made of it is written alike.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editList, hasLate, isSameField, lateAt, readLate, withFields } from "./late.ts";

const full = process.env["HOLDFAST_FULL"] === "1";
const numRuns = full ? 2_000 : 200;

const late = { long: true, inner: { "*": true }, deep: { "*": { list: true } } } as const;

const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 30 }), {
  minLength: 80,
  maxLength: 140,
});
const any = fc.oneof(fc.jsonValue({ maxDepth: 3 }), texts, fc.constantFrom("a,", "}", "]\n", {}));
const document = fc
  .record(
    {
      first: any,
      long: fc.oneof(any, fc.dictionary(fc.string(), texts, { maxKeys: 3, noNullPrototype: true })),
      inner: fc.oneof(any, fc.record({ one: texts, two: any, three: texts })),
      deep: fc.oneof(any, fc.record({ phase: fc.record({ list: texts, more: any }) })),
      '"': any,
      last: any,
    },
    { requiredKeys: [] },
  )
  .filter((value) => !JSON.stringify(value).includes("__proto__"));
const indents = fc.constantFrom("  ", "\t", "    ", " \t ");

describe("a document that is read late (S2.1)", () => {
  test("is the same, whatever it holds", () => {
    let unread = 0;
    fc.assert(
      fc.property(document, indents, (given, indent) => {
        const text = `${JSON.stringify(given, null, indent)}\n`;
        const read = readLate(Buffer.from(text), late);
        if (read === undefined) return;
        if (hasLate(read)) unread++;
        expect(Object.keys(read)).toEqual(Object.keys(JSON.parse(text) as object));
        expect(`${JSON.stringify(read, null, indent)}\n`).toBe(text);
        expect(Object.isFrozen(read)).toBe(true);
      }),
      { numRuns, endOnFailure: true, seed: 20_260_102 },
    );
    expect(unread).toBeGreaterThan(10);
  });

  test("is left to who reads all of it where it is not as we print it", () => {
    const printed = JSON.stringify({ long: Array.from({ length: 200 }, String) }, null, 2);
    const others = [
      printed,
      `${printed}\n\n`,
      `\n${printed}\n`,
      `${printed.replaceAll("\n", "\r\n")}\r\n`,
      `${JSON.stringify(JSON.parse(printed))}\n`,
      "{}\n",
      `${printed.slice(0, -20)}\n}\n`,
      `${printed.replace("  ", "   ")}\n`,
    ];
    const read = others.filter((text) => readLate(Buffer.from(text), late) !== undefined);
    expect(read).toEqual([]);
    expect(readLate(Buffer.from(`${printed}\n`), late)).toBeDefined();
  });

  test("has other fields in another version, and keeps those that nobody has read", () => {
    fc.assert(
      fc.property(document, document, (given, other) => {
        const read = readLate(Buffer.from(`${JSON.stringify(given, null, 2)}\n`), late);
        if (read === undefined) return;
        const made = withFields(read, other);
        const kept = Object.keys(given).filter((field) => !(field in other));
        expect(kept.filter((field) => !isSameField(read, made, field))).toEqual([]);
        expect(JSON.stringify(made)).toBe(JSON.stringify({ ...given, ...other }));
      }),
      { numRuns, endOnFailure: true, seed: 20_260_102 },
    );
  });
});

test("S2.3 a list is edited as the text it is", () => {
  const edits = fc.record({
    ids: fc.uniqueArray(fc.string({ unit: "grapheme", minLength: 1 }), {
      minLength: 1,
      maxLength: 200,
      size: "max",
    }),
    gone: fc.array(fc.nat(200), { maxLength: 4 }),
    all: fc.boolean(),
    come: fc.array(fc.string({ unit: "grapheme" }), { maxLength: 3 }),
  });
  let edited = 0;
  fc.assert(
    fc.property(edits, indents, ({ ids, gone, all, come }, indent) => {
      const list = [...ids.filter((id) => !/[[{]/.test(id)), "x".repeat(1024)];
      const read = readLate(
        Buffer.from(`${JSON.stringify({ inner: { list } }, null, indent)}\n`),
        late,
      ) as { inner: { list: string[] } } | undefined;
      const was = lateAt(read?.inner, "list");
      if (read === undefined || was === undefined) throw new Error("it was not read late");
      const leaving = all ? list : list.filter((_, place) => gone.includes(place));
      const now = editList(was, leaving, come);
      if (now === undefined) throw new Error("it was not edited");
      const left = [...list.filter((id) => !leaving.includes(id)), ...come];
      const inner = withFields(read.inner, {}, new Map([["list", now]]));
      const text = JSON.stringify({ inner: { list: left } }, null, indent);
      expect(text).toContain(`"list": ${now.bytes.toString("utf8")}\n`);
      expect(inner.list).toEqual(left);
      // Once more, of what it is now: nothing may be left of it.
      const none = was.isRead || now.isRead ? undefined : editList(now, left, []);
      expect(none?.bytes.toString() ?? "[]").toBe("[]");
      edited++;
    }),
    { numRuns, endOnFailure: true, seed: 20_260_102 },
  );
  expect(edited).toBe(numRuns);
});
