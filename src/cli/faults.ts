// What went wrong, as the command line tells it.
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import type { Look } from "./command.ts";

/** Whatever was thrown, as something that can be told. */
export function faultOf(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  return new Fault("internal", msg("error.internal", { detail }), {
    hint: msg("error.internal.hint"),
    cause: thrown,
  });
}

/** What was said did not arrive. */
export function outputLost(cause: Error): Fault {
  const detail = cause.message.split(", ")[0] ?? "";
  return new Fault("internal", msg("cli.output_lost", { detail }), {
    hint: msg("cli.output_lost.hint"),
    cause,
  });
}

export function faultText({ text, hint }: Fault, { say, paint }: Look): string {
  const lines = [`${paint("red", "✗")} ${say(text)}`];
  if (hint) lines.push(`  ${say(hint)}`);
  return lines.join("\n");
}
