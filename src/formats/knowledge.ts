// `.claude/orchestrator/knowledge/{hash}/knowledge.yaml`: what a project taught us (S4.2, S4.7).
import { z } from "zod";
import { msg } from "../core/messages.ts";
import { type Format, yamlLimit } from "./format.ts";
import { idsOnce, project } from "./_request-parts.ts";
import { filled, text, texts, time } from "./shapes.ts";

export const schema = () =>
  z.strictObject({
    version: z.literal(1),
    project: project(),
    patterns: z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])),
    decisions: z.array(
      z.strictObject({
        id: filled(),
        topic: filled(),
        decision: filled(),
        rationale: z.string(),
        refs: texts(),
        created_at: text("dayOrTime"),
      }),
    ),
    pitfalls: z.array(
      z.strictObject({
        id: filled(),
        description: filled(),
        reason: z.string(),
        learned_from: z.string().optional(),
      }),
    ),
    updated_at: time(),
  });

export type Knowledge = z.infer<ReturnType<typeof schema>>;

export const knowledge: Format<Knowledge> = {
  name: "knowledge",
  title: msg("format.title.knowledge"),
  syntax: "yaml",
  path: ".claude/orchestrator/knowledge/{hash}/knowledge.yaml",
  open: false,
  version: 1,
  maxBytes: yamlLimit,
  personMay: (pointer) => /^\/(?:patterns|decisions|pitfalls|updated_at)/.test(pointer),
  rules: ({ decisions, pitfalls }) => [
    ...idsOnce(decisions, "decisions"),
    ...idsOnce(pitfalls, "pitfalls"),
  ],
};
