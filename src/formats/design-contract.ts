// `contracts/{request}/{task}/design-contract.yaml`: what the architect binds everyone to (S4.2).
import { z } from "zod";
import { msg } from "../core/messages.ts";
import { type Format, yamlLimit } from "./format.ts";
import { fileRefs, idsOnce, taskHead } from "./_request-parts.ts";
import { filled } from "./shapes.ts";

export const layerNames = ["presentation", "application", "domain", "infrastructure"] as const;

const shape = () =>
  z.strictObject({
    type: filled(),
    fields: z.array(z.strictObject({ name: filled(), type: filled() })).optional(),
  });

export const schema = () =>
  z.strictObject({
    ...taskHead("architect"),
    task_name: filled(),
    invariants: z.array(z.strictObject({ id: filled(), rule: filled() })),
    interfaces: z.array(
      z.strictObject({ name: filled(), input: shape(), output: shape(), contract: z.string() }),
    ),
    boundaries: z.array(
      z.strictObject({
        from: filled(),
        to: filled(),
        allowed: z.boolean(),
        note: z.string().optional(),
      }),
    ),
    layer_assignments: z.array(z.strictObject({ component: filled(), layer: z.enum(layerNames) })),
    file_refs: fileRefs(),
  });

export type DesignContract = z.infer<ReturnType<typeof schema>>;

export const designContract: Format<DesignContract> = {
  name: "design-contract",
  title: msg("format.title.design-contract"),
  syntax: "yaml",
  path: ".claude/orchestrator/sessions/{hash}/contracts/{request}/{task}/design-contract.yaml",
  open: false,
  version: 1,
  maxBytes: yamlLimit,
  rules: ({ invariants }) => idsOnce(invariants, "invariants"),
};
