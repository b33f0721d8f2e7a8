// What is done to the file of a start-up snapshot after Node has made it (docs/adr/0012), as Node 20 writes it:
// Node's own head with V8's flags as a number; V8's part behind its length; and at the end the code that Node has
// compiled of its own modules. Whatever is not exactly as expected is left alone: then there is no snapshot.

/**
 * Undefined: it is not as Node 20 writes it. `was`, `is`: the number that V8 has for the flags it was made
 * with, and for those it is used with.
 */
export function leanSnapshot(made: Buffer, was: Buffer, is: Buffer): Buffer | undefined {
  const short = withoutCache(made);
  const lean = short && withoutContexts(short);
  const place = lean?.subarray(0, headBytes).indexOf(was) ?? -1;
  if (lean === undefined || place < 0) return undefined;
  is.copy(lean, place);
  return lean;
}

// --- internal ---

const headBytes = 256;

/**
 * Without the code that Node has compiled of all its own modules, half of the file: nearly all of it is
 * never used here, and reading it costs more than it saves. It is the last part: how many there are, then of
 * each its name and its code, each with its length in eight bytes before it.
 */
function withoutCache(bytes: Buffer): Buffer | undefined {
  for (let at = 0; at + 8 < bytes.length; at++) {
    const count = lengthAt(bytes, at);
    if (count === undefined || count < 50 || count > 5_000) continue;
    if (endOfCache(bytes, at + 8, count) !== bytes.length) continue;
    return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(8)]);
  }
  return undefined;
}

function endOfCache(bytes: Buffer, from: number, count: number): number | undefined {
  let at = from;
  for (let n = 0; n < count; n++) {
    const name = lengthAt(bytes, at);
    if (name === undefined || name === 0 || name > 200) return undefined;
    const code = lengthAt(bytes, at + 8 + name);
    if (code === undefined) return undefined;
    at += 8 + name + 8 + code;
  }
  return at;
}

/** Undefined: more than there can be. */
function lengthAt(bytes: Buffer, at: number): number | undefined {
  if (at + 8 > bytes.length || bytes.readUInt32LE(at + 4) !== 0) return undefined;
  const length = bytes.readUInt32LE(at);
  return length <= bytes.length ? length : undefined;
}

/** V8's part: how many contexts, whether hashes may be made anew, the sum of all behind it, V8's version, offsets. */
const [sumAt, versionAt, offsetsAt] = [8, 12, 12 + 64];
/** Where what all contexts share begins, and then each of them; ours is the last. */
const shared = 2;
const contexts = 4;
const place = (n: number): number => offsetsAt + 4 * (shared + n);

/**
 * Without the contexts that only workers and other realms begin with: a hot call has neither. They become
 * empty ones. That the sum fits says that all this is as it is taken for here.
 */
function withoutContexts(bytes: Buffer): Buffer | undefined {
  const from = bytes.subarray(0, headBytes).indexOf(process.versions.v8) - versionAt;
  if (from < 4 || bytes.readUInt32LE(from) !== contexts) return undefined;
  const end = from + bytes.readUInt32LE(from - 4);
  const part = Buffer.from(bytes.subarray(from, end));
  const [first, own] = [part.readUInt32LE(place(0)), part.readUInt32LE(place(contexts - 1))];
  if (sumOf(part) !== part.readUInt32LE(sumAt) || first > own || own >= part.length)
    return undefined;
  const lean = Buffer.concat([part.subarray(0, first), part.subarray(own)]);
  for (let n = 0; n < contexts; n++) lean.writeUInt32LE(first, place(n));
  lean.writeUInt32LE(sumOf(lean), sumAt);
  const head = Buffer.from(bytes.subarray(0, from));
  head.writeUInt32LE(lean.length, from - 4);
  return Buffer.concat([head, lean, bytes.subarray(end)]);
}

/** Adler-32 that begins with nothing. */
function sumOf(part: Buffer): number {
  let [low, high] = [0, 0];
  for (let at = versionAt; at < part.length; at++) {
    low = (low + (part[at] ?? 0)) % 65_521;
    high = (high + low) % 65_521;
  }
  return high * 65_536 + low;
}
