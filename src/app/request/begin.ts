// A request begins, or waits until the one before it has ended (S4.2): R1, R2, … of one project.
import { join } from "node:path";
import { Fault } from "../../core/errors.ts";
import { nextRequestId } from "../../core/ids.ts";
import { msg } from "../../core/messages.ts";
import type { RequestSession } from "../../formats/request-session.ts";
import type { RequestState } from "../../formats/request-state.ts";
import { findDocuments } from "../../store/files.ts";
import { newRun } from "../../workflows/request/private.ts";
import { sessionOf, stateOf } from "../../workflows/request/start.ts";
import { createSettings } from "../_settings.ts";
import type { Context } from "../operation.ts";
import { manifestOf, placeOf, projectOf, refAt } from "./documents.ts";
import {
  type RequestRow,
  activeRow,
  isOpen,
  newRow,
  requestRows,
  taskLine,
  waitingRows,
} from "./rows.ts";

export interface Asked {
  readonly text: string;
  /** Holdfast starts the agents; else sessions do the work in the project's own tree. */
  readonly headless: boolean;
  /** Which of them (agent-choice.ts). */
  readonly agent?: string | undefined;
}

export interface Begun {
  readonly taskId: string;
  /** `R1`. */
  readonly id: string;
  /** The request it waits for; null: it has begun. */
  readonly waitsFor: string | null;
}

/** Makes the request's row, and its first documents unless another is under way. */
export async function startRequest(context: Context, asked: Asked): Promise<Begun> {
  const text = asked.text.trim();
  if (text === "") throw new Fault("invalid_input", msg("request.no_text"));
  const place = await placeOf(context);
  const [store, documents] = [await context.store(), await context.documents()];
  const { projectId } = place;
  const settings = await createSettings(store).of(projectId);
  const language = settings?.language ?? context.language;
  const [session, state] = [refAt(place, "request-session"), refAt(place, "request-state")];
  const known = await requestFolders(place.root, place.hash);
  const now = new Date().toISOString();
  let rows: RequestRow[] = [];
  return documents.update<Begun>({
    files: [session, state],
    event: { trigger: "start", at: now },
    before: async () => {
      rows = await requestRows(store, projectId);
    },
    apply: (found) => {
      const current = found.get(state.path) as RequestState | undefined;
      const ids = rows.map(({ data }) => data.session.id);
      const open = isOpen(current, rows);
      const id = nextRequestId({ kind: "request" }, [
        ...ids,
        ...known,
        ...(current === undefined ? [] : [current.request.id]),
      ]);
      const before = [
        ...(open && current ? [current.request.id] : []),
        ...rows.filter(isUnderWay).map(({ data }) => data.session.id),
      ];
      const branch = asked.headless ? `request-${id}` : null;
      const run = newRun({ id, text, language, branch });
      const agent = (asked.headless ? asked.agent : undefined) ?? "session";
      const begins = before.length === 0;
      const row = newRow(run, begins, { projectId, language, agent, now });
      const beginning = { project: projectOf(place), manifest: manifestOf(place), run, now };
      const was = found.get(session.path) as RequestSession | undefined;
      const written: [string, unknown][] = begins
        ? [
            [session.path, sessionOf(beginning, was)],
            [state.path, stateOf(beginning)],
          ]
        : [];
      const lines = begins ? [taskLine({ ...row, status: "pending" }, "in_progress", now)] : [];
      return {
        documents: new Map(written),
        change: { tasks: [row], transitions: lines },
        result: { taskId: row.id, id, waitsFor: begins ? null : (before[0] ?? null) },
      };
    },
  });
}

/** The next that waits begins, if nothing is under way. Undefined: none did. */
export async function beginWaiting(context: Context): Promise<RequestRow | undefined> {
  const place = await placeOf(context);
  const [store, documents] = [await context.store(), await context.documents()];
  const { projectId } = place;
  if (waitingRows(await requestRows(store, projectId)).length === 0) return undefined;
  const [session, state] = [refAt(place, "request-session"), refAt(place, "request-state")];
  const now = new Date().toISOString();
  let rows: RequestRow[] = [];
  return documents.update<RequestRow | undefined>({
    files: [session, state],
    event: { trigger: "start", at: now },
    before: async () => {
      rows = await requestRows(store, projectId);
    },
    apply: (found) => {
      const current = found.get(state.path) as RequestState | undefined;
      const open = isOpen(current, rows);
      const [row] = waitingRows(rows);
      if (open || activeRow(rows) !== undefined || row === undefined)
        return { documents: new Map(), result: undefined };
      const beginning = {
        project: projectOf(place),
        manifest: manifestOf(place),
        run: row.data.session,
        now,
      };
      const was = found.get(session.path) as RequestSession | undefined;
      const begun = {
        ...row,
        status: "in_progress",
        data: { ...row.data, startedAt: now },
        updatedAt: now,
      };
      return {
        documents: new Map<string, unknown>([
          [session.path, sessionOf(beginning, was)],
          [state.path, stateOf(beginning)],
        ]),
        change: { tasks: [begun], transitions: [taskLine(row, "in_progress", now)] },
        result: begun,
      };
    },
  });
}

// --- internal ---

function isUnderWay({ status }: RequestRow): boolean {
  return status === "in_progress" || status === "pending";
}

/** Numbers that an older request has taken, also where nothing but its contracts is left. */
async function requestFolders(root: string, hash: string): Promise<string[]> {
  const folder = join(".claude/orchestrator/sessions", hash, "contracts");
  const paths = await findDocuments(root, "", [folder]);
  return paths.flatMap((path) => /\/contracts\/(R\d+)\//.exec(path)?.[1] ?? []);
}
