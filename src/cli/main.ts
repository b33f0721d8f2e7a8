// The program. The only file that touches the terminal and the exit code.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { version } from "../app/version.ts";
import { Fault, codes } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { createLook, languageOf, printable } from "./look.ts";
import { faultText, outputLost, run } from "./run.ts";

const { stdout, stderr, env } = process;

const words = process.argv.slice(2);
const ending = new AbortController();
let lost = false;

/** A reader that went away (`holdfast schema | head`) is no error of ours; a full disk behind `>` is. */
stdout.on("error", (cause: NodeJS.ErrnoException) => {
  ending.abort();
  if (cause.code === "EPIPE" || lost) return;
  lost = true;
  const fault = outputLost(cause);
  stderr.write(`${faultText(fault, createLook(languageOf(words, env), false))}\n`);
  process.exitCode = codes[fault.code].exit;
});
/** Nobody is left to be told. */
stderr.on("error", () => ending.abort());

const code = await run(words, {
  cwd: () => process.cwd(),
  env,
  colours: stdout.isTTY && !env["NO_COLOR"] && env["TERM"] !== "dumb",
  version,
  out: (text) => void stdout.write(`${printable(text)}\n`),
  // Into a pipe or a file exactly what was printed; a terminal is not steered by it.
  write: (text) => void stdout.write(stdout.isTTY ? printable(text) : text),
  readText,
  err: (text) => void stderr.write(`${printable(text)}\n`),
  resolve,
  ended: () => {
    // A second Ctrl-C ends the process as if nobody listened.
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ending.abort());
    return ending.signal;
  },
});
// The error may have come before this line, or come after it.
if (!lost) process.exitCode = code;

/** A file's text; `-` is what is piped in. */
function readText(path: string): string {
  try {
    return readFileSync(path === "-" ? 0 : path, "utf8");
  } catch (cause) {
    throw new Fault("not_found", msg("cli.no_file", { path }), { cause });
  }
}
