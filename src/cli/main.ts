// The program. The only file that touches the terminal and the exit code.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { nodeVersion, oldestNode } from "../app/oldest-node.ts";
import { version } from "../app/version.ts";
import { Fault, codes } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { faultText, outputLost } from "./faults.ts";
import { createLook, languageOf, printable } from "./look.ts";
import { type Output, outputTo } from "./output.ts";

export async function main(words: readonly string[]): Promise<void> {
  const { env } = process;
  // Made when it is asked for: Node loads what it needs for it only then.
  let ending: AbortController | undefined;
  let unread = false;
  const stopReading = (): void => {
    unread = true;
    ending?.abort();
  };
  let lost = false;
  /** Nobody is left to be told. */
  const stderr = outputTo(2, stopReading);
  /** A reader that went away (`holdfast schema | head`) is no error of ours; a full disk behind `>` is. */
  const stdout = outputTo(1, (cause) => {
    stopReading();
    if (cause.code === "EPIPE") return;
    lost = true;
    const fault = outputLost(cause);
    stderr.write(`${faultText(fault, createLook(languageOf(words, env), false))}\n`);
    process.exitCode = codes[fault.code].exit;
  });
  const code = await (
    await import("./run.ts")
  ).run(words, {
    cwd: () => process.cwd(),
    env,
    colours: stdout.isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb",
    version,
    out: (text) => stdout.write(`${printable(text)}\n`),
    // Into a pipe or a file exactly what was printed; a terminal is not steered by it.
    write: (text) => stdout.write(stdout.isTerminal ? printable(text) : text),
    read,
    err: (text) => stderr.write(`${printable(text)}\n`),
    resolve,
    choose: async (text, options, asks) => {
      if (!stdout.isTerminal) return undefined;
      const { choose } = await import("./choose.ts");
      return choose((shown) => stdout.write(printable(shown)), text, options, asks);
    },
    ended: () => {
      ending ??= staying(stdout, stderr);
      if (unread) ending.abort();
      return ending.signal;
    },
  });
  // The error may have come before this line, or come after it.
  if (!lost) process.exitCode = code;
}

/** To a Node that is too old: what it would not understand of the program is not loaded. */
export function refuseNode(words: readonly string[]): void {
  const text = msg("cli.old_node", { version: nodeVersion, needed: oldestNode });
  const fault = new Fault("internal", text);
  const look = createLook(languageOf(words, process.env), false);
  outputTo(2, () => undefined).write(`${faultText(fault, look)}\n`);
  process.exitCode = codes[fault.code].exit;
}

// --- internal ---

/** For whoever stays until they are told to end, or nobody reads any more. */
function staying(...outputs: readonly Output[]): AbortController {
  const ending = new AbortController();
  for (const output of outputs) output.stay();
  // A second Ctrl-C ends the process as if nobody listened.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => ending.abort(signal));
  return ending;
}

/** A file's text; `-` is what is piped in. */
function read(path: string): Uint8Array {
  try {
    return readFileSync(path === "-" ? 0 : path);
  } catch (cause) {
    throw new Fault("not_found", msg("cli.no_file", { path }), { cause });
  }
}
