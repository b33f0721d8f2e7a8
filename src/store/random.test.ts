import { expect, test } from "vitest";
import { randomName } from "./random.ts";

test("S5.2 a name has as many digits as were asked for, and no two are alike", () => {
  for (const length of [1, 12, 16, 33]) expect(randomName(length)).toMatch(hexOf(length));
  const names = new Set(Array.from({ length: 2_000 }, () => randomName(16)));
  expect(names.size).toBe(2_000);
});

// --- internal ---

function hexOf(length: number): RegExp {
  return new RegExp(`^[0-9a-f]{${length}}$`);
}
