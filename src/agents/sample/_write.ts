// Writing below the working folder, and nowhere else.
import { lstatSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";

/** The full path, its folder made; a Fault where it would lie outside or behind a link. */
export function placeFor(cwd: string, path: string): string {
  const outside = new Fault("refused", msg("sample.outside", { path }));
  const root = realpathSync(cwd);
  const full = resolve(root, path);
  if (path.includes("\0") || !isBelow(root, full)) throw outside;
  // Each part that exists is looked at before anything is made behind it.
  let at = root;
  for (const part of relative(root, full).split("/")) {
    at = join(at, part);
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) throw outside;
  }
  mkdirSync(dirname(full), { recursive: true });
  return full;
}

export function writeBelow(cwd: string, path: string, text: string): void {
  writeFileSync(placeFor(cwd, path), text);
}

// --- internal ---

function isBelow(root: string, full: string): boolean {
  const way = relative(root, full);
  return way !== "" && way !== ".." && !way.startsWith("../");
}
