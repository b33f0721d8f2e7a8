import type { Status } from "../../app/operations/status.ts";
import { codes } from "../../core/errors.ts";
import { type Message, msg } from "../../core/messages.ts";
import type { Command, Look } from "../command.ts";
import { noticeText } from "../look.ts";

export const command: Command<Status> = {
  positional: "workflow",
  examples: [
    { line: "holdfast status", does: msg("cli.status.example.all") },
    { line: "holdfast status orchestrate --json", does: msg("cli.status.example.one") },
    { line: "holdfast status --line", does: msg("cli.status.example.line") },
  ],
  notes: [msg("cli.status.note.exit")],
  print: (status, look) => {
    if (status.line !== undefined) return status.line;
    const blocks = [
      develop(status, look),
      orchestrate(status, look),
      plan(status, look),
      request(status, look),
      tasks(status, look),
    ].filter(shown);
    const notices = (status.notices ?? []).map((notice) => noticeText(notice, look));
    const nothing = blocks.length === 0 && status.problems.length === 0;
    const head = nothing ? empty(status, look) : look.paint("dim", status.root);
    return [head, ...blocks, ...notices, problems(status, look)].filter(shown).join("\n\n");
  },
  // Without a name the rest is a good answer; whoever asks for one workflow wants that one.
  exit: ({ asked, problems: [first] }) =>
    asked !== null && first !== undefined ? codes[first.code].exit : 0,
};

// --- internal ---

/** More ids than this are counted, not listed. */
const mostIds = 12;
const mostTasks = 10;

function empty({ root, asked }: Status, { say, paint }: Look): string {
  if (asked !== null) return say(msg("status.nothing_of", { workflow: asked, root }));
  return [say(msg("status.nothing", { root })), "", paint("dim", say(msg("status.begin")))].join(
    "\n",
  );
}

function block(name: string, title: string, lines: readonly string[], { paint }: Look): string {
  const body = lines.filter(shown).map((line) => `  ${line}`);
  return [`${paint("bold", name)}  ${title}`, ...body].join("\n");
}

function develop({ develop: run }: Status, look: Look): string {
  if (!run) return "";
  const { say, paint } = look;
  const marks = {
    passed: "green",
    escalated: "red",
    in_progress: "yellow",
    pending: "dim",
  } as const;
  const lines = run.checkpoints.map(({ id, status, iteration }) => {
    const text =
      iteration === 0
        ? msg("status.checkpoint.pending", { id, status })
        : msg("status.checkpoint", { id, status, iteration });
    return paint(marks[status], say(text));
  });
  const head = [run.phase, run.strategy ?? "", say(msg("status.since", { time: run.updatedAt }))];
  return block("develop", run.feature, [joined(head), ...lines], look);
}

function orchestrate({ orchestrate: run }: Status, look: Look): string {
  if (!run) return "";
  const { say, paint } = look;
  const { done, total } = run.progress;
  const row = (label: Message, ids: readonly string[]): string =>
    ids.length === 0 ? "" : `${say(label)}: ${some(ids, look)}`;
  const failed = row(msg("status.failed"), run.failed);
  const counts = Object.entries(run.counts).map(([status, number]) => `${status} ${number}`);
  return block(
    "orchestrate",
    run.project,
    [
      joined([
        say(msg("status.phase", { number: run.phase })),
        run.mode,
        say(msg("status.done", { done, total })),
        say(msg("status.since", { time: run.updatedAt })),
      ]),
      row(msg("status.in_progress"), run.inProgress),
      row(msg("status.ready"), run.ready),
      failed === "" ? "" : paint("red", failed),
      row(msg("status.blocked"), run.blocked),
      paint("dim", counts.join(" · ")),
    ],
    look,
  );
}

function plan({ plan: run }: Status, look: Look): string {
  if (!run) return "";
  const { say } = look;
  const waiting = run.pending.map(({ id, name }) => say(msg("status.waiting", { id, name })));
  if (!run.current) return block("plan", say(msg("status.no_plan")), waiting, look);
  const { name, id, status, steps, step } = run.current;
  return block(
    "plan",
    name,
    [
      joined([
        id,
        status,
        say(msg("status.steps", { done: steps.done, total: steps.total })),
        steps.failed > 0 ? say(msg("status.steps_failed", { failed: steps.failed })) : "",
        say(msg("status.since", { time: run.updatedAt })),
      ]),
      step
        ? say(
            msg("status.step", {
              id: step.id,
              name: step.name,
              agent: step.agent,
              status: step.status,
            }),
          )
        : "",
      ...waiting,
    ],
    look,
  );
}

function request({ request: run }: Status, look: Look): string {
  if (!run) return "";
  const { say } = look;
  const { done, total } = run.progress;
  const { task, subtask } = run;
  const gates = (subtask?.openGates ?? []).map(({ gate, status }) => `${gate} ${status}`);
  return block(
    "request",
    run.request,
    [
      joined([run.id, run.status, run.phase, say(msg("status.tasks_done", { done, total }))]),
      task ? `${task.id} ${task.name}: ${task.status}` : say(msg("status.no_task_yet")),
      subtask ? `${subtask.id} ${subtask.name}: ${subtask.phase}` : "",
      gates.length > 0 ? say(msg("status.open_gates", { gates: gates.join(", ") })) : "",
      run.otherSessions > 0 ? say(msg("status.other_sessions", { count: run.otherSessions })) : "",
    ],
    look,
  );
}

function tasks({ tasks: rows = [] }: Status, look: Look): string {
  if (rows.length === 0) return "";
  const lines = rows
    .slice(0, mostTasks)
    .map(({ id, workflow, status, title }) => joined([id, workflow, status, title]));
  if (rows.length > lines.length)
    lines.push(look.say(msg("status.more", { count: rows.length - lines.length })));
  return block("tasks", String(rows.length), lines, look);
}

function problems({ problems: found }: Status, { say, paint }: Look): string {
  if (found.length === 0) return "";
  const lines = found.flatMap(({ message, hint }) => [
    `  ${say(message)}`,
    ...(hint ? [paint("dim", `    ${say(hint)}`)] : []),
  ]);
  return [paint("red", say(msg("status.unreadable"))), ...lines].join("\n");
}

function some(ids: readonly string[], { say }: Look): string {
  const rest = ids.length - mostIds;
  const listed = ids.slice(0, mostIds).join(", ");
  return rest > 0 ? `${listed} ${say(msg("status.more", { count: rest }))}` : listed;
}

function joined(parts: readonly string[]): string {
  return parts.filter(shown).join(" · ");
}

function shown(text: string): boolean {
  return text !== "";
}
