// The server's operations as functions. Their types are the operations' own schemas, so a field that
// changes there is an error here; nothing but types is taken from them.
import type * as agentsOp from "../../src/app/operations/agents.ts";
import type * as machinesOp from "../../src/app/operations/machines.ts";
import type * as metricsOp from "../../src/app/operations/metrics.ts";
import type * as notifyOp from "../../src/app/operations/notify.ts";
import type * as recallOp from "../../src/app/operations/recall.ts";
import type * as settingsOp from "../../src/app/operations/settings.ts";
import type * as unitsOp from "../../src/app/operations/units.ts";
import type * as whyOp from "../../src/app/operations/why.ts";
import type * as inboxOp from "../../src/app/operations/task/inbox.ts";
import type * as listOp from "../../src/app/operations/task/list.ts";
import type * as logOp from "../../src/app/operations/log.ts";
import type * as outputOp from "../../src/app/operations/task/output.ts";
import type * as projectsOp from "../../src/app/operations/task/projects.ts";
import type * as reviewOp from "../../src/app/operations/task/review.ts";
import type * as showOp from "../../src/app/operations/task/show.ts";
import type * as snapshotsOp from "../../src/app/operations/task/snapshots.ts";
import type * as typesOp from "../../src/app/operations/task/types.ts";
import type { ServerView } from "../../src/server/app.ts";
import { languageOf, settings } from "./settings.ts";
import type { Document, Documents, Out } from "./wire.ts";

export type Inbox = Out<typeof inboxOp>;
export type InboxItem = Inbox["items"][number];
export type TaskList = Out<typeof listOp>;
export type TaskView = TaskList["tasks"][number];
export type TaskDetail = Out<typeof showOp>;
export type Wait = TaskDetail["waits"][number];
export type Review = Out<typeof reviewOp>;
export type Output = Out<typeof outputOp>;
export type Log = Out<typeof logOp>;
export type Snapshots = Out<typeof snapshotsOp>;
export type Projects = Out<typeof projectsOp>;
export type TaskTypes = Out<typeof typesOp>;
export type FoundAgents = Out<typeof agentsOp>;
export type Machines = Out<typeof machinesOp>;
export type Metrics = Out<typeof metricsOp>;
export type Notified = Out<typeof notifyOp>;
export type Recalled = Out<typeof recallOp>;
export type ProjectSettings = Out<typeof settingsOp>;
export type Units = Out<typeof unitsOp>;
export type Why = Out<typeof whyOp>;
export type { Document, Documents, ServerView };

/** What the server said no with; `offline` where it said nothing at all. */
export class ApiError extends Error {
  readonly code: string;
  readonly hint: string;
  readonly status: number;

  constructor(status: number, said: { code: string; message: string; hint: string }) {
    super(said.message);
    this.code = said.code;
    this.hint = said.hint;
    this.status = status;
  }
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export const api = {
  inbox: () => get<Inbox>("/api/inbox"),
  tasks: (query: Query) => get<TaskList>("/api/tasks", query),
  task: (id: string) => get<TaskDetail>(taskPath(id)),
  review: (id: string, query: Query) => get<Review>(`${taskPath(id)}/review`, query),
  output: (id: string, query: Query) => get<Output>(`${taskPath(id)}/output`, query),
  log: (query: Query) => get<Log>("/api/log", query),
  snapshots: (id: string, query: Query = {}) => get<Snapshots>(`${taskPath(id)}/snapshots`, query),
  projects: () => get<Projects>("/api/projects"),
  types: () => get<TaskTypes>("/api/types"),
  documents: (query: Query) => get<Documents>("/api/documents", query),
  server: () => get<ServerView>("/api/server"),
  agents: () => get<FoundAgents>("/api/agents"),
  machines: () => get<Machines>("/api/machines"),
  metrics: (query: Query) => get<Metrics>("/api/metrics", query),
  recall: (query: Query) => get<Recalled>("/api/recall", query),
  settings: (query: Query) => get<ProjectSettings>("/api/settings", query),
  units: (query: Query) => get<Units>("/api/units", query),
  why: (query: Query) => get<Why>("/api/why", query),
  notify: (body: object) => post<Notified>("/api/notify", body, newKey()),
  /** `key` names what a person meant: sent again after a lost answer, it is done once. */
  act: (id: string, action: string, body: object = {}, key: string = newKey()) =>
    post<TaskView>(`${taskPath(id)}/${action}`, body, key),
  create: (body: object, key: string) => post<TaskView>("/api/tasks", body, key),
  zipAddress: (id: string) => `${taskPath(id)}/zip`,
};

/** The token of the printed address becomes a cookie; without one an earlier cookie may do. */
export async function openSession(token: string | null): Promise<"open" | "refused" | "offline"> {
  // Whatever else stands in the address is no token, and could not even be sent.
  if (token !== null && !/^[\w-]+$/.test(token)) return "refused";
  try {
    const answer = await fetch("/session", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: "{}",
    });
    return answer.ok ? "open" : "refused";
  } catch {
    return "offline";
  }
}

/** Not randomUUID: that is only there on a secure address, and a server may be reached by another. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// --- internal ---

function taskPath(id: string): string {
  return `/api/tasks/${encodeURIComponent(id)}`;
}

function get<T>(path: string, query: Query = {}): Promise<T> {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  const search = given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
  return ask<T>(path + search, {});
}

function post<T>(path: string, body: object, key: string): Promise<T> {
  const headers = { "content-type": "application/json", "idempotency-key": key };
  return ask<T>(path, { method: "POST", headers, body: JSON.stringify(body) });
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const headers = new Headers(init.headers);
  headers.set("accept-language", languageOf(settings()));
  let answer: Response;
  try {
    answer = await fetch(path, { ...init, headers });
  } catch {
    throw new ApiError(0, { code: "offline", message: "", hint: "" });
  }
  const json: unknown = await answer.json().catch(() => ({}));
  if (answer.ok) return json as T;
  const { error } = json as { error?: { code: string; message: string; hint: string } };
  throw new ApiError(
    answer.status,
    error ?? { code: `http_${answer.status}`, message: answer.statusText, hint: "" },
  );
}
