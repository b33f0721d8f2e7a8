// What of a step is worth telling people who are elsewhere (S2.12): that a run began, that a task has
// failed for good, that a phase is done, that all is.
import { type Message, msg } from "../../core/messages.ts";
import type { Accepted } from "./events.ts";

export function newsOf(
  { state, journal, ended, allDone }: Pick<Accepted, "state" | "journal" | "ended" | "allDone">,
  began: boolean,
): Message[] {
  const { project, metrics } = state;
  const { completed_count: done, total_tasks: total, failed_count: failed } = metrics;
  const lost = journal.filter(({ to }) => to === "failed").map(({ id }) => id);
  return [
    ...(began && !allDone ? [msg("orchestrate.news.began", { project, total })] : []),
    ...lost.map((id) => msg("orchestrate.news.failed", { project, id })),
    ...ended.map((phase) => msg("orchestrate.news.phase", { project, phase, done, total })),
    // Nothing that happened now: a look at a run that was over before is no news.
    ...(allDone && journal.length > 0
      ? [msg("orchestrate.news.all", { project, done, failed })]
      : []),
  ];
}
