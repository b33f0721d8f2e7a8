// The start-up snapshot of the hot calls (docs/adr/0012): the heap of a Node in which their code is
// loaded and compiled already, in a file that only this very Node on this kind of processor takes. It is
// made here; the starter (dist/holdfast) uses it where Node takes it, and does without where not.
import { spawnSync } from "node:child_process";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { leanSnapshot } from "./_snapshot-file.ts";

/**
 * What Node is started with. No new seed for hashes: half of them would have to be worked out again, and
 * each snapshot has one of its own, which V8 drew when it was made. The rest keeps V8 from beginning what pays off in
 * programs that stay: threads, better code.
 */
export const startFlags = [
  "--no-rehash-snapshot",
  "--single-threaded",
  "--no-sparkplug",
  "--v8-pool-size=1",
  "--liftoff-only",
  "--regexp-tier-up-ticks=20",
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
    const words = ["--expose-internals", "--snapshot-blob", aside, "--build-snapshot", builder];
    const made = runNode(words, name);
    if (made !== undefined) return made;
    const bytes = leanSnapshot(readFileSync(aside), tagOf([]), tagOf(startFlags));
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
 * What V8 is started with as a number, by which Node knows what a snapshot was made with. It was made without our
 * flags, or the seed would be that of every Node; they are put down afterwards: none of them changes what is in it.
 */
function tagOf(flags: readonly string[]): Buffer {
  const ask = "process.stdout.write(String(require('node:v8').cachedDataVersionTag()))";
  const { NODE_OPTIONS: _, ...env } = process.env;
  const said = spawnSync(process.execPath, [...flags, "-e", ask], { env, encoding: "utf8" });
  const tag = Buffer.alloc(4);
  tag.writeUInt32LE(Number(said.stdout));
  return tag;
}
