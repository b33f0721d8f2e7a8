// What a plan knows that its file has no field for (DESIGN, "Data"): where it stands between its steps,
// how often each was tried, and who holds it. One for each plan that is under way, waits or has ended.
import type { PlanTask } from "../../formats/task-state.ts";
import type { Earlier } from "./history.ts";
import type { Seen } from "../judges.ts";
import type { Holder } from "../orchestrate/private.ts";

/**
 * plan ─▶ (approve) ─▶ work ─▶ judge ─▶ close ─▶ ended
 *  ▲                     │
 *  └── a failure that no retry mends: planned again, what is finished stays
 */
export type Stage = "plan" | "approve" | "work" | "judge" | "close" | "ended";

/** What a failed step is told when it is tried again (S3.8). */
export type Way = "retry" | "revise" | "recover_dependency" | "find_alternative";

export interface StepRun<Process = unknown> {
  /** Attempts begun: they name the orders, so they only ever count up. */
  readonly attempt: number;
  /** Retries since it was last given a fresh start (S3.2: at most three). */
  readonly retries: number;
  /** How a failed step is tried again; null: it is not, somebody else decides first. */
  readonly way: Way | null;
  /** Milliseconds since 1970: not tried before. */
  readonly notBefore: number | null;
  readonly holder: Holder<Process> | null;
  /** Whose report completed it: told twice, it is the same report. */
  readonly doneBy: string | null;
  /** The step for whose sake this one was put in. */
  readonly recovers: number | null;
}

export interface Judged {
  readonly criterion: string;
  readonly met: boolean;
  readonly evidence: string;
}

export type PlanResult = "success" | "partial" | "failure";

export interface PlanRun<Process = unknown> {
  /** The plan's own id: task-2026-01-31-001. */
  readonly plan: string;
  readonly driver: "session" | "headless";
  /** A person approves the steps before any of them runs. */
  readonly review: boolean;
  readonly stage: Stage;
  /** Counts the plans made: the first, and each that replaced one. */
  readonly round: number;
  /** Answers of this stage that were refused (at most three). */
  readonly tries: number;
  readonly complaint: string | null;
  /** The refused answer itself, for who mends it. */
  readonly answer: string | null;
  /** Why it is planned again. */
  readonly why: string | null;
  /** How often it was planned again without a person's word. */
  readonly replans: number;
  /** A person is asked; `step` is null where it is not about one. */
  readonly asks: { readonly step: number | null; readonly report: string } | null;
  /** Count the questions to a person and the answers of agents: they name the orders. */
  readonly asked: number;
  readonly turn: number;
  readonly steps: Readonly<Record<string, StepRun<Process>>>;
  /** The highest step id there ever was: none is used twice. */
  readonly lastStep: number;
  readonly verdict: readonly Judged[] | null;
  readonly result: PlanResult | null;
  /** How it ended the last time, where it was taken up again. */
  readonly earlier: Earlier | null;
  readonly retries: number;
  readonly tokens: number;
  /** Sessions that took up steps or answered. */
  readonly sessions?: Seen;
  /** As it was when it ended: a failed one is taken up again from here (S3.2). */
  readonly task: PlanTask | null;
}

/** How often a plan is made anew by itself; then a person decides. */
export const maxReplans = 2;
/** How often an answer that breaks its form goes back to its author. */
export const maxComplaints = 3;

const fresh: Omit<PlanRun, "plan" | "driver" | "review"> = {
  stage: "plan",
  round: 1,
  tries: 0,
  complaint: null,
  answer: null,
  why: null,
  replans: 0,
  asks: null,
  asked: 0,
  turn: 1,
  steps: {},
  lastStep: 0,
  verdict: null,
  result: null,
  earlier: null,
  retries: 0,
  tokens: 0,
  task: null,
};

export const notTried: StepRun = {
  attempt: 0,
  retries: 0,
  way: null,
  notBefore: null,
  holder: null,
  doneBy: null,
  recovers: null,
};

export function newRun(wishes: Pick<PlanRun, "plan" | "driver" | "review">): PlanRun {
  return { ...wishes, ...fresh };
}

/** Of a plan that somebody else began, or whose home was lost: as far as its file tells. */
export function runOf({ id, plan }: PlanTask): PlanRun {
  const { steps } = plan;
  const run = newRun({ plan: id, driver: "session", review: false });
  const lastStep = Math.max(0, ...steps.map((step) => step.id));
  const retries = steps.reduce((sum, { error }) => sum + (error?.retries ?? 0), 0);
  const tried = steps.map((step) => {
    const { error } = step;
    const way = step.status === "failed" ? ("retry" as const) : null;
    return [String(step.id), { ...notTried, retries: error?.retries ?? 0, way }] as const;
  });
  const done = steps.length > 0 && steps.every(({ status }) => status === "completed");
  const stage = steps.length === 0 ? "plan" : done ? "judge" : "work";
  return { ...run, stage, lastStep, retries, steps: Object.fromEntries(tried) };
}

/** Whose reports completed its steps. */
export function authorsOf({ steps }: PlanRun): Set<string> {
  return new Set(Object.values(steps).flatMap(({ doneBy }) => doneBy ?? []));
}

export function stepRun({ steps }: PlanRun, id: number): StepRun {
  return steps[String(id)] ?? notTried;
}
