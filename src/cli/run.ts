// One call of the program: words in, exit code out. Everything printed goes through `io`, so that
// tests call this as the shell does.
import { type OperationName, operations } from "../app/operations.ts";
import { checkInput, inputSchema } from "../app/input.ts";
import { closest } from "../core/closest.ts";
import { Fault, codes } from "../core/errors.ts";
import { msg, render } from "../core/messages.ts";
import { parseWords } from "./arguments.ts";
import { type AnyCommand, type Look, commands, ownCommands } from "./command.ts";
import { faultOf, faultText } from "./faults.ts";
import { commandHelp, groupHelp, mainHelp } from "./help.ts";
import { checkLanguage, createLook, languageOf } from "./look.ts";
import { folderOf, perform } from "./perform.ts";

export interface Io {
  /** Throws when that folder is gone, which only matters to who needs it. */
  cwd(): string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly colours: boolean;
  readonly version: string;
  out(text: string): void;
  err(text: string): void;
  /** As it is, without a line end. */
  write(text: string): void;
  /** A file's bytes; `-` is what is piped in. */
  read(path: string): Uint8Array;
  /** Where a relative `--cwd` leads. */
  resolve(cwd: string, path: string): string;
  /** On a terminal: which of them a person chooses; undefined: none, or there is no terminal. */
  choose?(text: string, options: readonly string[], asks: string): Promise<number | undefined>;
  /** Raised by Ctrl-C, or when nobody reads any more; from the first call on, neither ends us. */
  ended(): AbortSignal;
}

export async function run(words: readonly string[], io: Io): Promise<number> {
  const look = createLook(languageOf(words, io.env), io.colours);
  try {
    return await dispatch(words, io, look);
  } catch (thrown) {
    const fault = faultOf(thrown);
    if (words.includes("--json")) io.out(JSON.stringify({ error: wireFault(fault) }, null, 2));
    else io.err(faultText(fault, look));
    // For who calls hooks, 2 is a verdict: what we did not understand must not be one.
    return words[0] === "hook" ? 0 : codes[fault.code].exit;
  }
}

// --- internal ---

async function dispatch(words: readonly string[], io: Io, look: Look): Promise<number> {
  const [first, ...after] = words;
  if (first === "--version") return print(io, io.version);
  if (first === undefined || first === "help" || first.startsWith("-"))
    return withoutCommand(words, io, look);
  if (Object.hasOwn(ownCommands, first))
    return runOwn(first as keyof typeof ownCommands, after, io, look);
  const help = after.includes("--help") || after.includes("-h");
  // Only of the group itself: behind a second word it is that command's.
  const asked = help && after[0]?.startsWith("-") ? groupHelp(first, look) : undefined;
  if (asked !== undefined) return print(io, asked);
  const { name, rest } = knownCommand(first, after);
  const [operation, command, schema] = await Promise.all([
    operations[name].load(),
    commands[name](),
    inputSchema(name),
  ]);
  const { input, common } = parseWords(rest, schema, command.positional);
  checkLanguage(common.lang);
  const about = { name, summary: operations[name].summary, fields: operation.fields };
  if (common.help) return print(io, commandHelp(about, command, schema, look));
  takeFiles(input, command, io, common.cwd);
  await checkInput(name, input);
  const { cwd, json = false } = common;
  return perform({ operation, command, input, cwd, json }, io, look);
}

async function runOwn(
  name: keyof typeof ownCommands,
  words: readonly string[],
  io: Io,
  look: Look,
): Promise<number> {
  const { summary, load } = ownCommands[name];
  const command = await load();
  const { input, common } = parseWords(words, command.schema, command.positional);
  checkLanguage(common.lang);
  if (common.help) {
    const about = { name, summary, fields: command.fields };
    return print(io, commandHelp(about, command, command.schema, look));
  }
  const cwd = folderOf(io, common.cwd);
  return command.run({ input, cwd, json: common.json ?? false, io, look });
}

/** What lies in files: a script, a secret, a file that an agent needs. */
function takeFiles(
  input: Record<string, unknown>,
  { files = {} }: AnyCommand,
  io: Io,
  cwd: string | undefined,
): void {
  for (const [field, when] of Object.entries(files)) {
    const given = input[field];
    if (typeof given !== "string") continue;
    const marked = given === "-" || given.startsWith("@");
    if (when === "marked" && !marked) continue;
    const path = when === "marked" && given !== "-" ? given.slice(1) : given;
    const file = path === "-" ? path : io.resolve(folderOf(io, cwd), path);
    const bytes = bytesOf(io, file, given);
    if (bytes === undefined) continue;
    if (when === "bytes") {
      input[field] = Buffer.from(bytes).toString("base64");
      continue;
    }
    const text = Buffer.from(bytes).toString("utf8");
    // The line end belongs to the file, not to the value.
    input[field] = when === "marked" ? text.replace(/\r?\n$/, "") : text;
  }
}

/** A scoped package begins with @ too: where there is no such file, that is what was meant. */
const scopedPackage = /^@[\w.-]+\/[\w.-]+@[^/]+$/;

function bytesOf(io: Io, file: string, given: string): Uint8Array | undefined {
  try {
    return io.read(file);
  } catch (cause) {
    if (scopedPackage.test(given)) return undefined;
    throw cause;
  }
}

async function withoutCommand(words: readonly string[], io: Io, look: Look): Promise<number> {
  const [first, second] = words;
  if (first === "help" && second !== undefined)
    return dispatch([...words.slice(1), "--help"], io, look);
  const { common } = parseWords(words.slice(first === "help" ? 1 : 0), {}, undefined);
  checkLanguage(common.lang);
  return print(io, mainHelp(look));
}

function print(io: Io, text: string): number {
  io.out(text);
  return 0;
}

/** One word, or two: `task create`. */
function knownCommand(
  first: string,
  after: readonly string[],
): { readonly name: OperationName; readonly rest: readonly string[] } {
  if (Object.hasOwn(operations, first)) return { name: first as OperationName, rest: after };
  const [second = "", ...rest] = after;
  const both = `${first} ${second}`;
  if (Object.hasOwn(operations, both)) return { name: both as OperationName, rest };
  const known = [...Object.keys(operations), ...Object.keys(ownCommands)];
  const group = known.some((name) => name.startsWith(`${first} `));
  const word = group && second !== "" && !second.startsWith("-") ? both : first;
  // Of a group alone, its words are what helps.
  const near = group && word === first ? undefined : closest(word, known);
  if (group && near === undefined)
    throw new Fault("invalid_input", msg("cli.group", { group: first }), {
      hint: msg("cli.group.hint", {
        words: known
          .flatMap((name) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []))
          .join(", "),
      }),
    });
  const hint = near
    ? msg("cli.did_you_mean", { word: `holdfast ${near}` })
    : msg("cli.list_commands");
  throw new Fault("invalid_input", msg("cli.unknown_command", { word }), { hint });
}

function wireFault({ code, text, hint }: Fault): object {
  return { code, message: render("en", text), ...(hint ? { hint: render("en", hint) } : {}) };
}
