import { expect, test } from "vitest";
import { isSum, sumOf } from "./_document-sum.ts";

const text = (words: string): Buffer => Buffer.from(words);

test("S5.3 a sum knows its own bytes, and no others", () => {
  const sum = sumOf(text("ours"));
  expect(isSum(text("ours"), sum)).toBe(true);
  for (const other of ["ours ", "Ours", "", "our"]) expect(isSum(text(other), sum)).toBe(false);
  expect(isSum(null, sum)).toBe(false);
  expect(isSum(null, sumOf(null))).toBe(true);
  expect(isSum(text(""), null)).toBe(false);
});

test("S5.3 what stands there that is no sum is nobody's", () => {
  for (const sum of ["", "sha256", "0".repeat(64)])
    for (const bytes of [text(""), text("ours")]) expect(isSum(bytes, sum)).toBe(false);
});
