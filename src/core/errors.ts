// One fault, one code table.
//
// An expected refusal is a value (see machine.ts); a Fault is thrown when the caller can not
// go on. The code alone decides the HTTP status and the exit code, so each door agrees.
import { type Message, render } from "./messages.ts";

export const codes = {
  invalid_input: { http: 400, exit: 2 },
  not_found: { http: 404, exit: 3 },
  refused: { http: 409, exit: 4 },
  locked: { http: 423, exit: 5 },
  corrupt: { http: 500, exit: 6 },
  internal: { http: 500, exit: 1 },
} as const;

export type Code = keyof typeof codes;

export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: Code;
  /** What happened and where, for any language; `message` is its English form. */
  readonly text: Message;
  /** What to do next. */
  readonly hint: Message | undefined;

  constructor(code: Code, text: Message, more: { hint?: Message; cause?: unknown } = {}) {
    super(render("en", text), more.cause === undefined ? {} : { cause: more.cause });
    this.code = code;
    this.text = text;
    this.hint = more.hint;
  }
}
