// The program. The only file that touches the terminal and the exit code.
import { resolve } from "node:path";
import { version } from "../app/version.ts";
import { printable } from "./look.ts";
import { run } from "./run.ts";

const { stdout, stderr, env } = process;

const ending = new AbortController();

/** A reader that went away (`holdfast schema | head`) is no error of ours. */
stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  ending.abort();
});

process.exitCode = await run(process.argv.slice(2), {
  cwd: process.cwd(),
  env,
  colours: stdout.isTTY && !env["NO_COLOR"] && env["TERM"] !== "dumb",
  version,
  out: (text) => void stdout.write(`${printable(text)}\n`),
  err: (text) => void stderr.write(`${printable(text)}\n`),
  resolve,
  ended: () => {
    // A second Ctrl-C ends the process as if nobody listened.
    process.once("SIGINT", () => ending.abort());
    return ending.signal;
  },
});
