// A step that is called done in a session: the files it declared, and its command, as in a run of ours.
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { feedbackOf, verifyPhase } from "../engine/verify.ts";
import type { PlanTask } from "../formats/task-state.ts";
import { shellOf } from "./_own-shell.ts";
import type { Context } from "./operation.ts";

export async function checkClaim(
  context: Context,
  step: PlanTask["plan"]["steps"][number],
): Promise<void> {
  const { id, files, check } = step;
  const declared = (Array.isArray(files) ? (files as unknown[]) : []).filter(
    (path): path is string => typeof path === "string",
  );
  const verify = typeof check === "string" ? [check] : [];
  if (declared.length === 0 && verify.length === 0) return;
  const { root } = context.project;
  const found = await verifyPhase({
    folder: root,
    phase: { deliverables: declared.map((path) => ({ path, minCharacters: 1 })), verify },
    env: shellOf(context.env),
    signal: context.ended,
    tag: `${root} plan ${id}`,
  });
  if (found.stopped) throw new Fault("refused", msg("plan.check_stopped", { id }));
  if (found.passed) return;
  const feedback = feedbackOf(found.findings, context.language);
  throw new Fault("refused", msg("plan.check_failed", { id, feedback }), {
    hint: msg("plan.check_failed.hint", { id }),
  });
}
