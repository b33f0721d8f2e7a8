// Numbers of the trees that effects take, and what a snapshot's row keeps of one.
import type { SnapshotRow } from "../store/database/store.ts";
import type { PhasesDocument } from "../workflows/phases/phases.ts";
import type { Effect } from "./_draft.ts";

/** Of the tree that an effect takes: higher for each, the same when it is repeated. */
export function seqOf({ key, data }: Effect): number {
  return Number(data["at"]) * 1_000 + (Number(key.split(":")[1]) % 999);
}

/** The part of a snapshot that a restore needs. */
export function keptIn({ data }: SnapshotRow): {
  document: PhasesDocument | null;
  progress: number;
  commit: string | null;
} {
  const { task, tree } = data as {
    task: { document: PhasesDocument | null; progress: number };
    tree: { commit: string } | null;
  };
  return { document: task.document, progress: task.progress, commit: tree?.commit ?? null };
}
