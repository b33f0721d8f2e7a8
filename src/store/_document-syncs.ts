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
  return new Proxy(disk, {
    get: (_disk, name: keyof Disk) =>
      name === "sync" ? sync : name === "syncFolder" ? syncFolder : disk[name].bind(disk),
  });
}
