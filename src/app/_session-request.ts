// request from a session (S4.4): what is next, in which role and with which contracts, and what was
// done. A report is a claim: contracts are read and checked, tests run, files looked at by code, and
// only then does anything move.
import { Fault } from "../core/errors.ts";
import { type Message, msg } from "../core/messages.ts";
import type { Board } from "../workflows/request/board.ts";
import type { Accepted, Answer } from "../workflows/request/events.ts";
import { promptOf } from "../workflows/request/prompts/prompt.ts";
import { type AgentStep, stepsOf } from "../workflows/request/steps.ts";
import { seenWith } from "../workflows/judges.ts";
import type { Asked, InSession, NextStep, Reported } from "./in-session.ts";
import { type Owner, holderOf, ownerOf } from "./_session-orchestrate-owner.ts";
import type { Context } from "./operation.ts";
import { changeRequest, isThere, readRequest, settleRequest } from "./request/documents.ts";
import { freeSteps, heldBy, isOthers, renewed, waitingForJudge } from "./request/claims.ts";
import { activeRow, requestRows } from "./request/rows.ts";

export const request: InSession = {
  next: async (context, asked = {}) => {
    if (!(await isThere(context))) return line("ERROR:NOT_STARTED", msg("request.not_begun"));
    const { settleSessions } = await import("./request/sessions.ts");
    const told = await settleSessions(context);
    await beginNext(context);
    await settleRequest(context);
    const { board } = await readRequest(context);
    if (board === undefined) return line("ERROR:NOT_STARTED", msg("request.not_begun"));
    const owner = ownerOf(asked.session, context.env);
    await renew(context, owner);
    const next = await nextFor(context, board, owner);
    return next.says === null && told[0] !== undefined ? { ...next, says: told[0] } : next;
  },
  report: async (context, words, asked = {}) => {
    const owner = ownerOf(asked.session, context.env);
    const { verb, unit, reason } = reportOf(words);
    await settleRequest(context);
    if (verb === "START") return start(context, unit, owner);
    return verb === "DONE" ? done(context, unit, owner) : fail(context, unit, reason, owner);
  },
  notDone: async (context, subject, asked = {}) => {
    const units = (await held(context, asked)).filter((unit) => subject.includes(unit));
    return units.length === 0 ? null : msg("request.unreported", { ids: units.join(", ") });
  },
  more: async (context, asked = {}) => {
    const units = await held(context, asked);
    return units.length === 0 ? null : msg("request.stop_hook", { ids: units.join(", ") });
  },
};

// --- internal ---

function line(text: string, says: Message | null): NextStep {
  return { line: text, says, prompt: null, missing: [] };
}

async function nextFor(context: Context, board: Board, owner: Owner): Promise<NextStep> {
  const { state, run } = board;
  const { id } = run;
  if (state.request.status === "completed")
    return line("ALL_DONE", msg("request.all_done", { id }));
  if (run.reset === true) return line(`ERROR:STOPPED:${id}`, msg("request.was_reset", { id }));
  if (run.branch !== null) return line("WAIT", msg("request.headless", { id }));
  if (state.request.status === "stopped") {
    const why = run.ask === null ? msg("request.is_stopped", { id }) : asked(run.ask.question);
    return line(`ERROR:STOPPED:${id}`, why);
  }
  const [waiting] = stepsOf(board);
  if (waiting !== undefined && isDue(board))
    return line(`READY:${waiting.unit}`, msg("request.check_due", { unit: waiting.unit }));
  const steps = freeSteps(board, owner, Date.now());
  const [first] = steps;
  const judge = waitingForJudge(board, owner, Date.now());
  if (first === undefined && judge !== undefined)
    return line("WAIT", msg("plan.own_work", { session: judge }));
  if (first === undefined) return line("WAIT", msg("request.others", { id }));
  const { ownWords } = await import("./request/prompts.ts");
  return {
    line: `READY:${steps.map(({ unit }) => unit).join(",")}`,
    says: msg("request.says.role", { unit: first.unit, role: first.role }),
    prompt: promptOf(board, first, await ownWords(context)),
    missing: [],
  };
}

/** A check was interrupted: reporting again runs it. */
function isDue(board: Board): boolean {
  const [step] = stepsOf(board);
  return step?.kind === "command" && step.what !== "base";
}

const asked = (question: string): Message => msg("request.asked", { question });

async function start(context: Context, unit: string, owner: Owner): Promise<Reported> {
  const { runDue } = await import("./request/local.ts");
  await mustBe(context, unit, owner);
  // What the subtask begins with, before anybody works on it.
  await runDue(context, true);
  await changeRequest(context, "start", (board) => {
    agentStep(board, unit, owner);
    const claims = { ...board.run.claims, [unit]: holderOf(owner, Date.now()) };
    const sessions = seenWith(board.run.sessions, owner.session, Date.now());
    return same(board, { ...board.run, claims, sessions });
  });
  return { line: `OK:${context.project.root}`, says: null };
}

async function done(context: Context, unit: string, owner: Owner): Promise<Reported> {
  const { doneIn, removeDraft, runDue } = await import("./request/local.ts");
  const { takeOutcome } = await import("./conduct/request.ts");
  const board = await mustBe(context, unit, owner);
  let last: Accepted | undefined;
  if (isDue(board)) last = await runDue(context, false);
  else {
    const step = agentStep(board, unit, owner);
    if (board.run.claims[unit]?.session !== owner.session)
      throw new Fault("refused", msg("request.not_started", { unit }), {
        hint: msg("request.not_started.hint", { unit }),
      });
    last = await takeOutcome(context, doneIn(context, step));
    if (last?.answer.kind === "again") return reply(last.answer, unit);
    removeDraft(context, step);
    last = (await runDue(context, false)) ?? last;
  }
  await beginNext(context);
  return reply(last?.answer ?? { kind: "taken" }, unit);
}

async function fail(
  context: Context,
  unit: string,
  reason: string,
  owner: Owner,
): Promise<Reported> {
  const { takeOutcome } = await import("./conduct/request.ts");
  const step = agentStep(await mustBe(context, unit, owner), unit, owner);
  const failed = { kind: "failed", key: step.key, why: "agent", reason } as const;
  const last = await takeOutcome(context, failed);
  return reply(last?.answer ?? { kind: "taken" }, unit);
}

function reply(answer: Answer, unit: string): Reported {
  switch (answer.kind) {
    case "again":
      return { line: `RETRY:${unit}:${answer.left}`, says: answer.why };
    case "back":
      return { line: `BACK:${unit}:${answer.to}`, says: answer.why };
    case "stopped":
      return { line: `STOPPED:${unit}`, says: answer.why };
    case "finished":
      return { line: "ALL_DONE", says: null };
    default:
      return { line: "OK", says: null };
  }
}

/** The request as it stands, where this session may work on that unit now. */
async function mustBe(context: Context, unit: string, owner: Owner): Promise<Board> {
  const { board } = await readRequest(context);
  if (board === undefined)
    throw new Fault("refused", msg("request.not_begun"), { hint: msg("request.not_begun.hint") });
  const { state, run } = board;
  const { id } = run;
  if (run.reset === true)
    throw new Fault("refused", msg("request.was_reset", { id }), {
      hint: msg("request.not_begun.hint"),
    });
  if (run.branch !== null) throw new Fault("refused", msg("request.headless", { id }));
  if (state.request.status !== "active")
    throw new Fault("refused", msg("request.not_active", { status: state.request.status }), {
      hint: msg("request.resume.hint"),
    });
  if (!isDue(board)) agentStep(board, unit, owner);
  return board;
}

function agentStep(board: Board, unit: string, owner: Owner): AgentStep {
  const claim = board.run.claims[unit];
  if (claim !== undefined && isOthers(unit, claim, owner, Date.now()))
    throw new Fault("refused", msg("request.claimed", { unit, session: claim.session }), {
      hint: msg("request.next.hint"),
    });
  const step = freeSteps(board, owner, Date.now()).find((each) => each.unit === unit);
  if (step !== undefined) return step;
  const judge = waitingForJudge(board, owner, Date.now());
  if (judge !== undefined)
    throw new Fault("refused", msg("plan.own_work", { session: judge }), {
      hint: msg("request.own_work.hint"),
    });
  throw new Fault("refused", msg("request.not_wanted", { unit }), {
    hint: msg("request.next.hint"),
  });
}

function same(board: Board, run: Board["run"]): Accepted {
  const { session, state, knowledge } = board;
  return { session, state, run, knowledge, contracts: [], journal: [], answer: { kind: "taken" } };
}

async function beginNext(context: Context): Promise<void> {
  const { beginWaiting } = await import("./request/begin.ts");
  await beginWaiting(context);
}

/** Each call of a session renews what it holds; written once in a while. */
async function renew(context: Context, owner: Owner): Promise<void> {
  await changeRequest(context, "renew", (board) => {
    const claims = renewed(board.run.claims, owner, Date.now());
    return claims === undefined ? undefined : same(board, { ...board.run, claims });
  });
}

/** By the row alone: a hook asks it at every turn, and makes nothing. */
async function held(context: Context, { session }: Asked): Promise<string[]> {
  const store = await context.existingStore();
  const project = await store?.projectAt(context.project.root);
  if (store === undefined || project === undefined) return [];
  const row = activeRow(await requestRows(store, project.id));
  if (row === undefined) return [];
  const owner = ownerOf(session, context.env);
  const claims = renewed(row.data.session.claims, owner, Date.now());
  // Whoever was faster has renewed it, or moved on.
  if (claims !== undefined)
    await store.commit({
      tasks: [{ ...row, data: { ...row.data, session: { ...row.data.session, claims } } }],
    });
  return heldBy(row.data.session, owner);
}

interface ReportLine {
  readonly verb: "START" | "DONE" | "FAIL";
  readonly unit: string;
  readonly reason: string;
}

function reportOf(words: string): ReportLine {
  const parts = /^(START|DONE|FAIL):([A-Za-z0-9-]{1,60})(?::([^]*))?$/.exec(words.trim());
  const [, verb, unit = "", rest = ""] = parts ?? [];
  const reason = rest.trim();
  if (parts === null || (verb === "FAIL" && reason === "") || (verb === "START" && reason !== ""))
    throw new Fault("invalid_input", msg("report.bad_line", { line: words.slice(0, 80) }), {
      hint: msg("request.bad_line.hint"),
    });
  return { verb: verb as ReportLine["verb"], unit, reason };
}
