// Nothing typed is lost: what a person writes is kept in this browser, by task, as they type. It
// outlives a reload, a lost connection and a restart of the server, and goes when it was sent.
// Values that are secrets are never kept here.
import { useCallback, useSyncExternalStore } from "react";

export function useDraft<T>(key: string, empty: T): [T, (next: T | ((before: T) => T)) => void] {
  const value = useSyncExternalStore(subscribe, () => read(key)) as T | undefined;
  const set = useCallback(
    (next: T | ((before: T) => T)) => {
      const before = (read(key) as T | undefined) ?? empty;
      write(key, typeof next === "function" ? (next as (before: T) => T)(before) : next);
    },
    // `empty` is the same for one key; a new object each time must not make a new function.
    [key],
  );
  return [value ?? empty, set];
}

export function dropDraft(key: string): void {
  write(key, undefined);
}

// --- internal ---

const prefix = "holdfast.draft.";
/** Parsed once: a snapshot of the store must be the same object until it changes. */
const known = new Map<string, unknown>();
const listeners = new Set<() => void>();

function read(key: string): unknown {
  if (known.has(key)) return known.get(key);
  let value: unknown;
  try {
    const text = localStorage.getItem(prefix + key);
    value = text === null ? undefined : JSON.parse(text);
  } catch {
    value = undefined;
  }
  known.set(key, value);
  return value;
}

function write(key: string, value: unknown): void {
  known.set(key, value);
  try {
    if (value === undefined || value === "") localStorage.removeItem(prefix + key);
    else localStorage.setItem(prefix + key, JSON.stringify(value));
  } catch {
    // Full, or not allowed: it is still there while the page is.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

addEventListener("storage", ({ key }) => {
  if (key?.startsWith(prefix) !== true) return;
  known.delete(key.slice(prefix.length));
  for (const listener of listeners) listener();
});
