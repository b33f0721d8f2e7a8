// What comes of a claim once the engine has looked at it: the next phase, a review, or back to work.
import type { Draft } from "../_draft.ts";
import type { CheckResult, Shown, TaskData } from "../state.ts";
import { readOn } from "./output.ts";
import { refuseClaim } from "./signals.ts";
import { beginVerifier, hasVerifier } from "./verifier.ts";
import { stepTask } from "./task.ts";
import type { World } from "./world.ts";

/** What the engine found when it looked at a claim; where it holds, a verifier may have to look. */
export function checked(draft: Draft, step: string, result: CheckResult, world: World): void {
  if (!isUnderWay(draft, step)) return;
  // Repeated after a crash: who judges it is there already.
  if (draft.task.data.verifying?.step === step) return;
  const found = { step, result, verified: false };
  if (isHeld(draft, found)) return draft.setTask({}, { found });
  if (result.passed && hasVerifier(draft)) return beginVerifier(draft, step, result, world);
  conclude(draft, step, result, world);
}

/** All who had to have looked. */
export function conclude(
  draft: Draft,
  step: string,
  result: CheckResult,
  world: World,
  how: Pick<NonNullable<TaskData["found"]>, "accepted"> = {},
): void {
  if (!isUnderWay(draft, step)) return;
  const found = { step, result, verified: true, ...how };
  if (isHeld(draft, found)) return draft.setTask({}, { found });
  const phase = draft.task.data.document?.phase ?? 1;
  draft.add("attempt", `attempt_${draft.ids.next()}`, result.passed ? "passed" : "failed", {
    phase,
    step,
    startedAt: draft.at,
    endedAt: draft.at,
    problem: result.passed ? null : result.feedback.slice(0, 4_000),
    took: result.took,
    ...how,
  });
  if (result.passed) pass(draft, step, phase, result, world);
  else refuseClaim(draft, result.feedback, world);
  // What it said behind its claim is taken now.
  for (const { id } of draft.all("agent")) readOn(draft, id, world);
}

/** What a check found while the agent was held, once nothing holds it. */
export function takeFound(draft: Draft, world: World): void {
  const { found } = draft.task.data;
  if (found === null || draft.task.status !== "in_progress" || isHeld(draft, found)) return;
  draft.setTask({}, { found: null });
  const { accepted } = found;
  if (found.verified)
    conclude(draft, found.step, found.result, world, accepted ? { accepted } : {});
  else checked(draft, found.step, found.result, world);
}

// --- internal ---

function pass(
  draft: Draft,
  step: string,
  phase: number,
  { shown, took }: CheckResult & { passed: true },
  world: World,
): void {
  const answer = stepTask(
    draft,
    {
      event: "phase_passed",
      trigger: "PHASE_COMPLETE",
      outcome: { kind: "passed", key: step },
      metadata: {
        phase,
        deliverables: shown.files.length,
        ...(took === undefined ? {} : { checkMs: took.milliseconds }),
      },
    },
    world,
  );
  if (!answer.ok) return;
  if (draft.task.status === "review") openReview(draft, phase, shown, world);
  else draft.setTask({}, { accepted: shown.tree });
}

function isUnderWay(draft: Draft, step: string): boolean {
  const { document } = draft.task.data;
  if (document === null || document.stage !== "check") return false;
  return `check-${document.phase}-${document.round}` === step;
}

/**
 * Nobody goes on, or back to work, against a hold: it waits as what the agent said does. Nor does a
 * verifier begin, where an agent that waits for its review only remembers the hold.
 */
function isHeld(draft: Draft, { result, verified }: NonNullable<TaskData["found"]>): boolean {
  const begins = result.passed && !verified && hasVerifier(draft);
  return draft
    .all("agent")
    .some(({ status, data }) => status === "paused" || (begins && data.holds.length > 0));
}

function openReview(draft: Draft, phase: number, shown: Shown, world: World): void {
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
