// Where the program begins. Agents call hooks at every turn and every write, and to most of them there
// is nothing to say: those are answered here, before the program is loaded. Whatever is not certain is
// left to it.
import { isTooOld, nodeVersion } from "../app/oldest-node.ts";
import { mayHold } from "../app/orchestrating.ts";
import { stateFileOf } from "../app/state-files.ts";
import { hookInput, hookObject } from "./hook-input.ts";

/** Called by what is installed (scripts/build/cli.cjs). */
export async function begin(words: readonly string[]): Promise<void> {
  if (isTooOld(nodeVersion)) return (await import("./main.ts")).refuseNode(words);
  if (!isQuiet(words)) await (await import("./main.ts")).main(words);
}

// --- internal ---

function isQuiet([command, event = "", ...more]: readonly string[]): boolean {
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
    if (event !== "PreToolUse") return mayHold(folder).length === 0;
    return stateFileOf(tool, given, folder) === null;
  } catch {
    return false;
  }
}
