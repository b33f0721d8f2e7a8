// A person's version that could not be taken over is never thrown away (S5.3).
import { basename, join } from "node:path";
import type { DocumentsWorld } from "./_document.ts";
import { checksum } from "./_document-sum.ts";

/**
 * Keeps bytes outside the project, named by what they are: the same damage, seen again, is kept
 * once. The name is given only to synced bytes, so finding it is as good as writing them. Returns
 * the path.
 */
export async function quarantine(
  path: string,
  bytes: Uint8Array,
  world: DocumentsWorld,
): Promise<string> {
  const { disk } = world;
  disk.makeFolder(world.quarantine);
  const name = `${checksum(bytes).slice(0, 16)}-${basename(path)}`;
  const kept = join(world.quarantine, name);
  const there = disk.read(kept);
  if (there === null || !Buffer.from(there).equals(bytes)) {
    const temporary = join(world.quarantine, `.${world.lockWorld.random()}.tmp`);
    const handle = disk.create(temporary, bytes, 0o600);
    try {
      await disk.sync(handle);
    } finally {
      disk.close(handle);
    }
    disk.rename(temporary, kept);
  }
  // Whoever put it there may have died before this.
  disk.syncFolder(world.quarantine);
  return kept;
}
