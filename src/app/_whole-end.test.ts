import { expect, test } from "vitest";
import { wholeEnd } from "./_whole-end.ts";

const bytes = new TextEncoder().encode("a가😀b");

test("S6.2 a piece of output never ends inside a character, and always goes on", () => {
  // a is 1 byte, 가 the next 3, 😀 the next 4, b the last.
  const ends = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((end) => wholeEnd(bytes, 0, end));
  expect(ends).toEqual([1, 1, 1, 4, 4, 4, 4, 8, 9]);
  // With nothing else to give, half a character is better than to stand still for ever.
  expect(wholeEnd(bytes, 1, 2)).toBe(2);
});
