// `holdfast agent …`: for an agent that Holdfast started, about its own task.
import type { ToldView } from "../../app/operations/agent/_parts.ts";
import type { OwnState } from "../../app/operations/agent/state.ts";
import { type Message, msg } from "../../core/messages.ts";
import type { Command } from "../command.ts";

export const state: Command<OwnState> = {
  examples: [{ line: "holdfast agent state --json", does: msg("cli.agent.example.state") }],
  print: ({ task, title, workflow, status, phase, phases, files, needs, variables }, { say }) =>
    [
      `${task}  ${title}  ${workflow}  ${status}`,
      say(msg("status.phase", { number: `${phase ?? 0}/${phases}` })),
      ...files.map(({ path, present }) => `  ${present ? "✓" : "·"} ${path}`),
      ...needs.map((name) => `  ? ${name}`),
      ...variables.map((name) => `  $${name}`),
    ].join("\n"),
};

export const ask = telling(
  'holdfast agent ask --question "Which database?" --options SQLite --options PostgreSQL',
  msg("cli.agent.example.ask"),
);
export const need = telling(
  'holdfast agent need --type api_key --name STRIPE_KEY --description "To charge cards"',
  msg("cli.agent.example.need"),
);
export const done = telling("holdfast agent done --phase 1", msg("cli.agent.example.done"));
export const progress = telling(
  'holdfast agent progress --note "Half of the tests pass"',
  msg("cli.agent.example.progress"),
);

// --- internal ---

function telling(line: string, does: Message): Command<ToldView> {
  return { examples: [{ line, does }], print: ({ says }, { say }) => say(says) };
}
