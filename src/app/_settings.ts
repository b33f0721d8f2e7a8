// A project's holdfast.yaml, read when it changed. A broken one stops new work of that project with
// its own complaint; what runs goes on with what it was started with.
import { join } from "node:path";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { loadCodec } from "../formats/codec.ts";
import type { ProjectSettings } from "../formats/project-settings.ts";
import type { Store } from "../store/database/store.ts";
import { realDisk } from "../store/disk.ts";

export interface SettingsOf {
  readonly of: (projectId: string) => Promise<ProjectSettings | undefined>;
  readonly rootOf: (projectId: string) => Promise<string>;
}

export function createSettings(store: Store): SettingsOf {
  const known = new Map<string, { stamp: string; settings: ProjectSettings | undefined }>();
  const roots = new Map<string, string>();
  const rootOf = async (projectId: string): Promise<string> => {
    const had = roots.get(projectId);
    if (had !== undefined) return had;
    for (const { id, root } of await store.projects()) roots.set(id, root);
    const root = roots.get(projectId);
    if (root === undefined) throw new Fault("not_found", msg("project.unknown", { id: projectId }));
    return root;
  };
  return {
    rootOf,
    of: async (projectId) => {
      const path = join(await rootOf(projectId), "holdfast.yaml");
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

// --- internal ---

async function readSettings(path: string): Promise<ProjectSettings | undefined> {
  const bytes = realDisk.read(path);
  if (bytes === null) return undefined;
  const read = (await loadCodec("project-settings")).read(bytes);
  if (read.ok) return read.value;
  const problem = read.findings[0]?.text ?? msg("format.expected.anything");
  throw new Fault("corrupt", msg("project.bad_settings", { path, problem }), {
    hint: msg("project.bad_settings.hint"),
  });
}
