// Chance that nobody can foresee.
import { randomBytes } from "node:crypto";

/** In hexadecimal digits. */
export function randomName(length: number): string {
  return randomBytes(Math.ceil(length / 2))
    .toString("hex")
    .slice(0, length);
}
