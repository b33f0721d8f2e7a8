// Which home works on a repository (S7.5). Two homes know nothing of each other's claims: each would do every
// unit, and land it. A run at work has a file in the repository's common folder that names its home; another
// home is refused, and told how to take over where the first one is lost or the repository is a copy.
//
//   <git common dir>/holdfast/runs/<run>   the path of its home
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { commonFolder } from "./_folders.ts";
import { type RunRepository } from "./target.ts";

export interface Mark {
  readonly run: string;
  readonly home: string;
}

/** Throws where another home is at work; looked at before anything is written. */
export function requireRepository(root: string, home: string): void {
  const other = marksOf(root).find((mark) => mark.home !== home);
  if (other === undefined) return;
  throw new Fault("refused", msg("mark.foreign", { ...other, root }), {
    hint: msg("mark.foreign.hint", { home: other.home }),
  });
}

/** Throws where another home is at work. Runs of one home share. */
export function claimRepository({ root, run }: RunRepository, home: string): void {
  requireRepository(root, home);
  const folder = marksFolder(root);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, run), `${home}\n`);
  try {
    // Of two homes that came at the same moment neither goes on: that is told, and tried again.
    requireRepository(root, home);
  } catch (cause) {
    releaseRepository({ root, run });
    throw cause;
  }
}

/** The run is over: whoever comes next may be of any home. */
export function releaseRepository({ root, run }: RunRepository): void {
  if (existsSync(root)) rmSync(join(marksFolder(root), run), { force: true });
}

/** A person says that the other home is gone, or that this is a copy. */
export function takeOverRepository(root: string, home: string): Mark[] {
  const others = marksOf(root).filter((mark) => mark.home !== home);
  for (const { run } of others) releaseRepository({ root, run });
  return others;
}

export function marksOf(root: string): Mark[] {
  const folder = marksFolder(root);
  try {
    return readdirSync(folder).map((run) => {
      return { run, home: readFileSync(join(folder, run), "utf8").trim() };
    });
  } catch {
    return [];
  }
}

// --- internal ---

function marksFolder(root: string): string {
  return join(commonFolder({ cwd: root }), "holdfast", "runs");
}
