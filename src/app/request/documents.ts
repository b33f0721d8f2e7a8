// A request on the disk: its documents are read into a board, one thing that happened is worked in by
// the pure reducer, and what comes of it is written in one commit with the request's own row.
//
// Contracts are read before the lock is taken, the state and the row are looked at again under it:
// every change of a request goes through both, so that one who was overtaken starts again.
import { basename, join } from "node:path";
import { Fault } from "../../core/errors.ts";
import { projectHash } from "../../core/ids.ts";
import { msg } from "../../core/messages.ts";
import type { RequestSession } from "../../formats/request-session.ts";
import type { RequestState } from "../../formats/request-state.ts";
import type { Store } from "../../store/database/store.ts";
import { realDisk } from "../../store/disk.ts";
import type { DocumentRef, Documents } from "../../store/documents.ts";
import { type Board, type Rules, focusOf } from "../../workflows/request/board.ts";
import type { Accepted } from "../../workflows/request/events.ts";
import {
  type ContractFormat,
  type ContractRef,
  contractPlace,
  knowledgePlace,
  sessionPlace,
} from "../../workflows/request/places.ts";
import { settled } from "../../workflows/request/settle.ts";
import { runOf } from "../../workflows/request/start.ts";
import { createSettings } from "../_settings.ts";
import type { Context } from "../operation.ts";
import { type RequestRow, activeRow, changeOf, newRow, requestRows, resetRun } from "./rows.ts";

export interface Place {
  readonly root: string;
  readonly hash: string;
  readonly projectId: string;
}

export interface Found {
  readonly place: Place;
  readonly store: Store;
  readonly documents: Documents;
  readonly rows: readonly RequestRow[];
  /** Of the request that state.json is about, where there is one. */
  readonly board: Board | undefined;
  /** Undefined where the files came without it. */
  readonly row: RequestRow | undefined;
}

export async function placeOf(context: Context): Promise<Place> {
  const { id } = await context.projectRow();
  const { root } = context.project;
  return { root, hash: projectHash(root), projectId: id };
}

/** Is there anything to read? Who only asks makes neither a database nor a folder. */
export async function isThere(context: Context): Promise<boolean> {
  const { root } = context.project;
  const store = await context.existingStore();
  const project = await store?.projectAt(root);
  if (store && project && (await requestRows(store, project.id)).length > 0) return true;
  return realDisk.stamp(join(root, ".claude/orchestrator/sessions")) !== null;
}

export async function readRequest(context: Context): Promise<Found> {
  const [store, documents] = [await context.store(), await context.documents()];
  const place = await placeOf(context);
  const rules = await rulesOf(store, place.projectId);
  return foundAt({ place, store, documents, how: "read", language: context.language, rules });
}

export interface Reading extends Pick<Found, "place" | "store" | "documents"> {
  /** A look puts nothing right (S3.7). */
  readonly how: "look" | "read";
  readonly language: Context["language"];
  readonly rules: Rules;
}

export async function foundAt(reading: Reading): Promise<Found> {
  const { place, store, documents, how, language, rules } = reading;
  const rows = await requestRows(store, place.projectId);
  const read = <T>(ref: DocumentRef): Promise<T | undefined> =>
    documents[how](ref) as Promise<T | undefined>;
  const state = await read<RequestState>(refAt(place, "request-state"));
  const session = await read<RequestSession>(refAt(place, "request-session"));
  if (state === undefined || session === undefined)
    return { place, store, documents, rows, board: undefined, row: undefined };
  const active = activeRow(rows);
  const row = active?.data.session.id === state.request.id ? active : undefined;
  const focus = focusOf(state);
  const [task, subtask] = [focus?.task, focus?.subtask ?? undefined];
  const contract = <T>(
    format: ContractFormat,
    ...of: (string | undefined)[]
  ): Promise<T | undefined> =>
    of.includes(undefined)
      ? Promise.resolve(undefined)
      : read<T>(contractRef(place, state.request.id, refOf(format, of as string[])));
  const explored = await contract<Board["explored"] & object>("explored");
  const breakdown = await contract<Board["breakdown"] & object>("task-breakdown");
  const board: Board = {
    session,
    state,
    run:
      row?.data.session ?? resetRun(state, rows) ?? runOf({ state, explored, breakdown }, language),
    explored,
    breakdown,
    brief: await contract("design-brief", task),
    design: await contract("design-contract", task),
    tests: await contract("test-contract", task, subtask),
    result: await contract("test-result", task, subtask),
    knowledge: await read(refAt(place, "knowledge")),
    rules,
  };
  return { place, store, documents, rows, board, row };
}

/** Undefined: there is no request, or nothing was to be changed. */
export async function changeRequest(
  context: Context,
  trigger: string,
  decide: (board: Board, now: string) => Accepted | undefined,
): Promise<Accepted | undefined> {
  for (let tries = 1; ; tries++) {
    const found = await readRequest(context);
    if (found.board === undefined) return undefined;
    const now = new Date().toISOString();
    const done = decide(found.board, now);
    if (done === undefined || (done.run === found.board.run && done.state === found.board.state))
      return done;
    const written = await write(context, found, trigger, done, now);
    if (written) return done;
    if (tries >= mostTries)
      throw new Fault("locked", msg("request.restless"), { hint: msg("request.restless.hint") });
  }
}

/** What is missing is put right first (S4.8), so that whoever asks sees what holds. */
export async function settleRequest(context: Context): Promise<void> {
  for (let round = 0; round < mostTries; round++) {
    const done = await changeRequest(context, "settle", settled);
    if (done === undefined) return;
  }
}

export function refAt(
  { root, hash }: Place,
  format: "request-session" | "request-state" | "knowledge",
): DocumentRef {
  const path = format === "knowledge" ? knowledgePlace(hash) : sessionPlace(hash, format);
  return { path: join(root, path), format };
}

export function contractRef({ root, hash }: Place, request: string, ref: ContractRef): DocumentRef {
  return { path: join(root, contractPlace(hash, request, ref)), format: ref.format };
}

export function projectOf({ root, hash }: Place): RequestSession["project"] {
  return { path: root, name: basename(root) || "project", hash };
}

/** S4.2b: at the project's root, absolute or null. */
export function manifestOf({ root }: Place): RequestSession["manifest"] {
  const at = (name: string): string | null => {
    const path = join(root, name);
    return realDisk.stamp(path) === null ? null : path;
  };
  return { claude_md: at("CLAUDE.md"), agents_md: at("AGENTS.md") };
}

// --- internal ---

const mostTries = 5;

function refOf(format: ContractFormat, [task, subtask]: readonly string[]): ContractRef {
  return {
    format,
    ...(task === undefined ? {} : { task }),
    ...(subtask === undefined ? {} : { subtask }),
  };
}

async function rulesOf(store: Store, projectId: string): Promise<Rules> {
  const settings = await createSettings(store).of(projectId);
  return { test: settings?.commands?.test ?? null };
}

/** False: somebody was faster, and nothing was written. */
async function write(
  context: Context,
  found: Found,
  trigger: string,
  done: Accepted,
  now: string,
): Promise<boolean> {
  const { place, documents, store, board, row: had } = found;
  const state = refAt(place, "request-state");
  const values = new Map<string, unknown>([
    [state.path, done.state],
    [refAt(place, "request-session").path, done.session],
  ]);
  const files: DocumentRef[] = [state, refAt(place, "request-session")];
  for (const [ref, value] of done.contracts) {
    const file = contractRef(place, done.run.id, ref);
    if (!values.has(file.path)) files.push(file);
    values.set(file.path, value);
  }
  if (done.knowledge !== undefined && done.knowledge !== board?.knowledge) {
    files.push(refAt(place, "knowledge"));
    values.set(refAt(place, "knowledge").path, done.knowledge);
  }
  const { projectId } = place;
  const owned = { projectId, language: context.language, agent: "session", now };
  const row = had ?? newRow(done.run, true, owned);
  let rows: readonly RequestRow[] = [];
  try {
    return await documents.update<boolean>({
      files,
      event: { trigger, at: now, request: done.run.id },
      before: async () => {
        rows = await requestRows(store, projectId);
      },
      apply: (now_) => {
        const moved =
          (activeRow(rows)?.rev ?? 0) !== (had?.rev ?? 0) ||
          JSON.stringify(now_.get(state.path)) !== JSON.stringify(board?.state);
        if (moved) return { documents: new Map(), result: false };
        return { documents: values, change: changeOf(row, done, now), result: true };
      },
    });
  } catch (thrown) {
    // The row itself may be changed without the documents' locks.
    if (thrown instanceof Fault && thrown.text.key.startsWith("store.stale")) return false;
    throw thrown;
  }
}
