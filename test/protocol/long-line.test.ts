// One line of 500 MB, in a process of its own for a clean reading of its memory.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";

const MB = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), "holdfast-long-line-"));

beforeAll(async () => {
  const input = resolve(import.meta.dirname, "../../src/core/protocol.ts");
  const bundle = await rolldown({ input, platform: "node" });
  await bundle.write({ dir: folder, entryFileNames: "protocol.mjs" });
  writeFileSync(join(folder, "child.mjs"), child);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Pushes one reused 64 KiB chunk 8,000 times, then a newline and a marker. */
const child = `
import { createProtocolParser } from "./protocol.mjs";
const [before, filler] = JSON.parse(process.argv[2]);
const parser = createProtocolParser();
const signals = [];
const take = (bytes) => signals.push(...parser.push(bytes));
const chunk = Buffer.alloc(65_536, filler);
take(Buffer.from(before));
for (let round = 0; round < 100; round++) take(chunk);
globalThis.gc();
const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
let top = rss;
let saved = 0;
for (let round = 0; round < 7_900; round++) {
  take(chunk);
  if (round % 100 === 0) {
    top = Math.max(top, process.memoryUsage.rss());
    saved = Math.max(saved, parser.save().length);
  }
}
globalThis.gc();
const after = process.memoryUsage();
take(Buffer.from("\\n[/ERROR_JSON]\\n=== PHASE 7 COMPLETE ===\\n\\n"));
console.log(JSON.stringify({
  bytes: parser.offset,
  kinds: signals.map(({ kind }) => kind),
  phase: signals.at(-1)?.phase,
  rss: top - rss,
  kept: after.heapUsed - heapUsed + after.arrayBuffers - arrayBuffers,
  saved,
}));
`;

const lines = [
  ["of letters", "", "x", ["phase_complete"]],
  ["of spaces", "", " ", ["phase_complete"]],
  [
    "of marker words",
    "[",
    "ERROR]=== PHASE 1 COMPLETE === ``` [USER_QUESTION] ",
    ["phase_complete"],
  ],
  ["of JSON after an opening tag", "[ERROR_JSON]{", '"a":1,', ["malformed", "phase_complete"]],
  ["inside a block", "[ERROR]\ntype: fatal\nmessage: ", "x ", ["malformed", "phase_complete"]],
  [
    "of a completion's file",
    "=== PHASE 1 COMPLETE ===\nFiles created:\n- ",
    "a",
    ["malformed", "phase_complete"],
  ],
  ["inside a fence", "```\n", "~", ["phase_complete"]],
] as const;

test.each(lines)(
  "S1.12 a line of 500 MB %s costs a bounded memory, and the marker after it is seen",
  (_, before, filler, kinds) => {
    const args = ["--expose-gc", join(folder, "child.mjs"), JSON.stringify([before, filler])];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect(stderr).toBe("");
    const result = JSON.parse(stdout) as Record<string, unknown>;
    expect(result).toMatchObject({ kinds, phase: 7 });
    expect(result["bytes"]).toBeGreaterThan(500 * MB);
    // What is kept is one block at most (100 KiB and its text); the rest is the collector's.
    expect(result["kept"]).toBeLessThan(MB);
    expect(result["saved"]).toBeLessThan(200_000);
    expect(result["rss"]).toBeLessThan(32 * MB);
  },
);
