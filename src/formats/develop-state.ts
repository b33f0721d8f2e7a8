// `.develop-workflow/state.yaml`: how far a develop run is (S0.1–S0.3). Minimal on purpose: what
// was tried and why it failed is analysed again, only the position is kept.
import { z } from "zod";
import { msg } from "../core/messages.ts";
import { checkpointStatuses, developPhases, strategies } from "../core/vocabulary.ts";
import { type Finding, type Format, error, notice, pointerTo, yamlLimit } from "./format.ts";
import { places } from "./places.ts";
import { filled, text, time } from "./shapes.ts";

export const schema = () =>
  z.looseObject({
    phase: z.enum(developPhases).describe("Where the workflow stands."),
    strategy: z
      .enum(strategies)
      .optional()
      .describe("How checkpoints are worked on; from IMPLEMENT on."),
    feature: filled().describe("What was asked for, in a line."),
    started_at: time(),
    updated_at: time(),
    checkpoints: z
      .record(
        text("checkpointKey"),
        z.looseObject({
          status: z.enum(checkpointStatuses),
          iteration: z.int().min(0).max(3).describe("0: not begun; 1–3: which attempt."),
        }),
      )
      .optional(),
  });

export type DevelopState = z.infer<ReturnType<typeof schema>>;

export const developState: Format<DevelopState> = {
  name: "develop-state",
  title: msg("format.title.develop-state"),
  syntax: "yaml",
  path: places["develop-state"],
  open: true,
  version: null,
  maxBytes: yamlLimit,
  personMay: (pointer) => pointer === "/feature",
  removable: true,
  rules: (state) => [...strategyFits(state), ...iterationsFit(state)],
};

// --- internal ---

function strategyFits({ phase, strategy }: DevelopState): Finding[] {
  const early = phase === "DESIGN" || phase === "REVIEW";
  if (early && strategy !== undefined)
    return [error("/strategy", msg("format.rule.strategy_early", { phase }))];
  if (phase === "IMPLEMENT" && strategy === undefined)
    return [notice("", msg("format.rule.strategy_missing"))];
  return [];
}

function iterationsFit({ checkpoints = {} }: DevelopState): Finding[] {
  return Object.entries(checkpoints)
    .filter(([, { status, iteration }]) => (status === "pending") !== (iteration === 0))
    .map(([id, { status, iteration }]) =>
      error(
        pointerTo("checkpoints", id, "iteration"),
        msg("format.rule.iteration", { id, status, iteration }),
      ),
    );
}
