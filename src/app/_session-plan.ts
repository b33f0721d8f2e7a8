// plan from a session (S3, S6.4): what is next, and what was done. An agent plans, claims and reports;
// Holdfast reads its answers strictly, looks at what it calls done, and alone writes the files.
import { Fault } from "../core/errors.ts";
import { type Message, msg } from "../core/messages.ts";
import { isUnfilled } from "../core/placeholders.ts";
import type { PlanTask } from "../formats/task-state.ts";
import { readRegularFile, resolvePath } from "../store/files.ts";
import type { PlanAccepted } from "../workflows/plan/events.ts";
import { failureOf, openSteps } from "../workflows/plan/orders.ts";
import { stagePrompt, stepPrompt, verbs } from "../workflows/plan/prompts.ts";
import { otherJudges } from "../workflows/judges.ts";
import { type PlanRun, authorsOf, stepRun } from "../workflows/plan/run.ts";
import type { Asked, InSession, NextStep, Reported } from "./in-session.ts";
import { type PlanNow, askingOf, readPlan } from "./_plan-read.ts";
import { allPlans, planOf } from "./_plan-rows.ts";
import { type PlanStep, refusedPlan, takePlanStep } from "./_plan-step.ts";
import {
  type Owner,
  type SessionHolder,
  holderOf,
  isDue,
  isLost,
  ownerOf,
} from "./_session-orchestrate-owner.ts";
import type { Context } from "./operation.ts";

export const plan: InSession = {
  next: async (context, asked = {}) => {
    const owner = ownerOf(asked.session, context.env);
    let now: PlanNow;
    try {
      now = await readPlan(context);
    } catch (thrown) {
      if (!(thrown instanceof Fault) || thrown.code !== "corrupt") throw thrown;
      return lineOnly("ERROR:STATE_CORRUPT", thrown.text);
    }
    const { task, run, told } = now;
    if (task && run) await renew(context, now, owner);
    const next =
      task && run ? await nextOf(context, task, run, owner) : await withoutPlan(context, now);
    const says = [...told, ...(next.says ? [next.says] : [])];
    return says.length === 0 ? next : { ...next, says: allOf(says) };
  },
  report: async (context, line, asked = {}) => {
    const owner = ownerOf(asked.session, context.env);
    const said = reportOf(line);
    if (said.kind === "answer") {
      const text = await textOf(context, said.text);
      const { session } = owner;
      const event = { on: "answer", stage: said.stage, text, session } as const;
      return replyTo(await taken(context, { event, owner }), context);
    }
    const { verb, step, rest } = said;
    if (verb === "START") {
      const event = { on: "start", step, holder: holderOf(owner, Date.now()) } as const;
      return replyTo(await taken(context, { event, owner }), context);
    }
    const { session } = owner;
    if (verb === "FAIL") {
      const event = { on: "fail", step, session, ...failureOf("told", rest) } as const;
      return replyTo(await taken(context, { event, owner }), context);
    }
    await checkStep(context, step, owner);
    const event = { on: "done", step, session, output: rest } as const;
    return replyTo(await taken(context, { event, owner }), context);
  },
  notDone: async (context, subject, asked = {}) => {
    const held = await ownSteps(context, asked);
    const named = held.filter((id) =>
      new RegExp(`\\b(?:step|단계) ?${id}(?!\\d)`, "i").test(subject),
    );
    return named.length === 0 ? null : msg("plan.unreported", { ids: named.join(", ") });
  },
  more: async (context, asked = {}) => {
    const held = await ownSteps(context, asked);
    return held.length === 0 ? null : msg("plan.stop", { ids: held.join(", ") });
  },
};

// --- internal ---

function allOf(messages: readonly Message[]): Message {
  return messages.reduce((first, other) => msg("repair.and", { first, other }));
}

function lineOnly(line: string, says: Message | null, prompt: string | null = null): NextStep {
  return { line, says, prompt, missing: [] };
}

/** None is current: the newest has ended, or none ever began. */
async function withoutPlan(context: Context, { state, store }: PlanNow): Promise<NextStep> {
  if (state && state.pending_tasks.length > 0)
    return lineOnly(
      "ERROR:NOT_STARTED",
      msg("plan.says.waiting", { count: state.pending_tasks.length }),
    );
  const rows = store ? await allPlans(store, (await context.projectRow()).id) : [];
  const last = rows[0] && planOf(rows[0]);
  if (last?.task?.status === "completed") {
    const { plan: id, result } = last;
    return lineOnly(
      "ALL_DONE",
      msg("plan.says.done", { id, result: result ?? "–" }),
      criteria(last),
    );
  }
  if (last?.task) {
    const { plan: id, task } = last;
    return lineOnly(
      "ERROR:FAILED",
      msg("plan.says.failed", { id, status: task.status }),
      criteria(last),
    );
  }
  return lineOnly("ERROR:NOT_STARTED", msg("plan.none"));
}

/** What came of each criterion. */
function criteria({ verdict }: PlanRun): string | null {
  if (!verdict || verdict.length === 0) return null;
  return verdict
    .map(({ criterion, met, evidence }) => `${met ? "✓" : "✗"} ${criterion}: ${evidence}`)
    .join("\n");
}

async function nextOf(
  context: Context,
  task: PlanTask,
  run: PlanRun,
  owner: Owner,
): Promise<NextStep> {
  if (task.status !== "in_progress")
    return lineOnly("ERROR:PAUSED", msg("plan.not_running", { id: task.id, status: task.status }));
  if (run.asks)
    return lineOnly(
      `ERROR:ESCALATED:${run.asks.step ?? run.stage}`,
      msg("plan.asks.hint"),
      run.asks.report,
    );
  const clock = Date.now();
  const lost = (id: number): boolean =>
    isLost({ holder: stepRun(run, id).holder as SessionHolder | null }, owner, clock);
  const busy = task.plan.steps.filter(({ id, status }) => status === "in_progress" && !lost(id));
  const names = busy.map(({ id }) => id).join(", ");
  if (run.stage === "approve") return lineOnly("WAIT", msg("plan.says.approve"));
  if (run.stage !== "work") {
    if (run.stage === "ended" || busy.length > 0)
      return lineOnly("WAIT", msg("plan.says.wait", { ids: names }));
    const others = otherJudges(owner.session, authorsOf(run), run.sessions, clock);
    if (run.stage === "judge" && others[0] !== undefined)
      return lineOnly("WAIT", msg("plan.own_work", { session: others[0] }));
    const prompt = stagePrompt(await askingOf(context, task, run), run.stage);
    return lineOnly(
      `READY:${verbs[run.stage]}`,
      msg("plan.says.answer", { verb: verbs[run.stage] }),
      prompt,
    );
  }
  // Steps whose session is gone are open like those that nobody began.
  const gone = task.plan.steps.filter(({ id, status }) => status === "in_progress" && lost(id));
  const open = [...openSteps({ task, run }), ...gone].toSorted((a, b) => a.id - b.id);
  const ready = open.filter(({ id }) => (stepRun(run, id).notBefore ?? 0) <= clock);
  if (ready.length > 0) {
    const asking = await askingOf(context, task, run);
    const prompt = ready.map((step) => stepPrompt(asking, step)).join("\n\n---\n\n");
    return lineOnly(`READY:${ready.map(({ id }) => id).join(",")}`, msg("plan.says.ready"), prompt);
  }
  const [later] = open.toSorted(
    (a, b) => (stepRun(run, a.id).notBefore ?? 0) - (stepRun(run, b.id).notBefore ?? 0),
  );
  const until = later && stepRun(run, later.id).notBefore;
  return until
    ? lineOnly(
        "WAIT",
        msg("plan.not_before", { id: later.id, until: new Date(until).toISOString() }),
      )
    : lineOnly("WAIT", msg("plan.says.wait", { ids: names }));
}

/** Each call of a session renews its claims. */
async function renew(context: Context, { task, run }: PlanNow, owner: Owner): Promise<void> {
  if (!task || !run) return;
  const due = task.plan.steps.filter(({ id, status }) => {
    const holder = stepRun(run, id).holder as SessionHolder | null;
    return status === "in_progress" && isDue({ holder }, owner, Date.now());
  });
  for (const { id: step } of due) {
    const event = { on: "start", step, holder: holderOf(owner, Date.now()) } as const;
    await takePlanStep(context, { event, owner });
  }
}

// --- reports ---

type ReportLine =
  | { readonly kind: "answer"; readonly stage: keyof typeof verbs; readonly text: string }
  | {
      readonly kind: "step";
      readonly verb: "START" | "DONE" | "FAIL";
      readonly step: number;
      readonly rest: string;
    };

function reportOf(line: string): ReportLine {
  const [, word = "", rest = ""] = /^\s*([A-Z]+):([^]*)$/.exec(line) ?? [];
  const stage = (Object.keys(verbs) as (keyof typeof verbs)[]).find((one) => verbs[one] === word);
  if (stage !== undefined && rest.trim() !== "")
    return { kind: "answer", stage, text: rest.trim() };
  const [, id, more = ""] = /^\s*(\d{1,9})\s*(?::([^]*))?$/.exec(rest) ?? [];
  const known = word === "START" || word === "DONE" || word === "FAIL";
  const says = more.trim() !== "";
  if (!known || id === undefined || (word === "FAIL" && !says) || isUnfilled(more))
    throw new Fault("invalid_input", msg("report.bad_line", { line: line.slice(0, 80) }), {
      hint: msg("plan.bad_line.hint"),
    });
  return { kind: "step", verb: word, step: Number(id), rest: more.trim() };
}

const longestAnswer = 1_000_000;

/** An answer itself, or the file that holds it. */
async function textOf({ cwd }: Context, given: string): Promise<string> {
  if (/^[{["]/.test(given)) return given;
  const bytes = await readRegularFile(resolvePath(cwd, given), longestAnswer);
  return new TextDecoder().decode(bytes);
}

async function taken(context: Context, step: PlanStep): Promise<PlanAccepted> {
  const { state, told } = await readPlan(context);
  if (state === undefined)
    throw new Fault("refused", msg("plan.none"), { hint: msg("plan.none.hint") });
  const done = await takePlanStep(context, step);
  // Who reports to a plan that was over hears that first.
  if (!done.ok) throw refusedPlan({ ...done, why: allOf([...told, done.why]) });
  return { ...done, told: [...told, ...done.told] };
}

/** DONE is a claim: the files it declared are looked for, and its command is run. */
async function checkStep(context: Context, id: number, { session }: Owner): Promise<void> {
  const { task, run } = await readPlan(context);
  const step = task?.plan.steps.find((one) => one.id === id);
  // Nobody waits for a command whose result would be refused.
  const mine = run && stepRun(run, id).holder?.session === session;
  if (!step || !mine || step.status !== "in_progress") return;
  const { checkClaim } = await import("./_plan-check.ts");
  await checkClaim(context, step);
}

function replyTo(done: PlanAccepted, { project }: Context): Reported {
  const { reply, state, ended, told } = done;
  switch (reply.kind) {
    case "complaint":
      throw new Fault("invalid_input", msg("plan.complaint", { complaint: reply.complaint }), {
        hint: msg("plan.complaint.hint", { left: reply.left }),
      });
    case "retry": {
      const { retry, notBefore } = reply;
      const until = notBefore === null ? "" : `:${new Date(notBefore).toISOString()}`;
      return { line: `RETRY:${retry}/3${until}`, says: msg("plan.says.retry") };
    }
    case "replan":
      return { line: "REPLAN", says: msg("plan.says.replan") };
    case "asks":
      return { line: "ESCALATED", says: msg("plan.asks.hint") };
    default: {
      const [end] = ended;
      const says = told.length === 0 ? null : allOf(told);
      if (end) return { line: `ALL_DONE:${end.run.result ?? ""}`, says };
      return { line: state.current_task ? `OK:${project.root}` : "OK", says };
    }
  }
}

/** Steps that this session holds. */
async function ownSteps(context: Context, { session }: Asked): Promise<number[]> {
  const store = await context.existingStore();
  if (store === undefined || (await store.projectAt(context.project.root)) === undefined) return [];
  const { task, run } = await readPlan(context, true);
  if (!task || !run) return [];
  const owner = ownerOf(session, context.env);
  return task.plan.steps.flatMap(({ id, status }) =>
    status === "in_progress" && stepRun(run, id).holder?.session === owner.session ? [id] : [],
  );
}
