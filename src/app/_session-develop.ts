// develop from a session (S0, S2.11): what is next, and what was done. An agent's report is a claim: the
// design's file is checked, each validation is run here, and the design and the merge wait for a person.
import { Fault } from "../core/errors.ts";
import { type Message, msg, render } from "../core/messages.ts";
import { type FailureClass, failureClasses } from "../core/retry.ts";
import { applyEvent } from "../workflows/develop/apply.ts";
import {
  attemptOf,
  isPhaseUnit,
  notYours,
  undefinedIn,
  unknown,
} from "../workflows/develop/claims.ts";
import type { Accepted, DevelopEvent, PhaseUnit } from "../workflows/develop/events.ts";
import { nextOf } from "../workflows/develop/next.ts";
import { unitIn, withUnit } from "../workflows/develop/private.ts";
import { type DevelopRole, promptOf } from "../workflows/develop/prompts.ts";
import {
  type Read,
  notBegun,
  readDevelop,
  refused,
  situationOf,
  takeStep,
} from "./_develop-run.ts";
import { definitionsAt, ownPrompts } from "./_develop-sources.ts";
import type { TaskRow } from "../store/database/store.ts";
import { rowOf, runIn } from "./_develop-rows.ts";
import type { Asked, InSession, NextStep, Reported } from "./in-session.ts";
import { type Owner, holderOf, isDue, ownerOf } from "./_session-orchestrate-owner.ts";
import type { Context } from "./operation.ts";

export const develop: InSession = {
  next: async (context, asked = {}) => {
    const owner = ownerOf(asked.session, context.env);
    const read = await readDevelop(context);
    if (read === undefined) return line("ERROR:NOT_STARTED", msg("develop.not_begun"));
    await renewed(context, read.task, owner);
    if (read.state.phase !== "DESIGN" && undefinedIn(read).length > 0)
      return line("ERROR:NO_CHECKPOINTS", undefinedText(read));
    const situation = situationOf(context, read, owner, Date.now());
    const next = nextOf(situation, owner.session);
    if (next.kind === "done") return line("ALL_DONE", null);
    if (next.kind === "wait") return line("WAIT", next.why);
    const prompt = unitPrompt(context, read, ...next.units);
    return { line: `READY:${next.units.join(",")}`, says: null, prompt, missing: [] };
  },
  report: async (context, given, asked = {}) => {
    const owner = ownerOf(asked.session, context.env);
    const report = reportOf(given);
    const read = await readDevelop(context);
    if (read === undefined) throw notBegun();
    const event = await eventOf(context, read, owner, report);
    if (event === null) return { line: "OK", says: null };
    const done = await takeStep(context, owner, (situation) => applyEvent(situation, event));
    if (done === null) throw notBegun();
    if (!done.ok) throw refused(done);
    return replyTo(done, event, report.unit, read, context);
  },
  notDone: async (context, subject, asked = {}) => {
    const named = (await ownUnits(context, asked)).filter((id) => mentions(subject, id));
    return named.length === 0 ? null : msg("develop.unreported", { ids: named.join(", ") });
  },
  more: async (context, asked = {}) => {
    const ids = (await ownUnits(context, asked)).filter((id) => !isPhaseUnit(id));
    return ids.length === 0 ? null : msg("develop.stop", { ids: ids.join(", ") });
  },
};

/** What units ask for, as their agent is told it: a phase's own, or checkpoints. */
export function unitPrompt(context: Context, read: Read, ...units: readonly string[]): string {
  const [unit = ""] = units;
  const { project, language } = context;
  const words = { language, own: ownPrompts(project.root), path: read.sources.path };
  const situation = situationOf(context, read, null, Date.now());
  if (isPhaseUnit(unit)) return promptOf(situation, roles[unit], words);
  const team = read.state.strategy === "agent-teams" && units.length > 1;
  return promptOf(situation, team ? "team" : "implementer", words, ...units);
}

// --- internal ---

const roles = {
  DESIGN: "designer",
  REVIEW: "reviewer",
  FIX: "fixer",
  MERGE: "finisher",
} as const satisfies Record<string, DevelopRole>;

function line(text: string, says: Message | null): NextStep {
  return { line: text, says, prompt: null, missing: [] };
}

// --- reports ---

interface ReportLine {
  readonly verb: "START" | "DONE" | "FAIL";
  readonly unit: string;
  /** Of a checkpoint that failed. */
  readonly failure: FailureClass | null;
  readonly reason: string;
}

function reportOf(given: string): ReportLine {
  const parts = /^(START|DONE|FAIL):([A-Za-z0-9-]{1,40})(?::([^]*))?$/.exec(given.trim());
  const [, verb = "", unit = "", rest = ""] = parts ?? [];
  const [, named = "", why = ""] = /^\s*([A-Z_]+)\s*:?([^]*)$/.exec(rest) ?? [];
  const failure = Object.hasOwn(failureClasses, named) ? (named as FailureClass) : null;
  const reason = (failure === null ? rest : why).trim();
  const says = verb !== "FAIL" || (reason !== "" && (isPhaseUnit(unit) || failure !== null));
  if (parts === null || !says || (verb === "START" && rest !== ""))
    throw new Fault("invalid_input", msg("develop.bad_line", { line: given.slice(0, 80) }), {
      hint: msg("develop.bad_line.hint", { classes: Object.keys(failureClasses).join(", ") }),
    });
  return { verb: verb as ReportLine["verb"], unit, failure, reason };
}

/** What the report comes to, once everything in it that can be checked was. Null: told before. */
async function eventOf(
  context: Context,
  read: Read,
  owner: Owner,
  { verb, unit, failure, reason }: ReportLine,
): Promise<DevelopEvent | null> {
  const { session } = owner;
  if (read.state.phase !== "DESIGN" && undefinedIn(read).length > 0) throw noDefinition(read);
  if (verb === "START") return { on: "start", unit, holder: holderOf(owner, Date.now()) };
  if (unit === "REVIEW")
    return { on: "reviewed", findings: verb === "FAIL" ? reason : null, session };
  if (isPhaseUnit(unit)) {
    if (verb === "FAIL") throw new Fault("refused", msg("develop.fail_phase", { unit }));
    return phaseEvent(context, read, unit as Exclude<PhaseUnit, "REVIEW">, owner);
  }
  const attempt = attemptOf(read, unit);
  if (failure !== null) return { on: "failed", unit, attempt, failure, reason, session };
  const status = read.state.checkpoints?.[unit]?.status;
  if (status === undefined) throw refused(unknown(unit));
  if (status === "passed") return null;
  // Nobody waits for a command whose result would be refused.
  const stranger = notYours(situationOf(context, read, owner, Date.now()), unit, session);
  if (stranger) throw refused(stranger);
  const found = read.run.definitions?.find(({ id }) => id === unit);
  if (found === undefined) throw noDefinition(read);
  const { halt } = await import("./_develop-halt.ts");
  const verdict = await halt(context, found);
  const why = verdict.matched ? "" : render(context.language, verdict.why);
  return { on: "halted", unit, attempt, verdict, reason: why, session };
}

function undefinedText(read: Read): Message {
  return msg("develop.undefined", { ids: undefinedIn(read).join(", "), path: read.sources.path });
}

function noDefinition(read: Read): Fault {
  return new Fault("refused", undefinedText(read), { hint: msg("develop.undefined.hint") });
}

async function phaseEvent(
  context: Context,
  read: Read,
  unit: Exclude<PhaseUnit, "REVIEW">,
  owner: Owner,
): Promise<DevelopEvent> {
  const { session } = owner;
  if (unit !== "DESIGN") {
    const { checkWhole } = await import("./_develop-halt.ts");
    await checkWhole(context, unit, read.run, read.sources.commands);
    return { on: "checked", unit, session };
  }
  const { path } = read.sources;
  const found = await definitionsAt(context.project.root, path);
  if (!found.ok)
    throw new Fault("refused", msg("develop.check_failed", { unit, why: found.problem }), {
      hint: msg("develop.bad_definitions.hint", { path }),
    });
  return { on: "designed", checkpoints: found.checkpoints, approved: false, session };
}

function replyTo(
  { answer, state }: Accepted,
  event: DevelopEvent,
  unit: string,
  read: Read,
  context: Context,
): Reported {
  const reason = "reason" in event ? event.reason : "";
  switch (answer.kind) {
    case "retry": {
      const { iteration, failure } = answer;
      const says = msg("develop.says.retry", { iteration, failure, reason });
      return { line: `RETRY:${unit}:${iteration}/3:${failure}`, says };
    }
    case "escalated": {
      const says = msg("develop.says.escalated", { unit, failure: answer.failure, reason });
      return { line: `ESCALATED:${unit}:${answer.failure}`, says };
    }
    case "asks":
      return { line: "WAIT", says: msg("develop.waits_for_person", { unit }) };
    default:
      if (event.on === "start") return { line: `OK:${context.project.root}`, says: null };
      return {
        line: state.phase === read.state.phase ? "OK" : `PHASE_DONE:${read.state.phase}`,
        says: null,
      };
  }
}

// --- what a session holds ---

/** Each call of a session renews its claims. No harm is done if another was faster. */
async function renewed(context: Context, task: TaskRow | undefined, owner: Owner): Promise<void> {
  const run = runIn(task);
  if (task === undefined || run === undefined) return;
  const now = Date.now();
  let next = run;
  for (const id of Object.keys(run.units)) {
    const { holder } = unitIn(run, id) as Parameters<typeof isDue>[0];
    if (holder === null || !isDue({ holder }, owner, now)) continue;
    next = withUnit(next, id, { holder: { ...holder, until: holderOf(owner, now).until } });
  }
  if (next === run) return;
  const data = { ...(task.data as object), session: next };
  await (await context.store()).commit({ tasks: [{ ...task, data }] });
}

/** From the rows alone: a hook asks at every turn. */
async function ownUnits(context: Context, { session }: Asked): Promise<string[]> {
  const store = await context.existingStore();
  const project = await store?.projectAt(context.project.root);
  if (store === undefined || project === undefined) return [];
  const task = await rowOf(store, project.id);
  const owner = ownerOf(session, context.env);
  await renewed(context, task, owner);
  const units = Object.entries(runIn(task)?.units ?? {});
  return units.flatMap(([id, { holder }]) => (holder?.session === owner.session ? [id] : []));
}

function mentions(subject: string, id: string): boolean {
  const at = subject.indexOf(id);
  // cp-1 is no part of cp-10.
  return (
    at >= 0 && !/^[\w-]/.test(subject.slice(at + id.length)) && !/[\w-]$/.test(subject.slice(0, at))
  );
}
