// A verifier (S1.14): another agent, with a copy of the workspace, judges a claim that passed the
// checks. Only its verdict completes the phase. Without one the claim is as good as not verified, and
// a person is asked, who may accept it; it never passes by itself.
//
//   checks passed ─▶ verifier ──all passed──▶ the phase is complete
//        ▲               │ ──one failed─────▶ feedback, a rework
//        └── again ──────┴ ──no verdict─────▶ a person: again, rework, accept, cancel
//
// What it comes to is laid down as found, and taken at the end of the same tick (check.ts).
import { type Message, msg } from "../../core/messages.ts";
import type { Criterion, Signal } from "../../core/protocol.ts";
import type { Draft } from "../_draft.ts";
import type { CheckResult, Kinds, TaskData } from "../state.ts";
import { giveSlot, newAgent, stepAgent } from "./agent.ts";
import { openQuestion } from "./ask.ts";
import { checkStep } from "./facts.ts";
import { limit } from "./limits.ts";
import { spoken } from "./spoken.ts";
import { cancelled, stepTask } from "./task.ts";
import { type Answer, type World, done } from "./world.ts";

type Agent = Kinds["agent"];

/** Does the phase name one? */
export function hasVerifier(draft: Draft): boolean {
  return checkStep(draft.task)?.verifier != null;
}

export function beginVerifier(
  draft: Draft,
  step: string,
  { shown, took }: CheckResult & { passed: true },
  world: World,
): void {
  const { verifier = null, phase = 1 } = checkStep(draft.task) ?? {};
  if (verifier === null) return;
  // Who claimed waits, and lends its slot: with a single one nobody could judge it otherwise.
  for (const { id, data } of draft.all("agent"))
    if (data.slot) {
      giveSlot(draft, id, world);
      draft.effect("settle", { agent: id });
    }
  const agent = newAgent(
    draft,
    world,
    `verifier-${phase}`,
    "verifier",
    verifier.agent ?? draft.task.data.agent,
  );
  draft.setTask({}, { verifying: { step, agent: agent.id, shown, took } });
  draft.effect("make_copy", { agent: agent.id, commit: shown.tree });
  stepAgent(draft, agent.id, { event: "assign", trigger: "verify", metadata: { phase } }, world);
}

/** What a verifier says; null: nothing is wrong with it. */
export function judgeVerifier(
  draft: Draft,
  agent: Agent,
  signal: Signal,
  world: World,
): Message | null {
  switch (signal.kind) {
    case "verification_result":
      verdict(draft, agent, signal.criteria, world);
      return null;
    case "malformed": {
      const { reminders } = agent.data;
      const { marker, complaint } = signal;
      const problem = msg("claim.malformed", { marker, complaint });
      if (reminders < mostReminders) {
        draft.set("agent", agent.id, { reminders: reminders + 1 });
        return problem;
      }
      couldNotVerify(draft, agent, spoken(draft, problem), world);
      return null;
    }
    case "error":
      if (signal.type === "fatal" || signal.recovery === "checkpoint_and_fail")
        couldNotVerify(draft, agent, signal.message, world);
      else if (signal.recovery === "pause_and_retry") {
        const after = signal.retryAfter === null ? null : draft.now + signal.retryAfter * 1_000;
        const reset = signal.resetAt === null ? after : Date.parse(signal.resetAt);
        limit(draft, agent, reset, signal.message, world);
      }
      return null;
    default:
      return msg("verifier.only_a_verdict");
  }
}

/** Ended, crashed, reminded in vain: there is no verdict, and no more is tried unasked. */
export function couldNotVerify(draft: Draft, agent: Agent, why: string, world: World): void {
  const { verifying, document } = draft.task.data;
  if (verifying === null || verifying.agent !== agent.id) return;
  const step = { event: "cancel" as const, trigger: "no_verdict", reason: "no_verdict" };
  if (stepAgent(draft, agent.id, step, world) !== true) return;
  const problem = spoken(draft, msg("verifier.no_verdict", { why: why.slice(0, 2_000) }));
  draft.add("attempt", `attempt_${draft.ids.next()}`, "failed", {
    phase: document?.phase ?? 1,
    step: verifying.step,
    startedAt: draft.at,
    endedAt: draft.at,
    problem,
  });
  const asked = {
    origin: "verifier" as const,
    category: "confirmation",
    question: spoken(draft, msg("verifier.ask", { problem })),
    options: ["again", "rework", "accept", "cancel"],
  };
  openQuestion(draft, claimantOf(draft)?.id ?? agent.id, asked, world);
}

export function notVerifiedAnswered(draft: Draft, answer: string, world: World): Answer {
  const { verifying } = draft.task.data;
  if (answer === "cancel")
    return stepTask(draft, { event: "cancel", failure: cancelled("verifier") }, world);
  if (verifying === null) return done;
  const { step, shown, took } = verifying;
  const feedback = spoken(draft, msg("verifier.not_verified"));
  const passed = { passed: true, shown, took } as const;
  const found: TaskData["found"] =
    answer === "again"
      ? { step, result: passed, verified: false }
      : answer === "accept"
        ? { step, result: passed, verified: true, accepted: true }
        : { step, result: { passed: false, feedback, took }, verified: true };
  draft.setTask({}, { verifying: null, found });
  return done;
}

// --- internal ---

const mostReminders = 2;

function verdict(draft: Draft, agent: Agent, criteria: readonly Criterion[], world: World): void {
  const { verifying } = draft.task.data;
  if (verifying === null || verifying.agent !== agent.id) return;
  const failed = criteria.filter(({ status }) => status === "failed");
  const passed = failed.length === 0 && criteria.length > 0;
  const metadata = { passed, criteria: criteria.length, failed: failed.length };
  const step = { event: "verdict" as const, trigger: "VERIFICATION_RESULT", metadata };
  if (stepAgent(draft, agent.id, step, world) !== true) return;
  const found = failed.map(inOneLine).join("\n").slice(0, mostFeedback);
  const feedback = spoken(draft, msg("verifier.failed", { found }));
  const { shown, took } = verifying;
  const result = passed ? { passed, shown, took } : { passed, feedback, took };
  draft.setTask({}, { verifying: null, found: { step: verifying.step, result, verified: true } });
}

const mostFeedback = 20_000;

function inOneLine({ id, details, suggestion, affectedDocuments: files }: Criterion): string {
  const parts = [details, suggestion, files.join(", ")].filter((part) => part.trim() !== "");
  return `- ${id}${parts.length === 0 ? "" : `: ${parts.join(" — ")}`}`;
}

/** Whose claim it is. */
function claimantOf(draft: Draft): Agent | undefined {
  return draft
    .all("agent")
    .findLast(({ status, data }) => data.role === "work" && status !== "failed");
}
