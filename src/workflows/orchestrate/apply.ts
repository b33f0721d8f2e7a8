// The reducer of an orchestrate run: a state, what is known beside it, and an event make the next
// state, what became of each unit, and an answer; or a refusal, and nothing has happened. Whoever
// drives it, a session's report or an engine, keeps the claims with the state in one commit.
//
// What was changed by hand is taken in with the first event after it (S2.8), and so are units whose
// session is gone: they are open again before anything else is decided.
import type { Move } from "../../core/graph.ts";
import type { UnitEvent } from "../../core/machines/unit.ts";
import { msg } from "../../core/messages.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";
import { type Board, boardOf } from "./board.ts";
import type { Accepted, OrchestrateEvent, RefusedEvent, Situation } from "./events.ts";
import { finish } from "./_finish.ts";
import { rulesOf } from "./next.ts";
import { aboutRun } from "./_run-steps.ts";
import { type Step, done, fail, merged, retry, start } from "./_steps.ts";
import { notBegun } from "./private.ts";

export function applyEvent(situation: Situation, event: OrchestrateEvent): Accepted | RefusedEvent {
  const { state, facts, lost } = situation;
  const board = boardOf(state, facts, lost);
  if (!("unit" in event)) return accepted(situation, board, aboutRun(situation, board, event));
  if (!board.units.has(event.unit))
    return {
      ok: false,
      kind: "not_found",
      why: msg("orchestrate.no_unit", { id: event.unit }),
      hint: msg("orchestrate.no_unit.hint"),
    };
  const was = situation.unit ?? { unit: event.unit, ...notBegun };
  const step =
    event.on === "start"
      ? start(situation, board, event, was)
      : event.on === "done"
        ? done(situation, board, event, was)
        : event.on === "fail"
          ? fail(situation, board, event, was)
          : event.on === "merged"
            ? merged(board, event, was)
            : retry(board, event.unit, was);
  return "ok" in step ? step : accepted(situation, board, step);
}

/** The decisions of an event once more, on a state that a person changed meanwhile (S5.3). */
export function decideAgain(
  situation: Pick<Situation, "state" | "run" | "facts" | "rules" | "now">,
  decided: Accepted["decided"],
): OrchestrateState {
  const { state, run, facts, rules, now } = situation;
  const board = boardOf(state, facts);
  for (const [id, status] of decided) if (board.units.has(id)) board.graph.edit(id, status);
  return finish(board, run, rules, now).state;
}

// --- internal ---

function accepted(situation: Situation, board: Board, step: Step): Accepted {
  const { lost, rules, now } = situation;
  const run = step.run ?? situation.run;
  const finished = finish(board, run, rulesOf(rules, run), now, step.closes);
  const { moves, ended, allDone } = finished;
  const state = step.after?.(finished.state) ?? finished.state;
  const released = [...lost].filter((id) => board.units.get(id) === "in_progress");
  const own = step.unit?.unit;
  // What was done first, then what followed from it.
  const inOrder = moves.toSorted((a, b) => Number(b.id === own) - Number(a.id === own));
  const journal = inOrder.map((move) => ({
    ...move,
    trigger: triggerOf(move, lost.has(move.id)),
    metadata: move.id === own ? (step.metadata ?? {}) : {},
  }));
  return {
    ok: true,
    state,
    run,
    unit: step.unit,
    released: released.filter((id) => id !== own),
    journal: [...(step.journal ?? []), ...journal],
    decided: step.decided,
    ended,
    allDone,
    answer: step.answer,
  };
}

/** What happened to a unit, as its machine calls it. */
function triggerOf({ from, to }: Move, lost: boolean): UnitEvent {
  if (lost && to !== "in_progress" && to !== "completed") return "release";
  if (to === "in_progress") return "start";
  if (to === "completed") return from === "failed" ? "hand_complete" : "complete";
  if (to === "failed") return "attempt_failed";
  if (to === "blocked") return "block";
  if (from === "failed") return "retry";
  if (from === "in_progress") return "release";
  return to === "ready" ? "dependencies_met" : "unblock";
}
