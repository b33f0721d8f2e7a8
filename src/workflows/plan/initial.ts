// A plan's memory before anything happened (S3.1): what a first start writes, and what is left to
// begin with when a file is lost beyond recovery (S3.7).
import { formatDayId } from "../../core/ids.ts";
import type { Documents } from "../../formats/registry.ts";

const memoryFormats = ["task-state", "task-history", "shared-context", "agent-memory"] as const;
export type MemoryFormat = (typeof memoryFormats)[number];

export function isMemory(format: string): format is MemoryFormat {
  return (memoryFormats as readonly string[]).includes(format);
}

/** `agent`: the name of the file, for an agent's own memory. `now` as ISO 8601 in UTC. */
export function initialMemory<F extends MemoryFormat>(
  format: F,
  agent: string,
  now: string,
): Documents[F] {
  const version = "1.0";
  const initial: { readonly [M in MemoryFormat]: () => Documents[M] } = {
    "task-state": () => ({ version, current_task: null, pending_tasks: [], last_updated: now }),
    "task-history": () => ({
      version,
      tasks: [],
      statistics: { total_tasks: 0, success_rate: 0, avg_duration_seconds: 0 },
    }),
    "shared-context": () => ({
      version,
      session: {
        id: formatDayId({ kind: "session", day: now.slice(0, 10), number: 1 }),
        started_at: now,
      },
      shared_data: {},
      preferences: {},
      last_updated: now,
    }),
    "agent-memory": () => ({
      version,
      agent,
      preferences: {},
      cache: {},
      statistics: {},
      last_updated: now,
    }),
  };
  return initial[format]();
}
