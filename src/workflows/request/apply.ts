// The reducer of a request: what became of a step, on the request as it stands, makes the next state,
// the contracts to write, and what is journaled. An outcome of a step that is not wanted (any more)
// changes nothing: told twice, it counts once.
import { type Language, type Message, msg, render } from "../../core/messages.ts";
import type { Finding } from "../../formats/format.ts";
import type { OrderOutcome } from "../orders.ts";
import { type Accepting, complaintsAbout } from "./accept.ts";
import { type Board, focusOf } from "./board.ts";
import type { Accepted, Draft } from "./events.ts";
import { discovered } from "./_discovery.ts";
import { finish, nextSubtaskOf } from "./_loop.ts";
import { commandRan, implemented, judgedBy } from "./_subtask.ts";
import { withDesign, withPatterns } from "./learn.ts";
import type { ContractRef } from "./places.ts";
import { works } from "./roles.ts";
import { type AgentStep, type Step, stepsOf } from "./steps.ts";
import { Working } from "./_working.ts";

/** `drafts`: by path, what was wanted of an agent and is a contract, read by its format. */
export function applyOutcome(
  board: Board,
  outcome: OrderOutcome,
  drafts: Readonly<Record<string, Draft>>,
  now: string,
): Accepted {
  const working = new Working(board, now);
  const step = stepsOf(board).find(({ key }) => key === outcome.key);
  if (step === undefined || !fits(step, outcome)) {
    working.answer = { kind: "unknown" };
    return working.done();
  }
  conclude(working, step);
  if (step.kind === "agent") agentEnded(working, step, outcome, drafts);
  else if (step.kind === "command" && outcome.kind === "ran")
    commandRan(working, step, outcome, board);
  else if (step.kind === "land") landed(working, outcome);
  else if (outcome.kind === "answered") answered(working, outcome.answer, step.unit);
  return working.done();
}

/** What was found wrong with a contract, as its author is told it: path, field, expected, got. */
export function complaint(
  path: string,
  findings: readonly Finding[],
  language: Language = "en",
): Message {
  const lines = findings.slice(0, mostFindings).map(({ pointer, text, line }) => {
    const place = line === undefined ? pointer || "/" : `${pointer || "/"} (${line})`;
    return `- ${place}: ${render(language, text)}`;
  });
  return msg("request.refused_contract", { path, findings: lines.join("\n") });
}

/** A person lets it go on: what they were asked about has its retries again (S4.8, S4.2). */
export function goOn(working: Working): Message | null {
  // Nothing holds it: whoever is gone loses what it held by its lease.
  if (working.state.request.status === "active") return null;
  const refused = working.move("resume", {});
  if (refused !== null) return refused;
  const { done, ask } = working.run;
  // Its question is answered with that, whichever way it was said.
  const asked = ask === null ? {} : { ask: ask.number };
  working.setRun({ ask: null, waits: {}, done: { ...done, ...asked }, claims: {} });
  working.letGo();
  // A gate that failed for the last time is looked at again, from its own phase.
  const focus = focusOf(working.state);
  if (focus?.subtask && focus.sub) {
    const gates = Object.entries(focus.sub.gates).map(([gate, status]) => [
      gate,
      status === "failed" ? "pending" : status,
    ]);
    working.setSubtask(focus.task, focus.subtask, { gates: Object.fromEntries(gates) as never });
  }
  return null;
}

// --- internal ---

const mostFindings = 20;

function fits({ kind }: Step, outcome: OrderOutcome): boolean {
  const kinds: Readonly<Record<Step["kind"], readonly OrderOutcome["kind"][]>> = {
    agent: ["done", "failed"],
    command: ["ran"],
    land: ["landed", "not_landed"],
    ask: ["answered"],
  };
  return kinds[kind].includes(outcome.kind);
}

function conclude(working: Working, { base }: Step): void {
  const { done } = working.run;
  working.setRun({ done: { ...done, [base]: (done[base] ?? 0) + 1 } });
}

/** Its next step is another's to take; only who has to mend a contract keeps what it works on. */
function release(working: Working, unit: string): void {
  const { [unit]: _, ...others } = working.run.claims;
  working.setRun({ claims: others });
}

function agentEnded(
  working: Working,
  step: AgentStep,
  outcome: OrderOutcome,
  drafts: Readonly<Record<string, Draft>>,
): void {
  const { base, unit } = step;
  const by = sessionOf(working, unit);
  if (outcome.kind === "failed") {
    release(working, unit);
    working.journal(
      lineOf(working, step, "agent_failed", { why: outcome.why, reason: outcome.reason }),
    );
    // Ended by a person: that is no failure of the agent's.
    if (outcome.why === "cancelled") {
      working.move("stop", { why: "cancelled" });
      working.answer = { kind: "stopped", why: msg("request.cancelled", { unit }) };
      return;
    }
    const { reason } = outcome;
    return working.again("agent", base, unit, msg("request.agent_failed", { unit, reason }));
  }
  if (outcome.kind !== "done") return;
  working.setFeedback(base, null);
  const path = step.draft;
  if (path === null) {
    release(working, unit);
    return implemented(working, unit, outcome, by);
  }
  const draft = drafts[path];
  if (draft === undefined) return refuse(working, step, msg("request.no_draft", { path }));
  if (!draft.ok)
    return refuse(working, step, complaint(draft.path, draft.findings, working.run.language));
  if (step.work === "verify") {
    const wrong = judgedBy(working, unit, draft.value, by);
    return wrong === null ? release(working, unit) : refuse(working, step, wrong);
  }
  const { writes } = works[step.work];
  const format = writes as keyof Accepting;
  const findings = complaintsAbout(working.board, format, draft.value as never);
  if (findings.length > 0)
    return refuse(working, step, complaint(path, findings, working.run.language));
  release(working, unit);
  if (step.work === "explore") seen(working, drafts[step.wanted[1] ?? ""]);
  // When a contract was accepted is the engine's to say, whatever its author wrote there.
  const contract = { ...(draft.value as object), created_at: working.now };
  accept(working, step, format, contract as never);
}

/** Null: an agent of ours, each of which does one step. */
function sessionOf({ run }: Working, unit: string): string | null {
  return run.branch === null ? (run.claims[unit]?.session ?? null) : null;
}

function refuse(working: Working, step: AgentStep, why: Message): void {
  working.journal(lineOf(working, step, "refused", { why: render("en", why) }));
  working.again("contract", step.base, step.unit, why);
}

function accept<F extends keyof Accepting>(
  working: Working,
  step: AgentStep,
  format: F,
  contract: Accepting[F],
): void {
  const focus = focusOf(working.state);
  const ref = refOf(format, focus?.task, focus?.subtask ?? undefined);
  working.forget(`contract ${step.base}`, `agent ${step.base}`);
  // The claim of a result is no contract: the engine writes that itself, once it has run the tests.
  if (format !== "test-result") working.write(ref, contract);
  working.journal(lineOf(working, step, "contract", { format }));
  const { board } = working;
  switch (step.work) {
    case "explore":
      working.board = { ...board, explored: contract as Accepting["explored"] };
      return discovered(working, "explore");
    case "plan":
      working.board = { ...board, breakdown: contract as Accepting["task-breakdown"] };
      return discovered(working, "plan");
    case "design": {
      const design = contract as Accepting["design-contract"];
      working.board = { ...board, design };
      working.learn((known) => withDesign(known, design, board.brief, working.now));
      return nextSubtaskOf(working, step.unit);
    }
    case "test":
      working.board = { ...board, tests: contract as Accepting["test-contract"] };
      working.setWork(step.unit, { tested: true });
      return;
    default: {
      const { execution, recommendation, failed_tests } = contract as Accepting["test-result"];
      working.setWork(step.unit, {
        claim: { command: execution.command, ...recommendation, failed: failed_tests },
      });
    }
  }
}

function refOf(format: keyof Accepting, task?: string, subtask?: string): ContractRef {
  if (format === "explored" || format === "task-breakdown" || task === undefined) return { format };
  if (format === "design-contract" || subtask === undefined) return { format, task };
  return { format, task, subtask };
}

/** Patterns are welcome, and nobody is sent back for them. */
function seen(working: Working, draft: Draft | undefined): void {
  if (draft?.ok !== true) return;
  const patterns = draft.value as Parameters<typeof withPatterns>[1];
  working.learn((known) => withPatterns(known, patterns, working.now));
}

function landed(working: Working, outcome: OrderOutcome): void {
  if (outcome.kind === "landed") {
    working.setRun({ landed: true });
    return finish(working);
  }
  if (outcome.kind !== "not_landed") return;
  const { reason } = outcome;
  working.giveUp(working.run.id, msg("request.not_landed", { reason }));
}

function answered(working: Working, answer: string, unit: string): void {
  const [word] = answer
    .trim()
    .toLowerCase()
    .split(/[\s:,.]/);
  if (word === "retry") {
    goOn(working);
    return;
  }
  working.setRun({ ask: null });
  working.answer = { kind: "stopped", why: msg("request.left_stopped", { unit }) };
}

function lineOf(
  working: Working,
  { unit, base }: AgentStep,
  trigger: "contract" | "refused" | "agent_failed",
  metadata: Readonly<Record<string, unknown>>,
) {
  const { global_phase: phase } = working.state.request;
  const sub = focusOf(working.state)?.sub;
  const of = sub === undefined ? phase : sub.phase;
  const machine = sub === undefined ? ("request" as const) : ("subtask" as const);
  const id = sub === undefined ? working.run.id : unit;
  return { machine, id, from: of, to: of, trigger, metadata: { step: base, ...metadata } };
}
