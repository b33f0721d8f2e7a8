// What `doctor --fix` does: only what can not lose anything. Modes first, since nothing can be opened
// without them; a lock that names nobody goes once it is old enough; what the dead left goes under
// the lock; documents are brought in step with the database by the same code that every update runs.
// Who asks for repairs asks for a rebuild too (S2.9): a lost state is made anew from the plan, the
// bad file kept.
import { relative } from "node:path";
import { type Message, msg } from "../../core/messages.ts";
import { type FormatName, formatNames, formatOfPath } from "../../formats/registry.ts";
import { asFault, realDisk } from "../../store/disk.ts";
import type { Documents } from "../../store/documents.ts";
import { resolvePath } from "../../store/files.ts";
import { type Leftover, findLeftovers } from "../../store/inspection.ts";
import { sweepLeft, sweepOwn } from "../../store/left.ts";
import { acquire, release } from "../../store/lock.ts";
import { broughtHere, findMoved } from "../../store/moved.ts";
import type { Context } from "../operation.ts";
import { namelessAge } from "./_doctor-checks.ts";
import { driftedRows, validated } from "./_doctor-documents.ts";
import { fixModes } from "./_doctor-home.ts";
import { ofFault } from "./_doctor-lines.ts";
import { disagreements, memoryPath, reconcileMemory } from "./_doctor-memory.ts";
import { fixRecall } from "./_doctor-recall.ts";
import { fixRuns, fixServerFile, fixWorkspaces } from "./_doctor-server.ts";
import type { Line, Topic } from "./doctor.ts";

export interface Fixed {
  readonly fixed: Message[];
  /** What was tried in vain. */
  readonly failed: Line[];
}

export async function fixAll(context: Context): Promise<Fixed> {
  const result: Fixed = { fixed: [], failed: [] };
  const home = context.home.path;
  await trying(result, "home", home, () => fixModes(context));
  // Locks before documents, which would wait for them.
  await fixLocks(context, result);
  await trying(result, "project", context.project.root, () => fixMoved(context));
  await fixDocuments(context, result);
  await fixLeftovers(context, result);
  await trying(result, "database", home, () => fixRecall(context));
  await trying(result, "server", home, () => fixServerFile(context));
  await trying(result, "server", home, () => fixRuns(context));
  await trying(result, "server", home, () => fixWorkspaces(context));
  return result;
}

// --- internal ---

async function fixLocks({ project: { root } }: Context, result: Fixed): Promise<void> {
  for (const { path } of (await leftovers(root)).filter(isOldNameless))
    await trying(
      result,
      "locks",
      path,
      () => {
        // Another program may have taken it since: a lock that is younger than our look stays.
        const modified = Number((realDisk.stamp(path)?.modified ?? 0n) / 1_000_000n);
        if (modified === 0 || Date.now() - modified < namelessAge) return [];
        realDisk.remove(path);
        return [msg("doctor.fixed.lock", { path: relative(root, path) })];
      },
      relative(root, path),
    );
}

/** Asks first: a project that the database does not know gets no row by this. */
async function fixMoved(context: Context): Promise<readonly Message[]> {
  const { root } = context.project;
  const store = await context.existingStore();
  if (!store || !(await findMoved(root, store, realDisk))) return [];
  const { told } = await broughtHere(root, store, realDisk, new Date());
  return told ? [told] : [];
}

async function fixDocuments(context: Context, result: Fixed): Promise<void> {
  const { root } = context.project;
  const broken = await outOfStep(context);
  const disagrees = (await disagreements(context)).length > 0;
  if (broken.size === 0 && !disagrees) return;
  await trying(result, "documents", root, async () => {
    const documents = await ownDocuments(context, (text) => result.fixed.push(text));
    for (const [path, format] of broken)
      await trying(
        result,
        "documents",
        path,
        async () => {
          await documents.read({ path, format });
          return [msg("doctor.fixed.document", { path: relative(root, path) })];
        },
        relative(root, path),
      );
    const memory = resolvePath(root, memoryPath);
    if (disagrees)
      await trying(
        result,
        "documents",
        memory,
        () => reconcileMemory(context, documents),
        memoryPath,
      );
    return [];
  });
}

async function fixLeftovers(context: Context, result: Fixed): Promise<void> {
  const { root } = context.project;
  const dead = (await leftovers(root)).filter(isDead);
  for (const document of new Set(dead.map((left) => left.document))) {
    const [path, count] = [
      relative(root, document),
      dead.filter((left) => left.document === document).length,
    ];
    await trying(
      result,
      "locks",
      document,
      async () => {
        await sweep(context, document);
        return [msg("doctor.fixed.left", { path, count })];
      },
      path,
    );
  }
}

/** What can not be looked at has its own line. */
const leftovers = (root: string): Promise<Leftover[]> =>
  findLeftovers(root, realDisk, Date.now()).catch(() => []);

function isOldNameless({ kind, state, age }: Leftover): boolean {
  return kind === "lock" && state === "nameless" && age >= namelessAge;
}

/** Bytes without a name belong to nobody that lives, unless a living one is just beginning. */
function isDead({ kind, state, age }: Leftover): boolean {
  return state === "gone" || (kind !== "lock" && state === "nameless" && age >= namelessAge);
}

/** What is told of a file on the way is what was fixed, so it is part of the result. */
async function ownDocuments(context: Context, tell: (text: Message) => void): Promise<Documents> {
  const { documentsOf } = await import("../_wiring.ts");
  const [store, lockWorld] = [await context.store(), await context.lockWorld()];
  const { id: projectId } = await context.projectRow();
  const place = { projectId, quarantine: context.home.quarantine };
  return documentsOf(store, lockWorld, place, tell, context.project.root);
}

/** What differs from the database, and what is damaged: the last sound version takes its place. */
async function outOfStep(context: Context): Promise<Map<string, FormatName>> {
  const found = new Map<string, FormatName>();
  for (const { path, format } of await driftedRows(context)) {
    const known = formatNames.find((name) => name === format);
    if (known) found.set(path, known);
  }
  for (const { path, status } of (await validated(context)).files) {
    const format = formatOfPath(path);
    // Settings are a person's own text: they are told what is wrong, not given an older one.
    if (status === "invalid" && format !== undefined && format !== "project-settings")
      found.set(resolvePath(context.project.root, path), format);
  }
  return found;
}

async function sweep(context: Context, document: string): Promise<void> {
  const format = formatOfPath(document);
  // A version that a person wrote, or half of an update, may lie there: looked at before it goes.
  if (format) return (await context.documents()).settle({ path: document, format });
  const world = await context.lockWorld();
  sweepOwn(document, world);
  const lock = await acquire(document, world);
  try {
    sweepLeft(lock, world.disk);
  } finally {
    release(lock, world.disk);
  }
}

/** One that fails is a line of the report, and the next is tried. `shown`: the line's own path. */
async function trying(
  { fixed, failed }: Fixed,
  topic: Topic,
  path: string,
  act: () => readonly Message[] | Promise<readonly Message[]>,
  shown?: string,
): Promise<void> {
  try {
    fixed.push(...(await act()));
  } catch (thrown) {
    failed.push(ofFault(topic, asFault(path, thrown), shown));
  }
}
