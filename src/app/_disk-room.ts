// Is there room on the disk, as the engine sees it (S1.21c)? For who asks where no engine is at hand. Of
// a server that was started with a floor of its own this knows only what it did: whom it holds.
import { join } from "node:path";
import { Fault } from "../core/errors.ts";
import { DiskWatch, type Room, measureHome } from "../engine/disk.ts";
import type { Kinds } from "../engine/state.ts";
import type { Store } from "../store/database/store.ts";
import type { Context } from "./operation.ts";
import { readSettings } from "./_settings.ts";

/** In megabytes: enough for the last lines of many agents, a snapshot and a check. */
export const usualFloor = 512;

export interface DiskRoom {
  /** With what was found; nothing of it is told to anybody. */
  readonly watch: DiskWatch;
  /** Where there is least; null: nothing can be measured yet. */
  readonly least: Room | null;
  /** 0: nobody looks. */
  readonly floorMegabytes: number;
}

export async function diskRoom(
  { home, project }: Pick<Context, "home" | "project">,
  store: Store | undefined,
): Promise<DiskRoom> {
  const floorMegabytes = await floorOf(project.root);
  const rooms = await measureHome(home.path);
  const watch = new DiskWatch({
    floorBytes: floorMegabytes * 1e6,
    measure: async () => rooms,
    tell: () => undefined,
  });
  watch.is(await watch.look(store !== undefined && (await holdsAny(store))));
  const [least = null] = rooms.toSorted((a, b) => a.freeBytes - b.freeBytes);
  return { watch, least, floorMegabytes };
}

// --- internal ---

/** A holdfast.yaml that can not be read is told by who needs more of it. */
async function floorOf(root: string): Promise<number> {
  try {
    const settings = await readSettings(join(root, "holdfast.yaml"));
    return settings?.disk?.floor_megabytes ?? usualFloor;
  } catch (thrown) {
    if (thrown instanceof Fault) return usualFloor;
    throw thrown;
  }
}

async function holdsAny(store: Store): Promise<boolean> {
  const held = (await store.entities({ kind: "agent", status: "paused" })) as Kinds["agent"][];
  return held.some(({ data }) => data.holds.includes("disk"));
}
