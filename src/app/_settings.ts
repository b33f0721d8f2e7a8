// A project's holdfast.yaml, read when it changed. A broken one stops new work of that project with
// its own complaint; what runs goes on with what it was started with.
import { join } from "node:path";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import type { Skipped } from "../core/skipped.ts";
import { loadCodec } from "../formats/codec.ts";
import type { ProjectSettings } from "../formats/project-settings.ts";
import type { Store } from "../store/database/store.ts";
import { realDisk } from "../store/disk.ts";

export interface SettingsOf {
  /** Throws where the project's folder is gone, or its settings can not be read. */
  readonly of: (projectId: string) => Promise<ProjectSettings | undefined>;
  /** As the database has it now; whether a folder stands there is not asked. */
  readonly rootOf: (projectId: string) => Promise<string>;
}

export function createSettings(store: Store): SettingsOf {
  const known = new Map<string, { stamp: string; settings: ProjectSettings | undefined }>();
  const roots = new Map<string, { root: string; inode: bigint | null }>();
  /** A project that was moved while we run is filed under its new root by another process. */
  const placeOf = async (projectId: string): Promise<{ root: string; inode: bigint | null }> => {
    const had = roots.get(projectId);
    // The very folder that we knew: whatever was moved, it was not this one.
    if (had !== undefined && had.inode !== null && inodeOf(had.root) === had.inode) return had;
    const row = (await store.projects()).find(({ id }) => id === projectId);
    if (row === undefined) throw new Fault("not_found", msg("project.unknown", { id: projectId }));
    const place = { root: row.root, inode: inodeOf(row.root) };
    roots.set(projectId, place);
    return place;
  };
  return {
    rootOf: async (projectId) => (await placeOf(projectId)).root,
    of: async (projectId) => {
      const { root, inode } = await placeOf(projectId);
      if (inode === null)
        throw new Fault("not_found", msg("project.gone", { root }), {
          hint: msg("project.gone.hint"),
        });
      const path = join(root, "holdfast.yaml");
      const found = realDisk.stamp(path);
      if (found === null) return undefined;
      const stamp = `${found.inode} ${found.size} ${found.modified}`;
      const before = known.get(path);
      if (before?.stamp === stamp) return before.settings;
      const settings = await readSettings(path);
      known.set(path, { stamp, settings });
      return settings;
    },
  };
}

/** Of the file as it is now; undefined: there is none. */
export async function readSettings(path: string): Promise<ProjectSettings | undefined> {
  const bytes = realDisk.read(path);
  if (bytes === null) return undefined;
  const read = (await loadCodec("project-settings")).read(bytes);
  if (read.ok) return read.value;
  const problem = read.findings[0]?.text ?? msg("format.expected.anything");
  throw new Fault("corrupt", msg("project.bad_settings", { path, problem }), {
    hint: msg("project.bad_settings.hint"),
  });
}

/** What of their own git a user wants to run for the commits of a run (S2.6). */
export async function ownCommandsOf(root: string): Promise<{ hooks: boolean; sign: boolean }> {
  const { git } = (await readSettings(join(root, "holdfast.yaml"))) ?? {};
  return { hooks: git?.hooks === "run", sign: git?.sign === true };
}

export async function skippedIn(root: string): Promise<Skipped> {
  const { skippedCommands } = await import("../git/own-commands.ts");
  return skippedCommands(root, await ownCommandsOf(root));
}

// --- internal ---

/** Null: there is nothing, or nothing that may be looked at. */
function inodeOf(root: string): bigint | null {
  try {
    return realDisk.stamp(root)?.inode ?? null;
  } catch {
    return null;
  }
}
