// One word that is nearly a subcommand is a slip of the hand, not what a run is to be about (S7.2).
import { closest } from "../../core/closest.ts";
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";

export function refuseCloseWord(command: string, given: string, known: readonly string[]): void {
  const word = given.trim();
  const near = /\s/.test(word) ? undefined : closest(word, known);
  if (near === undefined) return;
  throw new Fault("invalid_input", msg("cli.close_word", { word, command }), {
    hint: msg("cli.did_you_mean", { word: `holdfast ${command} ${near}` }),
  });
}
