// Is there room on the disks that agents write to (DESIGN, idea 4)? An agent's output is a file: on a
// full disk its lines would be lost. So below a floor nothing new starts and agents stand still; they
// go on when there is a quarter more than that, so that one file does not turn it back and forth.
import { stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { type Message, msg } from "../core/messages.ts";

/** One file system, by a path on it. */
export interface Room {
  readonly path: string;
  readonly freeBytes: number;
}

export interface DiskWatchParts {
  readonly floorBytes: number;
  /** Each file system once; none: nothing is known of it now. */
  readonly measure: () => Promise<readonly Room[]>;
  readonly tell: (text: Message) => void;
}

export class DiskWatch {
  readonly #parts: DiskWatchParts;
  #low: Room | null = null;

  constructor(parts: DiskWatchParts) {
    this.#parts = parts;
  }

  /** The disk that has too little room; null: all have enough. */
  get low(): Room | null {
    return this.#low;
  }

  /** How it is now. Nothing follows from it before `is` says so. `wasLow`: agents are held already. */
  async look(wasLow: boolean): Promise<Room | null> {
    const { floorBytes, measure } = this.#parts;
    const rooms = await measure();
    // What can not be measured is as it was.
    if (rooms.length === 0) return this.#low;
    const least = rooms.reduce((a, b) => (b.freeBytes < a.freeBytes ? b : a));
    return least.freeBytes < floorBytes * (wasLow ? margin : 1) ? least : null;
  }

  is(now: Room | null): void {
    const before = this.#low;
    this.#low = now;
    if (now !== null && before === null) this.#parts.tell(this.holdBack() ?? msg("disk.room"));
    if (now === null && before !== null) this.#parts.tell(msg("disk.room"));
  }

  /** For who asks why nothing starts. */
  holdBack(): Message | null {
    if (this.#low === null) return null;
    const { path, freeBytes } = this.#low;
    const enough = megabytes(this.#parts.floorBytes * margin);
    return msg("disk.low", { path, free: megabytes(freeBytes), floor: this.#floor, enough });
  }

  /** For the journal. */
  get figures(): Readonly<Record<string, string | number>> {
    if (this.#low === null) return {};
    const { path, freeBytes } = this.#low;
    return { path, freeMb: megabytes(freeBytes), floorMb: this.#floor };
  }

  // --- internal ---

  get #floor(): number {
    return megabytes(this.#parts.floorBytes);
  }
}

/** Of the home and of each part of it that may lie on a disk of its own. */
export async function measureHome(home: string): Promise<readonly Room[]> {
  const found = new Map<number, Room>();
  for (const part of ["", "workspaces", "runs", "trees", "agents"]) {
    const path = join(home, part);
    try {
      const { dev } = await stat(path);
      if (found.has(dev)) continue;
      const { bavail, bsize, blocks } = await statfs(path);
      // Some file systems have no size to tell.
      if (blocks > 0) found.set(dev, { path, freeBytes: bavail * bsize });
    } catch {
      // Not there yet, or not ours to look at: whoever writes there says so.
    }
  }
  return [...found.values()];
}

// --- internal ---

/** As much of the floor has to be free before agents go on. */
const margin = 1.25;

function megabytes(bytes: number): number {
  return Math.floor(bytes / 1e6);
}
