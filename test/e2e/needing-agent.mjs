// Needs one thing before it can work: `needing-agent.mjs <type> <name> [variable]`. In the process that has it, what
// the variable holds goes into got.txt; where that names a file, so does what the file holds.
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , type, name, variable = name] = process.argv;
const value = process.env[variable];
const say = (...lines) => process.stdout.write(`${lines.join("\n")}\n`);

createInterface({ input: process.stdin }).once("line", () => {
  if (value === undefined)
    say(
      "[DEPENDENCY_REQUEST]",
      `type: ${type}`,
      `name: ${name}`,
      "description: for a test",
      "required: true",
      "[/DEPENDENCY_REQUEST]",
    );
  else take();
});

function take() {
  const bytes = type === "file" ? readFileSync(value) : Buffer.from(value);
  writeFileSync("got.txt", bytes.toString("hex"));
  say("=== CUSTOM TASK COMPLETE ===", "Completed: it has what it needs", "");
}
