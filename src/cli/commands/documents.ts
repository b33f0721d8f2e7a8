// How documents read on a terminal: which there are, and what is wrong with one.
import type { DocumentsShown } from "../../app/operations/documents.ts";
import { msg } from "../../core/messages.ts";
import type { Command } from "../command.ts";

export const documents: Command<DocumentsShown> = {
  positional: "part",
  examples: [
    { line: "holdfast documents memory", does: msg("cli.documents.example") },
    {
      line: "holdfast documents contracts --json",
      does: msg("cli.documents.example.contracts"),
    },
  ],
  print: ({ documents: all, problems, left }, { say, paint }) => {
    if (all.length + problems.length === 0) return say(msg("cli.documents.none"));
    return [
      ...all.map(({ path, format, says }) =>
        says === null
          ? `${paint("green", "✓")} ${path}  ${paint("dim", format)}`
          : `${paint("red", "✗")} ${path}  ${say(says.message)}${
              says.hint === null ? "" : `\n  ${paint("dim", say(says.hint))}`
            }`,
      ),
      ...problems.map(({ path, message }) => `${paint("yellow", "!")} ${path}  ${say(message)}`),
      ...(left > 0 ? [paint("dim", say(msg("cli.documents.left", { count: left })))] : []),
    ].join("\n");
  },
  exit: ({ documents: all }) => (all.some(({ says }) => says !== null) ? 6 : 0),
};
