// `status`: every workflow of the project at a glance (S6.1). Read from the files alone, so that it
// costs little and works where Holdfast never ran; the database is asked for tasks if it exists.
import { z } from "zod";
import { type Code, Fault, codes } from "../../core/errors.ts";
import { type Message, msg } from "../../core/messages.ts";
import { isDeleted } from "../../engine/state.ts";
import {
  checkpointStatuses,
  developPhases,
  globalPhases,
  orchestrateModes,
  planStepStatuses,
  planTaskStatuses,
  requestStatuses,
  strategies,
  subtaskPhases,
  workStatuses,
} from "../../core/vocabulary.ts";
import type { Store, TaskRow } from "../../store/database/store.ts";
import { realDisk } from "../../store/disk.ts";
import { heldQuestions } from "../_held-questions.ts";
import { type Context, type Operation, sentence } from "../operation.ts";
import { lookAround } from "./_look.ts";
import {
  developGlance,
  orchestrateGlance,
  planGlance,
  requestGlance,
  taskGlance,
} from "./_status-parts.ts";
import { lineOf } from "./_status-line.ts";

const count = () => z.int().min(0);
const progress = () => z.object({ done: count(), total: count() });

const develop = () =>
  z.object({
    path: z.string(),
    feature: z.string(),
    phase: z.enum(developPhases),
    strategy: z.enum(strategies).nullable(),
    updatedAt: z.string(),
    checkpoints: z.array(
      z.object({ id: z.string(), status: z.enum(checkpointStatuses), iteration: count() }),
    ),
  });

const orchestrate = () =>
  z.object({
    path: z.string(),
    project: z.string(),
    mode: z.enum(orchestrateModes),
    phase: count(),
    worktree: z.string().nullable(),
    updatedAt: z.string(),
    counts: z.object({
      pending: count(),
      ready: count(),
      in_progress: count(),
      completed: count(),
      failed: count(),
      blocked: count(),
    }),
    ready: z.array(z.string()),
    inProgress: z.array(z.string()),
    failed: z.array(z.string()),
    blocked: z.array(z.string()),
    progress: progress(),
  });

const plan = () =>
  z.object({
    path: z.string(),
    current: z
      .object({
        id: z.string(),
        name: z.string(),
        status: z.enum(planTaskStatuses),
        goal: z.string(),
        steps: z.object({ done: count(), failed: count(), total: count() }),
        step: z
          .object({
            id: count(),
            name: z.string(),
            agent: z.string(),
            status: z.enum(planStepStatuses),
          })
          .nullable(),
      })
      .nullable(),
    pending: z.array(z.object({ id: z.string(), name: z.string() })),
    updatedAt: z.string(),
  });

const request = () =>
  z.object({
    path: z.string(),
    id: z.string(),
    request: z.string(),
    status: z.enum(requestStatuses),
    phase: z.enum(globalPhases),
    task: z.object({ id: z.string(), name: z.string(), status: z.enum(workStatuses) }).nullable(),
    subtask: z
      .object({
        id: z.string(),
        name: z.string(),
        status: z.enum(workStatuses),
        phase: z.enum(subtaskPhases),
        openGates: z.array(z.object({ gate: z.string(), status: z.string() })),
      })
      .nullable(),
    progress: progress(),
    otherSessions: count(),
    updatedAt: z.string(),
  });

const task = () =>
  z.object({
    id: z.string(),
    workflow: z.string(),
    status: z.string(),
    title: z.string(),
    updatedAt: z.string(),
  });

export type TaskGlance = z.infer<ReturnType<typeof task>>;

export const statusWorkflows = ["develop", "orchestrate", "plan", "request"] as const;

export const input = () =>
  z.strictObject({
    workflow: z.enum(statusWorkflows).optional(),
    line: z.boolean().optional(),
  });

export const output = () =>
  z.object({
    root: z.string(),
    /** The one that was asked for; else null. */
    asked: z.enum(statusWorkflows).nullable(),
    /** All of it in a few words, where that was asked for. */
    line: z.string().optional(),
    develop: develop().optional(),
    orchestrate: orchestrate().optional(),
    plan: plan().optional(),
    request: request().optional(),
    tasks: z.array(task()).optional(),
    /** What a person should know; left out where there is nothing. */
    notices: z.array(z.object({ message: sentence(), hint: sentence().optional() })).optional(),
    problems: z.array(
      z.object({
        path: z.string(),
        code: z.enum(Object.keys(codes) as [Code, ...Code[]]),
        message: sentence(),
        hint: sentence().optional(),
      }),
    ),
  });

export type Status = z.infer<ReturnType<typeof output>>;

export const operation: Operation<z.infer<ReturnType<typeof input>>, Status> = {
  name: "status",
  fields: { workflow: msg("op.status.workflow"), line: msg("op.status.line") },
  run: async (context, { workflow, line = false }) => {
    const { root } = context.project;
    const looked = lookAround(root);
    const wanted = (name: (typeof statusWorkflows)[number]): boolean =>
      workflow === undefined || workflow === name;
    const parts = {
      develop: wanted("develop") ? await developGlance(looked) : undefined,
      orchestrate: wanted("orchestrate") ? await orchestrateGlance(looked) : undefined,
      plan: wanted("plan") ? await planGlance(looked) : undefined,
      request: wanted("request") ? await requestGlance(looked) : undefined,
    };
    const known = workflow === undefined ? await inDatabase(context) : {};
    return {
      root,
      asked: workflow ?? null,
      ...(line ? { line: lineOf(parts, known.tasks) } : {}),
      ...present(parts),
      ...present({ tasks: known.tasks, notices: known.notices }),
      problems: [...looked.problems, ...(known.problems ?? [])],
    };
  },
};

// --- internal ---

function present<T extends object>(parts: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

function isOverUnit({ workflow, status }: TaskRow): boolean {
  return workflow === "unit" && (status === "completed" || status === "failed");
}

/** A database that can not be opened is one problem more, not the end of the glance. */
async function inDatabase(
  context: Context,
): Promise<Partial<Pick<Status, "tasks" | "notices" | "problems">>> {
  try {
    const store = await context.existingStore();
    if (!store) return {};
    const { project, notice } = await projectOf(context.project.root, store);
    if (!project) return {};
    const all = await store.tasks({ projectId: project.id, archived: false });
    // Of what a run made for its units only what is under way: the run itself tells the rest.
    const rows = all.filter((row) => !isOverUnit(row) && !isDeleted(row));
    const notices = [...(notice ? [notice] : []), ...(await holdsOf(store, rows))];
    return {
      ...(rows.length > 0 ? { tasks: rows.map(taskGlance) } : {}),
      ...(notices.length > 0 ? { notices } : {}),
    };
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    const { code, text: message, hint } = thrown;
    return { problems: [{ path: "holdfast.db", code, message, ...(hint ? { hint } : {}) }] };
  }
}

/** Runs that a person has to let continue (S2.6). */
async function holdsOf(store: Store, rows: readonly TaskRow[]) {
  const notices: { message: Message; hint: Message }[] = [];
  for (const { id, status, workflow, data } of rows) {
    if (status !== "in_progress" || !statusWorkflows.some((name) => name === workflow)) continue;
    const { held } = (data as { run?: { held?: string | null } }).run ?? {};
    const [asked] = held ? [] : await heldQuestions(store, id);
    const why = held ?? (asked?.data as { question: string } | undefined)?.question;
    if (why !== undefined)
      notices.push({
        message: msg("why.task.held", { why }),
        hint: msg("status.held.hint", { id }),
      });
  }
  return notices;
}

/** Nearly always where it was; only else is it looked for. */
async function projectOf(root: string, store: Store) {
  const found = await store.projectAt(root);
  if (found) return { project: found };
  const { movedNotice, projectHere } = await import("../../store/moved.ts");
  const { project, moved } = await projectHere(root, store, realDisk);
  return { project, notice: moved && movedNotice(moved) };
}
