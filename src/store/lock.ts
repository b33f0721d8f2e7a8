// The lock on a document: `<file>.lock`, as the sources' own programs make it (S2.7), so that each
// keeps the other out. Ours says who holds it: it is written first and then linked into place,
// which is atomic, and never seen empty.
//
//   free ──link──▶ ours ──remove──▶ free
//                   │ dies, or is stopped for a second
//                   ▼
//                another's: it puts its own file over the lock and removes our temporary one, so
//                that our rename fails. Whoever was only stopped finds itself fenced.
//
// Who may be replaced: a holder that is gone (dead, a zombie, of an earlier boot) at once; one of
// ours that is stopped after a second; a living one never; a lock that names nobody never, unless
// it is older than this boot: its owner can not be judged, `doctor --fix` removes it.
//
// Two contenders for one stale lock: `alone` lets them pass one at a time (the database's write
// lock), and the second finds that the lock is no longer the one it judged.
import { dirname, sep } from "node:path";
import { Fault } from "../core/errors.ts";
import { type Message, msg } from "../core/messages.ts";
import { type Disk, codeOf } from "./disk.ts";
import { type Liveness, type ProcessIdentity, bootedAt, livenessOf, self } from "./identity.ts";

export interface Lock {
  readonly file: string;
  readonly token: string;
  /** Tokens of dead holders this one came after: their unfinished commits are ours to finish. */
  readonly took: readonly string[];
  /** The lock file is ours while this stands at its path. Inodes are given again, so the time too. */
  readonly inode: bigint;
  readonly modified: bigint;
}

export interface LockWorld {
  readonly disk: Disk;
  readonly now: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly random: () => string;
  /** Runs the work while no other process of this home runs its own. */
  readonly alone: (work: () => boolean) => Promise<boolean>;
  readonly liveness?: (holder: ProcessIdentity) => Liveness;
}

export interface LockPatience {
  /** For a living holder of ours. */
  readonly living: number;
  /** For a lock that names nobody (S2.7: 5 s). */
  readonly nameless: number;
  /** For a stopped holder of ours. */
  readonly stopped: number;
}

export const defaultPatience: LockPatience = { living: 15_000, nameless: 5_000, stopped: 1_000 };

export async function acquire(
  file: string,
  world: LockWorld,
  patience = defaultPatience,
): Promise<Lock> {
  const token = world.random();
  const own = sideFile(file, token, "own");
  let took: readonly string[] = [];
  // Nobody has had this name: there is nothing to be removed first.
  let mine = createOwn(own, token, took, world.disk);
  const watch: Watch = { key: "", since: 0, began: world.now() };
  try {
    for (let turn = 0; ; turn++) {
      const linked = tryLink(own, file, world.disk);
      if (linked === "linked") return { file, token, took, ...mine };
      // Somebody swept what is not theirs: begin again, but never spin on it.
      if (linked === "own gone") {
        if (turn > mostTurnsWithoutOwn) throw new Fault("locked", msg("lock.lost", { path: own }));
        mine = writeOwn(own, token, took, world.disk);
        continue;
      }
      const holder = holderAt(lockPath(file), world.disk);
      if (holder === "none") continue;
      const { mayTake, patienceLeft } = judge(holder, watch, world, patience);
      if (mayTake) {
        took = tokensAfter(holder);
        mine = writeOwn(own, token, took, world.disk);
        if (await world.alone(() => replace(own, token, file, holder, world.disk)))
          return { file, token, took, ...mine };
        took = [];
        mine = writeOwn(own, token, took, world.disk);
      } else if (patienceLeft <= 0) throw lockedBy(file, holder);
      else await world.wait(Math.min(patienceLeft, pause(turn, world.now() - watch.began)));
    }
  } finally {
    removeOwn(own, world.disk);
  }
}

/** Of a file whose folder may not be there yet. */
export async function acquireWithFolder(file: string, world: LockWorld): Promise<Lock> {
  try {
    return await acquire(file, world);
  } catch (cause) {
    if (codeOf(cause) !== "ENOENT") throw cause;
  }
  world.disk.makeFolder(dirname(file));
  return acquire(file, world);
}

export function holds(lock: Lock, disk: Disk): boolean {
  const found = disk.stamp(lockPath(lock.file));
  return found?.inode === lock.inode && found.modified === lock.modified;
}

export function release(lock: Lock, disk: Disk): void {
  if (holds(lock, disk)) disk.remove(lockPath(lock.file));
}

export type SideKind = "own" | "tmp" | "old";

export const lockPath = (file: string): string => `${file}.lock`;

/** A file of a holder's own beside the document: swept by whoever comes after it (left.ts). */
export function sideFile(file: string, token: string, kind: SideKind): string {
  // By hand: four names in each update, and a path that comes here is in order already.
  const at = file.lastIndexOf(sep) + 1;
  return `${file.slice(0, at)}.${file.slice(at)}.${token}.${kind}`;
}

/** What a lock, or a file that is to become one, says of its holder. */
export interface Named {
  readonly holdfast: 1;
  readonly token: string;
  readonly took: readonly string[];
  readonly process: ProcessIdentity;
}

export interface Held {
  readonly named: Named | null;
  readonly inode: bigint;
  readonly modified: bigint;
}

export function holderAt(path: string, disk: Disk): Held | "none" {
  const stamp = disk.stamp(path);
  const bytes = stamp && disk.read(path);
  if (!stamp || !bytes) return "none";
  return { named: parse(bytes), inode: stamp.inode, modified: stamp.modified };
}

/** Null: no lock, or one that names nobody. */
export function namedAt(path: string, disk: Disk): Named | null {
  const held = holderAt(path, disk);
  return held === "none" ? null : held.named;
}

// --- internal ---

const mostTurnsWithoutOwn = 1000;

/** The holder that is being watched, and since when it has been so. */
interface Watch {
  key: string;
  since: number;
  /** When the waiting began: a holder that changes its state all the time is not waited for for ever. */
  readonly began: number;
}

type Mine = Pick<Lock, "inode" | "modified">;

function writeOwn(path: string, token: string, took: readonly string[], disk: Disk): Mine {
  disk.remove(path);
  return createOwn(path, token, took, disk);
}

function createOwn(path: string, token: string, took: readonly string[], disk: Disk): Mine {
  const named: Named = { holdfast: 1, token, took, process: self() };
  disk.close(disk.create(path, Buffer.from(`${JSON.stringify(named)}\n`), 0o644));
  const stamp = disk.stamp(path);
  if (stamp === null) throw new Fault("locked", msg("lock.lost", { path }));
  return { inode: stamp.inode, modified: stamp.modified };
}

/** Must not fail whoever has just got the lock; what stays is swept when this process is gone. */
function removeOwn(path: string, disk: Disk): void {
  try {
    disk.remove(path);
  } catch {
    // As said above.
  }
}

function tryLink(own: string, file: string, disk: Disk): "linked" | "held" | "own gone" {
  try {
    return disk.link(own, lockPath(file)) ? "linked" : "own gone";
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return "held";
    throw cause;
  }
}

function parse(bytes: Uint8Array): Named | null {
  try {
    const value = JSON.parse(Buffer.from(bytes).toString("utf8")) as Partial<Named> | null;
    return value?.holdfast === 1 && typeof value.token === "string" && value.process
      ? (value as Named)
      : null;
  } catch {
    return null;
  }
}

function judge(
  held: Held,
  watch: Watch,
  world: LockWorld,
  patience: LockPatience,
): { mayTake: boolean; patienceLeft: number } {
  const now = world.now();
  const liveness = held.named ? (world.liveness ?? livenessOf)(held.named.process) : "unknown";
  const stale = liveness === "gone" || milliseconds(held) < bootedAt(now);
  // Patience counts from when this very holder came into this very state.
  const key = `${held.named?.token ?? held.inode} ${liveness}`;
  if (watch.key !== key) Object.assign(watch, { key, since: now });
  const limit =
    liveness === "stopped"
      ? patience.stopped
      : liveness === "alive"
        ? patience.living
        : patience.nameless;
  const patienceLeft = Math.min(limit - (now - watch.since), patience.living - (now - watch.began));
  return {
    mayTake: stale || (liveness === "stopped" && now - watch.since >= patience.stopped),
    patienceLeft,
  };
}

/**
 * Only if the lock is still the one that was judged. The old holder's rename can then not succeed.
 * The database may run it a second time, when another change of its batch fails.
 */
function replace(own: string, token: string, file: string, judged: Held, disk: Disk): boolean {
  const found = holderAt(lockPath(file), disk);
  if (found === "none") return false;
  if (found.named?.token === token) return true;
  if (!isSame(found, judged)) return false;
  disk.rename(own, lockPath(file));
  if (judged.named)
    for (const kind of ["tmp", "own"] as const)
      disk.remove(sideFile(file, judged.named.token, kind));
  return true;
}

/**
 * By name as well: a file system gives the inode of a lock that went to the very next one, and with
 * the inode alone two of eight contenders were once inside together.
 */
function isSame(a: Held, b: Held): boolean {
  return a.inode === b.inode && a.modified === b.modified && a.named?.token === b.named?.token;
}

const milliseconds = ({ modified }: Held): number => Number(modified / 1_000_000n);

/** A chain of deaths may leave several commits unfinished; 32 is more than a person would start. */
function tokensAfter({ named }: Held): readonly string[] {
  return named ? [named.token, ...named.took].slice(0, 32) : [];
}

/**
 * 1 ms, doubling to 20 ms: a document is held for about a millisecond. Who has waited for long looks
 * more often than who has just come: of eight that never rest, one was left out for 15 seconds.
 */
function pause(turn: number, waited: number): number {
  return waited > 500 ? 1 : Math.min(2 ** Math.min(turn, 5), 20);
}

function lockedBy(file: string, { named }: Held): Fault {
  const path = lockPath(file);
  const who: Message = named
    ? msg("lock.holder", { pid: named.process.pid, host: named.process.host })
    : msg("lock.nameless");
  return new Fault("locked", msg("lock.held", { path, who }), {
    hint: named ? msg("lock.held.hint") : msg("lock.nameless.hint"),
  });
}
