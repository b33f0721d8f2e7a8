// What became of an order (workflows/orders.ts), as an event of the run. The outcome of an order that is
// not wanted any more, or was told before, changes nothing: its key is in no order now.
import { type FailureClass, failureClasses } from "../../core/retry.ts";
import { type Language, msg, render } from "../../core/messages.ts";
import type { Order, OrderOutcome } from "../orders.ts";
import { applyEvent } from "./apply.ts";
import { attemptOf, begun, definitionOf } from "./claims.ts";
import type { Accepted, RefusedEvent, Situation } from "./events.ts";
import { compare } from "./halt.ts";
import { type Project, ordersOf, uncheckedIn } from "./orders.ts";
import { type Checkpoint, type DevelopRun, unitIn, withUnit } from "./private.ts";
import { diagnosisFile, reviewFile } from "./prompts.ts";

/** A design's file, read: its checkpoints, or what is wrong with it and where. */
export type ReadDesign =
  | { readonly ok: true; readonly checkpoints: readonly Checkpoint[] }
  | { readonly ok: false; readonly problem: string };

type Taken = Accepted | RefusedEvent;

export function orderOf(situation: Situation, project: Project, key: string): Order | undefined {
  const wanted = ordersOf(situation, project);
  return wanted.kind === "orders" ? wanted.orders.find((order) => order.key === key) : undefined;
}

/** An order is begun: its checkpoints are in progress from now on. Null: it is not wanted. */
export function beginOrder(situation: Situation, project: Project, key: string): Accepted | null {
  const order = orderOf(situation, project, key);
  return order === undefined ? null : begin(situation, order);
}

export function takeOutcome(
  situation: Situation,
  project: Project,
  outcome: OrderOutcome,
  design: ReadDesign | null,
): Taken | null {
  const order = orderOf(situation, project, outcome.key);
  if (order === undefined) return null;
  // Told of an outcome, we were not told of its beginning: both happened.
  const first = begin(situation, order);
  const now = { ...situation, state: first.state, run: first.run };
  const made = taken(now, project, order, outcome, design);
  if (made === null || !made.ok) return made;
  return { ...made, journal: [...first.journal, ...made.journal] };
}

// --- internal ---

function begin(situation: Situation, order: Order): Accepted {
  const { state, run, now } = situation;
  const team = order.key.startsWith("TEAM-");
  const named = order.kind === "agent" ? (team ? order.unit.split(",") : [order.unit]) : [];
  const ids = named.filter((id) => state.checkpoints?.[id]?.status === "pending");
  const held = team && run.team === null ? { ...run, team: named } : run;
  const journal = ids.map((id) => {
    const moved = { from: "pending", to: "in_progress", trigger: "begin" } as const;
    return { machine: "checkpoint", id, ...moved, metadata: { order: order.key } } as const;
  });
  const after = ids.length === 0 ? state : { ...state, ...begun(state, ...ids), updated_at: now };
  return { ok: true, state: after, run: held, journal, answer: { kind: "ok" } };
}

function taken(
  situation: Situation,
  project: Project,
  order: Order,
  outcome: OrderOutcome,
  design: ReadDesign | null,
): Taken | null {
  const { run } = situation;
  switch (outcome.kind) {
    case "done":
      return done(situation, project, order, outcome, design);
    case "failed":
      return failed(situation, order, outcome);
    case "ran":
      return ran(situation, project, order, outcome);
    case "landed":
      return applyEvent(situation, { on: "landed" });
    case "not_landed":
      return changed(situation, { ...run, unlanded: outcome.reason });
    default:
      return answered(situation, order, outcome.answer);
  }
}

function done(
  situation: Situation,
  { language }: Project,
  order: Order,
  { files, words }: Extract<OrderOutcome, { kind: "done" }>,
  design: ReadDesign | null,
): Taken {
  const { run } = situation;
  const { key } = order;
  const unit = unitOf(order);
  if (key.startsWith("TEAM-")) {
    let next: DevelopRun = { ...run, team: null, serial: run.serial + 1 };
    for (const id of run.team ?? []) next = withUnit(next, id, { claimed: true });
    return changed(situation, next);
  }
  switch (unit) {
    case "DESIGN": {
      if (design?.ok !== true) return missed(situation, design?.problem ?? "");
      return applyEvent(situation, {
        on: "designed",
        checkpoints: design.checkpoints,
        approved: true,
      });
    }
    case "REVIEW": {
      const verdict = verdictOf(files[reviewFile] ?? "", language);
      if (verdict.ok) return applyEvent(situation, { on: "reviewed", findings: verdict.findings });
      return missed(situation, verdict.problem);
    }
    case "FIX":
    case "MERGE":
      return checks(situation, unit, []);
    default: {
      if (!key.endsWith("-diagnosis"))
        return changed(situation, withUnit(run, unit, { claimed: true }));
      const diagnosis = (files[diagnosisFile(unit)] ?? words).slice(0, mostDiagnosis);
      return changed(situation, withUnit(run, unit, { diagnosis }));
    }
  }
}

const mostDiagnosis = 20_000;

function failed(
  situation: Situation,
  order: Order,
  { why, reason }: Extract<OrderOutcome, { kind: "failed" }>,
): Taken {
  const { run, state } = situation;
  const { key } = order;
  const unit = unitOf(order);
  if (key.startsWith("TEAM-"))
    return changed(situation, { ...run, team: null, teamless: true, serial: run.serial + 1 });
  if (state.checkpoints?.[unit] === undefined) return missed(situation, reason);
  // Without a diagnosis the third attempt is made all the same.
  if (key.endsWith("-diagnosis")) return changed(situation, withUnit(run, unit, { diagnosis: "" }));
  // Who cancelled it is a person: it is theirs to say how it goes on.
  const failure = why === "cancelled" ? "ENV_ISSUE" : classIn(reason);
  return applyEvent(situation, {
    on: "failed",
    unit,
    attempt: attemptOf(situation, unit),
    failure,
    reason,
  });
}

function ran(
  situation: Situation,
  { language }: Project,
  order: Order,
  outcome: Extract<OrderOutcome, { kind: "ran" }>,
): Taken | null {
  const id = unitOf(order);
  const definition = definitionOf(situation, id);
  if (definition === undefined) return null;
  const verdict = compare(definition.validation.expected, outcome);
  const reason = verdict.matched ? "" : render(language, verdict.why);
  const { checking } = situation.run;
  if (checking === null) {
    const attempt = attemptOf(situation, id);
    return applyEvent(situation, { on: "halted", unit: id, attempt, verdict, reason });
  }
  if (!verdict.matched) return missed(situation, `${id}: ${reason}`);
  return checks(situation, situation.state.phase === "MERGE" ? "MERGE" : "FIX", [...checking, id]);
}

/** Each checkpoint once more, on the whole; then it counts. */
function checks(situation: Situation, unit: "FIX" | "MERGE", checking: readonly string[]): Taken {
  const now = { ...situation, run: { ...situation.run, checking } };
  if (uncheckedIn(now).length > 0) return changed(situation, now.run);
  return applyEvent(now, { on: "checked", unit });
}

function answered(situation: Situation, order: Order, answer: string): Taken | null {
  const { run } = situation;
  const unit = unitOf(order);
  const again = { ...run, misses: 0, unlanded: null, serial: run.serial + 1 };
  switch (/^\s*(\w+)/.exec(answer)?.[1]?.toLowerCase()) {
    case "retry":
      return applyEvent(situation, { on: "retry", unit });
    case "skip":
      return applyEvent(situation, { on: "skip", unit });
    case "accept":
      return applyEvent(situation, { on: "approve" });
    case "again":
      return changed(situation, again);
    case "back": {
      const feedback = run.unlanded ?? run.feedback ?? "";
      return applyEvent(situation, { on: "send_back", feedback });
    }
    case "stop": {
      // Resumed, it is asked anew, under another key: this answer is spent.
      const spent = withUnit(run, unit, { rounds: unitIn(run, unit).rounds + 1 });
      const stopped = order.kind === "ask" ? order.question : unit;
      return changed(situation, { ...spent, serial: run.serial + 1, stopped });
    }
    default:
      return null;
  }
}

// --- what is written down ---

/** The review's first line is its verdict; what follows blocks, or is worth knowing. */
function verdictOf(
  text: string,
  language: Language,
): { ok: true; findings: string | null } | { ok: false; problem: string } {
  const [first = "", ...rest] = text.trim().split("\n");
  const word = /^\W*(APPROVED|BLOCKING)\b/.exec(first)?.[1];
  if (word === "APPROVED") return { ok: true, findings: null };
  if (word === "BLOCKING") return { ok: true, findings: rest.join("\n").trim() || first };
  return {
    ok: false,
    problem: render(language, msg("develop.review.no_verdict", { path: reviewFile })),
  };
}

/** An agent that gave up may have said which kind it is; else nothing was implemented. */
function classIn(reason: string): FailureClass {
  const named = (Object.keys(failureClasses) as FailureClass[]).find((name) =>
    reason.includes(name),
  );
  return named ?? "NOT_IMPLEMENTED";
}

function unitOf(order: Order): string {
  return order.kind === "land" ? "MERGE" : order.unit;
}

function missed(situation: Situation, feedback: string): Accepted {
  const { run } = situation;
  const next = { ...run, feedback, misses: run.misses + 1, serial: run.serial + 1, checking: null };
  return changed(situation, next);
}

function changed({ state }: Situation, run: DevelopRun): Accepted {
  return { ok: true, state, run, journal: [], answer: { kind: "ok" } };
}
