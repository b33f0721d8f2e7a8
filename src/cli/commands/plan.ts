// `holdfast plan` and `holdfast memory`: the first line is for programs, what stands below it for people.
import type { Memorised } from "../../app/operations/memory.ts";
import type { Planned } from "../../app/operations/plan.ts";
import { msg } from "../../core/messages.ts";
import { exitOf } from "../../app/conduct/answer.ts";
import type { RunPart } from "../../app/conduct/following.ts";
import type { Command, Look } from "../command.ts";
import { runPart } from "../run-part.ts";

export const plan: Command<Planned> = {
  positional: ["goal", "detail"],
  examples: [
    {
      line: 'holdfast plan "release notes in Korean" --in-session',
      does: msg("cli.plan.example.begin"),
    },
    { line: "holdfast plan status", does: msg("cli.plan.example.status") },
    {
      line: 'holdfast plan "the next thing" --in-session --queue',
      does: msg("cli.plan.example.queue"),
    },
    { line: "holdfast plan edit steps.json", does: msg("cli.plan.example.edit") },
    { line: 'holdfast plan replan "use the other service"', does: msg("cli.plan.example.replan") },
  ],
  notes: [msg("cli.plan.note")],
  print: (output, look) => {
    const { line, says, waves = [], prompt } = output;
    return [
      line,
      ...says.map((text) => look.say(text)),
      ...planLines(output, look),
      ...waves.map((ids, place) =>
        look.say(msg("cli.plan.wave", { wave: place + 1, ids: ids.join(", ") })),
      ),
      ...(prompt === undefined ? [] : ["", prompt]),
    ].join("\n");
  },
  part: (part, look) => runPart(part as RunPart, look),
  exit: exitOf,
};

export const memory: Command<Memorised> = {
  positional: ["action", "path", "value"],
  files: { value: "marked" },
  examples: [
    { line: "holdfast memory list", does: msg("cli.memory.example.list") },
    { line: "holdfast memory get shared_data.current_topic", does: msg("cli.memory.example.get") },
    {
      line: "holdfast memory set preferences.tone '\"plain\"'",
      does: msg("cli.memory.example.set"),
    },
    {
      line: "holdfast memory add agents.writer.cache.recent_topics releases",
      does: msg("cli.memory.example.add"),
    },
    { line: "holdfast memory remove shared_data.draft", does: msg("cli.memory.example.remove") },
  ],
  notes: [msg("memory.bad_path.hint")],
  print: ({ says, value }, { say }) =>
    [
      ...says.map((text) => say(text)),
      ...(value === undefined
        ? []
        : [typeof value === "string" ? value : JSON.stringify(value, null, 2)]),
    ].join("\n"),
};

// --- internal ---

const marks = { completed: "✓", in_progress: "▶", failed: "✗", pending: "·" } as const;

function planLines({ plan: shown, waiting = [] }: Planned, { say, paint }: Look): string[] {
  const queue = waiting.map(({ id, name }) => say(msg("cli.plan.waiting", { id, name })));
  if (!shown) return queue;
  const { id, name, status, stage, steps, criteria, asks } = shown;
  return [
    say(msg("cli.plan.head", { id, name, status, stage })),
    ...steps.map((step) => {
      const needs = step.dependencies.length > 0 ? ` ← ${step.dependencies.join(", ")}` : "";
      const error = step.error === null ? "" : `\n    ${paint("red", step.error)}`;
      return `  ${marks[step.status]} ${step.id} ${step.name} (${step.agent})${needs}${error}`;
    }),
    ...criteria.map(
      ({ criterion, met }) => `  ${met === null ? "?" : met ? "✓" : "✗"} ${criterion}`,
    ),
    ...(asks === null ? [] : ["", asks]),
    ...queue,
  ];
}
