// A command is an operation with words: which field needs no flag, examples, how its result reads.
import type { Fault } from "../core/errors.ts";
import type { Language, Message } from "../core/messages.ts";
import { msg } from "../core/messages.ts";
import type { OperationName } from "../app/operations.ts";
import type { InputSchema } from "./arguments.ts";
import type { Io } from "./run.ts";

export interface Look {
  readonly language: Language;
  /** A sentence in the user's language. */
  readonly say: (message: Message) => string;
  /** Colours, where the terminal has them. */
  readonly paint: (colour: "red" | "yellow" | "green" | "dim" | "bold", text: string) => string;
}

export interface Command<O extends object> {
  /** The fields that take the words without a flag, in their order. */
  readonly positional?: string | readonly string[];
  /**
   * Fields whose flag names a file: its text goes in always, or where the flag begins with @ (or is -);
   * or its bytes, in base64.
   */
  readonly files?: Readonly<Record<string, "always" | "marked" | "bytes">>;
  /** Its parts are printed as they are: no line of ours ends them. */
  readonly raw?: boolean;
  readonly examples: readonly { readonly line: string; readonly does: Message }[];
  /** More to read below the flags. */
  readonly notes?: readonly Message[];
  /** The result for people. */
  print(output: O, look: Look): string;
  /** The exit code, where the result decides it; 0 otherwise. */
  exit?(output: O): number;
  /** What --json prints, where it is not the whole output. */
  json?(output: O): unknown;
  /** What --json prints instead, one JSON a line. */
  jsonLines?(output: O): readonly unknown[];
  /** On a terminal: what a refusal leaves to a person; the call is made again with what they chose. */
  choices?(fault: Fault): readonly Choice[];
  /** For people: one part that the operation handed out before its end. */
  part?(part: object, look: Look): string;
}

export interface Choice {
  readonly says: Message;
  readonly gives: Readonly<Record<string, unknown>>;
}

export type AnyCommand = Command<object>;

/** A command that is no operation: it is itself a door. */
export interface OwnCommand extends Pick<AnyCommand, "examples" | "positional"> {
  readonly fields: Readonly<Record<string, Message>>;
  readonly schema: InputSchema;
  run(call: OwnCall): Promise<number>;
}

export interface OwnCall {
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd: string;
  readonly json: boolean;
  readonly io: Io;
  readonly look: Look;
}

export const ownCommands = {
  serve: {
    summary: msg("op.serve"),
    load: async () => (await import("./commands/serve.ts")).command,
  },
  mcp: {
    summary: msg("op.mcp"),
    load: async () => (await import("./commands/mcp.ts")).command,
  },
  hook: {
    summary: msg("op.hook"),
    load: async () => (await import("./commands/hook.ts")).command,
  },
} as const satisfies Record<string, { summary: Message; load: () => Promise<OwnCommand> }>;

/** Commands of two words, by their first. */
export const groups = {
  task: (count: number) => msg("cli.group.task", { count }),
  agent: (count: number) => msg("cli.group.agent", { count }),
} as const satisfies Record<string, (count: number) => Message>;

const widen = <O extends object>(command: Command<O>): AnyCommand => command;

export const commands: Readonly<Record<OperationName, () => Promise<AnyCommand>>> = {
  init: async () => widen((await import("./commands/init.ts")).command),
  status: async () => widen((await import("./commands/status.ts")).command),
  why: async () => widen((await import("./commands/why.ts")).command),
  units: async () => widen((await import("./commands/views.ts")).units),
  documents: async () => widen((await import("./commands/documents.ts")).documents),
  log: async () => widen((await import("./commands/log.ts")).command),
  recall: async () => widen((await import("./commands/recall.ts")).command),
  metrics: async () => widen((await import("./commands/views.ts")).metrics),
  machines: async () => widen((await import("./commands/views.ts")).machines),
  settings: async () => widen((await import("./commands/views.ts")).settings),
  notify: async () => widen((await import("./commands/views.ts")).notify),
  doctor: async () => widen((await import("./commands/doctor.ts")).command),
  agents: async () => widen((await import("./commands/agents.ts")).command),
  validate: async () => widen((await import("./commands/validate.ts")).command),
  schema: async () => widen((await import("./commands/schema.ts")).command),
  next: async () => widen((await import("./commands/next.ts")).next),
  report: async () => widen((await import("./commands/next.ts")).report),
  develop: async () => widen((await import("./commands/develop.ts")).command),
  orchestrate: async () => widen((await import("./commands/orchestrate.ts")).command),
  plan: async () => widen((await import("./commands/plan.ts")).plan),
  memory: async () => widen((await import("./commands/plan.ts")).memory),
  request: async () => widen((await import("./commands/request.ts")).request),
  contracts: async () => widen((await import("./commands/request.ts")).contracts),
  "agent state": async () => widen((await import("./commands/agent.ts")).state),
  "agent ask": async () => widen((await import("./commands/agent.ts")).ask),
  "agent need": async () => widen((await import("./commands/agent.ts")).need),
  "agent done": async () => widen((await import("./commands/agent.ts")).done),
  "agent progress": async () => widen((await import("./commands/agent.ts")).progress),
  "task create": async () => widen((await import("./commands/task.ts")).create),
  "task list": async () => widen((await import("./commands/task.ts")).list),
  "task inbox": async () => widen((await import("./commands/task.ts")).inbox),
  "task types": async () => widen((await import("./commands/task.ts")).types),
  "task projects": async () => widen((await import("./commands/task.ts")).projects),
  "task show": async () => widen((await import("./commands/task.ts")).show),
  "task agent": async () => widen((await import("./commands/task.ts")).agent),
  "task agents": async () => widen((await import("./commands/task.ts")).agents),
  "task edit": async () => widen((await import("./commands/task.ts")).edit),
  "task submit": async () => widen((await import("./commands/task.ts")).submit),
  "task pause": async () => widen((await import("./commands/task.ts")).pause),
  "task resume": async () => widen((await import("./commands/task.ts")).resume),
  "task cancel": async () => widen((await import("./commands/task.ts")).cancel),
  "task review": async () => widen((await import("./commands/task.ts")).review),
  "task approve": async () => widen((await import("./commands/task.ts")).approve),
  "task request-changes": async () => widen((await import("./commands/task.ts")).requestChanges),
  "task answer": async () => widen((await import("./commands/task.ts")).answer),
  "task provide": async () => widen((await import("./commands/task.ts")).provide),
  "task retry": async () => widen((await import("./commands/task.ts")).retry),
  "task archive": async () => widen((await import("./commands/task.ts")).archive),
  "task delete": async () => widen((await import("./commands/task.ts")).remove),
  "task logs": async () => widen((await import("./commands/task.ts")).logs),
  "task output": async () => widen((await import("./commands/task.ts")).output),
  "task snapshots": async () => widen((await import("./commands/task.ts")).snapshots),
  "task restore": async () => widen((await import("./commands/task.ts")).restore),
  "task kept": async () => widen((await import("./commands/task.ts")).kept),
  "task zip": async () => widen((await import("./commands/task.ts")).zip),
};
