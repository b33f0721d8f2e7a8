// The durable parts, put together. Loaded only by a call that needs the database.
import { dirname } from "node:path";
import { Fault } from "../core/errors.ts";
import { projectHash } from "../core/ids.ts";
import { type Message, msg } from "../core/messages.ts";
import { type Codec, loadCodec } from "../formats/codec.ts";
import type { Command } from "../engine/decide/commands.ts";
import type { Answer } from "../engine/decide/world.ts";
import { randomName } from "../store/random.ts";
import type { ProjectRow, Store } from "../store/database/store.ts";
import { realDisk } from "../store/disk.ts";
import { Documents } from "../store/documents.ts";
import type { LockWorld } from "../store/lock.ts";
import { broughtHere } from "../store/moved.ts";
import { sealingStore } from "../store/sealed.ts";

export { openSqlite } from "../store/database/sqlite.ts";

/** How long the owner of a task may take to answer an agent of it. */
const patienceMs = 20_000;

export async function leaveMail(
  store: Store,
  taskId: string,
  command: Command,
): Promise<Answer | undefined> {
  const { leaveMail: leave } = await import("../engine/mail.ts");
  const parts = { store, now: Date.now, wait, patienceMs };
  return leave(parts, taskId, command, `run:${randomName(16)}`);
}

/**
 * The project's row; made if there is none. One that was moved here keeps its row, and with it its
 * journal: a new one would cut it off (S4.1).
 */
export async function rowOf(
  store: Store,
  root: string,
  tell: (text: Message) => void = () => {},
): Promise<ProjectRow> {
  const found = await broughtHere(root, store, realDisk, now());
  if (found.told) tell(found.told);
  if (found.project) return found.project;
  const id = `project_${randomName(12)}`;
  const row = { id, root, hash: projectHash(root), createdAt: now().toISOString() };
  const outcome = await store.commit({ projects: [row] });
  // Refused: another process was faster, and its row is as good.
  const made = outcome.ok ? row : await store.projectAt(root);
  if (!made) throw new Fault("internal", msg("home.no_project_row", { root }));
  return made;
}

export function lockWorldOf(store: Store): LockWorld {
  return {
    disk: realDisk,
    now: Date.now,
    wait,
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

/** `rebuildIn`: the project's root, where the user has asked for a lost state to be rebuilt (S2.9). */
export function documentsOf(
  store: Store,
  lockWorld: LockWorld,
  place: { readonly projectId: string; readonly quarantine: string },
  tell: (text: Message) => void,
  rebuildIn?: string,
): Documents {
  const recovery = { now, ...(rebuildIn === undefined ? {} : { rebuildIn }) };
  return new Documents({
    // The key lies in the same home as the quarantine.
    store: sealingStore(store, dirname(place.quarantine)),
    disk: realDisk,
    lockWorld,
    codec: async (format) => (await loadCodec(format)) as Codec<unknown>,
    ...place,
    now,
    tell: ({ text }) => tell(text),
    replay,
    repair: async (...damaged) => (await import("./_recovery.ts")).repair(recovery, ...damaged),
    rebuild: async (...lost) => (await import("./_recovery.ts")).rebuild(recovery, ...lost),
  });
}

// --- internal ---

/** An event that a crash interrupted, on a document that a person changed meanwhile (S5.3). */
async function replay(format: string, document: unknown, event: unknown): Promise<unknown> {
  if (format === "develop-state") {
    const { withOurs } = await import("../workflows/develop/apply.ts");
    return withOurs(document, event);
  }
  if (format !== "orchestrate-state") {
    const { isMemorised, isWritten, rewrite } = await import("../workflows/plan/replay.ts");
    return isWritten(event) || isMemorised(event) ? rewrite(format, document, event) : document;
  }
  const { isDecided, redecide } = await import("../workflows/orchestrate/replay.ts");
  return isDecided(event) ? redecide(document, event) : document;
}

const now = (): Date => new Date();

function wait(milliseconds: number): Promise<void> {
  return new Promise((turn) => setTimeout(turn, milliseconds));
}
