// Step 3 of a write (see documents.ts): from a new document to a temporary file that is being synced.
// And how a file is written that the database already holds.
import { dirname } from "node:path";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import type { DocumentsWorld, Opened } from "./_document.ts";
import { indentOf, printParts } from "./_document-print.ts";
import { sumOf } from "./_document-sum.ts";
import type { DocumentRow, DocumentWrite } from "./database/store.ts";
import { type Disk, type FileStamp, newFileMode } from "./disk.ts";
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
  /** Of the file that it is to replace. */
  readonly stamp: FileStamp | null;
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

/** Nothing of this ever happened, or the database says what is left to do. */
export async function discard(all: readonly Prepared[], disk: Disk): Promise<void> {
  for (const next of all) {
    await letGo(next, disk);
    disk.remove(sideFile(next.document.ref.path, next.document.lock.token, "tmp"));
  }
}

/** It is stored, or nobody knows: whoever opens the documents next has to know it. */
export async function leave(
  all: readonly Prepared[],
  { disk, store }: DocumentsWorld,
): Promise<void> {
  const documentsUnpublished = all.map(({ row }) => ({ path: row.path, rev: row.rev + 1 }));
  try {
    await store.commit({ documentsUnpublished });
  } catch {
    // The database fails too: what we had begun to write stays, and says it.
    for (const next of all) await letGo(next, disk);
    return;
  }
  await discard(all, disk);
}

/** What a dead holder had not finished, and we did not either: the row says so when its lock goes. */
export async function passOn({ file, took }: Lock, { store }: DocumentsWorld): Promise<void> {
  const row = took.length === 0 ? undefined : await store.document(file);
  if (row && took.includes(row.token))
    await store.commit({ documentsUnpublished: [{ path: file, rev: row.rev }] });
}

/** Somebody changed the file since it was judged: it has to be looked at again. */
export class Moved extends Error {}

/**
 * Writes content that the database already holds, a rolled forward or restored file, in the place
 * of `expected`; the sync takes long enough for somebody to write there meanwhile.
 */
export async function writeFile(
  path: string,
  bytes: Uint8Array,
  expected: Uint8Array | null,
  lock: Lock,
  disk: Disk,
): Promise<void> {
  const temporary = sideFile(path, lock.token, "tmp");
  disk.remove(temporary);
  const handle = disk.create(temporary, bytes, modeOf(disk.stamp(path)));
  try {
    await disk.sync(handle);
  } finally {
    disk.close(handle);
  }
  if (!holds(lock, disk)) throw new Fault("locked", msg("document.lock_lost"));
  try {
    requireAs(path, expected, disk);
  } catch (cause) {
    disk.remove(temporary);
    throw cause;
  }
  disk.rename(temporary, path);
  disk.syncFolder(dirname(path));
}

export function requireAs(path: string, expected: Uint8Array | null, disk: Disk): void {
  const now = disk.read(path);
  if (now === null || expected === null ? now !== expected : !isSame(now, expected))
    throw new Moved();
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

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one === other || Buffer.compare(one, other) === 0;
}

export function closeHandle(next: Prepared, disk: Disk): void {
  if (next.handle === null) return;
  disk.close(next.handle);
  next.handle = null;
}

// --- internal ---

async function letGo(next: Prepared, disk: Disk): Promise<void> {
  await next.synced.catch(() => undefined);
  closeHandle(next, disk);
}

/** Whoever shut or opened a file to others meant the next version of it too. */
function modeOf(stamp: FileStamp | null): number {
  return stamp?.mode ?? newFileMode;
}

type Printed = Pick<Prepared, "bytes" | "indent">;
const noFile: Printed = { bytes: null, indent: undefined };

function print(document: Opened, { value, indent }: Wanted): Printed {
  const { ref, bytes: before } = document;
  const parts = indent === undefined ? undefined : printParts(value, indent, document.value);
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
  const { path } = document.ref;
  const stamp = disk.stamp(path);
  const temporary = sideFile(path, document.lock.token, "tmp");
  const handle = bytes === null ? null : disk.create(temporary, bytes, modeOf(stamp));
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
    write: { document: row, revision, previous: document.bytes },
    stamp,
    handle,
    synced,
  };
}
