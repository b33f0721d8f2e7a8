// One call of the program: words in, exit code out. Everything printed goes through `io`, so that
// tests call this as the shell does.
import { createContext } from "../app/context.ts";
import { type OperationName, operations } from "../app/operations.ts";
import { checkInput, inputSchema } from "../app/input.ts";
import { toWire } from "../app/wire.ts";
import { closest } from "../core/closest.ts";
import { Fault, codes } from "../core/errors.ts";
import { type Language, msg, render } from "../core/messages.ts";
import { parseWords } from "./arguments.ts";
import { type AnyCommand, type Look, commands } from "./command.ts";
import { commandHelp, mainHelp } from "./help.ts";
import { checkLanguage, createLook, languageOf } from "./look.ts";

export interface Io {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly colours: boolean;
  readonly version: string;
  out(text: string): void;
  err(text: string): void;
  /** Where a relative `--cwd` leads. */
  resolve(cwd: string, path: string): string;
  /** Raised by Ctrl-C, or when nobody reads any more; from the first call on, neither ends us. */
  ended(): AbortSignal;
}

export async function run(words: readonly string[], io: Io): Promise<number> {
  const language = languageOf(words, io.env);
  const look = createLook(language, io.colours);
  try {
    return await dispatch(words, io, look);
  } catch (thrown) {
    const fault = thrown instanceof Fault ? thrown : internal(thrown);
    if (words.includes("--json")) io.out(JSON.stringify({ error: wireFault(fault) }, null, 2));
    else io.err(faultText(fault, language, look));
    return codes[fault.code].exit;
  }
}

// --- internal ---

async function dispatch(words: readonly string[], io: Io, look: Look): Promise<number> {
  const [first, ...rest] = words;
  if (first === "--version") return print(io, io.version);
  if (first === undefined || first === "help" || first.startsWith("-"))
    return withoutCommand(words, io, look);
  const name = knownCommand(first);
  const [operation, command, schema] = await Promise.all([
    operations[name].load(),
    commands[name](),
    inputSchema(name),
  ]);
  const { input, common } = parseWords(rest, schema, command.positional);
  checkLanguage(common.lang);
  if (common.help) return print(io, commandHelp(operation, command, schema, look));
  await checkInput(name, input);
  const context = createContext({
    cwd: common.cwd === undefined ? io.cwd : io.resolve(io.cwd, common.cwd),
    env: io.env,
    language: look.language,
    ended: () => io.ended(),
    tell: (text) => io.err(`${look.paint("yellow", "!")} ${look.say(text)}`),
    emit: (part) =>
      io.out(common.json ? JSON.stringify(toWire(part)) : (command.part?.(part, look) ?? "")),
  });
  try {
    const output = await operation.run(context, input);
    printOutput(output, command, common.json ?? false, io, look);
    return command.exit?.(output) ?? 0;
  } finally {
    await context.close();
  }
}

function printOutput(output: object, command: AnyCommand, json: boolean, io: Io, look: Look): void {
  if (!json) {
    const text = command.print(output, look);
    // Nothing left to say where all was said part by part.
    if (text !== "") io.out(text);
  } else if (command.jsonLines) {
    for (const line of command.jsonLines(output)) io.out(JSON.stringify(toWire(line)));
  } else {
    io.out(JSON.stringify(toWire(command.json?.(output) ?? output), null, 2));
  }
}

async function withoutCommand(words: readonly string[], io: Io, look: Look): Promise<number> {
  const [first, second] = words;
  if (first === "help" && second !== undefined) return dispatch([second, "--help"], io, look);
  const { common } = parseWords(words.slice(first === "help" ? 1 : 0), {}, undefined);
  checkLanguage(common.lang);
  return print(io, mainHelp(look));
}

function print(io: Io, text: string): number {
  io.out(text);
  return 0;
}

function knownCommand(word: string): OperationName {
  if (Object.hasOwn(operations, word)) return word as OperationName;
  const near = closest(word, Object.keys(operations));
  const hint = near
    ? msg("cli.did_you_mean", { word: `holdfast ${near}` })
    : msg("cli.list_commands");
  throw new Fault("invalid_input", msg("cli.unknown_command", { word }), { hint });
}

function internal(cause: unknown): Fault {
  const detail = cause instanceof Error ? cause.message : String(cause);
  return new Fault("internal", msg("error.internal", { detail }), {
    hint: msg("error.internal.hint"),
    cause,
  });
}

function wireFault({ code, text, hint }: Fault): object {
  return { code, message: render("en", text), ...(hint ? { hint: render("en", hint) } : {}) };
}

function faultText(fault: Fault, language: Language, { paint }: Look): string {
  const lines = [`${paint("red", "✗")} ${render(language, fault.text)}`];
  if (fault.hint) lines.push(`  ${render(language, fault.hint)}`);
  return lines.join("\n");
}
