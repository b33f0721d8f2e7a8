import { expect, test } from "vitest";
import { isoTime } from "./moment.ts";

test("a moment is written as Date writes it: each day of 800 years, their first and last millisecond, and the ends of what is known", () => {
  const day = 86_400_000;
  const wrong: number[] = [];
  const check = (moment: number): void => {
    if (isoTime(moment) !== new Date(moment).toISOString()) wrong.push(moment);
  };
  for (let at = Date.UTC(1600, 0, 1); at < Date.UTC(2400, 0, 1); at += day) {
    check(at);
    check(at + day - 1);
  }
  for (const iso of ["0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"])
    check(Date.parse(iso));
  expect(wrong).toEqual([]);
});

test("fractions of a millisecond are left out, before 1970 too", () => {
  for (const moment of [0.9, 1_794_856_217_040.75, -0.5, -1.25])
    expect(isoTime(moment)).toBe(new Date(Math.floor(moment)).toISOString());
});
