// A state machine is a table of rows.
//
// The same rows give the next state (step), the allowed and refused events with their reasons
// (explain: the API's 409, the CLI's `why`), the diagrams (toMermaid) and the tests that walk
// every (state, event) pair. Several rows may share a pair: the first whose guard holds decides,
// so guards of one pair are written to exclude each other. What all rows of a pair ask comes
// first in each guard: then a refusal names that, and not which row would have been next.
//
// Not xstate: it drops an unknown event in silence and gives no reason (docs/adr/0002).
import { Fault } from "./errors.ts";
import { type Message, msg, render } from "./messages.ts";

/** The words of one machine, gathered so that a definition reads `defineMachine<TaskTypes>`. */
export interface MachineTypes {
  name: string;
  state: string;
  event: string;
  /** What the world looks like: what guards ask. */
  facts: object;
  /** What came with the event: a feedback text, an answer. */
  input: object;
  effect: string;
  /** The stored thing whose status this is. */
  record: object;
}

/** True, or why not. */
export type Verdict = true | Message;

/** A row that keeps the state it starts from. */
export const STAY = "(stay)";

export interface Row<T extends MachineTypes> {
  readonly from: T["state"] | readonly T["state"][];
  readonly on: T["event"];
  readonly to: T["state"] | typeof STAY;
  /** Does the world allow it? */
  readonly when?: (facts: T["facts"]) => Verdict;
  /** Did the event bring what it must? Not asked by explain(), which reports it as a need. */
  readonly needs?: (input: Partial<T["input"]>, facts: T["facts"]) => Verdict;
  /** What the engine has to do once the new state is committed, in this order. */
  readonly effects?: readonly T["effect"][];
}

/** Something true of every record in a state. */
export interface Guarantee<T extends MachineTypes> {
  readonly rule: Message;
  readonly holds: (record: T["record"]) => boolean;
}

export interface MachineSpec<T extends MachineTypes> {
  readonly name: T["name"];
  /** Its name in sentences: “the task”, 작업. */
  readonly title: Message;
  readonly states: readonly T["state"][];
  readonly events: readonly T["event"][];
  readonly initial: T["state"];
  /** States that end the life of the thing. */
  readonly final: readonly T["state"][];
  /** Events that somebody outside asks for: a refusal of one lists these alone. Default: all. */
  readonly asked?: readonly T["event"][];
  readonly rows: readonly Row<T>[];
  readonly stateOf: (record: T["record"]) => T["state"];
  readonly guarantees: Readonly<Record<T["state"], readonly Guarantee<T>[]>>;
}

/** A machine without its types: what diagrams, documents and lists of machines need. */
export interface MachineOutline {
  readonly name: string;
  readonly title: Message;
  readonly states: readonly string[];
  readonly events: readonly string[];
  readonly initial: string;
  readonly final: readonly string[];
  readonly rows: readonly OutlineRow[];
  readonly guarantees: Readonly<Record<string, readonly { readonly rule: Message }[]>>;
}

export interface OutlineRow {
  readonly from: string | readonly string[];
  readonly on: string;
  readonly to: string;
  readonly when?: unknown;
  readonly needs?: unknown;
  readonly effects?: readonly string[];
}

export interface Taken<T extends MachineTypes> {
  readonly ok: true;
  readonly from: T["state"];
  readonly to: T["state"];
  readonly effects: readonly T["effect"][];
  readonly row: Row<T>;
}

export interface Refusal<T extends MachineTypes> {
  readonly ok: false;
  /** no_transition: never from this state. refused: a row exists, its guard said no. */
  readonly code: "no_transition" | "refused";
  readonly reasons: readonly Message[];
  readonly allowed: readonly T["event"][];
}

/** One line of explain(). `needs` says what an allowed event must bring along. */
export type Explained<T extends MachineTypes> =
  | {
      readonly event: T["event"];
      readonly allowed: true;
      readonly to: T["state"];
      readonly needs?: Message;
    }
  | { readonly event: T["event"]; readonly allowed: false; readonly reasons: readonly Message[] };

export interface Machine<T extends MachineTypes> extends MachineSpec<T> {
  step(
    state: T["state"],
    event: T["event"],
    facts: T["facts"],
    input?: Partial<T["input"]>,
  ): Taken<T> | Refusal<T>;
  explain(state: T["state"], facts: T["facts"]): readonly Explained<T>[];
  /** Throws a `corrupt` Fault that names the broken rule; `id` is only for the message. */
  assertInvariants(record: T["record"], id?: string): void;
  rowsFor(state: T["state"], event: T["event"]): readonly Row<T>[];
}

export function defineMachine<T extends MachineTypes>(spec: MachineSpec<T>): Machine<T> {
  const index = indexRows(spec);
  const rowsFor = (state: T["state"], event: T["event"]): readonly Row<T>[] =>
    index.get(state)?.get(event) ?? [];

  const allowedIn = (state: T["state"], facts: T["facts"]): readonly T["event"][] =>
    allowedEvents<T>(
      spec.events.map((event) => explainEvent<T>(rowsFor(state, event), state, event, facts)),
    );

  return {
    ...spec,
    rowsFor,
    step: (state, event, facts, input = {}) => {
      const reasons: Message[] = [];
      for (const row of rowsFor(state, event)) {
        const verdict = row.when?.(facts) ?? true;
        if (verdict !== true) {
          reasons.push(verdict);
          continue;
        }
        const brought = row.needs?.(input, facts) ?? true;
        if (brought === true) return take(row, state);
        // This is the row, only its input is missing: why the others do not fit helps nobody.
        return { ok: false, code: "refused", reasons: [brought], allowed: allowedIn(state, facts) };
      }
      const allowed = allowedIn(state, facts);
      return reasons.length > 0
        ? { ok: false, code: "refused", reasons: unique(reasons), allowed }
        : {
            ok: false,
            code: "no_transition",
            reasons: [noTransition(spec, state, event, allowed)],
            allowed,
          };
    },
    explain: (state, facts) => {
      const lines = spec.events.map((event) =>
        explainEvent<T>(rowsFor(state, event), state, event, facts),
      );
      const allowed = allowedEvents<T>(lines);
      // Only now is it known what else would be possible: say it in the reasons left empty.
      return lines.map((line) =>
        line.allowed || line.reasons.length > 0
          ? line
          : { ...line, reasons: [noTransition(spec, state, line.event, allowed)] },
      );
    },
    assertInvariants: (record, id = "") => assertInvariants(spec, record, id),
  };
}

/** As routes and commands spell it: `request_changes` is asked for as `request-changes`. */
export function asWord(event: string): string {
  return event.replaceAll("_", "-");
}

/** A guard of several parts: the first refusal is told, so put the most basic part first. */
export function all<F>(...guards: readonly ((facts: F) => Verdict)[]): (facts: F) => Verdict {
  return (facts) => {
    for (const guard of guards) {
      const verdict = guard(facts);
      if (verdict !== true) return verdict;
    }
    return true;
  };
}

/** A Mermaid state diagram. Guarded rows carry a question mark; rows that look alike, one arrow. */
export function toMermaid(machine: MachineOutline): string {
  const lines = new Set(["stateDiagram-v2", `  [*] --> ${machine.initial}`]);
  for (const row of machine.rows) {
    for (const from of sources(row)) {
      const guarded = row.when || row.needs ? "?" : "";
      lines.add(`  ${from} --> ${row.to === STAY ? from : row.to} : ${row.on}${guarded}`);
    }
  }
  for (const state of machine.final) lines.add(`  ${state} --> [*]`);
  return `${[...lines].join("\n")}\n`;
}

// --- internal ---

function sources<S extends string>(row: { readonly from: S | readonly S[] }): readonly S[] {
  return typeof row.from === "string" ? [row.from] : row.from;
}

function indexRows<T extends MachineTypes>(
  spec: MachineSpec<T>,
): Map<string, Map<string, Row<T>[]>> {
  const index = new Map<string, Map<string, Row<T>[]>>();
  for (const state of spec.states) index.set(state, new Map());
  for (const row of spec.rows) {
    for (const from of sources(row)) {
      const byEvent = index.get(from);
      byEvent?.set(row.on, [...(byEvent.get(row.on) ?? []), row]);
    }
  }
  return index;
}

function take<T extends MachineTypes>(row: Row<T>, from: T["state"]): Taken<T> {
  return { ok: true, from, to: row.to === STAY ? from : row.to, effects: row.effects ?? [], row };
}

function explainEvent<T extends MachineTypes>(
  rows: readonly Row<T>[],
  state: T["state"],
  event: T["event"],
  facts: T["facts"],
): Explained<T> {
  const reasons: Message[] = [];
  for (const row of rows) {
    const verdict = row.when?.(facts) ?? true;
    if (verdict !== true) {
      reasons.push(verdict);
      continue;
    }
    const needs = row.needs?.({}, facts) ?? true;
    const to = row.to === STAY ? state : row.to;
    return needs === true ? { event, allowed: true, to } : { event, allowed: true, to, needs };
  }
  return { event, allowed: false, reasons: unique(reasons) };
}

function allowedEvents<T extends MachineTypes>(
  lines: readonly Explained<T>[],
): readonly T["event"][] {
  return lines.filter((line) => line.allowed).map((line) => line.event);
}

function noTransition<T extends MachineTypes>(
  { title: machine, asked }: MachineSpec<T>,
  state: string,
  event: T["event"],
  allowed: readonly T["event"][],
): Message {
  if (asked === undefined)
    return msg("machine.no_transition", {
      machine,
      state,
      event,
      allowed: allowed.join(", ") || "–",
    });
  const possible = asked.filter((each) => allowed.includes(each)).map(asWord);
  const words = { event: asWord(event), allowed: possible.join(", ") || "–" };
  return msg("machine.no_transition", { machine, state, ...words });
}

/** Two rows of a pair often refuse for the same reason: say it once. */
function unique(reasons: readonly Message[]): readonly Message[] {
  if (reasons.length < 2) return reasons;
  const seen = new Map(reasons.map((reason) => [render("en", reason), reason]));
  return [...seen.values()];
}

function assertInvariants<T extends MachineTypes>(
  spec: MachineSpec<T>,
  record: T["record"],
  id: string,
): void {
  const state = spec.stateOf(record);
  // The blank before the id belongs to it: a record without an id leaves no gap.
  const about = { machine: spec.title, id: id && ` ${id}`, state };
  if (!spec.states.includes(state)) {
    const known = spec.states.join(", ");
    throw new Fault("corrupt", msg("machine.unknown_state", { ...about, known }));
  }
  for (const { rule, holds } of spec.guarantees[state]) {
    if (!holds(record)) throw new Fault("corrupt", msg("machine.broken", { ...about, rule }));
  }
}
