// What a develop run knows that state.yaml has no field for (S0.3, DESIGN "Data"): stored with the run
// in the same commit as the file. Without it, a clone or a lost home, the file alone goes on.
import type { FailureClass } from "../../core/retry.ts";
import type { Strategy } from "../../core/vocabulary.ts";
import { type CheckpointDefinitions, checkpointKey } from "../../formats/checkpoint-definitions.ts";

export interface Checkpoint {
  readonly id: string;
  readonly description: string;
  readonly interface: readonly string[];
  readonly tests: readonly string[];
  readonly validation: { readonly command: string; readonly expected: string };
  readonly dependencies: readonly string[];
}

/** A session's right to work on a unit (GLOSSARY, "Claim of a unit"). */
export interface Holder {
  readonly session: string;
  /** Whose end is the end of the session, where one is known. */
  readonly process: unknown;
  /** ISO 8601. */
  readonly since: string;
  /** Milliseconds since 1970: the lease runs out. */
  readonly until: number;
}

export interface Tried {
  readonly attempt: number;
  readonly failure: FailureClass;
  readonly reason: string;
}

/** Of a checkpoint, or of a phase that is one piece of work: DESIGN, REVIEW, FIX, MERGE. */
export interface UnitRun {
  readonly holder: Holder | null;
  /** How often a person has opened it again: with it every attempt ever has its own number. */
  readonly rounds: number;
  /** Headless: the agent has claimed it, and Halt is next. */
  readonly claimed: boolean;
  /** Headless: what the diagnosis before the third attempt said; null: not made. */
  readonly diagnosis: string | null;
  /** Attempts that failed since it was last open, for who tries next and for the person. */
  readonly tried: readonly Tried[];
  /** Passed on a person's word: its validation is not asked for again. */
  readonly skipped: boolean;
}

export const freshUnit: UnitRun = {
  holder: null,
  rounds: 0,
  claimed: false,
  diagnosis: null,
  tried: [],
  skipped: false,
};

export interface DevelopRun {
  /** Holdfast's own agents do the work; sessions only look. */
  readonly headless: boolean;
  /** Headless: the branch that is worked on. */
  readonly branch: string | null;
  readonly wish: Strategy | null;
  /** How often REVIEW has sent the design back (S0.7). */
  readonly rounds: number;
  /** Counts what was asked for in phases that are one piece of work: no key comes twice. */
  readonly serial: number;
  /** How often in a row such a piece came to nothing; then a person is asked. */
  readonly misses: number;
  /** For who does the phase's work next. */
  readonly feedback: string | null;
  /** As a person approved them: what an agent does to the file later changes no check. */
  readonly definitions: readonly Checkpoint[] | null;
  /** A design that was claimed in a session and waits for a person. */
  readonly proposed: readonly Checkpoint[] | null;
  /** A person decides about this before REVIEW goes on: it may send nothing back any more. */
  readonly findings: string | null;
  /** FIX or MERGE was claimed; each checkpoint is validated once more. Those that matched. */
  readonly checking: readonly string[] | null;
  /** In MERGE everything was checked; only a person, or the landing, is left. */
  readonly ready: boolean;
  /** Why the branch did not land; a person is asked. */
  readonly unlanded: string | null;
  /** Checkpoints that one team works on, as it was begun. */
  readonly team: readonly string[] | null;
  /** A team came to nothing: what is left is done one by one. */
  readonly teamless: boolean;
  /** A person ended it before its time. */
  readonly stopped: string | null;
  /** Another was begun in its place: nothing goes on here. */
  readonly replaced: boolean;
  readonly units: Readonly<Record<string, UnitRun>>;
}

export function newRun(
  given: Partial<Pick<DevelopRun, "headless" | "branch" | "wish">> = {},
): DevelopRun {
  return {
    headless: false,
    branch: null,
    wish: null,
    rounds: 0,
    serial: 1,
    misses: 0,
    feedback: null,
    definitions: null,
    proposed: null,
    findings: null,
    checking: null,
    ready: false,
    unlanded: null,
    team: null,
    teamless: false,
    stopped: null,
    replaced: false,
    units: {},
    ...given,
  };
}

export function unitIn({ units }: DevelopRun, id: string): UnitRun {
  return (Object.hasOwn(units, id) ? units[id] : undefined) ?? freshUnit;
}

export function withUnit(run: DevelopRun, id: string, change: Partial<UnitRun>): DevelopRun {
  return { ...run, units: { ...run.units, [id]: { ...unitIn(run, id), ...change } } };
}

/** Both spellings of an id are one (S0.4). */
export function checkpointsOf({ checkpoints }: CheckpointDefinitions): Checkpoint[] {
  return checkpoints.map(({ id, description, validation, ...rest }) => ({
    id: checkpointKey(id),
    description,
    interface: rest.interface ?? [],
    tests: rest.tests ?? [],
    validation,
    dependencies: (rest.dependencies ?? []).map(checkpointKey),
  }));
}
