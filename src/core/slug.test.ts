import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { slugOf } from "./slug.ts";

describe("S2.6 slugOf", () => {
  test.each([
    ["로그인 화면", "로그인-화면"],
    ["로그인".normalize("NFD"), "로그인"],
    ["User Auth & Sign-up!", "user-auth-sign-up"],
    ["../../etc/passwd", "etc-passwd"],
    ["-rf .lock", "rf-lock"],
    ["ＦＥＡＴ　１", "feat-1"],
    ["🚀", ""],
    ["a\u0000b\u202Ec", "a-b-c"],
  ])("%j → %j", (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  test("is safe as a branch and a path part, whatever the name, and does not change twice", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", size: "max", maxLength: 300 }), (name) => {
        const slug = slugOf(name);
        expect(slug).toMatch(/^(?:[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*)?$/u);
        expect(Buffer.byteLength(slug)).toBeLessThanOrEqual(200);
        expect(slugOf(slug)).toBe(slug);
      }),
      { seed: 20260121, numRuns: 2000 },
    );
  });
});
