// No damage to any document goes unnoticed (S5.3): each format's fixture, written by Documents, cut
// off at every byte and with flipped bits, is read again. What a schema lets through, the checksum
// does not: of one flipped bit in a state of orchestrate 30 % still make a valid document.
//
// What comes out is ours to the byte, theirs kept in quarantine; or it differs only where a person
// may change it, and then it is journaled and told like a person's edit, from which it can not be
// told apart.
import { readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { Fault } from "../../src/core/errors.ts";
import type { Format } from "../../src/formats/format.ts";
import { type FormatName, formats } from "../../src/formats/registry.ts";
import { type Difference, differencesOf, mayPerson } from "../../src/store/foreign.ts";
import { full, limit, seeded } from "../crash/programs.ts";
import { figure } from "../figures.ts";
import { type Base, type DamageWorld, damageWorld, written } from "./damage-world.ts";

const counts = full ? { cuts: Infinity, flips: 20_000 } : { cuts: 70, flips: 130 };

/** Written by hand from S5.3, not taken from the formats: the only places a person may change. */
const theirs: Partial<Record<FormatName, RegExp>> = {
  "develop-state": /^\/feature$/,
  "orchestrate-state": /^\/(?:config\/\w+|mode|project|execution\/last_updated)$/,
  "shared-context": /^\/(?:(?:shared_data|preferences)(?:\/.*)?|last_updated)$/,
  "agent-memory": /^\/(?:(?:preferences|cache|statistics)(?:\/.*)?|last_updated)$/,
  knowledge: /^\/(?:patterns(?:\/.*)?|decisions|pitfalls|updated_at)$/,
};

interface Tally {
  cuts: number;
  flips: number;
  aside: number;
  /** Same values: the last line end, a comment, a blank. */
  layout: number;
  /** A place that is a person's to change. */
  places: number;
  /** A field that no schema knows. */
  fields: number;
  /** Says that a newer Holdfast wrote it: refused, and left as it is. */
  newer: number;
}

/** One test a format. They wait for the disk by turns, so several run at once. */
export function describeDamage(names: readonly FormatName[]): void {
  describe("a damaged file (S5.3)", () => {
    test.concurrent.each(names)(
      "%s: every cut and flipped bit is noticed, journaled and told, and what counts comes back",
      limit,
      async (format) => {
        const tally = await damageAll(format);
        const { cuts, flips, aside, layout, places, fields, newer } = tally;
        expect(aside + layout + places + fields + newer).toBe(cuts + flips);
        expect(aside).toBeGreaterThan((cuts + flips) / 4);
        // Each was judged on its way: one that goes unnoticed throws.
        figure(`damage.${format}`, {
          seen: cuts + flips,
          lost: 0,
          more: `${cuts} cuts, ${flips} flips: set aside ${aside}, taken over ${layout + places + fields} (layout ${layout}, a person's places ${places}, own fields ${fields}), refused as newer ${newer}`,
        });
      },
    );
  });
}

// --- internal ---

async function damageAll(format: FormatName): Promise<Tally> {
  const world = await damageWorld();
  try {
    const base = await written(world, format);
    const tally: Tally = { cuts: 0, flips: 0, aside: 0, layout: 0, places: 0, fields: 0, newer: 0 };
    for (const bytes of cutsOf(base.bytes)) {
      await damage(world, base, bytes, tally);
      tally.cuts++;
    }
    for (const bytes of flipsOf(base.bytes)) {
      await damage(world, base, bytes, tally);
      tally.flips++;
    }
    return tally;
  } finally {
    await world.close();
  }
}

function* cutsOf(bytes: Uint8Array): Generator<Uint8Array> {
  const random = seeded(3);
  const every = bytes.length <= counts.cuts;
  for (let at = 0; at < Math.min(bytes.length, counts.cuts); at++)
    yield bytes.subarray(0, every ? at : random(bytes.length));
}

/** In full every single bit, then several at once, in places that are the same each time. */
function* flipsOf(bytes: Uint8Array): Generator<Uint8Array> {
  const random = seeded(5);
  const bits = bytes.length * 8;
  for (let made = 0; made < counts.flips; made++) {
    const copy = Uint8Array.from(bytes);
    const single = full ? made < bits : made % 2 === 0;
    flip(copy, full && single ? made : random(bits));
    for (let more = single ? 0 : 1 + random(7); more > 0; more--) flip(copy, random(bits));
    if (Buffer.compare(copy, bytes) === 0) flip(copy, random(bits));
    yield copy;
  }
}

function flip(bytes: Uint8Array, bit: number): void {
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
}

async function damage(
  world: DamageWorld,
  base: Base,
  bytes: Uint8Array,
  tally: Tally,
): Promise<void> {
  const { ref } = base;
  writeFileSync(ref.path, bytes);
  world.told.length = 0;
  // Anything else that is thrown here fails the test: with a sound database there is nothing to stop for.
  const value = await world.documents.read(ref).catch((thrown: unknown) => {
    if (isNewer(thrown)) return isNewer;
    throw thrown;
  });
  if (value === isNewer) return leftAsNewer(world, base, bytes, tally);
  const rows = await world.journal();
  const [row, told] = [rows[0], world.told[0]];
  const must = (holds: boolean, what: string): void => {
    if (!holds)
      throw new Error(`${ref.format}: ${what}: ${JSON.stringify(Buffer.from(bytes).toString())}`);
  };
  must(rows.length === 1 && row?.entityId === ref.path, "one line in the journal");
  must(world.told.length === 1, "told once");
  const left = readFileSync(ref.path);
  if (row?.trigger === "set_aside") {
    must(told?.key === "document.set_aside", "told as set aside");
    must(left.equals(base.bytes), "ours in its place");
    must(isDeepStrictEqual(value, base.value), "our values");
    const kept = told?.params["kept"] as string;
    must(kept.startsWith(world.quarantine), "kept in quarantine");
    must(readFileSync(kept).equals(bytes), "kept as it was");
    unlinkSync(kept);
    tally.aside++;
    return;
  }
  must(row?.trigger === "foreign" && told?.key === "document.foreign", "taken over");
  must(left.equals(bytes), "left as it is");
  const read = base.codec.read(bytes);
  must(read.ok && isDeepStrictEqual(value, read.value), "their values");
  const kind = await kindOf(base, value);
  must(kind !== undefined, `a person may not do this: ${row?.trigger}`);
  tally[kind ?? "layout"]++;
  await again(world, base);
}

function isNewer(thrown: unknown): boolean {
  return thrown instanceof Fault && thrown.text.key === "document.newer";
}

/** Several bits that make it say so: whoever asks is told, and nothing is touched until somebody has looked. */
async function leftAsNewer(
  world: DamageWorld,
  { ref, bytes: ours, value }: Base,
  bytes: Uint8Array,
  tally: Tally,
): Promise<void> {
  expect(readFileSync(ref.path).equals(bytes)).toBe(true);
  writeFileSync(ref.path, ours);
  expect(await world.documents.read(ref)).toEqual(value);
  await world.journal();
  tally.newer++;
}

async function kindOf(
  { ref: { format }, value: ours }: Base,
  value: unknown,
): Promise<"layout" | "places" | "fields" | undefined> {
  const differences = differencesOf(ours, value);
  const asked = await mayPerson(formats[format] as Format, format, ours, value, differences);
  if (asked !== true) return undefined;
  if (differences.length === 0) return isDeepStrictEqual(ours, value) ? "layout" : undefined;
  const isPlace = ({ pointer }: Difference): boolean => theirs[format]?.test(pointer) ?? false;
  const isField = ({ before }: Difference): boolean => formats[format].open && before === undefined;
  if (differences.every(isPlace)) return "places";
  return differences.every((each) => isPlace(each) || isField(each)) ? "fields" : undefined;
}

/** Back to ours, after something was taken over. */
async function again(world: DamageWorld, { ref, bytes }: Base): Promise<void> {
  await world.loseHome(ref.path);
  writeFileSync(ref.path, bytes);
  await world.documents.read(ref);
  await world.journal();
}
