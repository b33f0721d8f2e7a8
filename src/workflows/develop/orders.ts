// A develop run that no session drives: what it wants under way (workflows/orders.ts). Every key holds
// the number of its attempt or a serial, so that none comes twice and a late outcome finds nothing.
//
//   DESIGN-1 ▶ REVIEW-2 ▶ cp-1-1 ▶ cp-1-1-halt ▶ … ▶ MERGE-3 ▶ MERGE-3-cp-1 … ▶ MERGE-4-land
import { type Message, msg, render } from "../../core/messages.ts";
import type { FormatName } from "../../formats/registry.ts";
import type { AgentOrder, AskOrder, CommandOrder, Order, Orders, RunStands } from "../orders.ts";
import { attemptOf, definitionOf, phaseKeyOf, phaseUnitOf, undefinedIn } from "./claims.ts";
import type { PhaseUnit, Situation } from "./events.ts";
import { escalatedIn, openCheckpoints, triedText } from "./next.ts";
import { type Checkpoint, unitIn } from "./private.ts";
import {
  type DevelopRole,
  type Words,
  diagnosisFile,
  promptOf,
  reviewFile,
  summaryFile,
} from "./prompts.ts";
import { atOnce } from "./strategy.ts";

/** What a project has to say beside its checkpoints. */
export interface Project extends Words {
  /** Must pass before anything lands: its tests, its build. */
  readonly commands: readonly string[];
  /** Who can lead a team; null: nobody here. */
  readonly teamAgent: string | null;
}

/** After so many in a row a phase's work goes to a person. */
const mostMisses = 3;

export function ordersOf(situation: Situation, project: Project): Orders {
  const { state, run } = situation;
  if (run.stopped !== null) return { kind: "ended", result: "failed", why: run.stopped };
  if (state.phase === "DONE") return { kind: "ended", result: "completed", why: "" };
  const unit = phaseUnitOf(state);
  const unknown = state.phase === "DESIGN" ? [] : undefinedIn(situation);
  if (unknown.length > 0) {
    const why = msg("develop.undefined", { ids: unknown.join(", "), path: project.path });
    return { kind: "ended", result: "failed", why: render(project.language, why) };
  }
  const orders =
    unit === undefined
      ? checkpointOrders(situation, project)
      : phaseOrders(situation, project, unit);
  return { kind: "orders", orders, place: standsAt(state.phase) };
}

/** `TEAM-3`, while a team works or before one does. */
export function teamOf(situation: Situation): readonly string[] | null {
  const { state, run } = situation;
  if (state.strategy !== "agent-teams" || run.teamless) return null;
  if (run.team !== null) return run.team;
  const { under, pending } = openCheckpoints(situation);
  const fresh = under.filter((id) => isFirst(situation, id));
  const wave = [...fresh, ...pending];
  return wave.length > 1 ? wave : null;
}

/** Those that still have to match before the whole counts: not those a person has let pass. */
export function uncheckedIn({ run }: Situation): Checkpoint[] {
  const matched = new Set(run.checking);
  return (run.definitions ?? []).filter(({ id }) => !matched.has(id) && !unitIn(run, id).skipped);
}

// --- internal ---

const phases = ["DESIGN", "REVIEW", "IMPLEMENT", "MERGE"] as const;

function standsAt(phase: Situation["state"]["phase"]): RunStands {
  const place = phases.findIndex((name) => name === phase);
  return { phase: place + 1, phases: phases.length, name: phase };
}

const roles = {
  DESIGN: "designer",
  REVIEW: "reviewer",
  FIX: "fixer",
  MERGE: "finisher",
} as const satisfies Record<PhaseUnit, DevelopRole>;

function phaseOrders(situation: Situation, project: Project, unit: PhaseUnit): Order[] {
  const { run, state } = situation;
  const key = phaseKeyOf(situation) ?? unit;
  if (run.checking !== null)
    return uncheckedIn(situation).map((one) => validation(situation, one, `${key}-${one.id}`));
  if (unit === "REVIEW" && run.findings !== null)
    return [
      ask(key, unit, project, msg("develop.ask.review", { findings: run.findings }), [
        "accept",
        "stop",
      ]),
    ];
  if (run.unlanded !== null)
    return [
      ask(key, unit, project, msg("develop.ask.land", { why: run.unlanded }), [
        "again",
        "back",
        "stop",
      ]),
    ];
  if (run.ready) {
    const message = `develop: ${state.feature}`;
    return [
      {
        kind: "land",
        key: `${key}-land`,
        branch: branchOf(situation),
        commands: project.commands,
        message,
      },
    ];
  }
  if (run.misses >= mostMisses) {
    const question = msg("develop.ask.missed", {
      unit,
      count: run.misses,
      why: run.feedback ?? "",
    });
    return [
      ask(
        key,
        unit,
        project,
        question,
        unit === "MERGE" ? ["again", "back", "stop"] : ["again", "stop"],
      ),
    ];
  }
  return [phaseWork(situation, project, unit, key)];
}

function phaseWork(
  situation: Situation,
  project: Project,
  unit: PhaseUnit,
  key: string,
): AgentOrder {
  const order = work(situation, project, { key, unit, role: roles[unit] });
  switch (unit) {
    case "DESIGN":
      // A person approves what was designed before it counts (S0.7), and is shown only what is valid (S0.4).
      return { ...order, ...makes(project.path, "checkpoint-definitions"), review: true };
    case "REVIEW":
      return { ...order, ...makes(reviewFile), merges: false };
    case "MERGE":
      return { ...order, ...makes(summaryFile), commands: project.commands, review: true };
    default:
      return { ...order, commands: project.commands };
  }
}

function checkpointOrders(situation: Situation, project: Project): Order[] {
  const { state, rules } = situation;
  const asks = escalatedIn(situation).map((id) => {
    const question = msg("develop.ask.escalated", { id, tried: triedText(situation, id) });
    return ask(`${id}-${attemptOf(situation, id)}`, id, project, question, [
      "retry",
      "skip",
      "stop",
    ]);
  });
  const { under, pending } = openCheckpoints(situation);
  const team = project.teamAgent === null ? null : teamOf(situation);
  // What a team has not begun waits for it; what failed in its hands is tried one by one.
  const single = [...under, ...(team === null ? pending : [])].filter((id) => !team?.includes(id));
  const some = single.slice(0, atOnce(state.strategy ?? "direct", rules.slots));
  const each = some.map((id) => attempt(situation, project, id));
  return [...(team === null ? [] : [teamWork(situation, project, team)]), ...each, ...asks];
}

function attempt(situation: Situation, project: Project, id: string): Order {
  const { claimed, diagnosis } = unitIn(situation.run, id);
  const key = `${id}-${attemptOf(situation, id)}`;
  const definition = definitionOf(situation, id);
  if (claimed && definition) return validation(situation, definition, `${key}-halt`);
  if (situation.state.checkpoints?.[id]?.iteration === 3 && diagnosis === null) {
    const order = work(situation, project, {
      key: `${key}-diagnosis`,
      unit: id,
      role: "diagnosis",
    });
    return { ...order, ...makes(diagnosisFile(id)), merges: false };
  }
  return work(situation, project, { key, unit: id, role: "implementer" });
}

function teamWork(situation: Situation, project: Project, ids: readonly string[]): AgentOrder {
  const key = `TEAM-${situation.run.serial}`;
  const order = work(situation, project, { key, unit: ids.join(","), role: "team" });
  return {
    ...order,
    prompt: promptOf(situation, "team", project, ...ids),
    agent: project.teamAgent,
    env: { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: "1" },
  };
}

/** In its first attempt, which nobody has claimed yet. */
function isFirst({ state, run }: Situation, id: string): boolean {
  const { claimed, tried } = unitIn(run, id);
  return state.checkpoints?.[id]?.iteration === 1 && !claimed && tried.length === 0;
}

function work(
  situation: Situation,
  project: Project,
  { key, unit, role }: { readonly key: string; readonly unit: string; readonly role: DevelopRole },
): AgentOrder {
  const ids = situation.state.checkpoints?.[unit] === undefined ? [] : [unit];
  const about = definitionOf(situation, unit)?.description ?? situation.state.feature;
  return {
    kind: "agent",
    key,
    unit,
    title: `${unit}: ${about}`,
    role,
    prompt: promptOf(situation, role, project, ...ids),
    agent: null,
    permissions: null,
    branch: branchOf(situation),
    merges: true,
    deliverables: [],
    commands: [],
    reworks: 2,
    verifier: null,
    review: false,
    wanted: [],
  };
}

function makes(path: string, format?: FormatName): Pick<AgentOrder, "deliverables" | "wanted"> {
  const made = { path, minCharacters: 1, ...(format === undefined ? {} : { format }) };
  return { deliverables: [made], wanted: [path] };
}

function validation(
  situation: Situation,
  { id, validation: { command } }: Checkpoint,
  key: string,
): CommandOrder {
  return { kind: "command", key, unit: id, command, branch: branchOf(situation) };
}

function branchOf({ run }: Situation): AgentOrder["branch"] {
  return { name: run.branch };
}

type Option = "accept" | "again" | "back" | "retry" | "skip" | "stop";

function ask(
  key: string,
  unit: string,
  { language }: Project,
  question: Message,
  options: readonly Option[],
): AskOrder {
  // An option is one word to answer with; what it means stands in the question.
  const explained = options.map(
    (option) => `- ${option}: ${render(language, msg(`develop.option.${option}`))}`,
  );
  return {
    kind: "ask",
    key: `${key}-ask`,
    unit,
    question: [render(language, question), ...explained].join("\n"),
    options,
    default: null,
  };
}
