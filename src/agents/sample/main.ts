// The built-in sample agent, a program of its own (dist/sample-agent.js). It plays a script, or without
// one a default course, and needs no key: docs/sample-agent.md.
//
//   sample-agent [--script FILE]
//
//   HOLDFAST_SESSION      the conversation; started again with it, the agent goes on where it was
//   HOLDFAST_SAMPLE_HOME  the folder for its session file; without it nothing is kept
//   HOLDFAST_OUTPUT       the file that takes its standard output
//   HOLDFAST_TOKEN        the token of strict markers
//   HOLDFAST_ROLE         `verifier`: it judges; HOLDFAST_LOOK: the how manieth time in this phase
//   HOLDFAST_LANG         en or ko: what it says and writes; without it the locale's
//   HOLDFAST_SAMPLE_PACE  milliseconds between the steps of the default course
import { readFileSync } from "node:fs";
import { Fault, codes } from "../../core/errors.ts";
import { type Language, type Message, msg, render } from "../../core/messages.ts";
import { judgingCourse } from "./course.ts";
import { play } from "./play.ts";
import { readScript } from "./script.ts";
import { type SessionFile, newSession, sessionFile } from "./session.ts";
import { lookOf, realWorld } from "./_world.ts";

const environment = process.env;
const told = ["HOLDFAST_LANG", "LC_ALL", "LC_MESSAGES", "LANG"].find((name) => environment[name]);
const language: Language = /^ko/i.test(environment[told ?? ""] ?? "") ? "ko" : "en";

try {
  const file = fileOf();
  const given = scriptOf(process.argv.slice(2));
  const world = realWorld(environment, file, process.cwd());
  process.on("SIGTERM", () => {
    world.close();
    process.exit(143);
  });
  process.exit(await play(file?.load() ?? newSession(language, given), world));
} catch (error) {
  // Whoever read our output is gone: nobody is left to tell.
  if ((error as NodeJS.ErrnoException).code === "EPIPE") process.exit(1);
  if (!(error instanceof Fault)) throw error;
  process.stderr.write(`${render(language, error.text)}\n`);
  process.exit(codes[error.code].exit);
}

// --- internal ---

function fileOf(): SessionFile | null {
  const { HOLDFAST_SAMPLE_HOME: home, HOLDFAST_SESSION: id } = environment;
  return home !== undefined && id !== undefined ? sessionFile(home, id) : null;
}

/** Checked before anything is played: a script with an error does nothing at all. */
function scriptOf(words: readonly string[]): string | null {
  // A verifier makes no plan from its prompt.
  if (words.length === 0) return lookOf(environment) === null ? null : judgingCourse(language);
  const [flag, path] = words;
  if (flag !== "--script" || path === undefined || words.length > 2)
    throw new Fault("invalid_input", msg("sample.arguments"));
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new Fault("not_found", msg("sample.no_script", { path }), { cause: error });
  }
  const script = readScript(text);
  if (!script.ok) throw new Fault("invalid_input", joined(script.complaints));
  return text;
}

function joined([first, ...rest]: readonly Message[]): Message {
  return rest.reduce<Message>(
    (sum, next) => msg("sample.lines", { first: sum, next }),
    first ?? msg("sample.arguments"),
  );
}
