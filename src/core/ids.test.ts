import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fault } from "./errors.ts";
import { render } from "./messages.ts";
import {
  compareNaturally,
  compareUnitIds,
  formatCheckpointId,
  formatDayId,
  formatRequestId,
  formatUnitId,
  isSafeId,
  isTaskId,
  nextDayId,
  nextRequestId,
  parseCheckpointId,
  parseDayId,
  parseRequestId,
  parseUnitId,
  projectHash,
  requireSafeId,
  taskId,
  unsafeId,
} from "./ids.ts";

const runs = { seed: 20260102, numRuns: 2000 };

describe("task ids (S1.7)", () => {
  test("carry the random part given", () => {
    expect(taskId("abc123")).toBe("task_abc123");
    expect(isTaskId("task_abc123")).toBe(true);
  });

  test.each(["task_", "task_ABC", "task_a/b", " task_a", "task_a\n", "task-a", "xtask_a"])(
    "“%s” is none",
    (text) => expect(isTaskId(text)).toBe(false),
  );

  test("a random part that would break out of the id is our own fault", () => {
    expect(() => taskId("../x")).toThrow(Fault);
    expect(() => taskId("")).toThrow(Fault);
  });
});

describe("day ids (S3.3)", () => {
  test("are read whole and written back exactly", () => {
    expect(parseDayId("task-2025-11-18-001")).toEqual({
      kind: "task",
      day: "2025-11-18",
      number: 1,
    });
    for (const id of ["task-2025-11-18-001", "session-2024-02-29-999", "task-2025-01-01-1000"]) {
      const parsed = parseDayId(id);
      expect(parsed && formatDayId(parsed)).toBe(id);
    }
  });

  test.each([
    "task-2025-11-18-01",
    "task-2025-11-18-0001",
    "task-2025-11-18-001x",
    "xtask-2025-11-18-001",
    "task-2025-11-18-001\n",
    "task-2025-02-29-001",
    "task-2025-13-01-001",
    "task-2025-00-10-001",
    "task-2025-04-31-001",
    "task-2025-11-00-001",
    "plan-2025-11-18-001",
    "task-２０２５-11-18-001",
    `task-2025-11-18-${"9".repeat(40)}`,
  ])("“%s” is none", (text) => expect(parseDayId(text)).toBeUndefined());

  test("the next one follows the highest of its kind and day, past 999 with four digits", () => {
    const day = "2026-01-31";
    expect(nextDayId("task", day, [])).toBe("task-2026-01-31-001");
    const existing = [
      "task-2026-01-31-009",
      "task-2026-01-31-002",
      "task-2026-01-30-500",
      "session-2026-01-31-077",
      "rubbish",
    ];
    expect(nextDayId("task", day, existing)).toBe("task-2026-01-31-010");
    expect(nextDayId("session", day, existing)).toBe("session-2026-01-31-078");
    expect(nextDayId("task", day, ["task-2026-01-31-999"])).toBe("task-2026-01-31-1000");
    expect(nextDayId("task", day, ["task-2026-01-31-1000"])).toBe("task-2026-01-31-1001");
  });

  test("a day that does not exist is refused", () => {
    expect(() => nextDayId("task", "2026-02-30", [])).toThrow(Fault);
    expect(() => nextDayId("task", "today", [])).toThrow(Fault);
  });
});

describe("request ids (S4.1)", () => {
  test("R1, T1 and T1-S1 are read and written back", () => {
    expect(parseRequestId("R2")).toEqual({ kind: "request", number: 2 });
    expect(parseRequestId("T12")).toEqual({ kind: "task", number: 12 });
    expect(parseRequestId("T1-S3")).toEqual({ kind: "subtask", task: 1, number: 3 });
    for (const id of ["R1", "T1", "T10-S20"]) {
      const parsed = parseRequestId(id);
      expect(parsed && formatRequestId(parsed)).toBe(id);
    }
  });

  test.each(["R0", "T01", "T1-S0", "T1-", "T1-S1-S2", "r1", "T1.3", "R1 ", "R1\n", "R1-S1", ""])(
    "“%s” is none",
    (text) => expect(parseRequestId(text)).toBeUndefined(),
  );

  test("the next one counts within its own series", () => {
    const ids = ["R1", "R4", "T1", "T2", "T1-S1", "T1-S2", "T2-S7", "T1.3"];
    expect(nextRequestId({ kind: "request" }, ids)).toBe("R5");
    expect(nextRequestId({ kind: "task" }, ids)).toBe("T3");
    expect(nextRequestId({ kind: "subtask", task: 1 }, ids)).toBe("T1-S3");
    expect(nextRequestId({ kind: "subtask", task: 3 }, ids)).toBe("T3-S1");
  });

  test("numbers that are none can not be written", () => {
    for (const number of [0, -1, 1.5, Number.NaN, 1e21])
      expect(() => formatRequestId({ kind: "task", number })).toThrow(Fault);
  });
});

describe("checkpoint ids (S0.1)", () => {
  test("cp-N, and checkpoint-N as older documents write it", () => {
    expect(parseCheckpointId("cp-3")).toBe(3);
    expect(parseCheckpointId("checkpoint-3")).toBe(3);
    expect(formatCheckpointId(3)).toBe("cp-3");
    for (const text of ["cp-", "cp-01", "cp-3a", "cp3", "CP-3", "cp-3\n", "cp--3", "cp-1e3"])
      expect(parseCheckpointId(text)).toBeUndefined();
  });
});

describe("unit ids (S2.4)", () => {
  test.each([
    ["T1.3", { form: "plain", phase: 1, steps: [3] }],
    ["T0.5.2", { form: "plain", phase: 0, steps: [5, 2] }],
    ["P0-T0.1", { form: "phased", phase: 0, steps: [0, 1] }],
    ["P2-R1-T1", { form: "resource", phase: 2, part: 1, task: 1 }],
    ["P2-S1-T4", { form: "screen", phase: 2, part: 1, task: 4 }],
    ["P2-S1-V", { form: "screen", phase: 2, part: 1, task: "V" }],
  ])("%s", (text, parsed) => expect(parseUnitId(text)).toEqual(parsed));

  test.each([
    "T1",
    "T1.",
    "T1.3.4.5",
    "T1.03",
    "T01.3",
    "t1.3",
    "T1.3x",
    "xT1.3",
    "T1.3\n",
    "T1.3 T1.4",
    "P2-R1",
    "P2-T1",
    "P2-V",
    "P2-S1-V1",
    "P2-R1-T1-T2",
    "T１.3",
    "",
  ])("“%s” is none: the whole text counts, not a beginning", (text) =>
    expect(parseUnitId(text)).toBeUndefined(),
  );

  const number = fc.oneof(fc.nat(20), fc.nat(999_999_999));
  const unit = fc.oneof(
    fc.tuple(number, number).map(([a, b]) => `T${a}.${b}`),
    fc.tuple(number, number, number).map(([a, b, c]) => `T${a}.${b}.${c}`),
    fc.tuple(number, number, number).map(([a, b, c]) => `P${a}-T${b}.${c}`),
    fc
      .tuple(number, fc.constantFrom("R", "S"), number, number)
      .map(([a, kind, b, c]) => `P${a}-${kind}${b}-T${c}`),
    fc
      .tuple(number, fc.constantFrom("R", "S"), number)
      .map(([a, kind, b]) => `P${a}-${kind}${b}-V`),
  );

  test("every id comes back exactly as it was", () => {
    fc.assert(
      fc.property(unit, (id) => {
        const parsed = parseUnitId(id);
        expect(parsed && formatUnitId(parsed)).toBe(id);
      }),
      runs,
    );
  });

  test("whatever a parser takes, it writes back: nothing is read loosely", () => {
    const noise = fc.string({
      unit: fc.constantFrom(...Array.from("TPRSVcp-.0123 ")),
      maxLength: 10,
    });
    fc.assert(
      fc.property(noise, (text) => {
        const [unitId, requestId] = [parseUnitId(text), parseRequestId(text)];
        expect(unitId ? formatUnitId(unitId) : text).toBe(text);
        expect(requestId ? formatRequestId(requestId) : text).toBe(text);
      }),
      { ...runs, numRuns: 20_000 },
    );
  });

  test("are ordered as a person counts, phase first", () => {
    const mixed = ["zz", "T10.1", "P2-R1-T10", "T1.10", "P2-R1-T1", "T0.5.2", "P1-T1.3", "T1.2"];
    // Within phase 1 the two spellings stay apart: P sorts before T.
    expect(mixed.toSorted(compareUnitIds).join(" ")).toBe(
      "T0.5.2 P1-T1.3 T1.2 T1.10 P2-R1-T1 P2-R1-T10 T10.1 zz",
    );
  });

  test("the order is total: antisymmetric, transitive, equal only to itself", () => {
    const text = fc.oneof(
      unit,
      fc.string({ unit: fc.constantFrom(...Array.from("aT.019")), maxLength: 6 }),
    );
    for (const compare of [compareUnitIds, compareNaturally]) {
      fc.assert(
        fc.property(text, text, text, (a, b, c) => {
          expect(Math.sign(compare(a, b)) + Math.sign(compare(b, a))).toBe(0);
          expect(compare(a, b) === 0).toBe(a === b);
          const ordered = compare(a, b) <= 0 && compare(b, c) <= 0;
          expect(ordered && compare(a, c) > 0).toBe(false);
        }),
        runs,
      );
    }
  });
});

test("projectHash is the first 8 hex digits of the path's MD5 (S4.1)", () => {
  // echo -n /home/me/프로젝트 | md5sum
  const root = "/home/me/프로젝트";
  expect(projectHash(root)).toBe(createHash("md5").update(root).digest("hex").slice(0, 8));
  expect(projectHash("")).toBe("d41d8cd9");
});

describe("ids that become paths (S5.4)", () => {
  test.each([
    "T1.3",
    "cp-1",
    "code-explore",
    "기획자",
    "Code Reviewer",
    "a@b+c",
    "task_abc123",
    "_x",
  ])("“%s” is safe", (id) => {
    expect(unsafeId(id)).toBeUndefined();
    expect(isSafeId(id)).toBe(true);
    expect(requireSafeId(id)).toBe(id);
  });

  test.each([
    ["", "id.empty"],
    ["a".repeat(101), "id.too_long"],
    ["가".repeat(67), "id.too_long"],
    ["../etc/passwd", "id.separator"],
    ["..", "id.separator"],
    ["a..b", "id.separator"],
    ["a/b", "id.separator"],
    ["a\\b", "id.separator"],
    [".hidden", "id.edge"],
    ["-rf", "id.edge"],
    [" a", "id.edge"],
    ["a ", "id.edge"],
    ["a.", "id.edge"],
    [".", "id.edge"],
    ["a\0b", "id.invisible"],
    ["a\nb", "id.invisible"],
    ["\u001b[31mred", "id.invisible"],
    ["a\u200bb", "id.invisible"],
    ["a\u202eb", "id.invisible"],
    ["a\u1160b", "id.invisible"],
    ["a\u00a0b", "id.invisible"],
    ["a\ud800", "id.invisible"],
    ["기획자".normalize("NFD"), "id.look_alike"],
    ["ｔａｓｋ", "id.look_alike"],
    ["a／b", "id.look_alike"],
    ["C:x", "id.character"],
    ["a*", "id.character"],
    ["$(x)", "id.character"],
    ["a~1", "id.character"],
    ["con", "id.reserved"],
    ["NUL.json", "id.reserved"],
    ["com1", "id.reserved"],
    ["state.lock", "id.reserved"],
    ["state.BAK", "id.reserved"],
    ["__proto__", "id.reserved"],
    ["constructor", "id.reserved"],
  ])("%j is refused: %s", (id, key) => {
    expect(unsafeId(id)?.key).toBe(key);
    expect(isSafeId(id)).toBe(false);
    expect(() => requireSafeId(id)).toThrow(Fault);
  });

  test("names that merely begin like a reserved one are fine", () => {
    for (const id of ["console", "auxiliary", "com10", "nullable", "blocked", "lock"])
      expect(unsafeId(id)).toBeUndefined();
  });

  test("no sentence about an id lets its characters reach the terminal", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 120 }), (id) => {
        const problem = unsafeId(id);
        if (!problem) return;
        for (const language of ["en", "ko"] as const) {
          const text = render(language, problem);
          expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
          expect(text.length).toBeLessThan(800);
        }
      }),
      runs,
    );
  });

  test("a safe id is one path part, whatever it holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), (id) => {
        if (!isSafeId(id)) return;
        expect(id).not.toMatch(/[/\\\0]|^\.{1,2}$|^-/);
        expect(new TextEncoder().encode(id).length).toBeLessThanOrEqual(200);
      }),
      runs,
    );
  });

  test("both languages say it naturally", () => {
    const problem = unsafeId("a/b");
    expect(problem && render("en", problem)).toBe(
      "The id “a/b” holds “/”, which would leave its folder. Use “-” or “_” instead.",
    );
    const reserved = unsafeId("nul");
    expect(reserved && render("ko", reserved)).toBe(
      "“nul”은 시스템이나 Holdfast가 따로 쓰는 이름입니다. 다른 id를 골라 주세요.",
    );
  });
});
