import { expect, test } from "vitest";
import { randomBytes, randomName } from "./random.ts";

test("S5.2 a name has as many digits as were asked for, and no two are alike", () => {
  for (const length of [1, 12, 16, 33]) expect(randomName(length)).toMatch(hexOf(length));
  const names = new Set(Array.from({ length: 2_000 }, () => randomName(16)));
  expect(names.size).toBe(2_000);
});

test("S5.2 every bit of it is set about half of the time", () => {
  const counts = Array.from({ length: 128 }, () => 0);
  for (let n = 0; n < 400; n++)
    for (const [place, byte] of randomBytes(16).entries())
      for (let bit = 0; bit < 8; bit++)
        if (((byte >> bit) & 1) === 1) counts[place * 8 + bit] = 1 + (counts[place * 8 + bit] ?? 0);
  // Eight deviations: by chance not once in as many runs as will ever be.
  for (const count of counts) expect(Math.abs(count - 200)).toBeLessThan(80);
});

// --- internal ---

function hexOf(length: number): RegExp {
  return new RegExp(`^[0-9a-f]{${length}}$`);
}
