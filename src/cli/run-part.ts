// One line of a run that is carried out in this terminal: what moved, or what waits for a person.
import type { RunPart } from "../app/conduct/following.ts";
import { msg } from "../core/messages.ts";
import type { Look } from "./command.ts";

export function runPart(part: RunPart, { say, paint }: Look): string {
  if ("unit" in part) {
    const { unit, from, to, iteration, failure } = part;
    const failed = failure !== undefined && iteration !== undefined;
    const text = failed
      ? msg("conduct.move.failed", { unit, to, iteration, failure })
      : msg("conduct.move", { unit, from, to });
    return paint(colours[to] ?? "dim", say(text));
  }
  const { waits, task, id, text } = part;
  const key = `conduct.waits.${waits}` as "conduct.waits.question";
  return `${paint("yellow", "!")} ${say(msg(key, { task, id, text }))}`;
}

// --- internal ---

const colours: Readonly<Record<string, "green" | "red" | "yellow">> = {
  completed: "green",
  passed: "green",
  failed: "red",
  escalated: "red",
  blocked: "yellow",
};
