// The files of a snapshot, read from its objects: what a review showed and what is handed out is what was
// stored, whatever has become of the workspace since. Nothing is locked: others may work beside it.
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { isObjectId } from "./objects.ts";
import { type Trees, storedPlace } from "./trees.ts";
import { git, gitFault, startGit } from "./git.ts";

export interface StoredFile {
  /** Where its name is no UTF-8, as near to it as a text can be. */
  readonly path: string;
  readonly kind: "file" | "link" | "submodule" | "unnameable";
  readonly executable: boolean;
  readonly id: string;
  readonly bytes: number;
}

/** All of them, by name; with `paths` only what stands there or below. */
export async function listAt(
  trees: Pick<Trees, "repository">,
  commit: string,
  paths: readonly string[] = [],
): Promise<StoredFile[]> {
  if (!isObjectId(commit))
    throw new Fault("invalid_input", msg("snapshot.no_id", { id: commit.slice(0, 80) }));
  const how = ["--literal-pathspecs", "ls-tree", "-r", "-l", "-z", "--full-tree"];
  const args = [...how, "--end-of-options", commit, ...paths];
  const listed = await git(args, { ...storedPlace(trees), maxOutput: mostNames });
  // Latin-1 keeps every byte as one letter, also of a name that is no UTF-8.
  const files = listed.toString("latin1").split("\0").slice(0, -1).map(fileOf);
  return files.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** The content of a file, in pieces; one at a time, each to its end. */
export type ReadBlob = (id: string) => AsyncGenerator<Buffer>;

/** One process for as many files as are asked for, begun with the first. */
export async function readingBlobs<T>(
  trees: Pick<Trees, "repository">,
  work: (read: ReadBlob) => Promise<T>,
): Promise<T> {
  let talk: ReturnType<typeof beginReading> | undefined;
  try {
    return await work((id) => (talk ??= beginReading(trees)).read(id));
  } finally {
    await talk?.end();
  }
}

/** All of it at once. */
export async function wholeBlob(read: ReadBlob, id: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of read(id)) parts.push(part);
  return Buffer.concat(parts);
}

// --- internal ---

const mostNames = 256 * 1024 * 1024;

function beginReading(trees: Pick<Trees, "repository">) {
  const place = storedPlace(trees);
  const child = startGit(["cat-file", "--batch"], place);
  const ended = new Promise<void>((done) => {
    child.once("close", () => done());
    child.once("error", () => done());
  });
  child.stdin?.on("error", () => undefined);
  let words = "";
  child.stderr?.on(
    "data",
    (part: Buffer) => (words = `${words}${part.toString("utf8")}`.slice(-2_000)),
  );
  const source = new Pieces(child.stdout ?? [], () => gitFault(["cat-file"], words, place));
  async function* read(id: string): AsyncGenerator<Buffer> {
    child.stdin?.write(`${id}\n`);
    const [, kind, size = ""] = (await source.line()).split(" ");
    if (kind !== "blob") throw gitFault(["cat-file"], `${id} ${kind}`, place);
    yield* source.bytes(Number(size));
    await source.line();
  }
  const end = (): Promise<void> => {
    child.stdin?.end();
    child.kill();
    return ended;
  };
  return { read, end };
}

function fileOf(line: string): StoredFile {
  const [, mode = "", id = "", size = "0", name = ""] =
    /^(\d+) \w+ (\w+) +([\d-]+)\t([^]*)$/.exec(line) ?? [];
  const raw = Buffer.from(name, "latin1");
  const path = raw.toString("utf8");
  const kind = mode === "160000" ? "submodule" : mode === "120000" ? "link" : ("file" as const);
  return {
    path,
    kind: Buffer.from(path, "utf8").equals(raw) ? kind : "unnameable",
    executable: mode === "100755",
    id,
    bytes: size === "-" ? 0 : Number(size),
  };
}

/** What a process prints, cut into lines and counted bytes. */
class Pieces {
  readonly #source: AsyncIterator<Buffer>;
  readonly #broken: () => Fault;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer> | Iterable<Buffer>, broken: () => Fault) {
    this.#source = (async function* () {
      yield* source;
    })();
    this.#broken = broken;
  }

  async line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf(10);
      if (end >= 0) return this.#take(end + 1).toString("utf8", 0, end);
      this.#rest = Buffer.concat([this.#rest, await this.#more()]);
    }
  }

  async *bytes(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0;) {
      if (this.#rest.length === 0) this.#rest = await this.#more();
      const piece = this.#take(Math.min(left, this.#rest.length));
      left -= piece.length;
      yield piece;
    }
  }

  #take(count: number): Buffer {
    const piece = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return piece;
  }

  async #more(): Promise<Buffer> {
    const next = await this.#source.next();
    if (next.done === true) throw this.#broken();
    return next.value;
  }
}
