// The declared files of a phase, as they are in the workspace: what a review shows and an approval
// is bound to (S1.14, S1.21b, S5.4).
import { createHash } from "node:crypto";
import { closeSync, fstatSync } from "node:fs";
import { basename, extname } from "node:path";
import {
  type Kind,
  chunksOf,
  lookInside,
  openInside,
  readInside,
  walkInside,
} from "../git/files.ts";
import { type Placeholder, findPlaceholders, hasOnlyHeadings } from "../core/placeholders.ts";

export interface Declared {
  /** Below the workspace; a folder counts with all that is in it. */
  readonly path: string;
  readonly minCharacters?: number | undefined;
}

export interface Deliverable {
  readonly path: string;
  /** It is there: a regular file, or a folder with one in it. */
  readonly present: boolean;
  readonly kind: Kind;
  readonly bytes: number;
  /** Blanks in a row count once; null: not a text, or one that is too large to be read. */
  readonly characters: number | null;
  readonly placeholders: readonly Placeholder[];
  readonly onlyHeadings: boolean;
}

export async function lookAtDeliverables(
  folder: string,
  declared: readonly Declared[],
): Promise<Deliverable[]> {
  return declared.map(({ path }) => look(folder, path.replace(/\/+$/, "")));
}

/** `docs/planning/03_users.md` is the step 03_users. */
export function stepName(path: string): string {
  const name = basename(path);
  return name.slice(0, name.length - extname(name).length) || name;
}

/**
 * What an approval is bound to: names and contents of the declared files, and, where it is given,
 * the tree they lie in. Any change to them is another hash.
 */
export async function artefactsHash(
  folder: string,
  declared: readonly Declared[],
  tree: string | null = null,
): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(["artefacts", 1, tree]));
  const paths = declared.map(({ path }) => path.replace(/\/+$/, "")).toSorted();
  for (const path of paths)
    for (const file of filesOf(folder, path))
      hash.update(JSON.stringify([file.path, file.kind, contentHash(folder, file.path)]));
  return hash.digest("hex");
}

// --- internal ---

/** More than this is no document that a person reviews. */
const mostText = 4 * 1024 * 1024;
const mostFiles = 20_000;

const prose = new Set(["", ".md", ".markdown", ".mdx", ".txt", ".rst", ".adoc", ".org"]);

function look(folder: string, path: string): Deliverable {
  const { kind, stats } = lookInside(folder, path);
  const nothing = { path, kind, bytes: 0, characters: null, placeholders: [], onlyHeadings: false };
  if (kind === "folder") {
    const files = filesOf(folder, path).filter((file) => file.kind === "file");
    return { ...nothing, present: files.length > 0, bytes: bytesIn(folder, files) };
  }
  if (kind !== "file") return { ...nothing, present: false };
  const bytes = stats?.size ?? 0;
  const content = bytes > mostText ? undefined : readInside(folder, path, mostText);
  const text = content === undefined ? undefined : textOf(content);
  const isProse = prose.has(extname(path).toLowerCase());
  return {
    path,
    kind: content === undefined && bytes <= mostText ? "unreadable" : kind,
    present: true,
    bytes,
    characters: text === undefined ? null : charactersIn(text),
    placeholders: text !== undefined && isProse ? findPlaceholders(text) : [],
    onlyHeadings: text !== undefined && isProse && hasOnlyHeadings(text),
  };
}

/** A file stands for itself, whatever it is: that it became a link has to change the hash. */
function filesOf(folder: string, path: string): { path: string; kind: Kind }[] {
  const found: { path: string; kind: Kind }[] = [];
  for (const file of walkInside(
    folder,
    path,
    (name) => name !== ".git" && name !== "node_modules",
  )) {
    found.push(file);
    if (found.length >= mostFiles) break;
  }
  return found.length > 0 ? found : [{ path, kind: lookInside(folder, path).kind }];
}

function bytesIn(folder: string, files: readonly { path: string }[]): number {
  return files.reduce((sum, { path }) => sum + (lookInside(folder, path).stats?.size ?? 0), 0);
}

function contentHash(folder: string, path: string): string | null {
  const handle = openInside(folder, path);
  if (handle === undefined) return null;
  try {
    const hash = createHash("sha256").update(fstatSync(handle).mode & 0o100 ? "x" : "-");
    for (const chunk of chunksOf(handle)) hash.update(chunk);
    return hash.digest("hex");
  } finally {
    closeSync(handle);
  }
}

/** undefined: not a text. */
function textOf(content: Buffer): string | undefined {
  if (content.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}

/** As a reader counts: a Hangul syllable is one also where it was typed as three letters. */
function charactersIn(text: string): number {
  return Array.from(text.normalize("NFC").trim().replace(/\s+/g, " ")).length;
}
