// What there is to see of a request: where it stands, and what a new one would be.
import { join, relative } from "node:path";
import { Fault } from "../../core/errors.ts";
import { type Message, msg } from "../../core/messages.ts";
import type { Board } from "../../workflows/request/board.ts";
import { orchestratorFolder } from "../../workflows/request/places.ts";
import { findDocuments } from "../../store/files.ts";
import type { Context } from "../operation.ts";
import { type Found, isThere } from "../request/documents.ts";
import { lookAtRequest } from "../request/look.ts";
import { isOpen, requestRows, waitingRows } from "../request/rows.ts";
import type { Part, Requested } from "./request.ts";

export const status: Part = async (context) => {
  if (!(await isThere(context))) return { line: "NOT_STARTED", says: [msg("request.not_begun")] };
  const found = await lookAtRequest(context);
  return { ...(await shown(context, found)), says: saysOf(found) };
};

/** Nothing is written, not even a database. */
export const dryRun: Part = async (context, { text }) => {
  const { lookAround } = await import("./_look.ts");
  const [session] = await lookAround(context.project.root).sessions();
  const store = await context.existingStore();
  const project = await store?.projectAt(context.project.root);
  const rows = store && project ? await requestRows(store, project.id) : [];
  return {
    line: "DRY_RUN",
    says: [
      session && isOpen(session.state, rows)
        ? msg("request.dry.waits", { id: session.state.request.id })
        : msg("request.dry.begins", { text: text.trim().slice(0, 200) }),
      msg("request.dry.steps"),
    ],
  };
};

export function notBegun(): Fault {
  return new Fault("not_found", msg("request.not_begun"), { hint: msg("request.not_begun.hint") });
}

/** The request as data, for every answer that is about one. */
export async function shown(
  context: Context,
  { board, rows }: Found,
): Promise<Omit<Requested, "says">> {
  const waiting = waitingRows(rows).map(({ data }) => {
    const { id, text } = data.session;
    return { id, text };
  });
  if (board === undefined) return { line: "NOT_STARTED", waiting };
  const { request } = board.state;
  return {
    line: `${request.id}:${request.status}:${request.global_phase}`,
    request: {
      id: request.id,
      text: request.original_request,
      status: request.status,
      phase: request.global_phase,
      task: request.current_task,
      asks: board.run.ask?.question ?? null,
      tasks: tasksOf(board),
      contracts: await contractsOf(context, request.id),
    },
    waiting,
  };
}

// --- internal ---

function saysOf({ board, rows }: Found): Message[] {
  if (board === undefined) return [msg("request.not_begun")];
  const { ask, id } = board.run;
  const waiting = waitingRows(rows).map(({ data }) => data.session.id);
  return [
    ...(ask === null ? [] : [msg("request.asked", { question: ask.question })]),
    ...(ask === null && board.state.request.status === "stopped"
      ? [msg(board.run.reset === true ? "request.was_reset" : "request.is_stopped", { id })]
      : []),
    ...(waiting.length === 0 ? [] : [msg("request.waiting", { ids: waiting.join(", ") })]),
  ];
}

type Tasks = NonNullable<Requested["request"]>["tasks"];

function tasksOf({ state, breakdown, run }: Board): Tasks {
  return state.task_order.map((id) => {
    const entry = state.tasks[id];
    const planned = breakdown?.tasks.find((task) => task.id === id);
    const names = new Map(planned?.subtasks.map((each) => [each.id, each.name]));
    const order = entry?.subtask_order ?? [...names.keys()];
    return {
      id,
      name: entry?.name ?? planned?.name ?? id,
      status: entry?.status ?? "pending",
      subtasks: order.map((subtask) => {
        const sub = entry?.subtasks[subtask];
        const records = Object.values(run.work[subtask]?.gates ?? {});
        const gates = Object.entries(sub?.gates ?? {}).filter(([, is]) => is !== undefined);
        return {
          id: subtask,
          name: sub?.name ?? names.get(subtask) ?? subtask,
          status: sub?.status ?? "pending",
          phase: sub?.phase ?? "test_first",
          gates: Object.fromEntries(gates) as Record<string, string>,
          verdicts: records.flatMap(({ verdicts }) => verdicts.map((each) => ({ ...each }))),
          uncovered: records.flatMap(({ uncovered }) => [...uncovered]),
        };
      }),
    };
  });
}

/** Each with when and by whom it was made, as it says itself. */
async function contractsOf(
  context: Context,
  request: string,
): Promise<NonNullable<Requested["request"]>["contracts"]> {
  const { root } = context.project;
  const { lookAround } = await import("./_look.ts");
  const { formatOfPath } = await import("../../formats/registry.ts");
  const looked = lookAround(root);
  const paths = await findDocuments(root, "", [orchestratorFolder]);
  const found: { path: string; createdAt: string; createdBy: string }[] = [];
  for (const path of paths.filter((each) => each.includes(`/contracts/${request}/`))) {
    const format = formatOfPath(path);
    const read = format && (await looked.at(path, format));
    const { created_at: createdAt, created_by: createdBy } = (read ?? {}) as Record<
      string,
      unknown
    >;
    if (typeof createdAt === "string" && typeof createdBy === "string")
      found.push({ path: relative(root, join(root, path)), createdAt, createdBy });
  }
  return found;
}
