// The table of operations. Loading one loads nothing of the others.
import { type Message, msg } from "../core/messages.ts";
import type { AnyOperation } from "./operation.ts";

export interface OperationEntry {
  readonly summary: Message;
  readonly load: () => Promise<AnyOperation>;
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
  },
  why: {
    summary: msg("op.why"),
    load: async () => widen((await import("./operations/why.ts")).operation),
  },
  log: {
    summary: msg("op.log"),
    load: async () => widen((await import("./operations/log.ts")).operation),
  },
  doctor: {
    summary: msg("op.doctor"),
    load: async () => widen((await import("./operations/doctor.ts")).operation),
  },
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
