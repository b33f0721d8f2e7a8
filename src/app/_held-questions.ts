// Questions about a run of sessions that is held (S2.6). Asked by `next`, `report` and `status`, so that what
// knows git is loaded only where there are any.
import { Fault } from "../core/errors.ts";
import type { QuestionData } from "../engine/state.ts";
import type { EntityRow, Store, TaskRow } from "../store/database/store.ts";
import type { HeldFault } from "./conduct/held.ts";
import type { Context } from "./operation.ts";

/** How the references of questions begin that ask what counts, where a session's report was refused. */
export const heldReference = "session";

/** Those that nobody has dealt with: open, or answered and not carried out. */
export async function heldQuestions(store: Store, run: string): Promise<EntityRow[]> {
  const asked = await store.entities({ taskId: run, kind: "question" });
  return asked.filter(
    ({ status, data }) =>
      status !== "withdrawn" &&
      (data as QuestionData).reference?.startsWith(`git ${heldReference} `) === true,
  );
}

/** What holds the run is asked about; what was answered is carried out first. */
export async function aboutHolds<T>(
  context: Context,
  task: TaskRow | undefined,
  report: () => Promise<T>,
): Promise<T> {
  const store = await context.existingStore();
  const asked = task === undefined || !store ? [] : await heldQuestions(store, task.id);
  const open =
    task && asked.length > 0 ? await (await holds()).takeAnswers(context, task, asked) : [];
  try {
    const done = await report();
    if (open.length > 0) await (await holds()).withdrawAll(context, open);
    return done;
  } catch (thrown) {
    if (task && isHeld(thrown)) await (await holds()).askHeld(context, task, thrown);
    throw thrown;
  }
}

/** Where `next` is to be refused as well. */
export async function refuseWhereHeld(
  {
    rows,
    store,
  }: { readonly rows: { task: TaskRow | undefined }; readonly store: Store | undefined },
  context: Context,
): Promise<void> {
  const { task } = rows;
  if (task?.status !== "in_progress" || store === undefined) return;
  const asked = await heldQuestions(store, task.id);
  if (asked.length > 0) await (await holds()).refuseHeld(context, task, asked);
}

// --- internal ---

const holds = () => import("./_session-orchestrate-hold.ts");

/** Without the class, which would load what knows git. */
function isHeld(thrown: unknown): thrown is HeldFault {
  return thrown instanceof Fault && "held" in thrown;
}
