// Asks as Claude Code asks: by requests that wait for a `control_response`. What it asks stands in the
// task's description, as JSON behind `ASKS`; what it was answered it says in its own words.
import { createInterface } from "node:readline";

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const tell = (text) =>
  say({
    type: "assistant",
    parent_tool_use_id: null,
    message: { role: "assistant", content: [{ type: "text", text }] },
  });
let left = [];

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "user") {
    say({ ...message, isReplay: true, session_id: "asking" });
    const text = message.message.content[0].text;
    left = JSON.parse(/ASKS (.*)$/m.exec(text)?.[1] ?? "[]");
    next();
  } else if (message.type === "control_response") {
    tell(`heard ${JSON.stringify(message.response.response)}`);
    next();
  }
});

function next() {
  const asked = left.shift();
  if (asked !== undefined) {
    const request = { subtype: "can_use_tool", tool_name: asked.tool, input: asked.input };
    say({ type: "control_request", request_id: `r-${left.length}`, request });
    return;
  }
  tell("=== CUSTOM TASK COMPLETE ===\nCompleted: all was answered");
  say({ type: "result", subtype: "success", is_error: false, session_id: "asking" });
}
