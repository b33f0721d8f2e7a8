// One checkpoint's RALPH loop (S0.5): an attempt passes on the engine's own run of its command, or
// fails and is counted; after the third, or at once where trying again can not help, a person decides.
import { checkpointMachine } from "../../core/machines/checkpoint.ts";
import { developPhaseMachine } from "../../core/machines/develop-phase.ts";
import { msg } from "../../core/messages.ts";
import type { DevelopState } from "../../formats/develop-state.ts";
import { attemptOf, factsOf, notYours, refusal, unknown } from "./claims.ts";
import type { Answer, DevelopEvent, Journaled, RefusedEvent, Situation } from "./events.ts";
import { phaseFacts } from "./_phase-facts.ts";
import { type Checkpoint, type DevelopRun, freshUnit, unitIn, withUnit } from "./private.ts";

/** What an event comes to. `ours`: fields of the file; without them nothing is written. */
export interface Checked {
  readonly run?: DevelopRun;
  readonly ours?: Partial<Pick<DevelopState, "phase" | "strategy" | "checkpoints">>;
  readonly journal?: readonly Journaled[];
  readonly answer?: Answer;
}

type Tested = Extract<DevelopEvent, { on: "halted" | "failed" }>;

export function halted(situation: Situation, event: Tested): Checked | RefusedEvent {
  const { state, run } = situation;
  const { unit, attempt, session } = event;
  const record = state.checkpoints?.[unit];
  if (record === undefined) return unknown(unit);
  if (record.status === "passed") return { answer: { kind: "again" } };
  const stranger = notYours(situation, unit, session);
  if (stranger) return stranger;
  // Begun again, or judged by another report, while the command ran.
  if (attempt !== attemptOf(situation, unit))
    return refusal(msg("develop.other_attempt", { unit }));
  const verdict = event.on === "halted" ? event.verdict : null;
  const failure =
    event.on === "failed" ? event.failure : verdict?.matched ? null : (verdict?.failure ?? null);
  const validation = verdict === null ? "not_run" : verdict.matched ? "matched" : "differed";
  const facts = factsOf(situation, unit, { validation, failure });
  const on = verdict?.matched ? "pass" : "fail";
  const step = checkpointMachine.step(record.status, on, facts);
  if (!step.ok) return refusal(step.reasons[0] ?? msg("develop.other_attempt", { unit }));
  const journal = (metadata: Journaled["metadata"]): Journaled[] => [
    { machine: "checkpoint", id: unit, from: record.status, to: step.to, trigger: on, metadata },
  ];
  if (failure === null) {
    const passed = withUnit(run, unit, { ...freshUnit, rounds: unitIn(run, unit).rounds });
    return finished(situation, unit, passed, journal({ iteration: record.iteration }));
  }
  const tried = [...unitIn(run, unit).tried, { attempt, failure, reason: event.reason }];
  const again = step.to === "in_progress";
  // Its session goes on with it; who is escalated waits for a person, and holds nothing.
  const kept = again ? {} : { holder: null };
  const next = { status: step.to, iteration: record.iteration + (again ? 1 : 0) };
  return {
    run: withUnit(run, unit, { tried, claimed: false, diagnosis: null, ...kept }),
    ours: { checkpoints: { ...state.checkpoints, [unit]: next } },
    journal: journal({ iteration: record.iteration, failure }),
    answer: again
      ? { kind: "retry", iteration: next.iteration, failure }
      : { kind: "escalated", failure },
  };
}

/** A person opens an escalated checkpoint again, perhaps with its definition as it reads now. */
export function retried(
  situation: Situation,
  unit: string,
  definition: Checkpoint | undefined,
): Checked | RefusedEvent {
  const { state, run } = situation;
  const record = state.checkpoints?.[unit];
  if (record === undefined) return unknown(unit);
  const step = checkpointMachine.step(
    record.status,
    "retry",
    factsOf(situation, unit, { byPerson: true }),
  );
  if (!step.ok) return refusal(step.reasons[0] ?? msg("develop.other_attempt", { unit }));
  const rounds = unitIn(run, unit).rounds + 1;
  const definitions = run.definitions?.map((one) =>
    one.id === unit && definition ? definition : one,
  );
  return {
    run: withUnit({ ...run, definitions: definitions ?? null }, unit, { ...freshUnit, rounds }),
    ours: {
      checkpoints: { ...state.checkpoints, [unit]: { status: "in_progress", iteration: 1 } },
    },
    journal: [
      {
        machine: "checkpoint",
        id: unit,
        from: record.status,
        to: step.to,
        trigger: "retry",
        metadata: {},
      },
    ],
  };
}

/** On a person's word alone, and journaled as that. */
export function skipped(situation: Situation, unit: string): Checked | RefusedEvent {
  const { state, run } = situation;
  const record = state.checkpoints?.[unit];
  if (record === undefined) return unknown(unit);
  const step = checkpointMachine.step(
    record.status,
    "skip",
    factsOf(situation, unit, { byPerson: true }),
  );
  if (!step.ok) return refusal(step.reasons[0] ?? msg("develop.other_attempt", { unit }));
  const { rounds } = unitIn(run, unit);
  return finished(situation, unit, withUnit(run, unit, { ...freshUnit, rounds, skipped: true }), [
    {
      machine: "checkpoint",
      id: unit,
      from: record.status,
      to: step.to,
      trigger: "skip",
      metadata: { by: "person" },
    },
  ]);
}

// --- internal ---

/** The last one to pass ends IMPLEMENT: one write for both. */
function finished(
  { state, ...rest }: Situation,
  unit: string,
  run: DevelopRun,
  journal: readonly Journaled[],
): Checked {
  const iteration = state.checkpoints?.[unit]?.iteration ?? 1;
  const checkpoints = { ...state.checkpoints, [unit]: { status: "passed" as const, iteration } };
  const after = { ...rest, run, state: { ...state, checkpoints } };
  const step = developPhaseMachine.step(state.phase, "finish_checkpoints", phaseFacts(after));
  if (!step.ok) return { run, ours: { checkpoints }, journal };
  return {
    run: { ...run, team: null, misses: 0, feedback: null },
    ours: { checkpoints, phase: step.to },
    journal: [
      ...journal,
      {
        machine: "develop-phase",
        id: "",
        from: state.phase,
        to: step.to,
        trigger: "finish_checkpoints",
        metadata: {},
      },
    ],
  };
}
