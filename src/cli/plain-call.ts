// The calls that agents make all the time, as they make them: a command, its words, and flags that
// have a value behind them. So no table of commands, no schema and no reader of flags is loaded for
// them (docs/adr/0010). Whatever is not as plain as that is left to run.ts.
import type { AnyOperation } from "../app/operation.ts";
import { codes } from "../core/errors.ts";
import type { AnyCommand } from "./command.ts";
import { faultOf, faultText } from "./faults.ts";
import { createLook, languageOf } from "./look.ts";
import { perform } from "./perform.ts";
import type { Io } from "./run.ts";

/** Undefined: not as plain as that after all. */
export async function run(words: readonly string[], io: Io): Promise<number | undefined> {
  const [name = "", ...rest] = words;
  const call = plain[name];
  const input = call && inputOf(call, rest);
  if (call === undefined || input === undefined) return undefined;
  const look = createLook(languageOf([], io.env), io.colours);
  try {
    const { operation, command } = await call.load();
    const { cwd, ...given } = input;
    const performance = {
      operation,
      command,
      input: given,
      cwd,
      json: false,
      brief: true,
    } as const;
    return await perform(performance, io, look);
  } catch (thrown) {
    const fault = faultOf(thrown);
    io.err(faultText(fault, look));
    return codes[fault.code].exit;
  }
}

export interface Plain {
  /** The fields that take the words without a flag: all of them, or it is not plain. */
  readonly words: readonly string[];
  /** Those that take a value. */
  readonly flags: readonly string[];
  readonly load: () => Promise<Loaded>;
}

export const plain: Readonly<Record<string, Plain>> = {
  status: {
    words: [],
    flags: ["cwd"],
    load: async () =>
      widen(
        (await import("../app/operations/status.ts")).operation,
        (await import("./commands/status.ts")).command,
      ),
  },
  next: {
    words: ["workflow"],
    flags: ["cwd", "session"],
    load: async () =>
      widen(
        (await import("../app/operations/next.ts")).operation,
        (await import("./commands/next.ts")).next,
      ),
  },
  report: {
    words: ["workflow", "line"],
    flags: ["cwd", "session"],
    load: async () =>
      widen(
        (await import("../app/operations/report.ts")).operation,
        (await import("./commands/next.ts")).report,
      ),
  },
};

export function inputOf({ words, flags }: Plain, given: readonly string[]) {
  const input: Record<string, string> = {};
  let placed = 0;
  for (let at = 0; at < given.length; at++) {
    const word = given[at] ?? "";
    const field = word.startsWith("-") ? flagged(word, flags) : words[placed++];
    const value = word.startsWith("-") ? given[++at] : word;
    if (field === undefined || value === undefined || input[field] !== undefined) return undefined;
    if (value === "" || value.startsWith("-") || (field !== "cwd" && value.length > longest))
      return undefined;
    input[field] = value;
  }
  return placed === words.length ? input : undefined;
}

// --- internal ---

interface Loaded {
  readonly operation: AnyOperation;
  readonly command: AnyCommand;
}

/** No longer than the least that an input schema allows for a text. */
const longest = 100;

const widen = (operation: unknown, command: unknown): Loaded => ({
  operation: operation as AnyOperation,
  command: command as AnyCommand,
});

function flagged(word: string, flags: readonly string[]): string | undefined {
  return flags.find((flag) => word === `--${flag}`);
}
