// How the end of a run reads, for whichever workflow it was.
import { codes } from "../../core/errors.ts";
import { type Message, msg } from "../../core/messages.ts";
import type { RunEnd } from "./run.ts";

export interface RunAnswer {
  /** For who reads no more than this. */
  readonly line: string;
  readonly says: Message[];
  readonly ended?: "completed" | "failed" | "held" | "paused" | "left" | undefined;
}

export function answerTo(
  end: RunEnd | null,
  { workflow, id }: { readonly workflow: string; readonly id: string },
  says: readonly Message[],
): RunAnswer {
  if (end === null) return { line: `STARTED:${id}`, says: [...says] };
  const command = resumeOf(workflow);
  if (end.kind === "left")
    return { line: "LEFT", says: [msg("conduct.left", { id, command })], ended: "left" };
  if (end.kind === "paused")
    return { line: "PAUSED", says: [msg("conduct.paused", { id, command })], ended: "paused" };
  if (end.kind === "held") {
    const reasons = [msg("conduct.held", { why: end.why }), msg("conduct.held.hint", { command })];
    return { line: "HELD", says: reasons, ended: "held" };
  }
  const why = end.why === "" ? [] : [msg("conduct.why", { why: end.why })];
  return { line: end.result === "completed" ? "ALL_DONE" : "FAILED", says: why, ended: end.result };
}

/** What goes on with a run of this workflow. */
export function resumeOf(workflow: string): string {
  const isWord = workflow === "plan" || workflow === "request";
  return `holdfast ${workflow} ${isWord ? "resume" : "--resume"}`;
}

/** A run that did not come to its end is no success for a script. */
export function exitOf({ ended }: Pick<RunAnswer, "ended">): number {
  return ended === "held" || ended === "failed" || ended === "paused" ? codes.refused.exit : 0;
}
