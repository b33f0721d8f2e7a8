// Chance that nobody can foresee, from the system's own source: node:crypto, which asks the same one, takes
// 4 ms to load (docs/adr/0010).
import { randomFillSync } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";

export function randomBytes(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  return fill(bytes) === size ? bytes : randomFillSync(bytes);
}

/** In hexadecimal digits. */
export function randomName(length: number): string {
  const bytes = randomBytes(Math.ceil(length / 2));
  return Buffer.from(bytes.buffer).toString("hex").slice(0, length);
}

// --- internal ---

/** How many it got: where there is no such file, none. */
function fill(bytes: Uint8Array): number {
  try {
    const handle = openSync("/dev/urandom", "r");
    try {
      return readSync(handle, bytes);
    } finally {
      closeSync(handle);
    }
  } catch {
    return 0;
  }
}
