// `holdfast request` and `holdfast contracts`: the first line is for programs, what stands below it for
// people and for who does the work.
import type { Contracts } from "../../app/operations/contracts.ts";
import type { Requested } from "../../app/operations/request.ts";
import { codes } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import { exitOf } from "../../app/conduct/answer.ts";
import type { RunPart } from "../../app/conduct/following.ts";
import { runPart } from "../run-part.ts";
import type { Command, Look } from "../command.ts";

export const request: Command<Requested> = {
  positional: "text",
  files: { patterns: "always" },
  examples: [
    {
      line: 'holdfast request "add a search" --in-session',
      does: msg("cli.request.example.begin"),
    },
    { line: "holdfast request status", does: msg("cli.request.example.status") },
    { line: "holdfast request resume", does: msg("cli.request.example.resume") },
    {
      line: "holdfast request learn --patterns patterns.yaml",
      does: msg("cli.request.example.learn"),
    },
  ],
  notes: [msg("cli.request.note")],
  print: (output, look) => {
    const { line, says, prompt } = output;
    return [
      line,
      ...says.map((text) => look.say(text)),
      ...tasks(output, look),
      ...(prompt === undefined ? [] : ["", prompt]),
    ].join("\n");
  },
  part: (part, look) => runPart(part as RunPart, look),
  exit: exitOf,
};

export const contracts: Command<Contracts> = {
  files: { text: "marked" },
  examples: [
    { line: "holdfast contracts", does: msg("cli.contracts.example.read") },
    {
      line: "holdfast contracts --unit T1-S1 --text @draft.yaml",
      does: msg("cli.contracts.example.hand"),
    },
  ],
  print: ({ unit, role, contracts: all, write, form, valid, findings }, { paint }) =>
    [
      ...(unit === null ? [] : [`${unit} (${role ?? ""})`]),
      ...all.flatMap(({ name, text }) => ["", `# ${name}`, text.trimEnd()]),
      ...(write === null || valid !== null ? [] : ["", `→ ${write}`, form ?? ""]),
      ...(valid === true ? [paint("green", "✓")] : []),
      ...findings.map(({ field, message, line }) => {
        const place = line === null ? field : `${field} (${line})`;
        return `${paint("red", "✗")} ${place}: ${message}`;
      }),
    ].join("\n"),
  exit: ({ valid }) => (valid === false ? codes.invalid_input.exit : 0),
};

// --- internal ---

function tasks({ request: shown }: Requested, { paint }: Look): string[] {
  if (shown === undefined) return [];
  return shown.tasks.flatMap(({ id, name, status, subtasks }) => [
    `${id} ${name}: ${status}`,
    ...subtasks.flatMap((each) => [
      `  ${each.id} ${each.name}: ${each.status}, ${each.phase}${gates(each.gates)}`,
      ...each.verdicts.flatMap(({ item, holds, why }) =>
        holds ? [] : [`    ${paint("red", "✗")} ${item}: ${why}`],
      ),
      ...each.uncovered.map((item) => `    ${paint("yellow", "!")} ${item}`),
    ]),
  ]);
}

function gates(all: Readonly<Record<string, string>>): string {
  const order = ["GATE-1", "GATE-3", "GATE-4", "GATE-2"];
  const known = order.flatMap((gate) => (all[gate] === undefined ? [] : `${gate} ${all[gate]}`));
  return known.length === 0 ? "" : ` (${known.join(", ")})`;
}
