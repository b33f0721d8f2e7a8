// Brings the index up to what is there now (S4.9). It only reads: whoever writes the journal, a
// document or an output knows nothing of it and waits for nothing.
//
// | source            | position                        | taken anew                              |
// |-------------------|---------------------------------|-----------------------------------------|
// | journal           | the last transition's number    | never: what is there does not change    |
// | task:<id>         | revisions of its rows           | whole, when one differs                 |
// | output:<process>  | the byte where a block is open  | from that block on; whole: other title  |
// | document:<path>   | which file it is, by its stamp  | whole, when the file is another one     |
//
// Each step is one transaction of the index that moves its source from one position to the next, so
// it may be cut off anywhere, and several may do it at once. What is gone goes: an index that was
// brought up to date holds what one that is built anew would hold.
import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import { runFolder } from "../../agents/run.ts";
import { type Redactor, createRedactor } from "../../core/redact.ts";
import type { EntityRow, Store, TaskRow, TransitionRow } from "../../store/database/store.ts";
import { type Disk, realDisk } from "../../store/disk.ts";
import { findDocuments } from "../../store/files.ts";
import type { Recall, RecallEntry } from "../../store/recall/recall.ts";
import { openSecretBox } from "../../store/secrets.ts";
import type { Part } from "./_entry.ts";
import { type Reading, takeOutput } from "./_read-output.ts";
import { entriesIn, isRemembered } from "./documents.ts";
import {
  entriesOfTask,
  entryOfTransition,
  spokenKinds,
  tokensOf,
  withoutSecrets,
} from "./tasks.ts";

export interface Past {
  readonly recall: Recall;
  readonly root: string;
  readonly home: string;
  /** None: nothing ever happened here, only the documents speak. */
  readonly known?: {
    readonly store: Store;
    readonly projectId: string;
    /** This one, and where the project lay before. */
    readonly roots: readonly string[];
  };
  readonly now: () => number;
  /** For tests: called between steps, where it may end the process. */
  readonly at?: (place: string) => void;
}

export async function catchUp(past: Past): Promise<void> {
  if (past.known !== undefined) {
    const tasks = await takeTasks(past);
    await takeOutputs(past, tasks);
    await takeJournal(past, tasks);
  }
  await takeDocuments(past);
}

/** Every value that was provided in this project: what is shown of the past holds none of them. */
export async function secretsOf(past: {
  readonly known?: Pick<NonNullable<Past["known"]>, "store">;
  readonly home: string;
}): Promise<Redactor> {
  const { known, home } = past;
  if (known === undefined) return createRedactor([]);
  const rows = await known.store.entities({ kind: "dependency" });
  const ids = new Set(rows.map(({ taskId }) => taskId));
  const values = await Promise.all([...ids].map((id) => valuesOf(known.store, home, id)));
  return createRedactor(values.flatMap((each) => each.values));
}

// --- internal ---

/** Rows of the journal in one transaction: a few milliseconds in which nobody else is served. */
const page = 100;

interface KnownTask {
  readonly row: TaskRow;
  readonly rows: readonly EntityRow[];
  readonly redactor: Redactor;
  readonly longest: number;
  /** Changes when a value is provided: then what was blanked before may not have been enough. */
  readonly secrets: string;
}
type KnownTasks = Map<string, KnownTask>;

async function takeTasks(past: Past): Promise<KnownTasks> {
  const { recall, known } = past;
  const found: KnownTasks = new Map();
  if (known === undefined) return found;
  // Asked before the tasks themselves: one that is made meanwhile is not taken for a deleted one.
  const before = recall.positions("task:");
  const rows = await known.store.tasks({ projectId: known.projectId });
  const kinds = ["process", ...spokenKinds];
  const all = await Promise.all(kinds.map((kind) => known.store.entities({ kind })));
  const byTask = new Map(rows.map(({ id }): [string, EntityRow[]] => [id, []]));
  for (const entity of all.flat()) byTask.get(entity.taskId)?.push(entity);
  for (const row of rows) found.set(row.id, await takeTask(past, row, byTask.get(row.id) ?? []));
  const gone = [...before.keys()].filter((source) => !found.has(source.slice("task:".length)));
  if (gone.length > 0) {
    recall.dropTasks(gone.map((source) => source.slice("task:".length)));
    recall.drop(gone);
  }
  return found;
}

async function takeTask(past: Past, row: TaskRow, rows: readonly EntityRow[]): Promise<KnownTask> {
  const { recall, known, home, at } = past;
  const { values, stamp } = known
    ? await valuesOf(known.store, home, row.id)
    : { values: [], stamp: "" };
  const tokens = tokensOf(row, rows);
  const redactor = createRedactor([...values, ...tokens]);
  const longest = Math.max(0, ...[...values, ...tokens].map((each) => Buffer.byteLength(each)));
  const spoken = rows.filter(({ kind }) => spokenKinds.some((each) => each === kind));
  const revisions = spoken.map(({ kind, id, rev }) => `${kind} ${id} ${rev}`).toSorted();
  const position = digest([stamp, row.rev, ...revisions]);
  const source = `task:${row.id}`;
  const from = recall.position(source);
  if (from !== position) {
    const parts = entriesOfTask(row, spoken).map((part) => withoutSecrets(part, redactor));
    recall.take({
      source,
      from,
      to: position,
      gone: "all",
      entries: parts.map((part) => placed(part, row.id, row.id)),
    });
    at?.("task");
  }
  return { row, rows, redactor, longest, secrets: digest([stamp, tokens.length]) };
}

async function takeOutputs(past: Past, tasks: KnownTasks): Promise<void> {
  const { recall, home, at } = past;
  const gone = new Set(recall.positions("output:").keys());
  for (const { row, rows, redactor, longest, secrets } of tasks.values())
    for (const { kind, id, status, data } of rows) {
      if (kind !== "process") continue;
      const folder = runFolder(home, id);
      const stamp = realDisk.stamp(join(folder, "out"));
      if (stamp === null) continue;
      const source = `output:${id}`;
      gone.delete(source);
      const title = (row.data as { title?: string }).title ?? row.workflow;
      const began = (data as { startedAt: number }).startedAt;
      const reading: Reading = {
        folder,
        size: Number(stamp.size),
        over: status === "ended",
        secrets,
        redactor,
        longest,
        head: { title, at: began },
      };
      const place = (part: Part): RecallEntry => placed(part, row.id, id);
      while (await takeOutput(recall, source, reading, place)) at?.("output");
    }
  if (gone.size > 0) recall.drop([...gone]);
}

async function takeJournal(past: Past, tasks: KnownTasks): Promise<void> {
  const { recall, known, root, at } = past;
  if (known === undefined) return;
  const name = (file: string): string => relative(root, file);
  for (;;) {
    const from = recall.position("journal");
    const rows = await known.store.transitions({ after: Number(from ?? 0), limit: page });
    const last = rows.at(-1);
    if (last === undefined) return;
    const entries: RecallEntry[] = [];
    for (const row of rows) {
      if (!(await isOurs(past, tasks, row))) continue;
      const task = row.machine === "document" ? undefined : tasks.get(row.taskId);
      const part = entryOfTransition(row, name);
      const clean = task ? withoutSecrets(part, task.redactor) : part;
      entries.push(placed(clean, task?.row.id ?? null, "journal"));
    }
    // Whether it was ours or another process's step: the next begins where the index now stands.
    recall.take({ source: "journal", from, to: String(last.seq), gone: [], entries });
    at?.("journal");
  }
}

/** One home serves many projects; of a task that is gone nothing is kept. */
async function isOurs(past: Past, tasks: KnownTasks, row: TransitionRow): Promise<boolean> {
  const { known } = past;
  const { machine, entityId, taskId } = row;
  if (machine === "document")
    return known?.roots.some((root) => entityId.startsWith(`${root}/`)) ?? false;
  if (machine === "project") return entityId === known?.projectId;
  if (tasks.has(taskId)) return true;
  // Made since we looked: its own source comes first, so that its end takes its journal with it.
  const task = await known?.store.task(taskId);
  if (task === undefined || task.projectId !== known?.projectId) return false;
  const rows = await known.store.entities({ taskId });
  tasks.set(taskId, await takeTask(past, task, rows));
  return true;
}

async function takeDocuments(past: Past): Promise<void> {
  const { recall, root, at } = past;
  const gone = new Set(recall.positions("document:").keys());
  for (const path of (await findDocuments(root)).filter(isRemembered)) {
    const source = `document:${path}`;
    gone.delete(source);
    const from = recall.position(source);
    const stamp = stampOf(join(root, path), realDisk, past.now());
    if (stamp === null || stamp.position === from) continue;
    const bytes = readable(join(root, path));
    const parts = bytes === null ? [] : await entriesIn(path, bytes, stamp.modified);
    const entries = parts.map((part) => placed(part, null, path));
    recall.take({ source, from, to: stamp.position, gone: "all", entries });
    at?.("document");
  }
  if (gone.size > 0) recall.drop([...gone]);
}

/** A file that was written a moment ago may be written again without looking any different. */
const freshMs = 2_000;

function stampOf(path: string, disk: Disk, now: number) {
  const stamp = disk.stamp(path);
  if (stamp === null) return null;
  const modified = Number(stamp.modified / 1_000_000n);
  const fresh = now - modified < freshMs ? ` ${now}` : "";
  const position = `${stamp.inode} ${stamp.size} ${stamp.modified}${fresh}`;
  return { position, modified: new Date(modified).toISOString() };
}

/** What may not be read, or is too large, says nothing; `doctor` tells of it. */
function readable(path: string): Uint8Array | null {
  try {
    return realDisk.read(path);
  } catch {
    return null;
  }
}

function placed(part: Part, task: string | null, place: string): RecallEntry {
  return { ...part, task, place };
}

async function valuesOf(
  store: Store,
  home: string,
  scope: string,
): Promise<{ values: string[]; stamp: string }> {
  const rows = await store.secrets(scope);
  const box = openSecretBox(home);
  const values = rows.flatMap(({ name, content }) =>
    content === null ? [] : [box.open(scope, name, content)],
  );
  return { values, stamp: digest(rows.map(({ name, createdAt }) => `${name} ${createdAt}`)) };
}

function digest(parts: readonly (string | number)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 22);
}
