// Updates a document on a small disk that has only so many bytes left:
// `filler.mjs <disk> <writer> <running | starting> <free bytes>`. Throws if anything is not as it
// should be.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../src/core/errors.ts";
import { checkAfter, litter } from "./check.ts";
import { add, openRealWorld } from "./real-world.ts";

const [disk = "", writer = "", who = "", bytes = "0"] = process.argv.slice(2);
const [home, project] = [join(disk, "home"), join(disk, "project")];
/** Makes the document several pages long: it may fit in part. */
const padding = "-".repeat(16 * 1024);

for (const folder of [home, project]) rmSync(folder, { recursive: true, force: true });
assert(write(padding).done);
console.log(`${who}: ${(await (who === "running" ? running : starting)()) ? "done" : "refused"}`);

// --- internal ---

/** A process that has the document open while the disk fills goes on once there is room. */
async function running(): Promise<boolean> {
  const world = await openRealWorld(home, project);
  const { documents, ref } = world;
  let acked = await documents.update(add(ref, "n"));
  const filler = fill();
  const fault = await documents.update(add(ref, "n")).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (fault === undefined) acked++;
  else {
    assert(fault instanceof Fault);
    assert.match(fault.message, /disk is full/);
  }
  assert.deepEqual(litter(project), []);
  rmSync(filler);
  assert.equal(await documents.update(add(ref, "n")), ++acked);
  await world.close();
  await checkAfter(home, project, { acked: new Map([["n", acked]]), exact: true });
  return fault === undefined;
}

/** One that starts on a full disk has its database to open first. */
async function starting(): Promise<boolean> {
  const filler = fill();
  const { done, said } = write("n");
  // SQLite calls it an I/O error where the index of its log can not grow.
  if (!done) assert.match(said, /^fault internal .*disk (is full|reported an error)/ms);
  assert.deepEqual(litter(project), []);
  rmSync(filler);
  await checkAfter(home, project, { acked: new Map([["n", done ? 1 : 0]]), exact: true });
  return done;
}

function write(name: string): { done: boolean; said: string } {
  const args = [writer, home, project, "count", name, "1"];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { done: status === 0, said: stdout };
}

/** Leaves that much room, to the page. */
function fill(): string {
  const path = join(disk, "filler");
  const handle = openSync(path, "w");
  const page = Buffer.alloc(4096, 1);
  let size = 0;
  try {
    for (;;) size += writeSync(handle, page);
  } catch {
    // It is full.
  }
  ftruncateSync(handle, Math.max(0, size - Math.ceil(Number(bytes) / page.length) * page.length));
  closeSync(handle);
  return path;
}
