// A command is an operation with words: which field needs no flag, examples, how its result reads.
import type { Language, Message } from "../core/messages.ts";
import type { OperationName } from "../app/operations.ts";

export interface Look {
  readonly language: Language;
  /** A sentence in the user's language. */
  readonly say: (message: Message) => string;
  /** Colours, where the terminal has them. */
  readonly paint: (colour: "red" | "yellow" | "green" | "dim" | "bold", text: string) => string;
}

export interface Command<O extends object> {
  /** The field that takes the words without a flag. */
  readonly positional?: string;
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
  /** For people: one part that the operation handed out before its end. */
  part?(part: object, look: Look): string;
}

export type AnyCommand = Command<object>;

const widen = <O extends object>(command: Command<O>): AnyCommand => command;

export const commands: Readonly<Record<OperationName, () => Promise<AnyCommand>>> = {
  init: async () => widen((await import("./commands/init.ts")).command),
  status: async () => widen((await import("./commands/status.ts")).command),
  why: async () => widen((await import("./commands/why.ts")).command),
  log: async () => widen((await import("./commands/log.ts")).command),
  doctor: async () => widen((await import("./commands/doctor.ts")).command),
  validate: async () => widen((await import("./commands/validate.ts")).command),
  schema: async () => widen((await import("./commands/schema.ts")).command),
};
