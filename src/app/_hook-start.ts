// Where the work stands, for an agent that has just begun, or forgotten (S0.10, S6.4). Told unasked,
// so it is short; and nothing where there is nothing.
import { type Message, msg, render } from "../core/messages.ts";
import type { Context } from "./operation.ts";
import type { Status } from "./operations/status.ts";
import type { OwnRun } from "./own-run.ts";

/** Claude Code keeps less than this whole; what is read at every start has to be short. */
const mostCharacters = 1_990;

export async function whereItStands(context: Context): Promise<string> {
  const say = (text: Message): string => render(context.language, text);
  const lines = context.caller === null ? await ofProject(context) : await ofRun(context);
  if (lines.length === 0) return "";
  // The head and what to do with it stay; of many lines the last are counted.
  const [head = "", ...rest] = lines.map((line) => say(line));
  const tail = rest.pop() ?? "";
  const kept: string[] = [];
  let left = mostCharacters - head.length - tail.length - 80;
  for (const line of rest) {
    if (line.length + 1 > left) break;
    left -= line.length + 1;
    kept.push(line);
  }
  const cut = rest.length - kept.length;
  const more = cut > 0 ? [say(msg("status.more", { count: cut }))] : [];
  return [head, ...kept, ...more, tail].join("\n").slice(0, mostCharacters);
}

// --- internal ---

async function ofProject(context: Context): Promise<Message[]> {
  const { operation } = await import("./operations/status.ts");
  const status = await operation.run(context, {});
  const lines = [
    ...developLines(status),
    ...orchestrateLines(status),
    ...planLines(status),
    ...requestLines(status),
    ...taskLines(status),
    ...status.problems.map(({ path }) => msg("start.unreadable", { path: brief(path) })),
  ];
  return lines.length === 0 ? [] : [msg("start.head"), ...lines, msg("start.advice")];
}

async function ofRun(context: Context): Promise<Message[]> {
  const { ownRun } = await import("./own-run.ts");
  const run = await ownRun(context);
  return run.agent.data.role === "verifier" ? ofVerifier(run) : ofWork(run);
}

/** What is to be judged, and nothing of the work: that is another's. */
export async function ofVerifier({ state: { task }, redactor }: OwnRun): Promise<Message[]> {
  const { checkStep } = await import("../engine/decide/facts.ts");
  const order = checkStep(task)?.verifier?.prompt ?? "";
  const title = brief(redactor.text(task.data.title));
  return [
    msg("start.verify", { task: task.id, title }),
    ...(order === ""
      ? []
      : [msg("start.run.order", { order: brief(redactor.text(order), 1_400) })]),
    msg("verifier.only_a_verdict"),
  ];
}

async function ofWork(run: OwnRun): Promise<Message[]> {
  const { ownState } = await import("./_session-phases.ts");
  const { workStep } = await import("../engine/decide/facts.ts");
  const { task, title, phase, phases, files, agent, needs } = await ownState(run);
  const missing = files.flatMap(({ path, present }) => (present ? [] : [path]));
  const order = brief(run.redactor.text(workStep(run.state.task)?.prompt ?? ""), 700);
  return [
    msg("start.run", { task, title: brief(run.redactor.text(title)), phase: phase ?? 1, phases }),
    ...(missing.length > 0 ? [msg("next.missing", { files: listed(missing) })] : []),
    ...(needs.length > 0 ? [msg("start.needs", { names: listed(needs) })] : []),
    ...(agent === "running" ? [] : [msg("next.wait", { why: agent })]),
    ...(order === "" ? [] : [msg("start.run.order", { order })]),
    msg("start.run.advice"),
  ];
}

function developLines({ develop: run }: Status): Message[] {
  if (run === undefined || run.phase === "DONE") return [];
  const open = run.checkpoints.filter(({ status }) => status !== "passed");
  const current = open.find(({ status }) => status !== "pending") ?? open[0];
  const { feature, phase } = run;
  const place = { feature: brief(feature), phase };
  if (phase !== "IMPLEMENT" || current === undefined) return [msg("start.develop", place)];
  const { id, status, iteration } = current;
  const passed = run.checkpoints.length - open.length;
  const total = run.checkpoints.length;
  return [
    msg("start.develop", place),
    msg("start.develop.checkpoint", { id, status, iteration, passed, total }),
  ];
}

function orchestrateLines({ orchestrate: run }: Status): Message[] {
  if (run === undefined || (run.progress.total > 0 && run.progress.done >= run.progress.total))
    return [];
  const { project, phase, progress, ready, inProgress, failed } = run;
  return [
    msg("start.orchestrate", { project: brief(project), phase, ...progress }),
    ...(inProgress.length > 0
      ? [msg("start.orchestrate.in_progress", { ids: listed(inProgress) })]
      : []),
    ...(ready.length > 0 ? [msg("start.orchestrate.ready", { ids: listed(ready) })] : []),
    ...(failed.length > 0 ? [msg("start.orchestrate.failed", { ids: listed(failed) })] : []),
  ];
}

function planLines({ plan }: Status): Message[] {
  const task = plan?.current;
  if (!task || ended.has(task.status)) return [];
  const { id, name, status, steps, step } = task;
  return [
    msg("start.plan", { id, name: brief(name), status, done: steps.done, total: steps.total }),
    ...(step ? [msg("start.plan.step", { id: step.id, name: brief(step.name) })] : []),
  ];
}

function requestLines({ request: run }: Status): Message[] {
  if (run === undefined || run.status !== "active") return [];
  const { id, request, phase, subtask } = run;
  const gates = (subtask?.openGates ?? []).map(({ gate }) => gate);
  return [
    msg("start.request", { id, request: brief(request), phase }),
    ...(subtask
      ? [
          msg("start.request.subtask", {
            id: subtask.id,
            phase: subtask.phase,
            gates: gates.length > 0 ? gates.join(", ") : "–",
          }),
        ]
      : []),
  ];
}

function taskLines({ tasks = [] }: Status): Message[] {
  const open = tasks.filter(({ status }) => working.has(status));
  const rest = open.length - mostTasks;
  return [
    ...open
      .slice(0, mostTasks)
      .map(({ id, status, title }) => msg("start.task", { id, status, title: brief(title) })),
    ...(rest > 0 ? [msg("status.more", { count: rest })] : []),
  ];
}

const ended: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);
const working: ReadonlySet<string> = new Set(["pending", "in_progress", "review"]);
const mostTasks = 5;
const mostIds = 6;

function listed(ids: readonly string[]): string {
  const rest = ids.length - mostIds;
  const some = ids
    .slice(0, mostIds)
    .map((id) => brief(id))
    .join(", ");
  return rest > 0 ? `${some}, … (+${rest})` : some;
}

/** A file's words stay words: one line, and not a long one. */
function brief(text: string, most = 120): string {
  // Written out: the same as \p{Cc}, for which Node would look up its tables first.
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  const line = text.replaceAll(/[\u0000-\u001f\u007f-\u009f\s]+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
