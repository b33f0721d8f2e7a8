import { expect, test } from "vitest";
import { render } from "../core/messages.ts";
import { complaining } from "./_troubles.ts";

test("S1.20 the same trouble is told once a minute, another at once", () => {
  const told: string[] = [];
  let now = 1_000;
  const complain = complaining(
    (text) => void told.push(render("en", text)),
    () => now,
  );
  for (let second = 0; second < 90; second++, now += 1_000) {
    complain("tick of a", new Error("disk full"));
    if (second === 10) complain("tick of b", new Error("disk full"));
    if (second === 20) complain("tick of a", new Error("locked"));
  }
  expect(told).toEqual([
    "tick of a did not succeed and will be tried again: disk full",
    "tick of b did not succeed and will be tried again: disk full",
    "tick of a did not succeed and will be tried again: locked",
    "tick of a did not succeed and will be tried again: disk full",
  ]);
});

test("S1.20 what is remembered of troubles has an end", () => {
  let told = 0;
  const complain = complaining(
    () => void told++,
    () => 0,
  );
  for (let n = 0; n < 1_001; n++) complain(`tick of ${n}`, new Error("x"));
  complain("tick of 0", new Error("x"));
  complain("tick of 0", new Error("x"));
  expect(told).toBe(1_002);
});
