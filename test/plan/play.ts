// A plan played without a disk: events, or orders with scripted outcomes, and after every one of them
// each document is checked against its format and each plan and step against its machine.
import { planStepMachine } from "../../src/core/machines/plan-step.ts";
import { type Codec, loadCodec } from "../../src/formats/codec.ts";
import type {
  Journaled,
  PlanEvent,
  PlanReply,
  PlanWorld,
} from "../../src/workflows/plan/events.ts";
import { applyPlan } from "../../src/workflows/plan/apply.ts";
import { initialMemory } from "../../src/workflows/plan/initial.ts";
import { eventOf, headlessSession, planOrders, stepIn } from "../../src/workflows/plan/orders.ts";
import type { Asking } from "../../src/workflows/plan/prompts.ts";
import { type PlanRun, runOf } from "../../src/workflows/plan/run.ts";
import type { Order, OrderOutcome } from "../../src/workflows/orders.ts";
import { type Message, render } from "../../src/core/messages.ts";

const codecs = {
  state: (await loadCodec("task-state")) as Codec<unknown>,
  history: (await loadCodec("task-history")) as Codec<unknown>,
  context: (await loadCodec("shared-context")) as Codec<unknown>,
};

export const midnight = Date.parse("2026-01-31T09:00:00.000Z");

/** What was asked for is not possible now; nothing has changed. */
export class Refused extends Error {}

export class Play {
  now: number;
  world: PlanWorld;
  readonly journal: Journaled[] = [];
  readonly told: Message[] = [];
  readonly ended: PlanRun[] = [];

  constructor(now = midnight) {
    this.now = now;
    const at = new Date(now).toISOString();
    this.world = {
      state: initialMemory("task-state", "", at),
      history: initialMemory("task-history", "", at),
      context: initialMemory("shared-context", "", at),
      runs: new Map(),
    };
  }

  /** As if another process had read the same documents: nothing but what JSON holds is left. */
  reread(): void {
    const { state, history, context, runs } = this.world;
    this.world = {
      state: copy(state),
      history: copy(history),
      context: copy(context),
      runs: new Map(copy([...runs])),
    };
  }

  /** The reply; a refusal is thrown as its English sentence. */
  do(event: PlanEvent, lost: readonly number[] = []): PlanReply {
    const situation = {
      ...this.world,
      now: this.now,
      language: "en",
      lost: new Set(lost),
    } as const;
    const before = JSON.stringify(this.world.state);
    const done = applyPlan(situation, event);
    if (JSON.stringify(situation.state) !== before) throw new Error("changed in place");
    if (!done.ok) throw new Refused(render("en", done.why));
    const { state, history, context, runs } = done;
    this.world = { state, history, context, runs };
    this.journal.push(...done.journal);
    this.told.push(...done.told);
    this.ended.push(...done.ended.map(({ run }) => run));
    this.check();
    return done.reply;
  }

  check(): void {
    for (const [name, codec] of Object.entries(codecs))
      sound(name, codec.check(this.world[name as keyof typeof codecs]));
    for (const step of this.task?.plan.steps ?? [])
      planStepMachine.assertInvariants(
        {
          status: step.status,
          startedAt: step.started_at,
          completedAt: step.completed_at,
          error: step.error,
        },
        String(step.id),
      );
  }

  begin(goal = "Ship it", more: Partial<Extract<PlanEvent, { on: "begin" }>> = {}): PlanReply {
    const usual = { queue: false, review: false, driver: "headless", taken: [] } as const;
    return this.do({ on: "begin", goal, ...usual, ...more });
  }

  get task() {
    return this.world.state.current_task;
  }

  get run(): PlanRun {
    if (!this.task) throw new Error("no plan");
    return this.world.runs.get(this.task.id) ?? runOf(this.task);
  }

  step(id: number) {
    return this.task?.plan.steps.find((step) => step.id === id);
  }

  asking(): Asking {
    if (!this.task) throw new Error("no plan");
    const { context, history } = this.world;
    const [agents, roles] = [new Map(), new Map()];
    return { task: this.task, run: this.run, context, history, agents, roles, language: "en" };
  }

  orders(): readonly Order[] {
    return this.task ? planOrders(this.asking()) : [];
  }

  keys(): string[] {
    return this.orders().map(({ key }) => key);
  }

  /** As the runner does it: begun, carried out, told. False: nobody wanted it any more. */
  play(outcome: OrderOutcome): boolean {
    if (!this.task) return false;
    const order = this.orders().find(({ key }) => key === outcome.key);
    const step = stepIn(outcome.key);
    if (order && step !== null) this.start(step);
    const event = eventOf(this.asking(), outcome);
    if (event === null) return false;
    this.do(event);
    return true;
  }

  start(step: number, session = headlessSession): void {
    const since = new Date(this.now).toISOString();
    this.do({
      on: "start",
      step,
      holder: { session, process: null, since, until: this.now + 3_600_000 },
    });
  }

  done(key: string, words = `${key} done`, files: Record<string, string> = {}): boolean {
    return this.play({ kind: "done", key, commit: null, changed: [], words, files });
  }

  failed(key: string, reason: string, why: "agent" | "check" | "cancelled" = "agent"): boolean {
    return this.play({ kind: "failed", key, why, reason });
  }

  /** An answer of a planner, verifier or closer, whatever its turn is. */
  answer(text: string): boolean {
    const [order] = this.orders();
    if (order?.kind !== "agent") throw new Error(`no answer is asked for: ${order?.key}`);
    const [path = ""] = order.wanted;
    return this.done(order.key, "", { [path]: text });
  }

  /** To its end, everything well. */
  finish(met: readonly boolean[] = [true]): void {
    for (let left = 200; this.run.stage === "work" && left > 0; left--)
      for (const key of this.keys()) this.done(key);
    this.answer(verdict(met));
    this.answer(closing);
  }
}

function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Whatever is found fails the test. */
export function sound(name: string, findings: readonly unknown[]): void {
  if (findings.length > 0) throw new Error(`${name}: ${JSON.stringify(findings)}`);
}

export interface Drawn {
  readonly id: number;
  readonly needs?: readonly number[];
  readonly agent?: string;
  readonly files?: readonly string[];
  readonly check?: string;
}

export function plan(steps: readonly Drawn[], criteria: readonly string[] = ["it works"]): string {
  return JSON.stringify({
    success_criteria: criteria,
    steps: steps.map(({ id, needs = [], agent = "writer", files, check }) => ({
      id,
      name: `step ${id}`,
      agent,
      dependencies: needs,
      ...(files ? { files } : {}),
      ...(check ? { check } : {}),
    })),
  });
}

export function verdict(met: readonly boolean[]): string {
  const criteria = met.map((one, place) => ({ criterion: place + 1, met: one, evidence: "seen" }));
  return JSON.stringify({ criteria });
}

export const closing = JSON.stringify({ summary: "It was done.", lessons: ["test first"] });
