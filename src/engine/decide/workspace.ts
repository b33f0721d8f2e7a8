// Something else stands where the workspace was (S1.19): nobody works there, and nothing is stored or checked
// until a person has put it right.
import { msg } from "../../core/messages.ts";
import type { Draft } from "../_draft.ts";
import { stepAgent } from "./agent.ts";
import { openQuestion } from "./ask.ts";
import { spoken } from "./spoken.ts";
import { cancelled, stepTask } from "./task.ts";
import { type Answer, type World, done } from "./world.ts";

export interface Swapped {
  readonly path: string;
  readonly agent: string;
  /** One that was to be started there. */
  readonly process?: string | undefined;
}

export function workspaceSwapped(draft: Draft, found: Swapped, world: World): void {
  const { path, agent, process } = found;
  // The agent has none then, and gets another one when it may go on.
  if (process !== undefined) draft.set("process", process, { wanted: true }, "ended");
  const step = {
    event: "park" as const,
    hold: "workspace" as const,
    trigger: "WORKSPACE",
    metadata: { path },
    reason: "workspace",
  };
  // Known already, or nobody works on it any more.
  if (stepAgent(draft, agent, step, world) !== true) return;
  const asked = {
    origin: "workspace" as const,
    category: "confirmation",
    question: spoken(draft, msg("workspace.swapped.ask", { path })),
    options: ["continue", "cancel"],
  };
  openQuestion(draft, agent, asked, world);
}

/** A person says it is back; if it is not, whoever looks next finds that out. */
export function workspaceBack(draft: Draft, agent: string, answer: string, world: World): Answer {
  if (answer !== "continue")
    return stepTask(draft, { event: "cancel", failure: cancelled("workspace") }, world);
  stepAgent(draft, agent, { event: "unpark", hold: "workspace", trigger: "WORKSPACE" }, world);
  const { document, verifying, found } = draft.task.data;
  // The check of its claim could not be made there.
  if (document?.stage === "check" && verifying === null && found === null)
    draft.effect("verify", { agent });
  return done;
}
