// An agent for tests of develop: tells from its prompt what it is there for, and does what a file says,
// conversation by conversation; without a word of it, what a good one would do. Each is logged.
//   node role-agent.mjs <course.json>
//   {"log": "…", "units": {"cp-1": [{"write": {"a.txt": "…"}, "fail": "…", "until": "/file", "ask": "…"}]}}
import { appendFileSync, existsSync, mkdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const course = JSON.parse(readFileSync(process.argv[2], "utf8"));
const session = process.env.HOLDFAST_SESSION;
let text = "";
process.stdin.setEncoding("utf8").on("data", (part) => {
  text += part;
  if (!text.includes("[/PROMPT]")) return;
  process.stdin.removeAllListeners("data");
  process.stdin.on("data", heard);
  const id = /^Checkpoint (cp-\d+) /m.exec(text)?.[1] ?? "?";
  void work(units.find(([words]) => text.includes(words))?.[1].replace("cp", id) ?? "?");
});

/** By how each role's words begin. */
const units = [
  ["Design the feature;", "DESIGN"],
  ["Review the design in", "REVIEW"],
  ["Build this checkpoint", "cp"],
  ["Two attempts at this checkpoint", "diagnosis-cp"],
  ["the whole was sent back", "FIX"],
  ["Review the change as a whole", "MERGE"],
];

/** Sent back: no course has a word for that, so nobody waits for one. */
let heard = (more) => say(`[ERROR] type: fatal, message: told ${String(more).slice(0, 500)}`);

async function work(unit) {
  appendFileSync(course.log, `${unit} ${session}\n`);
  const sessions = readFileSync(course.log, "utf8")
    .split("\n")
    .flatMap((line) => (line.startsWith(`${unit} `) ? [line.split(" ")[1]] : []));
  const attempt = [...new Set(sessions)].indexOf(session);
  const courses = course.units[unit] ?? [{}];
  const { write = usual(unit), fail, until, ask } = courses[Math.min(attempt, courses.length - 1)];
  if (until !== undefined) await isThere(until);
  if (ask !== undefined) await answered(ask);
  for (const [path, content] of Object.entries(write)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  if (fail !== undefined) say(`[ERROR] type: fatal, message: ${fail}`);
  else say("=== CUSTOM TASK COMPLETE ===", `Task: ${unit}`, "Summary: done", "");
}

function answered(question) {
  const fields = ["category: clarification", `question: ${question}`, "required: true"];
  say("[USER_QUESTION]", ...fields, "[/USER_QUESTION]");
  const other = heard;
  return new Promise((turn) => {
    process.stdin.removeListener("data", other);
    process.stdin.once("data", () => {
      process.stdin.on("data", other);
      turn();
    });
  });
}

function usual(unit) {
  if (unit === "REVIEW") return { "docs/develop/review.md": "APPROVED\n" };
  if (unit === "MERGE") return { "docs/develop/summary.md": "Built.\n" };
  if (unit.startsWith("diagnosis-")) return { [`docs/develop/${unit}.md`]: "It says red.\n" };
  return unit.startsWith("cp-") ? { [`${unit}.txt`]: "1 passed\n" } : {};
}

/** Whoever holds it back lets it go on by making the file. */
function isThere(path) {
  return new Promise((turn) => {
    const watching = watch(dirname(path), () => {
      if (!existsSync(path)) return;
      watching.close();
      turn();
    });
    if (!existsSync(path)) return;
    watching.close();
    turn();
  });
}

function say(...lines) {
  process.stdout.write(`${lines.join("\n")}\n`);
}
