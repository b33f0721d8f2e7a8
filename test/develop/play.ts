// A develop run played without a disk: as a driver keeps it, by the reducer alone. After every step the
// file is valid, what its states guarantee holds, and each version of it is counted as a write.
import { checkpointMachine } from "../../src/core/machines/checkpoint.ts";
import { developPhaseMachine } from "../../src/core/machines/develop-phase.ts";
import type { FailureClass } from "../../src/core/retry.ts";
import type { Strategy } from "../../src/core/vocabulary.ts";
import { loadCodec } from "../../src/formats/codec.ts";
import type { DevelopState } from "../../src/formats/develop-state.ts";
import { applyEvent, startState } from "../../src/workflows/develop/apply.ts";
import { attemptOf } from "../../src/workflows/develop/claims.ts";
import type {
  Accepted,
  DevelopEvent,
  Journaled,
  RefusedEvent,
  Rules,
  Situation,
} from "../../src/workflows/develop/events.ts";
import { type Ran, compare } from "../../src/workflows/develop/halt.ts";
import { type Next, nextOf } from "../../src/workflows/develop/next.ts";
import { type Project, ordersOf } from "../../src/workflows/develop/orders.ts";
import {
  type Checkpoint,
  type DevelopRun,
  checkpointsOf,
  newRun,
} from "../../src/workflows/develop/private.ts";
import { beginOrder, takeOutcome } from "../../src/workflows/develop/take.ts";
import type { Order, OrderOutcome } from "../../src/workflows/orders.ts";

const codec = await loadCodec("develop-state");
export const began = Date.parse("2026-02-16T10:00:00.000Z");

export const project: Project = {
  language: "en",
  own: {},
  path: "docs/develop/checkpoints.yaml",
  commands: ["npm test"],
  teamAgent: "claude",
};

/** `cp-2 < cp-1`: what stands behind the sign has to pass first. */
export function checkpoints(...lines: readonly string[]): Checkpoint[] {
  const parsed = lines.map((line) => {
    const [id = "", needs = ""] = line.split("<").map((part) => part.trim());
    return {
      id,
      description: `makes ${id}`,
      interface: [`src/${id}.ts`],
      tests: [`test/${id}.test.ts`],
      validation: { command: `npm test -- ${id}`, expected: "1 passed" },
      dependencies: needs === "" ? [] : needs.split(",").map((one) => one.trim()),
    };
  });
  return checkpointsOf({ checkpoints: parsed });
}

export const passes: Ran = { code: 0, output: "1 passed\n" };
export const fails: Ran = { code: 1, output: "expected 2, got 3\n" };

export class Play {
  state: DevelopState = startState("chat", new Date(began).toISOString());
  run: DevelopRun;
  rules: Rules = { slots: 4, means: { subagents: true, teams: true } };
  lost = new Set<string>();
  /** Versions of the file: the first is the start's. */
  writes = 1;
  readonly journal: Journaled[] = [];
  #at = began;

  constructor(given: Partial<Pick<DevelopRun, "headless" | "branch" | "wish">> = {}) {
    this.run = newRun(given);
  }

  /** A run whose checkpoints are begun, as sessions brought it there. */
  static implementing(all: readonly Checkpoint[], wish: Strategy | null = null): Play {
    const play = new Play({ wish });
    play.do({ on: "designed", checkpoints: all, approved: false });
    play.do({ on: "approve" });
    play.do({ on: "reviewed", findings: null });
    return play;
  }

  get situation(): Situation {
    const { state, run, rules, lost } = this;
    return { state, run, rules, lost, now: new Date((this.#at += 1_000)).toISOString() };
  }

  do(event: DevelopEvent): Accepted | RefusedEvent {
    return this.#keep(applyEvent(this.situation, event));
  }

  start(unit: string, session = "a"): Accepted | RefusedEvent {
    const since = new Date(this.#at).toISOString();
    return this.do({ on: "start", unit, holder: { session, process: null, since, until: 0 } });
  }

  /** DONE of a checkpoint: Halt ran its command, and this came of it. */
  done(unit: string, ran: Ran, session = "a"): Accepted | RefusedEvent {
    const definition = this.run.definitions?.find(({ id }) => id === unit);
    const verdict = compare(definition?.validation.expected ?? "", ran);
    const attempt = attemptOf(this, unit);
    return this.do({ on: "halted", unit, attempt, verdict, reason: ran.output, session });
  }

  fail(unit: string, failure: FailureClass, session = "a"): Accepted | RefusedEvent {
    const attempt = attemptOf(this, unit);
    return this.do({ on: "failed", unit, attempt, failure, reason: "it can not", session });
  }

  next(session = "a"): Next {
    return nextOf(this.situation, session);
  }

  // --- headless ---

  orders(): readonly Order[] {
    const wanted = ordersOf(this.situation, project);
    return wanted.kind === "orders" ? wanted.orders : [];
  }

  keys(): string[] {
    return this.orders().map(({ key }) => key);
  }

  order(key: string): Order {
    const found = this.orders().find((order) => order.key === key);
    if (found === undefined) throw new Error(`${key} is not wanted: ${this.keys().join(", ")}`);
    return found;
  }

  begin(key: string): boolean {
    const done = beginOrder(this.situation, project, key);
    if (done) this.#keep(done);
    return done !== null;
  }

  take(outcome: OrderOutcome, all?: readonly Checkpoint[]): boolean {
    const design = all === undefined ? null : ({ ok: true, checkpoints: all } as const);
    const done = takeOutcome(this.situation, project, outcome, design);
    if (done) this.#keep(done);
    return done?.ok === true;
  }

  /** An agent's order is begun and done. */
  works(key: string, files: Record<string, string> = {}, all?: readonly Checkpoint[]): boolean {
    this.begin(key);
    const made = { commit: "c", changed: [], words: "done", files } as const;
    return this.take({ kind: "done", key, ...made }, all);
  }

  ran(key: string, ran: Ran): boolean {
    return this.take({ kind: "ran", key, ...ran });
  }

  answers(key: string, answer: string): boolean {
    return this.take({ kind: "answered", key, answer });
  }

  /** As a driver that knows nothing but what is stored goes on. */
  stored(): void {
    this.state = JSON.parse(JSON.stringify(this.state)) as DevelopState;
    this.run = JSON.parse(JSON.stringify(this.run)) as DevelopRun;
  }

  #keep(done: Accepted | RefusedEvent): Accepted | RefusedEvent {
    if (!done.ok) return done;
    if (done.state !== this.state) this.writes++;
    this.state = done.state;
    this.run = done.run;
    this.journal.push(...done.journal);
    const wrong = codec.check(done.state).find(({ level }) => level === "error");
    if (wrong) throw new Error(`${wrong.pointer} of the file: ${wrong.text.key}`);
    const { phase, strategy = null, checkpoints: all = {} } = done.state;
    developPhaseMachine.assertInvariants({ phase, strategy, checkpoints: all });
    for (const [id, one] of Object.entries(all)) checkpointMachine.assertInvariants(one, id);
    return done;
  }
}

export const answerOf = (done: Accepted | RefusedEvent): unknown =>
  done.ok ? done.answer : done.why.key;
