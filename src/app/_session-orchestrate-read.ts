// An orchestrate run as it stands, for who asks at every step: it loads nothing of what changes it.
import { join } from "node:path";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import type { OrchestrateState } from "../formats/orchestrate-state.ts";
import { places } from "../formats/places.ts";
import { kindOf } from "../os/look.ts";
import type { Store } from "../store/database/store.ts";
import type { DocumentRef } from "../store/documents.ts";
import { type Rows, noRows, readRows } from "./_session-orchestrate-rows.ts";
import type { Context } from "./operation.ts";

export interface Run {
  readonly state: OrchestrateState | undefined;
  readonly rows: Rows;
  /** Undefined where Holdfast never ran. */
  readonly store: Store | undefined;
}

/**
 * The run as it stands. Takes a lock only where the file is not as it was published; `looks`: never, a
 * damaged one is reported and left (S2.9).
 */
export async function readRun(context: Context, unit?: string, looks = false): Promise<Run> {
  const found = await context.existingStore();
  const store = found ?? (looks ? undefined : await storeForBackup(context));
  if (store === undefined) return { state: await lookAtState(context), rows: noRows, store };
  const { id } = await context.projectRow();
  const documents = await context.documents();
  const ref = stateRef(context);
  const read = looks ? documents.look(ref) : documents.read(ref);
  const state = (await read) as OrchestrateState | undefined;
  return { state, rows: await readRows(store, id, unit), store };
}

/** What the database has of it; the document is read under its lock, by who changes it. */
export async function rowsOf(context: Context, unit?: string): Promise<Rows> {
  const store = await context.existingStore();
  return store === undefined
    ? (await readRun(context, unit)).rows
    : readRows(store, (await context.projectRow()).id, unit);
}

/** Where news of the run goes (S2.12), by its file, else by the environment; undefined: nowhere. */
export function slackAddress(
  state: OrchestrateState | undefined,
  env: Context["env"],
): string | undefined {
  const address = state?.config.slack_webhook_url ?? env["SLACK_WEBHOOK_URL"] ?? "";
  return address === "" ? undefined : address;
}

export function stateRef({ project }: Context): DocumentRef {
  const path = places["orchestrate-state"];
  return { path: join(project.root, path), format: "orchestrate-state" };
}

// --- internal ---

/** Where Holdfast's own folder was lost and the file is damaged, what lies beside it brings it back (S2.9). */
async function storeForBackup(context: Context): Promise<Store | undefined> {
  if (kindOf(`${stateRef(context).path}.bak`) !== "file") return undefined;
  try {
    await lookAtState(context);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== "corrupt") throw thrown;
    return context.store();
  }
}

async function lookAtState(context: Context): Promise<OrchestrateState | undefined> {
  const { lookAround } = await import("./operations/_look.ts");
  const looked = lookAround(context.project.root);
  const state = await looked.at(places["orchestrate-state"], "orchestrate-state");
  const [problem] = looked.problems;
  if (problem === undefined) return state;
  const { code, message } = problem;
  const hint = code === "corrupt" ? msg("document.rebuild.hint") : problem.hint;
  throw new Fault(code, message, hint ? { hint } : {});
}
