// `status --line`: what is under way, in as few words as a status line has room for. Names and
// numbers alone, so it reads the same in every language; "" where nothing is under way.
import type { Status } from "./status.ts";

export function lineOf(
  { develop, orchestrate, plan, request }: Partial<Status>,
  tasks: Status["tasks"] = [],
): string {
  const parts: string[] = [];
  if (develop && develop.phase !== "DONE") {
    const passed = develop.checkpoints.filter(({ status }) => status === "passed").length;
    const current = develop.checkpoints.find(({ status }) => status === "in_progress");
    const at = current ? ` ${current.id} ${current.iteration}/3` : "";
    parts.push(`develop ${develop.phase}${at} ${passed}/${develop.checkpoints.length}`);
  }
  if (orchestrate && orchestrate.progress.done < orchestrate.progress.total) {
    const { phase, progress, counts } = orchestrate;
    const failed = counts.failed > 0 ? ` ✗${counts.failed}` : "";
    parts.push(`orchestrate P${phase} ${progress.done}/${progress.total}${failed}`);
  }
  if (plan?.current && (plan.current.status === "in_progress" || plan.current.status === "paused"))
    parts.push(`plan ${plan.current.steps.done}/${plan.current.steps.total}`);
  if (request?.status === "active")
    parts.push(`request ${request.id} ${request.subtask?.id ?? request.phase}`);
  const working = tasks.filter(({ status }) => status === "in_progress").length;
  const review = tasks.filter(({ status }) => status === "review").length;
  if (working > 0) parts.push(`▶${working}`);
  if (review > 0) parts.push(`?${review}`);
  return parts.join(" · ");
}
