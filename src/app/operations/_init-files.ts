// Files of the user's own project, made or changed whole.
import { dirname } from "node:path";
import { asFault, newFileMode, realDisk } from "../../store/disk.ts";

/** Throws EEXIST where there is one. */
export async function writeNew(path: string, text: string): Promise<void> {
  // The umask decides who may read it, as for any file a person makes.
  const handle = realDisk.create(path, Buffer.from(text, "utf8"), newFileMode);
  try {
    await realDisk.sync(handle);
  } finally {
    realDisk.close(handle);
  }
  realDisk.syncFolder(dirname(path));
}

/** A whole new file in the old one's place: a crash leaves one or the other. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID().slice(0, 8)}.tmp`;
  try {
    await writeNew(temporary, text);
    realDisk.rename(temporary, path);
    realDisk.syncFolder(dirname(path));
  } catch (cause) {
    realDisk.remove(temporary);
    throw asFault(path, cause);
  }
}
