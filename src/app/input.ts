// Checks an operation's input by the validator that the build compiled from its schema.
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { type SchemaError, findingsOf } from "../formats/complaints.ts";
import type { Validator } from "../formats/validators.ts";
import * as generated from "./generated/index.js";
import type { OperationName } from "./operations.ts";

/** Throws `invalid_input` naming each field that is wrong. */
export async function checkInput(name: OperationName, input: unknown): Promise<void> {
  const validate = (await generated.inputs[name]?.())?.default as Validator | undefined;
  if (validate === undefined || validate(input)) return;
  const [finding] = findingsOf((validate.errors ?? []) as SchemaError[], input);
  if (!finding) return;
  throw new Fault(
    "invalid_input",
    msg("op.bad_input", { field: finding.pointer.slice(1), problem: finding.text }),
  );
}

export async function inputSchema(name: OperationName): Promise<object> {
  return (await generated.inputs[name]?.())?.schema ?? {};
}
