// What `doctor --fix` does: only what can not lose anything. A lock that names nobody goes once it
// is old enough; what the dead left goes under the lock; documents are brought in step with the
// database by the same code that every update runs.
import { relative } from "node:path";
import { Fault } from "../../core/errors.ts";
import { type Message, msg } from "../../core/messages.ts";
import { type FormatName, formatNames, formatOfPath } from "../../formats/registry.ts";
import { realDisk } from "../../store/disk.ts";
import { resolvePath } from "../../store/files.ts";
import { type Leftover, findLeftovers } from "../../store/inspection.ts";
import { acquire, release, sweepLeft, sweepOwn } from "../../store/lock.ts";
import type { Context } from "../operation.ts";
import { driftedRows, namelessAge, ofFault, validated } from "./_doctor-checks.ts";
import type { Line } from "./doctor.ts";

export interface Fixed {
  readonly fixed: Message[];
  /** What was tried in vain. */
  readonly failed: Line[];
}

export async function fixAll(context: Context): Promise<Fixed> {
  const { root } = context.project;
  const result: Fixed = { fixed: [], failed: [] };
  // Locks first: what follows would wait for them.
  for (const { path } of (await leftovers(root)).filter(isOldNameless)) {
    // Another program may have taken it since: a lock that is younger than our look stays.
    const modified = Number((realDisk.stamp(path)?.modified ?? 0n) / 1_000_000n);
    if (modified === 0 || Date.now() - modified < namelessAge) continue;
    realDisk.remove(path);
    result.fixed.push(msg("doctor.fixed.lock", { path: relative(root, path) }));
  }
  for (const [path, format] of await outOfStep(context)) {
    await trying(result, relative(root, path), async () => {
      await (await context.documents()).read({ path, format });
      return msg("doctor.fixed.document", { path: relative(root, path) });
    });
  }
  const dead = (await leftovers(root)).filter(isDead);
  for (const document of new Set(dead.map((left) => left.document))) {
    const count = dead.filter((left) => left.document === document).length;
    await trying(result, relative(root, document), async () => {
      await sweep(context, document);
      return msg("doctor.fixed.left", { path: relative(root, document), count });
    });
  }
  return result;
}

// --- internal ---

const leftovers = (root: string): Promise<Leftover[]> => findLeftovers(root, realDisk, Date.now());

function isOldNameless({ kind, state, age }: Leftover): boolean {
  return kind === "lock" && state === "nameless" && age >= namelessAge;
}

/** Bytes without a name belong to nobody that lives, unless a living one is just beginning. */
function isDead({ kind, state, age }: Leftover): boolean {
  return state === "gone" || (kind !== "lock" && state === "nameless" && age >= namelessAge);
}

/** What differs from the database, and what is damaged: the last sound version takes its place. */
async function outOfStep(context: Context): Promise<Map<string, FormatName>> {
  const found = new Map<string, FormatName>();
  for (const { path, format } of await driftedRows(context)) {
    const known = formatNames.find((name) => name === format);
    if (known) found.set(path, known);
  }
  for (const { path, status } of await validated(context)) {
    const format = formatOfPath(path);
    // Settings are a person's own text: they are told what is wrong, not given an older one.
    if (status === "invalid" && format !== undefined && format !== "project-settings")
      found.set(resolvePath(context.project.root, path), format);
  }
  return found;
}

async function sweep(context: Context, document: string): Promise<void> {
  const world = await context.lockWorld();
  sweepOwn(document, world);
  const lock = await acquire(document, world);
  try {
    sweepLeft(lock, world.disk);
  } finally {
    release(lock, world.disk);
  }
}

async function trying(
  { fixed, failed }: Fixed,
  path: string,
  act: () => Promise<Message>,
): Promise<void> {
  try {
    fixed.push(await act());
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    failed.push(ofFault("documents", thrown, path));
  }
}
