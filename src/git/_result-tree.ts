// What an agent made, as the project stores it. A clone holds the bytes that are stored; what was changed or
// added there is stored as its owner's `git add` would have it, but for filters: those are commands, and
// a claim with such a file is refused before (claim.ts).
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Attributes, attributesOf } from "./_attributes.ts";
import type { Trees } from "./trees.ts";
import { isOwnFile, withoutFilters } from "./project.ts";
import { type GitPlace, git, gitLine } from "./git.ts";

export interface Made {
  /** Both are there in the project's repository. */
  readonly begun: string;
  readonly made: string;
  /** The clone, whose .gitattributes count, and our own repository of it, for files in between. */
  readonly trees: Trees;
  /** State files are written by code (idea 3): what an agent did to its copy of them counts for nothing. */
  readonly withoutOwn: boolean;
}

/** The tree to commit. */
export async function resultTree(project: GitPlace, wanted: Made): Promise<string> {
  const { begun, made, withoutOwn } = wanted;
  const changes = await changesIn(project, begun, made);
  const own = withoutOwn ? changes.filter(({ path }) => isOwnFile(utf8(path))) : [];
  const others = changes.filter((change) => !own.includes(change));
  const lines = [
    ...own.map(({ path, old }) => entryLine(old, path)),
    ...(await turned(project, others, wanted.trees)),
  ];
  return lines.length === 0 ? made : withLines(project, made, lines);
}

export interface ChangedFile {
  /** Latin-1: a letter a byte. */
  readonly path: string;
  readonly old: Entry;
  readonly now: Entry;
}

interface Entry {
  /** `000000`: there is none. */
  readonly mode: string;
  readonly id: string;
}

export async function changesIn(place: GitPlace, from: string, to: string): Promise<ChangedFile[]> {
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--raw", "--no-abbrev", from, to];
  const output = await git(args, { ...place, maxOutput: 256 * 1024 * 1024 });
  const fields = output.toString("latin1").split("\0").slice(0, -1);
  const found: ChangedFile[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [head = "", path = ""] = fields.slice(at, at + 2);
    const [oldMode = "", mode = "", oldId = "", id = ""] = head.slice(1).split(" ");
    found.push({ path, old: { mode: oldMode, id: oldId }, now: { mode, id } });
  }
  return found;
}

/** Was its content written, as a plain file? */
export function isWritten({ old, now }: ChangedFile): boolean {
  return now.mode.startsWith("100") && now.id !== old.id;
}

// --- internal ---

function utf8(path: string): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

/** For `update-index --index-info`; mode 0 removes it. */
function entryLine({ mode, id }: Entry, path: string): string {
  return `${mode === "000000" ? "0" : mode} ${id}\t${path}\0`;
}

/** Lines for those whose stored bytes are others than in the clone. */
async function turned(
  project: GitPlace,
  changes: readonly ChangedFile[],
  { workTree, repository }: Trees,
): Promise<string[]> {
  const written = changes.filter(isWritten);
  if (written.length === 0) return [];
  const place = await withoutFilters(project);
  const paths = written.map(({ path }) => path);
  const attributes = await attributesOf(place, workTree, paths);
  const other: { change: ChangedFile; bytes: Buffer }[] = [];
  for (const change of written) {
    const how = attributes.get(change.path);
    if (how === undefined || (how.lineEnds === "as they are" && !how.keywords)) continue;
    const bytes = await blob(place, change.now.id);
    const old = async () =>
      change.old.mode.startsWith("100") ? blob(place, change.old.id) : Buffer.alloc(0);
    const stored = await storedBytes(bytes, how, old);
    if (stored !== bytes) other.push({ change, bytes: stored });
  }
  const contents = other.map(({ bytes }) => bytes);
  const ids = await writeBlobs(place, repository, contents);
  return other.map(({ change: { path, now } }, at) =>
    entryLine({ mode: now.mode, id: ids[at] ?? now.id }, path),
  );
}

/** The same object where nothing is turned. */
async function storedBytes(
  bytes: Buffer,
  { lineEnds, keywords }: Attributes,
  old: () => Promise<Buffer>,
): Promise<Buffer> {
  let text = bytes.toString("latin1");
  const before = text;
  const turns =
    lineEnds === "text" ||
    (lineEnds === "auto" && looksLikeText(bytes) && !hasLineEnds(await old()));
  if (turns && text.includes("\r\n")) text = text.replaceAll("\r\n", "\n");
  if (keywords) text = text.replace(/\$Id:[^$\n]*\$/g, "$Id$");
  return text === before ? bytes : Buffer.from(text, "latin1");
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

function blob(place: GitPlace, id: string): Promise<Buffer> {
  return git(["cat-file", "blob", id], { ...place, maxOutput: mostBytes });
}

const mostBytes = 256 * 1024 * 1024;

/** All with one process. */
async function writeBlobs(
  place: GitPlace,
  repository: string,
  contents: readonly Buffer[],
): Promise<string[]> {
  if (contents.length === 0) return [];
  const folder = await mkdtemp(join(repository, "stored-"));
  try {
    const paths = contents.map((_, at) => join(folder, String(at)));
    for (const [at, path] of paths.entries())
      await writeFile(path, contents[at] ?? "", { mode: 0o600 });
    const input = paths.map((path) => `${path}\n`).join("");
    const args = ["hash-object", "-w", "--no-filters", "--stdin-paths"];
    return (await gitLine(args, { ...place, input })).split("\n");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function withLines(
  project: GitPlace,
  made: string,
  lines: readonly string[],
): Promise<string> {
  const index = await gitLine(
    ["rev-parse", "--path-format=absolute", "--git-path", `holdfast-${made}`],
    project,
  );
  const place = { ...project, index };
  try {
    await git(["read-tree", made], place);
    const input = Buffer.from(lines.join(""), "latin1");
    await git(["update-index", "-z", "--index-info"], { ...place, input });
    return await gitLine(["write-tree"], place);
  } finally {
    await rm(index, { force: true });
  }
}
