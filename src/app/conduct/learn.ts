// Patterns of a project, looked for by an agent of ours (S4.7): one order in a clone whose work stays out of
// the project; what it wrote becomes knowledge in the commit that ends the run.
import { Fault } from "../../core/errors.ts";
import { type Message, msg, render } from "../../core/messages.ts";
import { retryLimits } from "../../core/retry.ts";
import type { Task, TaskData } from "../../engine/state.ts";
import type { AgentOrder, OrderOutcome } from "../../workflows/orders.ts";
import { complaint } from "../../workflows/request/apply.ts";
import type { Draft } from "../../workflows/request/events.ts";
import type { Patterns } from "../../workflows/request/learn.ts";
import { draftPlace } from "../../workflows/request/places.ts";
import { words } from "../../workflows/request/prompts/words.ts";
import { newRunData, newRunId, newRunRow } from "../_run-row.ts";
import type { Context } from "../operation.ts";
import { placeOf, projectOf } from "../request/documents.ts";
import { patternsIn } from "../request/drafts.ts";
import { learnInto } from "../request/learn.ts";
import { ownWords } from "../request/prompts.ts";
import type { Conductor } from "./conductor.ts";

const workflow = "learn";

/** Gives the id of the run's task. */
export async function startLearning(context: Context, agent: string): Promise<string> {
  const { projectId } = await placeOf(context);
  const { language } = context;
  const now = new Date().toISOString();
  const title = render(language, msg("request.learn.title"));
  const data: LearnData = {
    ...newRunData({ title, description: title, agent, language }),
    startedAt: now,
    session: { tries: 0, feedback: "", result: null },
  };
  const id = newRunId();
  const row = { ...newRunRow({ id, projectId, workflow, status: "in_progress" }, now), data };
  await (await context.store()).commit({ tasks: [row] });
  return id;
}

export const learnConductor: Conductor = {
  orders: async (context, taskId) => {
    const { session } = (await rowOf(context, taskId)).data;
    const { result, feedback } = session;
    if (result !== null) return { kind: "ended", result, why: feedback };
    const place = { phase: 1, phases: 1, name: workflow };
    return { kind: "orders", orders: [await orderOf(context, session)], place };
  },
  begin: async (context, taskId, key) => {
    const { session } = (await rowOf(context, taskId)).data;
    return session.result === null && key === keyOf(session);
  },
  take: async (context, taskId, outcome) => {
    const row = await rowOf(context, taskId);
    const { session } = row.data;
    if (session.result !== null || outcome.key !== keyOf(session)) return;
    const read = await readFrom(context, outcome);
    if (read.ok) {
      const change = {
        tasks: [withSession(row, { ...session, feedback: "", result: "completed" })],
      };
      await learnInto(context, read.value as Patterns, change);
      return;
    }
    const tries = session.tries + 1;
    const over = tries > retryLimits.contract || read.over;
    const next = { tries, feedback: read.why, result: over ? ("failed" as const) : null };
    const kept = await (await context.store()).commit({ tasks: [withSession(row, next)] });
    // Somebody wrote the row meanwhile: told again in a moment.
    if (!kept.ok) throw new Fault("locked", kept.what);
  },
};

// --- internal ---

interface Learning {
  readonly tries: number;
  /** What the next try has to know; at the end why it failed. */
  readonly feedback: string;
  readonly result: "completed" | "failed" | null;
}

type LearnData = TaskData & { readonly session: Learning };
type LearnRow = Task & { readonly data: LearnData };

const draft = draftPlace(workflow, "patterns");

function keyOf({ tries }: Learning): string {
  return `${workflow}-${tries + 1}`;
}

async function rowOf(context: Context, taskId: string): Promise<LearnRow> {
  const row = (await (await context.store()).task(taskId)) as LearnRow | undefined;
  if (row?.workflow !== workflow) throw new Fault("not_found", msg("task.unknown", { id: taskId }));
  return row;
}

function withSession(row: LearnRow, session: Learning): LearnRow {
  return { ...row, data: { ...row.data, session } };
}

async function orderOf(context: Context, session: Learning): Promise<AgentOrder> {
  const say = words[context.language];
  const role = "code-explore";
  const own = (await ownWords(context))[role] ?? say.roles[role];
  const before = session.feedback === "" ? [] : [`## ${say.before}\n\n${session.feedback}`];
  return {
    kind: "agent",
    key: keyOf(session),
    unit: workflow,
    title: render(context.language, msg("request.learn.title")),
    role,
    prompt: [own, say.alsoPatterns(draft), ...before].join("\n\n"),
    agent: null,
    permissions: null,
    branch: { name: null },
    merges: false,
    deliverables: [{ path: draft, minCharacters: 1 }],
    commands: [],
    reworks: 1,
    verifier: null,
    review: false,
    wanted: [draft],
  };
}

type Read =
  | Extract<Draft, { ok: true }>
  | { readonly ok: false; readonly why: string; readonly over: boolean };

async function readFrom(context: Context, outcome: OrderOutcome): Promise<Read> {
  const refused = (why: Message): Read => ({
    ok: false,
    why: render(context.language, why),
    over: false,
  });
  if (outcome.kind === "failed")
    return { ok: false, why: outcome.reason, over: outcome.why === "cancelled" };
  const text = outcome.kind === "done" ? outcome.files[draft] : undefined;
  if (text === undefined) return refused(msg("request.no_draft", { path: draft }));
  const project = projectOf(await placeOf(context));
  const read = await patternsIn({ project }, draft, text);
  return read.ok ? read : refused(complaint(draft, read.findings, context.language));
}
