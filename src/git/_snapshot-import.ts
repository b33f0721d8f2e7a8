// Writes a snapshot: the tree it begins from, what was removed, what is new. One stream into
// `git fast-import`, which makes the commit and its ref at the end or not at all.
import { closeSync, readlinkSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createRedactor, type Redactor } from "../core/redact.ts";
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
import { git, gitLine } from "./git.ts";

export interface Import {
  readonly trees: Trees;
  readonly ref: string;
  /** The snapshot that the changes are changes of. */
  readonly from: string;
  readonly changes: Changes;
  readonly at: number;
  readonly secrets: readonly string[];
  readonly maxFileBytes: number;
}

export async function importTree(wanted: Import): Promise<void> {
  const { trees, from, changes } = wanted;
  const place = treePlace(trees);
  const tree = await gitLine(["rev-parse", "--verify", `${from}^{tree}`], place);
  await git(["fast-import", "--quiet", "--done", "--date-format=raw"], {
    ...place,
    input: stream(wanted, tree),
    seconds: 3_600,
  });
  await writeFile(scannedFile(trees), changes.scanned, { mode: 0o600 });
}

// --- internal ---

interface Kept {
  readonly path: string;
  readonly mode: string;
  readonly mark: number;
}

/** Without “done” at its end, as when we die on the way, fast-import makes nothing. */
async function* stream(wanted: Import, tree: string): AsyncGenerator<Uint8Array> {
  const { trees, changes } = wanted;
  const redactor = createRedactor(wanted.secrets);
  const kept: Kept[] = [];
  const leftOut = [...changes.leftOut].map(([path, why]) => ({ path, why }));
  const dropped: string[] = [];
  const gone = [...changes.removed];
  for (const path of [...changes.candidates].toSorted()) {
    const file = read(wanted, redactor, path);
    if (typeof file === "string") {
      leftOut.push({ path, why: file });
      dropped.push(path);
    } else if (file === null) gone.push(path);
    else {
      kept.push({ path, mode: file.mode, mark: kept.length + 1 });
      yield text(`blob\nmark :${kept.length}\ndata ${file.bytes.length}\n`);
      yield file.bytes;
      yield text("\n");
    }
  }
  for (const path of changes.again) {
    if (!redactor.active || !foundIn(trees, path, redactor)) continue;
    leftOut.push({ path, why: "secret" });
    dropped.push(path);
  }
  const base = dropped.length === 0 ? new Map<string, Entry>() : await entriesAt(trees, baseRef);
  yield text(commitOf(wanted, tree, named(redactor, leftOut)));
  yield text(removals(gone, new Map()) + removals(dropped, base));
  for (const { path, mode, mark } of kept) yield text(`M ${mode} :${mark} ${quoted(path)}\n`);
  yield text("\ndone\n");
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

function commitOf({ ref, at }: Import, tree: string, leftOut: readonly LeftOut[]): string {
  const message = reportMessage(ref.slice(ref.lastIndexOf("/") + 1), leftOut);
  return (
    `commit ${ref}\ncommitter Holdfast <holdfast@localhost> ${Math.floor(at / 1000)} +0000\n` +
    `data ${Buffer.byteLength(message)}\n${message}\nM 040000 ${tree} ""\n`
  );
}

function named(
  redactor: Redactor,
  leftOut: readonly { path: string; why: LeftOutReason }[],
): LeftOut[] {
  return leftOut.map(({ path, why }) => ({ path: redactor.text(shown(path)), why }));
}

/** As fast-import reads a name: any byte. */
function quoted(path: string): string {
  const inner = path.replace(/["\\]|[^ -~]/g, (letter) =>
    letter === '"' || letter === "\\"
      ? `\\${letter}`
      : `\\${letter.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${inner}"`;
}

function text(value: string): Uint8Array {
  return Buffer.from(value, "utf8");
}
