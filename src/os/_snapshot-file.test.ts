// What is cut off a snapshot's file, on one that this very Node has made (docs/adr/0012).
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { leanSnapshot } from "./_snapshot-file.ts";
import { tagOf } from "./start-snapshot.ts";

const folder = mkdtempSync(join(tmpdir(), "holdfast-snapshot-"));
const file = join(folder, "made");
const none = Buffer.alloc(4);
let made: Buffer;

beforeAll(() => {
  const program = join(folder, "program.cjs");
  writeFileSync(
    program,
    `require("node:v8").startupSnapshot.setDeserializeMainFunction(() => console.log("begun"));`,
  );
  node("--snapshot-blob", file, "--build-snapshot", program);
  made = readFileSync(file);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a start-up snapshot is less than half as long, and begins as before", async () => {
  const tag = await tagOf([]);
  const lean = leanSnapshot(made, tag, tag);
  expect(lean?.length).toBeLessThan(made.length / 2);
  writeFileSync(file, lean ?? none);
  expect(node("--snapshot-blob", file, "x")).toMatchObject({ status: 0, stdout: "begun\n" });
});

test("one that is not exactly as Node writes it is left alone", async () => {
  const tag = await tagOf([]);
  const version = made.indexOf(process.versions.v8);
  // V8's number of contexts, its sum, its version, something in the middle of it.
  for (const at of [version - 12, version - 4, version, version + 100_000]) {
    const other = Buffer.from(made);
    other[at] = (other[at] ?? 0) ^ 1;
    expect(leanSnapshot(other, tag, tag), `${at}`).toBeUndefined();
  }
  // Node's own code is cut off; made with other flags; nothing.
  expect(leanSnapshot(made.subarray(0, -1), tag, tag)).toBeUndefined();
  expect(leanSnapshot(made, Buffer.from([1, 2, 3, 4]), tag)).toBeUndefined();
  expect(leanSnapshot(Buffer.alloc(0), tag, tag)).toBeUndefined();
});

// --- internal ---

function node(...words: string[]) {
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder };
  return spawnSync(process.execPath, ["--no-warnings", ...words], { env, encoding: "utf8" });
}
