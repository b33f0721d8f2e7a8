// One call of the program: words in, exit code out. Everything printed goes through `io`, so that
// tests call this as the shell does.
import type { Context } from "../app/operation.ts";
import { type OperationName, operations } from "../app/operations.ts";
import { checkInput, inputSchema } from "../app/input.ts";
import { toWire } from "../app/wire.ts";
import { closest } from "../core/closest.ts";
import { Fault, codes } from "../core/errors.ts";
import { type Language, msg, render } from "../core/messages.ts";
import { parseWords } from "./arguments.ts";
import { type Look, commands } from "./command.ts";
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
  const context: Context = {
    cwd: common.cwd === undefined ? io.cwd : io.resolve(io.cwd, common.cwd),
  };
  await checkInput(name, input);
  const output = await operation.run(context, input);
  if (common.json) io.out(JSON.stringify(toWire(command.json?.(output) ?? output), null, 2));
  else io.out(command.print(output, look));
  return command.exit?.(output) ?? 0;
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
