// A run, carried out from a terminal until it ends or waits for a person who has to come first. Where a
// server of this home lives it does the work, and this process only reports it; else this process carries
// the run itself, and nothing else of the home (S6.5c).
import { Fault } from "../../core/errors.ts";
import type { Kinds, Task } from "../../engine/state.ts";
import type { Store } from "../../store/database/store.ts";
import { type Message, msg } from "../../core/messages.ts";
import { recordedAgent } from "../agent-choice.ts";
import type { Carrier } from "../carrying.ts";
import type { Skipped } from "../../core/skipped.ts";
import { skippedIn } from "../_settings.ts";
import type { Context } from "../operation.ts";
import { isServed } from "../server-file.ts";

import { childrenOf } from "./children.ts";
import { pauseRun } from "./row.ts";
import type { RunEnd } from "./run.ts";

/** Who works, then what happened, as it happens. */
export type RunPart =
  | {
      readonly agent: string;
      readonly task: string;
      /** The branch it lands on; null: none is recorded yet. */
      readonly onto: string | null;
      /** What of the user's own git is left aside. */
      readonly skipped: Skipped;
    }
  | {
      readonly unit: string;
      readonly from: string;
      readonly to: string;
      /** What happened, and to which step of it: where nothing moved it is all there is to tell. */
      readonly trigger: string;
      readonly step: string | null;
      readonly seq: number;
      /** Of an attempt that did not pass: which, and the kind of its failure. */
      readonly iteration?: number;
      readonly failure?: string;
      /** Why, in a line. */
      readonly reason?: string;
    }
  | { readonly waits: string; readonly task: string; readonly id: string; readonly text: string };

const lookMs = 300;

export async function carryThrough(
  context: Context,
  taskId: string,
  tell: (text: Message) => void,
): Promise<RunEnd> {
  const store = await context.store();
  await requireOther(context, store, taskId);
  await tellAgent(context, store, taskId);
  let carrier: Carrier | undefined;
  // Also later, when a server that did the work has ended.
  const carry = async (): Promise<void> => {
    if (carrier !== undefined || isServed(context.home.path)) return;
    const { openCarrier } = await import("../carrying.ts");
    carrier = await openCarrier({ cwd: context.project.root, env: context.env, tell }, taskId);
    await carrier.start();
  };
  try {
    const end = await follow(context, store, taskId, carry);
    const stopped = end.kind === "left" && context.ended.reason === "SIGINT";
    // Where a server does the work this terminal only looks on, and Ctrl-C ends the looking.
    if (!stopped || carrier === undefined) return end;
    tell(msg("conduct.pausing", { id: taskId }));
    return await pause(store, taskId);
  } finally {
    await carrier?.stop();
  }
}

// --- internal ---

/** Ctrl-C (S7.3): written down first, then waited until nobody of the run works any more. */
async function pause(store: Store, taskId: string): Promise<RunEnd> {
  await pauseRun(store, taskId, Date.now());
  for (;;) {
    const row = (await store.task(taskId)) as Task | undefined;
    const end = row === undefined ? ({ kind: "left" } as const) : endOf(row);
    if (end !== undefined) return end;
    if (row !== undefined && (await standsStill(store, row))) return { kind: "paused" };
    await new Promise((turn) => setTimeout(turn, lookMs));
  }
}

async function standsStill(store: Store, row: Task): Promise<boolean> {
  if (row.data.run?.stilled !== true) return false;
  for (const { id, status } of await childrenOf(store, row)) {
    if (status !== "in_progress") continue;
    const agents = await store.entities({ taskId: id, kind: "agent", status: "running" });
    const processes = (await store.entities({ taskId: id, kind: "process" })) as Kinds["process"][];
    const ends = processes.some((each) => each.status !== "ended" && each.data.stopping !== null);
    if (agents.length > 0 || ends || (await store.openEffects(id)).length > 0) return false;
  }
  return true;
}

/** Before anything starts (S6.5b). */
async function tellAgent(context: Context, store: Store, task: string): Promise<void> {
  const agent = recordedAgent(await store.task(task));
  if (agent === undefined) return;
  const { landsOn } = await import("../../git/target.ts");
  const { root } = context.project;
  const onto = await landsOn({ root, run: task });
  const skipped = onto === null ? { hooks: [], unsigned: false } : await skippedIn(root);
  context.emit({ agent, task, onto, skipped } satisfies RunPart);
}

/** An agent's own calls mean the run it works for, which waits for the agent. */
async function requireOther({ caller }: Context, store: Store, taskId: string): Promise<void> {
  const process = caller === null ? undefined : await store.entity("process", caller.run);
  const own = process && ((await store.task(process.taskId)) as Task | undefined);
  if (own !== undefined && (own.id === taskId || own.data.order?.task === taskId))
    throw new Fault("refused", msg("run.waits_for_itself", { task: taskId }), {
      hint: msg("run.waits_for_itself.hint"),
    });
}

async function follow(
  context: Context,
  store: Store,
  taskId: string,
  carry: () => Promise<void>,
): Promise<RunEnd> {
  const told = new Set<string>();
  let seq = await lastSeq(store, taskId);
  let version = -1;
  for (;;) {
    await carry();
    const now = await store.version();
    if (now !== version) {
      version = now;
      seq = await tellMoves(context, store, taskId, seq);
      const row = (await store.task(taskId)) as Task | undefined;
      const end = row === undefined ? ({ kind: "left" } as const) : endOf(row);
      if (end !== undefined) {
        // What moved between the two looks.
        await tellMoves(context, store, taskId, seq);
        return end;
      }
      if (row !== undefined) await tellWaits(context, store, row, told);
    }
    if (context.ended.aborted) return { kind: "left" };
    await paused(context.ended);
  }
}

function endOf({ status, data }: Task): RunEnd | undefined {
  if (status === "completed" || status === "failed")
    return { kind: "ended", result: status, why: data.failure?.message ?? "" };
  const held = data.run?.held ?? null;
  return held === null ? undefined : { kind: "held", why: held };
}

async function lastSeq(store: Store, taskId: string): Promise<number> {
  return (await store.transitions({ taskId })).at(-1)?.seq ?? 0;
}

/** What a line of the journal may say beside its move. */
interface Told {
  readonly step?: unknown;
  readonly iteration?: number;
  readonly failure?: string;
  readonly reason?: unknown;
}

async function tellMoves(
  context: Context,
  store: Store,
  taskId: string,
  after: number,
): Promise<number> {
  let last = after;
  for (const move of await store.transitions({ after, taskId })) {
    const { seq, machine, entityId, from, to, trigger } = move;
    last = Math.max(last, seq);
    const { step: named, iteration, failure, reason } = (move.metadata ?? {}) as Told;
    const failed = failure === undefined || iteration === undefined ? {} : { iteration, failure };
    const [why = ""] = typeof reason === "string" ? reason.trim().split("\n") : [];
    const step = typeof named === "string" ? named : null;
    // A phase is of the run as a whole.
    const unit = entityId === taskId ? machine.replace(/-phase$/, "") : entityId;
    const part: RunPart = {
      unit,
      from,
      to,
      trigger,
      step,
      seq,
      ...failed,
      ...(why && { reason: why }),
    };
    if (machine !== "task") context.emit(part);
  }
  return last;
}

/** Each once: what somebody has to answer, provide or look at before it goes on. */
async function tellWaits(
  context: Context,
  store: Store,
  row: Task,
  told: Set<string>,
): Promise<void> {
  const tasks = new Set([row.id, ...(await childrenOf(store, row)).map(({ id }) => id)]);
  for (const kind of ["question", "dependency", "review"] as const)
    for (const { id, taskId, data } of await store.entities({ kind, status: "open" })) {
      if (told.has(id) || !tasks.has(taskId)) continue;
      told.add(id);
      const { question, name } = data as { question?: string; name?: string };
      const part: RunPart = { waits: kind, task: taskId, id, text: question ?? name ?? "" };
      context.emit(part);
    }
}

function paused(signal: AbortSignal): Promise<void> {
  return new Promise((turn) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      turn();
    };
    const timer = setTimeout(done, lookMs);
    signal.addEventListener("abort", done);
  });
}
