// What the store can not know of a document that is lost: how a workflow makes it anew. Loaded only
// when a file is damaged; the workflows' own functions are pure, what they need is read here.
import { basename, join } from "node:path";
import { Fault } from "../core/errors.ts";
import { type Message, msg } from "../core/messages.ts";
import { loadCodec } from "../formats/codec.ts";
import { parseJson } from "../formats/json.ts";
import type { OrchestrateState } from "../formats/orchestrate-state.ts";
import { formats } from "../formats/registry.ts";
import { maxTaskListBytes, parseTaskList, taskListPaths } from "../formats/task-list.ts";
import type { DocumentsWorld } from "../store/documents.ts";
import { readRegularFile } from "../store/files.ts";
import { rebuildState } from "../workflows/orchestrate/rebuild.ts";
import { initialMemory, isMemory } from "../workflows/plan/initial.ts";
import { repairMemory } from "../workflows/plan/repair.ts";

export interface Recovery {
  readonly now: () => Date;
  /** The project's root, if the user has asked for the state to be rebuilt from the plan (S2.9). */
  readonly rebuildIn?: string;
}

export async function repair(
  { now }: Recovery,
  ...[{ path, format }, bytes]: Parameters<Repair>
): ReturnType<Repair> {
  if (!isMemory(format)) return undefined;
  const text = textOf(bytes);
  const parsed = text === undefined ? undefined : parseJson(text);
  if (!parsed?.ok) return undefined;
  const made = repairMemory(format, parsed.value, basename(path, ".json"), now().toISOString());
  return made && { value: made.value, how: repairedBy(made.done) };
}

export async function rebuild(
  recovery: Recovery,
  ...[{ path, format }, earlier]: Parameters<Rebuild>
): ReturnType<Rebuild> {
  if (format === "orchestrate-state")
    return rebuildOrchestrate(recovery, earlier?.value as OrchestrateState | undefined);
  if (earlier)
    return { value: earlier.value, how: msg("document.how.journal", { rev: earlier.rev }) };
  if (!isMemory(format)) return undefined;
  const value = initialMemory(format, basename(path, ".json"), recovery.now().toISOString());
  return { value, how: msg("document.how.empty") };
}

// --- internal ---

type Repair = NonNullable<DocumentsWorld["repair"]>;
type Rebuild = NonNullable<DocumentsWorld["rebuild"]>;

/** A text with half a character in it is damaged, not merely wrong. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function repairedBy(done: readonly Message[]): Message {
  const changes = done.reduce((first, other) => msg("repair.and", { first, other }));
  return msg("document.how.repaired", { changes });
}

async function rebuildOrchestrate(
  { now, rebuildIn: root }: Recovery,
  earlier: OrchestrateState | undefined,
): ReturnType<Rebuild> {
  if (root === undefined) return { hint: msg("document.rebuild.hint") };
  const paths = await plansOf(root);
  for (const source of paths) {
    const bytes = await bytesOf(join(root, source), maxTaskListBytes);
    if (!bytes) continue;
    const plan = parseTaskList(new TextDecoder().decode(bytes));
    const [problem] = plan.problems;
    if (problem) {
      const { line, text } = problem;
      return { hint: msg("document.rebuild.bad_plan", { source, line, problem: text }) };
    }
    const { state, dropped } = rebuildState(plan, earlier, basename(root), now().toISOString());
    const { completed_count: completed, total_tasks: total } = state.metrics;
    const counts = { source, completed, total };
    const how =
      dropped.length === 0
        ? msg("document.how.rebuilt", counts)
        : msg("document.how.rebuilt_without", { ...counts, ids: dropped.join(", ") });
    return { value: state, how };
  }
  return { hint: msg("document.rebuild.no_plan", { paths: paths.join(", ") }) };
}

/** Where the plan may lie: where the settings say, else at the usual places (S2.4). */
async function plansOf(root: string): Promise<readonly string[]> {
  const { path, maxBytes } = formats["project-settings"];
  const bytes = await bytesOf(join(root, path), maxBytes);
  const read = bytes && (await loadCodec("project-settings")).read(bytes);
  const set = read?.ok ? read.value.orchestrate?.tasks : undefined;
  return set === undefined ? taskListPaths : [set];
}

async function bytesOf(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
  try {
    return await readRegularFile(path, maxBytes);
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "not_found") return undefined;
    throw thrown;
  }
}
