// One question to a person at a terminal: numbered answers, and a line that names one. Loaded only
// where it is asked.

/** Undefined: nobody sits there, or they gave no answer (Ctrl-D). */
export async function choose(
  write: (text: string) => void,
  text: string,
  options: readonly string[],
  asks: string,
): Promise<number | undefined> {
  if (!process.stdin.isTTY) return undefined;
  const lines = options.map((option, at) => `  ${at + 1}) ${option}\n`);
  write(`${text}\n${lines.join("")}${asks}`);
  process.stdin.setEncoding("utf8");
  try {
    for await (const typed of process.stdin) {
      const chosen = chosenBy(String(typed), options);
      if (chosen !== undefined) return chosen;
      write(asks);
    }
    write("\n");
    return undefined;
  } finally {
    process.stdin.destroy();
  }
}

// --- internal ---

/** Its number, or its own words. */
function chosenBy(typed: string, options: readonly string[]): number | undefined {
  const word = typed.trim().normalize("NFC").toLowerCase();
  const named = options.findIndex((option) => option.toLowerCase() === word);
  const at = named >= 0 ? named : Number(word) - 1;
  return word !== "" && Number.isInteger(at) && at in options ? at : undefined;
}
