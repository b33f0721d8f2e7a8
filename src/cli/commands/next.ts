// `holdfast next` and `holdfast report`: for an agent with nothing but a shell. The first line is for
// programs; what stands below it is for who does the work.
import type { NextStep, Reported } from "../../app/in-session.ts";
import { msg } from "../../core/messages.ts";
import type { Command } from "../command.ts";

export const next: Command<NextStep> = {
  positional: ["workflow", "ask"],
  examples: [
    { line: "holdfast next", does: msg("cli.next.example.run") },
    { line: "holdfast next create_app", does: msg("cli.next.example.named") },
    { line: "holdfast next orchestrate --phase 2", does: msg("cli.next.example.phase") },
  ],
  print: ({ line, says, prompt, missing }, { say }) =>
    [
      line,
      ...(says === null ? [] : [say(says)]),
      ...(missing.length > 0 ? [say(msg("next.missing", { files: missing.join(", ") }))] : []),
      ...(prompt === null ? [] : ["", prompt]),
    ].join("\n"),
};

export const report: Command<Reported> = {
  positional: ["workflow", "line"],
  examples: [
    { line: "holdfast report create_app DONE:1", does: msg("cli.report.example.done") },
    { line: "holdfast report orchestrate START:T1.3", does: msg("cli.report.example.start") },
    {
      line: 'holdfast report create_app "FAIL:1:the API is gone"',
      does: msg("cli.report.example.fail"),
    },
  ],
  print: ({ line, says }, { say }) => (says === null ? line : `${line}\n${say(says)}`),
};
