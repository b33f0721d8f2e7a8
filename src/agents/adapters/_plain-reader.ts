// The reader of agents whose whole output is text: the protocol's markers, and usage lines.
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import { type Signal, createProtocolParser } from "../../core/protocol.ts";
import type { AgentEvent, Reader } from "./adapter.ts";
import { type UsageState, endUsage, noUsage, scanUsage } from "./_usage.ts";

export function createPlainReader(options: {
  resume?: string | undefined;
  token?: string | undefined;
}): Reader {
  const { token } = options;
  const saved = options.resume === undefined ? undefined : readSaved(options.resume);
  const parser = createProtocolParser({ token, resume: saved?.markers });
  const usage = saved?.usage ?? noUsage();
  return {
    push(chunk) {
      const view = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const events: AgentEvent[] = [];
      let from = 0;
      // Cut at each usage line, so that the order of events does not depend on the chunking.
      for (const { after, tokens, costUsd } of scanUsage(usage, view, token)) {
        events.push(...signals(parser.push(view.subarray(from, after))));
        events.push({ type: "usage", tokens, costUsd });
        from = after;
      }
      events.push(...signals(parser.push(view.subarray(from))));
      return events;
    },
    settle: () => signals(parser.settle()),
    end() {
      const last = endUsage(usage, token);
      return [...signals(parser.end()), ...(last ? [{ type: "usage" as const, ...last }] : [])];
    },
    save: () => JSON.stringify({ version: 1, markers: parser.save(), usage } satisfies Saved),
    get offset() {
      return parser.offset;
    },
    get ignored() {
      return parser.ignored;
    },
  };
}

// --- internal ---

interface Saved {
  readonly version: 1;
  readonly markers: string;
  readonly usage: UsageState;
}

function signals(list: readonly Signal[]): AgentEvent[] {
  return list.map((signal) => ({ type: "signal", signal }));
}

/** Our own row, guarded by the store's checksum: this only tells a foreign text from ours. */
function readSaved(text: string): Saved {
  try {
    const saved = JSON.parse(text) as Partial<Saved> | null;
    if (saved?.version === 1 && typeof saved.markers === "string" && saved.usage)
      return saved as Saved;
  } catch {
    // Told below.
  }
  throw new Fault("corrupt", msg("protocol.bad_state"));
}
