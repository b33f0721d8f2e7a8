// What was just answered stays for a moment, so that a slip is noticed and nothing jumps.
import { useSyncExternalStore } from "react";
import type { InboxItem } from "../../data/api.ts";

export interface Sent {
  readonly item: InboxItem;
  /** Where it stood. */
  readonly place: number;
  readonly text: string;
}

const stayMs = 5_000;
let all: readonly Sent[] = [];
const listeners = new Set<() => void>();

export function useSent(): readonly Sent[] {
  return useSyncExternalStore(subscribe, () => all);
}

export function markSent(sent: Sent): void {
  set([...all.filter(({ item }) => item.id !== sent.item.id), sent]);
  setTimeout(() => set(all.filter(({ item }) => item.id !== sent.item.id)), stayMs);
}

/** The list with what was sent where it was. */
export function withSent(items: readonly InboxItem[], sent: readonly Sent[]): InboxItem[] {
  const gone = new Set(sent.map(({ item }) => item.id));
  const shown = items.filter(({ id }) => !gone.has(id));
  for (const { item, place } of sent.toSorted((a, b) => a.place - b.place))
    shown.splice(Math.min(place, shown.length), 0, item);
  return shown;
}

// --- internal ---

function set(next: readonly Sent[]): void {
  all = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
