// What an agent put into the repository of its clone beside the files of its working tree (S2.6): a stash, or a branch
// or tag with commits that what is checked out does not have. Names are read from git's own files, and commits
// through a repository of ours that borrows the clone's objects: no command of ours opens the clone itself.
import { lstatSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { tryGit } from "./git.ts";
import { isObjectId } from "./objects.ts";
import { storedPlace } from "./trees.ts";
import type { TaskPlaces } from "./workspace.ts";

/** Names of references whose work would be lost with the clone. `base`: where the clone began. */
export async function unseenRefs(
  { workspace, trees }: Pick<TaskPlaces, "workspace" | "trees">,
  base: string | null,
): Promise<string[]> {
  const folder = join(workspace, ".git");
  const refs = refsIn(folder);
  // In another form than as files, or in another place, no one knows what is there.
  if (refs === undefined) return ["refs"];
  const head = headIn(folder, refs);
  // Where the clone began and what is checked out is not lost; a remote's lies elsewhere.
  const others = [...refs].filter(
    ([name, id]) => !name.startsWith("refs/remotes/") && id !== base && id !== head,
  );
  if (others.length > mostRefs) return [`${others.length} refs`];
  const place = { ...storedPlace(trees), objects: join(folder, "objects") };
  const not = [head, base].flatMap((id) => (id ? [`^${id}`] : []));
  const lost: string[] = [];
  for (const [name, id] of others) {
    const found = await tryGit(["rev-list", "-1", id, ...not], place);
    // What cannot be read may be anything.
    if (found.code !== 0 || found.stdout.length > 0) lost.push(name);
  }
  return lost;
}

// --- internal ---

/** More is no work of one unit, and each costs a process. */
const mostRefs = 20;
const mostBytes = 1024 * 1024;
const mostDepth = 10;

/** Undefined: they cannot be read as files. */
function refsIn(folder: string): Map<string, string> | undefined {
  const own = lstatSync(folder, { throwIfNoEntry: false });
  if (own === undefined) return new Map();
  if (!own.isDirectory() || lstatSync(join(folder, "reftable"), { throwIfNoEntry: false }))
    return undefined;
  const refs = new Map<string, string>();
  for (const line of textAt(join(folder, "packed-refs")).split("\n")) {
    const [id = "", name = ""] = line.split(" ");
    if (isObjectId(id)) refs.set(name, id);
  }
  addLoose(refs, folder, "refs", mostDepth);
  return refs;
}

/** A file counts before what is packed. A symbolic reference names another one, which is looked at itself. */
function addLoose(refs: Map<string, string>, folder: string, below: string, depth: number): void {
  for (const entry of entriesOf(join(folder, below))) {
    const name = `${below}/${entry.name}`;
    const id = entry.isFile() ? textAt(join(folder, name)).trim() : "";
    if (isObjectId(id)) refs.set(name, id);
    else if (entry.isDirectory() && depth > 0) addLoose(refs, folder, name, depth - 1);
  }
}

function headIn(folder: string, refs: ReadonlyMap<string, string>): string | undefined {
  const head = textAt(join(folder, "HEAD")).trim();
  return isObjectId(head) ? head : refs.get(head.replace(/^ref:\s*/, ""));
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Only of a file: what an agent put in its place may be a pipe that no one writes to. */
function textAt(path: string): string {
  try {
    const found = lstatSync(path);
    return found.isFile() && found.size <= mostBytes ? readFileSync(path, "utf8") : "";
  } catch {
    return "";
  }
}
