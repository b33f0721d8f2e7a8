// A call from inside an agent's run: whose it is, what it may see and say. It acts on its own task
// and on nothing else, and is believed only with what its process alone was told (S6.3).
import { timingSafeEqual } from "node:crypto";
import { Fault } from "../core/errors.ts";
import { type Message, msg } from "../core/messages.ts";
import type { Said } from "../core/protocol.ts";
import { type Redactor, createRedactor } from "../core/redact.ts";
import type { Command } from "../engine/decide/commands.ts";
import { blanked } from "../engine/output-secrets.ts";
import { type Kinds, type TaskState, markerTokens, stateOf } from "../engine/state.ts";
import type { Store } from "../store/database/store.ts";
import { openSecretBox } from "../store/secrets.ts";
import { secretValues } from "./_secret-values.ts";
import { refusalOf } from "./_task-rules.ts";
import type { Caller } from "./caller.ts";
import type { Context } from "./operation.ts";

export interface OwnRun {
  readonly state: TaskState;
  readonly agent: Kinds["agent"];
  readonly process: Kinds["process"];
  /** Blanks what was provided for the task. */
  readonly redactor: Redactor;
}

/** What came of something it said. */
export interface Told {
  /** `queued`: written down, and nobody is there to decide. `before`: it was said already. */
  readonly taken: "now" | "later" | "before" | "queued";
  readonly status: string;
}

export async function isProven(home: string, { run, proof }: Caller): Promise<boolean> {
  const wanted = Buffer.from(await openSecretBox(home).proof("run", run));
  const given = Buffer.from(proof);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** A Fault `refused` for who is in no run, in another's, or in one that is over. */
export async function ownRun(context: Context): Promise<OwnRun> {
  const { caller, home } = context;
  if (caller === null) throw new Fault("refused", msg("run.none"), { hint: msg("run.none.hint") });
  const store = await context.existingStore();
  // The proof first: nobody learns by asking which runs there are.
  if (store === undefined || !(await isProven(home.path, caller)))
    throw new Fault("refused", msg("run.unproven"), { hint: msg("run.unproven.hint") });
  const process = (await store.entity("process", caller.run)) as Kinds["process"] | undefined;
  const task = process && (await store.task(process.taskId));
  const state = task && stateOf(task, await store.entities({ taskId: task.id }));
  const agent = process && state?.entities.agent.get(process.data.agentId);
  const over = process?.status === "ended" || agent?.data.process !== caller.run;
  if (!process || !state || !agent || over)
    throw new Fault("refused", msg("run.replaced"), { hint: msg("run.replaced.hint") });
  return { state, agent, process, redactor: await redactorOf(store, home.path, state) };
}

/** A claim, a question, a need: decided like a marker, by whoever owns the task. */
export async function sayInRun(context: Context, said: Said): Promise<Told> {
  const run = await ownRun(context);
  const command = { name: "say", process: run.process.id, said: blanked(said, run.redactor) };
  return send(context, run, command as Command);
}

export async function noteInRun(context: Context, text: string): Promise<Told> {
  const run = await ownRun(context);
  const { id: process } = run.process;
  return send(context, run, { name: "note", process, text: run.redactor.text(text) });
}

/** What the agent is to know and do now. */
export function toldText({ taken, status }: Told): Message {
  if (taken === "queued") return msg("run.told.queued");
  if (taken === "later") return msg("run.told.later");
  if (status === "waiting_question") return msg("run.told.question");
  if (status === "waiting_dependency") return msg("run.told.dependency");
  if (status === "waiting_review") return msg("run.told.claimed");
  return taken === "before" ? msg("run.told.before") : msg("run.told.now");
}

// --- internal ---

async function send(context: Context, run: OwnRun, command: Command): Promise<Told> {
  const answer = await context.send(run.state.task.id, command);
  if (answer === undefined) return { taken: "queued", status: run.agent.status };
  if (!answer.ok) throw refusalOf(answer);
  const { taken, status } = answer.result ?? {};
  return {
    taken: (taken ?? "now") as Told["taken"],
    status: typeof status === "string" ? status : run.agent.status,
  };
}

async function redactorOf(store: Store, home: string, state: TaskState): Promise<Redactor> {
  const { id } = state.task;
  const values = await secretValues(store, openSecretBox(home), id);
  return createRedactor([...Object.values(values), ...markerTokens(state)]);
}
