import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  attemptLimits,
  backoff,
  backoffs,
  contextLevel,
  errorSignature,
  failureClasses,
  failureAnswers,
  rateLimitWait,
  retryLimits,
  sameErrorInARow,
} from "./retry.ts";

describe("waiting", () => {
  test("transient: 2 s · 2^n (S3.8)", () => {
    expect([0, 1, 2].map((n) => backoff("transient", n))).toEqual([2_000, 4_000, 8_000]);
  });

  test("agents of a request: 1 s · 2^n, at most 30 s (S4.5)", () => {
    const waits = [0, 1, 2, 3, 4, 5, 6].map((n) => backoff("agent", n));
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  test("a limit with a stated reset waits for it, and not an attempt more (S1.18)", () => {
    const now = 1_800_000_000_000;
    expect(rateLimitWait({ now, resetAt: now + 3_600_000, repeats: 5 })).toBe(3_600_000);
    expect(rateLimitWait({ now, resetAt: now + 10, repeats: 0 })).toBe(1_000);
  });

  test("a limit without one: 60 s, then longer each time (S1.18)", () => {
    const waits = [0, 1, 2, 3, 4, 50].map((repeats) => rateLimitWait({ now: 0, repeats }));
    expect(waits).toEqual([60_000, 120_000, 240_000, 480_000, 900_000, 900_000]);
    const most = [0, 1].map((repeats) => rateLimitWait({ now: 0, repeats, jitter: 1 }));
    expect(most).toEqual([60_000, 150_000]);
  });

  test("a reset that can not be meant is not believed", () => {
    const now = 1_800_000_000_000;
    // In the past, in seconds instead of milliseconds, in microseconds, and no number at all.
    for (const resetAt of [now - 1, now, 1_800_000_060, now * 1000, Number.NaN, Infinity])
      expect(rateLimitWait({ now, resetAt, repeats: 0 })).toBe(60_000);
  });

  test("jitter only lengthens, by a quarter at most, whatever is passed in", () => {
    const kinds = fc.constantFrom("transient", "agent", "rateLimit");
    const any = fc.oneof(fc.double(), fc.integer(), fc.nat(40));
    fc.assert(
      fc.property(kinds, any, fc.double({ min: 0, max: 1, noNaN: true }), (kind, retry, jitter) => {
        const plain = backoff(kind, retry || 0);
        const wait = backoff(kind, retry || 0, jitter);
        expect(plain).toBeGreaterThanOrEqual(backoffs[kind].base);
        expect(plain).toBeLessThanOrEqual(backoffs[kind].cap);
        expect(wait).toBeGreaterThanOrEqual(plain);
        expect(wait).toBeLessThanOrEqual(plain * 1.25 + 1);
      }),
      { seed: 20260108, numRuns: 2000 },
    );
  });
});

test("the limits are those of the five workflows", () => {
  expect(attemptLimits).toEqual({ checkpoint: 3 });
  expect(retryLimits).toEqual({
    unit: 10,
    agent: 3,
    gate: 2,
    test: 3,
    phase: 2,
    step: 3,
    contract: 3,
    rework: 3,
    reminder: 2,
  });
});

describe("error signatures (S2.5)", () => {
  const base = {
    type: "TypeError",
    message: `Cannot read "id" of undefined in /home/me/app/src/a.ts:12:5 after 34 ms`,
    stack: `TypeError: Cannot read "id"\n    at load (/home/me/app/src/a.ts:12:5)\n    at main (/x/b.ts:1:1)`,
  };

  test("say what went wrong, without numbers, paths and quoted values", () => {
    expect(errorSignature(base)).toMatch(
      /^TypeError: Cannot read STR of undefined in \/PATH after N ms #[0-9a-f]{12}$/,
    );
  });

  test.each([
    ["another line", { ...base, message: base.message.replace("12:5", "99:1") }],
    ["another path", { ...base, message: base.message.replace("/home/me", "/tmp/w-17") }],
    ["another value", { ...base, message: base.message.replace('"id"', '"a longer, other one"') }],
    ["another time", { ...base, message: base.message.replace("34", "1200") }],
    ["other colours", { ...base, message: `\u001b[31m${base.message}\u001b[0m` }],
    ["other blanks", { ...base, message: base.message.replace(" in ", "\n   in ") }],
    ["frames elsewhere", { ...base, stack: base.stack.replaceAll("/home/me", "/srv/w2") }],
    ["a fourth frame", { ...base, stack: `${base.stack}\n    at c (/x:1)\n    at d (/x:1)` }],
  ])("are the same with %s", (name, other) => {
    const more = name === "a fourth frame" ? "\n    at c (/x:1)\n    at zzz (/x:1)" : "";
    expect(errorSignature(other)).toBe(errorSignature({ ...base, stack: base.stack + more }));
  });

  test.each([
    ["type", { ...base, type: "RangeError" }],
    ["word", { ...base, message: base.message.replace("undefined", "null") }],
    ["frame", { ...base, stack: base.stack.replace("at load", "at save") }],
    ["end of a long message", { ...base, message: `${base.message} ${"word ".repeat(200)} end` }],
  ])("differ by a different %s", (_, other) => {
    expect(errorSignature(other)).not.toBe(errorSignature(base));
  });

  test("addresses, hashes and ids do not make an error new", () => {
    const [first = "", second = ""] = [
      ["0x7ffd12ab", "3f2a9c1e-0b1d-4e5f-8a7b-aabbccddeeff"],
      ["0x1a", "00000000-1111-4222-8333-444444444444"],
    ].map(([at, id]) => errorSignature({ message: `segfault at ${at}, run ${id} gone` }));
    expect(first).toBe(second);
    expect(errorSignature({ message: "can't, won't" })).toContain("can't, won't");
  });

  test("Korean text, Windows paths and Python frames are read too", () => {
    const [first = "", second = ""] = [3, 77].map((line) =>
      errorSignature({
        message: `파일 'C:\\일\\a.py' 을 열 수 없습니다: C:\\일\\b${line}.py`,
        stack: `Traceback\n  File "/a/b${line}.py", line ${line}, in run\n    run()`,
      }),
    );
    expect(first).toBe(second);
    expect(first).toContain("파일 STR 을 열 수 없습니다: /PATH");
  });

  const hostile: readonly (readonly [string, string])[] = [
    ["quotes never closed", " 'a".repeat(350_000)],
    ["double quotes on lines of their own", '"\n'.repeat(500_000)],
    ["one word", "a".repeat(1_000_000)],
    ["digits and dashes", "0123456789abcdef-".repeat(60_000)],
    ["slashes", "/".repeat(1_000_000)],
    ["blanks", " ".repeat(1_000_000)],
    ["escapes", "\u001b[".repeat(500_000)],
    ["half surrogates", "\ud800'".repeat(500_000)],
  ];
  test.each(hostile)("a megabyte of %s stays bounded", (_, text) => {
    const signature = errorSignature({ type: text, message: text, stack: text });
    expect(signature.length).toBeLessThanOrEqual(260);
    expect(signature).not.toMatch(/[\p{Cc}\p{Cs}]/u);
    expect(errorSignature({ type: text, message: text, stack: text })).toBe(signature);
  });

  test("only the first 64 KiB count", () => {
    const long = "word ".repeat(20_000);
    expect(errorSignature({ message: `${long}x` })).toBe(errorSignature({ message: `${long}y` }));
  });
});

describe("giving up (S2.5)", () => {
  test("the same error three times in a row ends early; another one between does not", () => {
    expect(sameErrorInARow(["a", "b", "b"])).toBe(false);
    expect(sameErrorInARow(["b", "b"])).toBe(false);
    expect(sameErrorInARow(["a", "b", "b", "b"])).toBe(true);
    expect(sameErrorInARow(["b", "b", "a", "b"])).toBe(false);
    expect(sameErrorInARow(["b", "b"], 2)).toBe(true);
  });
});

describe("what a retry gets (S2.5, S0.5)", () => {
  test.each([
    [10, "ppprrrdddl"],
    [5, "pprdl"],
    [4, "prdl"],
    [3, "prl"],
    [2, "pl"],
    [1, "p"],
    [20, "ppppppprrrrrrddddddl"],
  ])("of %i retries: %s", (limit, expected) => {
    const levels = Array.from({ length: limit }, (_, n) => contextLevel(n + 1, limit));
    expect(levels.map((level) => level[0]).join("")).toBe(expected);
  });

  test("beyond the limit it stays the last", () => {
    expect(contextLevel(11)).toBe("last");
    expect(contextLevel(0)).toBe("plain");
  });
});

describe("kinds of failure", () => {
  test("three classes are tried again, two go to a person at once (S0.5)", () => {
    const classes = Object.entries(failureClasses).map(([name, { action }]) => `${name} ${action}`);
    expect(classes).toEqual([
      "NOT_IMPLEMENTED retry",
      "LOGIC_ERROR retry",
      "TYPE_ERROR retry",
      "DESIGN_MISMATCH escalate",
      "ENV_ISSUE escalate",
    ]);
  });

  test("six types, of which only the transient one waits (S3.8)", () => {
    const waits = Object.entries(failureAnswers).filter(([, { backoff: kind }]) => kind !== null);
    expect(Object.keys(failureAnswers)).toHaveLength(6);
    expect(waits.map(([name]) => name)).toEqual(["transient"]);
  });
});
