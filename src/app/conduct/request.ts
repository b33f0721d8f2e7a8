// A request that no session drives: its orders, and what became of each, over its documents.
import type { OrderOutcome, Orders } from "../../workflows/orders.ts";
import { applyOutcome } from "../../workflows/request/apply.ts";
import type { Accepted, Draft } from "../../workflows/request/events.ts";
import { ordersOf } from "../../workflows/request/orders.ts";
import { stepsOf } from "../../workflows/request/steps.ts";
import type { Context } from "../operation.ts";
import { beginWaiting } from "../request/begin.ts";
import { changeRequest, readRequest, settleRequest } from "../request/documents.ts";
import { draftsOf } from "../request/drafts.ts";
import { ownWords } from "../request/prompts.ts";
import type { RequestRow } from "../request/rows.ts";
import type { Conductor } from "./conductor.ts";

export const requestConductor: Conductor = {
  orders: async (context, taskId) => {
    const row = await begunRow(context, taskId);
    if (row === undefined) return waiting;
    if (row.status !== "in_progress") return endOf(row);
    await settleRequest(context);
    const { board } = await readRequest(context);
    if (board === undefined || board.run.id !== row.data.session.id) return waiting;
    return ordersOf(board, await ownWords(context));
  },
  begin: async (context, taskId, key) => {
    if ((await begunRow(context, taskId))?.status !== "in_progress") return false;
    let wanted = false;
    await changeRequest(context, "begin", (board) => {
      const step = stepsOf(board).find((each) => each.key === key);
      wanted = step !== undefined;
      if (step === undefined || board.run.claims[step.unit] !== undefined) return undefined;
      const claims = { ...board.run.claims, [step.unit]: holderOf(taskId) };
      return unchanged(board, { ...board.run, claims });
    });
    return wanted;
  },
  take: async (context, taskId, outcome) => {
    if ((await begunRow(context, taskId))?.status !== "in_progress") return;
    await takeOutcome(context, outcome);
    await beginWaiting(context);
  },
};

/** Undefined: the outcome is of a step that is not wanted (any more). */
export async function takeOutcome(
  context: Context,
  outcome: OrderOutcome,
): Promise<Accepted | undefined> {
  const { board } = await readRequest(context);
  const step = board && stepsOf(board).find(({ key }) => key === outcome.key);
  if (board === undefined || step === undefined) return undefined;
  const files = outcome.kind === "done" ? outcome.files : {};
  const drafts: Record<string, Draft> =
    step.kind === "agent" ? await draftsOf(board, step, files, context.project.root) : {};
  return changeRequest(context, outcome.kind, (now, at) => {
    const done = applyOutcome(now, outcome, drafts, at);
    return done.answer.kind === "unknown" ? undefined : done;
  });
}

// --- internal ---

const waiting: Orders = {
  kind: "orders",
  orders: [],
  place: { phase: 1, phases: 2, name: null },
};

/** Undefined: it waits for its turn (S4.2). */
async function begunRow(context: Context, taskId: string): Promise<RequestRow | undefined> {
  const store = await context.store();
  const row = (await store.task(taskId)) as RequestRow | undefined;
  if (row?.status !== "pending") return row;
  const begun = await beginWaiting(context);
  return begun?.id === taskId ? ((await store.task(taskId)) as RequestRow) : undefined;
}

function endOf({ status, data }: RequestRow): Orders {
  const result = status === "completed" ? "completed" : "failed";
  return { kind: "ended", result, why: data.failure?.message ?? "" };
}

/** Nobody else's while the run lasts; `resume` lets go of what a run that is gone has held. */
function holderOf(taskId: string) {
  const until = Number.MAX_SAFE_INTEGER;
  return { session: `run ${taskId}`, process: null, since: new Date().toISOString(), until };
}

function unchanged(board: Parameters<typeof stepsOf>[0], run: Accepted["run"]): Accepted {
  const { session, state, knowledge } = board;
  return { session, state, run, knowledge, contracts: [], journal: [], answer: { kind: "taken" } };
}
