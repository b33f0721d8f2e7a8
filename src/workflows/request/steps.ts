// What should be under way in a request now (S4.4): a statement, asked twice it says the same. A step's
// key names it for ever: the number counts how often a step of that name has come to its end.
import { type Board, focusOf, unfinishedTasks } from "./board.ts";
import { draftPlace } from "./places.ts";
import { noWork } from "./private.ts";
import { type Role, type Work, works } from "./roles.ts";
import { tidy } from "./paths.ts";

interface AnyStep {
  readonly key: string;
  /** The key without its number. */
  readonly base: string;
  /** `explore`, `T1`, `T1-S1`. */
  readonly unit: string;
}

export interface AgentStep extends AnyStep {
  readonly kind: "agent";
  readonly work: Work;
  readonly role: Role;
  readonly merges: boolean;
  /** Where its contract or verdict is looked for; null: it writes none. */
  readonly draft: string | null;
  /** Files whose text is wanted with what it did. */
  readonly wanted: readonly string[];
}

export interface CommandStep extends AnyStep {
  readonly kind: "command";
  readonly what: "base" | "file" | "diff" | "run";
  readonly command: string;
}

export interface AskStep extends AnyStep {
  readonly kind: "ask";
  readonly question: string;
}

export interface LandStep extends AnyStep {
  readonly kind: "land";
  readonly branch: string;
}

export type Step = AgentStep | CommandStep | AskStep | LandStep;

export function stepsOf(board: Board): Step[] {
  const { state, run } = board;
  const { status, global_phase: phase } = state.request;
  if (isOver(board) || phase === "complete") return [];
  if (run.ask !== null) {
    const { number, unit, question } = run.ask;
    return [{ kind: "ask", key: `${run.id}.ask-${number}`, base: "ask", unit, question }];
  }
  if (status === "stopped") return [];
  if (phase === "global_discovery") return run.open.map((work) => agentStep(board, work, work));
  return loopStep(board);
}

export function isOver({ state, run }: Pick<Board, "state" | "run">): boolean {
  return state.request.status === "completed" || run.reset === true;
}

/** A word for a shell, whatever stands in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

// --- internal ---

function loopStep(board: Board): Step[] {
  const { state, run } = board;
  const focus = focusOf(state);
  if (focus === null) {
    const waits = run.branch !== null && !run.landed && unfinishedTasks(state).length === 0;
    return waits ? [{ kind: "land", ...named(board, "land", run.id), branch: run.branch }] : [];
  }
  const { task, subtask, sub } = focus;
  if (subtask === null || sub === undefined) return [agentStep(board, "design", task)];
  const work = run.work[subtask] ?? noWork;
  if (work.base === null) return [commandStep(board, "base", subtask, "git rev-parse HEAD")];
  switch (sub.phase) {
    case "test_first":
      if (!work.tested) return [agentStep(board, "test", subtask)];
      return [commandStep(board, "file", subtask, `test -f ${quoted(testFile(board))}`)];
    case "implementation":
      if (!work.implemented) return [agentStep(board, "implement", subtask)];
      if (sub.gates["GATE-3"] === "passed") return [agentStep(board, "verify", subtask)];
      return [
        commandStep(
          board,
          "diff",
          subtask,
          `git -c core.quotepath=off diff --name-only --no-renames ${quoted(work.base)} HEAD --`,
        ),
      ];
    case "verification":
      if (work.claim === null) return [agentStep(board, "judge", subtask)];
      return [commandStep(board, "run", subtask, work.claim.command)];
    default:
      return [];
  }
}

function agentStep(board: Board, work: Work, unit: string): AgentStep {
  const { role, writes, merges } = works[work];
  const draft = writes === null ? null : draftPlace(unit, writes);
  // What code looks at itself: declared files, and the patterns that an explorer has seen.
  const declared = work === "implement" ? declaredFiles(board) : [];
  const also = work === "explore" ? [draftPlace(unit, "patterns")] : declared;
  return {
    kind: "agent",
    ...named(board, unit === work ? work : `${unit}.${work}`, unit),
    work,
    role,
    merges,
    draft,
    wanted: [...(draft === null ? [] : [draft]), ...also],
  };
}

function commandStep(
  board: Board,
  what: CommandStep["what"],
  unit: string,
  command: string,
): CommandStep {
  return { kind: "command", ...named(board, `${unit}.${what}`, unit), what, command };
}

function named({ run }: Board, base: string, unit: string): AnyStep {
  return { key: `${run.id}.${base}-${(run.done[base] ?? 0) + 1}`, base, unit };
}

function testFile({ tests }: Board): string {
  return tidy(tests?.test_file_path ?? "");
}

export function declaredFiles({ design, tests }: Board): string[] {
  const paths = (design?.file_refs ?? []).map(({ path }) => tidy(path));
  const test = tests === undefined ? [] : [tidy(tests.test_file_path)];
  return [...new Set([...paths, ...test])];
}
