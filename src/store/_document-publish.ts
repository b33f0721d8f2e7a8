// Steps 3 and 5 to 9 of a write (see documents.ts): from new bytes to the file in its place.
import { dirname } from "node:path";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { type DocumentsWorld, type Opened, sumOf } from "./_document.ts";
import { indentOf, printParts } from "./_document-print.ts";
import { quarantine } from "./_document-quarantine.ts";
import type { DocumentRow, DocumentWrite } from "./database/store.ts";
import { type Disk, codeOf } from "./disk.ts";
import { self } from "./identity.ts";
import { type Lock, holds, sideFile } from "./lock.ts";

/** New content whose temporary file is being synced. null: the file is to be removed. */
export interface Prepared {
  readonly document: Opened;
  readonly value: unknown;
  readonly bytes: Uint8Array | null;
  /** See KnownDocument. */
  readonly indent: string | undefined;
  readonly row: DocumentRow;
  readonly write: DocumentWrite;
  handle: number | null;
  readonly synced: Promise<void>;
}

/** What is to be written, and why: the events that led to it. */
export interface Wanted {
  /** Valid; null: no file. */
  readonly value: unknown;
  readonly events: readonly unknown[];
  /** The indentation of what stands there, if this process printed it. */
  readonly indent: string | undefined;
}

/** undefined: nothing to write, the bytes stay the same. */
export function prepare(
  document: Opened,
  wanted: Wanted,
  world: DocumentsWorld,
): Prepared | undefined {
  const { bytes: before } = document;
  const next = wanted.value === null ? noFile : print(document, wanted);
  const same =
    before === null || next.bytes === null ? before === next.bytes : isSame(before, next.bytes);
  return same ? undefined : prepared(document, next, wanted, world);
}

/**
 * Puts the file in place. If what it replaces is not what was read, somebody changed the file
 * in the last millisecond: our events are applied to their version too, or theirs is kept aside.
 */
export async function publish(
  next: Prepared,
  world: DocumentsWorld,
  reapply: (theirs: unknown) => unknown,
): Promise<"as prepared" | "otherwise"> {
  const { disk } = world;
  await next.synced;
  closeHandle(next, disk);
  const slipped = next.bytes === null ? remove(next, disk) : replace(next, disk);
  if (slipped === null) return "as prepared";
  if (slipped !== "taken over") await mergeSlipped(next, slipped, world, reapply);
  return "otherwise";
}

/** Before the commit: nothing of this ever happened. */
export async function discard(all: readonly Prepared[], disk: Disk): Promise<void> {
  for (const next of all) {
    await next.synced.catch(() => undefined);
    closeHandle(next, disk);
    disk.remove(sideFile(next.document.ref.path, next.document.lock.token, "tmp"));
  }
}

/** Writes content that the database already holds: a rolled forward or restored file. */
export async function writeFile(
  path: string,
  bytes: Uint8Array,
  lock: Lock,
  disk: Disk,
): Promise<void> {
  const temporary = sideFile(path, lock.token, "tmp");
  disk.remove(temporary);
  const handle = disk.create(temporary, bytes, 0o644);
  try {
    await disk.sync(handle);
  } finally {
    disk.close(handle);
  }
  if (!holds(lock, disk)) throw new Fault("locked", msg("document.lock_lost"));
  disk.rename(temporary, path);
  disk.syncFolder(dirname(path));
}

/** Where there is a row, row and file agree, so that the file's checksum is known. */
export function rowAfter(
  { ref, row, bytes: before, lock }: Opened,
  bytes: Uint8Array | null,
  world: DocumentsWorld,
): DocumentRow {
  return {
    path: ref.path,
    projectId: world.projectId,
    taskId: row?.taskId ?? null,
    format: ref.format,
    rev: row?.rev ?? 0,
    before: row ? row.after : sumOf(before),
    after: sumOf(bytes),
    token: lock.token,
    boot: self().boot,
    updatedAt: world.now().toISOString(),
  };
}

// --- internal ---

type Printed = Pick<Prepared, "bytes" | "indent">;
const noFile: Printed = { bytes: null, indent: undefined };

function print({ ref, bytes: before }: Opened, { value, indent }: Wanted): Printed {
  const parts = indent === undefined ? undefined : printParts(value, indent);
  if (parts) return { bytes: parts, indent };
  const previous = before === null ? undefined : Buffer.from(before).toString("utf8");
  const text = ref.codec.print(value, previous);
  const isJson = ref.codec.format.syntax === "json";
  return { bytes: Buffer.from(text, "utf8"), indent: isJson ? indentOf(text) : undefined };
}

function prepared(
  document: Opened,
  { bytes, indent }: Printed,
  { value, events }: Wanted,
  world: DocumentsWorld,
): Prepared {
  const { disk } = world;
  let handle: number | null = null;
  if (bytes !== null) {
    handle = disk.create(sideFile(document.ref.path, document.lock.token, "tmp"), bytes, 0o644);
  }
  const synced = handle === null ? Promise.resolve() : disk.sync(handle);
  // Checksum and commit run meanwhile; a failure is looked at when the sync is awaited.
  synced.catch(() => undefined);
  const row = rowAfter(document, bytes, world);
  const createdAt = world.now().toISOString();
  const revision = { kind: "ours", base: null, content: bytes, event: events, createdAt } as const;
  return {
    document,
    value,
    bytes,
    indent,
    row,
    write: { document: row, revision },
    handle,
    synced,
  };
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

function closeHandle(next: Prepared, disk: Disk): void {
  if (next.handle === null) return;
  disk.close(next.handle);
  next.handle = null;
}

/** null: all as it should be. Bytes: what stood there instead of what we had read. */
function replace(next: Prepared, disk: Disk): Uint8Array | null | "taken over" {
  const { ref, lock, bytes: expected } = next.document;
  const old = sideFile(ref.path, lock.token, "old");
  if (!holds(lock, disk)) return "taken over";
  const had = disk.link(ref.path, old);
  try {
    disk.rename(sideFile(ref.path, lock.token, "tmp"), ref.path);
  } catch (cause) {
    disk.remove(old);
    // Whoever took over removed our temporary file, and finishes our commit from the database.
    if (codeOf(cause) === "ENOENT") return "taken over";
    throw cause;
  }
  disk.syncFolder(dirname(ref.path));
  return had ? settleOld(old, ref.path, expected, disk) : null;
}

function remove(next: Prepared, disk: Disk): Uint8Array | null | "taken over" {
  const { ref, lock, bytes: expected } = next.document;
  const old = sideFile(ref.path, lock.token, "old");
  if (!holds(lock, disk)) return "taken over";
  if (!disk.link(ref.path, old)) return null;
  disk.remove(ref.path);
  disk.syncFolder(dirname(ref.path));
  return settleOld(old, ref.path, expected, disk);
}

/** `.bak` is only ever a version that was validated: what we had read (S2.7). */
function settleOld(
  old: string,
  path: string,
  expected: Uint8Array | null,
  disk: Disk,
): Uint8Array | null {
  const found = disk.read(old);
  if (found === null) return null;
  if (expected !== null && isSame(found, expected)) {
    try {
      disk.rename(old, `${path}.bak`);
    } catch (cause) {
      // Whoever took over swept it. The file itself is in place.
      if (codeOf(cause) !== "ENOENT") throw cause;
    }
    return null;
  }
  disk.remove(old);
  return found;
}

/** An event that does not fit their version is no reason to lose it. */
function orNothing(make: () => unknown): unknown {
  try {
    return make();
  } catch {
    return undefined;
  }
}

async function mergeSlipped(
  next: Prepared,
  theirs: Uint8Array,
  world: DocumentsWorld,
  reapply: (theirs: unknown) => unknown,
): Promise<void> {
  const { ref, lock } = next.document;
  const read = ref.codec.read(theirs);
  const merged = read.ok ? orNothing(() => reapply(read.value)) : undefined;
  const fits =
    merged !== undefined &&
    merged !== null &&
    !ref.codec.check(merged).some(({ level }) => level === "error");
  if (!fits) {
    const kept = await quarantine(ref.path, theirs, world);
    world.tell({ path: ref.path, text: msg("document.theirs_kept", { path: ref.path, kept }) });
    return;
  }
  const bytes = Buffer.from(ref.codec.print(merged, Buffer.from(theirs).toString("utf8")), "utf8");
  const now: Opened = {
    ...next.document,
    row: { ...next.row, rev: next.row.rev + 1 },
    bytes: next.bytes,
  };
  const outcome = await world.store.commit({
    documents: [
      {
        document: rowAfter(now, bytes, world),
        revision: {
          kind: "redone",
          base: null,
          content: bytes,
          event: null,
          createdAt: world.now().toISOString(),
        },
      },
    ],
    guard: () => holds(lock, world.disk) || msg("document.lock_lost"),
  });
  if (!outcome.ok) throw new Fault("locked", outcome.what);
  await writeFile(ref.path, bytes, lock, world.disk);
  world.tell({ path: ref.path, text: msg("document.merged", { path: ref.path }) });
}
