// By what the file of a document is known again. A row says it in one of two ways, and each is found out
// by what it says:
//
//   64 digits                  SHA-256, of rows that were written before 0002-rules
//   siphash:<key>:<32 digits>  a key of its own for each, which only the database knows: whoever writes
//                              the file can not make another that has it
import { createHash } from "node:crypto";
import { type Turns, keyBytes, siphash } from "../core/siphash.ts";
import { randomBytes } from "./random.ts";

/** For a new row. Two of the same bytes are not alike: ask isSum(). */
export function sumOf(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null;
  const key = randomBytes(keyBytes);
  return `${named}${Buffer.from(key).toString("hex")}:${siphash(key, bytes, turns())}`;
}

/** Are these the bytes, or the absence of any, that the row speaks of? */
export function isSum(bytes: Uint8Array | null, sum: string | null): boolean {
  if (bytes === null || sum === null) return bytes === null && sum === null;
  if (!sum.startsWith(named)) return checksum(bytes) === sum;
  const [key = "", value] = sum.slice(named.length).split(":");
  return siphash(Buffer.from(key, "hex"), bytes, turns()) === value;
}

/** The same for the same bytes, always and everywhere. */
export function checksum(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

// --- internal ---

const named = "siphash:";

/** A call that is short is started with V8's first compiler alone (os/start-snapshot.ts). */
function turns(): Turns {
  return process.execArgv.includes("--liftoff-only") ? "shifted" : "turned";
}
