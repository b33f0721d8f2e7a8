// What the task server and its tasks leave in $HOLDFAST_HOME: where a server was that is gone, and the
// folders of tasks that are. A task's own removal takes its folders along; these are what a lost or
// older database does not know of, or what was cut short in the middle.
//
// A workspace may hold work that is nowhere else. It goes only if the journal knows its task, which
// was therefore deleted; what this database has never heard of is told, and left to a person. So are
// all runs while there is such a workspace: they may be of the same tasks.
import { join } from "node:path";
import { homeName, lookAt, runFolder, tagName } from "../../agents/run.ts";
import { Supervisor } from "../../agents/supervisor.ts";
import { Fault } from "../../core/errors.ts";
import { type Message, msg } from "../../core/messages.ts";
import { type TaskPlaces, removeWorkspace, taskPlaces } from "../../git/workspace.ts";
import { isGone, processes } from "../../os/processes.ts";
import type { Store } from "../../store/database/store.ts";
import { realDisk } from "../../store/disk.ts";
import { livenessOf } from "../../store/identity.ts";
import { lockPath, namedAt } from "../../store/lock.ts";
import { realClock } from "../_clock.ts";
import { claimKind, unitOf } from "../_session-orchestrate-rows.ts";
import { cloneId } from "../_session-orchestrate-tree.ts";
import type { Context } from "../operation.ts";
import { readServerFile, takeServerPlace } from "../server-file.ts";
import { notice, ok } from "./_doctor-lines.ts";
import type { Line } from "./doctor.ts";

export async function checkServer(context: Context): Promise<Line[]> {
  const { path: home } = context.home;
  const store = await opened(context);
  if (store === "unreadable") return [];
  const { server, file } = serverAt(home);
  const { runs, workspaces, strange, living } = await foldersLeft(home, store);
  const lines: Line[] = [];
  const say = (count: number, key: LeftKey, folder: string, hint: Message): void => {
    if (count > 0)
      lines.push(notice("server", msg(key, { count, path: join(home, folder) }), hint));
  };
  if (server === "gone") lines.push(notice("server", msg("doctor.server.gone", { file }), fix));
  else if (server !== "none") lines.push(ok("server", server));
  say(living.size, "doctor.server.living", "runs", busy);
  say(strange.length, "doctor.server.strange", "workspaces", ask);
  say(workspaces.length, "doctor.server.workspaces", "workspaces", living.size > 0 ? busy : fix);
  say(realDisk.list(join(home, "kept")).length, "doctor.server.kept", "kept", look);
  say(runs.length, "doctor.server.runs", "runs", strange.length > 0 ? ask : fix);
  return lines.length > 0 ? lines : [ok("server", msg("doctor.server.none"))];
}

export async function fixServerFile(context: Context): Promise<Message[]> {
  const { path: home } = context.home;
  const { server, file } = serverAt(home);
  if (server !== "gone") return [];
  // Refused where another server has begun meanwhile.
  const place = await takeServerPlace(home, await context.lockWorld());
  place.withdraw();
  place.leave();
  return [msg("doctor.fixed.server", { file })];
}

export async function fixRuns(context: Context): Promise<Message[]> {
  const { path: home } = context.home;
  const store = await opened(context);
  const { runs, strange } = await foldersLeft(home, store);
  if (runs.length === 0 || strange.length > 0) return [];
  const supervisor = new Supervisor({ home, ...realClock() });
  for (const run of runs) await supervisor.removeRun(runFolder(home, run));
  return [msg("doctor.fixed.folders", { count: runs.length, path: join(home, "runs") })];
}

export async function fixWorkspaces(context: Context): Promise<Message[]> {
  const { path: home } = context.home;
  const store = await opened(context);
  const { workspaces, living } = await foldersLeft(home, store);
  if (workspaces.length === 0 || living.size > 0) return [];
  for (const places of workspaces) await removeWorkspace(places);
  const path = join(home, "workspaces");
  return [msg("doctor.fixed.folders", { count: workspaces.length, path })];
}

// --- internal ---

type LeftKey = `doctor.server.${"living" | "strange" | "workspaces" | "kept" | "runs"}`;

const fix = msg("doctor.fix.hint");
const ask = msg("doctor.server.strange.hint");
const look = msg("doctor.server.kept.hint");
const busy = msg("doctor.server.living.hint");

/** gone: its file is there, and nobody holds its place. */
function serverAt(home: string): {
  readonly server: Message | "gone" | "none";
  readonly file: string;
} {
  const file = join(home, "server.json");
  if (realDisk.stamp(file) === null) return { server: "none", file };
  const holder = namedAt(lockPath(file), realDisk)?.process;
  if (!holder || livenessOf(holder) === "gone") return { server: "gone", file };
  const { url = "" } = readServerFile(home) ?? {};
  return { server: msg("doctor.server", { url, pid: holder.pid }), file };
}

interface FoldersLeft {
  /** That no task knows, and nothing of which lives. */
  readonly runs: readonly string[];
  /** Of tasks that were deleted. */
  readonly workspaces: readonly TaskPlaces[];
  /** Of tasks that this database has never heard of. */
  readonly strange: readonly TaskPlaces[];
  /** Runs that no task knows, and something of which lives: it may work in any workspace. */
  readonly living: ReadonlySet<string>;
}

type Opened = Store | "unreadable" | undefined;

async function opened(context: Context): Promise<Opened> {
  try {
    return await context.existingStore();
  } catch (thrown) {
    // Why it can not be read has its own line.
    if (!(thrown instanceof Fault)) throw thrown;
    return "unreadable";
  }
}

async function foldersLeft(home: string, store: Opened): Promise<FoldersLeft> {
  if (store === undefined || store === "unreadable")
    return { runs: [], workspaces: [], strange: [], living: new Set() };
  // Listed before the database is asked: whatever is made meanwhile has its row before its folder.
  const names = realDisk.list(join(home, "runs")).filter((name) => name.startsWith("run_"));
  const places = placesIn(home);
  const known = new Set((await store.entities({ kind: "process" })).map(({ id }) => id));
  const found = [...new Set(names.map((name) => name.replace(/\.removed$/, "")))];
  const unknown = found.filter((run) => !known.has(run));
  const living = await livingRuns(home, unknown, known, store);
  const claimed = await claimedIn(store);
  const workspaces: TaskPlaces[] = [];
  const strange: TaskPlaces[] = [];
  for (const [id, each] of places) {
    if (claimed.has(id) || (await store.task(id))) continue;
    if (await wasTask(id, store)) workspaces.push(each);
    else strange.push(each);
  }
  return { runs: unknown.filter((run) => !living.has(run)), workspaces, strange, living };
}

/**
 * Clones that sessions work in, which are no tasks: a claim knows them (S2.11). One of an earlier claim of
 * the unit holds what its session had not handed in.
 */
async function claimedIn(store: Store): Promise<ReadonlySet<string>> {
  const claims = await store.entities({ kind: claimKind });
  return new Set(
    claims.flatMap((row) => {
      const { unit, epoch } = unitOf(row);
      const epochs = Array.from({ length: epoch }, (_, before) => before + 1);
      return epochs.map((each) => cloneId({ run: row.taskId, unit, epoch: each }));
    }),
  );
}

async function wasTask(id: string, store: Store): Promise<boolean> {
  return (await store.transitions({ taskId: id, limit: 1 })).length > 0;
}

function placesIn(home: string): Map<string, TaskPlaces> {
  const names = [
    ...realDisk
      .list(join(home, "workspaces"))
      .filter((name) => !name.endsWith(".setup.log") && !name.endsWith(".tmp"))
      .map((name) => name.replace(/\.ready$/, "")),
    ...realDisk.list(join(home, "trees")).map((name) => name.replace(/\.git$/, "")),
  ];
  const places = new Map<string, TaskPlaces>();
  for (const id of names)
    try {
      places.set(id, taskPlaces(home, id));
    } catch (thrown) {
      // A name that no task can have: somebody else's.
      if (!(thrown instanceof Fault)) throw thrown;
    }
  return places;
}

/** By their tags too: an agent may be gone and what it started at work. */
async function livingRuns(
  home: string,
  runs: readonly string[],
  known: ReadonlySet<string>,
  store: Store,
): Promise<ReadonlySet<string>> {
  const living = new Set(
    runs.filter((run) => ["starting", "running"].includes(lookAt(runFolder(home, run)).state)),
  );
  for (const row of processes.list()) {
    const tag = isGone(row) ? undefined : processes.variable(row.pid, tagName);
    if (tag === undefined || processes.variable(row.pid, homeName) !== home) continue;
    // A task's own setup and checks bear its name.
    const [, taskId = ""] = /^(?:setup|verify)_(.+)$/.exec(tag) ?? [];
    if (!known.has(tag) && !(await store.task(taskId))) living.add(tag);
  }
  return living;
}
