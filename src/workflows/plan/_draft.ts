// The world of a plan while an event is applied to it: each change replaces a part, so that what was
// handed in stays as it was and a refusal leaves nothing behind.
import { type Message, msg, render } from "../../core/messages.ts";
import type { SharedContext } from "../../formats/shared-context.ts";
import type { TaskHistory } from "../../formats/task-history.ts";
import type { PlanTask, TaskState } from "../../formats/task-state.ts";
import type { Journaled, PlanAccepted, PlanRefused, PlanReply, Situation } from "./events.ts";
import { type PlanRun, type StepRun, runOf, stepRun } from "./run.ts";

export type PlanStep = PlanTask["plan"]["steps"][number];
export type Issue = NonNullable<PlanTask["issues"]>[number];

export class Draft {
  readonly now: number;
  readonly at: string;
  state: TaskState;
  history: TaskHistory;
  context: SharedContext;
  readonly runs: Map<string, PlanRun>;
  readonly journal: Journaled[] = [];
  readonly told: Message[] = [];
  readonly ended: { task: PlanTask; run: PlanRun }[] = [];
  readonly #language: Situation["language"];

  constructor({ state, history, context, runs, now, language }: Situation) {
    this.state = state;
    this.history = history;
    this.context = context;
    this.runs = new Map(runs);
    this.now = now;
    this.at = new Date(now).toISOString();
    this.#language = language;
  }

  /** Undefined: no plan is current. */
  get task(): PlanTask | undefined {
    return this.state.current_task ?? undefined;
  }

  get run(): PlanRun {
    const { task } = this;
    if (task === undefined) throw new Error("no plan is current");
    return this.runs.get(task.id) ?? runOf(task);
  }

  get steps(): readonly PlanStep[] {
    return this.task?.plan.steps ?? [];
  }

  say(message: Message): string {
    return render(this.#language, message);
  }

  setState(change: Partial<TaskState>): void {
    this.state = { ...this.state, ...change, last_updated: this.at };
  }

  setTask(change: Partial<PlanTask>): void {
    const { task } = this;
    if (!task) return;
    // Never back: by this the history knows a plan that was taken up again from one that ended.
    const before = task.updated_at ?? this.at;
    const updated = Date.parse(before) > this.now ? before : this.at;
    this.setState({ current_task: { ...task, ...change, updated_at: updated } });
  }

  setRun(change: Partial<PlanRun>): void {
    const { run } = this;
    this.runs.set(run.plan, { ...run, ...change });
  }

  setSteps(steps: readonly PlanStep[]): void {
    const { task } = this;
    if (!task) return;
    const { current_step: _, ...plan } = task.plan;
    const at =
      steps.find(({ status }) => status === "in_progress") ??
      steps.find(({ status }) => status !== "completed");
    this.setTask({ plan: { ...plan, steps: [...steps], current_step: at?.id ?? null } });
  }

  setStep(id: number, change: Partial<PlanStep>): void {
    this.setSteps(this.steps.map((step) => (step.id === id ? { ...step, ...change } : step)));
  }

  setStepRun(id: number, change: Partial<StepRun>): void {
    const { run } = this;
    this.setRun({ steps: { ...run.steps, [String(id)]: { ...stepRun(run, id), ...change } } });
  }

  /** Issues of a step (of all: null) that were still open. */
  resolve(step: number | null, resolution: string): void {
    const issues = (this.task?.issues ?? []).map((issue): Issue => {
      const ours = step === null || issue.step_id === step;
      if (!ours || issue.resolved === true) return issue;
      return { ...issue, resolved: true, resolution, resolved_at: this.at };
    });
    if (issues.length > 0) this.setTask({ issues });
  }

  move(
    machine: Journaled["machine"],
    id: string,
    move: { from: string; to: string; trigger: string },
    metadata: Journaled["metadata"] = {},
  ): void {
    const plan = machine === "plan-task" ? id : (this.task?.id ?? "");
    this.journal.push({ machine, plan, id, ...move, metadata });
  }

  accepted(reply: PlanReply): PlanAccepted {
    const { state, history, context, runs, journal, ended, told } = this;
    return { ok: true, state, history, context, runs, reply, journal, ended, told };
  }
}

export function refused(why: Message, hint?: Message): PlanRefused {
  return { ok: false, kind: "refused", why, ...(hint ? { hint } : {}) };
}

export function noPlan(): PlanRefused {
  return refused(msg("plan.none"), msg("plan.none.hint"));
}

/** Steps a step waits for, as people know them. */
export function unfinished(steps: readonly PlanStep[], { dependencies }: PlanStep): string[] {
  return dependencies.flatMap((id) => {
    const other = steps.find((step) => step.id === id);
    return other?.status === "completed" ? [] : [`${id} ${other?.name ?? ""}`.trim()];
  });
}
