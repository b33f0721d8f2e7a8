// Which files differ between two trees, with what each holds. Names are bytes, kept as Latin-1 text.
import type { Entry } from "./_snapshot-list.ts";
import { type GitPlace, git } from "./git.ts";

export interface ChangedFile {
  /** Latin-1: a letter a byte. */
  readonly path: string;
  /** Of mode `000000`: there was none. */
  readonly old: Entry;
  /** Of mode `000000`: it is gone. */
  readonly now: Entry;
}

export const noMode = "000000";

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
