// Writes a snapshot: the tree it begins from, what was removed, what is new. One stream into
// `git fast-import`, which makes the commit and its ref at the end or not at all.
import { createHash } from "node:crypto";
import { closeSync, readlinkSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createRedactor, type Redactor } from "../core/redact.ts";
import { blobOf, fastImport, quoted, text, treeIn } from "./_fast-import.ts";
import { formatOf, objectId, signature } from "./_loose.ts";
import { absolute, holdsSecret, lookInside, openInside, readInside } from "./files.ts";
import {
  type Changes,
  type Entry,
  bytesOf,
  entriesAt,
  scannedFile,
  shown,
} from "./_snapshot-list.ts";
import { type LeftOut, type LeftOutReason, reportMessage } from "./_snapshot-report.ts";
import { type Trees, baseRef, treePlace } from "./trees.ts";

export interface Import {
  readonly trees: Trees;
  readonly ref: string;
  /** The commit that the changes are changes of. */
  readonly from: string;
  readonly changes: Changes;
  readonly at: number;
  readonly secrets: readonly string[];
  readonly maxFileBytes: number;
}

/** What was found in the workspace, when each file was read. */
export interface Gathered {
  readonly kept: Map<string, Entry & { readonly size: number }>;
  readonly gone: string[];
  /** Not kept, for what they hold or are. */
  readonly dropped: string[];
  readonly leftOut: { readonly path: string; readonly why: LeftOutReason }[];
}

export interface Imported extends Gathered {
  readonly commit: string;
  readonly tree: string;
  readonly report: readonly LeftOut[];
}

export async function importTree(wanted: Import): Promise<Imported> {
  const { trees, from, changes } = wanted;
  const found = nothingYet(changes);
  const redactor = createRedactor(wanted.secrets);
  const lines = await fastImport(treePlace(trees), async function* (answers) {
    yield text(`ls ${from} ""\n`);
    const tree = treeIn(await answers.line());
    for (const bytes of readAll(wanted, redactor, found)) yield* blobOf(found.kept.size, bytes);
    const { dropped, gone, kept } = found;
    const base = dropped.length === 0 ? new Map<string, Entry>() : await entriesAt(trees, baseRef);
    const mark = kept.size + 1;
    yield text(commitOf(wanted, tree, named(redactor, found), mark));
    yield text(removals(gone, new Map()) + removals(dropped, base));
    let place = 0;
    for (const [path, { mode }] of kept) yield text(`M ${mode} :${++place} ${quoted(path)}\n`);
    yield text(`\nget-mark :${mark}\nls :${mark} ""\ndone\n`);
  });
  await writeFile(scannedFile(trees), changes.scanned, { mode: 0o600 });
  const [, commit = "", tree] = lines;
  return { ...found, commit, tree: treeIn(tree), report: named(redactor, found) };
}

/** The same again where nothing in the workspace has changed, of what a snapshot would see. */
export function stateOf(from: string, { kept, gone, dropped, leftOut }: Gathered): string {
  const files = [...kept].map(([path, { mode, id }]) => `${mode} ${id} ${path}`);
  const rest = leftOut.map(({ path, why }) => `${why} ${path}`);
  const all = [from, ...[files, rest, gone, dropped].map((list) => list.toSorted())];
  return createHash("sha256").update(JSON.stringify(all)).digest("hex");
}

/** Reads without keeping anything. */
export function gather(wanted: Import): Gathered {
  const found = nothingYet(wanted.changes);
  Array.from(readAll(wanted, createRedactor(wanted.secrets), found), () => undefined);
  return found;
}

// --- internal ---

function nothingYet(changes: Changes): Gathered {
  const leftOut = [...changes.leftOut].map(([path, why]) => ({ path, why }));
  return { kept: new Map(), gone: [...changes.removed], dropped: [], leftOut };
}

/** Every file that is new or changed, one at a time; what becomes of it is written into `found`. */
function* readAll(wanted: Import, redactor: Redactor, found: Gathered): Generator<Buffer> {
  const { trees, changes, from } = wanted;
  for (const path of [...changes.candidates].toSorted()) {
    const file = read(wanted, redactor, path);
    if (typeof file === "string") {
      found.leftOut.push({ path, why: file });
      found.dropped.push(path);
    } else if (file === null) found.gone.push(path);
    else {
      const id = objectId("blob", file.bytes, formatOf(from));
      found.kept.set(path, { mode: file.mode, id, size: file.bytes.length });
      yield file.bytes;
    }
  }
  for (const path of changes.again) {
    if (!redactor.active || !foundIn(trees, path, redactor)) continue;
    found.leftOut.push({ path, why: "secret" });
    found.dropped.push(path);
  }
}

/** Its bytes and mode; why it stays out; null if it is gone by now. */
function read(
  { trees, maxFileBytes }: Import,
  redactor: Redactor,
  path: string,
): { mode: string; bytes: Buffer } | LeftOutReason | null {
  const bytePath = bytesOf(path);
  const { kind, stats } = lookInside(trees.workTree, bytePath);
  if (kind === "missing" || kind === "outside" || kind === "folder") return null;
  if (kind === "special" || kind === "unreadable") return kind;
  if (isRefusedName(path, kind === "link")) return "name";
  if (redactor.finds(bytePath)) return "secret";
  if (kind === "file" && (stats?.size ?? 0) > maxFileBytes) return "large";
  const bytes =
    kind === "link" ? target(trees, bytePath) : readInside(trees.workTree, bytePath, maxFileBytes);
  if (bytes === undefined) return "unreadable";
  if (redactor.finds(bytes)) return "secret";
  if (kind === "link") return { mode: "120000", bytes };
  return { mode: ((stats?.mode ?? 0) & 0o100) === 0 ? "100644" : "100755", bytes };
}

function foundIn(trees: Trees, path: string, redactor: Redactor): boolean {
  const handle = openInside(trees.workTree, bytesOf(path));
  if (handle === undefined) return false;
  try {
    return holdsSecret(handle, redactor);
  } finally {
    closeSync(handle);
  }
}

function target(trees: Trees, path: Buffer): Buffer | undefined {
  try {
    return readlinkSync(absolute(trees.workTree, path), { encoding: "buffer" });
  } catch {
    return undefined;
  }
}

/**
 * Names that git refuses to check out, because on some file system they are `.git` (a blank or dot
 * at the end, a short name, letters one cannot see). One of them would make a snapshot that cannot
 * be restored.
 */
function isRefusedName(path: string, link: boolean): boolean {
  return shown(path)
    .split("/")
    .some((part) => {
      const plain = part
        .replace(unseen, "")
        .replace(/[:].*$/, "")
        .replace(/[ .]+$/, "")
        .toLowerCase();
      if (plain === ".git" || plain === "git~1") return true;
      return link && /^(?:\.gitmodules|gitmod~[1-4]|gi7eba~[1-9])$/.test(plain);
    });
}

const unseen = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Where the project had such a file, its version stays: a branch without it would delete it there. */
function removals(paths: readonly string[], base: ReadonlyMap<string, Entry>): string {
  return paths
    .map((path) => {
      const entry = base.get(path);
      return entry === undefined
        ? `D ${quoted(path)}\n`
        : `M ${entry.mode} ${entry.id} ${quoted(path)}\n`;
    })
    .join("");
}

function commitOf(
  { ref, at }: Import,
  tree: string,
  leftOut: readonly LeftOut[],
  mark: number,
): string {
  const message = reportMessage(ref.slice(ref.lastIndexOf("/") + 1), leftOut);
  return (
    `commit ${ref}\nmark :${mark}\ncommitter ${signature(undefined, at)}\n` +
    `data ${Buffer.byteLength(message)}\n${message}\nM 040000 ${tree} ""\n`
  );
}

function named(redactor: Redactor, { leftOut }: Gathered): LeftOut[] {
  return leftOut.map(({ path, why }) => ({ path: redactor.text(shown(path)), why }));
}
