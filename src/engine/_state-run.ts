// What a task knows of runs of workflows: of one that it is, and of one that made it.

export interface RunPlace {
  /** Counted from 1. */
  readonly phase: number;
  readonly phases: number;
  readonly name: string | null;
  readonly paused: boolean;
  /** Its agents were told to stand still: who lets it go on has to tell them. */
  readonly stilled?: boolean;
  /** Why nothing is done before a person says that it may go on. */
  readonly held: string | null;
  /** Since when. */
  readonly heldAt?: string | undefined;
  /** The question whose answer lets it go on. */
  readonly heldBy?: string | null;
}

/** Where a task's work comes from, and where it goes. */
export interface OrderOrigin {
  /** The run's task. */
  readonly task: string;
  readonly key: string;
  readonly unit: string;
  /** The commit its clone begins at, and the branch that goes on from there. */
  readonly base: string;
  readonly branch: string | null;
  /** What it changed stays out of the branch: nothing of it is missing there. */
  readonly merges?: false;
  /** For its process. */
  readonly env?: Readonly<Record<string, string>>;
}
