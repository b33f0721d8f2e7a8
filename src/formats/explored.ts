// `contracts/{request}/explored.yaml`: what code-explore found (S4.2, S4.2b).
import { z } from "zod";
import { msg } from "../core/messages.ts";
import { type Format, yamlLimit } from "./format.ts";
import { manifest, requestHead } from "./_request-parts.ts";
import { text } from "./shapes.ts";

export const schema = () =>
  z.strictObject({
    ...requestHead("code-explore"),
    project_manifest: manifest(),
    explored_files: z.array(z.strictObject({ path: text("relativePath"), summary: z.string() })),
    directory_structure: z.record(text("relativePath"), z.string()),
  });

export type Explored = z.infer<ReturnType<typeof schema>>;

export const explored: Format<Explored> = {
  name: "explored",
  title: msg("format.title.explored"),
  syntax: "yaml",
  path: ".claude/orchestrator/sessions/{hash}/contracts/{request}/explored.yaml",
  open: false,
  version: 1,
  maxBytes: yamlLimit,
};
