// Who works on what (S2.11's claims, for checkpoints): of several sessions one begins a unit, and only
// that one's report on it counts.
import { type CheckpointFacts, checkpointMachine } from "../../core/machines/checkpoint.ts";
import { type Message, msg } from "../../core/messages.ts";
import { attemptLimits } from "../../core/retry.ts";
import type { DevelopState } from "../../formats/develop-state.ts";
import type { Checked } from "./_checkpoints.ts";
import { type PhaseUnit, type RefusedEvent, type Situation, phaseUnits } from "./events.ts";
import { type Checkpoint, type Holder, unitIn, withUnit } from "./private.ts";
import { atOnce } from "./strategy.ts";

/** The phase's own piece of work, where it is one: IMPLEMENT has its checkpoints, and FIX after them. */
export function phaseUnitOf({ phase, checkpoints = {} }: DevelopState): PhaseUnit | undefined {
  if (phase !== "IMPLEMENT") return phase === "DONE" ? undefined : phase;
  return Object.values(checkpoints).every(({ status }) => status === "passed") ? "FIX" : undefined;
}

/** Names the phase's own piece of work for ever: `DESIGN-1`. */
export function phaseKeyOf({ state, run }: Pick<Situation, "state" | "run">): string | undefined {
  const unit = phaseUnitOf(state);
  return unit && `${unit}-${run.serial}`;
}

export function isPhaseUnit(unit: string): unit is PhaseUnit {
  return (phaseUnits as readonly string[]).includes(unit);
}

export function definitionOf({ run }: Situation, id: string): Checkpoint | undefined {
  return run.definitions?.find((one) => one.id === id);
}

/** Checkpoints of the file that no design here defines: nothing can be done about them. */
export function undefinedIn({ state, run }: Pick<Situation, "state" | "run">): string[] {
  const known = new Set((run.definitions ?? []).map(({ id }) => id));
  return Object.keys(state.checkpoints ?? {}).filter((id) => !known.has(id));
}

/** What keeps it from beginning: checkpoints it needs that have not passed. */
export function unpassedOf({ state, run }: Situation, id: string): string[] {
  const needs = run.definitions?.find((one) => one.id === id)?.dependencies ?? [];
  return needs.filter((other) => state.checkpoints?.[other]?.status !== "passed");
}

export function factsOf(
  situation: Situation,
  id: string,
  more: Partial<CheckpointFacts> = {},
): CheckpointFacts {
  return {
    unpassedDependencies: unpassedOf(situation, id),
    iteration: situation.state.checkpoints?.[id]?.iteration ?? 0,
    validation: "not_run",
    failure: null,
    byPerson: false,
    ...more,
  };
}

/** Counted over every round: no two attempts of a checkpoint share a number. */
export function attemptOf({ state, run }: Pick<Situation, "state" | "run">, id: string): number {
  const iteration = state.checkpoints?.[id]?.iteration ?? 0;
  return unitIn(run, id).rounds * attemptLimits.checkpoint + Math.max(1, iteration);
}

/** Of a session that is there; null: anybody may have it. */
export function holderOf({ run, lost }: Situation, unit: string): Holder | null {
  return lost.has(unit) ? null : unitIn(run, unit).holder;
}

export function started(
  situation: Situation,
  unit: string,
  holder: Holder,
): Checked | RefusedEvent {
  const { state, run } = situation;
  const other = holderOf(situation, unit);
  if (run.headless) return refusal(msg("develop.headless"));
  if (other !== null && other.session !== holder.session) return claimed(unit, other);
  const taken = withUnit(run, unit, { holder });
  if (isPhaseUnit(unit)) {
    const now = phaseUnitOf(state);
    if (unit === now && !waitsForPerson(situation)) return { run: taken };
    return refusal(msg("develop.not_now", { unit, phase: state.phase }));
  }
  const record = state.checkpoints?.[unit];
  if (record === undefined) return unknown(unit);
  if (state.phase !== "IMPLEMENT")
    return refusal(msg("develop.not_now", { unit, phase: state.phase }));
  // Its session is gone, or it is its own: it goes on at the iteration it is in (S0.9).
  if (record.status === "in_progress") return { run: taken };
  const under = Object.values(state.checkpoints ?? {}).filter(
    ({ status }) => status === "in_progress",
  );
  const most = atOnce(state.strategy ?? "direct", situation.rules.slots);
  if (record.status === "pending" && under.length >= most)
    return refusal(msg("develop.enough", { unit, most }));
  const step = checkpointMachine.step(record.status, "begin", factsOf(situation, unit));
  if (!step.ok) return refusal(step.reasons[0] ?? msg("develop.not_now", { unit, phase: "" }));
  return {
    run: taken,
    ours: begun(state, unit),
    journal: [
      {
        machine: "checkpoint",
        id: unit,
        from: "pending",
        to: "in_progress",
        trigger: "begin",
        metadata: { session: holder.session },
      },
    ],
  };
}

export function begun(
  state: DevelopState,
  ...units: readonly string[]
): Pick<DevelopState, "checkpoints"> {
  const now = units.map((unit) => [unit, { status: "in_progress", iteration: 1 }] as const);
  return { checkpoints: { ...state.checkpoints, ...Object.fromEntries(now) } };
}

/** Undefined: it may report on the unit. A run without sessions has none to ask. */
export function notYours(
  situation: Situation,
  unit: string,
  session: string | undefined,
): RefusedEvent | undefined {
  if (session === undefined) return undefined;
  if (situation.run.headless) return refusal(msg("develop.headless"));
  const held = unitIn(situation.run, unit).holder;
  if (held?.session === session) return undefined;
  if (held === null && isPhaseUnit(unit)) return undefined;
  return held === null ? refusal(msg("develop.unclaimed", { unit })) : claimed(unit, held);
}

/** In a session: the unit was claimed and checked, and only a person's word is left. */
export function waitsForPerson({ state, run }: Situation): boolean {
  if (state.phase === "DESIGN") return run.proposed !== null;
  if (state.phase === "REVIEW") return run.findings !== null;
  return state.phase === "MERGE" && run.ready;
}

export function refusal(why: Message, hint: Message = msg("develop.next.hint")): RefusedEvent {
  return { ok: false, kind: "refused", why, hint };
}

export function unknown(unit: string): RefusedEvent {
  const why = msg("develop.no_unit", { unit });
  return { ok: false, kind: "not_found", why, hint: msg("develop.next.hint") };
}

// --- internal ---

function claimed(unit: string, { session }: Holder): RefusedEvent {
  return refusal(msg("develop.claimed", { unit, session }));
}
