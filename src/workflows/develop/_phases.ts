// The phases as a whole (S0.3, S0.7, S0.9): the design is claimed and approved, looked at and perhaps
// sent back, and what was built is checked as a whole and merged on a person's word.
import {
  developPhaseMachine,
  type DevelopEvent as PhaseEvent,
} from "../../core/machines/develop-phase.ts";
import { type Message, msg } from "../../core/messages.ts";
import type { DevelopPhase } from "../../core/vocabulary.ts";
import { notYours, phaseKeyOf, phaseUnitOf, refusal, waitsForPerson } from "./claims.ts";
import type { Checked } from "./_checkpoints.ts";
import type { DevelopEvent, Journaled, PhaseWork, RefusedEvent, Situation } from "./events.ts";
import { phaseFacts } from "./_phase-facts.ts";
import { type DevelopRun, withUnit } from "./private.ts";
import { strategyFor } from "./strategy.ts";

type EventOf<K extends DevelopEvent["on"]> = Extract<DevelopEvent, { on: K }>;

export function designed(situation: Situation, event: EventOf<"designed">): Checked | RefusedEvent {
  const { checkpoints, approved, session } = event;
  const early = notNow(situation, "DESIGN", session);
  if (early) return early;
  const run = freed(situation.run, "DESIGN");
  // In a session a person says so in a call of their own.
  if (!approved) return { run: { ...run, proposed: checkpoints }, answer: { kind: "asks" } };
  return entersReview({ ...situation, run: { ...run, definitions: checkpoints } });
}

export function reviewed(
  situation: Situation,
  findings: string | null,
  session: string | undefined,
): Checked | RefusedEvent {
  const early = notNow(situation, "REVIEW", session);
  if (early) return early;
  const run = freed(situation.run, "REVIEW");
  if (findings === null) return entersImplement({ ...situation, run });
  const back = backToDesign(situation, findings);
  // Twice is all (S0.7): now a person reads what was found.
  return "ok" in back ? { run: { ...run, findings }, answer: { kind: "asks" } } : back;
}

export function checked(
  situation: Situation,
  unit: "FIX" | "MERGE",
  session: string | undefined,
): Checked | RefusedEvent {
  const early = notNow(situation, unit, session);
  if (early) return early;
  const run: DevelopRun = {
    ...freed(situation.run, unit),
    feedback: null,
    misses: 0,
    checking: null,
  };
  if (unit === "MERGE") return { run: { ...run, ready: true }, answer: { kind: "asks" } };
  return entered({ ...situation, run }, "finish_checkpoints", {}, { run });
}

/** A person's word, for what waits for one. */
export function approve(situation: Situation): Checked | RefusedEvent {
  const { state, run } = situation;
  if (!waitsForPerson(situation))
    return refusal(msg("develop.nothing_to_approve", { phase: state.phase }));
  if (state.phase === "DESIGN") {
    const approved = { ...run, definitions: run.proposed, proposed: null };
    return entersReview({ ...situation, run: approved });
  }
  if (state.phase === "REVIEW")
    return entersImplement({ ...situation, run: { ...run, findings: null } });
  return merged(situation);
}

/** Landed, or approved where there is nothing to land: checked before, on a person's word. */
export function merged(situation: Situation): Checked | RefusedEvent {
  const { run } = situation;
  const failingChecks = run.ready ? [] : ["MERGE"];
  return entered(
    situation,
    "merge",
    { mergeApproved: true, failingChecks },
    { run: { ...run, unlanded: null } },
  );
}

export function sendBack(situation: Situation, feedback: string): Checked | RefusedEvent {
  const { state, run } = situation;
  // Nothing is written for a design that was never accepted: it is still DESIGN (S0.3).
  if (state.phase === "DESIGN" && run.proposed !== null)
    return { run: { ...run, proposed: null, feedback, serial: run.serial + 1 } };
  if (state.phase === "REVIEW") return backToDesign(situation, feedback);
  if (state.phase !== "MERGE")
    return refusal(msg("develop.nothing_to_send_back", { phase: state.phase }));
  const open = { ready: false, checking: null, unlanded: null, misses: 0 };
  const mends = { ...freed(run, "MERGE"), feedback, ...open };
  return entered(situation, "send_back", { byPerson: true }, { run: mends });
}

/**
 * In DESIGN, REVIEW and MERGE work that was interrupted begins anew; what is finished and waits for a person
 * stays as it is. IMPLEMENT goes on at its iteration (S0.9).
 */
export function resumed(situation: Situation, event: EventOf<"resume">): Checked | RefusedEvent {
  const { state, run, lost } = situation;
  const { headless, branch, wish } = event;
  const work = event.work?.key === phaseKeyOf(situation) ? event.work : null;
  const inTheWay = unfit(situation, headless, work);
  if (inTheWay) return inTheWay;
  // Who goes on headless takes it from every session: a late report of theirs is refused.
  const free = Object.keys(run.units).filter((unit) => headless || run.headless || lost.has(unit));
  let next: DevelopRun = {
    ...run,
    headless,
    branch: run.branch ?? branch,
    wish: wish ?? run.wish,
    stopped: null,
  };
  for (const unit of free) next = withUnit(next, unit, { holder: null });
  if (state.phase === "IMPLEMENT") return { run: { ...next, team: null } };
  const serial = run.serial + 1;
  // The other side works in another tree: what was checked here says nothing there.
  if (headless !== run.headless)
    return { run: { ...next, checking: null, ready: false, unlanded: null, serial } };
  return { run: work?.stands === "interrupted" ? { ...next, serial } : next };
}

// --- internal ---

/** Finished work that waits for a person is decided on where it was made, before the other side goes on. */
function unfit(
  situation: Situation,
  headless: boolean,
  work: PhaseWork | null,
): RefusedEvent | undefined {
  const { state, run } = situation;
  if (run.headless === headless || state.phase === "IMPLEMENT") return undefined;
  const unit = state.phase;
  if (work?.stands === "finished")
    return refusal(
      msg("develop.finished", { unit, id: work.task }),
      msg("develop.finished.hint", { id: work.task }),
    );
  if (run.headless || unit === "REVIEW" || !waitsForPerson(situation)) return undefined;
  return refusal(msg("develop.waits_for_person", { unit }), msg("develop.decide.hint"));
}

function notNow(
  situation: Situation,
  unit: "DESIGN" | "REVIEW" | "FIX" | "MERGE",
  session: string | undefined,
): RefusedEvent | undefined {
  const { state } = situation;
  if (phaseUnitOf(state) !== unit)
    return refusal(msg("develop.not_now", { unit, phase: state.phase }));
  if (waitsForPerson(situation)) return refusal(msg("develop.waits_for_person", { unit }));
  return notYours(situation, unit, session);
}

function freed(run: DevelopRun, unit: string): DevelopRun {
  return { ...withUnit(run, unit, { holder: null }), serial: run.serial + 1 };
}

function entersReview(situation: Situation): Checked | RefusedEvent {
  const { run } = situation;
  const ids = (run.definitions ?? []).map(({ id }) => id);
  const checkpoints = Object.fromEntries(
    ids.map((id) => [id, { status: "pending" as const, iteration: 0 }]),
  );
  const units = Object.fromEntries(Object.entries(run.units).filter(([id]) => !ids.includes(id)));
  const fresh = { ...run, units, feedback: null, misses: 0, findings: null };
  return entered(
    situation,
    "approve_design",
    { designApproved: true },
    { run: fresh, ours: { checkpoints } },
  );
}

function entersImplement(situation: Situation): Checked | RefusedEvent {
  const { run, rules } = situation;
  const strategy = strategyFor(run.definitions ?? [], run.wish, rules.means);
  const fresh = { ...run, feedback: null, misses: 0 };
  return entered(situation, "pass_review", { strategy }, { run: fresh, ours: { strategy } });
}

function backToDesign(situation: Situation, feedback: string): Checked | RefusedEvent {
  const { run } = situation;
  const back = {
    ...freed(run, "REVIEW"),
    rounds: run.rounds + 1,
    feedback,
    findings: null,
    misses: 0,
  };
  return entered(situation, "send_back", {}, { run: back });
}

function entered(
  situation: Situation,
  trigger: PhaseEvent,
  facts: Parameters<typeof phaseFacts>[1],
  made: Checked,
): Checked | RefusedEvent {
  const { state } = situation;
  const step = developPhaseMachine.step(state.phase, trigger, phaseFacts(situation, facts));
  if (!step.ok) return refusal(reasonOf(step.reasons, state.phase));
  const line: Journaled = {
    machine: "develop-phase",
    id: "",
    from: state.phase,
    to: step.to,
    trigger,
    metadata: {},
  };
  return {
    ...made,
    ours: { ...made.ours, phase: step.to },
    journal: [...(made.journal ?? []), line],
  };
}

function reasonOf([first]: readonly Message[], phase: DevelopPhase): Message {
  return first ?? msg("develop.nothing_to_approve", { phase });
}
