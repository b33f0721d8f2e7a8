// An operation carried out for the terminal: what it is given, and how its result is printed.
import { isAbsolute } from "node:path";
import { createContext } from "../app/context.ts";
import type { AnyOperation, Context } from "../app/operation.ts";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import type { AnyCommand, Look } from "./command.ts";
import type { Io } from "./run.ts";

export interface Performance {
  readonly operation: AnyOperation;
  readonly command: AnyCommand;
  /** Checked. */
  readonly input: Record<string, unknown>;
  readonly cwd: string | undefined;
  readonly json: boolean;
}

/** The exit code. */
export async function perform(given: Performance, io: Io, look: Look): Promise<number> {
  const { command, json } = given;
  // Only JSON needs it: a Message becomes its text.
  const wire = json ? (await import("../app/wire.ts")).toWire : undefined;
  const context = createContext({
    cwd: folderOf(io, given.cwd),
    env: io.env,
    language: look.language,
    ended: () => io.ended(),
    tell: (text) => io.err(`${look.paint("yellow", "!")} ${look.say(text)}`),
    emit: (part) => {
      if (wire) return io.out(JSON.stringify(wire(part)));
      const text = command.part?.(part, look) ?? "";
      return command.raw ? io.write(text) : io.out(text);
    },
  });
  try {
    const output = await withChoice(given, context, json ? undefined : io, look);
    if (wire) printJson(output, command, io, wire);
    else printText(command.print(output, look), io);
    return command.exit?.(output) ?? 0;
  } finally {
    await context.close();
  }
}

/** Where the user is, or says to be. */
export function folderOf(io: Io, given = "."): string {
  try {
    // A full path needs no folder to start from: ours may be gone.
    return io.resolve(isAbsolute(given) ? "" : io.cwd(), given);
  } catch (cause) {
    throw new Fault("not_found", msg("cli.no_cwd"), { hint: msg("cli.no_cwd.hint"), cause });
  }
}

// --- internal ---

/** What only a person can decide is asked where one sits; nothing has been done before. */
async function withChoice(
  { operation, command, input }: Performance,
  context: Context,
  io: Io | undefined,
  look: Look,
): Promise<object> {
  try {
    return await operation.run(context, input);
  } catch (thrown) {
    const choices = (thrown instanceof Fault && command.choices?.(thrown)) || [];
    if (io?.choose === undefined || !(thrown instanceof Fault) || choices.length === 0)
      throw thrown;
    const options = choices.map(({ says }) => look.say(says));
    const asks = look.say(msg("cli.choose", { count: options.length }));
    const chosen = choices[(await io.choose(look.say(thrown.text), options, asks)) ?? -1];
    if (chosen === undefined) throw thrown;
    return operation.run(context, { ...input, ...chosen.gives });
  }
}

function printText(text: string, io: Io): void {
  // Nothing left to say where all was said part by part.
  if (text !== "") io.out(text);
}

function printJson(
  output: object,
  command: AnyCommand,
  io: Io,
  wire: (value: unknown) => unknown,
): void {
  if (!command.jsonLines)
    return io.out(JSON.stringify(wire(command.json?.(output) ?? output), null, 2));
  for (const line of command.jsonLines(output)) io.out(JSON.stringify(wire(line)));
}
