import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { siphashCode } from "../../scripts/write-siphash.ts";
import { codes, keyBytes, siphash } from "./siphash.ts";

const key = Uint8Array.from({ length: keyBytes }, (_, n) => n);

test("the codes are what scripts/write-siphash.ts makes", () => {
  expect(codes).toEqual({ turned: siphashCode("turned"), shifted: siphashCode("shifted") });
});

describe.each(["turned", "shifted"] as const)("by code that is %s", (turns) => {
  test("S5.1 the values of the reference implementation, for 0 to 3 bytes", () => {
    const values = [0, 1, 2, 3].map((length) => siphash(key, key.subarray(0, length), turns));
    expect(values).toEqual([
      "a3817f04ba25a8e66df67214c7550293",
      "da87c1d86b99af44347659119b22fc45",
      "8177228da4a45dc7fca38bdef60affe4",
      "9c70b60c5267a94e5f33b6b02985ed51",
    ]);
  });

  test("S5.1 any content, also one that does not fit at once, has the value that the definition gives", () => {
    const lengths = fc.oneof(
      fc.nat(100),
      fc.constantFrom(65_503, 65_504, 65_505, 131_008, 140_001),
    );
    fc.assert(
      fc.property(
        lengths,
        fc.nat(255),
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
        (n, b, k) => {
          const bytes = Uint8Array.from({ length: n }, (_, at) => (at * 31 + b) & 255);
          expect(siphash(k, bytes, turns)).toBe(defined(k, bytes));
        },
      ),
      { numRuns: 40, seed: 20_260_103 },
    );
  });
});

// --- internal ---

const mask = (1n << 64n) - 1n;

/** As the paper has it, in numbers of any size. */
function defined(by: Uint8Array, bytes: Uint8Array): string {
  const [k0, k1] = [word(by, 0), word(by, 8)];
  const v = [
    k0 ^ 0x736f6d6570736575n,
    k1 ^ 0x646f72616e646f6dn ^ 0xeen,
    k0 ^ 0x6c7967656e657261n,
    k1 ^ 0x7465646279746573n,
  ] as [bigint, bigint, bigint, bigint];
  const end = bytes.length - (bytes.length % 8);
  for (let at = 0; at < end; at += 8) mixed(v, word(bytes, at));
  const last = new Uint8Array(8);
  last.set(bytes.subarray(end));
  last[7] = bytes.length & 255;
  mixed(v, word(last, 0));
  v[2] ^= 0xeen;
  for (let n = 0; n < 4; n++) round(v);
  const one = v[0] ^ v[1] ^ v[2] ^ v[3];
  v[1] ^= 0xddn;
  for (let n = 0; n < 4; n++) round(v);
  return hex(one) + hex(v[0] ^ v[1] ^ v[2] ^ v[3]);
}

function mixed(v: [bigint, bigint, bigint, bigint], m: bigint): void {
  v[3] ^= m;
  round(v);
  round(v);
  v[0] ^= m;
}

function round(v: [bigint, bigint, bigint, bigint]): void {
  const turn = (x: bigint, bits: bigint): bigint => ((x << bits) | (x >> (64n - bits))) & mask;
  v[0] = (v[0] + v[1]) & mask;
  v[2] = (v[2] + v[3]) & mask;
  v[1] = turn(v[1], 13n) ^ v[0];
  v[3] = turn(v[3], 16n) ^ v[2];
  v[0] = turn(v[0], 32n);
  v[2] = (v[2] + v[1]) & mask;
  v[0] = (v[0] + v[3]) & mask;
  v[1] = turn(v[1], 17n) ^ v[2];
  v[3] = turn(v[3], 21n) ^ v[0];
  v[2] = turn(v[2], 32n);
}

function word(bytes: Uint8Array, at: number): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset + at, 8).getBigUint64(0, true);
}

function hex(value: bigint): string {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return Buffer.from(bytes).toString("hex");
}
