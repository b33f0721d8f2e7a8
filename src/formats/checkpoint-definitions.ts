// `docs/develop/checkpoints.yaml`: what the DESIGN phase promises to build, and how each part
// is checked (S0.4). Strict: an agent writes it, and a misspelt field would be a silent loss.
import { z } from "zod";
import { msg } from "../core/messages.ts";
import { formatCheckpointId, parseCheckpointId } from "../core/ids.ts";
import { type Finding, type Format, error, pointerTo, yamlLimit } from "./format.ts";
import { dependencyFindings } from "./_dependencies.ts";
import { command, filled, text } from "./shapes.ts";

export const schema = () =>
  z.strictObject({
    checkpoints: z
      .array(
        z.strictObject({
          id: text("checkpointId"),
          description: filled(),
          interface: z
            .array(text("relativePath"))
            .optional()
            .describe("Files that hold the interface."),
          tests: z.array(text("relativePath")).optional(),
          validation: z.strictObject({
            command: command().describe(
              "Run by Holdfast itself; an agent's word never passes a checkpoint.",
            ),
            expected: filled(),
          }),
          dependencies: z.array(text("checkpointId")).optional(),
        }),
      )
      .min(1),
  });

export type CheckpointDefinitions = z.infer<ReturnType<typeof schema>>;

export const checkpointDefinitions: Format<CheckpointDefinitions> = {
  name: "checkpoint-definitions",
  title: msg("format.title.checkpoint-definitions"),
  syntax: "yaml",
  path: "docs/develop/checkpoints.yaml",
  open: false,
  version: null,
  maxBytes: yamlLimit,
  rules: dependenciesFit,
};

/** `checkpoint-1` in a definition is `cp-1` in the state: both spellings are one id. */
export function checkpointKey(id: string): string {
  const number = parseCheckpointId(id);
  return number === undefined ? id : formatCheckpointId(number);
}

// --- internal ---

function dependenciesFit({ checkpoints }: CheckpointDefinitions): Finding[] {
  const nodes = checkpoints.map(({ id, dependencies = [] }) => ({
    id: checkpointKey(id),
    dependencies: dependencies.map(checkpointKey),
  }));
  return dependencyFindings(nodes, (index, dependency) =>
    pointerTo(
      "checkpoints",
      index,
      ...(dependency === undefined ? ["id"] : ["dependencies", dependency]),
    ),
  ).map(({ pointer, text: said }) => error(pointer, said));
}
