// `holdfast orchestrate`: the first line is for programs, what stands below it for people.
import type { Orchestrated } from "../../app/operations/orchestrate.ts";
import { codes } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import { exitOf } from "../../app/conduct/answer.ts";
import type { RunPart } from "../../app/conduct/following.ts";
import type { Command, Look } from "../command.ts";
import { runPart } from "../run-part.ts";

export const command: Command<Orchestrated> = {
  files: { script: "always" },
  examples: [
    { line: "holdfast orchestrate --parallel 4", does: msg("cli.orchestrate.example.carry_out") },
    { line: "holdfast orchestrate --in-session", does: msg("cli.orchestrate.example.begin") },
    { line: "holdfast orchestrate --resume", does: msg("cli.orchestrate.example.resume") },
    { line: "holdfast orchestrate --dry-run", does: msg("cli.orchestrate.example.dry_run") },
    { line: "holdfast orchestrate --unit T1.3", does: msg("cli.orchestrate.example.unit") },
  ],
  notes: [msg("cli.orchestrate.note")],
  print: (output, look) => {
    const { line, says, prompt } = output;
    return [
      line,
      ...says.map((text) => look.say(text)),
      ...waves(output, look),
      ...compared(output, look),
      ...(prompt === undefined ? [] : ["", prompt]),
    ].join("\n");
  },
  part: (part, look) => runPart(part as RunPart, look),
  exit: ({ found = [], ended }) =>
    found.some(({ level }) => level === "error") ? codes.refused.exit : exitOf({ ended }),
};

// --- internal ---

const mostIds = 12;
const mostLines = 200;

function waves({ ahead, critical = [] }: Orchestrated, { say }: Look): string[] {
  if (ahead === undefined) return [];
  const lines = ahead.flatMap(({ phase, waves: all }) =>
    all.map((ids, place) =>
      say(
        msg("cli.orchestrate.wave", {
          phase,
          wave: place + 1,
          count: ids.length,
          ids: listed(ids),
        }),
      ),
    ),
  );
  return [
    ...cut(lines, say),
    say(msg("cli.orchestrate.critical", { ids: listed(critical, " → ") })),
  ];
}

function compared({ progress = [], found = [] }: Orchestrated, { say, paint }: Look): string[] {
  return [
    ...progress.map((each) => say(msg("cli.orchestrate.progress", each))),
    ...cut(
      found.map(({ level, text }) =>
        level === "error"
          ? `${paint("red", "✗")} ${say(text)}`
          : `${paint("yellow", "!")} ${say(text)}`,
      ),
      say,
    ),
  ];
}

function cut(lines: readonly string[], say: Look["say"]): string[] {
  const rest = lines.length - mostLines;
  if (rest <= 0) return [...lines];
  return [...lines.slice(0, mostLines), say(msg("status.more", { count: rest }))];
}

function listed(ids: readonly string[], between = ", "): string {
  const rest = ids.length - mostIds;
  return ids.slice(0, mostIds).join(between) + (rest > 0 ? `${between}… (+${rest})` : "");
}
