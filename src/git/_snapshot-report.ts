// What a snapshot leaves out, kept in the message of its commit: asked again after a crash, the
// same answer comes.
import { type Message, msg } from "../core/messages.ts";

/**
 * large: more bytes than the limit · secret: holds the value of one · special: a pipe, socket or
 * device · unreadable · name: one that git cannot keep · submodule: changed in it, or put in its place.
 * These are in the snapshot, but cannot be handed in: filter: a command would have to turn it ·
 * encoding: not in the one it is stored in
 */
export type LeftOutReason =
  | "large"
  | "secret"
  | "special"
  | "unreadable"
  | "name"
  | "submodule"
  | "filter"
  | "encoding";

export interface LeftOut {
  readonly path: string;
  readonly why: LeftOutReason;
}

export function leftOutText({ path, why }: LeftOut): Message {
  if (why === "large") return msg("snapshot.left_out.large", { path, max: mostMebibytes });
  return msg(`snapshot.left_out.${why}`, { path });
}

/** Of one file, by its length: also where the disk holds less of it. */
export const mostMebibytes = 50;

/** Bounded: a tree of a million pipes is told by its first ones. */
export const mostLeftOut = 1_000;

export function reportMessage(seq: string, leftOut: readonly LeftOut[]): string {
  return `snapshot ${seq}\n\n${JSON.stringify(leftOut.slice(0, mostLeftOut))}\n`;
}

/** Written by us, in a repository of ours. */
export function readReport(body: string): LeftOut[] {
  return JSON.parse(body) as LeftOut[];
}
