// The markers of S1.12, each of them a claim: what is done about it.
import { msg } from "../../core/messages.ts";
import type { AgentError, DependencyRequest, Signal, UserQuestion } from "../../core/protocol.ts";
import type { Draft } from "../_draft.ts";
import type { Kinds } from "../state.ts";
import { judgeAgent, takeAgent } from "./agent.ts";
import { openQuestion } from "./ask.ts";
import { placeOf } from "./facts.ts";
import { limit } from "./limits.ts";
import { tell } from "./process.ts";
import { applyOutcome, spoken, stepTask } from "./task.ts";
import type { World } from "./world.ts";

type Agent = Kinds["agent"];

export function takeSignal(draft: Draft, agent: Agent, signal: Signal, world: World): void {
  switch (signal.kind) {
    case "phase_complete":
      return claim(draft, agent, signal.phase, signal.files, world);
    case "task_complete": {
      const { phase, phases: total } = placeOf(draft.task);
      if (total === 1) return claim(draft, agent, phase ?? 1, [], world);
      return complain(draft, agent, msg("claim.not_a_phase", { phase: phase ?? 1 }), world);
    }
    case "error":
      return takeError(draft, agent, signal, world);
    case "dependency_request":
      return requestDependency(draft, agent, signal, world);
    case "user_question":
      return askUser(draft, agent, signal, world);
    case "verification_result":
      return complain(draft, agent, msg("claim.not_a_verifier"), world);
    case "malformed":
      return complain(
        draft,
        agent,
        msg("claim.malformed", { marker: signal.marker, complaint: signal.complaint }),
        world,
      );
  }
}

/** Told to the agent, and journaled for people: never swallowed, never fatal by itself (S1.12). */
function complain(draft: Draft, agent: Agent, text: ReturnType<typeof msg>, world: World): void {
  const said = spoken(draft, text);
  draft.journal("agent", agent.id, { from: agent.status, to: agent.status }, "malformed", {
    message: said.slice(0, 2_000),
  });
  tell(draft, agent.id, "note", said, world);
}

function claim(
  draft: Draft,
  agent: Agent,
  phase: number,
  files: readonly string[],
  world: World,
): void {
  const place = placeOf(draft.task);
  if (phase !== place.phase)
    return complain(
      draft,
      agent,
      msg("claim.other_phase", { claimed: phase, phase: place.phase ?? 1 }),
      world,
    );
  const step = {
    event: "claim_phase" as const,
    trigger: "PHASE_COMPLETE",
    metadata: { phase, deliverables: files.length },
    reason: "phase_complete",
  };
  const judged = judgeAgent(draft, agent, step, world);
  const key = `work-${phase}-${draft.task.data.document?.round ?? 0}`;
  draft.set("agent", agent.id, { claimed: files });
  if (judged.ok) {
    applyOutcome(draft, { kind: "claimed", key });
    return takeAgent(draft, agent.id, step, judged, world);
  }
  // Declared files are missing: that is a failed check already, and costs a rework.
  applyOutcome(draft, { kind: "claimed", key });
  refuseClaim(draft, judged.reasons.map((reason) => spoken(draft, reason)).join("\n"), world);
}

/** The check's verdict, whoever found it: back to work, or failed when no rework is left. */
export function refuseClaim(draft: Draft, feedback: string, world: World): void {
  const { document } = draft.task.data;
  const key = `check-${document?.phase ?? 1}-${document?.round ?? 0}`;
  const said = spoken(draft, msg("claim.refused", { feedback }));
  stepTask(
    draft,
    {
      event: "verification_failed",
      outcome: { kind: "refused", key, feedback: said },
      metadata: { problem: feedback.slice(0, 2_000) },
      failure: { reason: "verification_failed", message: feedback.slice(0, 4_000) },
    },
    world,
  );
}

function takeError(draft: Draft, agent: Agent, error: AgentError, world: World): void {
  if (error.type === "fatal" || error.recovery === "checkpoint_and_fail") {
    stepTask(
      draft,
      {
        event: "fatal_error",
        metadata: { message: error.message.slice(0, 2_000) },
        failure: { reason: "fatal_error", message: error.message },
      },
      world,
    );
    return;
  }
  if (error.recovery === "pause_and_retry") {
    const resetAt = error.resetAt === null ? null : Date.parse(error.resetAt);
    const after = error.retryAfter === null ? null : draft.now + error.retryAfter * 1_000;
    return limit(draft, agent, resetAt ?? after, error.message, world);
  }
  draft.journal("agent", agent.id, { from: agent.status, to: agent.status }, "error", {
    message: error.message.slice(0, 2_000),
  });
  draft.effect("notify", { what: "error", text: error.message.slice(0, 500) });
}

function requestDependency(
  draft: Draft,
  agent: Agent,
  signal: DependencyRequest,
  world: World,
): void {
  const { type, name, description, required } = signal;
  const step = {
    event: "request_dependency" as const,
    name,
    reason: "dependency",
    metadata: { type, name },
  };
  const judged = judgeAgent(draft, agent, step, world);
  if (!judged.ok) {
    const current = draft.get("process", agent.data.process);
    const known = current?.data.variables.includes(name) === true;
    if (known) return complain(draft, agent, msg("dependency.in_environment", { name }), world);
    return complain(draft, agent, judged.reasons[0] ?? msg("agent.already_provided"), world);
  }
  const id = `dependency_${draft.ids.next()}`;
  draft.add("dependency", id, "open", {
    agentId: agent.id,
    type,
    name,
    description,
    required,
    default: signal.default,
    askedAt: draft.at,
    providedAt: null,
  });
  takeAgent(draft, agent.id, step, judged, world);
  draft.effect("notify", { what: "dependency", id });
}

function askUser(draft: Draft, agent: Agent, signal: UserQuestion, world: World): void {
  const { category, question, options, required } = signal;
  const asked = {
    origin: "agent" as const,
    category,
    question,
    options,
    required,
    default: signal.default,
    reference: null,
  };
  ask(draft, agent, asked, world);
}

export function ask(
  draft: Draft,
  agent: Agent,
  asked: Parameters<typeof openQuestion>[2],
  world: World,
): void {
  const step = {
    event: "ask" as const,
    reason: "question",
    metadata: { category: asked.category },
  };
  const judged = judgeAgent(draft, agent, step, world);
  if (!judged.ok) return;
  openQuestion(draft, agent.id, asked, world);
  takeAgent(draft, agent.id, step, judged, world);
}
