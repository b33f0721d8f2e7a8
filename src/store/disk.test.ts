import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { realDisk } from "./disk.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-disk-"));
  path = join(folder, "file");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("S5.3 a file that is known is given back itself, and any other byte is noticed", () => {
  // Less than one piece, one, and one more byte than two.
  for (const size of [0, 7_000, 128 * 1024, 256 * 1024 + 1]) {
    const known = Buffer.alloc(size, "holdfast");
    writeFileSync(path, known);
    expect(realDisk.read(path, undefined, known)).toBe(known);
    const others = [Buffer.concat([known, known.subarray(0, 1), Buffer.from("x")])];
    for (const at of size === 0 ? [] : [0, size >> 1, size - 1]) {
      const other = Buffer.from(known);
      other[at] = 0x21;
      others.push(other, other.subarray(0, at));
    }
    for (const other of others) {
      writeFileSync(path, other);
      const read = realDisk.read(path, undefined, known);
      expect(read).not.toBe(known);
      expect(Buffer.compare(read ?? known, other)).toBe(0);
    }
  }
});
