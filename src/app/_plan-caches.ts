// Caches of the agents' memories are cleared of what nobody has written for a set time (S3.9), each time a
// plan begins. When an entry was written, the journal knows; of a file that came from elsewhere, the file.
import { Fault } from "../core/errors.ts";
import { isSafeId } from "../core/ids.ts";
import { type Message, msg } from "../core/messages.ts";
import type { AgentMemory } from "../formats/agent-memory.ts";
import { parseJson } from "../formats/json.ts";
import type { RevisionRow, Store } from "../store/database/store.ts";
import type { DocumentRef } from "../store/documents.ts";
import { type MemoryWrite, usualCacheDays, withoutOld } from "../workflows/plan/memory.ts";
import { isMemorised } from "../workflows/plan/replay.ts";
import { agentFile, agentsIn } from "./_plan-files.ts";
import { createSettings } from "./_settings.ts";
import type { Context } from "./operation.ts";

/** What was removed, for who began the plan. */
export async function tidyCaches(context: Context, now: number): Promise<Message[]> {
  const { root } = context.project;
  const store = await context.store();
  const settings = await createSettings(store).of((await context.projectRow()).id);
  const days = settings?.memory?.cache_days ?? usualCacheDays;
  const told: Message[] = [];
  for (const agent of agentsIn(root).filter(isSafeId)) {
    const gone = await tidied(context, store, agentFile(root, agent), now - days * dayMs);
    if (gone.length > 0) {
      const names = gone.slice(0, mostNamed).join(", ");
      told.push(msg("memory.tidied", { agent, count: gone.length, days, names }));
    }
  }
  return told;
}

// --- internal ---

const dayMs = 24 * 3_600_000;
const mostNamed = 20;

async function tidied(
  context: Context,
  store: Store,
  ref: DocumentRef,
  before: number,
): Promise<readonly string[]> {
  const documents = await context.documents();
  let known: Written = { writes: [], floor: Number.POSITIVE_INFINITY };
  const at = new Date().toISOString();
  try {
    const looked = (await documents.look(ref)) as AgentMemory | undefined;
    if (looked === undefined || Object.keys(looked.cache).length === 0) return [];
    return await documents.update<readonly string[]>({
      files: [ref],
      event: { trigger: "tidy", at },
      before: async () => {
        known = await writtenIn(store, ref);
      },
      apply: (all) => {
        const memory = all.get(ref.path) as AgentMemory;
        const { cache, gone } = withoutOld(memory, known.writes, known.floor, before);
        const next = { ...memory, cache, last_updated: at };
        return { documents: new Map(gone.length > 0 ? [[ref.path, next]] : []), result: gone };
      },
    });
  } catch (thrown) {
    // One that cannot be read is reported to who reads it; a plan begins without it.
    if (thrown instanceof Fault && (thrown.code === "corrupt" || thrown.code === "refused"))
      return [];
    throw thrown;
  }
}

interface Written {
  readonly writes: readonly MemoryWrite[];
  readonly floor: number;
}

async function writtenIn(store: Store, { path }: DocumentRef): Promise<Written> {
  const revisions = await store.revisions(path);
  const writes = revisions
    .flatMap(eventsOf)
    .flatMap((event) =>
      isMemorised(event) ? [{ steps: event.change.steps, at: Date.parse(event.at) }] : [],
    );
  const others = revisions.filter(
    (each) => !eventsOf(each).every((event) => isMemorised(event) || isTidy(event)),
  );
  const times: number[] = [];
  for (const each of others) times.push(await timeOf(store, each));
  return { writes, floor: Math.max(0, ...times) };
}

/** Several changes at once are one revision. */
function eventsOf({ event }: RevisionRow): readonly unknown[] {
  return Array.isArray(event) ? event : [event];
}

/** Nobody knows what such a revision wrote: everything in it may be as new as it is. */
async function timeOf(store: Store, { path, rev, kind, createdAt }: RevisionRow): Promise<number> {
  if (kind !== "adopted") return Date.parse(createdAt);
  const content = await store.contentAt(path, rev);
  const parsed = parseJson(Buffer.from(content ?? "").toString());
  const said = parsed.ok ? (parsed.value as Partial<AgentMemory>).last_updated : undefined;
  const time = Date.parse(said ?? "");
  return Number.isNaN(time) ? Date.parse(createdAt) : time;
}

function isTidy(event: unknown): boolean {
  return (
    typeof event === "object" && event !== null && "trigger" in event && event.trigger === "tidy"
  );
}
