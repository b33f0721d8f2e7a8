// The start-up snapshot of the hot calls (docs/adr/0012): the heap of a Node in which their code is
// loaded and compiled already, in a file that only this very Node on this kind of processor takes. It is
// made here; the starter (dist/holdfast) uses it where Node takes it, and does without where not.
import { execFile } from "node:child_process";
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
export async function makeStartSnapshots(folder: string): Promise<string | undefined> {
  for (const name of snapshots) {
    const why = await makeSnapshot(folder, name);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** Whether this Node takes those that are there. */
export async function fitStartSnapshots(folder: string): Promise<boolean> {
  const tried = snapshots.map((name) => tryOut(folder, `${folder}/${name}.blob`));
  return (await Promise.all(tried)).every((why) => why === undefined);
}

/**
 * What V8 is started with as a number, by which Node knows what a snapshot was made with. It was made without our
 * flags, or the seed would be that of every Node; they are put down afterwards: none of them changes what is in it.
 */
export async function tagOf(flags: readonly string[]): Promise<Buffer> {
  const ask = "process.stdout.write(String(require('node:v8').cachedDataVersionTag()))";
  const { stdout } = await startNode([...flags, "-e", ask], "");
  const tag = Buffer.alloc(4);
  tag.writeUInt32LE(Number(stdout));
  return tag;
}

// --- internal ---

/** A server may be asked by two at once. */
let asides = 0;

/** Aside first: whoever calls meanwhile finds the old one, or none. */
async function makeSnapshot(folder: string, name: string): Promise<string | undefined> {
  const file = `${folder}/${name}.blob`;
  const aside = `${folder}/${name}.${process.pid}.${asides++}`;
  const builder = `${folder}/builder.cjs`;
  try {
    const words = ["--expose-internals", "--snapshot-blob", aside, "--build-snapshot", builder];
    const made = await runNode(words, name);
    if (made !== undefined) return made;
    const [was, is] = await Promise.all([tagOf([]), tagOf(startFlags)]);
    const bytes = leanSnapshot(readFileSync(aside), was, is);
    if (bytes === undefined) return "this Node writes it in a way that is not known here";
    writeFileSync(aside, bytes);
    const tried = await tryOut(folder, aside);
    if (tried === undefined) renameSync(aside, file);
    return tried;
  } catch (cause) {
    return String(cause);
  } finally {
    rmSync(aside, { force: true });
  }
}

function tryOut(folder: string, snapshot: string): Promise<string | undefined> {
  const cli = `${folder}/../cli.cjs`;
  return runNode([...startFlags, "--snapshot-blob", snapshot, cli, "--version"]);
}

/** Undefined: it went well, and said nothing but its answer. */
async function runNode(words: readonly string[], parts = ""): Promise<string | undefined> {
  const { failed, stderr } = await startNode(["--no-warnings", ...words], parts);
  return !failed && stderr === "" ? undefined : `${failed}: ${stderr}`;
}

interface Ended {
  /** Its code, or by what it was ended. */
  readonly failed: string | number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

function startNode(words: readonly string[], parts: string): Promise<Ended> {
  const { NODE_OPTIONS: _, ...given } = process.env;
  const env = { ...given, HOLDFAST_PARTS: parts };
  return new Promise((end) => {
    execFile(process.execPath, words, { env, timeout: 60_000 }, (error, stdout, stderr) =>
      end({ failed: error?.signal ?? error?.code ?? undefined, stdout, stderr }),
    );
  });
}
