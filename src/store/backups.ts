// Copies of a plan's memory files in `.claude/memory/backup/` (S3.5): made before a task starts,
// ends, is replanned, reset or repaired; the newest twenty of each file stay. What a copy holds was
// valid when it was made.
//
// `.claude/memory/task-state.json`      → `backup/task-state.2026-01-31T09-00-00.000Z.json`
// `.claude/memory/agents/writer.json`   → `backup/agents/writer.2026-01-31T09-00-00.000Z.json`
import { lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import type { Codec } from "../formats/codec.ts";
import type { FormatName } from "../formats/registry.ts";
import type { Disk } from "./disk.ts";

export const mostBackups = 20;

export interface MemoryFile {
  readonly path: string;
  readonly format: FormatName;
}

export interface BackupWorld {
  readonly disk: Disk;
  readonly codec: Codec<unknown>;
  readonly now: () => Date;
  readonly random: () => string;
}

/** Is it a file that is copied? */
export function hasBackups(format: FormatName): boolean {
  return memoryFormats.has(format);
}

/**
 * Copies the file as it is, if it is valid, and returns where to; undefined if there is nothing to
 * copy. One that is already there is not made again. Reads without the lock: a file is only ever
 * replaced whole.
 */
export async function backup(ref: MemoryFile, world: BackupWorld): Promise<string | undefined> {
  if (!hasBackups(ref.format)) return undefined;
  const { disk } = world;
  const bytes = disk.read(ref.path);
  if (bytes === null || !world.codec.read(bytes).ok) return undefined;
  const { folder, stem } = placeOf(ref);
  const link = linkAt(ref);
  if (link !== undefined) throw new Fault("refused", msg("backup.not_a_folder", { path: link }));
  const [newest] = backupsOf(ref, disk);
  const last = newest === undefined ? null : readPlain(newest, disk);
  if (newest !== undefined && last !== null && Buffer.from(last).equals(bytes)) return newest;
  disk.makeFolder(folder);
  const copy = join(folder, `${stem}.${stampAfter(newest, stem, world.now())}.json`);
  await write(copy, bytes, join(folder, `.${world.random()}.tmp`), disk);
  for (const old of backupsOf(ref, disk).slice(mostBackups)) disk.remove(old);
  sweep(folder, disk, world.now().getTime());
  return copy;
}

/** The copies of a file, newest first. */
export function backupsOf(ref: MemoryFile, disk: Disk): string[] {
  if (!hasBackups(ref.format) || linkAt(ref) !== undefined) return [];
  const { folder, stem } = placeOf(ref);
  return disk
    .list(folder)
    .filter((name) => name.startsWith(stem) && stamp.test(name.slice(stem.length)))
    .toSorted()
    .toReversed()
    .map((name) => join(folder, name));
}

/** Bytes of a file that may be anything: a link or a folder is as good as nothing. */
export function readPlain(path: string, disk: Disk): Uint8Array | null {
  try {
    return disk.read(path);
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "refused") return null;
    throw thrown;
  }
}

// --- internal ---

const memoryFormats = new Set<FormatName>([
  "task-state",
  "task-history",
  "shared-context",
  "agent-memory",
]);

/** Nobody takes so long to write one: who made it was killed. */
const draftAge = 60_000;

function sweep(folder: string, disk: Disk, now: number): void {
  for (const name of disk.list(folder)) {
    if (!/^\.\w+\.tmp$/.test(name)) continue;
    const modified = disk.stamp(join(folder, name))?.modified;
    if (modified !== undefined && Number(modified / 1_000_000n) < now - draftAge)
      disk.remove(join(folder, name));
  }
}

const stamp = /^\.(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.json$/;

function placeOf({ path, format }: MemoryFile) {
  const inAgents = format === "agent-memory";
  const backups = join(inAgents ? dirname(dirname(path)) : dirname(path), "backup");
  const folder = inAgents ? join(backups, basename(dirname(path))) : backups;
  return { backups, folder, stem: basename(path, ".json") };
}

/** What stands in a folder's place: a link would take the copies to who knows where (S5.4). */
function linkAt(ref: MemoryFile): string | undefined {
  const { backups, folder } = placeOf(ref);
  return [backups, folder].find(
    (path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false,
  );
}

/** Later than the newest one, whatever the clock says: the names tell the order. */
function stampAfter(newest: string | undefined, stem: string, now: Date): string {
  const [, day, hour, minute, rest] = stamp.exec(basename(newest ?? "").slice(stem.length)) ?? [];
  const last = day === undefined ? 0 : Date.parse(`${day}${hour}:${minute}:${rest}`);
  return new Date(Math.max(now.getTime(), last + 1)).toISOString().replaceAll(":", "-");
}

/** Under another name until it is whole. */
async function write(
  path: string,
  bytes: Uint8Array,
  temporary: string,
  disk: Disk,
): Promise<void> {
  const handle = disk.create(temporary, bytes, 0o644);
  try {
    await disk.sync(handle);
  } finally {
    disk.close(handle);
  }
  disk.rename(temporary, path);
  disk.syncFolder(dirname(path));
}
