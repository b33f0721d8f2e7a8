import { msg } from "../../core/messages.ts";
import type { Message } from "../../core/messages.ts";
import type { Command } from "../command.ts";

type Output =
  | { readonly formats: readonly { name: string; path: string; title: Message }[] }
  | { readonly schema: object };

export const command: Command<Output> = {
  positional: "format",
  examples: [
    { line: "holdfast schema", does: msg("cli.schema.example.list") },
    {
      line: "holdfast schema orchestrate-state > orchestrate-state.schema.json",
      does: msg("cli.schema.example.one"),
    },
  ],
  print: (output, { say, paint }) => {
    if ("schema" in output) return JSON.stringify(output.schema, null, 2);
    const width = Math.max(...output.formats.map(({ name }) => name.length));
    return output.formats
      .map(
        ({ name, path, title }) =>
          `${paint("bold", name.padEnd(width))}  ${say(title)}\n${" ".repeat(width + 2)}${paint("dim", path)}`,
      )
      .join("\n");
  },
  // A schema is already JSON: with and without --json it can be piped to a file.
  json: (output) => ("schema" in output ? output.schema : output),
};
