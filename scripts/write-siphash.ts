// Prints the two codes of src/core/siphash.ts: `node scripts/run-ts.mjs scripts/write-siphash.ts`. A test says when
// they are old.
// One function, mix(from, to): the state of SipHash lies in the first 32 bytes of the memory, and each eight
// bytes between the two addresses are mixed into it.
import type { Turns } from "../src/core/siphash.ts";

export function siphashCode(turns: Turns): string {
  const mix = mixing(turns === "turned" ? turned : shifted);
  const bytes = [
    ...header,
    // One type, (i32, i32) → nothing; one function of it; one page of memory; both are exported.
    ...section(1, [1, 0x60, 2, i32, i32, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 1, 1, 1]),
    ...section(7, [2, ...named("memory"), 2, 0, ...named("mix"), 0, 0]),
    ...section(10, [1, ...sized([1, 5, i64, ...mix, end])]),
  ];
  return Buffer.from(bytes).toString("base64");
}

// --- internal ---

const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const [i32, i64, end] = [0x7f, 0x7e, 0x0b] as const;
const [from, to] = [0, 1] as const;
const v = [2, 3, 4, 5] as const;
const m = 6;

const get = (local: number): number[] => [0x20, local];
const set = (local: number, value: readonly number[]): number[] => [...value, 0x21, local];
const load = (address: readonly number[], offset: number): number[] =>
  address.concat(0x29, 3, offset);
const add = (a: number, b: number): number[] => set(a, [...get(a), ...get(b), 0x7c]);
const xor = (a: number, b: number): number[] => set(a, [...get(a), ...get(b), 0x85]);
// A signed LEB128 of less than 64 is one byte.
const by = (a: number, bits: number, how: number): number[] => [...get(a), 0x42, bits, how];
type Turn = (local: number, bits: number) => number[];
const turned: Turn = (a, bits) => set(a, by(a, bits, 0x89));
const shifted: Turn = (a, bits) => set(a, [...by(a, bits, 0x86), ...by(a, 64 - bits, 0x88), 0x84]);
const zero = [0x41, 0];

function round(turn: Turn): number[] {
  const [a, b, c, d] = v;
  const half = [add(a, b), add(c, d), turn(b, 13), turn(d, 16), xor(b, a), xor(d, c), turn(a, 32)];
  const rest = [add(c, b), add(a, d), turn(b, 17), turn(d, 21), xor(b, c), xor(d, a), turn(c, 32)];
  return [...half, ...rest].flat();
}

/** Out of the loop, unless there is more; and to its beginning. */
const [leave, again] = [
  [...get(from), ...get(to), 0x4f, 0x0d, 1],
  [0x0c, 0],
];
const loop = [0x02, 0x40, 0x03, 0x40];

function mixing(turn: Turn): number[] {
  const body = [
    ...leave,
    ...set(m, load(get(from), 0)),
    ...xor(v[3], m),
    ...round(turn),
    ...round(turn),
    ...xor(v[0], m),
    ...set(from, [...get(from), 0x41, 8, 0x6a]),
    ...again,
  ];
  return [
    ...v.flatMap((local, place) => set(local, load(zero, place * 8))),
    ...loop,
    ...body,
    end,
    end,
    ...v.flatMap((local, place) => [...zero, ...get(local), 0x37, 3, place * 8]),
  ];
}

function named(name: string): number[] {
  return [name.length, ...Buffer.from(name)];
}

function sized(bytes: readonly number[]): number[] {
  const { length } = bytes;
  return length < 128 ? [length, ...bytes] : [(length & 127) | 128, length >> 7, ...bytes];
}

function section(id: number, bytes: readonly number[]): number[] {
  return [id, ...sized(bytes)];
}

if (process.argv[1]?.endsWith("write-siphash.ts"))
  for (const turns of ["turned", "shifted"] as const) console.log(siphashCode(turns));
