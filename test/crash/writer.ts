// A process that writes, for tests that kill it:
// `writer.mjs <home> <project> <what> <name> <times> <kind of document>`.
//
//   count     that many updates; `ack <value>` after each
//   row       the same, of a row of the database
//   ask       as count, but under the lock it prints `inside` and waits for a line
//   contend   for each line it gets: lock, look whether anybody else is inside, unlock
//   open      merely looks at the documents
//   append    that many lines to a file, each synced: what a disk must keep if it keeps anything
//
// What can not be done is told as `fault <code> <text>`, or `error <text>` if it is not a Fault.
import {
  closeSync,
  constants,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { Fault } from "../../src/core/errors.ts";
import { acquire, release } from "../../src/store/lock.ts";
import type { Kind } from "./kinds.ts";
import { type RealWorld, add, openRealWorld } from "./real-world.ts";
import { addToRow, openRow } from "./row.ts";

const [home = "", project = "", what = "", name = "n", times = "1", kind = "shared-context"] =
  process.argv.slice(2);

try {
  if (what === "append") append(join(project, "appended"), Number(times));
  else if (what === "row") await countInRow();
  else await write(await openRealWorld(home, project, kind as Kind));
} catch (cause) {
  say(cause instanceof Fault ? `fault ${cause.code} ${cause.message}` : `error ${String(cause)}`);
  process.exitCode = 3;
}

// --- internal ---

async function write(world: RealWorld): Promise<void> {
  const { documents, refs } = world;
  say("ready");
  if (what === "contend") await contend(world);
  else if (what === "open") for (const ref of refs) await documents.read(ref);
  else {
    const meanwhile = what === "ask" ? inside : undefined;
    for (let i = 0; i < Number(times); i++)
      say(`ack ${await documents.update(add(refs, name, meanwhile))}`);
  }
  for (const { text } of world.told) say(`told ${text.key}`);
  await world.close();
}

async function countInRow(): Promise<void> {
  const store = await openRow(home);
  for (let i = 0; i < Number(times); i++) say(`ack ${await addToRow(store, name)}`);
  await store.close();
}

function inside(): void {
  say("inside");
  line();
}

async function contend({ ref, lockWorld }: RealWorld): Promise<void> {
  mkdirSync(dirname(ref.path), { recursive: true });
  while (line() !== "") {
    const lock = await acquire(ref.path, lockWorld);
    try {
      const marker = join(project, "inside");
      closeSync(openSync(marker, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY));
      // Long enough for another that is wrongly inside to be seen.
      for (let i = 0; i < 50; i++) await turn();
      rmSync(marker);
    } finally {
      release(lock, lockWorld.disk);
    }
    say("held");
  }
}

function append(file: string, lines: number): void {
  const handle = openSync(file, "a");
  const folder = openSync(dirname(file), "r");
  fdatasyncSync(folder);
  for (let i = 1; i <= lines; i++) {
    writeSync(handle, `${i}\n`);
    fdatasyncSync(handle);
    say(`ack ${i}`);
  }
}

/** Waits with the whole process: nothing else of it goes on meanwhile. Empty at the end. */
function line(): string {
  const byte = Buffer.alloc(1);
  let text = "";
  while (readSync(0, byte, 0, 1, null) === 1) {
    if (byte[0] === 10) return text;
    text += byte.toString("latin1");
  }
  return text;
}

/** At once, or a killed process would have said less than it did. */
function say(text: string): void {
  writeSync(1, `${text}\n`);
}
