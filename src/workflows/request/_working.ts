// A request while one thing that happened to it is worked in: what is changed, and what is journaled.
// Each change makes new objects; nothing that was read is touched.
import {
  type RequestEvent,
  type RequestFacts,
  requestMachine,
} from "../../core/machines/request.ts";
import { type Message, msg, render } from "../../core/messages.ts";
import { backoff, retryLimits } from "../../core/retry.ts";
import { judged } from "./assumptions.ts";
import { type Board, type SubtaskEntry, type TaskEntry, unfinishedTasks } from "./board.ts";
import type { Accepted, Answer, Journaled } from "./events.ts";
import { noKnowledge } from "./learn.ts";
import type { ContractRef } from "./places.ts";
import { type RequestRun, type SubtaskWork, noWork } from "./private.ts";

export class Working {
  board: Board;
  readonly now: string;
  answer: Answer = { kind: "taken" };
  readonly #contracts: [ContractRef, object | null][] = [];
  readonly #journal: Journaled[] = [];

  constructor(board: Board, now: string) {
    this.board = board;
    this.now = now;
  }

  done(): Accepted {
    const { session, state, run, knowledge } = this.board;
    return {
      session,
      state,
      run,
      knowledge,
      contracts: this.#contracts,
      journal: this.#journal,
      answer: this.answer,
    };
  }

  get state() {
    return this.board.state;
  }

  get run() {
    return this.board.run;
  }

  // --- changes ---

  setRun(part: Partial<RequestRun>): void {
    this.board = { ...this.board, run: { ...this.run, ...part } };
  }

  setRequest(part: Partial<Board["state"]["request"]>): void {
    const { state, session } = this.board;
    const request = { ...state.request, ...part };
    const { status, current_task } = request;
    this.board = {
      ...this.board,
      state: { ...state, request },
      // The session says the same of what both say.
      session: { ...session, status, current_task, updated_at: this.now },
    };
  }

  setTasks(tasks: Board["state"]["tasks"], order = this.state.task_order): void {
    this.board = { ...this.board, state: { ...this.state, tasks, task_order: order } };
  }

  setTask(id: string, part: Partial<TaskEntry>): void {
    const entry = this.state.tasks[id];
    if (entry === undefined) return;
    this.setTasks({ ...this.state.tasks, [id]: { ...entry, ...part, updated_at: this.now } });
    this.setRequest({});
  }

  setSubtask(task: string, id: string, part: Partial<SubtaskEntry>): void {
    const entry = this.state.tasks[task];
    const sub = entry?.subtasks[id];
    if (entry === undefined || sub === undefined) return;
    this.setTask(task, { subtasks: { ...entry.subtasks, [id]: { ...sub, ...part } } });
  }

  workOf(subtask: string): SubtaskWork {
    return this.run.work[subtask] ?? noWork;
  }

  setWork(subtask: string, part: Partial<SubtaskWork>): void {
    const work = { ...this.workOf(subtask), ...part };
    this.setRun({ work: { ...this.run.work, [subtask]: work } });
  }

  write(ref: ContractRef, value: object | null): void {
    this.#contracts.push([ref, value]);
  }

  learn(change: (known: NonNullable<Board["knowledge"]>) => NonNullable<Board["knowledge"]>): void {
    const known = this.board.knowledge ?? noKnowledge(this.board.session, this.now);
    const next = change(known);
    if (next !== known) this.board = { ...this.board, knowledge: next };
  }

  // --- retries ---

  retriesOf(name: string): number {
    return this.run.retries[name] ?? 0;
  }

  countRetry(name: string): number {
    const retries = this.retriesOf(name) + 1;
    this.setRun({ retries: { ...this.run.retries, [name]: retries } });
    return retries;
  }

  forget(...names: readonly string[]): void {
    const kept = Object.entries(this.run.retries).filter(([name]) => !names.includes(name));
    this.setRun({ retries: Object.fromEntries(kept) });
  }

  /** A person has decided on what was stuck: it has all its retries again, and nothing else has (S4.5). */
  letGo(): void {
    const { stuck, retries, phaseRetries } = this.run;
    if (!stuck) return;
    const kept = Object.entries(retries).filter(([name]) => {
      const [, of = ""] = name.split(" ");
      return of !== stuck.unit && !of.startsWith(`${stuck.unit}.`);
    });
    this.setRun({
      stuck: null,
      retries: Object.fromEntries(kept),
      phaseRetries: stuck.replanned ? 0 : phaseRetries,
    });
  }

  /** What the next try of a step has to know; null: nothing any more. */
  setFeedback(base: string, why: Message | null): void {
    const { [base]: _, ...others } = this.run.feedback;
    const text = why === null ? {} : { [base]: this.say(why) };
    this.setRun({ feedback: { ...others, ...text } });
  }

  say(text: Message): string {
    return render(this.run.language, text);
  }

  /** Tried again, or given up: then a person is asked (S4.2, S4.3). */
  again(kind: "agent" | "contract", base: string, unit: string, why: Message): void {
    const name = `${kind} ${base}`;
    const retries = this.countRetry(name);
    const left = retryLimits[kind] - retries;
    this.setFeedback(base, why);
    if (left < 0) return this.giveUp(unit, why);
    // What made an agent fail may pass; who wrote a wrong contract mends it at once.
    if (kind === "agent") {
      const until = Date.parse(this.now) + backoff("agent", retries - 1);
      this.setRun({ waits: { ...this.run.waits, [base]: until } });
    }
    this.answer = { kind: "again", what: base, why, left };
  }

  giveUp(unit: string, why: Message, replanned = false): void {
    if (this.state.request.status === "active") this.move("stop", {});
    const number = (this.run.done["ask"] ?? 0) + 1;
    const question = this.say(msg("request.ask", { id: this.run.id, unit, why }));
    this.setRun({ ask: { number, unit, question }, stuck: { unit, replanned } });
    this.answer = { kind: "stopped", why };
  }

  // --- the machines ---

  journal(line: Journaled): void {
    this.#journal.push(line);
  }

  /** A step of the request's own machine. What it refuses is returned. */
  move(event: RequestEvent, metadata: Readonly<Record<string, unknown>>): Message | null {
    const { global_phase: from, status } = this.state.request;
    const step = requestMachine.step(from, event, this.facts());
    if (!step.ok) return step.reasons[0] ?? msg("request.not_now");
    const marks = {
      mark_stopped: "stopped",
      mark_active: "active",
      mark_completed: "completed",
    } as const;
    const mark = step.effects.find((effect): effect is keyof typeof marks => effect in marks);
    this.setRequest({ global_phase: step.to, status: mark === undefined ? status : marks[mark] });
    const { id } = this.run;
    this.journal({ machine: "request", id, from, to: step.to, trigger: event, metadata });
    return null;
  }

  facts(): RequestFacts {
    const { state, explored, breakdown, run } = this.board;
    const assumptions = explored && breakdown ? judged(breakdown.assumptions, explored) : [];
    return {
      status: state.request.status,
      explored: explored !== undefined,
      brokenDown: breakdown !== undefined,
      assumptions: assumptions.length,
      wrongAssumptions: assumptions.filter(({ verdict }) => verdict === "wrong").length,
      phaseRetries: run.phaseRetries,
      unfinishedTasks: unfinishedTasks(state),
      reset: run.reset === true,
    };
  }
}
