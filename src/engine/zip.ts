// The deliverables of a task as a ZIP (S1.6), made of the snapshot that was approved: the workspace is not
// looked at, and may be anything by now. The same snapshot gives the same bytes.
import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Zip, ZipDeflate, ZipPassThrough } from "fflate";
import { type Message, msg } from "../core/messages.ts";
import { type Redactor, createRedactor } from "../core/redact.ts";
import { asFault, realDisk } from "../store/disk.ts";
import { type ReadBlob, type StoredFile, listAt, readingBlobs } from "../git/contents.ts";
import type { Trees } from "../git/trees.ts";
import { draftOf } from "./zip-place.ts";

export interface ZipOptions {
  readonly trees: Pick<Trees, "repository">;
  /** The snapshot. */
  readonly commit: string;
  /** Files and folders of it, or everything but what a command fetches again (node_modules). */
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
  const draft = draftOf(out);
  await rm(draft, { force: true });
  try {
    const handle = await open(draft, "wx", 0o600);
    const written = await readingBlobs(options.trees, (read) =>
      write(handle, options, read),
    ).finally(() => handle.close());
    await rename(draft, out);
    realDisk.syncFolder(dirname(out));
    return { path: out, ...written };
  } catch (cause) {
    await rm(draft, { force: true });
    throw asFault(out, cause);
  }
}

// --- internal ---

/** What the format holds without its 64-bit extension, which many programs cannot read. */
const mostFiles = 50_000;
const mostBytes = 2 * 1024 ** 3;

const packed = /\.(?:zip|gz|tgz|bz2|xz|zst|7z|png|jpe?g|gif|webp|avif|mp[34]|webm|woff2?|pdf)$/i;

async function write(
  handle: FileHandle,
  options: ZipOptions,
  read: ReadBlob,
): Promise<Omit<Zipped, "path">> {
  const { maxFiles = mostFiles, maxBytes = mostBytes } = options;
  const redactor = createRedactor(options.secrets ?? []);
  const sink = new Sink(handle);
  const files: string[] = [];
  const leftOut: { path: string; why: ZipReason; text: Message }[] = [];
  const limits = { files: Math.min(maxFiles, mostFiles), bytes: Math.min(maxBytes, mostBytes) };
  let total = 0;
  for (const { path, file } of await wantedFiles(options)) {
    const why =
      file === undefined
        ? isPrivate(path)
          ? "private"
          : "missing"
        : await add(sink, file, read, redactor, (size) => {
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

/** Why it is not in it; undefined: it is. */
async function add(
  sink: Sink,
  { path, kind, id, bytes, executable }: StoredFile,
  read: ReadBlob,
  redactor: Redactor,
  fits: (size: number) => boolean,
): Promise<ZipReason | undefined> {
  if (isPrivate(path)) return "private";
  if (kind === "unnameable") return "unreadable";
  if (kind !== "file") return "not_a_file";
  if (redactor.finds(Buffer.from(path, "utf8")) || (await holdsSecret(read(id), redactor)))
    return "secret";
  if (!fits(bytes)) return "limit";
  await sink.file(path, executable, read(id));
  return undefined;
}

/** A snapshot holds none that was known when it was taken; one may have been provided since. */
async function holdsSecret(content: AsyncIterable<Buffer>, redactor: Redactor): Promise<boolean> {
  if (!redactor.active) return false;
  const stream = redactor.stream();
  // To its end, also where one was found: what is not read would be taken for the next file.
  for await (const piece of content) stream.push(piece);
  return stream.found;
}

/** Each once, by name. */
async function wantedFiles({
  trees,
  commit,
  files,
}: ZipOptions): Promise<{ path: string; file?: StoredFile }[]> {
  const all = await listAt(trees, commit);
  if (files === "all") return all.filter(({ path }) => !isFetched(path)).map(withFile);
  const names = [...new Set(files.map((name) => name.replace(/\/+$/, "")))];
  const found = all.filter(({ path }) =>
    names.some(
      (name) =>
        path === name || (path.startsWith(`${name}/`) && !isFetched(path.slice(name.length))),
    ),
  );
  const there = (name: string) =>
    found.some(({ path }) => path === name || path.startsWith(`${name}/`));
  const missing = names.filter((name) => !there(name)).map((path) => ({ path }));
  return [...found.map(withFile), ...missing].toSorted((a, b) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : 0,
  );
}

function withFile(file: StoredFile): { path: string; file: StoredFile } {
  return { path: file.path, file };
}

function isFetched(path: string): boolean {
  return path.split("/").includes("node_modules");
}

/** Never, wherever it lies and however it is spelt: repositories and files of secrets. */
function isPrivate(path: string): boolean {
  return path
    .toLowerCase()
    .split("/")
    .some((part) => part === ".git" || (part.startsWith(".env") && part !== ".env.example"));
}

const pieceBytes = 64 * 1024;

/** In pieces of one size: where a piece ends decides how it is compressed, and a pipe ends them anywhere. */
async function* evenly(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const piece of content) {
    held = Buffer.concat([held, piece]);
    for (; held.length >= pieceBytes; held = held.subarray(pieceBytes))
      yield held.subarray(0, pieceBytes);
  }
  if (held.length > 0) yield held;
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

  async file(path: string, executable: boolean, content: AsyncIterable<Buffer>): Promise<void> {
    const entry = packed.test(path) ? new ZipPassThrough(path) : new ZipDeflate(path, { level: 6 });
    // Local noon: a ZIP knows no time zone, so the same bytes come out in each.
    entry.mtime = new Date(1980, 0, 1, 12);
    entry.os = 3;
    entry.attrs = (0o100000 | (executable ? 0o755 : 0o644)) * 0x10000;
    this.#zip.add(entry);
    for await (const piece of evenly(content)) {
      entry.push(piece, false);
      await this.#flush();
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
