import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyDifference, applyDifferences, differenceOf } from "./difference.ts";

const same = (a: Uint8Array | undefined, b: Uint8Array): boolean =>
  a !== undefined && Buffer.compare(a, b) === 0;

const text = (before: string, after: string): string =>
  Buffer.from(differenceOf(Buffer.from(before), Buffer.from(after))).toString();

/** Two contents that share much, as two revisions do; sizes around the blocks compared at once. */
const revisions = fc
  .record({
    size: fc.oneof(fc.nat(40), fc.integer({ min: 4_090, max: 4_102 }), fc.nat(30_000)),
    letters: fc.constantFrom(1, 2, 251),
    edits: fc.array(
      fc.record({
        cut: fc.nat(100),
        length: fc.oneof(fc.nat(5), fc.nat(10_000)),
        put: fc.uint8Array({ maxLength: 50, size: "max" }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  })
  .map(({ size, letters, edits }) => {
    const before = Uint8Array.from({ length: size }, (_, n) => (n * n * 7) % letters);
    let after: Uint8Array = before;
    for (const { cut, length, put } of edits) {
      const at = Math.floor((after.length * cut) / 100);
      after = Buffer.concat([after.subarray(0, at), put, after.subarray(at + length)]);
    }
    return { before, after };
  });

describe("the difference of two revisions", () => {
  test("makes the second out of the first, whatever they are", () => {
    fc.assert(
      fc.property(revisions, ({ before, after }) => {
        expect(same(applyDifference(before, differenceOf(before, after)), after)).toBe(true);
        expect(same(applyDifference(after, differenceOf(after, before)), before)).toBe(true);
      }),
      { seed: 20260104, numRuns: 2_000 },
    );
  });

  test("holds what is new in each of a few places, and no more", () => {
    expect(text("abcdef", "abXdef")).toBe("0 2 1 3 3 0\nX");
    expect(text("abc", "abc")).toBe("0 3 0\n");
    expect(text("aaa", "aaaa")).toBe("0 3 1\na");
    expect(text("aaaa", "aaa")).toBe("0 3 0\n");
    expect(text("", "새 것")).toBe("0 0 7\n새 것");
    expect(text("old", "")).toBe("0 0 0\n");
    expect(text("xabc", "abc")).toBe("0 0 0 1 3 0\n");
    const lines = Array.from(
      { length: 20_000 },
      (_, n) => `  "T${Math.floor(n / 500)}.${n % 500}",\n`,
    );
    const after = lines.with(3, "first\n").toSpliced(900, 1).toSpliced(9_000, 0, "second\n");
    const changed = text(lines.join(""), `${after.join("")}last\n`);
    expect(changed.slice(changed.indexOf("\n") + 1)).toBe("first\nsecond\nlast");
  });

  test("many in a row are the same as one after the other", () => {
    const contents = fc.array(fc.uint8Array({ maxLength: 60, size: "max" }), { minLength: 1 });
    fc.assert(
      fc.property(contents, (all) => {
        const [first = new Uint8Array(0)] = all;
        const steps = all.slice(1).map((next, n) => differenceOf(all[n] ?? first, next));
        expect(same(applyDifferences(first, steps), all.at(-1) ?? first)).toBe(true);
      }),
      { seed: 20260105, numRuns: 1_000 },
    );
  });

  test("that does not fit, or is none, gives nothing", () => {
    const before = Buffer.from("abc");
    const bad = [
      "",
      "\n",
      "1\n",
      "0 3\n",
      "0 4 0\n",
      "3 1 0\n",
      "0 1 2\nx",
      "0 1 0\nx",
      "-1 0 0\n",
      "0 1 1",
      "1e0 0 0\n",
      "0 1 0 1\n",
      `${"9".repeat(40)} 0 0\n`,
      `${"9".repeat(16)} 1 0\n`,
    ];
    const fits = bad.filter((one) => applyDifference(before, Buffer.from(one)) !== undefined);
    expect(fits).toEqual([]);
  });
});
