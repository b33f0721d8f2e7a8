// The markers of S1.12, each of them a claim: what is done about it.
import { type Message, msg } from "../../core/messages.ts";
import type { AgentError, DependencyRequest, Signal, UserQuestion } from "../../core/protocol.ts";
import { variableOf } from "../../core/variable.ts";
import type { Draft } from "../_draft.ts";
import type { Kinds } from "../state.ts";
import { judgeAgent, takeAgent } from "./agent.ts";
import { ask } from "./ask.ts";
import { placeOf } from "./facts.ts";
import { limit } from "./limits.ts";
import { tell } from "./process.ts";
import { spoken } from "./spoken.ts";
import { applyOutcome, stepTask } from "./task.ts";
import { judgeVerifier } from "./verifier.ts";
import type { World } from "./world.ts";

type Agent = Kinds["agent"];

/** Of what an agent says with its claim: enough for who goes on from it. */
const mostSummary = 8_000;

export function takeSignal(draft: Draft, agent: Agent, signal: Signal, world: World): void {
  const complaint = judgeSignal(draft, agent, signal, world);
  if (complaint !== null) complain(draft, agent, complaint, world);
}

/** Takes it, or says what is wrong with it: for who is told that in another way than by a message. */
export function judgeSignal(
  draft: Draft,
  agent: Agent,
  signal: Signal,
  world: World,
): Message | null {
  if (agent.data.role === "verifier") return judgeVerifier(draft, agent, signal, world);
  switch (signal.kind) {
    case "phase_complete":
      return claim(draft, agent, signal.phase, signal.files, world);
    case "task_complete": {
      const summary = signal.summary?.slice(0, mostSummary);
      if (summary) draft.set("agent", agent.id, { summary });
      const { phase, phases: total } = placeOf(draft.task);
      if (total === 1) return claim(draft, agent, phase ?? 1, [], world);
      return msg("claim.not_a_phase", { phase: phase ?? 1 });
    }
    case "error":
      takeError(draft, agent, signal, world);
      return null;
    case "dependency_request":
      return requestDependency(draft, agent, signal, world);
    case "user_question":
      askUser(draft, agent, signal, world);
      return null;
    case "verification_result":
      return msg("claim.not_a_verifier");
    default:
      return msg("claim.malformed", { marker: signal.marker, complaint: signal.complaint });
  }
}

/**
 * Was it said before, and is that still open? An agent may say one thing twice, by a tool and by a
 * marker: its claim of this phase and round, its question, its need count once.
 */
export function isRepeated(draft: Draft, agent: Agent, signal: Signal): boolean {
  // A verifier claims nothing: there is nothing to repeat.
  if (agent.data.role === "verifier") return false;
  const { document } = draft.task.data;
  const isOpen = (row: Kinds["question"] | Kinds["dependency"]): boolean =>
    row.status === "open" && row.data.agentId === agent.id;
  switch (signal.kind) {
    case "phase_complete":
      return document !== null && document.stage !== "work" && signal.phase === document.phase;
    case "task_complete":
      return document !== null && document.stage !== "work";
    case "user_question":
      return draft
        .all("question")
        .some((row) => isOpen(row) && row.data.question === signal.question);
    case "dependency_request":
      return draft.all("dependency").some((row) => isOpen(row) && row.data.name === signal.name);
    default:
      return false;
  }
}

/** Told to the agent, and journaled for people: never swallowed, never fatal by itself (S1.12). */
function complain(draft: Draft, agent: Agent, text: Message, world: World): void {
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
): Message | null {
  const place = placeOf(draft.task);
  if (phase !== place.phase)
    return msg("claim.other_phase", { claimed: phase, phase: place.phase ?? 1 });
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
    takeAgent(draft, agent.id, step, judged, world);
    return null;
  }
  // Declared files are missing: that is a failed check already, and costs a rework.
  applyOutcome(draft, { kind: "claimed", key });
  refuseClaim(draft, judged.reasons.map((reason) => spoken(draft, reason)).join("\n"), world);
  return null;
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
): Message | null {
  const { type, name, description, required } = signal;
  const step = {
    event: "request_dependency" as const,
    name,
    reason: "dependency",
    metadata: { type, name },
  };
  const variable = variableOf(name);
  const other = draft
    .all("dependency")
    .find(({ data }) => data.name !== name && variableOf(data.name) === variable);
  if (other !== undefined)
    return msg("dependency.same_variable", { name, other: other.data.name, variable });
  const judged = judgeAgent(draft, agent, step, world);
  if (!judged.ok) {
    const current = draft.get("process", agent.data.process);
    const known = current?.data.variables.includes(variable) === true;
    if (known) return msg("dependency.in_environment", { name: variable });
    return judged.reasons[0] ?? msg("agent.already_provided");
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
  return null;
}

function askUser(draft: Draft, agent: Agent, signal: UserQuestion, world: World): void {
  const { category, question, options, required } = signal;
  const before = answeredBefore(draft, agent, question, world);
  if (before !== undefined) {
    const current = draft.get("process", agent.data.process);
    if (current !== undefined) {
      const repeated = [...(current.data.repeated ?? []), before];
      draft.set("process", current.id, { repeated });
    }
    const same = { from: agent.status, to: agent.status };
    return draft.journal("agent", agent.id, same, "repeated", { question: before });
  }
  const asked = {
    origin: "agent" as const,
    category,
    question,
    options,
    required,
    default: signal.default,
  };
  ask(draft, agent, asked, world);
}

/**
 * An agent that can take up no conversation begins again after its death, with all it was told in its
 * input, and asks the same again. The answer stands there: no person is asked twice (S1.16), and it is
 * not sent twice, as it would be taken for the answer to the next question.
 */
function answeredBefore(
  draft: Draft,
  agent: Agent,
  question: string,
  world: World,
): string | undefined {
  const { told, adapter, process } = agent.data;
  if (world.adapterOf(adapter).capabilities.resume) return undefined;
  const current = draft.get("process", process);
  if (current === undefined) return undefined;
  const since = told.slice(told.findLastIndex(({ kind }) => kind === "prompt") + 1);
  const answers = since.flatMap(({ kind, about }) => (kind === "answer" && about ? [about] : []));
  return answers.find((id) => {
    const row = draft.get("question", id);
    return (
      row?.data.question === question &&
      Date.parse(row.data.askedAt) < current.data.startedAt &&
      current.data.repeated?.includes(id) !== true
    );
  });
}
