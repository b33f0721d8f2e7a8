// What follows from the room on the disk for the agents. It is compared with how they stand, each time
// anew: an agent that comes later is held too, and after a restart nothing has to be remembered.
import { type Live, agentsOf } from "./_live.ts";
import type { DiskWatch } from "./disk.ts";
import type { Engine } from "./engine.ts";

/** One look, and all it asks for decided. */
export async function lookAtDisk(engine: Engine, disk: DiskWatch): Promise<void> {
  const before = disk.low !== null || [...engine.live.values()].some((live) => stands(live, true));
  const now = await disk.look(before);
  // Nothing starts before the agents that stood still were let go on (S1.7b).
  if (now !== null) disk.is(now);
  await hold(engine, disk, now !== null, !before);
  if (now === null) disk.is(null);
}

// --- internal ---

async function hold(engine: Engine, disk: DiskWatch, on: boolean, begins: boolean): Promise<void> {
  const told = new Set<string>();
  const turns = [...engine.live.values()]
    .filter((live) => stands(live, !on))
    .map((live) => {
      const { projectId } = live.state.task;
      const tell = on && begins && !told.has(projectId);
      told.add(projectId);
      const command = { name: "hold", on, hold: "disk", why: disk.figures, tell } as const;
      engine.post(live.id, { kind: "command", seq: null, command });
      return engine.wake(live.id);
    });
  await Promise.all(turns);
}

/** Is there an agent that is held by the disk, or one that is not? */
function stands(live: Live, held: boolean): boolean {
  return agentsOf(live).some(
    ({ status, data }) => !over.has(status) && data.holds.includes("disk") === held,
  );
}

const over: ReadonlySet<string> = new Set(["idle", "completed", "failed"]);
