// What comes of a claim once the engine has looked at it: the next phase, a review, or back to work.
import type { Draft } from "../_draft.ts";
import type { CheckResult } from "../state.ts";
import { readOn } from "./output.ts";
import { refuseClaim } from "./signals.ts";
import { stepTask } from "./task.ts";
import type { World } from "./world.ts";

/** What the engine found when it looked at a claim. */
export function checked(draft: Draft, step: string, result: CheckResult, world: World): void {
  const { document } = draft.task.data;
  if (document === null || document.stage !== "check") return;
  if (`check-${document.phase}-${document.round}` !== step) return;
  // Nobody goes on, or back to work, against a hold: it waits as what the agent said does.
  if (draft.all("agent").some(({ status }) => status === "paused"))
    return draft.setTask({}, { found: { step, result } });
  const { phase } = document;
  draft.add("attempt", `attempt_${draft.ids.next()}`, result.passed ? "passed" : "failed", {
    phase,
    step,
    startedAt: draft.at,
    endedAt: draft.at,
    problem: result.passed ? null : result.feedback.slice(0, 4_000),
  });
  if (!result.passed) return refuseClaim(draft, result.feedback, world);
  const answer = stepTask(
    draft,
    {
      event: "phase_passed",
      trigger: "PHASE_COMPLETE",
      outcome: { kind: "passed", key: step },
      metadata: { phase, deliverables: result.shown.files.length },
    },
    world,
  );
  if (answer.ok && draft.task.status === "review") openReview(draft, phase, result.shown, world);
  for (const { id } of draft.all("agent")) readOn(draft, id, world);
}

/** What a check found while the agent was held, once nothing holds it. */
export function takeFound(draft: Draft, world: World): void {
  const { found } = draft.task.data;
  if (found === null || !draft.all("agent").some(({ status }) => status === "running")) return;
  draft.setTask({}, { found: null });
  checked(draft, found.step, found.result, world);
}

// --- internal ---

function openReview(
  draft: Draft,
  phase: number,
  shown: (CheckResult & { passed: true })["shown"],
  world: World,
): void {
  const id = `review_${draft.ids.next()}`;
  draft.add("review", id, "open", {
    ...shown,
    phase,
    step: `review-${phase}-${draft.task.data.document?.round ?? 0}`,
    createdAt: draft.at,
    reminders: 0,
    decidedAt: null,
    feedback: null,
    comments: [],
  });
  const [first] = world.policies.reviewRemindersMs;
  if (first !== undefined) draft.timer("review", id, draft.now + first);
}
