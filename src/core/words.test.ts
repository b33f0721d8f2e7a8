import { describe, expect, test } from "vitest";
import { termsOf, wordsAsked } from "./words.ts";

/** Have two words a stem in common? */
function meet(one: string, other: string): boolean {
  const stems = new Set(termsOf(one).stems.split(" "));
  return termsOf(other)
    .stems.split(" ")
    .some((stem) => stems.has(stem));
}

describe("words (S4.9)", () => {
  test.each([
    "migrate migrates migrated migrating migration migrations",
    "policy policies",
    "cancel cancelled cancelling cancellation",
    "encrypt encrypted encrypting encryption",
    "freeze froze frozen freezing",
    "build built building builds",
    "write wrote written writing writer writers",
    "index indexes indices indexed",
    "batch batches batched batching",
  ])("the forms of an English word are one: %s", (forms) => {
    const [first = "", ...others] = forms.split(" ");
    for (const other of others)
      expect({ other, met: meet(first, other) }).toEqual({ other, met: true });
  });

  test.each([
    "쿠폰 쿠폰은 쿠폰이 쿠폰을 쿠폰의 쿠폰으로 쿠폰에서는 쿠폰까지 쿠폰만",
    "서버 서버는 서버가 서버를 서버로 서버와 서버에서",
    "변환 변환하는 변환했다 변환했습니다 변환하다가 변환된 변환되었던",
    "지우는 지울 지운다 지웠다 지워서 지우고 지우면 지워지나",
    "멈추는 멈춤 멈춘 멈췄다 멈추고",
    "고르는 고른 골라서 골랐다",
    "행을 행의 행에",
  ])("the forms of a Korean word meet: %s", (forms) => {
    const [first = "", ...others] = forms.split(" ");
    for (const other of others)
      expect({ other, met: meet(first, other) }).toEqual({ other, met: true });
  });

  test("other words do not", () => {
    for (const [one, other] of [
      ["지도", "지우는"],
      ["쿠폰", "쿠키"],
      ["booking", "boot"],
      ["관리", "관계"],
      ["test", "text"],
    ] as const)
      expect({ one, other, met: meet(one, other) }).toEqual({ one, other, met: false });
  });

  test("ids, parts of names and letters before Hangul are words; decomposed Hangul is the same", () => {
    expect(termsOf("T1.3이 R1-T2-S1 cp-4").stems.split(" ")).toEqual(
      expect.arrayContaining(["t1_3", "r1_t2_s1", "cp_4"]),
    );
    expect(termsOf("quoteRefund Redis로").stems.split(" ")).toEqual(
      expect.arrayContaining(["quot", "refund", "redis"]),
    );
    expect(termsOf("쿠폰".normalize("NFD"))).toEqual(termsOf("쿠폰"));
  });

  test("what is written together and apart shares its pairs; what only asks is left out", () => {
    const apart = termsOf("위치 정보").pairs.split(" ");
    expect(
      termsOf("위치정보")
        .pairs.split(" ")
        .every((pair) => apart.includes(pair)),
    ).toBe(true);
    expect(wordsAsked("Why did we do it with Redis?").map(({ word }) => word)).toEqual(["redis"]);
    expect(wordsAsked("세션을 왜 어디에 했나요?").map(({ word }) => word)).toEqual(["세션을"]);
    expect(wordsAsked("왜?").map(({ word }) => word)).toEqual(["왜"]);
  });

  test("a long text costs in proportion: a megabyte of one word, of no words, of keys", () => {
    for (const text of ["가".repeat(1_000_000), "?".repeat(1_000_000), "aB1".repeat(300_000)])
      expect(termsOf(text).stems.length).toBeLessThan(3_000_000);
  });
});
