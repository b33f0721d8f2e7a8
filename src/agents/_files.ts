// Opening the files of a run, and what a disk refuses, said for a person.
import { constants } from "node:fs";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";

/** To read what the agent could have replaced: no link is followed, no pipe waited for. */
export const plainly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export function codeOf(cause: unknown): string | undefined {
  return (cause as NodeJS.ErrnoException | undefined)?.code;
}

export function asFault(path: string, cause: unknown): Fault {
  if (cause instanceof Fault) return cause;
  const detail = cause instanceof Error ? cause.message : String(cause);
  const code = codeOf(cause);
  if (code === "ENOENT" || code === "ENOTDIR")
    return new Fault("not_found", msg("run.gone", { path }), {
      hint: msg("run.gone.hint"),
      cause,
    });
  if (code === "ENOSPC" || code === "EDQUOT")
    return new Fault("internal", msg("disk.full", { path }), {
      hint: msg("disk.full.hint"),
      cause,
    });
  return new Fault("internal", msg("disk.io", { path, detail }), {
    hint: msg("disk.io.hint"),
    cause,
  });
}
