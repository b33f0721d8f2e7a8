// `units`: what a workflow works through, as a graph (S6.2): nodes with their states, what waits for
// what, and the chain that sets the pace. Read from the documents, and from the database for tasks.
import { createHash } from "node:crypto";
import { z } from "zod";
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import { isDeleted } from "../../engine/state.ts";
import { type Context, type Operation, sentence } from "../operation.ts";
import { type Looked, lookAround } from "./_look.ts";
import { projectOf, rootOf } from "./_project.ts";
import { developRun, orchestrateRun, planRun, requestRun } from "./_units-documents.ts";
import { type Run, type RunName, drawn, runNames, tasksRun, unitStates } from "./_units-parts.ts";

const count = () => z.int().min(0);

const node = () =>
  z.object({
    id: z.string(),
    title: z.string(),
    status: z.string(),
    state: z.enum(unitStates),
    phase: z.string().nullable(),
    attempts: count().nullable(),
    owner: z.string().nullable(),
    files: z.array(z.string()),
    check: z.string().nullable(),
    critical: z.boolean(),
  });

export const input = () =>
  z.strictObject({
    workflow: z.enum(runNames).optional(),
    project: z.string().min(1).optional(),
    since: z.string().max(64).optional(),
  });

export const output = () =>
  z.object({
    /** Names exactly this answer: given back as `since`, only what differs is told. */
    stamp: z.string(),
    /** Nothing is different since: nodes and edges are left out. */
    unchanged: z.boolean(),
    runs: z.array(
      z.object({
        workflow: z.enum(runNames),
        title: z.string(),
        total: count(),
        done: count(),
        updatedAt: z.string().nullable(),
      }),
    ),
    workflow: z.enum(runNames).nullable(),
    nodes: z.array(node()),
    /** `to` waits for `from`. */
    edges: z.array(z.object({ from: z.string(), to: z.string() })),
    critical: z.array(z.string()),
    /** How many more there are than a picture can hold. */
    left: count(),
    problems: z.array(z.object({ path: z.string(), message: sentence() })),
  });

export type Units = z.infer<ReturnType<typeof output>>;
export type UnitNode = Units["nodes"][number];

export const operation: Operation<z.infer<ReturnType<typeof input>>, Units> = {
  name: "units",
  fields: {
    workflow: msg("op.units.workflow"),
    project: msg("op.units.project"),
    since: msg("op.units.since"),
  },
  run: async (context, { workflow, project, since }) => {
    const looked = lookAround(await rootOf(context, project));
    const runs = await runsOf(context, looked, project);
    const wanted =
      workflow === undefined ? usual(runs) : runs.find((run) => run.workflow === workflow);
    if (workflow !== undefined && wanted === undefined && looked.problems.length === 0)
      throw new Fault("not_found", msg("units.none", { workflow }), {
        hint: msg("units.none.hint"),
      });
    const picture = wanted ? drawn(wanted) : { nodes: [], edges: [], critical: [], left: 0 };
    const told = {
      runs: runs.map(glance),
      workflow: wanted?.workflow ?? null,
      ...picture,
      problems: looked.problems.map(({ path, message }) => ({ path, message })),
    };
    const stamp = createHash("sha256").update(JSON.stringify(told)).digest("hex").slice(0, 16);
    if (stamp !== since) return { stamp, unchanged: false, ...told };
    return { stamp, unchanged: true, ...told, nodes: [], edges: [], critical: [] };
  },
};

// --- internal ---

const readers: Readonly<
  Record<Exclude<RunName, "tasks">, (looked: Looked) => Promise<Run | undefined>>
> = { orchestrate: orchestrateRun, develop: developRun, plan: planRun, request: requestRun };

async function runsOf(
  context: Context,
  looked: Looked,
  project: string | undefined,
): Promise<Run[]> {
  const found: (Run | undefined)[] = [];
  for (const name of runNames)
    found.push(name === "tasks" ? await ofTasks(context, project) : await readers[name](looked));
  return found.filter((run) => run !== undefined);
}

async function ofTasks(context: Context, project: string | undefined): Promise<Run | undefined> {
  const store = await context.existingStore();
  const row = store && (await projectOf(context, project));
  const rows = row && (await store.tasks({ projectId: row.id, archived: false }));
  return rows && tasksRun(rows.filter((task) => !isDeleted(task)));
}

/** The one at work; else the first that is not done; else the first. */
function usual(runs: readonly Run[]): Run | undefined {
  return (
    runs.find(({ units }) => units.some(({ state }) => state === "in_progress")) ??
    runs.find(({ units }) => units.some(({ state }) => state !== "completed")) ??
    runs[0]
  );
}

function glance({ workflow, title, updatedAt, units }: Run): Units["runs"][number] {
  const done = units.filter(({ state }) => state === "completed").length;
  return { workflow, title, total: units.length, done, updatedAt };
}
