// Step 1 of a write (see documents.ts). A process looks around a document once, for what the dead left;
// after that it takes the lock alone, and looks again only where the folder is gone.
import { dirname } from "node:path";
import type { DocumentsWorld } from "./_document.ts";
import { type Disk, codeOf } from "./disk.ts";
import { type Lock, acquire, sweepLeft, sweepOwn } from "./lock.ts";

export class DocumentLocks {
  readonly #swept = new Set<string>();

  async take(path: string, { disk, lockWorld }: DocumentsWorld): Promise<Lock> {
    if (this.#swept.has(path)) {
      try {
        return await acquire(path, lockWorld);
      } catch (cause) {
        if (codeOf(cause) !== "ENOENT") throw cause;
      }
    }
    disk.makeFolder(dirname(path));
    sweepOwn(path, lockWorld);
    return acquire(path, lockWorld);
  }

  /** Once it is known to whoever releases it: it may fail. */
  sweep(lock: Lock, disk: Disk): void {
    if (this.#swept.has(lock.file)) return;
    sweepLeft(lock, disk);
    this.#swept.add(lock.file);
  }
}
