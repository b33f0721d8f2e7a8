// A request as orders (S4.4): what should be under way when no session drives it.
import { msg, render } from "../../core/messages.ts";
import type { AgentOrder, Order, Orders, RunBranch } from "../orders.ts";
import type { Board } from "./board.ts";
import { type OwnWords, promptOf, titleOf } from "./prompts/prompt.ts";
import { type AgentStep, type Step, isOver, stepsOf } from "./steps.ts";

/** Stopped by a person it wants nothing, and is not over: `holdfast request resume` goes on. */
export function ordersOf(board: Board, own: OwnWords): Orders {
  if (isOver(board)) {
    const { id } = board.run;
    const finished = board.run.reset !== true;
    const why = render(
      board.run.language,
      msg(finished ? "request.all_done" : "request.was_reset", { id }),
    );
    return { kind: "ended", result: finished ? "completed" : "failed", why };
  }
  const { global_phase: name } = board.state.request;
  const place = { phase: name === "global_discovery" ? 1 : 2, phases: 2, name };
  return { kind: "orders", orders: stepsOf(board).map((step) => orderOf(board, step, own)), place };
}

// --- internal ---

function orderOf(board: Board, step: Step, own: OwnWords): Order {
  const { run, rules } = board;
  const branch: RunBranch = { name: run.branch };
  const { key, unit } = step;
  switch (step.kind) {
    case "agent":
      return agentOrder(board, step, own);
    case "command": {
      const bare = step.what === "run" ? {} : { bare: true as const };
      return { kind: "command", key, unit, command: step.command, branch, ...bare };
    }
    case "land": {
      const commands = rules.test === null ? [] : [rules.test];
      const message = `${run.id}: ${(run.text.split("\n")[0] ?? "").slice(0, 60)}`;
      return { kind: "land", key, branch, commands, message };
    }
    default: {
      const options = [msg("request.ask.retry"), msg("request.ask.stop")].map((text) =>
        render(run.language, text),
      );
      return { kind: "ask", key, unit, question: step.question, options, default: null };
    }
  }
}

function agentOrder(board: Board, step: AgentStep, own: OwnWords): AgentOrder {
  const { key, unit, role, merges, draft, wanted } = step;
  const notBefore = board.run.waits?.[step.base];
  return {
    kind: "agent",
    key,
    unit,
    title: titleOf(board, step),
    role,
    prompt: promptOf(board, step, own),
    agent: null,
    permissions: null,
    branch: { name: board.run.branch },
    merges,
    deliverables: draft === null ? [] : [{ path: draft, minCharacters: 1 }],
    commands: [],
    reworks: 1,
    verifier: null,
    review: false,
    wanted,
    ...(notBefore === undefined ? {} : { notBefore }),
  };
}
