// A look at one path, at once and without an error: it is asked at every turn of an agent, and Node's
// promises for files cost more to load than all the rest of the answer (docs/adr/0010).
import { lstatSync, readFileSync, realpathSync } from "node:fs";

/** Through every link on it; null where nothing is. */
export function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/** "" where nothing can be read. */
export function textAt(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Undefined: neither, or it may not be looked at. */
export function kindOf(path: string): "file" | "folder" | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isFile()) return "file";
    return stats?.isDirectory() ? "folder" : undefined;
  } catch {
    return undefined;
  }
}
