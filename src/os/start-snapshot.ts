// The start-up snapshot of the hot calls (docs/adr/0012): the heap of a Node in which their code is
// loaded and compiled already, in a file that only this very Node on this kind of processor takes. It is
// made here; the starter (dist/holdfast) uses it where Node takes it, and does without where not.
import { spawnSync } from "node:child_process";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/**
 * What Node is started with. No new seed for hashes: half of them would have to be worked out again, and
 * each snapshot has one of its own, which V8 drew when it was made. The rest is for programs that stay.
 */
export const startFlags = [
  "--no-rehash-snapshot",
  "--single-threaded",
  "--no-sparkplug",
  "--v8-pool-size=0",
] as const;

/** For looks, and for the steps of a run: each holds as little as it can, since all of it is read. */
const snapshots = ["look", "step"] as const;

/** In `folder`, dist/start, beside what they are made of. Undefined: they are there; else why they are not. */
export function makeStartSnapshots(folder: string): string | undefined {
  for (const name of snapshots) {
    const why = makeSnapshot(folder, name);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** Whether this Node takes those that are there. */
export function fitStartSnapshots(folder: string): boolean {
  return snapshots.every((name) => tryOut(folder, `${folder}/${name}.blob`) === undefined);
}

// --- internal ---

/** Aside first: whoever calls meanwhile finds the old one, or none. */
function makeSnapshot(folder: string, name: string): string | undefined {
  const [file, aside] = [`${folder}/${name}.blob`, `${folder}/${name}.${process.pid}`];
  const builder = `${folder}/builder.cjs`;
  try {
    const made = runNode(["--snapshot-blob", aside, "--build-snapshot", builder], name);
    if (made !== undefined) return made;
    const bytes = withFlags(withoutCache(readFileSync(aside)));
    if (bytes === undefined) return "this Node writes it in a way that is not known here";
    writeFileSync(aside, bytes);
    const tried = tryOut(folder, aside);
    if (tried === undefined) renameSync(aside, file);
    return tried;
  } catch (cause) {
    return String(cause);
  } finally {
    rmSync(aside, { force: true });
  }
}

function tryOut(folder: string, snapshot: string): string | undefined {
  const cli = `${folder}/../cli.cjs`;
  return runNode([...startFlags, "--snapshot-blob", snapshot, cli, "--version"]);
}

/** Undefined: it went well, and said nothing but its answer. */
function runNode(words: readonly string[], parts = ""): string | undefined {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const { status, stderr } = spawnSync(process.execPath, ["--no-warnings", ...words], {
    env: { ...env, HOLDFAST_PARTS: parts },
    encoding: "utf8",
    timeout: 60_000,
  });
  return status === 0 && stderr === "" ? undefined : `${status}: ${stderr}`;
}

/**
 * Without the code that Node has compiled of all its own modules, half of the file: nearly all of it is
 * never used here, and reading it costs more than it saves. It is the last part: how many there are, then of
 * each its name and its code, each with its length in eight bytes before it. Undefined: it is not.
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

/**
 * V8 was started without our flags, or the seed would be that of every Node; they are put down afterwards, as
 * the number by which Node knows what a snapshot was made with. None of them changes what is in it.
 */
function withFlags(bytes: Buffer | undefined): Buffer | undefined {
  const [was, is] = [tagOf([]), tagOf(startFlags)];
  const place = bytes?.subarray(0, 256).indexOf(was) ?? -1;
  if (bytes === undefined || place < 0) return undefined;
  is.copy(bytes, place);
  return bytes;
}

function tagOf(flags: readonly string[]): Buffer {
  const ask = "process.stdout.write(String(require('node:v8').cachedDataVersionTag()))";
  const { NODE_OPTIONS: _, ...env } = process.env;
  const said = spawnSync(process.execPath, [...flags, "-e", ask], { env, encoding: "utf8" });
  const tag = Buffer.alloc(4);
  tag.writeUInt32LE(Number(said.stdout));
  return tag;
}
