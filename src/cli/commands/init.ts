import type { Begun } from "../../app/operations/init.ts";
import { msg } from "../../core/messages.ts";
import type { Command } from "../command.ts";

export const command: Command<Begun> = {
  examples: [
    { line: "holdfast init", does: msg("cli.init.example.plain") },
    { line: "holdfast init --gitignore", does: msg("cli.init.example.gitignore") },
  ],
  print: ({ root, gitignore, says }, { say, paint }) => {
    const offered = gitignore.added ? [] : gitignore.lines.map((line) => `    ${line}`);
    return [paint("dim", root), ...says.map(say), ...offered].join("\n");
  },
};
