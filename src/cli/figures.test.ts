import { expect, test } from "vitest";
import { countText, durationText, moneyText } from "./figures.ts";

test("S7.4 a duration, a count and a sum are short, and none is rounded away", () => {
  expect([0, 999, 59_400, 60_000, 190_000, 3_600_000, 93_780_000].map(durationText)).toEqual([
    "0s",
    "1s",
    "59s",
    "1m00s",
    "3m10s",
    "1h00m",
    "26h03m",
  ]);
  expect([0, 999, 1_200, 48_000, 1_234_567].map(countText)).toEqual([
    "0",
    "999",
    "1.2k",
    "48k",
    "1.2M",
  ]);
  expect([0, 0.004, 0.21, 12].map(moneyText)).toEqual(["$0.00", "<$0.01", "$0.21", "$12.00"]);
});
