// The files of a plan's memory (S3.1): where they lie, what one that is missing holds, and their copies.
import { join } from "node:path";
import { isSafeId, requireSafeId } from "../core/ids.ts";
import type { AgentMemory } from "../formats/agent-memory.ts";
import { type Codec, loadCodec } from "../formats/codec.ts";
import { formats } from "../formats/registry.ts";
import type { SharedContext } from "../formats/shared-context.ts";
import type { TaskHistory } from "../formats/task-history.ts";
import { backup } from "../store/backups.ts";
import { realDisk } from "../store/disk.ts";
import type { DocumentRef, Documents } from "../store/documents.ts";
import { type MemoryFormat, initialMemory } from "../workflows/plan/initial.ts";
import type { Context } from "./operation.ts";

export interface PlanFiles {
  readonly root: string;
  readonly state: DocumentRef;
  readonly history: DocumentRef;
  readonly context: DocumentRef;
}

export function planFiles(root: string): PlanFiles {
  const at = (format: MemoryFormat): DocumentRef => ({
    path: join(root, formats[format].path),
    format,
  });
  return {
    root,
    state: at("task-state"),
    history: at("task-history"),
    context: at("shared-context"),
  };
}

export function agentFile(root: string, agent: string): DocumentRef {
  const { path } = formats["agent-memory"];
  return { path: join(root, path.replace("{name}", requireSafeId(agent))), format: "agent-memory" };
}

/** Names of the agents that have a memory. */
export function agentsIn(root: string): string[] {
  const folder = join(root, formats["agent-memory"].path, "..");
  return realDisk
    .list(folder)
    .flatMap((name) => (/^[^.].*\.json$/.test(name) ? [name.slice(0, -".json".length)] : []))
    .toSorted();
}

/**
 * The document; one that is missing is made on its first read (S3.1). `how`: whether one that is broken is
 * put right, by who works on, or reported, to who only looks (S3.7).
 */
export async function readMemory<T>(
  documents: Documents,
  ref: DocumentRef,
  how: "look" | "read",
  agent = "",
): Promise<T> {
  const found = await documents[how](ref);
  if (found !== undefined) return found as T;
  const format = ref.format as MemoryFormat;
  return documents.update<T>({
    files: [ref],
    event: { trigger: "initialise" },
    apply: (all) => {
      const there = all.get(ref.path);
      const value = there ?? initialMemory(format, agent, new Date().toISOString());
      return { documents: new Map(there ? [] : [[ref.path, value]]), result: value as T };
    },
  });
}

/** What an agent's prompt holds of them (S3.9). */
export async function remembered(
  documents: Documents,
  root: string,
  agents: Iterable<string>,
): Promise<{
  context: SharedContext;
  history: TaskHistory;
  agents: ReadonlyMap<string, AgentMemory>;
}> {
  const files = planFiles(root);
  const context = await readMemory<SharedContext>(documents, files.context, "read");
  const history = await readMemory<TaskHistory>(documents, files.history, "read");
  const own = new Map<string, AgentMemory>();
  // A name that a person wrote may be none of a file: then it has no memory.
  for (const agent of [...new Set(agents)].filter(isSafeId))
    own.set(agent, await readMemory<AgentMemory>(documents, agentFile(root, agent), "read", agent));
  return { context, history, agents: own };
}

/** A copy of every file, before a plan starts, ends or is made anew (S3.5). */
export async function copyMemory(context: Context, root: string): Promise<void> {
  const { disk, random } = await context.lockWorld();
  const { state, history, context: shared } = planFiles(root);
  const all = [state, history, shared, ...agentsIn(root).map((name) => agentFile(root, name))];
  for (const ref of all) {
    const codec = (await loadCodec(ref.format)) as Codec<unknown>;
    await backup(ref, { disk, codec, now: () => new Date(), random });
  }
}
