// The deliverables of a task as a ZIP (S1.6). Written file by file, each opened by ourselves: the
// usual libraries follow links and wait for ever at a pipe. The same files give the same bytes.
import { createHash, type Hash } from "node:crypto";
import { closeSync, fstatSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Zip, ZipDeflate, ZipPassThrough } from "fflate";
import { type Message, msg } from "../core/messages.ts";
import { type Redactor, createRedactor } from "../core/redact.ts";
import { asFault, realDisk } from "../store/disk.ts";
import {
  type Kind,
  chunksOf,
  holdsSecret,
  openInside,
  walkInside,
  lookInside,
} from "../git/files.ts";

export interface ZipOptions {
  readonly folder: string;
  /** Files and folders below it, or everything but what is fetched anew (node_modules). */
  readonly files: readonly string[] | "all";
  readonly out: string;
  readonly secrets?: readonly string[];
  readonly maxFiles?: number;
  /** Of all files together, unpacked. */
  readonly maxBytes?: number;
}

export type ZipReason = "secret" | "not_a_file" | "private" | "missing" | "unreadable" | "limit";

export interface Zipped {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly files: readonly string[];
  readonly leftOut: readonly {
    readonly path: string;
    readonly why: ZipReason;
    readonly text: Message;
  }[];
}

export async function zipDeliverables(options: ZipOptions): Promise<Zipped> {
  const { out } = options;
  // One name for all attempts: what an interrupted one left is written over.
  const draft = `${out}.part`;
  await rm(draft, { force: true });
  try {
    const handle = await open(draft, "wx", 0o600);
    const written = await write(handle, options).finally(() => handle.close());
    await rename(draft, out);
    realDisk.syncFolder(dirname(out));
    return { path: out, ...written };
  } catch (cause) {
    await rm(draft, { force: true });
    throw asFault(out, cause);
  }
}

// --- internal ---

/** What the format holds without its 64-bit extension, which many programs can not read. */
const mostFiles = 50_000;
const mostBytes = 2 * 1024 ** 3;

const packed = /\.(?:zip|gz|tgz|bz2|xz|zst|7z|png|jpe?g|gif|webp|avif|mp[34]|webm|woff2?|pdf)$/i;

async function write(handle: FileHandle, options: ZipOptions): Promise<Omit<Zipped, "path">> {
  const { folder, maxFiles = mostFiles, maxBytes = mostBytes } = options;
  const redactor = createRedactor(options.secrets ?? []);
  const sink = new Sink(handle);
  const files: string[] = [];
  const leftOut: { path: string; why: ZipReason; text: Message }[] = [];
  const limits = { files: Math.min(maxFiles, mostFiles), bytes: Math.min(maxBytes, mostBytes) };
  let total = 0;
  for (const { path, kind } of wantedFiles(options)) {
    const why = await add(sink, { folder, path, kind, redactor }, (size) => {
      const fits = files.length < limits.files && total + size <= limits.bytes;
      if (fits) total += size;
      return fits;
    });
    if (why === undefined) files.push(path);
    else {
      const named = redactor.text(path);
      leftOut.push({ path: named, why, text: leftOutText(named, why, limits) });
    }
  }
  const { bytes, sha256 } = await sink.end();
  return { bytes, sha256, files, leftOut };
}

function leftOutText(
  path: string,
  why: ZipReason,
  limits: { files: number; bytes: number },
): Message {
  return why === "limit"
    ? msg("zip.left_out.limit", { path, ...limits })
    : msg(`zip.left_out.${why}`, { path });
}

interface Candidate {
  readonly folder: string;
  readonly path: string;
  readonly kind: Kind;
  readonly redactor: Redactor;
}

/** Why it is not in it; undefined: it is. */
async function add(
  sink: Sink,
  { folder, path, kind, redactor }: Candidate,
  fits: (size: number) => boolean,
): Promise<ZipReason | undefined> {
  if (isPrivate(path)) return "private";
  if (kind === "missing" || kind === "unreadable") return kind;
  if (kind !== "file") return "not_a_file";
  const handle = openInside(folder, path);
  if (handle === undefined) return "unreadable";
  try {
    const { size, mode } = fstatSync(handle);
    if (redactor.finds(Buffer.from(path, "utf8")) || holdsSecret(handle, redactor)) return "secret";
    if (!fits(size)) return "limit";
    await sink.file(path, (mode & 0o100) !== 0, handle, size);
    return undefined;
  } finally {
    closeSync(handle);
  }
}

/** Each once, by name. */
function wantedFiles({ folder, files }: ZipOptions): { path: string; kind: Kind }[] {
  const found = new Map<string, Kind>();
  for (const name of files === "all" ? [""] : files) {
    const path = name.replace(/\/+$/, "");
    const { kind } = path === "" ? { kind: "folder" as const } : lookInside(folder, path);
    if (kind !== "folder") found.set(path, kind);
    else
      for (const file of walkInside(
        folder,
        path,
        (part) => part !== ".git" && part !== "node_modules",
      ))
        found.set(file.path, file.kind);
  }
  return [...found]
    .map(([path, kind]) => ({ path, kind }))
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** Never, wherever it lies and however it is spelt: repositories and files of secrets. */
function isPrivate(path: string): boolean {
  return path
    .toLowerCase()
    .split("/")
    .some((part) => part === ".git" || (part.startsWith(".env") && part !== ".env.example"));
}

/** Takes what fflate puts out, between two pieces of input: a large file never lies in memory. */
class Sink {
  readonly #handle: FileHandle;
  readonly #zip: Zip;
  readonly #hash: Hash = createHash("sha256");
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(handle: FileHandle) {
    this.#handle = handle;
    this.#zip = new Zip((failure, piece) => {
      if (failure !== null) throw failure;
      this.#pieces.push(piece);
    });
  }

  async file(path: string, executable: boolean, from: number, size: number): Promise<void> {
    const entry = packed.test(path) ? new ZipPassThrough(path) : new ZipDeflate(path, { level: 6 });
    // Local noon: a ZIP knows no time zone, so the same bytes come out in each.
    entry.mtime = new Date(1980, 0, 1, 12);
    entry.os = 3;
    entry.attrs = (0o100000 | (executable ? 0o755 : 0o644)) * 0x10000;
    this.#zip.add(entry);
    let left = size;
    for (const chunk of chunksOf(from)) {
      // It may have grown since it was measured: the limits are on what was promised.
      const part = chunk.subarray(0, left);
      left -= part.length;
      entry.push(part, false);
      await this.#flush();
      if (left === 0) break;
    }
    entry.push(new Uint8Array(0), true);
    await this.#flush();
  }

  async end(): Promise<{ bytes: number; sha256: string }> {
    this.#zip.end();
    await this.#flush();
    await this.#handle.sync();
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }

  async #flush(): Promise<void> {
    const pieces = this.#pieces;
    this.#pieces = [];
    for (const piece of pieces) {
      this.#hash.update(piece);
      this.#bytes += piece.length;
      await this.#handle.writeFile(piece);
    }
  }
}
