// For tests: one task, played input by input without a process or a disk. After each input what the
// tables guarantee is checked on every record, and the slots are counted.
import { agentMachine } from "../../core/machines/agent.ts";
import { taskMachine } from "../../core/machines/task.ts";
import type { Signal } from "../../core/protocol.ts";
import type { AgentEvent } from "../../agents/adapters/adapter.ts";
import { adapterOf } from "../../agents/adapters/adapters.ts";
import type { ProjectSettings } from "../../formats/project-settings.ts";
import type { TransitionRow } from "../../store/database/store.ts";
import { taskTypeOf } from "../../workflows/phases/types.ts";
import { Draft, type Effect, timerKey } from "../_draft.ts";
import { type Input, decide } from "../inputs.ts";
import {
  type CheckTook,
  type Kind,
  type Kinds,
  type Task,
  type TaskState,
  kinds,
  notBegun,
  stateOf,
} from "../state.ts";
import type { Command } from "./commands.ts";
import { agentRecord, taskRecord } from "./facts.ts";
import { type Answer, type World, defaultPolicies } from "./world.ts";

const programs = { sample: ["sample-agent"] };

export class Play {
  state: TaskState;
  now = Date.parse("2026-01-01T00:00:00.000Z");
  free: number;
  /** All that was ever committed, in order. */
  readonly effects: Effect[] = [];
  readonly journal: Omit<TransitionRow, "seq">[] = [];
  readonly timers = new Map<string, number>();
  around: Partial<World> = {};
  /** Holds the project's own types; one agent alone, unless a test is about verifiers. */
  settings: ProjectSettings = { version: 1, verifier: { enabled: false } };
  #ids = 0;
  #offset = 0;

  constructor(type = "create_app", slots = 1, data: Partial<Task["data"]> = {}) {
    this.free = slots;
    const task: Task = {
      id: "task_1",
      projectId: "p1",
      workflow: type,
      status: "draft",
      priority: 2,
      queuedAt: null,
      archived: false,
      retryOf: null,
      rev: 1,
      createdAt: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-01-01T00:00:00.000Z",
      data: {
        title: "A list",
        description: "To remember things.",
        agent: "sample",
        script: null,
        language: "en",
        document: null,
        dependsOn: [],
        budget: null,
        ...notBegun,
        ...data,
      },
    };
    this.state = stateOf(task, []);
  }

  get task(): Task {
    return this.state.task;
  }
  get agent(): Kinds["agent"] {
    const agents = this.all("agent");
    const workers = agents.filter(({ data }) => data.role === "work");
    const agent = workers.findLast(({ status }) => status !== "failed") ?? workers.at(-1);
    if (agent === undefined) throw new Error("there is no agent");
    return agent;
  }
  all<K extends Kind>(kind: K): Kinds[K][] {
    return [...this.state.entities[kind].values()] as Kinds[K][];
  }
  open<K extends "question" | "dependency" | "review">(kind: K): Kinds[K] {
    const found = this.all(kind).find(({ status }) => status === "open");
    if (found === undefined) throw new Error(`no open ${kind}`);
    return found;
  }
  /** `task`, then the agent if there is one. */
  get stands(): string {
    return this.all("agent").length === 0
      ? this.task.status
      : `${this.task.status}/${this.agent.status}`;
  }

  put(input: Input): Answer {
    const ids = { next: () => `i${++this.#ids}` };
    const draft = new Draft(this.state, this.now, ids);
    const answer = decide(draft, input, this.#world());
    const change = draft.toChange();
    this.state = draft.after();
    this.effects.push(...draft.effects);
    for (const each of draft.transitions) this.journal.push(each);
    for (const { key, dueAt } of change.timers ?? []) this.timers.set(key, dueAt);
    for (const key of change.timersGone ?? []) this.timers.delete(key);
    if (!draft.isGone) this.check();
    return answer;
  }

  /** What holds after every input. */
  check(): void {
    taskMachine.assertInvariants(taskRecord(this.task), this.task.id);
    for (const agent of this.all("agent"))
      agentMachine.assertInvariants(agentRecord(agent), agent.id);
    const held = this.all("agent").filter(({ data }) => data.slot);
    if (held.some(({ status }) => status !== "running"))
      throw new Error("a slot is held by one who stands still");
    for (const kind of kinds)
      for (const row of this.all(kind))
        if (row.rev < 1) throw new Error(`${kind} ${row.id} was not committed`);
    const alive = this.all("process").filter(({ status }) => status !== "ended");
    if (new Set(alive.map(({ data }) => data.agentId)).size < alive.length)
      throw new Error("two processes of one agent");
    if (held.length > 0 && alive.length === 0 && this.task.data.document?.stage === "work")
      throw new Error("a slot is held and nobody works");
  }

  command(command: Command): Answer {
    return this.put({ kind: "command", seq: null, command });
  }
  submit(): Answer {
    const type = taskTypeOf(this.task.workflow, this.settings, "en");
    if (type === undefined) throw new Error(`no type ${this.task.workflow}`);
    return this.command({ name: "submit", type });
  }
  /** Submitted, started, its process running. */
  begin(): this {
    this.submit();
    this.command({ name: "start" });
    this.started();
    return this;
  }
  started(): void {
    for (const { id, status } of this.all("process"))
      if (status === "starting")
        this.put({
          kind: "effect",
          key: `k${id}`,
          name: "start",
          result: { kind: "started", process: id },
        });
  }
  /** The newest that judges. */
  get verifier(): Kinds["agent"] {
    const agent = this.all("agent").findLast(({ data }) => data.role === "verifier");
    if (agent === undefined) throw new Error("there is no agent that judges");
    return agent;
  }
  judges(...criteria: ("passed" | "failed")[]): void {
    const found = criteria.map((status, place) => ({
      id: `c${place + 1}`,
      status,
      details: status === "failed" ? "too thin" : "",
      suggestion: "",
      affectedDocuments: [],
    }));
    this.saysAs(this.verifier, {
      type: "signal",
      signal: { kind: "verification_result", criteria: found, start: 0, end: 1 },
    });
    this.started();
  }
  says(...events: AgentEvent[]): void {
    this.saysAs(this.agent, ...events);
  }
  saysAs(agent: Kinds["agent"], ...events: AgentEvent[]): void {
    const process = agent.data.process ?? "";
    this.#offset += 100;
    this.put({ kind: "output", process, output: { events, offset: this.#offset, reader: "{}" } });
  }
  signals(signal: Partial<Signal> & Pick<Signal, "kind">): void {
    this.says({ type: "signal", signal: { start: 0, end: 1, ...signal } as Signal });
  }
  claims(phase: number): void {
    this.signals({ kind: "phase_complete", phase, completed: null, files: [] } as never);
  }
  asks(question = "Which?", options: readonly string[] = ["Red", "Blue"]): void {
    this.signals({
      kind: "user_question",
      category: "choice",
      question,
      options,
      default: null,
      required: true,
    } as never);
  }
  needs(name = "API_KEY", type = "api_key"): void {
    this.signals({
      kind: "dependency_request",
      type,
      name,
      description: "",
      required: true,
      default: null,
    } as never);
  }
  limited(seconds: number | null = 60): void {
    this.signals({
      kind: "error",
      type: "recoverable",
      recovery: "pause_and_retry",
      message: "limit",
      details: null,
      retryAfter: seconds,
      resetAt: null,
    } as never);
  }
  fatal(): void {
    this.signals({
      kind: "error",
      type: "fatal",
      recovery: "checkpoint_and_fail",
      message: "no way",
      details: null,
      retryAfter: null,
      resetAt: null,
    } as never);
  }
  exits(code: number | null, signal: string | null = null, agent = this.agent): void {
    this.put({ kind: "ended", process: agent.data.process ?? "", code, signal });
    this.started();
  }
  /** The engine looked at the claim. */
  checked(feedback?: string, took?: CheckTook): void {
    const document = this.task.data.document;
    const step = `check-${document?.phase}-${document?.round}`;
    const shown = { hash: "h1", since: null, tree: "t1", files: [] };
    const result =
      feedback === undefined
        ? ({ passed: true, shown, took } as const)
        : ({ passed: false, feedback, took } as const);
    this.put({
      kind: "effect",
      key: "kv",
      name: "verify",
      result: { kind: "checked", step, result },
    });
    this.started();
  }
  approve(hash = "h1"): Answer {
    return this.command({ name: "approve", reviewId: this.open("review").id, hash });
  }
  due(name: string, about = this.agent.id): void {
    const key = timerKey(this.task.id, name, about);
    const at = this.timers.get(key);
    if (at !== undefined) this.now = Math.max(this.now, at);
    this.put({ kind: "timer", key, name, data: {} });
    this.started();
  }
  /** The names of effects since the last call. */
  seen(): string[] {
    return this.effects.splice(0).map(({ name }) => name);
  }

  #world(): World {
    const isFree = (): boolean => this.free > 0;
    return {
      slots: {
        get free() {
          return isFree();
        },
        take: () => {
          if (!isFree()) return false;
          this.free--;
          return true;
        },
        give: () => {
          this.free++;
        },
      },
      adapterOf: (name) => adapterOf(name, programs),
      policies: defaultPolicies,
      gate: { closedUntil: null, parked: 0 },
      gateOf: () => ({ closedUntil: null, parked: 0 }),
      jitter: 0,
      holdBack: null,
      day: { budget: null, spent: { tokens: 0, costUsd: 0, milliseconds: 0 } },
      unfinishedDependencies: [],
      artefactsHash: "h1",
      changedFiles: [],
      missingDeliverables: [],
      deliverables: null,
      lastOutputAt: null,
      provided: new Set(),
      ...this.around,
    };
  }
}
