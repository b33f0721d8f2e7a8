// `holdfast hook <event>`, when it is called as agents call it: no flags to read, one command to load.
import { command } from "./commands/hook.ts";
import { createLook, languageOf } from "./look.ts";
import type { Io } from "./run.ts";

/** Undefined: not as simple as that after all. */
export async function run(words: readonly string[], io: Io): Promise<number | undefined> {
  const cwd = folderOf(io);
  if (cwd === undefined) return undefined;
  const look = createLook(languageOf(words, io.env), io.colours);
  return command.run({ input: { event: words[1] }, cwd, json: false, io, look });
}

// --- internal ---

function folderOf(io: Io): string | undefined {
  try {
    return io.resolve(io.cwd(), ".");
  } catch {
    return undefined;
  }
}
