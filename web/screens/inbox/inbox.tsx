// "What do I have to do now?" Everything that waits for a person, across all projects: what holds up
// most first. It is answered here; beside it stands the task it belongs to.
import { Suspense, useEffect, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import type { InboxItem } from "../../data/api.ts";
import { useDraft } from "../../data/drafts.ts";
import { useInbox, useServer } from "../../data/queries.ts";
import { useKeys } from "../../keys.ts";
import { useCount } from "../../notify.ts";
import { Chip, Kbd } from "../../parts/basics.tsx";
import { Empty, ErrorNote, Fenced, Skeleton } from "../../parts/notes.tsx";
import { type ItemKind, itemKind } from "../../parts/state.tsx";
import { sayWord, useSay } from "../../texts/index.ts";
import { InboxCard } from "./card.tsx";
import { FirstNotes } from "./first.tsx";
import { useParts } from "./form.tsx";
import { needsForm } from "./parts.ts";
import { verdictSaid } from "./permission.tsx";
import { answerDraft, useAnswer, wordsDraft } from "./sending.ts";
import { type Sent, markSent, useSent, withSent } from "./sent.ts";
import { ClearsItself } from "./waiting.tsx";
import { later } from "../../parts/later.tsx";

const TaskPane = later(async () => (await import("../task/pane.tsx")).TaskPane);

export function InboxScreen() {
  const say = useSay();
  useCount(say("nav.inbox"));
  const [params, setParams] = useSearchParams();
  const [kind, setKind] = useState<ItemKind | "all">("all");
  const inbox = useInbox();
  const sent = useSent();
  const all = withSent(inbox.data?.items ?? [], sent);
  const shown = all.filter((item) => kind === "all" || itemKind(item) === kind);
  const selected = chosenOf(shown, sent, params.get("item"));
  const select = (id: string): void => setParams({ item: id }, { replace: true });
  return (
    <div className="grid min-h-0 grid-cols-[384px_minmax(0,1fr)] max-lg:grid-cols-1">
      <section
        aria-label={say("nav.inbox")}
        className="flex min-h-0 min-w-0 flex-col border-r border-line max-lg:border-r-0"
      >
        <Head count={inbox.data?.items.length} />
        <Kinds items={all} kind={kind} onKind={setKind} />
        <div className="min-h-0 flex-1 overflow-y-auto">
          <FirstNotes items={all} />
          {inbox.isPending ? <Skeleton /> : null}
          {inbox.error && !inbox.data ? <ErrorNote error={inbox.error} /> : null}
          {inbox.data && shown.length === 0 ? <Nothing filtered={kind !== "all"} /> : null}
          <ul className="grid gap-1 px-2 pb-3">
            {shown.map((item, place) => (
              <InboxCard
                key={item.id}
                item={item}
                place={place}
                selected={item.id === selected?.id}
                sent={sent.find((each) => each.item.id === item.id)?.text}
                onSelect={() => select(item.id)}
              />
            ))}
          </ul>
        </div>
        <ClearsItself waiting={inbox.data?.waiting ?? []} />
      </section>
      {selected === undefined ? (
        <div className="max-lg:hidden" />
      ) : (
        <main className="min-h-0 min-w-0 bg-surface max-lg:hidden">
          <Beside
            item={selected}
            tab={params.get("tab")}
            onTab={(tab) => setParams({ item: selected.id, tab }, { replace: true })}
          />
        </main>
      )}
      {selected === undefined ? null : (
        <ListKeys items={shown} selected={selected} select={select} />
      )}
    </div>
  );
}

// --- internal ---

/** The task of what is chosen; what fails there leaves the list as it is. */
function Beside(props: {
  readonly item: InboxItem;
  readonly tab: string | null;
  readonly onTab: (tab: string) => void;
}) {
  const { item, tab, onTab } = props;
  const usual = item.kind === "review" ? "review" : "overview";
  return (
    <Fenced>
      <Suspense fallback={<Skeleton />}>
        <TaskPane key={item.taskId} id={item.taskId} tab={tab ?? usual} onTab={onTab} />
      </Suspense>
    </Fenced>
  );
}

/** What was just answered gives way to the next that waits, so that keys and eyes go on there. */
function chosenOf(
  shown: readonly InboxItem[],
  sent: readonly Sent[],
  wanted: string | null,
): InboxItem | undefined {
  const at = Math.max(
    0,
    shown.findIndex(({ id }) => id === wanted),
  );
  const isOpen = ({ id }: InboxItem): boolean => sent.every(({ item }) => item.id !== id);
  return shown.slice(at).find(isOpen) ?? shown.find(isOpen) ?? shown[at];
}

function Head({ count }: { count: number | undefined }) {
  const say = useSay();
  return (
    <div className="flex items-baseline gap-2 px-4 pt-3.5 pb-2.5">
      <h1 className="text-lg font-semibold">{say("nav.inbox")}</h1>
      {count === undefined ? null : (
        <p className="text-xs text-muted">{say("inbox.count", { count })}</p>
      )}
      <span className="ml-auto flex gap-1">
        <Kbd of="j" />
        <Kbd of="k" />
      </span>
    </div>
  );
}

const kinds: readonly ItemKind[] = ["question", "permission", "dependency", "review", "escalation"];

function Kinds(props: {
  readonly items: readonly InboxItem[];
  readonly kind: ItemKind | "all";
  readonly onKind: (kind: ItemKind | "all") => void;
}) {
  const say = useSay();
  const { items, kind, onKind } = props;
  const there = kinds.filter((each) => items.some((item) => itemKind(item) === each));
  if (there.length < 2 && kind === "all") return null;
  return (
    <div className="flex flex-wrap gap-1 px-4 pb-2.5">
      <Chip on={kind === "all"} onClick={() => onKind("all")}>
        {say("kind.all")} {items.length}
      </Chip>
      {there.map((each) => (
        <Chip key={each} on={kind === each} onClick={() => onKind(each)}>
          {say(`kind.${each}`)} {items.filter((item) => itemKind(item) === each).length}
        </Chip>
      ))}
    </div>
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  const say = useSay();
  const { data } = useServer();
  const working = data?.agents["running"] ?? 0;
  if (filtered) return <Empty title={say("inbox.none_of_kind")} />;
  return (
    <Empty title={say("inbox.none")}>
      {working > 0 ? say("inbox.working", { count: working }) : say("inbox.idle")}
    </Empty>
  );
}

/** J and K walk, numbers choose, Ctrl Enter sends what is chosen, Enter opens the task. */
function ListKeys(props: {
  readonly items: readonly InboxItem[];
  readonly selected: InboxItem;
  readonly select: (id: string) => void;
}) {
  const { items, selected, select } = props;
  const [, go] = useLocation();
  const at = items.findIndex(({ id }) => id === selected.id);
  const answering = useAnswering(selected, (text) => markSent({ item: selected, place: at, text }));
  const step = (by: number): void => {
    const next = items[at + by];
    if (next !== undefined) select(next.id);
  };
  useEffect(() => {
    document.getElementById(`item-${selected.id}`)?.scrollIntoView({ block: "nearest" });
  }, [selected.id]);
  useKeys(
    [
      { keys: ["j", "arrowdown"], label: "key.next", run: () => step(1) },
      { keys: ["k", "arrowup"], label: "key.previous", run: () => step(-1) },
      { keys: ["enter"], label: "key.open", run: () => go(`/t/${selected.taskId}`) },
      {
        keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
        label: "key.choose",
        run: (key) => answering.choose(Number(key) - 1),
      },
      { keys: ["mod+enter"], label: "key.send", run: answering.send },
    ],
    true,
  );
  return null;
}

/** What numbers choose and Ctrl Enter sends, in whatever form it is asked; false: nothing is. */
function useAnswering(asked: InboxItem, onSent: (text: string) => void) {
  const say = useSay();
  const [chosen, choose] = useDraft(answerDraft(asked.id), "");
  const [why] = useDraft(wordsDraft(asked.id), "");
  const one = useAnswer({ asked, onSent });
  const form = useParts({ asked, onSent });
  if (asked.kind !== "question") return { choose: () => false, send: () => false };
  if (needsForm(asked.parts)) return { choose: form.press, send: form.go };
  return {
    choose: (at: number): boolean => {
      const option = asked.options[at];
      if (option !== undefined) choose(option);
      return option !== undefined;
    },
    send: (): boolean => {
      if (chosen === "" || one.isPending) return false;
      const plain = { text: chosen, words: sayWord(say, "option", chosen) };
      one.mutate(asked.request !== null ? verdictSaid(chosen, why, say) : plain);
      return true;
    },
  };
}
