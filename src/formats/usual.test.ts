import { expect, test } from "vitest";
import { patterns } from "./patterns.ts";
import { isStamp, isUnit } from "./usual.ts";

test("S2.3 whatever is known as a unit's id fits the pattern, and every T1.2 is known: all texts of up to six pieces", () => {
  const pattern = new RegExp(patterns.unitId, "u");
  const twoNumbers = /^T(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})$/;
  const pieces = ["T", "0", "1", ".", "9", "-", "00", "12345678"];
  const wrong: string[] = [];
  let known = 0;
  const look = (text: string, more: number): void => {
    if (isUnit(text) !== twoNumbers.test(text) || (isUnit(text) && !pattern.test(text)))
      wrong.push(text);
    if (isUnit(text)) known++;
    if (more > 0) for (const piece of pieces) look(text + piece, more - 1);
  };
  look("", 6);
  expect(wrong).toEqual([]);
  expect(known).toBeGreaterThan(100);
});

test("S5.5 whatever is known as a time fits the pattern, and what Date writes from 1970 on is known", () => {
  const pattern = new RegExp(patterns.time, "u");
  const odd = [
    "2026-02-30T00:00:00.000Z",
    "2026-01-01T24:00:00.000Z",
    "Thu Jan 01 2026 00:00:00",
    "",
  ];
  for (const text of odd) expect([text, isStamp(text)]).toEqual([text, false]);
  for (const moment of [0, 1_794_856_217_040, Date.UTC(9999, 11, 31)]) {
    const text = new Date(moment).toISOString();
    expect([text, isStamp(text), pattern.test(text)]).toEqual([text, true, true]);
  }
});
