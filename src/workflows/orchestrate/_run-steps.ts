// What is decided about a run as a whole: by a person, or by what became of one of its phases.
import type { OrchestrateEvent, Situation } from "./events.ts";
import { type Board, isUnclosed, phasesOf } from "./board.ts";
import { type Step, landedAs } from "./_steps.ts";
import type { RunData } from "./private.ts";

type RunEvent = Exclude<OrchestrateEvent, { readonly unit: string }>;

export function aboutRun({ run }: Situation, board: Board, event: RunEvent): Step {
  switch (event.on) {
    case "choose":
      return choose(run, board, event);
    case "landed":
      return landed(board, event);
    default:
      return settled;
  }
}

// --- internal ---

const settled = { unit: null, answer: { kind: "settled" }, decided: [] } as const;

/** Tested and merged; with failures in it, it stays open. */
function landed(
  board: Board,
  { phase, commit }: Extract<OrchestrateEvent, { on: "landed" }>,
): Step {
  const count = phasesOf(board).find((each) => each.phase === phase);
  const closes = count !== undefined && isUnclosed(count) ? { closes: phase } : {};
  const after = commit === null ? {} : { after: landedAs(phase, commit) };
  return { ...settled, ...closes, ...after };
}

function choose(
  run: RunData,
  board: Board,
  { phase, choice }: Extract<OrchestrateEvent, { on: "choose" }>,
): Step {
  const answered = { ...run, asked: (run.asked ?? 0) + 1 };
  if (choice === "continue") {
    const next = phasesOf(board).find((count) => count.phase > phase);
    return { ...settled, run: { ...answered, agreed: Math.max(run.agreed, next?.phase ?? phase) } };
  }
  // To mend what failed is to open each unit again: those are events of their own. To stop is up to
  // who carries it out; asked later, it is another question.
  if (choice === "fix" || choice === "stop") return { ...settled, run: answered };
  return { ...settled, run: { ...answered, chosen: { ...run.chosen, [phase]: choice } } };
}
