// The table of operations. Loading one loads nothing of the others.
//
// `http` is its route: what stands in braces comes from the path, the rest of a GET from the query
// and of a POST from the body. One without is for the command line alone.
import { type Message, msg } from "../core/messages.ts";
import type { AnyOperation } from "./operation.ts";

export interface OperationEntry {
  readonly summary: Message;
  readonly load: () => Promise<AnyOperation>;
  readonly http?: readonly ["GET" | "POST" | "DELETE", string];
  /**
   * The tool by which agents call it, and which: one in a run of ours, which acts for its own task
   * alone; one in a session of a person's; or both.
   */
  readonly mcp?: {
    readonly tool: string;
    readonly for: "run" | "session" | "both";
    /** It changes nothing. */
    readonly reads?: boolean;
  };
}

const widen = (operation: unknown): AnyOperation => operation as AnyOperation;

export const operations = {
  init: {
    summary: msg("op.init"),
    load: async () => widen((await import("./operations/init.ts")).operation),
  },
  status: {
    summary: msg("op.status"),
    load: async () => widen((await import("./operations/status.ts")).operation),
    mcp: { tool: "state", for: "session", reads: true },
  },
  why: {
    summary: msg("op.why"),
    load: async () => widen((await import("./operations/why.ts")).operation),
    http: ["GET", "/api/why"],
    mcp: { tool: "why", for: "session", reads: true },
  },
  units: {
    summary: msg("op.units"),
    load: async () => widen((await import("./operations/units.ts")).operation),
    http: ["GET", "/api/units"],
  },
  documents: {
    summary: msg("op.documents"),
    load: async () => widen((await import("./operations/documents.ts")).operation),
    http: ["GET", "/api/documents"],
  },
  log: {
    summary: msg("op.log"),
    load: async () => widen((await import("./operations/log.ts")).operation),
    http: ["GET", "/api/log"],
  },
  recall: {
    summary: msg("op.recall"),
    load: async () => widen((await import("./operations/recall.ts")).operation),
    http: ["GET", "/api/recall"],
    mcp: { tool: "recall", for: "both", reads: true },
  },
  metrics: {
    summary: msg("op.metrics"),
    load: async () => widen((await import("./operations/metrics.ts")).operation),
    http: ["GET", "/api/metrics"],
  },
  machines: {
    summary: msg("op.machines"),
    load: async () => widen((await import("./operations/machines.ts")).operation),
    http: ["GET", "/api/machines"],
  },
  settings: {
    summary: msg("op.settings"),
    load: async () => widen((await import("./operations/settings.ts")).operation),
    http: ["GET", "/api/settings"],
  },
  notify: {
    summary: msg("op.notify"),
    load: async () => widen((await import("./operations/notify.ts")).operation),
    http: ["POST", "/api/notify"],
  },
  doctor: {
    summary: msg("op.doctor"),
    load: async () => widen((await import("./operations/doctor.ts")).operation),
  },
  agents: {
    summary: msg("op.agents"),
    load: async () => widen((await import("./operations/agents.ts")).operation),
    http: ["GET", "/api/agents"],
  },
  validate: {
    summary: msg("op.validate"),
    load: async () => widen((await import("./operations/validate.ts")).operation),
  },
  schema: {
    summary: msg("op.schema"),
    load: async () => widen((await import("./operations/schema.ts")).operation),
  },
  next: {
    summary: msg("op.next"),
    load: async () => widen((await import("./operations/next.ts")).operation),
    mcp: { tool: "next", for: "both", reads: true },
  },
  report: {
    summary: msg("op.report"),
    load: async () => widen((await import("./operations/report.ts")).operation),
    mcp: { tool: "report", for: "both" },
  },
  orchestrate: {
    summary: msg("op.orchestrate"),
    load: async () => widen((await import("./operations/orchestrate.ts")).operation),
  },
  develop: {
    summary: msg("op.develop"),
    load: async () => widen((await import("./operations/develop.ts")).operation),
  },
  plan: {
    summary: msg("op.plan"),
    load: async () => widen((await import("./operations/plan.ts")).operation),
  },
  memory: {
    summary: msg("op.memory"),
    load: async () => widen((await import("./operations/memory.ts")).operation),
    mcp: { tool: "memory", for: "both" },
  },
  request: {
    summary: msg("op.request"),
    load: async () => widen((await import("./operations/request.ts")).operation),
  },
  contracts: {
    summary: msg("op.contracts"),
    load: async () => widen((await import("./operations/contracts.ts")).operation),
    mcp: { tool: "contracts", for: "both" },
  },
  "agent state": {
    summary: msg("op.agent.state"),
    load: async () => widen((await import("./operations/agent/state.ts")).operation),
    mcp: { tool: "state", for: "run", reads: true },
  },
  "agent ask": {
    summary: msg("op.agent.ask"),
    load: async () => widen((await import("./operations/agent/ask.ts")).operation),
    mcp: { tool: "ask_user", for: "run" },
  },
  "agent need": {
    summary: msg("op.agent.need"),
    load: async () => widen((await import("./operations/agent/need.ts")).operation),
    mcp: { tool: "request_dependency", for: "run" },
  },
  "agent done": {
    summary: msg("op.agent.done"),
    load: async () => widen((await import("./operations/agent/done.ts")).operation),
    mcp: { tool: "phase_complete", for: "run" },
  },
  "agent progress": {
    summary: msg("op.agent.progress"),
    load: async () => widen((await import("./operations/agent/progress.ts")).operation),
    mcp: { tool: "progress", for: "run" },
  },
  "task create": {
    summary: msg("op.task.create"),
    load: async () => widen((await import("./operations/task/create.ts")).operation),
    http: ["POST", "/api/tasks"],
  },
  "task list": {
    summary: msg("op.task.list"),
    load: async () => widen((await import("./operations/task/list.ts")).operation),
    http: ["GET", "/api/tasks"],
  },
  "task inbox": {
    summary: msg("op.task.inbox"),
    load: async () => widen((await import("./operations/task/inbox.ts")).operation),
    http: ["GET", "/api/inbox"],
  },
  "task types": {
    summary: msg("op.task.types"),
    load: async () => widen((await import("./operations/task/types.ts")).operation),
    http: ["GET", "/api/types"],
  },
  "task projects": {
    summary: msg("op.task.projects"),
    load: async () => widen((await import("./operations/task/projects.ts")).operation),
    http: ["GET", "/api/projects"],
  },
  "task show": {
    summary: msg("op.task.show"),
    load: async () => widen((await import("./operations/task/show.ts")).operation),
    http: ["GET", "/api/tasks/{id}"],
  },
  "task agent": {
    summary: msg("op.task.agent"),
    load: async () => widen((await import("./operations/task/agent.ts")).operation),
    http: ["GET", "/api/tasks/{id}/agent"],
  },
  "task agents": {
    summary: msg("op.task.agents"),
    load: async () => widen((await import("./operations/task/agents.ts")).operation),
    http: ["GET", "/api/tasks/{id}/agents"],
  },
  "task edit": {
    summary: msg("op.task.edit"),
    load: async () => widen((await import("./operations/task/edit.ts")).operation),
    http: ["POST", "/api/tasks/{id}/edit"],
  },
  "task submit": {
    summary: msg("op.task.submit"),
    load: async () => widen((await import("./operations/task/submit.ts")).operation),
    http: ["POST", "/api/tasks/{id}/submit"],
  },
  "task pause": {
    summary: msg("op.task.pause"),
    load: async () => widen((await import("./operations/task/pause.ts")).operation),
    http: ["POST", "/api/tasks/{id}/pause"],
  },
  "task resume": {
    summary: msg("op.task.resume"),
    load: async () => widen((await import("./operations/task/resume.ts")).operation),
    http: ["POST", "/api/tasks/{id}/resume"],
  },
  "task cancel": {
    summary: msg("op.task.cancel"),
    load: async () => widen((await import("./operations/task/cancel.ts")).operation),
    http: ["POST", "/api/tasks/{id}/cancel"],
  },
  "task review": {
    summary: msg("op.task.review"),
    load: async () => widen((await import("./operations/task/review.ts")).operation),
    http: ["GET", "/api/tasks/{id}/review"],
  },
  "task approve": {
    summary: msg("op.task.approve"),
    load: async () => widen((await import("./operations/task/approve.ts")).operation),
    http: ["POST", "/api/tasks/{id}/approve"],
  },
  "task request-changes": {
    summary: msg("op.task.request-changes"),
    load: async () => widen((await import("./operations/task/request-changes.ts")).operation),
    http: ["POST", "/api/tasks/{id}/request-changes"],
  },
  "task answer": {
    summary: msg("op.task.answer_question"),
    load: async () => widen((await import("./operations/task/answer.ts")).operation),
    http: ["POST", "/api/tasks/{id}/answer"],
  },
  "task provide": {
    summary: msg("op.task.provide"),
    load: async () => widen((await import("./operations/task/provide.ts")).operation),
    http: ["POST", "/api/tasks/{id}/provide"],
  },
  "task retry": {
    summary: msg("op.task.retry"),
    load: async () => widen((await import("./operations/task/retry.ts")).operation),
    http: ["POST", "/api/tasks/{id}/retry"],
  },
  "task archive": {
    summary: msg("op.task.archive"),
    load: async () => widen((await import("./operations/task/archive.ts")).operation),
    http: ["POST", "/api/tasks/{id}/archive"],
  },
  "task delete": {
    summary: msg("op.task.delete"),
    load: async () => widen((await import("./operations/task/delete.ts")).operation),
    http: ["POST", "/api/tasks/{id}/delete"],
  },
  "task logs": {
    summary: msg("op.task.logs"),
    load: async () => widen((await import("./operations/task/logs.ts")).operation),
  },
  "task output": {
    summary: msg("op.task.output"),
    load: async () => widen((await import("./operations/task/output.ts")).operation),
    http: ["GET", "/api/tasks/{id}/output"],
  },
  "task snapshots": {
    summary: msg("op.task.snapshots"),
    load: async () => widen((await import("./operations/task/snapshots.ts")).operation),
    http: ["GET", "/api/tasks/{id}/snapshots"],
  },
  "task restore": {
    summary: msg("op.task.restore"),
    load: async () => widen((await import("./operations/task/restore.ts")).operation),
    http: ["POST", "/api/tasks/{id}/restore"],
  },
  "task kept": {
    summary: msg("op.task.kept"),
    load: async () => widen((await import("./operations/task/kept.ts")).operation),
    http: ["GET", "/api/kept"],
  },
  "task zip": {
    summary: msg("op.task.zip"),
    load: async () => widen((await import("./operations/task/zip.ts")).operation),
  },
} as const satisfies Record<string, OperationEntry>;

export type OperationName = keyof typeof operations;
