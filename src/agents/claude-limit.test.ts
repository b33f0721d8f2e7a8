import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { spokenReset, statedReset } from "./claude-limit.ts";

const zone = "Asia/Seoul";
const now = Date.parse("2026-11-16T17:47:46+09:00");
const at = (text: string): number | undefined => spokenReset(text, now);
const time = (iso: string): number => Date.parse(`${iso}+09:00`);
const error = (more: object): string => JSON.stringify({ isApiErrorMessage: true, ...more });
const limit = (when: string): string => `You've hit your 5-hour limit · resets ${when}`;

beforeEach(() => void vi.stubEnv("TZ", zone));
afterEach(() => void vi.unstubAllEnvs());

describe("S1.18 the sentence that StopFailure holds", () => {
  test("names a time, or a date and a time: the end of that minute", () => {
    // As 2.1.197 and 2.1.325 wrote them for resets at 18:49:25, 8:00, and days and months later.
    expect(at(limit("6:49pm (Asia/Seoul)"))).toBe(time("2026-11-16T18:50:00"));
    expect(at(limit("8am (Asia/Seoul)"))).toBe(time("2026-11-17T08:01:00"));
    expect(at(limit("Nov 19, 9am (Asia/Seoul)"))).toBe(time("2026-11-19T09:01:00"));
    expect(at(limit("Jan 5, 2027, 9:49am (Asia/Seoul)"))).toBe(time("2027-01-05T09:50:00"));
    expect(at(limit("12am (Asia/Seoul)"))).toBe(time("2026-11-17T00:01:00"));
    expect(at(limit("12:30pm (Asia/Seoul)"))).toBe(time("2026-11-17T12:31:00"));
    // The minute that it is now.
    expect(at(limit("5:47pm (Asia/Seoul)"))).toBe(time("2026-11-16T17:48:00"));
  });

  test("says nothing where it names none, or the clock of another place", () => {
    for (const text of [
      "API Error: Request rejected (429) · no",
      limit("8am (America/New_York)"),
      limit("soon"),
      "",
    ])
      expect(at(text)).toBeUndefined();
    for (const odd of [undefined, null, 7, {}]) expect(spokenReset(odd, now)).toBeUndefined();
  });
});

describe("S1.18 else the conversation's last error", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "holdfast-limit-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const written = (...lines: readonly string[]): number | undefined => {
    const path = join(folder, "session.jsonl");
    writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
    return statedReset({ last_assistant_message: "no", transcript_path: path }, now);
  };

  test("has its number, or its sentence", () => {
    const old = error({ quotaLimits: { resetsAt: 1 } });
    const last = error({ quotaLimits: { resetsAt: 1_794_822_565 } });
    expect(written(old, last, '{"type":"last-prompt"}')).toBe(1_794_822_565_000);
    const content = [{ type: "text", text: limit("6:49pm (Asia/Seoul)") }];
    expect(written(error({ message: { content } }))).toBe(time("2026-11-16T18:50:00"));
    // Of a long conversation only the end is read.
    expect(written("x".repeat(1_000_000), last)).toBe(1_794_822_565_000);
  });

  test("or nobody says: no error, half a line, a link, no file", () => {
    expect(written('{"type":"user"}')).toBeUndefined();
    expect(written('{"isApiErrorMessage":true,"quotaLimits":{"resetsAt":17')).toBeUndefined();
    expect(written(error({ quotaLimits: { resetsAt: "soon" } }))).toBeUndefined();
    const link = join(folder, "link");
    symlinkSync(join(folder, "session.jsonl"), link);
    written(error({ quotaLimits: { resetsAt: 1_794_822_565 } }));
    for (const path of [link, folder, join(folder, "none"), "session.jsonl", 7])
      expect(statedReset({ transcript_path: path }, now)).toBeUndefined();
  });

  test("the sentence of the input comes first", () => {
    const path = join(folder, "session.jsonl");
    writeFileSync(path, error({ quotaLimits: { resetsAt: 1_794_822_565 } }));
    const input = { last_assistant_message: limit("8am (Asia/Seoul)"), transcript_path: path };
    expect(statedReset(input, now)).toBe(time("2026-11-17T08:01:00"));
  });
});
