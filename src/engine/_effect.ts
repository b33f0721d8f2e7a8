// What is to be done after a tick was committed, by name.
import type { Json } from "../core/events.ts";

/** What an effect is told. Small: what can be looked up when it is done is not in it. */
export interface Effect {
  readonly key: string;
  readonly name: EffectName;
  readonly data: Readonly<Record<string, Json>>;
}

export type EffectName =
  | "make_workspace"
  | "start"
  | "write"
  | "settle"
  | "end"
  | "snapshot"
  | "verify"
  /** A verifier's own copy of the tree, and its end. */
  | "make_copy"
  | "remove_copy"
  | "pack"
  | "notify"
  | "restore"
  /** What an ended task keeps on the disk goes; the task stays. */
  | "clear"
  /** The task goes, with all it has. */
  | "remove";
