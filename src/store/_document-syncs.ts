// After a failed sync the kernel may have dropped the data, and calls the next sync a success: whoever
// has seen one fail must not write that document again (S5.1), wherever in its work that was.
import type { Disk } from "./disk.ts";

/** The same disk; whoever asks it for a sync, it is known if that fails. */
export function watchSyncs(disk: Disk, failed: () => void): Disk {
  const noted = (cause: unknown): never => {
    failed();
    throw cause;
  };
  const sync: Disk["sync"] = (handle) => disk.sync(handle).catch(noted);
  const syncFolder: Disk["syncFolder"] = (path) => {
    try {
      disk.syncFolder(path);
    } catch (cause) {
      noted(cause);
    }
  };
  // Each by its name: a Proxy that binds them as they are asked for takes longer than some of them do.
  return {
    read: (path, maxBytes, known) => disk.read(path, maxBytes, known),
    stamp: (path) => disk.stamp(path),
    create: (path, bytes, mode) => disk.create(path, bytes, mode),
    sync,
    close: (handle) => disk.close(handle),
    link: (from, to) => disk.link(from, to),
    rename: (from, to) => disk.rename(from, to),
    remove: (path) => disk.remove(path),
    syncFolder,
    list: (folder) => disk.list(folder),
    makeFolder: (path) => disk.makeFolder(path),
  };
}
