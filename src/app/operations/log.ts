// `log`: the journal (S1.21, S7.6), newest last. Without a task: what concerns this project.
import { z } from "zod";
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import type { ProjectRow, Store, TransitionRow } from "../../store/database/store.ts";
import { realDisk } from "../../store/disk.ts";
import { findDocuments } from "../../store/files.ts";
import { type Moved, movedNotice, projectHere, rootsOf } from "../../store/moved.ts";
import { type Context, type Operation, sentence } from "../operation.ts";

const transition = () =>
  z.object({
    timestamp: z.string(),
    taskId: z.string(),
    type: z.literal("state_transition"),
    machine: z.string(),
    entityId: z.string(),
    from: z.string(),
    to: z.string(),
    trigger: z.string(),
    metadata: z.unknown(),
    seq: z.int(),
  });

export type LoggedTransition = z.infer<ReturnType<typeof transition>>;

export const input = () =>
  z.strictObject({
    task: z.string().optional(),
    limit: z.int().min(0).optional(),
    follow: z.boolean().optional(),
  });

const notice = () => z.object({ message: sentence(), hint: sentence() });

export const output = () =>
  z.object({
    transitions: z.array(transition()),
    followed: z.boolean(),
    notices: z.array(notice()),
  });

export type Logged = z.infer<ReturnType<typeof output>>;

export const operation: Operation<z.infer<ReturnType<typeof input>>, Logged> = {
  name: "log",
  fields: { task: msg("op.log.task"), limit: msg("op.log.limit"), follow: msg("op.log.follow") },
  run: async (context, { task, limit = 50, follow = false }) => {
    if (follow) {
      await followOn(context, task, limit);
      return { transitions: [], followed: true, notices: [] };
    }
    const store = await context.existingStore();
    const here = await hereIn(context, store);
    const rows = store ? await newest(store, here, task, limit) : [];
    if (store && task !== undefined && rows.length === 0 && !(await store.task(task)))
      throw new Fault("not_found", msg("log.no_task", { id: task }), {
        hint: msg("log.no_task.hint"),
      });
    const notices = task === undefined ? await noticesOf(context, here, rows.length) : [];
    return { transitions: rows.map(logged), followed: false, notices };
  },
};

// --- internal ---

function logged({ seq, ...row }: TransitionRow): LoggedTransition {
  const { timestamp, taskId, ...rest } = row;
  return { timestamp, taskId, type: "state_transition", ...rest, seq };
}

/** The project as the database has it, perhaps still under an earlier root. */
interface Here {
  readonly project?: ProjectRow;
  readonly moved?: Moved;
  readonly roots: readonly string[];
}

async function hereIn({ project: { root } }: Context, store: Store | undefined): Promise<Here> {
  if (!store) return { roots: [root] };
  const found = await projectHere(root, store, realDisk);
  const former = found.project ? await rootsOf(found.project, store) : [];
  return { ...found, roots: [...new Set([root, ...former])] };
}

async function noticesOf(
  { project: { root }, home }: Context,
  { project, moved }: Here,
  shown: number,
): Promise<Logged["notices"]> {
  if (moved) return [movedNotice(moved)];
  if (project || shown > 0 || (await findDocuments(root)).length === 0) return [];
  const message = msg("log.unknown", { home: home.path });
  return [{ message, hint: msg("log.unknown.hint") }];
}

/** How many rows are looked at together. */
const page = 1000;

/** The newest `limit`; 0: all. Goes back from the end in growing steps. */
async function newest(
  store: Store,
  here: Here,
  taskId: string | undefined,
  limit: number,
): Promise<TransitionRow[]> {
  const ours = belongsTo(store, here);
  const wanted = limit === 0 ? Infinity : limit;
  const last = await lastSeq(store);
  for (let step = Math.min(wanted, page); ; step *= 4) {
    const after = Math.max(0, last - step);
    const rows = await store.transitions({ after, ...(taskId === undefined ? {} : { taskId }) });
    const kept = taskId === undefined ? await filtered(rows, ours) : rows;
    if (kept.length >= wanted) return kept.slice(-limit);
    if (after === 0) return kept;
  }
}

/** The highest number given so far, by halving: each question is one look into an index. */
async function lastSeq(store: Store): Promise<number> {
  const more = async (after: number): Promise<boolean> =>
    (await store.transitions({ after, limit: 1 })).length > 0;
  let beyond = 1;
  while (await more(beyond)) beyond *= 2;
  let [low, high] = [0, beyond];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await more(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Milliseconds between two looks at the database's version, which costs microseconds. */
const interval = 200;

async function followOn(context: Context, task: string | undefined, limit: number): Promise<void> {
  const { ended } = context;
  let store = await context.existingStore();
  // Nothing has ever happened here: wait for the first.
  while (store === undefined && !ended.aborted) {
    await pause(interval, ended);
    store = await context.existingStore();
  }
  if (store === undefined) return;
  const here = await hereIn(context, store);
  const ours = belongsTo(store, here);
  const file = context.home.database;
  const followed = realDisk.stamp(file)?.inode;
  let version = await store.version();
  let seen = await lastSeq(store);
  const before = await newest(store, here, task, limit);
  for (const row of before) context.emit(logged(row));
  seen = Math.max(seen, before.at(-1)?.seq ?? 0);
  for (;;) {
    const rows = await store.transitions({ after: seen, limit: page });
    for (const row of rows)
      if (task === undefined ? await ours(row) : row.taskId === task) context.emit(logged(row));
    seen = rows.at(-1)?.seq ?? seen;
    if (rows.length === page) continue;
    for (let now = version; now === version; now = await store.version()) {
      if (ended.aborted) return;
      await pause(interval, ended);
      // An open file outlives its name: without this look we would wait for ever, for nothing.
      if (realDisk.stamp(file)?.inode !== followed)
        throw new Fault("not_found", msg("log.gone", { file }), { hint: msg("log.gone.hint") });
    }
    version = await store.version();
  }
}

type Belongs = (row: TransitionRow) => Promise<boolean>;

/** One home serves many projects. What belongs to none that is known is shown everywhere. */
function belongsTo(store: Store, { project, roots }: Here): Belongs {
  const known = new Map<string, Promise<boolean>>();
  const ofTask = async (id: string): Promise<boolean> => {
    const task = await store.task(id);
    return !task || task.projectId === project?.id;
  };
  return async ({ machine, entityId, taskId }) => {
    if (machine === "document") return roots.some((root) => entityId.startsWith(`${root}/`));
    if (machine === "project") return entityId === project?.id;
    if (!known.has(taskId)) known.set(taskId, ofTask(taskId));
    return (await known.get(taskId)) ?? true;
  };
}

async function filtered(rows: readonly TransitionRow[], ours: Belongs): Promise<TransitionRow[]> {
  const kept: TransitionRow[] = [];
  for (const row of rows) if (await ours(row)) kept.push(row);
  return kept;
}

/** Ends early when the user has had enough. */
function pause(milliseconds: number, ended: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(finish, milliseconds);
    function finish(): void {
      clearTimeout(timer);
      ended.removeEventListener("abort", finish);
      done();
    }
    if (ended.aborted) finish();
    else ended.addEventListener("abort", finish);
  });
}
