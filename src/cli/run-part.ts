// One line of a run that is carried out in this terminal: who works, what moved, or what waits for a person.
import type { RunPart } from "../app/conduct/following.ts";
import { msg } from "../core/messages.ts";
import { skippedTexts } from "../core/skipped.ts";
import type { Look } from "./command.ts";

export function runPart(part: RunPart, { say, paint }: Look): string {
  if ("agent" in part) {
    const { agent, onto, skipped } = part;
    const who = say(agent === "sample" ? msg("agent.works.sample") : msg("agent.works", { agent }));
    if (onto === null) return who;
    return [who, ...[msg("agent.lands", { onto }), ...skippedTexts(skipped)].map(say)].join("\n");
  }
  if ("unit" in part) {
    const { unit, from, to, trigger, step, iteration, failure, reason } = part;
    const because = (what: string): string =>
      reason === undefined ? what : say(msg("conduct.because", { what, reason }));
    if (failure !== undefined && iteration !== undefined)
      return paint("yellow", say(msg("conduct.move.failed", { unit, to, iteration, failure })));
    // A contract that came in, a gate that was passed: no other phase, and yet something happened.
    if (from === to) {
      const what = step === null ? trigger : `${trigger} ${step}`;
      return paint("dim", because(say(msg("conduct.stays", { unit, at: from, what }))));
    }
    return paint(colours[to] ?? "dim", because(say(msg("conduct.move", { unit, from, to }))));
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
