// One object, written where git keeps those that are in no pack: what a process would be started for otherwise.
// Nothing is decided here: a commit or an empty tree has only one form.
import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { asFault, codeOf, realDisk } from "../store/disk.ts";
import { commonFolder } from "./_folders.ts";
import type { GitPlace, Identity } from "./git.ts";

/** How the ids of a repository are made: known by the length of any of them. */
export type ObjectFormat = "sha1" | "sha256";

export function formatOf(id: string): ObjectFormat {
  return id.length > 40 ? "sha256" : "sha1";
}

export function objectId(type: "blob" | "commit" | "tree", body: Buffer, format: ObjectFormat) {
  return createHash(format).update(`${type} ${body.length}\0`).update(body).digest("hex");
}

export interface CommitText {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

/** Into the repository of a project, by whose name and date it has. Returns its id. */
export function writeCommit(
  { cwd, identity, at = 0 }: GitPlace,
  { tree, parents, message }: CommitText,
): string {
  const signed = signature(identity, at);
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${signed}`,
    `committer ${signed}`,
  ];
  const body = Buffer.from(`${lines.join("\n")}\n\n${message.replaceAll("\0", "")}`, "utf8");
  return writeObject(join(commonFolder({ cwd }), "objects"), "commit", body, formatOf(tree));
}

export function writeObject(
  objects: string,
  type: "commit" | "tree",
  body: Buffer,
  format: ObjectFormat,
): string {
  const id = objectId(type, body, format);
  const folder = join(objects, id.slice(0, 2));
  const path = join(folder, id.slice(2));
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return id;
  // Git's own name for one that is not finished: its `prune` removes what a kill leaves.
  const draft = join(folder, `tmp_obj_${randomBytes(6).toString("hex")}`);
  try {
    makeFolder(objects, folder);
    const handle = openSync(draft, "wx", 0o444);
    try {
      writeSync(
        handle,
        deflateSync(Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body])),
      );
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, path);
    realDisk.syncFolder(folder);
    return id;
  } catch (cause) {
    rmSync(draft, { force: true });
    throw asFault(path, cause);
  }
}

/** As a commit names who made it, and when; without a name it is Holdfast. */
export function signature(identity: Identity | undefined, at: number): string {
  const { name, email } = identity ?? { name: "Holdfast", email: "holdfast@localhost" };
  return `${plain(name)} <${plain(email)}> ${Math.floor(at / 1000)} +0000`;
}

// --- internal ---

/** What git leaves out of a name, since it would end it. */
function plain(text: string): string {
  const ends = /^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g;
  return text.replaceAll(/[<>\n\0]/g, "").replaceAll(ends, "");
}

/** In a repository that several people share, they may write there as they may in the one above. */
function makeFolder(objects: string, folder: string): void {
  try {
    mkdirSync(folder);
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return;
    throw cause;
  }
  const { mode } = statSync(objects);
  if ((mode & 0o2020) !== 0) chmodSync(folder, mode & 0o7777);
}
