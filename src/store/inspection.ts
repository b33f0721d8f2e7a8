// What `doctor` looks at beside the documents: files that a lock or a write left there, and
// documents that are not as the database last published them. Looks only; documents.ts repairs.
import { accessSync, constants, statSync } from "node:fs";
import { basename, delimiter, dirname, join, relative } from "node:path";
import { formatOfPath } from "../formats/registry.ts";
import { isSum } from "./_document-sum.ts";
import type { DocumentRow } from "./database/store.ts";
import type { Disk } from "./disk.ts";
import { findDocuments } from "./files.ts";
import { type Liveness, type ProcessIdentity, livenessOf } from "./identity.ts";
import { lockPath, namedAt } from "./lock.ts";

export interface Leftover {
  readonly path: string;
  /** The document it lies beside. */
  readonly document: string;
  /** `lock` keeps others out; the rest belong to a write: own name, new bytes, old bytes. */
  readonly kind: "lock" | "own" | "tmp" | "old";
  readonly holder: ProcessIdentity | null;
  /** nameless: nobody can be asked. */
  readonly state: Liveness | "nameless";
  /** Milliseconds since it was written. */
  readonly age: number;
}

export async function findLeftovers(root: string, disk: Disk, now: number): Promise<Leftover[]> {
  // Folders that may not be looked into are told of by those who look for documents.
  const documents = await findDocuments(root).catch(() => []);
  const folders = new Set([
    ...places.map(([folder]) => folder),
    ...documents.map((path) => dirname(path)),
  ]);
  const found: Leftover[] = [];
  for (const folder of [...folders].toSorted())
    for (const name of listed(join(root, folder), disk).toSorted()) {
      const left = leftoverAt(join(root, folder), name, disk, now);
      if (left && isDocument(relative(root, left.document))) found.push(left);
    }
  return found;
}

export type Agreement = "same" | "changed" | "gone" | "unreadable";

/** Is the file as the database last published it? */
export function agreementOf({ path, after }: DocumentRow, disk: Disk): Agreement {
  try {
    const bytes = disk.read(path);
    if (isSum(bytes, after)) return "same";
    return bytes === null ? "gone" : "changed";
  } catch {
    return "unreadable";
  }
}

/** Where a program lies on the search path; nothing is started. */
export function findProgram(name: string, searchPath: string): string | undefined {
  return searchPath
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .find(isProgram);
}

// --- internal ---

/** Folders that others use too: only these names in them are ours. */
// oxfmt-ignore
const places: readonly (readonly [folder: string, names?: readonly string[]])[] = [
  [".", ["holdfast.yaml"]],
  ["docs/develop", ["checkpoints.yaml"]],
  [".claude", ["orchestrate-state.json"]],
  [".develop-workflow"],
  [".claude/memory"],
  [".claude/memory/agents"],
];

function isDocument(path: string): boolean {
  const shared = places.find(([folder]) => folder === dirname(path))?.[1];
  return shared ? shared.includes(basename(path)) : formatOfPath(path) !== undefined;
}

function listed(folder: string, disk: Disk): string[] {
  try {
    return disk.list(folder);
  } catch {
    // Not a folder, or not ours to list: nothing of a document can be in it.
    return [];
  }
}

const sideName = /^\.(.+)\.([^.]+)\.(own|tmp|old)$/;

function leftoverAt(folder: string, name: string, disk: Disk, now: number): Leftover | undefined {
  const path = join(folder, name);
  const [, base, token = "", kind] = sideName.exec(name) ?? [];
  const document = base === undefined ? path.replace(/\.lock$/, "") : join(folder, base);
  if (document === path) return undefined;
  const stamp = disk.stamp(path);
  if (stamp === null) return undefined;
  // Bytes say nothing of who wrote them: their token does, where a lock still carries it.
  const named =
    kind === undefined || kind === "own"
      ? nameIn(path, disk)
      : nameIn(lockPath(document), disk, token);
  return {
    path,
    document,
    kind: (kind as Leftover["kind"] | undefined) ?? "lock",
    holder: named ?? null,
    state: named ? livenessOf(named) : "nameless",
    age: now - Number(stamp.modified / 1_000_000n),
  };
}

/** Who stands in a lock or own file; with a token, only if it is theirs. */
function nameIn(path: string, disk: Disk, token?: string): ProcessIdentity | undefined {
  const named = read(() => namedAt(path, disk));
  return token === undefined || named?.token === token ? named?.process : undefined;
}

/** A link or a pipe in a document's place has its own line: here it names nobody. */
function read<T>(look: () => T | null): T | undefined {
  try {
    return look() ?? undefined;
  } catch {
    return undefined;
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
