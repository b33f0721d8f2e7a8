// A project whose folder was moved or renamed (S4.1, S7.5). The database knows a project by its root
// and a document by its path, so in the new place both are strangers. They are recognised by what
// lies there: documents, byte for byte as they were last published for a project whose own root is
// gone. While the old root is in its place it is a copy, and a copy has no history.
import { join, relative, sep } from "node:path";
import { Fault } from "../core/errors.ts";
import { projectHash } from "../core/ids.ts";
import { type Message, msg } from "../core/messages.ts";
import { isSum, sumOf } from "./_document-sum.ts";
import type { Change, DocumentRow, DocumentWrite, ProjectRow, Store } from "./database/store.ts";
import type { Disk } from "./disk.ts";

export interface Moved {
  /** As the database still has it: with the old root. */
  readonly project: ProjectRow;
  /** How many of its documents lie here unchanged. */
  readonly same: number;
}

/** The project's row, or that of the project which came here from elsewhere. */
export async function projectHere(
  root: string,
  store: Store,
  disk: Disk,
): Promise<{ readonly project?: ProjectRow; readonly moved?: Moved }> {
  const project = await store.projectAt(root);
  if (project) return { project };
  const moved = await findMoved(root, store, disk);
  return moved ? { project: moved.project, moved } : {};
}

/** undefined: it was not moved, or it has a row in its new place already. */
export async function findMoved(
  root: string,
  store: Store,
  disk: Disk,
): Promise<Moved | undefined> {
  if (await store.projectAt(root)) return undefined;
  let best: Moved | undefined;
  for (const project of await store.projects()) {
    if (!isGone(project.root, disk)) continue;
    const rows = (await store.documents(project.id)).filter((row) => isIn(row, project));
    const same = rows.filter((row) => liesAt(placeOf(row, project, root), row, disk)).length;
    if (same > (best?.same ?? 0)) best = { project, same };
  }
  return best;
}

/** For the user, in the new place. */
export function movedNotice({ project, same }: Moved): { message: Message; hint: Message } {
  const message = msg("project.moved", { from: project.root, count: same });
  return { message, hint: msg("project.moved.hint") };
}

export interface Carried {
  readonly project: ProjectRow;
  readonly told: Message;
}

/**
 * Files the project, its documents and their revisions under the new root, in one transaction. The
 * journal keeps the paths of its day; its line of this move leads from the old root to the new one.
 * undefined: another process carried it over meanwhile, here or elsewhere, and nothing was done.
 */
export async function carryOver(
  root: string,
  { project }: Moved,
  store: Store,
  now: Date,
): Promise<Carried | undefined> {
  const rows = await store.documents(project.id);
  // Asked after the rows were read: carried over before, they are another place's.
  if ((await store.projectAt(project.root))?.id !== project.id) return undefined;
  const documents: DocumentWrite[] = [];
  for (const row of rows)
    documents.push(...(await writesAt(placeOf(row, project, root), row, store)));
  const carried = { ...project, root, hash: projectHash(root) };
  const timestamp = now.toISOString();
  const line = {
    timestamp,
    // Where a task would stand: the journal is found by it quickly, by a machine's name not.
    taskId: project.id,
    machine: "project",
    entityId: project.id,
    from: project.root,
    to: root,
    trigger: "moved",
    metadata: { documents: rows.length },
  };
  const change: Change = {
    // Refused unless each is as it was read: of two processes at once only one gets further.
    documents: rows.map((document) => ({ document, revision: { ...empty, createdAt: timestamp } })),
    next: [
      {
        projects: [carried],
        documentsGone: rows.map(({ path }) => path),
        documents,
        transitions: [line],
      },
    ],
  };
  try {
    if (!(await store.commit(change)).ok) return undefined;
  } catch (thrown) {
    // A root has one row: one that was made meanwhile is in the way.
    if (await store.projectAt(root)) return undefined;
    throw thrown;
  }
  return { project: carried, told: msg("project.carried", { from: project.root, root }) };
}

/** The project's row under its root of today, carried over first if it came from elsewhere. */
export async function broughtHere(
  root: string,
  store: Store,
  disk: Disk,
  now: Date,
): Promise<{ readonly project?: ProjectRow; readonly told?: Message }> {
  for (let tries = 0; tries < mostTries; tries++) {
    const { project, moved } = await projectHere(root, store, disk);
    if (!moved) return project ? { project } : {};
    const carried = await carryOver(root, moved, store, now);
    if (carried) return carried;
  }
  throw new Fault("locked", msg("home.no_project_row", { root }));
}

/** Every root it has had, the one of today first: paths in the journal are those of their day. */
export async function rootsOf({ id, root }: ProjectRow, store: Store): Promise<string[]> {
  const moves = await store.transitions({ taskId: id, machine: "project" });
  const former = moves.map(({ from }) => from);
  return [...new Set([root, ...former.toReversed()])];
}

// --- internal ---

/** Each round is another process's success; a handful is more than ever meet. */
const mostTries = 10;

/** Goes in the same transaction in which it came. */
const empty = { kind: "ours", base: null, content: null, event: null } as const;

function isIn({ path }: DocumentRow, { root }: ProjectRow): boolean {
  return path.startsWith(`${root}${sep}`);
}

/** What does not lie in the project was not moved with it. */
function placeOf(row: DocumentRow, project: ProjectRow, root: string): string {
  return isIn(row, project) ? join(root, relative(project.root, row.path)) : row.path;
}

/** What may not be looked at may well be there. */
function isGone(root: string, disk: Disk): boolean {
  try {
    return disk.stamp(root) === null;
  } catch {
    return false;
  }
}

/** `before`: a write was cut short, and then the folder was moved. */
function liesAt(path: string, { before, after }: DocumentRow, disk: Disk): boolean {
  try {
    const bytes = disk.read(path);
    return bytes !== null && (isSum(bytes, after) || isSum(bytes, before));
  } catch {
    return false;
  }
}

/** More of its past than this stays behind: it is all in memory at once. */
const mostBytes = 64 * 1024 * 1024;

/** The newest revisions as writes of a new row, numbered anew; the last is exactly as it was. */
async function writesAt(path: string, row: DocumentRow, store: Store): Promise<DocumentWrite[]> {
  const kept: DocumentWrite["revision"][] = [];
  let bytes = 0;
  for (const { rev, kind, event, createdAt } of (await store.revisions(row.path)).toReversed()) {
    const content = await contentOf(row.path, rev, store);
    bytes += content?.length ?? 0;
    if (bytes > mostBytes && kept.length > 0) break;
    kept.unshift({ kind, base: null, content, event, createdAt });
  }
  const sums = kept.map(({ content }) => sumOf(content));
  return kept.map((revision, rev) => {
    const [before = null, after = null] =
      rev === kept.length - 1 ? [row.before, row.after] : [sums[rev - 1], sums[rev]];
    return { document: { ...row, path, rev, before, after }, revision };
  });
}

/** null: it has none, or it is damaged. Then the file itself is what there is (_document-open.ts). */
async function contentOf(path: string, rev: number, store: Store): Promise<Uint8Array | null> {
  try {
    return (await store.contentAt(path, rev)) ?? null;
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "corrupt") return null;
    throw thrown;
  }
}
