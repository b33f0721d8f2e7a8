// The table of operations. Loading one loads nothing of the others.
import { type Message, msg } from "../core/messages.ts";
import type { AnyOperation } from "./operation.ts";

export interface OperationEntry {
  readonly summary: Message;
  readonly load: () => Promise<AnyOperation>;
}

const widen = (operation: unknown): AnyOperation => operation as AnyOperation;

export const operations = {
  validate: {
    summary: msg("op.validate"),
    load: async () => widen((await import("./operations/validate.ts")).operation),
  },
  schema: {
    summary: msg("op.schema"),
    load: async () => widen((await import("./operations/schema.ts")).operation),
  },
} as const satisfies Record<string, OperationEntry>;

export type OperationName = keyof typeof operations;
