// Discovery (S4.4): explored and planned side by side, then merged: what was assumed is held against
// what was found. And back to planning, where work left what its design had declared.
import { type Message, msg } from "../../core/messages.ts";
import { judged } from "./assumptions.ts";
import { briefOf } from "./brief.ts";
import { nextTask } from "./_loop.ts";
import type { Working } from "./_working.ts";

/** One of the two is in: when both are, the task loop begins. */
export function discovered(working: Working, what: "explore" | "plan"): void {
  working.setRun({ open: working.run.open.filter((each) => each !== what) });
  if (working.run.open.length > 0) return;
  const { explored, breakdown, run } = working.board;
  if (explored === undefined || breakdown === undefined) return missing(working);
  const wrong = judged(breakdown.assumptions, explored).filter(
    ({ verdict }) => verdict === "wrong",
  );
  const refused = working.move("merge_discovery", {
    assumptions: breakdown.assumptions.length,
    wrong: wrong.map(({ text }) => text),
  });
  if (refused !== null) {
    const named = wrong.map(({ text, missing: places }) => `- ${text} (${places.join(", ")})`);
    working.setRun({ open: ["plan"] });
    return working.again(
      "contract",
      "plan",
      "plan",
      msg("request.assumed_wrong", { why: refused, assumptions: named.join("\n") }),
    );
  }
  for (const { id: task } of breakdown.tasks)
    working.write(
      { format: "design-brief", task },
      briefOf(breakdown, explored, task, run.language, working.now),
    );
  const { tasks, task_order: _ } = working.state;
  working.setTasks(kept(working, tasks), breakdown.task_order);
  nextTask(working);
}

export function planAgain(working: Working, why: Message, unit: string): void {
  const refused = working.move("replan", { why: working.say(why) });
  if (refused !== null) {
    // Why a plan may not be made anew: it was, as often as it may be.
    return working.giveUp(unit, msg("request.no_replan", { why, refused }), true);
  }
  working.setRun({ open: ["plan"], phaseRetries: working.run.phaseRetries + 1 });
  working.setFeedback("plan", why);
}

// --- internal ---

/** Of an earlier plan what is completed stays; what the new one does not name goes. */
function kept(working: Working, tasks: Working["state"]["tasks"]): Working["state"]["tasks"] {
  const planned = new Map(working.board.breakdown?.tasks.map((task) => [task.id, task]));
  return Object.fromEntries(
    Object.entries(tasks).flatMap(([id, entry]) => {
      const task = planned.get(id);
      if (task === undefined) return [];
      if (entry.status === "completed") return [[id, entry] as const];
      const names = new Map(task.subtasks.map((subtask) => [subtask.id, subtask.name]));
      const subtasks = Object.entries(entry.subtasks).filter(
        ([sub, { name }]) => names.get(sub) === name,
      );
      return [
        [
          id,
          {
            ...entry,
            name: task.name,
            current_subtask: null,
            subtasks: Object.fromEntries(subtasks),
            subtask_order: [...names.keys()],
          },
        ] as const,
      ];
    }),
  );
}

/** One of the contracts is gone again before the other came. */
function missing(working: Working): void {
  const { explored, breakdown } = working.board;
  working.setRun({
    open: [
      ...(explored === undefined ? (["explore"] as const) : []),
      ...(breakdown === undefined ? (["plan"] as const) : []),
    ],
  });
}
