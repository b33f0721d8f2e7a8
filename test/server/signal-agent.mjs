// A plain agent of two phases that logs every signal it hears and everything it is told.
//   node signal-agent.mjs <log>
import { appendFileSync, writeFileSync } from "node:fs";

const log = (text) => appendFileSync(process.argv[2], `${text}\n`);
const say = (...lines) => process.stdout.write(`${lines.join("\n")}\n\n`);
const fields = ["category: choice", "question: Go on?", "options: [yes, no]", "required: true"];
log(`pid ${process.pid}`);
process.on("SIGCONT", () => log("SIGCONT"));
process.on("SIGTERM", () => {
  log("SIGTERM");
  process.exit(0);
});

let phase = 0;
let told = "";
process.stdin.setEncoding("utf8").on("data", (part) => {
  told += part;
  for (;;) {
    const frame = /\[(PROMPT|ANSWER|FEEDBACK)[^\]]*\]\n([\s\S]*?)\n\[\/\1\]\n/.exec(told);
    if (frame === null) return;
    told = told.slice(frame.index + frame[0].length);
    log(`${frame[1]} ${frame[2]}`);
    heard(frame[1]);
  }
});

function heard(kind) {
  if (kind === "PROMPT") phase += 1;
  if (kind === "PROMPT") say("[USER_QUESTION]", ...fields, "[/USER_QUESTION]");
  else {
    writeFileSync(`${phase}.txt`, `${kind} was heard`);
    say(
      `=== PHASE ${phase} COMPLETE ===`,
      `Completed: ${phase}`,
      "Files created:",
      `- ${phase}.txt`,
    );
  }
}
