// `.claude/orchestrator/sessions/{hash}/session.json`, version 1 (S4.1, S4.2).
import { z } from "zod";
import { msg } from "../core/messages.ts";
import { requestStatuses } from "../core/vocabulary.ts";
import { type Format, jsonLimit } from "./format.ts";
import { manifest, project } from "./_request-parts.ts";
import { text, time } from "./shapes.ts";

export const schema = () =>
  z.strictObject({
    version: z.literal(1),
    project: project(),
    status: z.enum(requestStatuses),
    current_task: text("taskId").nullable().describe("null before a first task exists."),
    created_at: time(),
    updated_at: time(),
    manifest: manifest(),
  });

export type RequestSession = z.infer<ReturnType<typeof schema>>;

export const requestSession: Format<RequestSession> = {
  name: "request-session",
  title: msg("format.title.request-session"),
  syntax: "json",
  path: ".claude/orchestrator/sessions/{hash}/session.json",
  open: false,
  version: 1,
  maxBytes: jsonLimit,
};
