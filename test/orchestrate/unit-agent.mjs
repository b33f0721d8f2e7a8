// An agent for tests: does for each task of a plan what a file says, attempt by attempt. Every
// conversation it has is logged, so that a test can count them.
//   node unit-agent.mjs <course.json>
//   {"log": "…", "units": {"T1.1": [{"write": {"a.txt": "…"}, "fail": "…", "limit": 2, "sleep": 50}]}}
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const course = JSON.parse(readFileSync(process.argv[2], "utf8"));
const session = process.env.HOLDFAST_SESSION;
let text = "";
process.stdin.setEncoding("utf8").on("data", (part) => {
  text += part;
  if (text.includes("[/PROMPT]")) {
    process.stdin.removeAllListeners("data");
    void work(/^# ([TP][\w.-]*\w)/m.exec(text)?.[1] ?? "?");
  }
});

async function work(unit) {
  appendFileSync(course.log, `${unit} ${session}\n`);
  const sessions = readFileSync(course.log, "utf8")
    .split("\n")
    .flatMap((line) => (line.startsWith(`${unit} `) ? [line.split(" ")[1]] : []));
  const attempt = [...new Set(sessions)].indexOf(session);
  const courses = course.units[unit] ?? [{ write: { [`${unit}.txt`]: `${unit}\n` } }];
  const { write = {}, fail, limit, sleep = 0 } = courses[Math.min(attempt, courses.length - 1)];
  await rest(sleep);
  if (limit !== undefined) {
    say("[ERROR]", "type: recoverable", "message: rate limit", "recovery: pause_and_retry");
    say(`retry_after: ${limit}`, "[/ERROR]");
    // It is frozen in the middle of this, and goes on when it may.
    await rest(limit * 1_000);
  }
  for (const [path, content] of Object.entries(write)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  if (fail !== undefined) say(`[ERROR] type: fatal, message: ${fail}`);
  else say("=== CUSTOM TASK COMPLETE ===", `Task: ${unit}`, "Summary: done", "");
}

function rest(milliseconds) {
  return new Promise((turn) => setTimeout(turn, milliseconds));
}

function say(...lines) {
  process.stdout.write(`${lines.join("\n")}\n`);
}
