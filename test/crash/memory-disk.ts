// A disk in memory that knows what is durable. A process that dies loses nothing of it; a power cut
// loses what was not synced, in any way that a file system may:
//
//   a file's bytes    durable at sync. Unsynced: as before, as written, cut short, zeros, or some
//                     sectors of each
//   a folder's names  durable at syncFolder. Unsynced: the first so many changes (a journal), or
//                     any of them (harsher than any journal); a rename is one change. A file's own
//                     sync does not bring its name along
import { basename, dirname } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import type { Disk } from "../../src/store/disk.ts";

/** What a cut keeps of the changes of a folder: the first ones, or any. */
export type CutMode = "first" | "any";

/** Steps that can be done by half; all others happen or do not. */
export interface Halves {
  /** Some of the bytes, then no more. */
  create(path: string, bytes: Uint8Array): void;
  /** It fails, the bytes are dropped, and yet reads show them and a later sync reports success. */
  sync(handle: number): void;
}

export class MemoryDisk implements Disk {
  readonly half: Halves = {
    create: (path, bytes) => void this.#put(path, bytes.subarray(0, bytes.length >> 1)),
    sync: (handle) => {
      // As the kernel does: the pages count as clean, whatever became of them.
      this.#open(handle).unsynced = false;
    },
  };
  readonly #now: () => number;
  #root = newFolder();
  #inodes = 0n;
  #handles = new Map<number, FileNode>();
  #opened = 0;
  /** A sync that was on its way when the power went comes to nothing. */
  #cuts = 0;

  /** `now` dates the files. */
  constructor(now: () => number) {
    this.#now = now;
  }

  read(path: string): Uint8Array | null {
    return this.#file(path)?.bytes ?? null;
  }

  stamp(path: string) {
    const file = this.#file(path);
    const size = BigInt(file?.bytes.length ?? 0);
    return file && { inode: file.inode, size, modified: file.modified, mode: 0o644 };
  }

  create(path: string, bytes: Uint8Array): number {
    this.#handles.set(++this.#opened, this.#put(path, bytes));
    return this.#opened;
  }

  /** It takes longer than a commit that was begun meanwhile, so that a cut may come between them. */
  async sync(handle: number): Promise<void> {
    const file = this.#open(handle);
    const cuts = this.#cuts;
    for (let i = 0; i < 3; i++) await turn();
    if (cuts !== this.#cuts || !file.unsynced) return;
    file.durable = file.bytes;
    file.unsynced = false;
  }

  close(handle: number): void {
    this.#handles.delete(handle);
  }

  link(from: string, to: string): boolean {
    const file = this.#file(from);
    if (!file) return false;
    if (this.#folder(dirname(to)).names.has(basename(to))) throw failure("EEXIST", "link");
    this.#change(dirname(to), { name: basename(to), node: file });
    return true;
  }

  rename(from: string, to: string): void {
    const file = this.#file(from);
    if (!file || dirname(from) !== dirname(to)) throw failure("ENOENT", "rename");
    // Two names of one file: POSIX has it that both stay.
    if (this.#file(to) === file) return;
    this.#change(dirname(to), { name: basename(to), node: file, gone: basename(from) });
  }

  remove(path: string): void {
    if (this.#file(path)) this.#change(dirname(path), { gone: basename(path) });
  }

  syncFolder(path: string): void {
    const folder = this.#folder(path);
    for (const change of folder.unsynced) apply(change, folder.durable);
    folder.unsynced = [];
  }

  list(path: string): string[] {
    return [...(this.#find(path)?.names?.keys() ?? [])];
  }

  /** Each new name is synced: a folder is only as durable as its name in the one above. */
  makeFolder(path: string): void {
    if (this.#find(path)) return;
    this.makeFolder(dirname(path));
    this.#change(dirname(path), { name: basename(path), node: newFolder() });
    this.syncFolder(dirname(path));
  }

  /** What somebody else's program does, with everything synced: in place, or over it by a rename. */
  overwrite(path: string, bytes: Uint8Array, inPlace: boolean): void {
    const there = inPlace ? this.#file(path) : null;
    const file = there ?? this.#newFile(bytes);
    Object.assign(file, { bytes, durable: bytes, unsynced: false, modified: this.#stampNow() });
    if (!there) this.#change(dirname(path), { name: basename(path), node: file });
    this.syncFolder(dirname(path));
  }

  /** The power goes: handles, syncs on their way and what was not synced go with it. */
  cut(random: (below: number) => number, mode: CutMode): void {
    this.#cuts++;
    this.#handles.clear();
    // A file with two names has one fate.
    const seen = new Set<Node>();
    const settle = (node: Node): void => {
      if (seen.has(node)) return;
      seen.add(node);
      if (node.names) {
        const first = random(node.unsynced.length + 1);
        for (const [place, change] of node.unsynced.entries())
          if (mode === "first" ? place < first : random(2) === 1) apply(change, node.durable);
        node.names = new Map(node.durable);
        node.unsynced = [];
        for (const below of node.names.values()) settle(below);
      } else if (node.unsynced) {
        node.bytes = node.durable = survivor(node, random);
        node.unsynced = false;
      } else node.bytes = node.durable;
    };
    settle(this.#root);
  }

  // --- internal ---

  #stampNow(): bigint {
    return BigInt(Math.floor(this.#now())) * 1_000_000n;
  }

  #newFile(bytes: Uint8Array): FileNode {
    const [inode, modified] = [++this.#inodes, this.#stampNow()];
    return { inode, modified, bytes: bytes.slice(), durable: new Uint8Array(), unsynced: true };
  }

  #put(path: string, bytes: Uint8Array): FileNode {
    if (this.#folder(dirname(path)).names.has(basename(path))) throw failure("EEXIST", "open");
    const node = this.#newFile(bytes);
    this.#change(dirname(path), { name: basename(path), node });
    return node;
  }

  #change(path: string, change: NameChange): void {
    const folder = this.#folder(path);
    apply(change, folder.names);
    folder.unsynced.push(change);
  }

  #open(handle: number): FileNode {
    const file = this.#handles.get(handle);
    if (!file) throw failure("EBADF", "fsync");
    return file;
  }

  #find(path: string): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const part of path.split("/").filter((name) => name !== "")) node = node?.names?.get(part);
    return node;
  }

  #file(path: string): FileNode | null {
    const node = this.#find(path);
    return node && !node.names ? node : null;
  }

  #folder(path: string): FolderNode {
    const node = this.#find(path);
    if (!node?.names) throw failure("ENOENT", "open");
    return node;
  }
}

/** As Node reports it. */
export function failure(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: ${syscall}`), { code, syscall });
}

// --- internal ---

interface FileNode {
  readonly names?: undefined;
  readonly inode: bigint;
  modified: bigint;
  /** What reads show, and what a power cut certainly leaves. */
  bytes: Uint8Array;
  durable: Uint8Array;
  unsynced: boolean;
}

interface FolderNode {
  names: Map<string, Node>;
  readonly durable: Map<string, Node>;
  unsynced: NameChange[];
}

type Node = FileNode | FolderNode;

/** Happens as a whole or not at all. */
interface NameChange {
  readonly name?: string;
  readonly node?: Node;
  readonly gone?: string;
}

const sector = 512;

function newFolder(): FolderNode {
  return { names: new Map(), durable: new Map(), unsynced: [] };
}

function apply({ name, node, gone }: NameChange, names: Map<string, Node>): void {
  if (gone !== undefined) names.delete(gone);
  if (name !== undefined && node) names.set(name, node);
}

/** Bytes of which nobody has said that they are safe. */
function survivor({ bytes, durable }: FileNode, random: (below: number) => number): Uint8Array {
  switch (random(5)) {
    case 0:
      return durable;
    case 1:
      return bytes;
    case 2:
      return bytes.slice(0, random(bytes.length + 1));
    case 3:
      return new Uint8Array(bytes.length);
    default: {
      const mixed = new Uint8Array(bytes.length);
      for (let at = 0; at < bytes.length; at += sector)
        mixed.set((random(2) === 1 ? bytes : durable).subarray(at, at + sector), at);
      return mixed;
    }
  }
}
