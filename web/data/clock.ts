// One clock for all ages on the page: a timer for each would wake the browser hundreds of times.
import { useSyncExternalStore } from "react";

/** Milliseconds since 1970, a new value each second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

// --- internal ---

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
