// What is to be put right before anything else: a contract that is not there any more takes the request
// one phase back (S4.8). Nothing to do is the usual answer, and then nothing is written.
import { msg } from "../../core/messages.ts";
import { type Board, focusOf } from "./board.ts";
import { briefOf } from "./brief.ts";
import type { Accepted } from "./events.ts";
import { planAgain } from "./_discovery.ts";
import { rollBack } from "./_gate.ts";
import { Working } from "./_working.ts";

/** Undefined: all that is needed is there. */
export function settled(board: Board, now: string): Accepted | undefined {
  if (board.state.request.status !== "active") return undefined;
  const working = new Working(board, now);
  if (board.state.request.global_phase === "global_discovery") discoveryAgain(working);
  else loopAgain(working);
  return working.board === board ? undefined : working.done();
}

// --- internal ---

/** What was found before and is gone is looked for again. */
function discoveryAgain(working: Working): void {
  const { explored, breakdown, run } = working.board;
  const open = (["explore", "plan"] as const).filter(
    (each) => run.open.includes(each) || (each === "explore" ? explored : breakdown) === undefined,
  );
  if (open.length > run.open.length) working.setRun({ open });
}

function loopAgain(working: Working): void {
  const { explored, breakdown, brief, design, tests, run } = working.board;
  if (explored === undefined || breakdown === undefined) {
    const name = explored === undefined ? "explored.yaml" : "task-breakdown.yaml";
    planAgain(working, msg("request.contract_gone", { name }), run.id);
    if (working.state.request.global_phase === "global_discovery") {
      const plan = breakdown === undefined ? (["plan"] as const) : [];
      working.setRun({ open: explored === undefined ? ["explore", ...plan] : ["plan"] });
    }
    return;
  }
  const focus = focusOf(working.state);
  if (focus === null) return;
  // The engine's own: written again from what it was made of.
  if (brief === undefined) {
    const made = briefOf(breakdown, explored, focus.task, run.language, working.now);
    working.write({ format: "design-brief", task: focus.task }, made);
    working.board = { ...working.board, brief: made };
  }
  if (focus.subtask === null) return;
  if (design === undefined) {
    rollBack(working, focus, "design-contract.yaml");
    working.setTask(focus.task, { current_subtask: null });
    return;
  }
  if (tests !== undefined) return;
  for (let tries = 0; tries < 2; tries++) {
    const now = focusOf(working.state);
    if (now !== null) rollBack(working, now, "test-contract.yaml");
  }
  if (working.workOf(focus.subtask).tested) working.setWork(focus.subtask, { tested: false });
}
