import type { FoundAgent } from "../../app/agent-choice.ts";
import type { FoundAgents } from "../../app/operations/agents.ts";
import { msg } from "../../core/messages.ts";
import type { Command, Look } from "../command.ts";

export const command: Command<FoundAgents> = {
  examples: [
    { line: "holdfast agents", does: msg("cli.agents.example") },
    { line: "holdfast agents --json", does: msg("cli.agents.example.json") },
  ],
  print: ({ agents, advice }, look) => {
    const lines = agents.map((agent) => agentText(agent, look));
    return [...lines, ...(advice ? ["", look.say(advice)] : [])].join("\n");
  },
};

// --- internal ---

function agentText({ name, path, version, usable, message, hint }: FoundAgent, look: Look): string {
  const { say, paint } = look;
  const mark = usable
    ? paint("green", "✓")
    : paint(path === null ? "dim" : "yellow", path === null ? "–" : "!");
  const head = [paint("bold", name), version, path === null ? null : paint("dim", path)];
  const lines = [`${mark} ${head.filter(Boolean).join("  ")}`, `    ${say(message)}`];
  if (hint) lines.push(`    ${paint("dim", say(hint))}`);
  return lines.join("\n");
}
