// What `orchestrate` only looks at: nothing is written.
import { basename } from "node:path";
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import type { UnitStatus } from "../../core/vocabulary.ts";
import type { Evidence } from "../../git/evidence.ts";
import type { Store } from "../../store/database/store.ts";
import { boardOf } from "../../workflows/orchestrate/board.ts";
import { outlookOf } from "../../workflows/orchestrate/outlook.ts";
import { factsWithoutPlan, withPlan } from "../../workflows/orchestrate/plan.ts";
import { linesOf, promptOf } from "../../workflows/orchestrate/prompt.ts";
import { startState } from "../../workflows/orchestrate/start.ts";
import { unitsOf } from "../../workflows/orchestrate/units.ts";
import { type Disagreement, compare } from "../../workflows/orchestrate/verify.ts";
import { planFault } from "../_session-orchestrate.ts";
import { claimKind, sourcesIn, unitOf } from "../_session-orchestrate-rows.ts";
import { type Run, readRun } from "../_session-orchestrate-read.ts";
import { type Looked, lookAtSources } from "../_session-orchestrate-sources.ts";
import type { Context } from "../operation.ts";
import type { Part } from "./orchestrate.ts";

export const dryRun: Part = async (context, { phase }) => {
  const { run, looked } = await both(context);
  const list = looked.plan?.list;
  if (looked.problem && (list || run.state === undefined)) throw planFault(looked.problem);
  const now = new Date().toISOString();
  const fresh = list && startState(list, basename(context.project.root), now, {});
  const found = run.state && list ? withPlan(run.state, list) : (run.state ?? fresh);
  if (found === undefined) throw new Fault("not_found", msg("orchestrate.not_begun"));
  const facts = looked.sources.facts ?? factsWithoutPlan(found);
  const { phases, critical, left, total } = outlookOf(boardOf(found, facts));
  const shown = phases.filter((each) => phase === undefined || each.phase === phase);
  const waves = shown.reduce((sum, each) => sum + each.waves.length, 0);
  return {
    line: `DRY_RUN:${left}/${total}`,
    says: [
      msg("orchestrate.dry_run", { left, total, waves, length: critical.length }),
      msg("orchestrate.dry_run.nothing"),
    ],
    ahead: shown.map((each) => ({ phase: each.phase, waves: each.waves.map((ids) => [...ids]) })),
    critical: [...critical],
  };
};

export const verify: Part = async (context) => {
  const { run, looked } = await both(context);
  if (looked.problem && looked.plan) throw planFault(looked.problem);
  if (run.state === undefined) throw notBegun();
  const { rows, store, state } = run;
  const journal =
    rows.task && store ? await journaled(store, rows.task.id) : new Map<string, never>();
  const evidence = await evidenceFor(context, run);
  const merged = (unit: string): string[] =>
    [...(evidence?.there ?? [])].filter((key) => key.replace(attempt, "") === unit);
  const compared = compare(state, looked.plan?.list, journal, merged);
  const { phases } = compared;
  const found = [...compared.found, ...(await inHistory(run, evidence, merged))];
  const errors = found.filter(({ level }) => level === "error").length;
  return {
    line: errors === 0 ? "VERIFIED" : `DIFFERENT:${errors}`,
    says: [
      errors === 0
        ? msg("orchestrate.verified", { notices: found.length })
        : msg("orchestrate.different", { count: errors }),
      ...(looked.plan ? [] : [msg("orchestrate.verified.no_plan")]),
    ],
    progress: phases.map((each) => ({ ...each })),
    found: found.map((each) => ({ ...each })),
  };
};

export const showUnit: Part = async (context, { unit: id = "" }) => {
  const { run, looked } = await both(context, id);
  const { plan } = looked;
  const task = plan?.list.tasks.find((each) => each.id === id);
  const { state, rows } = run;
  if (task === undefined && !(state && unitsOf(state).has(id)))
    throw new Fault("not_found", msg("orchestrate.no_unit", { id }), {
      hint: msg("orchestrate.no_unit.hint"),
    });
  const text = plan && task ? linesOf(plan.text, task) : "";
  const asked = { id, task, text, unit: rows.unit && unitOf(rows.unit) };
  const retryLimit = state?.config.retry_limit ?? 10;
  const status = (state && unitsOf(state).get(id)) ?? "pending";
  return {
    line: `${id}:${status}`,
    says: [],
    prompt: promptOf({ ...asked, retryLimit }, context.language),
  };
};

// --- internal ---

async function both(context: Context, unit?: string): Promise<{ run: Run; looked: Looked }> {
  const run = await readRun(context, unit, true);
  const looked = await lookAtSources(context.project.root, sourcesIn(run.rows), true);
  return { run, looked };
}

async function evidenceFor(context: Context, { rows }: Run): Promise<Evidence | undefined> {
  if (rows.task === undefined) return undefined;
  const { evidenceOf } = await import("../../git/evidence.ts");
  return evidenceOf({ root: context.project.root, run: rows.task.id });
}

/** Completed units that were worked on in clones, and are in no history (S2.6). */
async function inHistory(
  { rows, store, state }: Run,
  found: Evidence | undefined,
  merged: (unit: string) => readonly string[],
): Promise<Disagreement[]> {
  const { task } = rows;
  if (task === undefined || store === undefined || state === undefined || found === undefined)
    return [];
  const units = unitsOf(state);
  const claims = (await store.entities({ taskId: task.id, kind: claimKind })).map(unitOf);
  const done = await completedHere(store, task.id);
  const lost = claims
    .map(({ unit }) => unit)
    .filter((unit) => units.get(unit) === "completed" && done.has(unit))
    .filter((unit) => {
      const isOf = (key: string): boolean => key.replace(attempt, "") === unit;
      return merged(unit).length === 0 || found.missing.some(isOf);
    });
  const phases = found.missing.filter((key) => !attempt.test(key));
  return [...new Set([...lost, ...phases])].map((id) => ({
    level: "error",
    id,
    line: null,
    text: msg("orchestrate.verify.not_there", { id, target: found.target }),
  }));
}

/** `T1.3-2`, or of a session `T1.3-2.0a1b2c3d4e5f`. */
const attempt = /-\d+(?:\.[0-9a-f]+)?$/;

/** Units that an agent completed, not a person's hand: their work has to be somewhere. */
async function completedHere(store: Store, taskId: string): Promise<Set<string>> {
  const done = new Set<string>();
  for (const { entityId, to, trigger } of await store.transitions({ taskId, machine: "unit" }))
    if (to === "completed" && trigger === "complete") done.add(entityId);
    else done.delete(entityId);
  return done;
}

export function notBegun(): Fault {
  return new Fault("not_found", msg("orchestrate.not_begun"), {
    hint: msg("orchestrate.not_begun.hint"),
  });
}

/** Where each unit stood when the journal last spoke of it. */
export async function journaled(store: Store, taskId: string): Promise<Map<string, UnitStatus>> {
  const last = new Map<string, UnitStatus>();
  for (const { entityId, to } of await store.transitions({ taskId, machine: "unit" }))
    last.set(entityId, to as UnitStatus);
  return last;
}
