// What the engine does itself when sessions drive a request: it looks at the project's own tree. What
// changed is seen through a repository of ours, so it counts also what nobody has committed, and it
// needs no git in the project.
import { join } from "node:path";
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import { realDisk } from "../../store/disk.ts";
import type { OrderOutcome } from "../../workflows/orders.ts";
import type { Accepted } from "../../workflows/request/events.ts";
import { strayFiles } from "../../workflows/request/gates.ts";
import { type AgentStep, type CommandStep, stepsOf } from "../../workflows/request/steps.ts";
import { takeOutcome } from "../conduct/request.ts";
import { shellOf } from "../_own-shell.ts";
import type { Context } from "../operation.ts";
import { readRequest } from "./documents.ts";

/** Commands that are due are run, until an agent's turn comes. `began`: also a subtask's first look. */
export async function runDue(context: Context, began: boolean): Promise<Accepted | undefined> {
  let last: Accepted | undefined;
  for (let round = 0; round < mostRounds; round++) {
    const { board, row } = await readRequest(context);
    const [step] = board === undefined ? [] : stepsOf(board);
    if (board === undefined || step?.kind !== "command") return last;
    if (step.what === "base" && !began) return last;
    const base = board.run.work[step.unit]?.base ?? null;
    const outcome = await ran(context, row?.id ?? board.run.id, step, base);
    if (context.ended.aborted)
      throw new Fault("refused", msg("request.check_stopped", { unit: step.unit }));
    const taken = await takeOutcome(context, outcome);
    if (taken !== undefined && (last === undefined || taken.answer.kind !== "taken")) last = taken;
  }
  return last;
}

/** What the session made for a step, as an order's outcome would bring it. */
export function doneIn({ project }: Context, step: AgentStep): OrderOutcome {
  const files: Record<string, string> = {};
  for (const path of step.wanted) {
    const text = textOf(join(project.root, path));
    if (text !== undefined) files[path] = text;
  }
  return { kind: "done", key: step.key, commit: null, changed: [], words: "", files };
}

/** An accepted draft has become a contract: left lying, it would be taken for the next one. */
export function removeDraft({ project }: Context, { draft, wanted }: AgentStep): void {
  for (const path of draft === null ? [] : wanted) realDisk.remove(join(project.root, path));
}

// --- internal ---

const mostRounds = 20;
const mostBytes = 4 * 1024 * 1024;

async function ran(
  context: Context,
  taskId: string,
  { key, what, command, unit }: CommandStep,
  base: string | null,
): Promise<OrderOutcome> {
  const { root } = context.project;
  if (what === "run") {
    await stillInScope(context, taskId, unit, base);
    const { ranCommand } = await import("../../engine/ran.ts");
    const { ended: signal } = context;
    const env = shellOf(context.env);
    const end = await ranCommand({ command, folder: root, env, tag: `${root} ${unit}`, signal });
    const { code, output } = end.stopped ? { code: null, output: "" } : end;
    return { kind: "ran", key, code, output };
  }
  if (what === "file") {
    const { board } = await readRequest(context);
    const path = board?.tests?.test_file_path ?? "";
    const there = path !== "" && textOf(join(root, path)) !== undefined;
    return { kind: "ran", key, code: there ? 0 : 1, output: "" };
  }
  const tree = await takenTree(context, taskId);
  if (what === "base" || base === null) return { kind: "ran", key, code: 0, output: tree };
  const names = await changedSince(context, taskId, base, tree);
  return {
    kind: "ran",
    key,
    code: 0,
    output: names.map((name) => JSON.stringify(name)).join("\n"),
  };
}

/** Whoever judged was not to change anything: GATE-3 has been passed, and it still has to hold. */
async function stillInScope(
  context: Context,
  taskId: string,
  unit: string,
  base: string | null,
): Promise<void> {
  const { board } = await readRequest(context);
  if (board === undefined || base === null) return;
  const now = await takenTree(context, taskId);
  const stray = strayFiles(board, await changedSince(context, taskId, base, now));
  if (stray.length > 0)
    throw new Fault("refused", msg("request.stray_since", { files: stray.join(", ") }), {
      hint: msg("request.stray_since.hint", { unit }),
    });
}

async function treesOf({ home, project }: Context, taskId: string) {
  const { taskPlaces } = await import("../../git/workspace.ts");
  const { repository } = taskPlaces(home.path, taskId).trees;
  return { repository, workTree: project.root };
}

let lastSeq = 0;

async function takenTree(context: Context, taskId: string): Promise<string> {
  const { makeTrees, takeTree } = await import("../../git/snapshot.ts");
  const { hasHistory, projectPlace } = await import("../../git/project.ts");
  const trees = await treesOf(context, taskId);
  const { root } = context.project;
  await makeTrees(trees, null, async () => ((await hasHistory(root)) ? projectPlace(root) : null));
  const at = Date.now();
  // Higher each time, also twice in a millisecond.
  lastSeq = Math.max(at, lastSeq + 1);
  return (await takeTree({ trees, seq: lastSeq, at })).commit;
}

async function changedSince(
  context: Context,
  taskId: string,
  before: string,
  after: string,
): Promise<string[]> {
  const { diffTrees } = await import("../../git/snapshot.ts");
  const trees = await treesOf(context, taskId);
  const files = await diffTrees(trees, before, after, { maxPatch: 0, maxTotal: 0 });
  return files.flatMap(({ path, from }) => (from === null ? [path] : [path, from]));
}

/** Undefined: not there. What is there and can not be read as a text is there all the same. */
function textOf(path: string): string | undefined {
  try {
    const bytes = realDisk.read(path, mostBytes);
    return bytes === null ? undefined : Buffer.from(bytes).toString("utf8");
  } catch (thrown) {
    // A folder or a link is no file of the project's own.
    if (thrown instanceof Fault && thrown.text.key === "file.not_regular") return undefined;
    if (thrown instanceof Fault) return "";
    throw thrown;
  }
}
