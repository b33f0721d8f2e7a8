// Who works on which step of a request (S2.11's claims, for sessions of a request): a lease on a unit,
// kept with the request itself.
import { type Board, focusOf } from "../../workflows/request/board.ts";
import { judgesOf, noWork, type RequestRun } from "../../workflows/request/private.ts";
import { type AgentStep, stepsOf } from "../../workflows/request/steps.ts";
import { type Holder, notBegun } from "../../workflows/orchestrate/private.ts";
import {
  type Owner,
  type SessionHolder,
  type SessionUnit,
  holderOf,
  isDue,
  isLost,
} from "../_session-orchestrate-owner.ts";

/** Steps that this session may work on now: its own, and those nobody holds. */
export function freeSteps(board: Board, owner: Owner, now: number): AgentStep[] {
  const { claims } = board.run;
  const free = agentSteps(board).filter((step) => {
    const claim = claims[step.unit];
    if (claim !== undefined && isOthers(step.unit, claim, owner, now)) return false;
    return otherJudge(board, step, owner, now) === undefined;
  });
  const own = ({ unit }: AgentStep): number => Number(claims[unit]?.session === owner.session);
  return free.toSorted((a, b) => own(b) - own(a));
}

/** Who is to judge what this session made itself; undefined: it may do the step. */
export function otherJudge(
  { run }: Pick<Board, "run">,
  { work, unit }: AgentStep,
  { session }: Owner,
  now: number,
): string | undefined {
  return work === "verify" ? judgesOf(run, unit, session, now)[0] : undefined;
}

/** The step that waits for another session's verdict. */
export function waitingForJudge(board: Board, owner: Owner, now: number): string | undefined {
  return agentSteps(board).flatMap((step) => otherJudge(board, step, owner, now) ?? [])[0];
}

export function isOthers(unit: string, claim: Holder, owner: Owner, now: number): boolean {
  return claim.session !== owner.session && !isLost(asUnit(unit, claim), owner, now);
}

/** Undefined: none of them is due. */
export function renewed(
  claims: RequestRun["claims"],
  owner: Owner,
  now: number,
): RequestRun["claims"] | undefined {
  const due = Object.entries(claims).filter(([unit, claim]) =>
    isDue(asUnit(unit, claim), owner, now),
  );
  if (due.length === 0) return undefined;
  const { until } = holderOf(owner, now);
  return {
    ...claims,
    ...Object.fromEntries(due.map(([unit, claim]) => [unit, { ...claim, until }])),
  };
}

export function heldBy({ claims }: Pick<RequestRun, "claims">, owner: Owner): string[] {
  return Object.entries(claims).flatMap(([unit, { session }]) =>
    session === owner.session ? [unit] : [],
  );
}

// --- internal ---

/** What an agent is to do next, also where the engine has to look at something before. */
function agentSteps(board: Board): AgentStep[] {
  const subtask = focusOf(board.state)?.subtask;
  const [first] = stepsOf(board);
  const waits = first?.kind === "command" && first.what === "base" && subtask;
  const { run } = board;
  const work = waits
    ? { ...run.work, [subtask]: { ...(run.work[subtask] ?? noWork), base: "-" } }
    : run.work;
  return stepsOf({ ...board, run: { ...run, work } }).filter((step) => step.kind === "agent");
}

function asUnit(unit: string, claim: Holder): SessionUnit {
  return { ...notBegun, unit, holder: claim as SessionHolder };
}
