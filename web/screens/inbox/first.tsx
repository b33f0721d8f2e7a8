// The first visit explains itself through what is there: three notes, each once, then never again.
import type { InboxItem } from "../../data/api.ts";
import { setSettings, useSettings } from "../../data/settings.ts";
import { Button } from "../../parts/basics.tsx";
import { askToNotify } from "../../preferences.tsx";
import { useSay } from "../../texts/index.ts";
import { useSent } from "./sent.ts";

const notes = ["question", "answered", "review", "notify"] as const;
type Note = (typeof notes)[number];

export function FirstNotes({ items }: { items: readonly InboxItem[] }) {
  const say = useSay();
  const { notes: seen } = useSettings();
  const sent = useSent();
  const has = (kind: InboxItem["kind"]): boolean => items.some((item) => item.kind === kind);
  const is: Readonly<Record<Note, boolean>> = {
    question: has("question") && sent.length === 0,
    answered: sent.length > 0,
    review: has("review"),
    // Asked for after the first answer, not at the door.
    notify: seen.includes("answered") && "Notification" in globalThis,
  };
  const note = notes.find((each) => is[each] && !seen.includes(each));
  if (note === undefined) return null;
  const done = (): void => setSettings({ notes: [...seen, note] });
  return (
    <aside className="mx-3 mb-2 grid gap-1.5 rounded-card border border-line bg-surface px-3 py-2.5 text-sm">
      <p className="font-medium">{say(`first.${note}`)}</p>
      <p className="text-xs text-muted">{say(`first.${note}.more`)}</p>
      <div className="flex gap-1.5">
        {note === "notify" ? (
          <Button look="primary" onClick={() => (void askToNotify(), done())}>
            {say("first.notify.yes")}
          </Button>
        ) : null}
        <Button onClick={done}>{say(note === "notify" ? "first.notify.no" : "first.seen")}</Button>
      </div>
    </aside>
  );
}
