// The declared files of a phase: as they are in the workspace, to be checked, and as a snapshot holds
// them, which is what a review shows and an approval is bound to (S1.14, S1.21b, S5.4).
import { createHash } from "node:crypto";
import { basename, extname } from "node:path";
import type { FormatName } from "../formats/registry.ts";
import { type StoredFile, listAt, readingBlobs } from "../git/contents.ts";
import { type Kind, lookInside, readInside, walkInside } from "../git/files.ts";
import type { Trees } from "../git/trees.ts";
import { type Placeholder, findPlaceholders, hasOnlyHeadings } from "../core/placeholders.ts";

export interface Declared {
  /** Below the workspace; a folder counts with all that is in it. */
  readonly path: string;
  readonly minCharacters?: number | undefined;
  /** It has to be valid in this format. */
  readonly format?: FormatName | undefined;
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
  const source = inFolder(folder);
  return declared.map(({ path }) => look(source, path.replace(/\/+$/, "")));
}

/** The same of a snapshot. */
export async function lookAtStored(
  trees: Pick<Trees, "repository">,
  commit: string,
  declared: readonly Declared[],
): Promise<Deliverable[]> {
  if (declared.length === 0) return [];
  const paths = declared.map(({ path }) => path.replace(/\/+$/, ""));
  const source = await inSnapshot(trees, commit, paths);
  return paths.map((path) => look(source, path));
}

/** `docs/planning/03_users.md` is the step 03_users. */
export function stepName(path: string): string {
  const name = basename(path);
  return name.slice(0, name.length - extname(name).length) || name;
}

/**
 * What an approval is bound to: the tree of the snapshot that is shown, which stands for the names, modes
 * and contents of all its files, and which of them were declared.
 */
export function artefactsHash(tree: string, declared: readonly Declared[]): string {
  const paths = declared.map(({ path }) => path.replace(/\/+$/, "")).toSorted();
  return createHash("sha256")
    .update(JSON.stringify(["artefacts", 2, tree, paths]))
    .digest("hex");
}

// --- internal ---

/** More than this is no document that a person reviews. */
const mostText = 4 * 1024 * 1024;
const mostFiles = 20_000;

const prose = new Set(["", ".md", ".markdown", ".mdx", ".txt", ".rst", ".adoc", ".org"]);

/** Where files are looked at. */
interface Source {
  look(path: string): { readonly kind: Kind; readonly bytes: number };
  /** The regular files below a folder, at most so many as anybody counts. */
  below(path: string): Iterable<{ readonly bytes: number }>;
  /** Undefined: it cannot be read, or holds more than a person reviews. */
  read(path: string): Buffer | undefined;
}

function look(source: Source, path: string): Deliverable {
  const { kind, bytes } = source.look(path);
  const nothing = { path, kind, bytes: 0, characters: null, placeholders: [], onlyHeadings: false };
  if (kind === "folder") {
    const files = [...source.below(path)];
    const sum = files.reduce((all, file) => all + file.bytes, 0);
    return { ...nothing, present: files.length > 0, bytes: sum };
  }
  if (kind !== "file") return { ...nothing, present: false };
  const content = bytes > mostText ? undefined : source.read(path);
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

function inFolder(folder: string): Source {
  const lookAt = (path: string) => {
    const { kind, stats } = lookInside(folder, path);
    return { kind, bytes: stats?.size ?? 0 };
  };
  return {
    look: lookAt,
    *below(path) {
      let count = 0;
      for (const file of walkInside(folder, path, isOwn)) {
        if (file.kind === "file") yield lookAt(file.path);
        if (++count >= mostFiles) return;
      }
    },
    read: (path) => readInside(folder, path, mostText),
  };
}

async function inSnapshot(
  trees: Pick<Trees, "repository">,
  commit: string,
  paths: readonly string[],
): Promise<Source> {
  const files = new Map(
    (await listAt(trees, commit, paths)).map((file): [string, StoredFile] => [file.path, file]),
  );
  const texts = await textsOf(
    trees,
    paths.flatMap((path) => files.get(path) ?? []),
  );
  return {
    look: (path) => {
      const file = files.get(path);
      if (file !== undefined) return { kind: kindOf(file), bytes: file.bytes };
      const isFolder = [...files.keys()].some((each) => each.startsWith(`${path}/`));
      return { kind: isFolder ? "folder" : "missing", bytes: 0 };
    },
    below: (folder) =>
      [...files.values()].filter((file) => file.kind === "file" && isBelow(folder, file.path)),
    read: (path) => texts.get(path),
  };
}

function isBelow(folder: string, path: string): boolean {
  return (
    path.startsWith(`${folder}/`) &&
    path
      .slice(folder.length + 1)
      .split("/")
      .every(isOwn)
  );
}

function kindOf({ kind }: StoredFile): Kind {
  if (kind === "unnameable") return "unreadable";
  return kind === "submodule" ? "special" : kind;
}

async function textsOf(
  trees: Pick<Trees, "repository">,
  files: readonly StoredFile[],
): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  const wanted = files.filter(({ kind, bytes }) => kind === "file" && bytes <= mostText);
  if (wanted.length === 0) return found;
  await readingBlobs(trees, async (read) => {
    for (const { path, id } of wanted) {
      const pieces: Buffer[] = [];
      for await (const piece of read(id)) pieces.push(piece);
      found.set(path, Buffer.concat(pieces));
    }
  });
  return found;
}

function isOwn(name: string): boolean {
  return name !== ".git" && name !== "node_modules";
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
