// What a person did with git that no rule can settle for them (S2.6): the run is held, says why, and offers
// what can be done about it. Nothing is guessed, and nothing has changed.
import { type Message, msg } from "../core/messages.ts";
import { lockIn } from "./git.ts";

/**
 * theirs: what the person did counts. ours: what the run made is put back. again: the person has mended it
 * themselves. stop: the run stays held.
 */
export const settlements = ["theirs", "ours", "again", "stop"] as const;
export type Settlement = (typeof settlements)[number];

export interface Held {
  readonly kind: "held";
  /** The same for as long as the situation is the same. */
  readonly key: string;
  readonly why: Message;
  readonly choices: readonly Settlement[];
}

/** `refs/heads/<name>` no longer has what we had shown there. */
export function rewritten(name: string, theirs: string): Held {
  const why = msg("held.rewritten", { name, commit: theirs.slice(0, 7) });
  return held(["rewritten", name, theirs], why, ["theirs", "ours", "stop"]);
}

/** Both the person and the run changed the same lines of a phase. */
export function conflicting(name: string, theirs: string, files: readonly string[]): Held {
  const why = msg("held.conflict", { name, files: files.join(", ") });
  return held(["conflict", name, theirs], why, ["again", "theirs", "ours", "stop"]);
}

export function targetGone(name: string): Held {
  return held(["gone", name], msg("held.target_gone", { name }), ["ours", "again", "stop"]);
}

/** The target does not hold any more where the run began. */
export function targetRewritten(name: string, tip: string): Held {
  const why = msg("held.target_rewritten", { name, commit: tip.slice(0, 7) });
  return held(["target", name, tip], why, ["theirs", "again", "stop"]);
}

export function rebasing(name: string): Held {
  return held(["rebasing", name], msg("held.rebasing", { name }), ["again", "stop"]);
}

/** Work that had landed is not in the target's history any more. */
export function lost(name: string, tip: string, what: readonly string[]): Held {
  const why = msg("held.lost", { name, what: what.slice(0, 10).join(", ") });
  return held(["lost", name, tip, ...what], why, ["ours", "theirs", "stop"]);
}

/** A file or a lock of somebody's; of a lock also what it is, since only a person may remove it. */
export function inTheWay(name: string, words: string): Held {
  const path = lockIn(words);
  const detail = path === undefined ? words : msg("git.locked.hint", { path });
  return held(["way", name, words], msg("held.in_the_way", { name, detail }), ["again", "stop"]);
}

/** A hook of the user's refused what was about to land; nothing has changed. */
export function hookFailed(name: string, hook: string, words: string): Held {
  const why = msg("held.hook", { name, hook, detail: words });
  return held(["hook", name, hook, words], why, ["again", "stop"]);
}

/** The user's key could not sign a commit; nothing has changed. */
export function notSigned(words: string): Held {
  return held(["sign", words], msg("held.sign", { detail: words }), ["again", "stop"]);
}

// --- internal ---

function held(parts: readonly string[], why: Message, choices: readonly Settlement[]): Held {
  return { kind: "held", key: parts.join(" "), why, choices };
}
