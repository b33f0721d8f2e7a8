// Where the program begins. Agents call hooks at every turn and every write, and to most of them there
// is nothing to say: those are answered here, before the program is loaded (demand 6). Whatever is
// not certain is left to it.
import { mayOrchestrate } from "../app/orchestrating.ts";
import { stateFileOf } from "../app/state-files.ts";
import { hookInput, hookObject } from "./hook-input.ts";

if (!(await isQuiet(process.argv.slice(2)))) await import("./main.ts");

// --- internal ---

async function isQuiet([command, event = "", ...more]: readonly string[]): Promise<boolean> {
  const known = ["PreToolUse", "Stop", "StopFailure", "TaskCompleted"];
  if (command !== "hook" || more.length > 0 || !known.includes(event)) return false;
  // In a run of ours it may be about work that is to go on.
  if (event !== "PreToolUse" && (process.env["HOLDFAST_RUN"] ?? "") !== "") return false;
  try {
    const input = hookObject(hookInput() ?? "");
    if (input === undefined) return false;
    if (event === "StopFailure") return input["error"] !== "rate_limit";
    const { tool_name: tool, tool_input: given, cwd } = input;
    const folder = typeof cwd === "string" ? cwd : process.cwd();
    if (event === "Stop" && input["stop_hook_active"] !== false) return true;
    if (event !== "PreToolUse") return !(await mayOrchestrate(folder));
    return (await stateFileOf(tool, given, folder)) === null;
  } catch {
    return false;
  }
}
