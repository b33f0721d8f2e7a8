// What agents for tests have in common: each does for its unit what a file says, attempt by attempt.
// Every conversation is logged with its prompt, so that a test can count them and read what was asked.
//   node <agent>.mjs <course.json>
//   {"log": "…", "units": {"T1.1": [{"write": {"a.txt": "…"}, "remove": ["b.txt"], "fail": "…", "limit": 2, "sleep": 50, "run": ["a.cjs"], "need": "API_KEY"}]}}
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const course = JSON.parse(readFileSync(process.argv[2], "utf8"));
const session = process.env.HOLDFAST_SESSION;

/** `unitOf` tells from a prompt what it is for; `usual` what is done about it beside what the file says. */
export function converse(unitOf, usual) {
  let text = "";
  process.stdin.setEncoding("utf8").on("data", (part) => {
    text += part;
    if (!text.includes("[/PROMPT]")) return;
    process.stdin.removeAllListeners("data");
    const unit = unitOf(text) ?? "?";
    const attempt = begun(unit, text);
    const told = course.units[unit];
    const own = told?.[Math.min(attempt, told.length - 1)];
    void work(unit, { ...usual(unit, text, own), ...own });
  });
}

function begun(unit, prompt) {
  appendFileSync(course.log, `${unit} ${session}\n`);
  const sessions = readFileSync(course.log, "utf8")
    .split("\n")
    .flatMap((line) => (line.startsWith(`${unit} `) ? [line.split(" ")[1]] : []));
  const attempt = [...new Set(sessions)].indexOf(session);
  writeFileSync(`${course.log}.${unit}.${attempt + 1}`, prompt);
  return attempt;
}

async function work(unit, { write = {}, remove = [], fail, crash, limit, sleep = 0, run, need }) {
  // Where the variable is missing it waits for the process that has it.
  if (need !== undefined && process.env[need] === undefined) {
    say("[DEPENDENCY_REQUEST]", "type: api_key", `name: ${need}`, "description: for the test");
    say("required: true", "[/DEPENDENCY_REQUEST]");
    await rest(2 ** 31 - 1);
    return;
  }
  await rest(sleep);
  if (limit !== undefined) {
    say("[ERROR]", "type: recoverable", "message: rate limit", "recovery: pause_and_retry");
    say(`retry_after: ${limit}`, "[/ERROR]");
    // It is frozen in the middle of this, and goes on when it may.
    await rest(limit * 1_000);
  }
  // Its program ends with a stack trace, and without a word of its own.
  if (crash !== undefined) throw new Error(crash);
  if (run !== undefined) execFileSync(process.execPath, run);
  for (const path of remove) rmSync(path);
  for (const [path, content] of Object.entries(write)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  if (fail !== undefined) say(`[ERROR] type: fatal, message: ${fail}`);
  else say("=== CUSTOM TASK COMPLETE ===", `Task: ${unit}`, `Summary: ${unit} is done`, "");
}

function rest(milliseconds) {
  return new Promise((turn) => setTimeout(turn, milliseconds));
}

function say(...lines) {
  process.stdout.write(`${lines.join("\n")}\n`);
}
