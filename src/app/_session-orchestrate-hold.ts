// A run of sessions that is held by what a person did with git (S2.6). A session cannot wait for an answer: its
// report is refused with the choices, and the question stands in the inbox as that of any other run. What was
// answered there is carried out by whichever call comes next.
import type { QuestionData, Task } from "../engine/state.ts";
import { heldNow } from "../git/held-now.ts";
import { settleRun } from "../git/settle.ts";
import type { EntityRow, TaskRow } from "../store/database/store.ts";
import { heldReference } from "./_held-questions.ts";
import { branchAt } from "./conduct/_tree.ts";
import { type HeldFault, askAbout, heldFault } from "./conduct/held.ts";
import type { Context } from "./operation.ts";

/** The report was refused: that is asked about, once for as long as it is the same. */
export async function askHeld(context: Context, run: TaskRow, { held }: HeldFault): Promise<void> {
  const { language } = context;
  const place = { store: await context.store(), language, now: Date.now };
  await askAbout(place, run as Task, { ...held, key: `${heldReference} ${held.key}` });
}

/** What a person answered is done. Gives what is still open. */
export async function takeAnswers(
  context: Context,
  run: TaskRow,
  asked: readonly EntityRow[],
): Promise<EntityRow[]> {
  const open: EntityRow[] = [];
  for (const row of asked) {
    const answer = (row.data as QuestionData).answer?.trim().toLowerCase();
    if (row.status === "open" || answer === "stop") open.push(row);
    else {
      if (answer === "theirs" || answer === "ours")
        await settleRun(branchAt(await placeOf(context, run), null), answer, Date.now());
      await withdrawAll(context, [row]);
    }
  }
  return open;
}

/** Throws while it is held; what only a report can find out is not looked for. */
export async function refuseHeld(
  context: Context,
  run: TaskRow,
  asked: readonly EntityRow[],
): Promise<void> {
  const open = await takeAnswers(context, run, asked);
  const held = await heldNow({ root: context.project.root, run: run.id });
  if (held !== undefined && open.length > 0) throw heldFault(held);
}

export async function withdrawAll(context: Context, asked: readonly EntityRow[]): Promise<void> {
  const entities = asked.map((row) => ({ ...row, status: "withdrawn" }));
  // Refused: somebody answered at this moment, and the next call carries that out.
  if (entities.length > 0) await (await context.store()).commit({ entities });
}

// --- internal ---

async function placeOf(context: Context, { id: run }: TaskRow) {
  const { project, home } = context;
  return { run, root: project.root, home: home.path, store: await context.store(), now: Date.now };
}
