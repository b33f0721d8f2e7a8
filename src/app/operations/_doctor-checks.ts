// The checks of `doctor` that need only a few lines, one function a topic; the larger ones have files
// of their own.
import { relative } from "node:path";
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import { requireGit } from "../../git/git.ts";
import { realDisk } from "../../store/disk.ts";
import { type Leftover, findLeftovers, findProgram } from "../../store/inspection.ts";
import { findMoved, movedNotice } from "../../store/moved.ts";
import { diskRoom } from "../_disk-room.ts";
import { nodeVersion } from "../oldest-node.ts";
import type { Context } from "../operation.ts";
import { notice, ofFault, ok, problem } from "./_doctor-lines.ts";
import type { Line } from "./doctor.ts";

/** One that is too old does not get this far. */
export function checkNode(): Line[] {
  return [ok("node", msg("doctor.node", { version: nodeVersion }))];
}

export async function checkGit({ env }: Context): Promise<Line[]> {
  const path = findProgram("git", env["PATH"] ?? "");
  if (path === undefined) return [notice("git", msg("doctor.git.none"), msg("doctor.git.hint"))];
  await requireGit(env);
  return [ok("git", msg("doctor.git", { path }))];
}

export function checkProject({ project }: Context): Line[] {
  const { root, because, mark } = project;
  if (because === "here") return [ok("project", msg("doctor.project.here", { root }))];
  return [ok("project", msg(`doctor.project.${because}`, { root, mark }))];
}

/** S4.1: was it elsewhere, and is its journal still filed there? */
export async function checkMoved(context: Context): Promise<Line[]> {
  try {
    const store = await context.existingStore();
    const moved = store && (await findMoved(context.project.root, store, realDisk));
    if (!moved) return [];
    const { message, hint } = movedNotice(moved);
    return [notice("project", message, hint)];
  } catch (thrown) {
    // That the database can not be read has its own line.
    if (thrown instanceof Fault) return [];
    throw thrown;
  }
}

/** S1.21c: as the server looks at it; where there is no home yet, there is nothing to look at. */
export async function checkDisk(context: Context): Promise<Line[]> {
  const { watch, least, floorMegabytes: floor } = await diskRoom(context, undefined);
  if (least === null) return [];
  const { path } = least;
  const free = Math.floor(least.freeBytes / 1e6);
  if (floor === 0) return [ok("disk", msg("doctor.disk.unwatched", { path, free }))];
  if (watch.low === null) return [ok("disk", msg("doctor.disk", { path, free, floor }))];
  return [problem("disk", msg("doctor.disk.low", { path, free, floor }), msg("doctor.disk.hint"))];
}

export async function checkDatabase(context: Context): Promise<Line[]> {
  try {
    const store = await context.existingStore();
    if (!store) return [ok("database", msg("doctor.database.none"))];
    const { ok: sound, detail } = await store.check();
    const file = context.home.database;
    if (sound) return [ok("database", msg("doctor.database", { file }))];
    const line = problem("database", msg("store.corrupt", { file, detail }));
    return [{ ...line, corrupt: true, hint: msg("store.corrupt.hint", { file }) }];
  } catch (thrown) {
    return [ofFault("database", thrown)];
  }
}

export async function checkLeftovers({ project: { root } }: Context): Promise<Line[]> {
  const left = await findLeftovers(root, realDisk, Date.now());
  if (left.length === 0) return [ok("locks", msg("doctor.locks"))];
  return left.map((each) => ({ ...leftoverLine(each), path: relative(root, each.path) }));
}

/** A lock that names nobody may be judged after this long (S2.7). */
export const namelessAge = 5000;

/** S6.7: said openly, every time. */
export function checkSandbox(): Line[] {
  return [notice("sandbox", msg("doctor.sandbox"), msg("doctor.sandbox.hint"))];
}

// --- internal ---

function leftoverLine({ kind, state, holder, age }: Leftover): Line {
  if (kind === "lock" && state === "nameless")
    return age < namelessAge
      ? notice("locks", msg("doctor.locks.nameless"), msg("doctor.locks.fresh.hint"))
      : problem("locks", msg("doctor.locks.nameless"), msg("lock.nameless.hint"));
  if (state === "nameless")
    return notice("locks", msg("doctor.locks.left"), msg("doctor.fix.hint"));
  const { pid, host } = holder ?? { pid: 0, host: "" };
  if (state === "gone")
    return notice("locks", msg("doctor.locks.gone", { pid, host }), msg("doctor.fix.hint"));
  if (state === "unknown")
    return notice(
      "locks",
      msg("doctor.locks.unknown", { pid, host }),
      msg("doctor.locks.unknown.hint"),
    );
  return notice("locks", msg(`doctor.locks.${state}`, { pid, host }));
}
