// `holdfast task …`: how the operations on tasks read on a terminal.
import { type Message, type MessageKey, msg } from "../../core/messages.ts";
import type { KeptView } from "../../app/operations/task/kept.ts";
import type { InboxItem } from "../../app/operations/task/inbox.ts";
import type { AgentView, SnapshotView, TaskView } from "../../app/task-views.ts";
import { countText, durationText, moneyText } from "../figures.ts";
import type { Command, Look } from "../command.ts";
import { type Waiting, acceptedLine, checkedLines, waitingLines } from "./_asked.ts";

export const create: Command<TaskView> = {
  files: { script: "always" },
  examples: [
    {
      line: 'holdfast task create --type create_app --title "To-do list" --description "With accounts and reminders" --submit',
      does: msg("cli.task.example.create"),
    },
    {
      line: "holdfast task create --type custom --title Demo --description Play --script demo.txt --submit",
      does: msg("cli.task.example.script"),
    },
  ],
  print: taskText,
};

export const list: Command<{ tasks: readonly TaskView[]; cursor: string | null }> = {
  examples: [
    { line: "holdfast task list", does: msg("cli.task.example.list") },
    { line: "holdfast task list --status review", does: msg("cli.task.example.list_review") },
  ],
  print: ({ tasks, cursor }, look) => {
    if (tasks.length === 0) return look.say(msg("cli.task.none"));
    const lines = tasks.map((task) => taskLine(task, look));
    if (cursor !== null) lines.push(look.paint("dim", look.say(msg("cli.task.more", { cursor }))));
    return lines.join("\n");
  },
};

export const inbox: Command<{ items: readonly InboxItem[] }> = {
  examples: [{ line: "holdfast task inbox", does: msg("cli.task.example.inbox") }],
  print: ({ items }, look) =>
    items.length === 0
      ? look.say(msg("cli.inbox.none"))
      : items.map((item) => inboxLine(item, look)).join("\n"),
};

export const types: Command<{ types: readonly { name: string; title: Message }[] }> = {
  examples: [{ line: "holdfast task types", does: msg("cli.task.example.types") }],
  print: ({ types: all }, { paint, say }) =>
    all.map(({ name, title }) => `${paint("bold", name)}  ${say(title)}`).join("\n"),
};

export const projects: Command<{
  projects: readonly { id: string; root: string; here: boolean }[];
}> = {
  examples: [{ line: "holdfast task projects", does: msg("cli.task.example.projects") }],
  print: ({ projects: all }, { paint }) =>
    all.map(({ id, root, here }) => `${here ? "*" : " "} ${paint("bold", id)}  ${root}`).join("\n"),
};

export const show = on<TaskView & Waiting>("show", (task, look) =>
  [taskText(task, look), ...checkedLines(task.attempts, look), ...waitingLines(task, look)].join(
    "\n",
  ),
);
export const submit = on<TaskView>("submit", taskText);
export const pause = on<TaskView>("pause", taskText);
export const resume = on<TaskView>("resume", taskText);
export const cancel = on<TaskView>("cancel", taskText);
export const approve = on<TaskView>("approve", taskText);
export const retry = on<TaskView>("retry", taskText);
export const archive = on<TaskView>("archive", taskText);
export const restore = on<TaskView>("restore", taskText);

export const edit: Command<TaskView> = {
  positional: "id",
  examples: [
    {
      line: 'holdfast task edit task_abc --title "To-do list" --priority high',
      does: msg("cli.task.example.edit"),
    },
    {
      line: 'holdfast task edit task_abc --depends-on ""',
      does: msg("cli.task.example.edit_alone"),
    },
  ],
  print: taskText,
};

export const requestChanges: Command<TaskView> = {
  positional: "id",
  examples: [
    {
      line: 'holdfast task request-changes task_abc --feedback "Name the users."',
      does: msg("cli.task.example.request-changes"),
    },
  ],
  print: taskText,
};

export const answer: Command<TaskView> = {
  positional: "id",
  examples: [
    {
      line: "holdfast task answer task_abc --answer PostgreSQL",
      does: msg("cli.task.example.answer"),
    },
    {
      line: `holdfast task answer task_abc --answer '["PostgreSQL", ["Search", "Chat"]]'`,
      does: msg("cli.task.example.answer_parts"),
    },
    {
      line: 'holdfast task answer task_abc --answer "deny: not on this machine"',
      does: msg("cli.task.example.answer_deny"),
    },
  ],
  print: taskText,
};

export const provide: Command<TaskView> = {
  positional: "id",
  // A value on the command line ends in the shell's history: a file or a pipe does not.
  files: { value: "marked", file: "bytes" },
  examples: [
    {
      line: "holdfast task provide task_abc --value @key.txt",
      does: msg("cli.task.example.provide"),
    },
    {
      line: "pass show api-key | holdfast task provide task_abc --value -",
      does: msg("cli.task.example.provide_pipe"),
    },
    {
      line: "holdfast task provide task_abc --file certificate.p12",
      does: msg("cli.task.example.provide_file"),
    },
    {
      line: "holdfast task provide task_abc --value left-pad@1.3.0 --confirmed",
      does: msg("cli.task.example.provide_package"),
    },
  ],
  print: taskText,
};

export const remove: Command<{ id: string }> = {
  positional: "id",
  examples: [{ line: "holdfast task delete task_abc", does: msg("cli.task.example.delete") }],
  print: ({ id }, look) => look.say(msg("cli.task.deleted", { id })),
};

export const agent = on<AgentView>("agent", agentText);
export const agents = on<{ agents: readonly AgentView[] }>("agents", ({ agents: all }, look) =>
  all.map((each) => agentText(each, look)).join("\n"),
);

export const snapshots = on<{ snapshots: readonly SnapshotView[] }>(
  "snapshots",
  ({ snapshots: all }, look) =>
    all.length === 0
      ? look.say(msg("cli.task.no_snapshots"))
      : all
          .map(
            ({ id, reason, createdAt, phase, files }) =>
              `${look.paint("dim", createdAt)}  ${look.paint("bold", id)}  ${reason}  ${look.say(
                msg("cli.task.snapshot", { phase: phase ?? 0, files }),
              )}`,
          )
          .join("\n"),
);

export const kept: Command<KeptView> = {
  examples: [{ line: "holdfast task kept", does: msg("cli.task.example.kept") }],
  print: ({ tasks, bytes }, look) =>
    tasks.length === 0
      ? look.say(msg("cli.task.kept.none"))
      : [
          ...tasks.map((task) => keptLine(task, look)),
          look.say(msg("cli.task.kept.all", { megabytes: megabytes(bytes) })),
        ].join("\n"),
};

export const zip: Command<{ path: string; bytes: number; leftOut: readonly Message[] }> = {
  positional: "id",
  examples: [
    { line: "holdfast task zip task_abc --out result.zip", does: msg("cli.task.example.zip") },
  ],
  print: ({ path, bytes, leftOut }, look) =>
    [look.say(msg("cli.task.zip", { path, bytes })), ...leftOut.map(look.say)].join("\n"),
};

export const logs: Command<{ bytes: number }> = {
  positional: "id",
  raw: true,
  examples: [
    { line: "holdfast task logs task_abc", does: msg("cli.task.example.logs") },
    { line: "holdfast task logs task_abc --follow", does: msg("cli.task.example.follow") },
  ],
  print: () => "",
  jsonLines: () => [],
  part: (part) => (part as { text: string }).text,
};

export const output: Command<{ text: string }> = {
  positional: "id",
  examples: [
    { line: "holdfast task output task_abc --offset 0", does: msg("cli.task.example.output") },
  ],
  print: ({ text }) => text,
};

export const review: Command<ReviewOutput> = {
  positional: "id",
  examples: [{ line: "holdfast task review task_abc", does: msg("cli.task.example.review") }],
  print: ({ id, phase, hash, checked, files, diff }, look) =>
    [
      look.paint("bold", look.say(msg("cli.task.review", { id, phase }))),
      ...(checked.accepted ? [acceptedLine(phase, look)] : []),
      ...files.map(({ path, characters }) => `  ${path} (${characters})`),
      ...diff.map(({ path, additions, deletions }) => `  ${path} +${additions} -${deletions}`),
      look.paint("dim", `hash ${hash}`),
    ].join("\n"),
};

// --- internal ---

interface ReviewOutput {
  readonly id: string;
  readonly phase: number;
  readonly hash: string;
  readonly checked: { readonly accepted: boolean };
  readonly files: readonly { readonly path: string; readonly characters: number }[];
  readonly diff: readonly {
    readonly path: string;
    readonly additions: number;
    readonly deletions: number;
  }[];
}

function on<O extends object>(word: string, print: (output: O, look: Look) => string): Command<O> {
  const does = { key: `cli.task.example.${word}` as MessageKey, params: {} };
  return {
    positional: "id",
    examples: [{ line: `holdfast task ${word} task_abc`, does }],
    print,
  };
}

function taskText(task: TaskView, look: Look): string {
  const lines = [taskLine(task, look)];
  if (task.held !== null) lines.push(`  ${look.paint("yellow", "!")} ${task.held}`);
  if (task.failure !== null)
    lines.push(`  ${look.paint("red", task.failure.message || task.failure.reason)}`);
  return lines.join("\n");
}

function taskLine(task: TaskView, { say, paint }: Look): string {
  const { id, status, currentPhase, totalPhases, phaseName, progress, title, agentStatus } = task;
  const state = say({ key: `task.label.${status}` as MessageKey, params: {} });
  const place = `${currentPhase}/${totalPhases}${phaseName === null ? "" : ` ${say(phaseName)}`}`;
  const phase = currentPhase === null || totalPhases === null ? "" : `  ${place} · ${progress} %`;
  const waits = agentStatus === null || status === "completed" ? "" : `  (${agentStatus})`;
  return `${paint("bold", id)}  ${state}${phase}${waits}  ${title}${paint("dim", spentText(task))}`;
}

/** How long it took or takes, and what it cost. */
function spentText({ startedAt, completedAt, failedAt, tokens, costUsd }: TaskView): string {
  if (startedAt === null) return "";
  const until = completedAt ?? failedAt;
  const took = (until === null ? Date.now() : Date.parse(until)) - Date.parse(startedAt);
  const cost = tokens === 0 && costUsd === 0 ? "" : `  ${countText(tokens)}  ${moneyText(costUsd)}`;
  return `  ${durationText(took)}${cost}`;
}

function inboxLine(item: InboxItem, { say, paint }: Look): string {
  const { kind, id, taskId, title, blocks, since } = item;
  // One line each: what there is to answer in all stands in `task show`.
  const question = (item.question ?? "").replaceAll(/\s*\n\s*/g, "  ");
  const asked = {
    question,
    held: say(msg("cli.inbox.held", { why: question })),
    dependency: `${item.dependencyType ?? ""} ${item.name ?? ""}`,
    review: say(msg("cli.inbox.review", { phase: item.phase ?? 0 })),
    blocked: say(
      msg("cli.inbox.blocked", { ids: item.waitsFor.map((each) => each.id).join(", ") }),
    ),
  }[kind];
  const others = blocks > 1 ? `  ${say(msg("cli.inbox.blocks", { count: blocks - 1 }))}` : "";
  return `${paint("bold", taskId)}  ${asked}  ${title}${others}  ${paint("dim", `${id} ${since}`)}`;
}

function keptLine(task: KeptView["tasks"][number], { say, paint }: Look): string {
  const { id, title, bytes, removeAt, why, told, trees } = task;
  const when =
    removeAt === null || why === null
      ? say(msg("cli.task.kept.stays"))
      : say(msg(why === "age" ? "cli.task.kept.age" : "cli.task.kept.too_much", { at: removeAt }));
  const size = say(msg("cli.task.kept.size", { megabytes: megabytes(bytes) }));
  const line = `${paint("bold", id)}  ${size}  ${paint(told ? "yellow" : "dim", when)}  ${title}`;
  return [line, ...trees.map((path) => `  ${say(msg("cli.task.kept.tree", { path }))}`)].join("\n");
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function agentText(shown: AgentView, { paint }: Look): string {
  const { id, name, status, currentPhase, currentStep, tokensUsed, blockedBy } = shown;
  const more = [
    currentPhase === null ? "" : `phase ${currentPhase}`,
    currentStep ?? "",
    `${tokensUsed} tokens`,
    blockedBy ?? "",
  ].filter((part) => part !== "");
  return `${paint("bold", id ?? "–")}  ${name}  ${status}  ${paint("dim", more.join(" · "))}`;
}
