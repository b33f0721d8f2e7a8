// What git would make of files on their way into a repository, by their attributes: line ends, keywords,
// an encoding, a filter. Asked of git; nothing is turned here, and no filter run. Names are bytes, kept as
// Latin-1 text.
import { lstatSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isYes, valueOf } from "./_configured.ts";
import { commonFolder } from "./_folders.ts";
import { absolute } from "./files.ts";
import { type GitOptions, type GitPlace, git } from "./git.ts";

export interface Attributes {
  /** text: line ends are turned; auto: only if it looks like text and was not stored with others. */
  readonly lineEnds: "as they are" | "text" | "auto";
  /** `$Id: … $` is stored without its value. */
  readonly keywords: boolean;
  /** In the owner's tree; stored, it is UTF-8. */
  readonly encoding: string | null;
  /** The name of a command that turns it. */
  readonly filter: string | null;
}

/** By path. `project`: with the settings of its tree; `workTree`: whose .gitattributes count. */
export async function attributesOf(
  project: GitPlace,
  workTree: string,
  paths: readonly string[],
): Promise<Map<string, Attributes>> {
  const autocrlf = isYes(valueOf(project, "core.autocrlf"));
  // None is there: a .gitattributes that the unit removed does not count any more.
  const index = `${workTree}.no-index`;
  const found = saysAnything(project, workTree, paths)
    ? await asked({ ...project, workTree, index }, paths, names)
    : new Map(paths.map((path) => [path, new Map<string, string>()]));
  return new Map([...found].map(([path, values]) => [path, read(values, autocrlf)]));
}

/** Those for which a filter is named. */
export async function filteredPaths(
  place: GitOptions,
  paths: readonly string[],
): Promise<string[]> {
  const found = await asked(place, paths, ["filter"]);
  return paths.filter((path) => named(found.get(path)?.get("filter")) !== null);
}

// --- internal ---

const names = ["text", "crlf", "eol", "ident", "filter", "working-tree-encoding"];

type Values = ReadonlyMap<string, string>;

/** Is there a file at all that may say something of one of these? */
function saysAnything(project: GitPlace, workTree: string, paths: readonly string[]): boolean {
  const everywhere = valueOf(project, "core.attributesfile") ?? "";
  const own = join(commonFolder(project), "info/attributes");
  if (isAbsolute(everywhere) && isThere(Buffer.from(everywhere))) return true;
  if (isThere(Buffer.from(own))) return true;
  const folders = new Set(paths.flatMap(foldersOf));
  return [...folders].some((folder) =>
    isThere(absolute(workTree, Buffer.from(`${folder}.gitattributes`, "latin1"))),
  );
}

/** Those above it, each with its slash; the tree itself is an empty name. */
function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return [0, ...parts.keys()].map((_, count) =>
    parts
      .slice(0, count)
      .map((part) => `${part}/`)
      .join(""),
  );
}

function isThere(path: Buffer): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

async function asked(
  place: GitOptions,
  paths: readonly string[],
  attributes: readonly string[],
): Promise<Map<string, Map<string, string>>> {
  const found = new Map<string, Map<string, string>>();
  if (paths.length === 0) return found;
  const output = await git(["check-attr", "-z", "--stdin", ...attributes], {
    ...place,
    input: Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1"),
    maxOutput: 256 * 1024 * 1024,
  });
  const fields = output.toString("latin1").split("\0");
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = "", name = "", value = ""] = fields.slice(at, at + 3);
    const values = found.get(path) ?? new Map<string, string>();
    found.set(path, values.set(name, value));
  }
  return found;
}

function read(values: Values, autocrlf: boolean): Attributes {
  const encoding = named(values.get("working-tree-encoding"));
  return {
    lineEnds: lineEndsOf(values, autocrlf),
    keywords: values.get("ident") === "set",
    encoding: encoding !== null && /^utf-?8$/i.test(encoding) ? null : encoding,
    filter: named(values.get("filter")),
  };
}

/** In git's own order: `text`, its older name `crlf`, `eol`, and only then what is configured. */
function lineEndsOf(values: Values, autocrlf: boolean): Attributes["lineEnds"] {
  const said = saidOf(values.get("text")) ?? saidOf(values.get("crlf"));
  if (said !== undefined) return said;
  const eol = values.get("eol");
  if (eol === "lf" || eol === "crlf") return "text";
  return autocrlf ? "auto" : "as they are";
}

function saidOf(value: string | undefined): Attributes["lineEnds"] | undefined {
  if (value === "set" || value === "input") return "text";
  if (value === "unset") return "as they are";
  return value === "auto" ? "auto" : undefined;
}

/** Null: it says nothing, or that there is none. */
function named(value: string | undefined): string | null {
  return value === undefined || ["unspecified", "unset", "set", ""].includes(value) ? null : value;
}
