// What a person does about a plan: each is one event, and then what there is to do now.
import { Fault } from "../../core/errors.ts";
import { type Message, msg } from "../../core/messages.ts";
import type { PlanTask } from "../../formats/task-state.ts";
import type { TaskRow } from "../../store/database/store.ts";
import { readRegularFile, resolvePath } from "../../store/files.ts";
import type { PlanEvent } from "../../workflows/plan/events.ts";
import { plan as inSession } from "../_session-plan.ts";
import { ownerOf } from "../_session-orchestrate-owner.ts";
import { readPlan } from "../_plan-read.ts";
import { allPlans, planOf } from "../_plan-rows.ts";
import { refusedPlan, takePlanStep } from "../_plan-step.ts";
import type { Context } from "../operation.ts";
import { answerTo } from "../conduct/answer.ts";
import { agentFor, fitProject } from "../conduct/fit.ts";
import { letRun } from "../conduct/row.ts";
import { startPlan } from "../planning.ts";
import { shown } from "./_plan-looks.ts";
import type { Input, Part, PlanAction, Planned } from "./plan.ts";

export const begin: Part = async (context, given) => {
  const { goal = "", queue, review, inSession: session } = given;
  const driver = session ? "session" : "headless";
  const agent = session ? given.agent : await fit(context, given);
  const wish = { goal, driver, queue, review, agent } as const;
  const { taskId, plan, queued, told } = await startPlan(context, wish);
  // One that waits is carried out when its turn comes.
  if (!session) await letRun(await context.store(), taskId, { agent }, Date.now());
  if (queued > 0)
    return { line: `QUEUED:${plan}`, says: [msg("plan.queued", { plan, place: queued }), ...told] };
  const says = [msg("plan.begun", { plan }), ...told];
  return session ? ahead(context, given, says) : followed(context, taskId, says);
};

const resume: Part = async (context, given) => {
  const { task, state, rows } = await readPlan(context);
  const waiting = state?.pending_tasks ?? [];
  const id = given.goal === "resume" ? given.detail : undefined;
  const other = id !== undefined && id !== task?.id && waiting[0]?.id !== id;
  const failed = other ? await failedPlan(context, id) : undefined;
  const driver = given.inSession ? ("session" as const) : undefined;
  const event: PlanEvent = failed
    ? { on: "recover", run: planOf(failed) }
    : { on: "resume", driver };
  // Before it goes on: is there somebody to work?
  const before = failed ?? rows.get(task?.id ?? waiting[0]?.id ?? "");
  const headless = before && planOf(before).driver === "headless" && (failed || !driver);
  const agent = headless ? await fit(context, { ...given, goal: "resume" }, before) : undefined;
  const says = await taken(context, given, event, true);
  const now = await readPlan(context);
  const row = [...now.rows.values()].find((one) => planOf(one).plan === now.run?.plan);
  if (row === undefined || now.run?.driver !== "headless") return ahead(context, given, says);
  await letRun(await context.store(), row.id, { agent }, Date.now());
  return followed(context, row.id, says);
};

const act =
  (eventOf: (given: Input, context: Context) => Promise<PlanEvent>): Part =>
  async (context, given) => {
    const says = await taken(context, given, await eventOf(given, context));
    return shown(await readPlan(context), says);
  };

const decide = (decision: "retry" | "replan" | "fail"): Part =>
  act(async ({ detail }) => {
    const step = decision === "retry" && detail !== undefined ? stepOf(detail) : null;
    if (decision === "replan" && detail === undefined)
      throw new Fault("invalid_input", msg("plan.no_reason"), { hint: msg("plan.no_reason.hint") });
    return { on: "decide", decision, step, because: detail ?? "" };
  });

/** Without a file: the open steps, in the form that it takes. */
const edit: Part = async (context, given) => {
  const { detail } = given;
  if (detail === undefined) {
    const { task } = await readPlan(context, true);
    if (!task) throw new Fault("refused", msg("plan.none"), { hint: msg("plan.none.hint") });
    return { line: `EDIT:${task.id}`, says: [msg("plan.edit.form")], prompt: formOf(task) };
  }
  const text = /^\s*\{/.test(detail)
    ? detail
    : new TextDecoder().decode(
        await readRegularFile(resolvePath(context.cwd, detail), longestFile),
      );
  return act(async () => ({ on: "edit", text }))(context, given);
};

export const parts: Readonly<Record<Exclude<PlanAction, "status">, Part>> = {
  approve: act(async () => ({ on: "approve" })),
  edit,
  pause: act(async () => ({ on: "pause" })),
  resume,
  retry: decide("retry"),
  replan: decide("replan"),
  fail: decide("fail"),
  cancel: act(async ({ detail }) => ({ on: "cancel", plan: detail ?? null })),
};

// --- internal ---

const longestFile = 1_000_000;

async function fit(context: Context, { agent, goal }: Input, run?: TaskRow): Promise<string> {
  await fitProject(context, goal === "resume");
  return agentFor(context, agent, run);
}

/** Carried out by Holdfast's own agents, to its end. */
async function followed(context: Context, id: string, says: Message[]): Promise<Planned> {
  return answerTo(await context.carryOut(id), { workflow: "plan", id }, says);
}

async function taken(
  context: Context,
  { session }: Input,
  event: PlanEvent,
  reopens = false,
): Promise<Message[]> {
  const owner = ownerOf(session, context.env);
  const done = await takePlanStep(context, { event, owner, resume: reopens });
  if (!done.ok) throw refusedPlan(done);
  const ended = done.ended.map(({ task, run }) =>
    msg("plan.says.done", { id: task.id, result: run.result ?? task.status }),
  );
  return [...ended, ...done.told];
}

/** What there is to do now, as `next` says it. */
async function ahead(context: Context, { session }: Input, says: Message[]): Promise<Planned> {
  const next = await inSession.next(context, { session });
  return {
    line: next.line,
    says: next.says === null ? says : [...says, next.says],
    ...(next.prompt === null ? {} : { prompt: next.prompt }),
  };
}

async function failedPlan(context: Context, id: string): Promise<TaskRow> {
  const rows = await allPlans(await context.store(), (await context.projectRow()).id);
  const row = rows.find((one) => planOf(one).plan === id);
  if (row === undefined) throw new Fault("not_found", msg("plan.unknown", { id }));
  return row;
}

function stepOf(text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new Fault("invalid_input", msg("plan.no_step", { id: text.slice(0, 20) }));
  return Number(text);
}

function formOf({ plan, context }: PlanTask): string {
  const open = plan.steps.filter(({ status }) => status !== "completed");
  const steps = open.map(({ id, name, agent, cluster, dependencies, files, check }) => ({
    id,
    name,
    agent,
    ...(cluster ? { cluster } : {}),
    dependencies,
    ...(Array.isArray(files) ? { files: files as unknown[] } : {}),
    ...(typeof check === "string" ? { check } : {}),
  }));
  const { constraints = [], resources = [] } = context;
  const { success_criteria } = plan;
  return JSON.stringify({ success_criteria, constraints, resources, steps }, null, 2);
}
