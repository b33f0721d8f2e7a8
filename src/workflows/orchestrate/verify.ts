// Plan, state and journal compared (`--verify`): who has done what, and where they do not agree. It
// changes nothing.
import { type Message, msg } from "../../core/messages.ts";
import type { UnitStatus } from "../../core/vocabulary.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";
import type { ListedTask, TaskList } from "../../formats/task-list.ts";
import { boardOf, isUnclosed, listsOf, phasesOf } from "./board.ts";
import { type PlanFacts, factsOf, factsWithoutPlan, withPlan } from "./plan.ts";
import { unitsOf } from "./units.ts";

export interface Disagreement {
  /** A notice is mended by the next step, or by `--check-off`; an error by a person. */
  readonly level: "error" | "notice";
  readonly id: string;
  /** In the plan; null where it does not stand there. */
  readonly line: number | null;
  readonly text: Message;
}

export interface Compared {
  readonly phases: readonly {
    readonly phase: number;
    readonly done: number;
    readonly all: number;
  }[];
  readonly found: readonly Disagreement[];
}

/**
 * `journal`: where each unit stood when the journal last spoke of it. `merged`: attempts at a unit whose work is
 * in the history.
 */
export function compare(
  state: OrchestrateState,
  list: TaskList | undefined,
  journal: ReadonlyMap<string, UnitStatus>,
  merged: (unit: string) => readonly string[] = () => [],
): Compared {
  const facts = list ? factsOf(list) : factsWithoutPlan(state);
  const units = unitsOf(state);
  const planned = new Map((list?.tasks ?? []).map((task) => [task.id, task]));
  const whole = list ? withPlan(state, list) : state;
  return {
    phases: phasesOf(boardOf(whole, facts)).map(({ phase, completed, all }) => ({
      phase,
      done: completed,
      all,
    })),
    found: [
      ...(list ? onlyInOne(units, planned) : []),
      ...[...planned.values()].flatMap((task) => ofTask(task, units.get(task.id), state)),
      ...ofJournal(units, planned, journal, merged),
      ...ofLists(state, facts, planned),
      ...ofPhases(whole, facts),
    ],
  };
}

// --- internal ---

type Planned = ReadonlyMap<string, ListedTask>;
type Units = ReadonlyMap<string, UnitStatus>;

function onlyInOne(units: Units, planned: Planned): Disagreement[] {
  return [
    ...[...planned.values()]
      .filter(({ id }) => !units.has(id))
      .map(({ id, line }) =>
        say("notice", id, line, msg("orchestrate.verify.only_plan", { id, line })),
      ),
    ...[...units]
      .filter(([id, status]) => !planned.has(id) && status !== "completed")
      .map(([id, status]) =>
        say("error", id, null, msg("orchestrate.verify.only_state", { id, status })),
      ),
  ];
}

function ofTask(
  { id, line, checked, dependencies }: ListedTask,
  status: UnitStatus | undefined,
  state: OrchestrateState,
): Disagreement[] {
  if (status === undefined) return [];
  const found: Disagreement[] = [];
  if (checked && status !== "completed")
    found.push(say("error", id, line, msg("orchestrate.verify.checked", { id, line, status })));
  if (!checked && status === "completed")
    found.push(say("notice", id, line, msg("orchestrate.verify.unchecked", { id, line })));
  const known = state.dependencies[id] ?? [];
  if ([...known].toSorted().join() !== dependencies.toSorted().join())
    found.push(
      say(
        "notice",
        id,
        line,
        msg("orchestrate.verify.dependencies", {
          id,
          line,
          plan: dependencies.join(", ") || "–",
          state: known.join(", ") || "–",
        }),
      ),
    );
  return found;
}

/** What somebody changed since our last step: by hand, or in a version that was put back. */
function ofJournal(
  units: Units,
  planned: Planned,
  journal: Units,
  merged: (unit: string) => readonly string[],
): Disagreement[] {
  return [...journal].flatMap(([id, told]) => {
    const status = units.get(id);
    if (status === undefined || status === told) return [];
    const line = planned.get(id)?.line ?? null;
    // That a person completed what had failed is theirs to do (S2.8).
    if (told === "failed" && status === "completed")
      return [say("notice", id, line, byHand(id, merged(id)))];
    return [say("error", id, line, msg("orchestrate.verify.journal", { id, status, told }))];
  });
}

/** No work of an agent is missing for it; what an attempt left on the branch is said. */
function byHand(id: string, keys: readonly string[]): Message {
  return keys.length === 0
    ? msg("orchestrate.verify.by_hand", { id })
    : msg("orchestrate.verify.by_hand_merged", { id, keys: keys.join(", ") });
}

/** All of it is completed, and it has not passed its gate (S2.8). */
function ofPhases(state: OrchestrateState, facts: PlanFacts): Disagreement[] {
  return phasesOf(boardOf(state, facts))
    .filter(isUnclosed)
    .map(({ phase }) =>
      say("error", `phase_${phase}`, null, msg("orchestrate.says.phase_open", { phase })),
    );
}

/** Lists that do not follow from the dependencies: the next step puts them right. */
function ofLists(state: OrchestrateState, facts: PlanFacts, planned: Planned): Disagreement[] {
  const lists = listsOf(boardOf(state, facts));
  if (lists === state.tasks) return [];
  const right = unitsOf({ ...state, tasks: lists });
  return [...unitsOf(state)].flatMap(([id, status]) => {
    const should = right.get(id) ?? status;
    if (should === status) return [];
    const line = planned.get(id)?.line ?? null;
    return [say("notice", id, line, msg("orchestrate.verify.list", { id, status, should }))];
  });
}

function say(
  level: Disagreement["level"],
  id: string,
  line: number | null,
  text: Message,
): Disagreement {
  return { level, id, line, text };
}
