// What reaches a person who looks elsewhere: the count in the title and the icon, and, where they
// wanted it, a notification of the desktop. Only for what waits for them, and for what ended.
import { useEffect, useRef } from "react";
import { type InboxItem, api } from "./data/api.ts";
import { type Happened, isLeading } from "./data/live.ts";
import { useInbox } from "./data/queries.ts";
import { settings } from "./data/settings.ts";
import { itemKind } from "./parts/state.tsx";
import { sayNow, useSay } from "./texts/index.ts";

/** In the title, "(4) …", and as a dot on the icon. */
export function useCount(screen: string): void {
  const { data } = useInbox();
  const count = data?.items.length ?? 0;
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ""}${screen} · Holdfast`;
  }, [count, screen]);
  useEffect(() => drawIcon(count > 0), [count > 0]);
}

/** Tells what newly waits; more than three at once are told together. */
export function useNotifications(go: (path: string) => void): void {
  const say = useSay();
  const { data } = useInbox();
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (data === undefined) return;
    const fresh = data.items.filter(({ id }) => known.current?.has(id) === false);
    known.current = new Set(data.items.map(({ id }) => id));
    if (fresh.length === 0 || !wanted()) return;
    if (fresh.length > 3)
      return show(say("notify.several", { count: fresh.length }), "", () => go("/"));
    for (const item of fresh)
      show(say(`notify.${itemKind(item)}`), bodyOf(item), () => go(`/?item=${item.id}`));
  }, [data]);
}

/** A task that ended waits for nobody, but somebody wants to know (S1.6). Of a part of a run the run tells. */
export async function announce({ taskId, transition }: Happened): Promise<void> {
  const ended = (["completed", "failed"] as const).find((each) => each === transition?.to);
  if (transition?.machine !== "task" || transition.from === ended) return;
  if (ended === undefined || !wanted()) return;
  const task = await api.task(taskId).catch(() => undefined);
  if (task === undefined || task.run !== null) return;
  show(sayNow()(`notify.${ended}`), task.title, () => location.assign(`/t/${taskId}`));
}

// --- internal ---

/** Of several tabs one tells; none does while a person looks at it. */
function wanted(): boolean {
  const allowed = "Notification" in globalThis && Notification.permission === "granted";
  return allowed && settings().notify && isLeading() && !document.hasFocus();
}

function bodyOf({ title, question, name }: InboxItem): string {
  return [question ?? name, title].filter((part) => part !== null).join("\n");
}

function show(title: string, body: string, open: () => void): void {
  const notification = new Notification(title, { body, tag: `${title}${body}` });
  notification.addEventListener("click", () => {
    focus();
    open();
    notification.close();
  });
}

function drawIcon(dot: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link === null) return;
  const mark = dot ? '<circle cx="25" cy="7" r="7" fill="#f59e0b"/>' : "";
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f1f1d"/><path d="M16 5v13M16 18c0 4.500-3 7-8 8M16 18c0 4.500 3 7 8 8M16 18v9M16 9.500c3.500 0 5.500-1.500 6.200-3.500M16 13.500c-3.500 0-5.500-1.500-6.200-3.500" fill="none" stroke="#fff" stroke-width="2.400" stroke-linecap="round"/>${mark}</svg>`;
  link.href = `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
