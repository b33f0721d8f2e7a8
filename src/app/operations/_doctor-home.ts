// Holdfast's own folder and the files of its database: who may read and write them (S7.5).
//
// SQLite gives `-wal` and `-shm` the mode that the database has when it makes them, and they keep it:
// a look at a database that was read-only for a while leaves one that can not be written afterwards.
import { chmod, lstat, stat } from "node:fs/promises";
import { Fault } from "../../core/errors.ts";
import { type Message, msg } from "../../core/messages.ts";
import { type Home, checkHome, lookAtHome } from "../../store/home.ts";
import type { Context } from "../operation.ts";
import { notice, ofFault, ok, problem } from "./_doctor-lines.ts";
import type { Line } from "./doctor.ts";

export function checkHomeFolder({ home, project }: Context): Line[] {
  const { path } = home;
  try {
    checkHome(home, project.root);
  } catch (thrown) {
    return [ofFault("home", thrown)];
  }
  const { exists, mode, writable } = lookAtHome(home);
  if (!exists) return [ok("home", msg("doctor.home.none", { path }))];
  const shown = mode.toString(8);
  const hint = msg("store.folder_open.hint", { path });
  if ((mode & 0o022) !== 0)
    return [problem("home", msg("doctor.home.open", { path, mode: shown }), hint)];
  if (!writable) return [problem("home", msg("doctor.home.readonly", { path }), hint)];
  if ((mode & 0o055) !== 0)
    return [notice("home", msg("doctor.home.readable", { path, mode: shown }), hint)];
  return [ok("home", msg("doctor.home", { path }))];
}

export async function checkModes({ home }: Context): Promise<Line[]> {
  return (await wrongModes(home)).map(({ path, mode }) => {
    const params = { path, mode: mode.toString(8) };
    const hint = msg("doctor.mode.hint", { path });
    return lacks(mode, 0o600)
      ? problem("database", msg("doctor.mode.shut", params), hint)
      : notice("database", msg("doctor.mode.open", params), hint);
  });
}

/** The folder first: what is in it may not even be seen before. */
export async function fixModes({ home }: Context): Promise<Message[]> {
  return [...(await fixFolder(home)), ...(await fixFiles(home))];
}

// --- internal ---

function lacks(mode: number, wanted: number): boolean {
  return (mode & wanted) !== wanted;
}

/** A folder that is not ours, or that others could have led us to, is left alone. */
async function fixFolder(home: Home): Promise<Message[]> {
  const { path } = home;
  if (!isSafelyReached(home)) return [];
  const stats = await stat(path).catch(() => undefined);
  if (!stats?.isDirectory() || stats.uid !== process.getuid?.()) return [];
  const before = stats.mode & 0o7777;
  // Rights of our own first: they let us see whether it is a home at all.
  const opened = before | 0o700;
  if (opened !== before) await chmod(path, opened);
  // Others lose theirs only where a database says so: HOLDFAST_HOME may be /tmp by mistake.
  const isHome = lookAtHome(home).database && (before & 0o1000) === 0;
  const after = isHome ? opened & ~0o077 : opened;
  if (after === before) return [];
  await chmod(path, after);
  return [msg("doctor.fixed.mode", { path, mode: (after & 0o777).toString(8) })];
}

function isSafelyReached(home: Home): boolean {
  try {
    checkHome(home);
    return true;
  } catch (thrown) {
    // Merely shut to us: that is what is mended here.
    return thrown instanceof Fault && thrown.text.key === "home.readonly";
  }
}

async function fixFiles(home: Home): Promise<Message[]> {
  const fixed: Message[] = [];
  for (const { path } of await wrongModes(home)) {
    await chmod(path, 0o600);
    fixed.push(msg("doctor.fixed.mode", { path, mode: "600" }));
  }
  return fixed;
}

/** What is no file of ours has its own complaint when the database is opened. */
async function wrongModes({ database }: Home): Promise<{ path: string; mode: number }[]> {
  const found: { path: string; mode: number }[] = [];
  for (const path of [database, `${database}-wal`, `${database}-shm`]) {
    const stats = await lstat(path).catch(() => undefined);
    if (!stats?.isFile() || stats.uid !== process.getuid?.()) continue;
    const mode = stats.mode & 0o777;
    if (lacks(mode, 0o600) || (mode & 0o077) !== 0) found.push({ path, mode });
  }
  return found;
}
