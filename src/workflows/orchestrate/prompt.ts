// What a unit asks of who works on it: its own words in the plan, its check, and after a failure more
// of what is known (S2.5). The same for a session's agent and for one that an engine starts.
import { type Language, msg, render } from "../../core/messages.ts";
import { contextLevel } from "../../core/retry.ts";
import type { ListedTask } from "../../formats/task-list.ts";
import type { UnitData } from "./private.ts";

export interface Asked {
  readonly id: string;
  /** Undefined: only the state knows it. */
  readonly task: ListedTask | undefined;
  /** The plan's own lines about it. */
  readonly text: string;
  readonly unit: UnitData | undefined;
  readonly retryLimit: number;
}

export function promptOf({ id, task, text, unit, retryLimit }: Asked, language: Language): string {
  const retries = unit?.retries ?? 0;
  const parts = [
    text.trim() === "" ? id : text.trim(),
    ...(task?.check === undefined
      ? []
      : [`${render(language, msg("orchestrate.prompt.check"))}\n${task.check}`]),
    ...(unit?.problem
      ? [
          render(
            language,
            msg("orchestrate.prompt.failed", {
              retry: retries,
              limit: retryLimit,
              problem: unit.problem,
            }),
          ),
        ]
      : []),
    ...(retries > 0
      ? [render(language, msg(`orchestrate.prompt.${contextLevel(retries, retryLimit)}`))]
      : []),
  ];
  return parts.join("\n\n");
}

/** A task's own lines of the plan's text, without its heading's neighbours. */
export function linesOf(plan: string, { line, endLine }: ListedTask): string {
  return plan
    .split("\n")
    .slice(line - 1, endLine)
    .join("\n");
}
