// `contracts/{request}/{task}/design-brief.yaml`: written by the engine from the breakdown (S4.2b).
import { z } from "zod";
import { msg } from "../core/messages.ts";
import { type Format, yamlLimit } from "./format.ts";
import { belongs, fileRefs, idsOnce, taskHead } from "./_request-parts.ts";
import { filled, text, texts } from "./shapes.ts";

export const schema = () =>
  z.strictObject({
    ...taskHead("orchestrator"),
    task_name: filled(),
    objective: filled(),
    subtasks: z.array(z.strictObject({ id: text("subtaskId"), name: filled() })).min(1),
    completion_criteria: texts(),
    scope_in: texts(),
    scope_out: texts(),
    file_refs: fileRefs(),
  });

export type DesignBrief = z.infer<ReturnType<typeof schema>>;

export const designBrief: Format<DesignBrief> = {
  name: "design-brief",
  title: msg("format.title.design-brief"),
  syntax: "yaml",
  path: ".claude/orchestrator/sessions/{hash}/contracts/{request}/{task}/design-brief.yaml",
  open: false,
  version: 1,
  maxBytes: yamlLimit,
  rules: ({ task_id: task, subtasks }) => [
    ...idsOnce(subtasks, "subtasks"),
    ...subtasks.flatMap(({ id }, index) => belongs(id, task, "subtasks", index, "id")),
  ],
};
