// An agent for tests of develop: tells from its prompt what it is there for, and does what a file says,
// conversation by conversation; without a word of it, what a good one would do. Each is logged.
//   node role-agent.mjs <course.json>
//   {"log": "…", "units": {"cp-1": [{"write": {"a.txt": "…"}, "fail": "…", "until": "/file", "ask": "…", "mend": {"a.txt": "…"}}]}}
import { appendFileSync, existsSync, mkdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const course = JSON.parse(readFileSync(process.argv[2], "utf8"));
const session = process.env.HOLDFAST_SESSION;
let text = "";
process.stdin.setEncoding("utf8").on("data", (part) => {
  text += part;
  if (!text.includes("[/PROMPT]")) return;
  process.stdin.removeAllListeners("data");
  process.stdin.on("data", (more) => heard(String(more)));
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

/** Sent back without a course for that: it fails, so that no test waits for it. */
let heard = (more) => say(`[ERROR] type: fatal, message: told ${more.slice(0, 500)}`);

async function work(unit) {
  appendFileSync(course.log, `${unit} ${session}\n`);
  const sessions = readFileSync(course.log, "utf8")
    .split("\n")
    .flatMap((line) => (line.startsWith(`${unit} `) ? [line.split(" ")[1]] : []));
  const attempt = [...new Set(sessions)].indexOf(session);
  const courses = course.units[unit] ?? [{}];
  const given = courses[Math.min(attempt, courses.length - 1)];
  const { write = usual(unit), fail, until, ask, mend } = given;
  if (until !== undefined) await isThere(until);
  if (ask !== undefined) await answered(ask);
  if (mend !== undefined) heard = mending(unit, mend);
  writeAll(write);
  if (fail !== undefined) say(`[ERROR] type: fatal, message: ${fail}`);
  else claim(unit);
}

/** Sent back, it logs what it was told, writes something else, and claims again. */
function mending(unit, files) {
  let told = "";
  return (more) => {
    told += more;
    if (!told.includes("[/FEEDBACK]")) return;
    appendFileSync(course.log, `${unit}-told ${JSON.stringify(told)}\n`);
    told = "";
    writeAll(files);
    claim(unit);
  };
}

function writeAll(files) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

function claim(unit) {
  say("=== CUSTOM TASK COMPLETE ===", `Task: ${unit}`, "Summary: done", "");
}

function answered(question) {
  const fields = ["category: clarification", `question: ${question}`, "required: true"];
  say("[USER_QUESTION]", ...fields, "[/USER_QUESTION]");
  const other = heard;
  return new Promise((turn) => {
    heard = () => {
      heard = other;
      turn();
    };
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
