// What a person does with git beside a run, and what must come of it.
import type { Person } from "./person.ts";

/** While a unit works; just before it begins (in a session); while a phase is tested. */
export type Moment = `T${string}` | `before T${string}` | `gate ${number}`;

export interface Act {
  readonly at: Moment;
  readonly does: (person: Person) => void;
}

export const ways = ["session", "headless", "server"] as const;
/** session: somebody reports each step. headless: from a terminal. server: by the one that is running. */
export type Way = (typeof ways)[number];

export interface Settling {
  /** They mend it themselves. */
  readonly by?: (person: Person) => void;
  /** They say what counts. */
  readonly say?: "ours" | "theirs";
  readonly onto?: string;
}

export interface Scene {
  readonly name: string;
  readonly plan?: string;
  /** Committed before anything begins. */
  readonly files?: Readonly<Record<string, string>>;
  readonly settings?: string;
  /** There is something to test, so that each phase gets its worktree. */
  readonly gate?: boolean;
  /** What units write; else a file with their name. */
  readonly writes?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** How the repository is before the run begins. */
  readonly before?: (person: Person) => void;
  readonly acts: readonly Act[];
  /** The run is held, and says this; else it must go through. */
  readonly held?: RegExp;
  readonly settle?: Settling;
  /** Where the work is at the end, if not on main. */
  readonly target?: string;
  /** Units that the person took out of the history or of the files, and meant to. */
  readonly gone?: readonly string[];
  /** Files of units that the person changed after they had landed, and meant to. */
  readonly changed?: readonly string[];
  /** All, unless only some can be played. */
  readonly ways?: readonly Way[];
  /** What else must hold at the end. */
  readonly after?: (person: Person) => void;
}
