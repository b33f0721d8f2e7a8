// orchestrate from a session (S2.11): what is next, and what was done. An agent reads one short line
// a step, however large the plan; it claims what it begins, and its word completes nothing that a
// command can check.
import { Fault } from "../core/errors.ts";
import { type Message, msg } from "../core/messages.ts";
import type { Accepted, RefusedEvent } from "../workflows/orchestrate/events.ts";
import { boardOf } from "../workflows/orchestrate/board.ts";
import { type Next, nextOf } from "../workflows/orchestrate/next.ts";
import { factsWithoutPlan, withPlan } from "../workflows/orchestrate/plan.ts";
import type { Asked, InSession, NextStep, Reported } from "./in-session.ts";
import { aboutHolds, refuseWhereHeld } from "./_held-questions.ts";
import { mayClone } from "./_session-orchestrate-branches.ts";
import { type Owner, holderOf, ownerOf } from "./_session-orchestrate-owner.ts";
import { lostIn, renew, runIn, sourcesIn, unitOf } from "./_session-orchestrate-rows.ts";
import { type Run, readRun, rowsOf } from "./_session-orchestrate-read.ts";
import type { Step } from "./_session-orchestrate-run.ts";
import { type Looked, lacksPlan, lookAtSources, lostPlan } from "./_session-orchestrate-sources.ts";
import type { Begun, Claimed } from "./_session-orchestrate-tree.ts";
import type { Context } from "./operation.ts";

export const calls: Pick<InSession, "next" | "report"> = {
  next: async (context, asked = {}) => {
    const phase = phaseAsked(asked);
    const owner = ownerOf(asked.session, context.env);
    let run: Run;
    try {
      run = await readRun(context);
    } catch (thrown) {
      if (!(thrown instanceof Fault) || thrown.code !== "corrupt") throw thrown;
      return lineOnly("ERROR:STATE_CORRUPT", msg("orchestrate.corrupt", { problem: thrown.text }));
    }
    const looked = await lookFor(context, run);
    const problem = run.state === undefined ? looked.problem : lostPlan(looked);
    if (problem) return planProblem(problem);
    if (run.state === undefined) return lineOnly("ERROR:NOT_STARTED", msg("orchestrate.not_begun"));
    await renew(run, owner);
    await refuseWhereHeld(run, context);
    const next = nextIn(run, run.state, looked, owner, phase);
    // Who hands out work in the thin mode reads the line and no more (S2.11).
    const thin = run.state.mode !== "normal" && next.kind !== "error";
    return lineOnly(nextLine(next), thin ? null : nextText(next));
  },
  report: async (context, line, asked = {}) => {
    const owner = ownerOf(asked.session, context.env);
    const said = reportOf(line);
    const { requireRepository } = await import("../git/mark.ts");
    requireRepository(context.project.root, context.home.path);
    const { task } = await rowsOf(context);
    return aboutHolds(context, task, () => reported(context, said, owner));
  },
};

/** Phases that a person completed by hand are tested and merged: one after another, as far as they pass (S2.8). */
export async function closePhases(context: Context, session: string | undefined): Promise<void> {
  const owner = ownerOf(session, context.env);
  for (;;) {
    const run = await readRun(context);
    const looked = await lookFor(context, run);
    if (run.state === undefined || looked.problem) return;
    const next = nextIn(run, run.state, looked, owner);
    if (next.kind !== "error" || next.code !== "PHASE_OPEN") return;
    const { closePhase } = await import("./_session-orchestrate-done.ts");
    await closePhase(context, looked, Number(next.detail), (event) =>
      step(context, { event, owner }, looked),
    );
  }
}

// --- internal ---

function nextIn(
  { rows }: Run,
  found: NonNullable<Run["state"]>,
  { sources, plan }: Looked,
  owner: Owner,
  phase?: number,
): Next {
  const state = plan ? withPlan(found, plan.list) : found;
  const facts = sources.facts ?? factsWithoutPlan(state);
  const board = boardOf(state, facts, lostIn(rows, owner, Date.now()));
  return nextOf(board, runIn(rows, found), sources.settings, phase, mostNamed);
}

async function reported(
  context: Context,
  { verb, unit, reason }: ReportLine,
  owner: Owner,
): Promise<Reported> {
  if (verb === "START") {
    const looked = await lookNow(context);
    const begun = await mayStart(context, looked, unit);
    const where = await worktreeIn(context, looked, unit, begun);
    const event = { on: "start", unit, holder: holderOf(owner, Date.now()), ...where } as const;
    const done = await step(context, { event, owner }, looked);
    return replyTo(done, unit, done.ok ? await folderFor(context, looked, unit, begun) : "");
  }
  if (verb === "FAIL") {
    const event = { on: "fail", unit, session: owner.session, reason } as const;
    const claimed = await claimOf(context, unit);
    const done = await step(context, { event, owner });
    if (done.ok && claimed) await leftBehind(context, claimed);
    return replyTo(done, unit);
  }
  const { reportDone } = await import("./_session-orchestrate-done.ts");
  return replyTo(await reportDone(context, unit, owner, step), unit);
}

/** With its line end still under 200 (S2.11). */
const mostBytes = 198;
/** More than fit, however short they are. */
const mostNamed = mostBytes / 3;

function lineOnly(line: string, says: Message | null): NextStep {
  return { line, says, prompt: null, missing: [] };
}

/** `RESOLVE_NEXT:PHASE:2`, as the seed's own agents ask. */
function phaseAsked({ ask, phase }: Asked): number | undefined {
  if (ask === undefined) return phase;
  const parts = /^RESOLVE_NEXT(?::PHASE:(\d{1,4}))?(?::FORCE)?$/.exec(ask.trim());
  if (parts === null)
    throw new Fault("invalid_input", msg("orchestrate.bad_ask", { ask: ask.slice(0, 80) }), {
      hint: msg("orchestrate.bad_ask.hint"),
    });
  return parts[1] === undefined ? phase : Number(parts[1]);
}

async function lookFor({ project }: Context, { state, rows }: Run): Promise<Looked> {
  const looked = await lookAtSources(project.root, sourcesIn(rows), state === undefined);
  const lacks = state !== undefined && lacksPlan(state, looked);
  return lacks ? lookAtSources(project.root, sourcesIn(rows), true) : looked;
}

/** As lookFor(); where nothing has changed, the state is left to who takes the step. */
async function lookNow(context: Context): Promise<Looked> {
  const rows = await rowsOf(context);
  const known = sourcesIn(rows);
  const looked = known?.facts ? await lookAtSources(context.project.root, known) : undefined;
  if (looked && !looked.changed && !looked.plan && !looked.problem)
    return { ...looked, row: rows.plan, unread: true };
  return lookFor(context, await readRun(context));
}

function planProblem({ code, detail, id, line, path, text }: NonNullable<Looked["problem"]>) {
  const place = line > 0 ? msg("orchestrate.at_line", { path, line, problem: text }) : text;
  const what = detail ?? id;
  return lineOnly(cut(what === undefined ? `ERROR:${code}` : `ERROR:${code}:${what}`), place);
}

function nextLine(next: Next): string {
  switch (next.kind) {
    case "ready":
      return readyLine(next.ids);
    case "wait":
      return "WAIT";
    case "phase_done":
      return `PHASE_DONE:${next.phase}`;
    case "all_done":
      return "ALL_DONE";
    default:
      return cut(`ERROR:${next.code}${next.detail === "" ? "" : `:${next.detail}`}`);
  }
}

/** As many as fit; the rest next time. */
function readyLine(ids: readonly string[]): string {
  let line = "";
  for (const id of ids) {
    const longer = line === "" ? `READY:${id}` : `${line},${id}`;
    if (longer.length > mostBytes) break;
    line = longer;
  }
  return line;
}

function cut(line: string): string {
  return Buffer.byteLength(line) <= mostBytes ? line : `${line.slice(0, mostBytes / 3)}…`;
}

function nextText(next: Next): Message | null {
  switch (next.kind) {
    case "ready":
      return msg("orchestrate.says.ready", { phase: next.phase });
    case "wait":
      return msg("orchestrate.says.wait", { ids: next.ids.slice(0, 5).join(", ") });
    case "phase_done":
      return next.asks ? msg("orchestrate.asks", { phase: next.phase }) : null;
    case "all_done":
      return next.failed > 0 ? msg("orchestrate.says.failed", { count: next.failed }) : null;
    default:
      return errorText(next);
  }
}

function errorText({ code, detail }: Extract<Next, { kind: "error" }>): Message {
  if (code === "NO_TASKS") return msg("orchestrate.no_tasks");
  if (code === "NO_SUCH_PHASE") return msg("orchestrate.no_phase", { phase: detail });
  if (code === "PHASE_OPEN") return msg("orchestrate.says.phase_open", { phase: detail });
  if (code === "PHASE_WAITS") return msg("orchestrate.says.phase_waits", { phase: detail });
  const [phase = "", ...ids] = detail.split(":");
  return msg("orchestrate.says.phase_failed", { phase, ids: ids.join(", ") });
}

// --- reports ---

interface ReportLine {
  readonly verb: "START" | "DONE" | "FAIL";
  readonly unit: string;
  readonly reason: string;
}

/** What follows a DONE (`elapsed=120s`) is the agent's own and says nothing to us. */
function reportOf(line: string): ReportLine {
  const parts = /^(START|DONE|FAIL):([A-Za-z0-9.-]{1,60})(?::([^]*))?$/.exec(line.trim());
  const [, verb, unit = "", rest = ""] = parts ?? [];
  const reason = rest.trim();
  const fits = parts !== null && (verb === "FAIL" ? reason !== "" : true);
  if (!fits || (verb === "START" && rest !== ""))
    throw new Fault("invalid_input", msg("report.bad_line", { line: line.slice(0, 80) }), {
      hint: msg("orchestrate.bad_line.hint"),
    });
  return { verb: verb as ReportLine["verb"], unit, reason };
}

export type TakeStep = (
  context: Context,
  given: Step,
  looked?: Looked,
) => Promise<Accepted | RefusedEvent>;

/** A step of a run there is; refused where there is none, or its plan can not be followed. */
const step: TakeStep = async (context, given, known) => {
  const begins = given.event.on === "start";
  const looked = known ?? (await lookNow(context));
  const problem = begins ? lostPlan(looked) : undefined;
  if (problem) throw planFault(problem);
  const { Lacking, takeStep } = await import("./_session-orchestrate-run.ts");
  const done = await takeStep(context, given, looked).catch(async (thrown: unknown) => {
    if (!(thrown instanceof Lacking)) throw thrown;
    return step(context, given, await lookFor(context, await readRun(context)));
  });
  if (done === undefined)
    throw new Fault("refused", msg("orchestrate.not_begun"), {
      hint: msg("orchestrate.not_begun.hint"),
    });
  return done;
};

export function planFault({ line, path, text }: NonNullable<Looked["problem"]>): Fault {
  const place = line > 0 ? msg("orchestrate.at_line", { path, line, problem: text }) : text;
  return new Fault(line > 0 ? "invalid_input" : "not_found", place, {
    hint: msg("orchestrate.plan.hint"),
  });
}

export function refusedFault({ kind, why, hint }: RefusedEvent): Fault {
  return new Fault(kind === "not_found" ? "not_found" : "refused", why, hint ? { hint } : {});
}

async function worktreeIn(
  { project }: Context,
  looked: Looked,
  unit: string,
  begun: Begun | undefined,
): Promise<{ readonly worktree?: string }> {
  if (!mayClone(project.root, looked.sources)) return {};
  const { worktreeOf } = await import("./_session-orchestrate-tree.ts");
  const worktree = await worktreeOf(project.root, looked, unit, begun);
  return worktree === undefined ? {} : { worktree };
}

/** What would refuse its folder is said before anybody claims it. */
async function mayStart(
  context: Context,
  looked: Looked,
  unit: string,
): Promise<Begun | undefined> {
  const run = (await rowsOf(context)).task;
  if (run?.status !== "in_progress" || !mayClone(context.project.root, looked.sources))
    return undefined;
  const { requireBranch } = await import("./_session-orchestrate-tree.ts");
  return requireBranch(context, looked, { run: run.id, unit });
}

/** Where the unit is worked on (S2.11). */
async function folderFor(
  context: Context,
  looked: Looked,
  unit: string,
  begun: Begun | undefined,
): Promise<string> {
  const { root } = context.project;
  const claimed = mayClone(root, looked.sources) ? await claimOf(context, unit) : undefined;
  if (claimed === undefined) return root;
  const { openUnitTree } = await import("./_session-orchestrate-tree.ts");
  return (await openUnitTree(context, looked, claimed, begun)).folder;
}

/** What it had not handed in is kept. */
async function leftBehind(context: Context, claimed: Claimed): Promise<void> {
  const { sources } = await lookFor(context, await readRun(context));
  if (!mayClone(context.project.root, sources)) return;
  const { closeUnitTree } = await import("./_session-orchestrate-tree.ts");
  await closeUnitTree(context, claimed, null);
}

async function claimOf(context: Context, unit: string): Promise<Claimed | undefined> {
  const rows = await rowsOf(context, unit);
  if (rows.task === undefined || rows.unit === undefined) return undefined;
  return { run: rows.task.id, unit, epoch: unitOf(rows.unit).epoch };
}

function replyTo(done: Accepted | RefusedEvent, unit: string, folder = ""): Reported {
  if (!done.ok) throw refusedFault(done);
  const { answer, allDone, ended } = done;
  const ends = allDone ? "ALL_DONE" : ended.length > 0 ? `PHASE_DONE:${ended.at(-1)}` : "OK";
  switch (answer.kind) {
    case "started":
      return { line: `OK:${folder}`, says: null };
    case "retry": {
      const { retry, limit, context } = answer;
      const says = msg("orchestrate.says.retry", { id: unit });
      return { line: `RETRY:${unit}:${retry}/${limit}:${context}`, says };
    }
    case "limited":
      return { line: `LIMITED:${unit}`, says: msg("orchestrate.says.limited", { id: unit }) };
    case "failed":
      return {
        line: `FAILED:${unit}`,
        says: msg("orchestrate.says.blocked", { id: unit, count: answer.blocked }),
      };
    default:
      return { line: ends, says: null };
  }
}
