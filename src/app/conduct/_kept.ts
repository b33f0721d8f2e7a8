// What a unit leaves when it is over (S2.6): its tree goes if all of it is stored or ignored, else it is kept
// and that stands in the run's journal. The same for agents of ours and for sessions.
import { Fault } from "../../core/errors.ts";
import { type Language, msg } from "../../core/messages.ts";
import { feedbackOf } from "../../engine/verify.ts";
import { leftOutText, refusedFiles } from "../../git/claim.ts";
import { type KeptTree, keepUnstored, leaveWorkspace } from "../../git/kept.ts";
import { type Taken, takeTree } from "../../git/snapshot.ts";
import { type TaskPlaces, removeWorkspace, taskPlaces } from "../../git/workspace.ts";
import type { Store } from "../../store/database/store.ts";
import { openSecretBox } from "../../store/secrets.ts";
import { secretValues } from "../_secret-values.ts";
import { noteInRun } from "./_note.ts";

export interface UnitOver {
  readonly store: Store;
  readonly home: string;
  readonly run: string;
  readonly unit: string;
  readonly at: number;
}

/** Of a task of its own. `handedIn`: its last snapshot is in the project's repository. */
export async function leaveUnit(over: UnitOver, id: string, handedIn: boolean): Promise<void> {
  const { store, home, at } = over;
  const secrets = await givenTo(store, home, id);
  const kept = await leaveWorkspace(taskPlaces(home, id), { at, secrets, handedIn });
  await tell(over, kept);
}

/** What is in a claim's clone now; a Fault with the names of files that would be lost with it. */
export async function takeClaim(
  given: UnitOver & { readonly root: string; readonly language: Language },
  { trees, workspace: folder }: TaskPlaces,
): Promise<Taken> {
  const { store, home, root, language, run, unit: id, at } = given;
  const secrets = await givenTo(store, home, run);
  const taken = await takeTree({ trees, seq: at, at, secrets });
  const refused = await refusedFiles(trees, root, taken);
  if (refused.length === 0) return taken;
  const found = refused.map((file) => ({ check: "kept" as const, text: leftOutText(file) }));
  const files = feedbackOf(found, language);
  throw new Fault("refused", msg("claim.left_out", { id, files }), {
    hint: msg("claim.left_out.hint", { id, folder }),
  });
}

/** Of a claim: all of the tree that was taken is in the project's repository by now. */
export async function leaveClaim(over: UnitOver, places: TaskPlaces, taken: Taken): Promise<void> {
  const { kept: to } = taskPlaces(over.home, over.run);
  const kept = await keepUnstored(places, taken, taken.tree, to);
  await tell(over, kept);
  await removeWorkspace(places);
}

/** Values that were given to a task: they are in no snapshot. */
export async function givenTo(store: Store, home: string, id: string): Promise<string[]> {
  return Object.values(await secretValues(store, openSecretBox(home), id));
}

// --- internal ---

const mostNames = 20;

async function tell({ store, run, unit, at }: UnitOver, kept: KeptTree | null): Promise<void> {
  if (kept === null) return;
  const { folder } = kept;
  const files = kept.files.slice(0, mostNames).map(({ path, why }) => `${path} (${why})`);
  const refs = kept.refs.slice(0, mostNames);
  const metadata = { unit, folder, files, ...(refs.length > 0 && { refs }) };
  await noteInRun(store, run, at, { trigger: "tree_kept", metadata });
}
