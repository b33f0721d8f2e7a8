import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { closest, distance } from "./closest.ts";

/** The textbook table, whole: slow and plain. */
function reference(a: string, b: string): number {
  const [x, y] = [Array.from(a), Array.from(b)];
  const d = x.concat("").map(() => y.concat("").map(() => 0));
  for (let i = 0; i <= x.length; i++) {
    for (let j = 0; j <= y.length; j++) {
      const get = (r: number, c: number): number => d[r]?.[c] ?? Infinity;
      let least = i === 0 ? j : j === 0 ? i : Infinity;
      if (i > 0 && j > 0) {
        const cost = x[i - 1] === y[j - 1] ? 0 : 1;
        least = Math.min(get(i - 1, j) + 1, get(i, j - 1) + 1, get(i - 1, j - 1) + cost);
        if (i > 1 && j > 1 && x[i - 1] === y[j - 2] && x[i - 2] === y[j - 1])
          least = Math.min(least, get(i - 2, j - 2) + 1);
      }
      const row = d[i];
      if (row) row[j] = least;
    }
  }
  return d[x.length]?.[y.length] ?? Infinity;
}

// Three letters: words alike enough for swaps and near misses to be common.
const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 12 });

describe("distance", () => {
  test("agrees with the whole table, with and without a limit", () => {
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 6 }), (a, b, limit) => {
        const expected = reference(a, b);
        expect(distance(a, b)).toBe(expected);
        expect(distance(a, b, limit)).toBe(expected <= limit ? expected : Infinity);
      }),
      { seed: 20260101, numRuns: 2000 },
    );
  });

  test("counts a swap of neighbours as one edit", () => {
    expect(distance("staus", "status")).toBe(1);
    expect(distance("sattus", "status")).toBe(1);
    expect(distance("", "abc")).toBe(3);
  });
});

describe("closest", () => {
  const commands = ["status", "start", "stop", "resume", "reset", "validate", "why"];

  test.each([
    ["sttaus", "status"],
    ["STATUS", "status"],
    ["stat", "status"],
    ["statu", "status"],
    ["val", "validate"],
    ["res", "reset"],
    ["wyh", "why"],
    ["resmue", "resume"],
  ])("%s → %s", (typed, meant) => {
    expect(closest(typed, commands)).toBe(meant);
  });

  test.each(["", "x", "deploy", "zzzzzz"])("nothing is close to “%s”", (typed) => {
    expect(closest(typed, commands)).toBeUndefined();
  });

  test("one wrong jamo is closer than another word (S1.15)", () => {
    expect(closest("완로", ["왼쪽", "완료", "원본"])).toBe("완료");
    expect(closest("완료", ["완료".normalize("NFD")])).toBe("완료".normalize("NFD"));
  });

  test("the first of equals is taken, and an exact word at once", () => {
    expect(closest("T1.3", ["T1.1", "T1.2"])).toBe("T1.1");
    expect(closest("T1.2", ["T1.1", "T1.2", "T1.2"])).toBe("T1.2");
  });

  test("a megabyte of text, and 100,000 candidates, are no burden", () => {
    expect(closest("a".repeat(1_000_000), commands)).toBeUndefined();
    expect(closest("status", ["s".repeat(1_000_000)])).toBeUndefined();
    const many = Array.from({ length: 100_000 }, (_, n) => `T${n >> 7}.${n & 127}`);
    expect(closest("T700.x4", many)).toBe("T700.4");
  });
});
