// What holders of a lock, and those who wanted to be one, left beside the file it locks (see sideFile
// in lock.ts). Files of a holder that died go with its lock, when it is taken over; here is the rest:
// a power cut may keep a file and lose the lock, or what stood in it.
import { basename, dirname, join } from "node:path";
import type { Disk } from "./disk.ts";
import { livenessOf } from "./identity.ts";
import { type Lock, type LockWorld, type SideKind, holderAt } from "./lock.ts";

export interface Left {
  readonly path: string;
  readonly token: string;
  readonly kind: SideKind;
}

/** All that is not this holder's. */
export function leftBeside({ file, token }: Lock, disk: Disk): Left[] {
  return sideFiles(file, disk).filter((left) => left.token !== token);
}

/** Under the lock: removes what earlier holders had begun to write. */
export function sweepLeft(lock: Lock, disk: Disk): void {
  for (const { path, kind } of leftBeside(lock, disk)) if (kind === "tmp") disk.remove(path);
}

/** Removes what contenders left that died before they ever held the lock. */
export function sweepOwn(file: string, world: LockWorld): void {
  for (const { path, kind } of sideFiles(file, world.disk))
    if (kind === "own") removeIfLeft(path, world);
}

/** Of one that wants to hold the lock, or did: it goes if that process is gone. */
export function removeIfLeft(own: string, { disk, now, liveness = livenessOf }: LockWorld): void {
  const left = holderAt(own, disk);
  if (left === "none") return;
  const gone = left.named
    ? liveness(left.named.process) === "gone"
    : // Half of it: the other half comes within a millisecond, or never.
      Number(left.modified / 1_000_000n) < now() - tornAfter;
  if (gone) disk.remove(own);
}

// --- internal ---

const tornAfter = 10_000;

function sideFiles(file: string, disk: Disk): Left[] {
  const [folder, prefix] = [dirname(file), `.${basename(file)}.`];
  const found: Left[] = [];
  for (const name of disk.list(folder)) {
    if (!name.startsWith(prefix)) continue;
    const [token = "", kind, more] = name.slice(prefix.length).split(".");
    if ((kind === "own" || kind === "tmp" || kind === "old") && more === undefined)
      found.push({ path: join(folder, name), token, kind });
  }
  return found;
}
