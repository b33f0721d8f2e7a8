// A run of orchestrate played without a disk: as a driver keeps it, by the reducer alone.
import type { OrchestrateState } from "../../src/formats/orchestrate-state.ts";
import { parseTaskList } from "../../src/formats/task-list.ts";
import { applyEvent } from "../../src/workflows/orchestrate/apply.ts";
import { boardOf } from "../../src/workflows/orchestrate/board.ts";
import type {
  Accepted,
  OrchestrateEvent,
  RefusedEvent,
} from "../../src/workflows/orchestrate/events.ts";
import { type Next, type Rules, nextOf } from "../../src/workflows/orchestrate/next.ts";
import { type PlanFacts, factsOf, factsWithoutPlan } from "../../src/workflows/orchestrate/plan.ts";
import { type RunData, type UnitData, runOf } from "../../src/workflows/orchestrate/private.ts";
import { startState } from "../../src/workflows/orchestrate/start.ts";

export const rules: Rules = { slots: 100, failedPhase: "ask" };
export const began = Date.parse("2026-02-01T10:00:00.000Z");

/** A run as a driver keeps it: the state, and what stands beside it. */
export class Play {
  state: OrchestrateState;
  run: RunData;
  facts: PlanFacts;
  rules = rules;
  readonly units = new Map<string, UnitData>();
  lost = new Set<string>();
  at = began;

  constructor(state: OrchestrateState, facts = factsWithoutPlan(state)) {
    this.state = state;
    this.facts = facts;
    this.run = runOf(state);
  }

  static of(text: string, mode?: OrchestrateState["mode"]): Play {
    const list = parseTaskList(text);
    if (list.problems.length > 0) throw new Error(`line ${list.problems[0]?.line} of the plan`);
    const now = new Date(began).toISOString();
    return new Play(startState(list, "folder", now, { mode }), factsOf(list));
  }

  do(event: OrchestrateEvent): Accepted | RefusedEvent {
    const id = "unit" in event ? event.unit : "";
    const { state, run, facts, lost } = this;
    const now = new Date(this.at).toISOString();
    const unit = this.units.get(id);
    const done = applyEvent({ state, run, facts, rules: this.rules, unit, lost, now }, event);
    if (!done.ok) return done;
    this.state = done.state;
    this.run = done.run;
    if (done.unit) this.units.set(id, done.unit);
    for (const other of done.released) {
      const had = this.units.get(other);
      if (had) this.units.set(other, { ...had, holder: null });
    }
    this.lost = new Set();
    return done;
  }

  start(unit: string, session = "a"): Accepted | RefusedEvent {
    const since = new Date(this.at).toISOString();
    return this.do({ on: "start", unit, holder: { session, process: null, since, until: 0 } });
  }

  done(unit: string, session = "a", gate = true): Accepted | RefusedEvent {
    return this.do({ on: "done", unit, session, check: "none", gate });
  }

  fail(unit: string, reason = "broken", session = "a"): Accepted | RefusedEvent {
    return this.do({ on: "fail", unit, session, reason });
  }

  next(phase?: number, most?: number): Next {
    return nextOf(boardOf(this.state, this.facts, this.lost), this.run, this.rules, phase, most);
  }

  /** The seed's jq recipe (S2.8). */
  completeByHand(id: string): void {
    const { tasks } = this.state;
    const failed = tasks.failed.filter((other) => other !== id);
    this.state = {
      ...this.state,
      tasks: { ...tasks, failed, completed: [...tasks.completed, id] },
    };
  }
}

export const answerOf = (done: Accepted | RefusedEvent): unknown =>
  done.ok ? done.answer : done.kind;
