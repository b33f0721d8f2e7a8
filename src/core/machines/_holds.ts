// Holds: the reasons why an agent must stand still (S1.9, S1.18, S1.21c, S5.2). `account`: it was
// refused (a login, a bill), which a person has to mend; `network`: it could not be reached;
// `workspace`: something else stands where its folder was.
//
// Each has its own on and off, like keys on one door: it opens when the last is taken away.
import { msg } from "../messages.ts";
import { type Verdict, all } from "../machine.ts";

/** `person` comes and goes with pause and resume, the others with the engine's park and unpark. */
export const holds = [
  "person",
  "limit",
  "budget",
  "disk",
  "account",
  "network",
  "workspace",
] as const;
export type Hold = (typeof holds)[number];

export interface HoldFacts {
  /** Those that are on. While the agent waits they are only remembered. */
  readonly holds: readonly Hold[];
  /** The one that park or unpark is about. */
  readonly hold: Exclude<Hold, "person"> | null;
}

type Guard = (facts: HoldFacts) => Verdict;
type Which = (facts: HoldFacts) => Hold | null;

export const held: Guard = (facts) => facts.holds.length > 0 || msg("agent.not_held");
export const free: Guard = (facts) => facts.holds.length === 0 || heldBy(facts.holds);
export const named: Guard = (facts) => facts.hold !== null || msg("agent.nothing_parks_it");

const person: Which = () => "person";
const parked: Which = (facts) => facts.hold;

export const notPausedYet = isOff(person);
export const pausedOnly = all(isOn(person), isLast(person));
export const pausedAndMore = all(isOn(person), isNotLast(person));
export const isPaused = isOn(person);

export const notParkedYet = all(named, isOff(parked));
export const parkedOnly = all(named, isOn(parked), isLast(parked));
export const parkedAndMore = all(named, isOn(parked), isNotLast(parked));
export const isParked = all(named, isOn(parked));

// --- internal ---

function isOff(which: Which): Guard {
  return (facts) => {
    const hold = which(facts);
    return (
      !facts.holds.some((on) => on === hold) || msg("agent.held_already", { hold: hold ?? "" })
    );
  };
}

function isOn(which: Which): Guard {
  return (facts) => {
    const hold = which(facts);
    return facts.holds.some((on) => on === hold) || msg("agent.not_held_by", { hold: hold ?? "" });
  };
}

function isLast(which: Which): Guard {
  return (facts) => {
    const others = facts.holds.filter((on) => on !== which(facts));
    return others.length === 0 || heldBy(others);
  };
}

function isNotLast(which: Which): Guard {
  return (facts) => facts.holds.some((on) => on !== which(facts)) || msg("agent.no_other_hold");
}

function heldBy(others: readonly Hold[]): Verdict {
  return msg("agent.held_by", { holds: others.join(", ") });
}
