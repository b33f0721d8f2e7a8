// A person's version that could not be taken over is never thrown away (S5.3).
import { basename, join } from "node:path";
import { type DocumentsWorld, checksum } from "./_document.ts";

/** Keeps bytes under a name of their own, outside the project. Returns the path. */
export async function quarantine(
  path: string,
  bytes: Uint8Array,
  world: DocumentsWorld,
): Promise<string> {
  const { disk } = world;
  disk.makeFolder(world.quarantine);
  const stamp = world.now().toISOString().replaceAll(/[:.]/g, "-");
  const kept = join(world.quarantine, `${stamp}-${checksum(bytes).slice(0, 8)}-${basename(path)}`);
  disk.remove(kept);
  const handle = disk.create(kept, bytes, 0o600);
  try {
    await disk.sync(handle);
  } finally {
    disk.close(handle);
  }
  disk.syncFolder(world.quarantine);
  return kept;
}
