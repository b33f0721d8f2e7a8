import { describe, expect, test } from "vitest";
import { texts } from "./all-texts.ts";
import { type Message, type MessageKey, languages, msg, render } from "./messages.ts";

const keys = Object.keys(texts) as MessageKey[];
const blanks = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).toSorted();

describe("S7.4 every text", () => {
  test("has the same blanks in both languages", () => {
    const uneven = keys.filter(
      (key) => blanks(texts[key].en).join() !== blanks(texts[key].ko).join(),
    );
    expect(uneven).toEqual([]);
  });

  test("leaves no blank and no choice of particle open once it is filled", () => {
    const open = keys.flatMap((key) =>
      languages
        .map((language) => {
          const params = Object.fromEntries(
            blanks(texts[key][language]).map((name) => [name, "값"]),
          );
          return `${key}: ${render(language, { key, params })}`;
        })
        .filter((text) => /[{}]|\([가-힣]+\/[가-힣]+\)/.test(text)),
    );
    expect(open).toEqual([]);
  });

  test("is Korean in Korean, and in English holds no Korean", () => {
    const foreign = keys.filter((key) => /[가-힣]/.test(texts[key].en));
    const untranslated = keys.filter(
      (key) => /[a-z]{2} [a-z]{2}/.test(texts[key].en) && !/[가-힣]/.test(texts[key].ko),
    );
    expect({ foreign, untranslated }).toEqual({ foreign: [], untranslated: [] });
  });

  test("chooses the particle after a blank by its value, never once for all", () => {
    // 의, 에, 도, 만 … fit any word; these do not.
    const fixed = /\{\w+\}[”’"')]?(?:은|는|이|가|을|를|과|와|으로|로)(?=[\s.,:;]|$)/;
    expect(keys.filter((key) => fixed.test(texts[key].ko))).toEqual([]);
  });
});

// machine.no_transition ends its event in “{event}”(을/를), agent.held_already in (으로/로).
const object = (event: string): string => {
  const machine = msg("machine.task");
  const said = render(
    "ko",
    msg("machine.no_transition", { machine, state: "s", event, allowed: "–" }),
  );
  return said.slice(said.indexOf("“"), said.indexOf(" 할 수 없습니다"));
};
const means = (hold: string): string =>
  render("ko", msg("agent.held_already", { hold })).replace(/^이미 (.*) 멈춰.*$/, "$1");

describe("S7.4 the Korean particle", () => {
  test("follows 받침: 을 after a consonant, 를 after a vowel", () => {
    expect(object("승인")).toBe("“승인”을");
    expect(object("취소")).toBe("“취소”를");
    expect(object("일")).toBe("“일”을");
  });

  test("으로 turns to 로 after a vowel, and after ㄹ too", () => {
    expect(means("승인")).toBe("“승인”으로");
    expect(means("취소")).toBe("“취소”로");
    expect(means("파일")).toBe("“파일”로");
  });

  test("reads digits aloud: 영 일 이 삼 사 오 육 칠 팔 구", () => {
    const objects = Array.from("0123456789", (digit) => object(digit).slice(-1)).join("");
    expect(objects).toBe("을을를을를를을을을를");
    const ways = Array.from("0123456789", (digit) => means(digit).slice(3)).join(" ");
    expect(ways).toBe("으로 로 로 으로 로 로 으로 로 로 로");
  });

  test("reads Latin letters aloud: 엘 엠 엔 알 are closed, and 엘 알 end in ㄹ", () => {
    const closed = Array.from("abcdefghijklmnopqrstuvwxyz").filter((c) => object(c).endsWith("을"));
    expect(closed.join("")).toBe("lmnr");
    expect([means("L"), means("M"), means("n"), means("r")].map((text) => text.slice(3))).toEqual([
      "로",
      "으로",
      "으로",
      "로",
    ]);
  });

  test("looks past what is not read aloud", () => {
    expect(object("src/일(1).")).toBe("“src/일(1).”을");
    expect(object("T1-2)")).toBe("“T1-2)”를");
    expect(object("…")).toBe("“…”를");
  });
});

describe("rendering", () => {
  test("a blank may hold another message, in the same language", () => {
    const inner: Message = msg("machine.agent");
    const text = msg("machine.unknown_state", {
      machine: inner,
      id: "",
      state: "x",
      known: "a, b",
    });
    expect(render("en", text)).toBe("Unknown state “x” of the agent. Known: a, b.");
    expect(render("ko", text)).toBe("에이전트의 상태 “x”는 알 수 없는 값입니다. 가능한 값: a, b.");
  });

  test("what a value holds is never read as a blank or a pattern", () => {
    const text = msg("unit.claimed", { session: "{id} $& $1" });
    expect(render("en", text)).toBe("Session {id} $& $1 works on it.");
  });

  test("numbers are written as they are, zero too", () => {
    expect(render("en", msg("phase.rework_left", { done: 0, max: 3 }))).toMatch(/^0 of 3/);
  });

  test("a missing value shows its name: a hole is never silent", () => {
    const hole: Message = { key: "unit.waits_for", params: {} };
    expect(render("en", hole)).toBe("It waits for: {ids}.");
  });
});
