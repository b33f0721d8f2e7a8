// The files of requests, put together as people think of them: a session's requests, their tasks, their
// subtasks, each with its contracts. Whatever is missing or damaged leaves the rest standing.
import type { DesignBrief } from "../../../src/formats/design-brief.ts";
import type { DesignContract } from "../../../src/formats/design-contract.ts";
import type { Explored } from "../../../src/formats/explored.ts";
import type { RequestSession } from "../../../src/formats/request-session.ts";
import type { RequestState } from "../../../src/formats/request-state.ts";
import type { TaskBreakdown } from "../../../src/formats/task-breakdown.ts";
import type { TestContract } from "../../../src/formats/test-contract.ts";
import type { TestResult } from "../../../src/formats/test-result.ts";
import type { Document, Documents } from "../../data/wire.ts";

export type Row = Documents["requests"][number];
export type GateRecord = Row["gates"][number];

/** A document of a known format; its value is null where it is damaged. */
export interface Read<T> {
  readonly document: Document;
  readonly value: T | null;
}

export interface Subtask {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly phase: string | null;
  readonly gates: Readonly<Record<string, string>>;
  /** What was looked at, and what was found. */
  readonly records: readonly GateRecord[];
  readonly contract: Read<TestContract> | undefined;
  readonly result: Read<TestResult> | undefined;
}

export interface Task {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly brief: Read<DesignBrief> | undefined;
  readonly design: Read<DesignContract> | undefined;
  readonly subtasks: readonly Subtask[];
}

export interface Request {
  /** In the address: the session's folder and the request. */
  readonly key: string;
  readonly id: string;
  readonly text: string;
  readonly status: string;
  readonly phase: string | null;
  readonly row: Row | undefined;
  readonly session: Read<RequestSession> | undefined;
  readonly state: Read<RequestState> | undefined;
  readonly explored: Read<Explored> | undefined;
  readonly breakdown: Read<TaskBreakdown> | undefined;
  readonly tasks: readonly Task[];
}

/** The newest first; those that wait for their turn have no files yet. */
export function requestsOf({ documents, requests: rows }: Documents): Request[] {
  const found = hashesOf(documents).flatMap((hash, place) =>
    // What the database knows is of the session that counts; others came with the files.
    requestsIn(hash, documents, place === 0 ? rows : []),
  );
  const filed = new Set(found.map(({ id }) => id));
  const waiting = rows.filter(({ id }) => !filed.has(id)).map(withoutFiles);
  return [...waiting, ...found];
}

/** Everything of a request that can not be read. */
export function damagedIn(request: Request): Document[] {
  const { session, state, explored, breakdown } = request;
  return broken(session, state, explored, breakdown);
}

export function broken(...reads: readonly (Read<unknown> | undefined)[]): Document[] {
  return reads.flatMap((read) =>
    read !== undefined && read.value === null ? [read.document] : [],
  );
}

// --- internal ---

const sessions = ".claude/orchestrator/sessions/";

/** The one that was changed last comes first (S4.8). */
function hashesOf(documents: readonly Document[]): string[] {
  const hashes = new Set(
    documents.flatMap(({ path }) =>
      path.startsWith(sessions) ? [path.slice(sessions.length).split("/")[0] ?? ""] : [],
    ),
  );
  const rank = (hash: string): number => {
    const session = at<RequestSession>(documents, `${sessions}${hash}/session.json`)?.value;
    const changed = Date.parse(session?.updated_at ?? "") || 0;
    return session?.status === "active" ? changed + 1e15 : changed;
  };
  return [...hashes].toSorted((a, b) => rank(b) - rank(a));
}

function at<T>(documents: readonly Document[], path: string): Read<T> | undefined {
  const document = documents.find((each) => each.path === path);
  return document && { document, value: document.value as T | null };
}

function requestsIn(hash: string, documents: readonly Document[], rows: readonly Row[]): Request[] {
  const folder = `${sessions}${hash}/`;
  const session = at<RequestSession>(documents, `${folder}session.json`);
  const state = at<RequestState>(documents, `${folder}state.json`);
  const contracts = `${folder}contracts/`;
  const ids = new Set(
    documents.flatMap(({ path }) =>
      path.startsWith(contracts) ? [path.slice(contracts.length).split("/")[0] ?? ""] : [],
    ),
  );
  const current = state?.value?.request.id;
  if (current !== undefined) ids.add(current);
  // A damaged state, and nothing else: it is shown all the same.
  if (ids.size === 0) ids.add(rows[0]?.id ?? hash);
  const newest = [...ids].toSorted((a, b) => numberOf(b) - numberOf(a));
  return newest.map((id, place) => {
    // The state is of the newest; what is damaged says not of which.
    const own = current === undefined ? place === 0 : id === current;
    return requestOf({
      id,
      hash,
      documents,
      row: rows.find((row) => row.id === id),
      session: own ? session : undefined,
      state: own ? state : undefined,
    });
  });
}

interface Parts {
  readonly id: string;
  readonly hash: string;
  readonly documents: readonly Document[];
  readonly row: Row | undefined;
  readonly session: Request["session"];
  readonly state: Request["state"];
}

function requestOf(parts: Parts): Request {
  const { id, hash, documents, row, session, state } = parts;
  const folder = `${sessions}${hash}/contracts/${id}/`;
  const breakdown = at<TaskBreakdown>(documents, `${folder}task-breakdown.yaml`);
  const request = state?.value?.request;
  const planned = breakdown?.value?.tasks ?? [];
  const begun = state?.value?.tasks ?? {};
  const ids = new Set([
    ...(state?.value?.task_order ?? []),
    ...planned.map((task) => task.id),
    ...Object.keys(begun),
    ...foldersIn(documents, folder),
  ]);
  return {
    key: `${hash} ${id}`,
    id,
    text: request?.original_request ?? row?.text ?? breakdown?.value?.original_request ?? id,
    status: request?.status ?? row?.status ?? "none",
    phase: request?.global_phase ?? null,
    row,
    session,
    state,
    explored: at<Explored>(documents, `${folder}explored.yaml`),
    breakdown,
    tasks: [...ids].map((task) => taskOf(parts, folder, task, planned, begun[task])),
  };
}

type Begun = RequestState["tasks"][string];

function taskOf(
  parts: Parts,
  folder: string,
  id: string,
  planned: TaskBreakdown["tasks"],
  begun: Begun | undefined,
): Task {
  const { documents, row } = parts;
  const plan = planned.find((task) => task.id === id);
  const own = `${folder}${id}/`;
  const subtasks = new Set([
    ...(begun?.subtask_order ?? []),
    ...(plan?.subtasks ?? []).map((subtask) => subtask.id),
    ...foldersIn(documents, own),
  ]);
  const ended = row?.status === "completed" ? "completed" : "pending";
  return {
    id,
    name: begun?.name ?? plan?.name ?? id,
    status: begun?.status ?? ended,
    brief: at(documents, `${own}design-brief.yaml`),
    design: at(documents, `${own}design-contract.yaml`),
    subtasks: [...subtasks].map((subtask): Subtask => {
      const records = (row?.gates ?? []).filter((gate) => gate.subtask === subtask);
      const { name, status, phase, gates } = begun?.subtasks[subtask] ?? {};
      const looked = records.map(({ gate, result }): [string, string] => [gate, result]);
      return {
        id: subtask,
        name: name ?? plan?.subtasks.find((each) => each.id === subtask)?.name ?? subtask,
        status: status ?? ended,
        phase: phase ?? null,
        gates: gates === undefined ? Object.fromEntries(looked) : given(gates),
        records,
        contract: at(documents, `${own}${subtask}/test-contract.yaml`),
        result: at(documents, `${own}${subtask}/test-result.yaml`),
      };
    }),
  };
}

function given(gates: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(gates).filter((gate): gate is [string, string] => gate[1] !== undefined),
  );
}

/** Tasks and subtasks of which there are contracts, and no word elsewhere. */
function foldersIn(documents: readonly Document[], folder: string): string[] {
  return documents.flatMap(({ path }) => {
    if (!path.startsWith(folder)) return [];
    const rest = path.slice(folder.length).split("/");
    return rest.length > 1 ? [rest[0] ?? ""] : [];
  });
}

function withoutFiles(row: Row): Request {
  return {
    key: `waiting ${row.id}`,
    id: row.id,
    text: row.text,
    status: row.status,
    phase: null,
    row,
    session: undefined,
    state: undefined,
    explored: undefined,
    breakdown: undefined,
    tasks: [],
  };
}

function numberOf(id: string): number {
  return Number(/^R(\d+)$/.exec(id)?.[1] ?? 0);
}
