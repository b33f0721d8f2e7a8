// `.claude/memory/shared-context.json`: what the agents of a plan share (S3.1, S3.9).
import { z } from "zod";
import { msg } from "../core/messages.ts";
import { type Format, jsonLimit } from "./format.ts";
import { anything, text, time } from "./shapes.ts";

export const schema = () =>
  z.looseObject({
    version: z.literal("1.0"),
    session: z.looseObject({ id: text("planSessionId"), started_at: time() }),
    shared_data: anything(),
    preferences: anything(),
    last_updated: time(),
  });

export type SharedContext = z.infer<ReturnType<typeof schema>>;

export const sharedContext: Format<SharedContext> = {
  name: "shared-context",
  title: msg("format.title.shared-context"),
  syntax: "json",
  path: ".claude/memory/shared-context.json",
  open: true,
  version: "1.0",
  maxBytes: jsonLimit,
  personMay: (pointer) => /^\/(?:shared_data|preferences|last_updated)/.test(pointer),
};
