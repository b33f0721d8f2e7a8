// `.claude/memory/agents/{name}.json`: what one agent keeps for itself (S3.1, S3.9).
import { z } from "zod";
import { unsafeId } from "../core/ids.ts";
import { msg } from "../core/messages.ts";
import { type Finding, type Format, error, jsonLimit, notice, pointerTo } from "./format.ts";
import { anything, text, time } from "./shapes.ts";

export const maxCacheEntries = 50;

export const schema = () =>
  z.looseObject({
    version: z.literal("1.0"),
    agent: text("agentName").describe("Also the name of the file."),
    preferences: anything(),
    cache: anything(),
    statistics: anything(),
    last_updated: time(),
  });

export type AgentMemory = z.infer<ReturnType<typeof schema>>;

export const agentMemory: Format<AgentMemory> = {
  name: "agent-memory",
  title: msg("format.title.agent-memory"),
  syntax: "json",
  path: ".claude/memory/agents/{name}.json",
  open: true,
  version: "1.0",
  maxBytes: jsonLimit,
  personMay: (pointer) => /^\/(?:preferences|cache|statistics|last_updated)/.test(pointer),
  rules: (memory) => [...nameFits(memory), ...cachesFit(memory)],
};

// --- internal ---

/** The name becomes a file's: what the pattern lets through may still be `con` or `x.lock`. */
function nameFits({ agent }: AgentMemory): Finding[] {
  const problem = unsafeId(agent);
  return problem === undefined ? [] : [error("/agent", problem)];
}

function cachesFit({ cache }: AgentMemory): Finding[] {
  return Object.entries(cache).flatMap(([name, list]) => {
    if (!Array.isArray(list) || list.length <= maxCacheEntries) return [];
    return [
      notice(
        pointerTo("cache", name),
        msg("format.rule.cache_long", { name, count: list.length, max: maxCacheEntries }),
      ),
    ];
  });
}
