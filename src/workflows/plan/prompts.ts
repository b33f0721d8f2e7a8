// What a plan asks of who works on it: the same for a session's agent and for one that is started for
// it. Each prompt stands for itself: the goal, what was made so far, what is remembered (S3.9), and after
// a failure what is to be done about it (S3.8). A project may put its own words for a role in the place
// of ours; what follows them stays, for code reads the answer.
import { type Language, type Message, msg, render } from "../../core/messages.ts";
import type { AgentMemory } from "../../formats/agent-memory.ts";
import type { TaskHistory } from "../../formats/task-history.ts";
import type { SharedContext } from "../../formats/shared-context.ts";
import type { PlanTask } from "../../formats/task-state.ts";
import { isCancelled } from "./history.ts";
import { filesOf } from "./_moves.ts";
import type { PlanStep } from "./_draft.ts";
import { type PlanRun, type Stage, stepRun } from "./run.ts";

export interface Asking {
  readonly task: PlanTask;
  readonly run: PlanRun;
  readonly context: SharedContext | undefined;
  readonly history: TaskHistory | undefined;
  /** By the agent's name. */
  readonly agents: ReadonlyMap<string, AgentMemory>;
  /** A project's own words, by role. */
  readonly roles: ReadonlyMap<string, string>;
  readonly language: Language;
}

/** Where an agent that no session drives puts its answer. */
export const answerFiles = {
  plan: ".holdfast/plan.json",
  judge: ".holdfast/verdict.json",
  close: ".holdfast/lessons.json",
} as const;

/** The roles of the stages, as people and a project's own prompts name them. */
export const stageRoles = { plan: "planner", judge: "verifier", close: "closer" } as const;

export function stagePrompt(asking: Asking, stage: keyof typeof stageRoles): string {
  const { task, run, language } = asking;
  const say = (message: Message): string => render(language, message);
  const parts = [
    words(asking, stageRoles[stage], msg(`plan.prompt.${stage}`)),
    aboutPlan(task, say),
    ...(stage === "plan" ? planParts(asking, say) : []),
    ...(stage === "plan" ? [] : doneParts(task, say)),
    ...(stage === "close" ? closeParts(task, run, say) : []),
    shared(asking, say),
    ownMemory(asking, task.orchestrator ?? "", say),
    `${say(msg("plan.prompt.form"))}\n\n${forms[stage]}`,
    run.complaint === null ? "" : refusedBefore(run, run.complaint, say),
    delivery(run, stage, say),
  ];
  return joined(parts);
}

export function stepPrompt(asking: Asking, step: PlanStep): string {
  const { task, run, language } = asking;
  const say = (message: Message): string => render(language, message);
  const { id, name, agent, cluster, check } = step;
  const files = filesOf(step);
  const parts = [
    words(asking, agent, msg("plan.prompt.step", { agent })),
    aboutPlan(task, say),
    `## ${id} · ${name}${cluster ? ` (${cluster})` : ""}`,
    outputsOf(task, step.dependencies, say),
    shared(asking, say),
    ownMemory(asking, agent, say),
    failedBefore(step, run, say),
    files.length > 0 ? section(say(msg("plan.prompt.files")), listed(files)) : "",
    typeof check === "string" ? section(say(msg("plan.prompt.check")), check) : "",
    say(msg(`plan.prompt.report.${run.driver}`, { id })),
    say(msg("plan.prompt.memory", { agent })),
  ];
  return joined(parts);
}

// --- internal ---

type Say = (message: Message) => string;

const longestMemory = 16_000;
const longestOutput = 4_000;
const mostPast = 5;

/** JSON as it is expected, whatever the language; but no form is an answer when it is handed back. */
const forms: Readonly<Record<keyof typeof stageRoles, string>> = {
  plan: `{
  "success_criteria": ["…"],
  "constraints": ["…"],
  "resources": ["…"],
  "steps": [
    { "id": 1, "name": "…", "agent": "researcher", "cluster": "research", "dependencies": [], "files": ["docs/a.md"], "check": "npm test" },
    { "id": 2, "name": "…", "agent": "writer", "dependencies": [1] }
  ]
}`,
  judge: `{ "criteria": [{ "criterion": 1, "met": "true | false", "evidence": "…" }] }`,
  close: `{ "summary": "…", "lessons": ["…"] }`,
};

function words({ roles, language }: Asking, role: string, ours: Message): string {
  return roles.get(role)?.trim() ?? render(language, ours);
}

function aboutPlan({ plan, context, name }: PlanTask, say: Say): string {
  const [constraints, resources] = [said(context.constraints), said(context.resources)];
  return joined([
    `# ${name}`,
    plan.goal === name ? "" : plan.goal,
    constraints === "" ? "" : section(say(msg("plan.prompt.constraints")), constraints),
    resources === "" ? "" : section(say(msg("plan.prompt.resources")), resources),
    plan.success_criteria.length > 0
      ? section(
          say(msg("plan.prompt.criteria")),
          plan.success_criteria.map((one, place) => `${place + 1}. ${one}`).join("\n"),
        )
      : "",
  ]);
}

/** A person may have written anything there. */
function said(all: readonly unknown[] = []): string {
  return listed(all.map((one) => (typeof one === "string" ? one : JSON.stringify(one))));
}

/** What plans before this one came to: whoever plans learns from it (S3.7b). */
function pastParts(history: TaskHistory | undefined, say: Say): string[] {
  if (history === undefined || history.tasks.length === 0) return [];
  const {
    total_tasks: total,
    success_rate: rate,
    avg_duration_seconds: seconds,
  } = history.statistics;
  const lines = history.tasks.slice(-mostPast).map((task) => {
    const { name, result, summary, duration_seconds: took, metrics, lessons = [] } = task;
    const cost = metrics && {
      done: metrics.steps_completed,
      steps: metrics.steps_total,
      retries: metrics.retries,
      tokens: metrics.tokens_used,
    };
    const about = cost ? `, ${say(msg("plan.prompt.past.cost", cost))}` : "";
    const learnt = lessons.map((lesson) => `\n  - ${lesson}`).join("");
    return `${name}: ${isCancelled(task) ? "cancelled" : result}, ${Math.round(took)} s${about}: ${summary}${learnt}`;
  });
  const percent = Math.round(rate * 100);
  const title = msg("plan.prompt.past", { total, percent, seconds: Math.round(seconds) });
  return [section(say(title), cut(listed(lines), longestOutput))];
}

function planParts({ task, run, history }: Asking, say: Say): string[] {
  const { steps } = task.plan;
  const first = Math.max(run.lastStep, 0, ...steps.map(({ id }) => id)) + 1;
  const finished = steps.filter(({ status }) => status === "completed");
  const open = steps.filter(({ status }) => status !== "completed");
  return [
    say(msg("plan.prompt.rules", { first })),
    run.why === null ? "" : section(say(msg("plan.prompt.why")), run.why),
    finished.length > 0
      ? section(say(msg("plan.prompt.finished")), listed(finished.map(lineOf)))
      : "",
    finished.length > 0
      ? outputsOf(
          task,
          finished.map(({ id }) => id),
          say,
        )
      : "",
    open.length > 0 ? section(say(msg("plan.prompt.open")), listed(open.map(lineOf))) : "",
    ...pastParts(history, say),
  ];
}

function lineOf({ id, name, agent }: PlanStep): string {
  return `${id} · ${name} (${agent})`;
}

function doneParts(task: PlanTask, say: Say): string[] {
  const { steps } = task.plan;
  const artifacts = (task.artifacts ?? []).map(({ path }) => path);
  return [
    outputsOf(
      task,
      steps.map(({ id }) => id),
      say,
    ),
    artifacts.length > 0 ? section(say(msg("plan.prompt.artifacts")), listed(artifacts)) : "",
  ];
}

function closeParts(task: PlanTask, run: PlanRun, say: Say): string[] {
  const issues = (task.issues ?? []).map(
    ({ step_id: id, type, message, resolution, resolved }) =>
      `${resolved ? "✓" : "✗"} ${id ?? "–"} ${type ?? ""}: ${message}${resolution ? ` → ${resolution}` : ""}`,
  );
  const verdict = (run.verdict ?? []).map(
    ({ criterion, met, evidence }) => `${met ? "✓" : "✗"} ${criterion}: ${evidence}`,
  );
  return [
    say(msg("plan.prompt.cost", { retries: run.retries, rounds: run.round })),
    issues.length > 0 ? section(say(msg("plan.prompt.issues")), listed(issues)) : "",
    verdict.length > 0 ? section(say(msg("plan.prompt.verdict")), listed(verdict)) : "",
    run.why === null ? "" : section(say(msg("plan.prompt.why")), run.why),
  ];
}

function outputsOf({ plan }: PlanTask, ids: readonly number[], say: Say): string {
  const parts = plan.steps.flatMap(({ id, name, status, output }) => {
    if (!ids.includes(id) || status !== "completed") return [];
    const text = typeof output === "string" ? output : JSON.stringify(output ?? null);
    return [`### ${id} · ${name}\n\n${cut(text, longestOutput)}`];
  });
  return parts.length === 0 ? "" : section(say(msg("plan.prompt.outputs")), parts.join("\n\n"));
}

function shared({ context }: Asking, say: Say): string {
  if (context === undefined) return "";
  const { shared_data: data, preferences } = context;
  return section(say(msg("plan.prompt.shared")), json({ shared_data: data, preferences }));
}

function ownMemory({ agents }: Asking, agent: string, say: Say): string {
  const memory = agents.get(agent);
  if (memory === undefined) return "";
  const { preferences, cache, statistics } = memory;
  const own = json({ preferences, cache, statistics });
  return section(say(msg("plan.prompt.own", { agent })), own);
}

function failedBefore({ id, error }: PlanStep, run: PlanRun, say: Say): string {
  if (error === null) return "";
  const { type, message, timestamp, retries } = error;
  const { way } = stepRun(run, id);
  return joined([
    say(msg("plan.prompt.failed", { type, message, at: timestamp, retries })),
    say(msg(`plan.prompt.way.${way ?? "retry"}`)),
  ]);
}

function refusedBefore({ answer }: PlanRun, complaint: string, say: Say): string {
  return joined([
    section(say(msg("plan.prompt.complaint")), complaint),
    answer ? section(say(msg("plan.prompt.answer")), answer) : "",
  ]);
}

function delivery({ driver }: PlanRun, stage: keyof typeof stageRoles, say: Say): string {
  if (driver === "headless") return say(msg("plan.prompt.write", { path: answerFiles[stage] }));
  return say(msg("plan.prompt.say", { verb: verbs[stage] }));
}

/** What a session reports its answer under. */
export const verbs: Readonly<Record<Extract<Stage, "plan" | "judge" | "close">, string>> = {
  plan: "PLAN",
  judge: "VERDICT",
  close: "LESSONS",
};

function section(title: string, text: string): string {
  return `${title}\n\n${text}`;
}

function listed(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

function json(value: unknown): string {
  return cut(JSON.stringify(value, null, 2), longestMemory);
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}\n…`;
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
