// An agent that treats its secrets as badly as one can: it prints them, asks about them, complains
// with them, and writes them into files and file names.
import { rmSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const names = (process.argv[2] ?? "").split(",");
const missing = names.find((name) => process.env[name] === undefined);
const values = names.map((name) => process.env[name] ?? "");
const messages = createInterface({ input: process.stdin });
const say = (...lines) => process.stdout.write(`${lines.join("\n")}\n`);
let begun = false;
let claimed = false;

messages.on("line", (line) => {
  const answered = line.startsWith("[ANSWER ");
  if (!begun) {
    begun = true;
    if (missing !== undefined)
      say(
        "[DEPENDENCY_REQUEST]",
        "type: api_key",
        `name: ${missing}`,
        "description: for a test",
        "required: true",
        "[/DEPENDENCY_REQUEST]",
      );
    else leak();
  } else if (answered && missing === undefined) finish();
  else if (claimed) {
    // Its claim is refused while a file holds a secret's value.
    rmSync("leak.txt", { force: true });
    rmSync(`name-${values[0]}.txt`, { force: true });
    finish();
  }
});

function leak() {
  for (const value of values) {
    say(`using ${value}`, Buffer.from(value).toString("base64"));
    process.stderr.write(`careless: ${value}\n`);
  }
  writeFileSync("leak.txt", values.join("\n"));
  writeFileSync(`name-${values[0]}.txt`, "in its name");
  writeFileSync("clean.md", "nothing secret here");
  say(
    "[ERROR]",
    "type: recoverable",
    `message: refused for ${values[1]}`,
    `details: ${values[2]}`,
    "recovery: notify_user",
    "[/ERROR]",
  );
  say(
    "[USER_QUESTION]",
    "category: choice",
    `question: Shall I use ${values[3]}?`,
    `options: [${values[4]}, No]`,
    `default: ${values[4]}`,
    "required: true",
    "[/USER_QUESTION]",
  );
}

function finish() {
  claimed = true;
  say("=== CUSTOM TASK COMPLETE ===", `Completed: with ${values[5]}`, "");
}
