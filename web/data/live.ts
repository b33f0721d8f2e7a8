// What happens on the server, as it happens: one stream for the whole browser. A browser keeps only
// six connections to a host, so a stream for each tab would leave the seventh tab without any. The
// tab that holds the lock has the stream and passes on what comes; when it closes, the next one
// goes on behind the last event it was told of.
import { useSyncExternalStore } from "react";

export interface Live {
  readonly status: "connecting" | "live" | "offline";
  /** When the page was last known to be true. */
  readonly asOf: number;
  /** How much came in after the last gap; null: there was none lately. */
  readonly caughtUp: number | null;
}

export interface Happened {
  readonly taskId: string;
  /** Null: something about the task is different, but not its state. */
  readonly transition: {
    readonly machine: string;
    readonly from: string;
    readonly to: string;
    readonly seq: number;
  } | null;
}

export function useLive(): Live {
  return useSyncExternalStore(subscribe, () => live);
}

/** Is the stream this tab's? Of several tabs one acts for all. */
export function isLeading(): boolean {
  return leads;
}

/** `happened` is called for each event, `again` after a gap: everything may be different then. */
export function startLive(happened: (event: Happened) => void, again: () => void): void {
  handlers = { happened, again };
  channel?.addEventListener("message", ({ data }: MessageEvent<Passed>) => take(data));
  post({ kind: "hello" });
  // Where there are no locks, each tab has its own.
  if (!("locks" in navigator)) return listen();
  void navigator.locks.request("holdfast-stream", () => {
    listen();
    return new Promise<never>(() => undefined);
  });
}

// --- internal ---

type Passed =
  | { readonly kind: "hello" }
  | { readonly kind: "live"; readonly live: Live; readonly last: number | null }
  | { readonly kind: "event"; readonly event: Happened };

const retryMs = 1_500;
const caughtUpMs = 3_000;
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("holdfast") : undefined;
const listeners = new Set<() => void>();
let live: Live = { status: "connecting", asOf: Date.now(), caughtUp: null };
let handlers = {
  happened: (event: Happened): void => void event,
  again: (): void => undefined,
};
/** The number of the last event that this tab knows of. */
let last: number | null = null;
let leads = false;

function post(passed: Passed): void {
  // A channel has no origin but our own: the rule means windows.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage(passed);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(change: Partial<Live>): void {
  const before = live.status;
  live = { ...live, ...change };
  if (before !== "live" && live.status === "live") handlers.again();
  for (const listener of listeners) listener();
}

/** Of this tab and, where it leads, of all others. */
function tell(change: Partial<Live>): void {
  set(change);
  post({ kind: "live", live, last });
}

function take(passed: Passed): void {
  if (passed.kind === "hello") {
    if (leads) post({ kind: "live", live, last });
  } else if (passed.kind === "live") {
    last = passed.last ?? last;
    set(passed.live);
  } else heard(passed.event);
}

function heard(event: Happened): void {
  if (event.transition !== null) last = event.transition.seq;
  handlers.happened(event);
}

/** To this tab and all others. */
function pass(event: Happened): void {
  heard(event);
  post({ kind: "event", event });
}

function listen(): void {
  leads = true;
  const wasCut = live.status === "offline";
  let missed = 0;
  let ready = false;
  let caughtUp: ReturnType<typeof setTimeout> | undefined;
  const stream = new EventSource(`/api/events${last === null ? "" : `?after=${last}`}`);
  stream.addEventListener("ready", ({ data }: MessageEvent<string>) => {
    const { seq } = JSON.parse(data) as { seq: number };
    last ??= seq;
    // What was missed comes right behind it.
    caughtUp = setTimeout(() => {
      ready = true;
      tell({ status: "live", asOf: Date.now(), caughtUp: wasCut ? missed : null });
      if (wasCut) setTimeout(() => tell({ caughtUp: null }), caughtUpMs);
    }, 150);
  });
  stream.addEventListener("transition", ({ data }: MessageEvent<string>) => {
    const {
      taskId = "",
      machine = "",
      from = "",
      to = "",
      seq,
    } = JSON.parse(data) as Record<string, string> & { seq: number };
    if (!ready) missed++;
    pass({ taskId, transition: { machine, from, to, seq } });
  });
  stream.addEventListener("changed", ({ data }: MessageEvent<string>) => {
    const { taskId } = JSON.parse(data) as { taskId: string };
    pass({ taskId, transition: null });
  });
  stream.addEventListener("error", () => {
    stream.close();
    // Cut off before it had caught up: it is not live a moment later.
    clearTimeout(caughtUp);
    if (live.status !== "offline") tell({ status: "offline", asOf: Date.now(), caughtUp: null });
    setTimeout(listen, retryMs);
  });
}
