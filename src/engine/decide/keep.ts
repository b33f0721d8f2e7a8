// What an ended task keeps on the disk (S1.21c): looked at, told before it goes, and let go. When that
// is due is found by who sees all tasks of a project (../retention.ts); here only this one is known.
import type { Draft } from "../_draft.ts";
import type { RemovalReason } from "../state.ts";
import { type Answer, done } from "./world.ts";

export type KeepCommand =
  | {
      readonly name: "keep";
      readonly bytes: number;
      /** Null: there is no reason (any more) to tell a date. */
      readonly removal: { readonly at: number; readonly why: RemovalReason } | null;
      /** The first of its project that is told now: one notification for all of them. */
      readonly tell: boolean;
    }
  | { readonly name: "clear" };

type Named<N extends KeepCommand["name"]> = Extract<KeepCommand, { name: N }>;

export function keep(draft: Draft, { bytes, removal, tell }: Named<"keep">): Answer {
  const { kept: before } = draft.task.data;
  if (!isOver(draft) || isRemoved(draft)) return done;
  const [removeAt, why] = [removal?.at ?? null, removal?.why ?? null];
  draft.setTask({}, { kept: { bytes, removeAt, why, removedAt: null } });
  if (removeAt === (before?.removeAt ?? null) && why === (before?.why ?? null)) return done;
  const until = removeAt === null ? null : new Date(removeAt).toISOString();
  journal(draft, "retention", { removeAt: until, why, bytes });
  if (tell && removeAt !== null) draft.effect("notify", { what: "removal" });
  return done;
}

/** Nothing goes that was not told, nor before its time. */
export function clear(draft: Draft): Answer {
  const { kept } = draft.task.data;
  if (!isOver(draft) || isRemoved(draft)) return done;
  if (!kept || kept.removeAt === null || kept.removeAt > draft.now) return done;
  // Said before it is done: from now on nobody begins anything with these files.
  draft.setTask({}, { kept: { ...kept, removedAt: draft.at }, workspace: null });
  journal(draft, "removed", { bytes: kept.bytes, why: kept.why });
  draft.effect("clear");
  return done;
}

// --- internal ---

function isOver({ task }: Draft): boolean {
  return task.status === "completed" || task.status === "failed";
}

function isRemoved({ task }: Draft): boolean {
  return (task.data.kept?.removedAt ?? null) !== null;
}

function journal(
  draft: Draft,
  trigger: string,
  metadata: Readonly<Record<string, string | number | null>>,
): void {
  const { id, status } = draft.task;
  draft.journal("task", id, { from: status, to: status }, trigger, metadata);
}
