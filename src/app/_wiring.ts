// The durable parts, put together. Loaded only by a call that needs the database.
import { Fault } from "../core/errors.ts";
import { projectHash } from "../core/ids.ts";
import { type Message, msg } from "../core/messages.ts";
import { type Codec, loadCodec } from "../formats/codec.ts";
import type { ProjectRow, Store } from "../store/database/store.ts";
import { realDisk } from "../store/disk.ts";
import { Documents } from "../store/documents.ts";
import type { LockWorld } from "../store/lock.ts";

export { openSqlite } from "../store/database/sqlite.ts";

/** The project's row; made if there is none. */
export async function rowOf(store: Store, root: string): Promise<ProjectRow> {
  const found = await store.projectAt(root);
  if (found) return found;
  const id = `project_${randomName(12)}`;
  const row = { id, root, hash: projectHash(root), createdAt: new Date().toISOString() };
  const outcome = await store.commit({ projects: [row] });
  // Refused: another process was faster, and its row is as good.
  const now = outcome.ok ? row : await store.projectAt(root);
  if (!now) throw new Fault("internal", msg("home.no_project_row", { root }));
  return now;
}

export function lockWorldOf(store: Store): LockWorld {
  return {
    disk: realDisk,
    now: Date.now,
    wait: (milliseconds) => new Promise((turn) => setTimeout(turn, milliseconds)),
    random: () => randomName(16),
    alone: async (work) => {
      let done = false;
      // Inside the database's transaction, so that no other process of this home is in its own. A
      // guard may be asked twice, and what was done once can not be done again.
      await store.commit({ guard: () => (done ||= work()) || msg("document.lock_lost") });
      return done;
    },
  };
}

export function documentsOf(
  store: Store,
  lockWorld: LockWorld,
  place: { readonly projectId: string; readonly quarantine: string },
  tell: (text: Message) => void,
): Documents {
  return new Documents({
    store,
    disk: realDisk,
    lockWorld,
    codec: async (format) => (await loadCodec(format)) as Codec<unknown>,
    ...place,
    now: () => new Date(),
    tell: ({ text }) => tell(text),
    // No workflow writes events yet, so there is none to run again.
    replay: (_format, document) => document,
  });
}

// --- internal ---

function randomName(length: number): string {
  return crypto.randomUUID().replaceAll("-", "").slice(0, length);
}
