// What an agent made, as the project stores it: one commit, made in the project's repository by one process. A
// clone holds the bytes that are stored; what was changed or added there is stored as its owner's `git add`
// would have it, but for filters: those are commands, and a claim with such a file is refused before (claim.ts).
import { type Attributes, attributesOf } from "./_attributes.ts";
import { type ChangedFile, isWritten, noMode } from "./_changed.ts";
import { blobOf, fastImport, quoted, text, treeIn } from "./_fast-import.ts";
import { formatOf, objectId, signature } from "./_loose.ts";
import { gitlink } from "./_snapshot-list.ts";
import { type ReadBlob, readingBlobs, wholeBlob } from "./contents.ts";
import { readInside } from "./files.ts";
import type { GitPlace } from "./git.ts";
import { isOwnFile, withoutFilters } from "./project.ts";
import type { Trees } from "./trees.ts";

export interface Result {
  /** The clone, whose .gitattributes count, and our own repository of it. */
  readonly trees: Trees;
  /** Since it began. */
  readonly changes: readonly ChangedFile[];
  /** The commit it goes on top of; null: none. */
  readonly base: string | null;
  readonly message: string;
  /** A reference that it gets; null: none, it is only made. */
  readonly ref: string | null;
  /**
   * State files are written by code (idea 3): what an agent did to its copy of them counts for nothing, and is
   * kept under this reference for whoever reads one of them. Null: there are none.
   */
  readonly own: string | null;
  /** A reference that is not needed any more. */
  readonly over?: string | null;
}

export interface Imported {
  /** Where nothing was changed, the one it goes on top of. */
  readonly commit: string;
  /** Null: nothing was changed. */
  readonly tree: string | null;
}

export async function importResult(project: GitPlace, result: Result): Promise<Imported> {
  const { changes, base, trees, own, ref, over = null } = result;
  const isOwn = ({ path }: ChangedFile): boolean => own !== null && isOwnFile(utf8(path));
  const others = changes.filter((change) => !isOwn(change));
  const attributes = await attributesFor(project, trees, others);
  return readingBlobs(trees, async (blobs) => {
    const read = (change: ChangedFile): Promise<Buffer | null> =>
      contentOf(change, attributes.get(change.path), trees, blobs);
    const writer = new Writer(read, signature(project.identity, project.at ?? 0), result.message);
    const [commit, tree] = await fastImport(project, async function* () {
      const made = yield* writer.commit(others, ref ?? noRef, base);
      if (made !== null) yield text(`get-mark ${made}\nls ${made} ""\n`);
      if (ref === null) yield text(`reset ${noRef}\n\n`);
      else if (made === null && base !== null) yield text(`reset ${ref}\nfrom ${base}\n\n`);
      if (own !== null) yield* writer.commit(changes.filter(isOwn), own, made ?? base);
      if (over !== null && base !== null)
        yield text(`reset ${over}\nfrom ${"0".repeat(base.length)}\n\n`);
      yield text("done\n");
    });
    if (commit === undefined) return { commit: base ?? "", tree: null };
    return { commit, tree: treeIn(tree) };
  });
}

// --- internal ---

/** Of a commit that gets no reference: nothing of this name is left. */
const noRef = "refs/holdfast-none";
const mostBytes = 64 * 1024 * 1024;

/** Counts the marks by which one stream names what it makes. */
class Writer {
  readonly #read: (change: ChangedFile) => Promise<Buffer | null>;
  readonly #signed: string;
  readonly #message: string;
  #marks = 0;

  constructor(
    read: (change: ChangedFile) => Promise<Buffer | null>,
    signed: string,
    message: string,
  ) {
    [this.#read, this.#signed, this.#message] = [read, signed, message];
  }

  /** The mark of the commit; null: none of these differs from what is stored. */
  async *commit(
    files: readonly ChangedFile[],
    ref: string,
    from: string | null,
  ): AsyncGenerator<Uint8Array, string | null> {
    const lines: string[] = [];
    for (const change of files) {
      const bytes = await this.#read(change);
      if (bytes !== null && isStored(change, bytes)) continue;
      if (bytes !== null) yield* blobOf(++this.#marks, bytes);
      lines.push(lineOf(change, bytes === null ? null : this.#marks));
    }
    if (lines.length === 0) return null;
    const mark = `:${++this.#marks}`;
    const message = Buffer.from(this.#message, "utf8");
    yield text(
      `commit ${ref}\nmark ${mark}\nauthor ${this.#signed}\ncommitter ${this.#signed}\n` +
        `data ${message.length}\n`,
    );
    yield message;
    yield text(from === null ? "\n" : `\nfrom ${from}\n`);
    // What is removed comes first: a file may stand where a folder was.
    for (const line of lines.toSorted()) yield text(line);
    yield text("\n");
    return mark;
  }
}

function utf8(path: string): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

function isStored({ old, now }: ChangedFile, bytes: Buffer): boolean {
  return old.mode === now.mode && objectId("blob", bytes, formatOf(now.id)) === old.id;
}

/** `mark`: of its content; null: it is gone, or its content is there already. */
function lineOf({ path, now }: ChangedFile, mark: number | null): string {
  if (now.mode === noMode) return `D ${quoted(path)}\n`;
  return `M ${now.mode} ${mark === null ? now.id : `:${mark}`} ${quoted(path)}\n`;
}

async function attributesFor(
  project: GitPlace,
  { workTree }: Trees,
  changes: readonly ChangedFile[],
): Promise<ReadonlyMap<string, Attributes>> {
  const paths = changes.filter(isWritten).map(({ path }) => path);
  if (paths.length === 0) return new Map();
  return attributesOf(await withoutFilters(project), workTree, paths);
}

/** As it is stored; null: nothing has to be. */
async function contentOf(
  change: ChangedFile,
  attributes: Attributes | undefined,
  trees: Trees,
  blobs: ReadBlob,
): Promise<Buffer | null> {
  const { old, now } = change;
  if (now.mode === noMode || now.mode === gitlink || now.id === old.id) return null;
  const bytes = stillThere(change, trees) ?? (await wholeBlob(blobs, now.id));
  if (attributes === undefined || !isWritten(change)) return bytes;
  if (attributes.lineEnds === "as they are" && !attributes.keywords) return bytes;
  const before = () => (old.mode.startsWith("100") ? wholeBlob(blobs, old.id) : Buffer.alloc(0));
  return storedBytes(bytes, attributes, async () => before());
}

/** Read from the clone, where what lies there is still what the snapshot holds. */
function stillThere({ path, now }: ChangedFile, { workTree }: Trees): Buffer | undefined {
  if (!now.mode.startsWith("100")) return undefined;
  const bytes = readInside(workTree, Buffer.from(path, "latin1"), mostBytes);
  const isIt = bytes !== undefined && objectId("blob", bytes, formatOf(now.id)) === now.id;
  return isIt ? bytes : undefined;
}

/** The same object where nothing is turned. */
async function storedBytes(
  bytes: Buffer,
  { lineEnds, keywords }: Attributes,
  old: () => Promise<Buffer>,
): Promise<Buffer> {
  let latin = bytes.toString("latin1");
  const before = latin;
  const turns =
    lineEnds === "text" ||
    (lineEnds === "auto" && looksLikeText(bytes) && !hasLineEnds(await old()));
  if (turns && latin.includes("\r\n")) latin = latin.replaceAll("\r\n", "\n");
  if (keywords) latin = latin.replace(/\$Id:[^$\n]*\$/g, "$Id$");
  return latin === before ? bytes : Buffer.from(latin, "latin1");
}

/** Stored with CRLF before, it stays so: git does not turn a file that nobody asked to be turned. */
function hasLineEnds(bytes: Buffer): boolean {
  return bytes.includes("\r\n") && looksLikeText(bytes);
}

/** By git's own count: no NUL, no CR alone, and few bytes that cannot be printed. */
function looksLikeText(bytes: Buffer): boolean {
  let [shown, other] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === 0 || (byte === 13 && bytes[at + 1] !== 10)) return false;
    if (byte === 13 || byte === 10) continue;
    if (byte === 127 || (byte < 32 && ![8, 9, 12, 27].includes(byte))) other++;
    else shown++;
  }
  // An end mark of old systems.
  if (bytes.at(-1) === 26) other--;
  return shown >> 7 >= other;
}
