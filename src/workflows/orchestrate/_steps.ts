// The four things that somebody does to a unit: each asks the machine's table, and moves the graph.
import { type UnitFacts, unitMachine } from "../../core/machines/unit.ts";
import { type Message, msg } from "../../core/messages.ts";
import { contextLevel, errorSignature } from "../../core/retry.ts";
import type { UnitStatus } from "../../core/vocabulary.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";
import { type Board, isComplete, isUnclosed, phasesOf } from "./board.ts";
import type {
  Accepted,
  Answer,
  Journaled,
  OrchestrateEvent,
  RefusedEvent,
  Situation,
} from "./events.ts";
import { currentPhase, freeSlots, heldBack, rulesOf } from "./next.ts";
import { phaseIn } from "./plan.ts";
import { type RunData, type UnitData, notBegun } from "./private.ts";
import { isRateLimit } from "./rate-limit.ts";

export interface Step {
  readonly unit: UnitData | null;
  readonly answer: Answer;
  readonly decided: Accepted["decided"];
  readonly run?: RunData;
  /** What else the journal says of the unit. */
  readonly journal?: readonly Journaled[];
  readonly metadata?: Journaled["metadata"];
  /** The phase that has passed its gate with this. */
  readonly closes?: number;
  /** What the file says of it that follows from no list. */
  readonly after?: (state: OrchestrateState) => OrchestrateState;
}

export function start(
  { state, run, rules: usual, now }: Situation,
  board: Board,
  { unit: id, holder, worktree }: Extract<OrchestrateEvent, { on: "start" }>,
  was: UnitData,
): Step | RefusedEvent {
  const rules = rulesOf(usual, run);
  const { graph, facts } = board;
  const status = graph.status(id);
  // Told twice, or begun anew by who holds it: the claim is renewed.
  if (status === "in_progress" && was.holder?.session === holder.session) {
    const unit = { ...was, holder: { ...holder, since: was.holder.since } };
    return { unit, answer: { kind: "started" }, decided: [] };
  }
  const notTheirs = status === "in_progress" ? taken(id, was) : undefined;
  if (notTheirs) return notTheirs;
  const phases = phasesOf(board);
  const current = currentPhase(phases, rules);
  const phase = phaseIn(facts.phases, id);
  if (current && phase > current.phase && status === "ready")
    return refusal(
      msg("orchestrate.phase_waits", { id, phase, current: current.phase }),
      isUnclosed(current)
        ? msg("orchestrate.says.phase_open", { phase: current.phase })
        : undefined,
    );
  const before = current && heldBack(state, run, phases, current);
  if (before !== undefined && status === "ready")
    return refusal(msg("orchestrate.asks", { phase: before }), msg("orchestrate.asks.hint"));
  const slotFree = freeSlots(board, rules) > 0;
  const step = unitMachine.step(status, "start", factsFor(board, id, was, { slotFree }));
  if (!step.ok) return refusal(firstOf(step.reasons), msg("orchestrate.next.hint"));
  graph.start(id);
  const unit: UnitData = {
    ...was,
    holder,
    epoch: was.epoch + 1,
    startedAt: was.startedAt ?? now,
    doneBy: null,
  };
  const metadata = { session: holder.session, epoch: unit.epoch, attempt: was.retries + 1 };
  const after = worktree === undefined ? undefined : workedIn(worktree);
  const answer = { kind: "started" } as const;
  return { unit, answer, decided: [[id, "in_progress"]], metadata, ...(after ? { after } : {}) };
}

export function done(
  { run, now }: Situation,
  board: Board,
  event: Extract<OrchestrateEvent, { on: "done" }>,
  was: UnitData,
): Step | RefusedEvent {
  const { unit: id, session, check } = event;
  const { graph, facts } = board;
  const status = graph.status(id);
  // The answer to its report was lost, not the report.
  if (status === "completed" && was.doneBy === session)
    return { unit: null, answer: { kind: "done", again: true }, decided: [] };
  const notTheirs = ownedBy(id, status, session, was);
  if (notTheirs) return notTheirs;
  const phase = phaseIn(facts.phases, id);
  const count = phasesOf(board).find((each) => each.phase === phase);
  const last = count !== undefined && isComplete({ ...count, completed: count.completed + 1 });
  if (last && !event.gate)
    return { ok: false, kind: "gate", why: msg("orchestrate.gate", { phase }) };
  const step = unitMachine.step(status, "complete", factsFor(board, id, was, { check }));
  if (!step.ok) return refusal(firstOf(step.reasons));
  graph.complete(id);
  const seconds = secondsBetween(was.startedAt ?? now, now);
  const unit = { ...was, holder: null, startedAt: null, doneBy: session, merged: null };
  return {
    unit,
    answer: { kind: "done", again: false },
    decided: [[id, "completed"]],
    run: {
      ...run,
      timed: { count: run.timed.count + 1, seconds: run.timed.seconds + seconds },
    },
    metadata: { session, epoch: was.epoch, check, seconds },
    ...(last ? { closes: phase } : {}),
    ...(event.landed === undefined ? {} : { after: landedAs(phase, event.landed) }),
  };
}

/** Not done yet: nothing of it counts before its phase was tested as a whole. */
export function merged(
  board: Board,
  { unit: id, session, commit }: Extract<OrchestrateEvent, { on: "merged" }>,
  was: UnitData,
): Step | RefusedEvent {
  const notTheirs = ownedBy(id, board.graph.status(id), session, was);
  if (notTheirs) return notTheirs;
  return { unit: { ...was, merged: commit }, answer: { kind: "settled" }, decided: [] };
}

export function landedAs(phase: number, commit: string) {
  return (state: OrchestrateState): OrchestrateState => {
    const key = `phase_${phase}`;
    const landed = { ...state.checkpoints[key], merged: true, merge_commit: commit.slice(0, 7) };
    // Its worktree went with it.
    const execution = { ...state.execution, worktree: null };
    return { ...state, execution, checkpoints: { ...state.checkpoints, [key]: landed } };
  };
}

export function fail(
  { state, run }: Situation,
  board: Board,
  { unit: id, session, reason, conflict }: Extract<OrchestrateEvent, { on: "fail" }>,
  was: UnitData,
): Step | RefusedEvent {
  const { graph } = board;
  const status = graph.status(id);
  const notTheirs = ownedBy(id, status, session, was);
  if (notTheirs) return notTheirs;
  const problem = reason.slice(0, longestProblem);
  const metadata = { session, epoch: was.epoch, reason: reason.slice(0, longestReason) };
  const moved = { id, from: status, to: status, metadata } as const;
  if (isRateLimit(reason)) {
    graph.release(id);
    const journal = [{ ...moved, trigger: "limited" as const }];
    const unit = { ...was, holder: null };
    return { unit, answer: { kind: "limited" }, decided: [[id, "ready"]], journal };
  }
  const retries = was.retries + 1;
  // A conflict is never the same again: of eight that change one file the last has seven of them, each
  // with another.
  const signature = conflict ? `conflict ${retries}` : errorSignature({ message: reason });
  const errors = [...was.errors, signature].slice(-mostErrors);
  const { retryLimit, sameErrors } = limitsOf(state, run, errors);
  const facts = { ...factsFor(board, id, was, {}), retryLimit, sameErrors };
  const step = unitMachine.step(status, "attempt_failed", facts);
  if (!step.ok) return refusal(firstOf(step.reasons));
  const unit = { ...was, holder: null, retries, errors, problem, merged: null };
  if (step.to === "failed") {
    const blocked = graph.fail(id).filter(({ to }) => to === "blocked").length;
    const failed = { ...unit, startedAt: null };
    return {
      unit: failed,
      answer: { kind: "failed", blocked },
      decided: [[id, "failed"]],
      metadata,
    };
  }
  // Given back: whoever asks next may try it, this session or another.
  graph.release(id);
  const context = contextLevel(unit.retries, retryLimit);
  const answer = { kind: "retry", retry: unit.retries, limit: retryLimit, context } as const;
  const journal = [{ ...moved, trigger: "attempt_failed" as const }];
  return { unit, answer, decided: [[id, "ready"]], journal };
}

export function retry(board: Board, id: string, was: UnitData): Step | RefusedEvent {
  const status = board.graph.status(id);
  const step = unitMachine.step(status, "retry", factsFor(board, id, was, { byPerson: true }));
  if (!step.ok) return refusal(firstOf(step.reasons));
  board.graph.retry(id);
  const unit = { ...was, ...notBegun, epoch: was.epoch };
  return { unit, answer: { kind: "opened" }, decided: [[id, "ready"]] };
}

// --- internal ---

/** In mode `ralph` a unit is repeated until its check passes, the same error or not (S2.1). */
function limitsOf(
  { mode, config }: OrchestrateState,
  { iterations }: RunData,
  errors: readonly string[],
): Pick<UnitFacts, "retryLimit" | "sameErrors"> {
  if (mode === "ralph") return { retryLimit: iterations - 1, sameErrors: 0 };
  const last = errors.at(-1);
  const other = errors.findLastIndex((signature) => signature !== last);
  return { retryLimit: config.retry_limit, sameErrors: errors.length - 1 - other };
}

function ownedBy(
  id: string,
  status: UnitStatus,
  session: string,
  was: UnitData,
): RefusedEvent | undefined {
  if (status !== "in_progress")
    return refusal(msg("orchestrate.not_started", { id, status }), msg("orchestrate.next.hint"));
  return was.holder?.session === session ? undefined : taken(id, was);
}

function taken(id: string, { holder }: UnitData): RefusedEvent {
  return holder === null
    ? refusal(msg("orchestrate.unclaimed", { id }), msg("orchestrate.unclaimed.hint"))
    : refusal(
        msg("orchestrate.claimed", { id, session: holder.session }),
        msg("orchestrate.claimed.hint"),
      );
}

function factsFor(
  { graph, state }: Board,
  id: string,
  { retries }: UnitData,
  more: Partial<UnitFacts>,
): UnitFacts {
  const unfinished = graph.unfinished(id);
  return {
    unfinishedDependencies: unfinished,
    deadDependencies: unfinished.filter((other) => {
      const status = graph.status(other);
      return status === "failed" || status === "blocked";
    }),
    slotFree: true,
    claimedBy: null,
    stillWorkedOn: false,
    check: "none",
    retries,
    retryLimit: state.config.retry_limit,
    sameErrors: 0,
    byPerson: false,
    ...more,
  };
}

const longestReason = 300;
/** For who tries next: the end of a test's output, the lines of a conflict. */
const longestProblem = 6_000;

function workedIn(worktree: string) {
  return (state: OrchestrateState): OrchestrateState =>
    state.execution.worktree === worktree
      ? state
      : { ...state, execution: { ...state.execution, worktree } };
}

/** As many as are compared, and no more. */
const mostErrors = 3;

function refusal(why: Message, hint?: Message): RefusedEvent {
  return { ok: false, kind: "refused", why, ...(hint ? { hint } : {}) };
}

function firstOf([first]: readonly Message[]): Message {
  return first ?? msg("orchestrate.refused");
}

function secondsBetween(from: string, to: string): number {
  return Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);
}
