// What an operation gives, as it arrives here. Apart from the calls, for what is pure and tested without
// a browser.
import type { z } from "zod";
import type * as documentsOp from "../../src/app/operations/documents.ts";
import type { Message } from "../../src/core/messages.ts";

/** As it travels: a sentence is a text by then. */
type Wire<T> = T extends Message
  ? string
  : T extends readonly (infer E)[]
    ? readonly Wire<E>[]
    : T extends object
      ? { readonly [K in keyof T]: Wire<T[K]> }
      : T;
export type Out<M extends { output: () => z.ZodType }> = Wire<z.infer<ReturnType<M["output"]>>>;

export type Documents = Out<typeof documentsOp>;
export type Document = Documents["documents"][number];
