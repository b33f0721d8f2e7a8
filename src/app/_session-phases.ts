// Tasks of phases, from inside a run of theirs (S1.14): what the phase asks for, what is missing, and
// the claims, which are decided as if they had been printed.
import { Fault } from "../core/errors.ts";
import { type Message, msg } from "../core/messages.ts";
import type { Said } from "../core/protocol.ts";
import { placeOf, workStep } from "../engine/decide/facts.ts";
import { lookAtDeliverables } from "../engine/deliverables.ts";
import { feedbackOf, verifyPhase } from "../engine/verify.ts";
import type { InSession } from "./in-session.ts";
import { type OwnRun, ownRun, sayInRun, toldText } from "./own-run.ts";

/** Where a task stands, as its own agent may see it: names, never values. */
export async function ownState(run: OwnRun) {
  const { task, entities } = run.state;
  const { phase, phases: total } = placeOf(task);
  const { title, description, document, progress, workspace } = task.data;
  return {
    task: task.id,
    workflow: task.workflow,
    title,
    description,
    status: task.status,
    agent: run.agent.status,
    phase,
    phases: total,
    stage: document?.stage ?? null,
    /** How often its claim of this phase was sent back. */
    round: document?.round ?? 0,
    progress,
    workspace: workspace?.folder ?? null,
    files: await filesOf(run),
    questions: open(entities.question).map(({ data }) => data.question),
    needs: open(entities.dependency).map(({ data }) => data.name),
    variables: [...run.process.data.variables],
  };
}

export const phases: InSession = {
  next: async (context) => {
    const run = await ownRun(context);
    const state = await ownState(run);
    const missing = state.files.flatMap(({ path, present }) => (present ? [] : [path]));
    const place = { phase: state.phase ?? 1, phases: state.phases };
    if (state.status === "completed")
      return { line: "ALL_DONE", says: msg("next.done"), prompt: null, missing: [] };
    if (state.status === "failed")
      return { line: "ERROR:FAILED", says: msg("next.failed"), prompt: null, missing };
    if (state.stage !== "work" || state.agent !== "running")
      return { line: "WAIT", says: msg("next.wait", { why: state.agent }), prompt: null, missing };
    return {
      line: `READY:${place.phase}`,
      says: msg("next.work", place),
      prompt: run.redactor.text(workStep(run.state.task)?.prompt ?? ""),
      missing,
    };
  },
  report: async (context, line) => {
    const told = await sayInRun(context, saidBy(line));
    return { line: told.taken === "now" ? "OK" : told.taken.toUpperCase(), says: toldText(told) };
  },
  notDone: async (context, subject) => {
    const run = await ownRun(context);
    const { phase } = placeOf(run.state.task);
    if (phase === null || !new RegExp(`\\b(?:phase|단계) ?${phase}(?!\\d)`, "i").test(subject))
      return null;
    return checkNow(run);
  },
  more: async (context) => {
    const run = await ownRun(context);
    const { stage, phase, phases: total, files } = await ownState(run);
    if (run.agent.status !== "running" || stage !== "work") return null;
    const missing = files.flatMap(({ path, present }) => (present ? [] : [path]));
    const place = { phase: phase ?? 1, phases: total };
    return missing.length === 0
      ? msg("stop.unclaimed", place)
      : msg("stop.missing", { ...place, files: missing.slice(0, 10).join(", ") });
  },
};

/** What a report's line says, as a marker would have said it. */
export function saidBy(line: string): Said {
  const [, done] = /^DONE:(\d{1,4})$/.exec(line) ?? [];
  if (done !== undefined)
    return { kind: "phase_complete", phase: Number(done), completed: null, files: [] };
  const [, failed, reason = ""] = /^FAIL:(\d{1,4}):([^]+)$/.exec(line) ?? [];
  if (failed !== undefined)
    return {
      kind: "error",
      type: "fatal",
      message: reason.trim(),
      details: null,
      recovery: "checkpoint_and_fail",
      retryAfter: null,
      resetAt: null,
    };
  throw new Fault("invalid_input", msg("report.bad_line", { line: line.slice(0, 80) }), {
    hint: msg("report.bad_line.hint"),
  });
}

// --- internal ---

function open<T extends { status: string }>(rows: ReadonlyMap<string, T>): T[] {
  return [...rows.values()].filter(({ status }) => status === "open");
}

async function filesOf({ state }: OwnRun): Promise<{ path: string; present: boolean }[]> {
  const { deliverables } = placeOf(state.task);
  const folder = state.task.data.workspace?.folder;
  if (folder === undefined) return deliverables.map(({ path }) => ({ path, present: false }));
  const found = await lookAtDeliverables(folder, deliverables);
  return found.map(({ path, present }) => ({ path, present }));
}

/** The check's part that takes no time: the declared files. Its commands run when it is claimed. */
async function checkNow({ state }: OwnRun): Promise<Message | null> {
  const { workspace, language } = state.task.data;
  if (workspace === null) return null;
  const found = await verifyPhase({
    folder: workspace.folder,
    phase: { deliverables: placeOf(state.task).deliverables, verify: [] },
    claimedFiles: [],
    env: {},
    secrets: [],
    signal: new AbortController().signal,
  });
  if (found.stopped || found.passed) return null;
  return msg("hook.not_done", { feedback: feedbackOf(found.findings, language) });
}
