// Where the ZIP of a task lies, while it is written and afterwards.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

export function zipPath(home: string, taskId: string): string {
  return join(home, "results", `${taskId}.zip`);
}

/** A name of its own for each: two may be asked for at once, and neither may be given half of the other's. */
export function draftOf(path: string): string {
  return `${path}.${process.pid}-${++drafts}${draftEnd}`;
}

/** The one that can be downloaded, and what is left of one that was interrupted. */
export function zipsOf(home: string, taskId: string): string[] {
  const whole = zipPath(home, taskId);
  const folder = dirname(whole);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const parts = names.filter(
    (name) => name.startsWith(`${taskId}.zip.`) && name.endsWith(draftEnd),
  );
  return [whole, ...parts.map((name) => join(folder, name))];
}

// --- internal ---

const draftEnd = ".part";
let drafts = 0;
