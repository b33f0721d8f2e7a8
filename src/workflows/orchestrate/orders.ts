// What a run of a plan wants under way when no session drives it (S2.6): each unit that may be done in
// a clone of its phase's branch; with the last of a phase the branch tested as a whole and merged.
//
//   ready ──begin──▶ agent in a clone ──done──▶ on the phase's branch ─▶ completed
//                                                   └ last of its phase ─▶ land ─▶ completed
import { type Language, msg, render } from "../../core/messages.ts";
import type { ListedTask } from "../../formats/task-list.ts";
import type { AgentOrder, AskOrder, LandOrder, Order, Orders } from "../orders.ts";
import { type Board, isStuck, phasesOf } from "./board.ts";
import { type Next, type Rules, currentPhase, failedChoice, nextOf } from "./next.ts";
import { phaseIn } from "./plan.ts";
import type { RunData, UnitData } from "./private.ts";
import { linesOf, promptOf } from "./prompt.ts";

export interface OrdersOf {
  readonly board: Board;
  readonly run: RunData;
  readonly rules: Rules;
  /** Units that this run has begun, and what is known of any that is ready. */
  readonly own: readonly UnitData[];
  readonly known: ReadonlyMap<string, UnitData>;
  readonly plan: { readonly text: string; readonly tasks: ReadonlyMap<string, ListedTask> };
  /** Names of phases as branches; phase 0 has none (S2.6). */
  readonly branches: ReadonlyMap<number, string>;
  /** What a unit, and what a phase, has to pass. */
  readonly checks: (unit: string) => readonly string[];
  readonly gate: readonly string[];
  readonly language: Language;
}

export function ordersOf(about: OrdersOf): Orders {
  const { board, run, rules } = about;
  const own = about.own.map((unit) =>
    unit.merged ? landOrder(about, unit) : agentOrder(about, unit, unit.epoch),
  );
  const next = nextOf(board, run, rules, run.only ?? undefined);
  const stuck = stuckLands(about);
  // The next phase begins on what was landed: a branch made before would lack it.
  if (stuck.length > 0) return orders(about, [...own, ...stuck]);
  if (next.kind === "all_done" && own.length === 0) return endOf(next, about.language);
  const more = furtherOrders(about, next);
  if (typeof more === "string")
    return own.length > 0 ? orders(about, own) : { kind: "held", why: more };
  return orders(about, [...own, ...more]);
}

/** `T1.3-2` → `T1.3`; a landing says whose last unit it waits for. */
export function unitOfKey(key: string): string {
  return key.replace(/^land-\d+-/, "").replace(/-\d+$/, "");
}

/** Of a phase rather than of its last unit. */
export function isPhaseKey(key: string): boolean {
  return /^land-\d+-(?:done|whole)$/.test(key);
}

export function phaseOfKey(key: string): number {
  return Number(/^(?:land|failed|phase)-(\d+)/.exec(key)?.[1] ?? 0);
}

/** The words a person answers with. */
export const choices = ["continue", "fix", "skip", "merge", "stop"] as const;
export type Choice = (typeof choices)[number];

// --- internal ---

function orders({ board, rules, branches }: OrdersOf, list: readonly Order[]): Orders {
  const counts = phasesOf(board);
  const now = currentPhase(counts, rules);
  const place = now === undefined ? counts.length : counts.indexOf(now) + 1;
  const name = now === undefined ? null : (branches.get(now.phase) ?? null);
  return {
    kind: "orders",
    orders: list,
    place: { phase: Math.max(1, place), phases: Math.max(1, counts.length), name },
  };
}

function endOf(next: Next & { kind: "all_done" }, language: Language): Orders {
  const why =
    next.failed === 0
      ? ""
      : render(language, msg("orchestrate.says.failed", { count: next.failed }));
  return { kind: "ended", result: "completed", why };
}

/** A text: nothing can be done before somebody has decided, and nobody is to be asked. */
function furtherOrders(about: OrdersOf, next: Next): Order[] | string {
  const { known, language } = about;
  switch (next.kind) {
    case "ready":
      return next.ids.map((id) => {
        const unit = known.get(id) ?? { unit: id, ...unbegun };
        return agentOrder(about, unit, unit.epoch + 1);
      });
    case "phase_done":
      return next.asks
        ? [askOrder(about, `phase-${next.phase}-${about.run.asked ?? 0}`, next.phase)]
        : render(language, msg("conduct.phase_done", { phase: next.phase }));
    case "error":
      if (next.code === "PHASE_OPEN") return [closeOrder(about, Number(next.detail))];
      if (next.code !== "PHASE_FAILED")
        return render(language, msg("conduct.no_phase", { phase: next.detail }));
      return failedOrders(about, next.detail);
    default:
      return [];
  }
}

const unbegun = {
  holder: null,
  epoch: 0,
  startedAt: null,
  retries: 0,
  errors: [],
  problem: null,
  doneBy: null,
} as const;

function failedOrders(about: OrdersOf, detail: string): Order[] | string {
  const [phase = "0", ...ids] = detail.split(":");
  // Only mode normal asks; in the others the settings say what is done (S2.6).
  if (about.board.state.mode === "normal")
    return [askOrder(about, `failed-${phase}-${about.run.asked ?? 0}`, Number(phase), ids)];
  return render(about.language, msg("conduct.phase_failed", { phase, ids: ids.join(", ") }));
}

function askOrder(
  { language }: OrdersOf,
  key: string,
  phase: number,
  failed?: readonly string[],
): AskOrder {
  const explained = (word: Choice): string =>
    `- ${word}: ${render(language, msg(`conduct.choice.${word}`))}`;
  const question = failed
    ? msg("conduct.asks_failed", { phase, ids: failed.join(", ") })
    : msg("conduct.asks_phase", { phase });
  const words: Choice[] = failed ? ["fix", "skip", "merge", "stop"] : ["continue", "stop"];
  return {
    kind: "ask",
    key,
    unit: `phase_${phase}`,
    question: [render(language, question), ...words.map(explained)].join("\n"),
    options: words,
    default: null,
  };
}

function agentOrder(about: OrdersOf, unit: UnitData, epoch: number): AgentOrder {
  const { board, plan, branches, checks, language } = about;
  const task = plan.tasks.get(unit.unit);
  const text = task === undefined ? "" : linesOf(plan.text, task);
  const retryLimit = board.state.config.retry_limit;
  const phase = phaseIn(board.facts.phases, unit.unit);
  return {
    kind: "agent",
    key: `${unit.unit}-${epoch}`,
    unit: unit.unit,
    title: task === undefined ? unit.unit : `${unit.unit}: ${task.title}`,
    role: "implementer",
    prompt: promptOf({ id: unit.unit, task, text, unit, retryLimit }, language),
    agent: null,
    permissions: null,
    branch: { name: branches.get(phase) ?? null },
    merges: true,
    deliverables: [],
    commands: checks(unit.unit),
    // A refused claim is a failed attempt: the next one gets more to go by (S2.5).
    reworks: 0,
    verifier: null,
    review: false,
    wanted: [],
  };
}

function landOrder({ board, branches, gate, language }: OrdersOf, unit: UnitData): LandOrder {
  const phase = phaseIn(board.facts.phases, unit.unit);
  return {
    kind: "land",
    key: `land-${phase}-${unit.unit}-${unit.epoch}`,
    branch: { name: branches.get(phase) ?? null },
    commands: gate,
    message: messageOf(branches.get(phase) ?? "", phase, language),
  };
}

/** Completed by hand: no unit is left whose landing it would be (S2.8). */
function closeOrder({ branches, gate, language }: OrdersOf, phase: number): LandOrder {
  const name = branches.get(phase) ?? null;
  return {
    kind: "land",
    key: `land-${phase}-whole`,
    branch: { name },
    commands: gate,
    message: messageOf(name ?? "", phase, language),
    opens: true,
  };
}

/** Phases with failures of which somebody wants what was done (S2.6). */
function stuckLands({ board, rules, branches, language }: OrdersOf): LandOrder[] {
  return phasesOf(board).flatMap((count): LandOrder[] => {
    const { phase, completed } = count;
    const name = branches.get(phase);
    const landed = board.state.checkpoints[`phase_${phase}`]?.merged === true;
    if (!isStuck(count) || completed === 0 || landed || name === undefined) return [];
    if (failedChoice(rules, phase) !== "merge") return [];
    const message = messageOf(name, phase, language);
    return [{ kind: "land", key: `land-${phase}-done`, branch: { name }, commands: [], message }];
  });
}

function messageOf(branch: string, phase: number, language: Language): string {
  return render(language, msg("conduct.merge_message", { phase, branch }));
}
