// By what the file of a document is known again: SHA-256, as a row has it.
import { createHash } from "node:crypto";

/** Of the bytes, or of the absence of any. */
export function sumOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : checksum(bytes);
}

/** Are these the bytes, or the absence of any, that the row speaks of? */
export function isSum(bytes: Uint8Array | null, sum: string | null): boolean {
  return sumOf(bytes) === sum;
}

export function checksum(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
