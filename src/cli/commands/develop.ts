// `holdfast develop`: the first line is for programs, what stands below it for people. On a terminal a
// person is asked whether to go on with what is under way (S0.8).
import type { Developed } from "../../app/operations/develop.ts";
import { msg } from "../../core/messages.ts";
import { exitOf } from "../../app/conduct/answer.ts";
import type { RunPart } from "../../app/conduct/following.ts";
import type { Command } from "../command.ts";
import { runPart } from "../run-part.ts";

export const command: Command<Developed> = {
  positional: "feature",
  files: { script: "always" },
  examples: [
    {
      line: 'holdfast develop "real-time chat" --in-session',
      does: msg("cli.develop.example.begin"),
    },
    { line: "holdfast develop --resume --in-session", does: msg("cli.develop.example.resume") },
    { line: "holdfast develop --approve", does: msg("cli.develop.example.approve") },
    { line: "holdfast develop --skip cp-2", does: msg("cli.develop.example.skip") },
  ],
  choices: ({ text }) =>
    text.key === "develop.under_way"
      ? [
          { says: msg("develop.choice.resume"), gives: { resume: true } },
          { says: msg("develop.choice.restart"), gives: { restart: true } },
        ]
      : [],
  print: ({ line, says, waves = [], prompt }, { say }) =>
    [
      line,
      ...says.map((text) => say(text)),
      ...waves.map((ids, at) => say(msg("develop.wave", { number: at + 1, ids: ids.join(", ") }))),
      ...(prompt === undefined ? [] : ["", prompt]),
    ].join("\n"),
  part: (part, look) => runPart(part as RunPart, look),
  exit: exitOf,
};
