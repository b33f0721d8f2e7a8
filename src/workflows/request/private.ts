// What a request knows that its files have no field for (DESIGN, "Data"): stored with them in one
// commit. Retries, what the next try has to know, how far a subtask is inside its phase.
import type { Language } from "../../core/messages.ts";
import type { GateName, RecommendedAction } from "../../core/vocabulary.ts";
import type { TestResult } from "../../formats/test-result.ts";
import { type Seen, otherJudges } from "../judges.ts";
import type { Holder } from "../orchestrate/private.ts";

/** What a verifier, or code, found about one thing that a design says. */
export interface Verdict {
  /** `INV-1`, `scope_out 2`, `boundary AController → ARepository`. */
  readonly item: string;
  readonly holds: boolean;
  readonly why: string;
  readonly by: "code" | "verifier";
}

export interface GateRecord {
  readonly result: "passed" | "failed";
  readonly at: string;
  readonly verdicts: readonly Verdict[];
  /** What nobody looked at, and why. */
  readonly uncovered: readonly string[];
}

/** A subtask's way through its phases. */
export interface SubtaskWork {
  /** The commit or tree it began with: what has changed since is its own. */
  readonly base: string | null;
  /** The test contract of this round is in. */
  readonly tested: boolean;
  readonly implemented: boolean;
  /** The session that implemented it; null: an agent of ours. */
  readonly by?: string | null;
  readonly changed: readonly string[];
  readonly commit: string | null;
  /** GATE-4 as far as code can see. */
  readonly scan: { readonly verdicts: readonly Verdict[]; readonly uncovered: readonly string[] };
  /** The qa-engineer's own result: a claim, until the engine has run the command. */
  readonly claim: {
    readonly command: string;
    readonly action: RecommendedAction;
    readonly reason: string;
    readonly failed: TestResult["failed_tests"];
  } | null;
  readonly gates: Readonly<Partial<Record<GateName, GateRecord>>>;
  /** What went wrong and was tried again: a pitfall, once it has succeeded (S4.7). */
  readonly failures: readonly {
    readonly gate: GateName;
    readonly why: string;
    /** What to do about it the next time. */
    readonly lesson?: string;
  }[];
}

export interface Asking {
  readonly number: number;
  readonly unit: string;
  readonly question: string;
}

export interface Stuck {
  readonly unit: string;
  /** The plan was made anew as often as it may be. */
  readonly replanned: boolean;
}

export interface RequestRun {
  /** `R1`. */
  readonly id: string;
  /** As it was asked: no document says it while the request waits for its turn. */
  readonly text: string;
  readonly language: Language;
  /** The branch that agents of ours work on; null: sessions work in the project's own tree. */
  readonly branch: string | null;
  /** What discovery still wants. */
  readonly open: readonly ("explore" | "plan")[];
  /** How often each step came to an end: numbers its keys, for ever. */
  readonly done: Readonly<Record<string, number>>;
  /** `agent plan`, `contract T1.design`, `gate T1-S1 GATE-1`, `test T1-S1`: retries made. */
  readonly retries: Readonly<Record<string, number>>;
  readonly phaseRetries: number;
  /** By step: what the next try has to know. */
  readonly feedback: Readonly<Record<string, string>>;
  /** By step: not before this, in milliseconds since 1970, after an agent that failed. */
  readonly waits?: Readonly<Record<string, number>>;
  readonly work: Readonly<Record<string, SubtaskWork>>;
  /** A person is asked; the request is stopped until they have answered. */
  readonly ask: Asking | null;
  /** What a person has to decide on, also once they were asked: who lets it go on, decides for it alone. */
  readonly stuck?: Stuck | null;
  readonly landed: boolean;
  /** A person has ended it: it stays stopped for good (S4.8). */
  readonly reset?: boolean;
  readonly claims: Readonly<Record<string, Holder>>;
  /** Sessions that took up steps. */
  readonly sessions?: Seen;
}

/** Sessions that are there and did not implement it; empty: whoever asks may judge it. */
export function judgesOf(run: RequestRun, unit: string, session: string, now: number): string[] {
  const author = run.work[unit]?.by;
  return otherJudges(session, new Set(author == null ? [] : [author]), run.sessions, now);
}

export const noWork: SubtaskWork = {
  base: null,
  tested: false,
  implemented: false,
  changed: [],
  commit: null,
  scan: { verdicts: [], uncovered: [] },
  claim: null,
  gates: {},
  failures: [],
};

export function newRun(
  of: Pick<RequestRun, "id" | "text" | "language" | "branch">,
  open: RequestRun["open"] = ["explore", "plan"],
): RequestRun {
  return {
    ...of,
    open,
    done: {},
    retries: {},
    phaseRetries: 0,
    feedback: {},
    work: {},
    ask: null,
    landed: false,
    claims: {},
  };
}
