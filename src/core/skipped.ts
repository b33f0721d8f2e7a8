// What of a user's own git a run leaves aside, for its first lines (S2.6).
import { type Message, msg } from "./messages.ts";

export interface Skipped {
  /** Names of hooks that git would run with a commit or a merge, and we do not. */
  readonly hooks: readonly string[];
  /** Commits are to be signed, and ours are not. */
  readonly unsigned: boolean;
}

export function skippedTexts({ hooks, unsigned }: Skipped): Message[] {
  return [
    ...(hooks.length > 0 ? [msg("git.hooks_skipped", { names: hooks.join(", ") })] : []),
    ...(unsigned ? [msg("git.not_signed")] : []),
  ];
}
