// How much one client may ask for. A person never meets these; a script that went wild does, before
// the machine that the agents need does.

/** Of a body, in bytes. */
export const mostBody = 1024 * 1024;

/** Requests a minute: what only reads is cheap. */
export const perMinute = { read: 6_000, write: 600 } as const;

export interface Rate {
  /** Null: it may pass. Else how many seconds until the next one may. */
  take(kind: keyof typeof perMinute): number | null;
}

/** A bucket of each kind that fills evenly; full, it lets a whole minute's worth pass at once. */
export function createRate(
  now: () => number,
  limits: Readonly<Record<"read" | "write", number>>,
): Rate {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    take: (kind) => {
      const limit = limits[kind];
      const at = now();
      const before = buckets.get(kind) ?? { left: limit, at };
      const left = Math.min(limit, before.left + (Math.max(0, at - before.at) * limit) / 60_000);
      const passes = left >= 1;
      buckets.set(kind, { left: passes ? left - 1 : left, at });
      return passes ? null : Math.ceil(((1 - left) * 60) / limit);
    },
  };
}

/** At most `mostBody` of it; undefined: it is more. */
export async function readBody(request: Request): Promise<Uint8Array | undefined> {
  const told = Number(request.headers.get("content-length") ?? 0);
  if (told > mostBody) return undefined;
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    size += value.length;
    if (size > mostBody) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
}
