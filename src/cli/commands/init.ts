import type { Begun } from "../../app/operations/init.ts";
import { msg } from "../../core/messages.ts";
import type { Command } from "../command.ts";

export const command: Command<Begun> = {
  examples: [
    { line: "holdfast init", does: msg("cli.init.example.plain") },
    { line: "holdfast init --gitignore", does: msg("cli.init.example.gitignore") },
    { line: "holdfast init --plugin --status-line", does: msg("cli.init.example.plugin") },
  ],
  print: ({ root, gitignore, plugin, says }, { say, paint }) => {
    const lines = gitignore.added ? [] : gitignore.lines;
    const commands = plugin.installed ? [] : plugin.commands;
    // Each offer stands right below the sentence that makes it.
    const [made, ignored, ...rest] = says.map(say);
    const parts = [made, ignored, ...lines.map(indented), ...rest, ...commands.map(indented)];
    return [paint("dim", root), ...parts].join("\n");
  },
};

// --- internal ---

function indented(text: string): string {
  return `    ${text}`;
}
