// What agents of a plan remember, as one tree for who reads and changes it (S3.9): the shared context and
// each agent's own memory. A change is a value at a place; lists of an agent's cache keep their newest
// fifty entries.
import { type Message, msg } from "../../core/messages.ts";
import { isSafeId, unsafeId } from "../../core/ids.ts";
import { type AgentMemory, maxCacheEntries } from "../../formats/agent-memory.ts";
import { stepsOf } from "../../formats/format.ts";
import type { SharedContext } from "../../formats/shared-context.ts";

/** The file a place lies in, and the way inside it. */
export type Place =
  | { readonly in: "context"; readonly steps: readonly string[] }
  | { readonly in: "agent"; readonly agent: string; readonly steps: readonly string[] }
  | { readonly in: "history" | "task" | "agents"; readonly steps: readonly string[] };

export interface MemoryChange {
  readonly on: "set" | "add" | "remove";
  readonly steps: readonly string[];
  readonly value?: unknown;
}

export type Remembered = SharedContext | AgentMemory;

/**
 * `shared_data.topic`, `preferences.tone`, `agents.writer.cache.topics`; or as a JSON pointer, where a
 * name has dots: `/agents/writer/cache/a.b`.
 */
export function placeOf(path: string): Place | Message {
  const given = path.trim();
  const steps = given.startsWith("/") ? stepsOf(given) : given.split(".").filter(Boolean);
  const [first, second, ...rest] = steps;
  if (steps.some((step) => unsafeKeys.has(step))) return msg("memory.bad_path", { path });
  switch (first) {
    case undefined:
    case "context":
      return { in: "context", steps: steps.slice(1) };
    case "shared_data":
    case "preferences":
    case "session":
      return { in: "context", steps };
    case "history":
    case "task":
      return { in: first, steps: steps.slice(1) };
    case "agents":
      if (second === undefined) return { in: "agents", steps: [] };
      return isSafeId(second)
        ? { in: "agent", agent: second, steps: rest }
        : (unsafeId(second) ?? msg("memory.bad_path", { path }));
    default:
      return msg("memory.bad_path", { path });
  }
}

/** What may be changed there: open maps, and what lies in them. Undefined: it may. */
export function unchangeable(place: Place, path: string): Message | undefined {
  const [map] = place.steps;
  const maps =
    place.in === "context"
      ? ["shared_data", "preferences"]
      : place.in === "agent"
        ? ["preferences", "cache", "statistics"]
        : [];
  return map !== undefined && maps.includes(map) && place.steps.length > 1
    ? undefined
    : msg("memory.read_only", { path });
}

/** Undefined: nothing is there. */
export function valueAt(document: unknown, steps: readonly string[]): unknown {
  let at: unknown = document;
  for (const step of steps) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string, unknown>)[step];
  }
  return at;
}

/** The same document where nothing changes. */
export function changed<T extends Remembered>(document: T, change: MemoryChange, now: string): T {
  const before = valueAt(document, change.steps);
  const value =
    change.on === "add" ? [...(Array.isArray(before) ? before : []), change.value] : change.value;
  if (JSON.stringify(before) === JSON.stringify(change.on === "remove" ? undefined : value))
    return document;
  const next = put(document, change.steps, change.on === "remove" ? undefined : value) as T;
  const { cache } = next as Partial<AgentMemory>;
  return { ...next, ...(cache ? { cache: cutCaches(cache) } : {}), last_updated: now };
}

/** Days without a write after which an entry of a cache is old, where no setting says otherwise. */
export const usualCacheDays = 30;

/** A change of a memory as the journal has it. */
export interface MemoryWrite {
  readonly steps: readonly string[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * A cache without what has not been written since `before` (S3.9): entries of its maps one by one,
 * everything else as a whole. `floor`: until when anything may have been written that no `write` names.
 */
export function withoutOld(
  memory: AgentMemory,
  writes: readonly MemoryWrite[],
  floor: number,
  before: number,
): { readonly cache: AgentMemory["cache"]; readonly gone: readonly string[] } {
  const gone: string[] = [];
  const isOld = (steps: readonly string[]): boolean => {
    const touched = writes.flatMap((write) => (meets(write.steps, steps) ? [write.at] : []));
    const old = Math.max(floor, ...touched) < before;
    if (old) gone.push(steps.slice(1).join("."));
    return old;
  };
  const kept = Object.entries(memory.cache).flatMap(([name, value]) => {
    if (!isMap(value) || Object.keys(value).length === 0)
      return isOld(["cache", name]) ? [] : [[name, value] as const];
    const entries = Object.entries(value).filter(([key]) => !isOld(["cache", name, key]));
    return entries.length === 0 ? [] : [[name, Object.fromEntries(entries)] as const];
  });
  return { cache: Object.fromEntries(kept), gone };
}

// --- internal ---

/** One lies in the other. */
function meets(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.every((step, place) => step === long[place]);
}

const unsafeKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Maps on the way are made; what is no map is replaced by one. */
function put(at: unknown, steps: readonly string[], value: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  const { [step]: had, ...others } = isMap(at) ? at : {};
  const inside = put(had, rest, value);
  if (inside === undefined) return others;
  // In its old place, so that a person's order of keys stays.
  return isMap(at) && Object.hasOwn(at, step)
    ? { ...at, [step]: inside }
    : { ...others, [step]: inside };
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The newest stand last. */
function cutCaches(cache: AgentMemory["cache"]): AgentMemory["cache"] {
  const lists = Object.entries(cache).map(([name, list]) => [
    name,
    Array.isArray(list) && list.length > maxCacheEntries ? list.slice(-maxCacheEntries) : list,
  ]);
  return Object.fromEntries(lists) as AgentMemory["cache"];
}
