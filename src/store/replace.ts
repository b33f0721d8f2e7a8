// A file of ours that is no document: put in place whole or not at all, and durable when it is said.
import { dirname } from "node:path";
import { realDisk } from "./disk.ts";

export interface Replacement {
  readonly path: string;
  /** Beside it. */
  readonly temporary: string;
  readonly text: string;
  readonly mode: number;
  /** Asked at the last moment; throws where it may not be replaced (any more). */
  readonly check?: () => void;
}

export async function replaceFile(replacement: Replacement): Promise<void> {
  const { path, temporary, text, mode, check } = replacement;
  const handle = realDisk.create(temporary, Buffer.from(text, "utf8"), mode);
  try {
    await realDisk.sync(handle);
    check?.();
    realDisk.rename(temporary, path);
  } catch (cause) {
    realDisk.remove(temporary);
    throw cause;
  } finally {
    realDisk.close(handle);
  }
  realDisk.syncFolder(dirname(path));
}
