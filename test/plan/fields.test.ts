// No field of the memory is written and never used (S3.7b): each is looked for in what agents are told,
// what people see, what can be recalled and what a plan comes to.
import { expect, test } from "vitest";
import { memoryReaders } from "../../src/app/recall/_memory.ts";
import { planGlance } from "../../src/app/operations/_status-parts.ts";
import { planRun } from "../../src/app/operations/_units-documents.ts";
import { shown } from "../../src/app/operations/_plan-looks.ts";
import type { Looked } from "../../src/app/operations/_look.ts";
import type { AgentMemory } from "../../src/formats/agent-memory.ts";
import type { SharedContext } from "../../src/formats/shared-context.ts";
import type { TaskHistory } from "../../src/formats/task-history.ts";
import type { TaskState } from "../../src/formats/task-state.ts";
import { applyPlan } from "../../src/workflows/plan/apply.ts";
import type { PlanEvent, PlanWorld } from "../../src/workflows/plan/events.ts";
import { initialMemory } from "../../src/workflows/plan/initial.ts";
import { type Asking, stagePrompt, stepPrompt } from "../../src/workflows/plan/prompts.ts";
import { reconcile } from "../../src/workflows/plan/reconcile.ts";
import { runOf } from "../../src/workflows/plan/run.ts";
import { fieldOf, fieldsOf, leavesOf, otherwise } from "../fields.ts";
import { Play, closing, midnight, plan, verdict } from "./play.ts";

interface Memory {
  readonly "task-state": TaskState;
  readonly "task-history": TaskHistory;
  readonly "shared-context": SharedContext;
  readonly "agent-memory": AgentMemory;
}

/** One plan has ended, one is at work with a step that failed before, one waits. */
function played(): { memory: Memory; runs: PlanWorld["runs"]; began: number } {
  const play = new Play();
  play.begin("Before");
  play.answer(plan([{ id: 1, files: ["a.md"] }]));
  play.done("step-1-1");
  play.answer(verdict([true]));
  play.answer(closing);
  play.begin("Ship it");
  const steps = JSON.parse(
    plan([{ id: 1, files: ["b.md"] }, { id: 2 }, { id: 3, needs: [1] }]),
  ) as object;
  play.answer(JSON.stringify({ ...steps, constraints: ["no network"], resources: ["a wiki"] }));
  play.failed("step-2-1", "validation: no title");
  play.done("step-1-1");
  play.begin("And then", { queue: true });
  const { state, history, context, runs } = play.world;
  const at = new Date(midnight).toISOString();
  const agent = initialMemory("agent-memory", "writer", at);
  return {
    // In this very moment a session has begun already, and no other does.
    began: Date.parse(context.session.started_at),
    memory: {
      "task-state": filled(state),
      "task-history": history,
      "shared-context": { ...context, shared_data: { a: "b" }, preferences: { tone: "plain" } },
      "agent-memory": {
        ...agent,
        preferences: { tone: "dry" },
        cache: { topics: ["a"] },
        statistics: { words: 3 },
      },
    },
    runs,
  };
}

/** What a person or an older file may have brought along. */
function filled(state: TaskState): TaskState {
  const { current_task: task } = state;
  if (task === null) throw new Error("no plan");
  const [first, ...rest] = task.plan.steps;
  if (first === undefined) throw new Error("no step");
  const issue = { step_id: 1, type: "validation", message: "x", resolution: "mended" } as const;
  const solved = { ...issue, resolved: true, resolved_at: task.updated_at ?? "" };
  return {
    ...state,
    current_task: {
      ...task,
      plan: { ...task.plan, steps: [{ ...first, cluster: "writing" }, ...rest] },
      artifacts: [{ type: "file", path: "b.md", description: "the notes" }],
      issues: [...(task.issues ?? []), solved],
    },
  };
}

async function seen({ memory, runs, began }: ReturnType<typeof played>): Promise<string> {
  const state = memory["task-state"];
  const history = memory["task-history"];
  const context = memory["shared-context"];
  const task = state.current_task;
  if (task === null) return "no plan";
  const run = runs.get(task.id) ?? runOf(task);
  const agents = new Map([["writer", memory["agent-memory"]]]);
  const roles = new Map<string, string>();
  const asking: Asking = { task, run, context, history, agents, roles, language: "en" };
  const orchestrated = {
    ...asking,
    agents: new Map([[task.orchestrator ?? "", memory["agent-memory"]]]),
  };
  const world = {
    state,
    history,
    context,
    runs,
    now: midnight + 86_400_000,
    language: "en",
  } as const;
  const after = (event: PlanEvent, now: number = world.now): unknown => {
    const done = applyPlan({ ...world, now, lost: new Set() }, event);
    if (!done.ok) return done.why;
    // Not the documents as wholes: what is merely carried along is not used by that.
    const { statistics, tasks } = done.history;
    return [
      done.reply,
      done.journal,
      done.told,
      statistics,
      tasks.at(-1),
      done.context.session.id,
      done.state.current_task?.id,
    ];
  };
  const at = "2026-03-01T00:00:00Z";
  const times = { started_at: at, completed_at: at, duration_seconds: 1 };
  const ended = { id: task.id, name: task.name, result: "failure", summary: "", ...times } as const;
  const looked = {
    at: (_path: string, format: keyof Memory) => Promise.resolve(memory[format]),
  } as unknown as Looked;
  const begin = {
    on: "begin",
    goal: "x",
    queue: true,
    review: false,
    driver: "session",
    taken: [],
  } as const;
  const fail = { on: "fail", step: 2, session: "run", type: "structural", message: "m" } as const;
  return JSON.stringify([
    (["plan", "judge", "close"] as const).map((stage) => [
      stagePrompt(asking, stage),
      stagePrompt(orchestrated, stage),
    ]),
    task.plan.steps.map((step) => stepPrompt(asking, step)),
    Object.entries(memory).map(([format, document]) =>
      memoryReaders[format as keyof Memory]?.(document as never, ""),
    ),
    shown({ task, run, state, rows: new Map(), store: undefined, told: [] }),
    await planGlance(looked),
    await planRun(looked),
    reconcile(state, history, "2026-03-01T00:00:00Z").done,
    reconcile(state, { ...history, tasks: [...history.tasks, ended] }, "2026-03-01T00:00:00Z").done,
    after({ on: "cancel", plan: null }),
    after({ on: "cancel", plan: null }, began),
    after(begin),
    after(fail),
    after({ on: "settle" }),
  ]);
}

async function safely(world: ReturnType<typeof played>): Promise<string> {
  try {
    return await seen(world);
  } catch (cause) {
    // It stumbles over it: it has been read.
    return String(cause);
  }
}

/** Read before anything else of the file is: what is newer is refused (S3.7). */
const byTheFormat = new Set(["/version"]);

test.each(["task-state", "task-history", "shared-context", "agent-memory"] as const)(
  "S3.7b every field of %s is used",
  async (format) => {
    const { memory, ...more } = played();
    const fields = await fieldsOf(format);
    const before = await seen({ memory, ...more });
    const [there, used] = [new Set<string>(), new Set<string>()];
    for (const { path } of leavesOf(memory[format])) {
      for (let length = 1; length <= path.length; length++)
        there.add(fieldOf(path.slice(0, length), fields));
      const changed = { ...memory, [format]: otherwise(memory[format], path) };
      if ((await safely({ memory: changed, ...more })) === before) continue;
      for (let length = 1; length <= path.length; length++)
        used.add(fieldOf(path.slice(0, length), fields));
    }
    // A plan that waits has the fields of one that is at work.
    const wanted = [...fields].filter((field) => !field.startsWith("/pending_tasks/"));
    expect(wanted.filter((field) => !there.has(field))).toEqual([]);
    expect(wanted.filter((field) => !used.has(field) && !byTheFormat.has(field))).toEqual([]);
  },
);
