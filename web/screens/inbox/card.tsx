// One thing that waits for a person: what, of which task, since when, what it holds up, and its
// answer in place.
import { Link } from "wouter";
import type { InboxItem } from "../../data/api.ts";
import { useDraft } from "../../data/drafts.ts";
import { Age, clockTime } from "../../parts/figures.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Glyph, itemKind, itemLooks } from "../../parts/state.tsx";
import { type Say, sayWord, useLanguage, useSay } from "../../texts/index.ts";
import { type ReviewDraft, emptyReview, reviewDraft } from "../review/draft.ts";
import { Answer } from "./answer.tsx";
import { Blocked } from "./blocked.tsx";
import { GoOn } from "./held.tsx";
import { markSent } from "./sent.ts";

interface Props {
  readonly item: InboxItem;
  readonly place: number;
  readonly selected: boolean;
  /** What was answered, while the card stays for a moment. */
  readonly sent: string | undefined;
  readonly onSelect: () => void;
}

export function InboxCard({ item, place, selected, sent, onSelect }: Props) {
  const say = useSay();
  const look = itemLooks[itemKind(item)];
  return (
    <li
      id={`item-${item.id}`}
      // A click anywhere selects; the title is the link for keyboards and readers.
      onClick={onSelect}
      data-selected={selected}
      className="grid cursor-pointer grid-cols-[24px_minmax(0,1fr)_auto] gap-x-2.5 gap-y-0.5 rounded-card border border-transparent p-2.5 data-[selected=true]:border-line data-[selected=true]:bg-surface data-[selected=true]:shadow-[0_1px_2px_var(--shade)]"
    >
      {sent === undefined ? <Glyph {...look} /> : <Glyph tone="done" icon="check" />}
      <h2 className="line-clamp-3 text-[13.5px] leading-[1.45] font-medium">
        <Link
          href={`/?item=${item.id}`}
          aria-current={selected ? "true" : undefined}
          className="outline-offset-4"
        >
          {titleOf(item, say)}
        </Link>
      </h2>
      <Age since={item.since} className="live-value pt-px text-xs text-muted" />
      <div className="col-span-2 col-start-2 grid gap-1.5 text-xs text-muted">
        <About item={item} />
        {sent !== undefined ? (
          <p className="font-medium text-done" role="status">
            {say("inbox.sent", { text: sent })}
          </p>
        ) : item.kind === "review" ? (
          <ReviewLine item={item} />
        ) : (
          // Clicks in the answer are answers, not a choice of the card.
          <div onClick={(event) => event.stopPropagation()} className="grid gap-1.5 pt-1">
            {item.kind === "held" ? (
              <GoOn taskId={item.taskId} onSent={(text) => markSent({ item, place, text })} />
            ) : item.kind === "blocked" ? (
              <Blocked item={item} onSent={(text) => markSent({ item, place, text })} />
            ) : (
              <Answer
                asked={item}
                focused={selected}
                onSent={(text) => markSent({ item, place, text })}
              />
            )}
          </div>
        )}
      </div>
    </li>
  );
}

/** What is asked, without what its answer shows below it. */
export function questionTitle(
  { question, parts, request }: Pick<InboxItem, "question" | "parts" | "request">,
  say: Say,
): string {
  if (request !== null) return say("inbox.permission", { tool: request.tool });
  if (parts.length < 2) return question ?? "";
  const about = parts.map((part) => part.header ?? part.question).join(", ");
  return say("inbox.questions", { count: parts.length, about });
}

/** A yes or no and a package's name are no secret. */
export function isSealed(type: InboxItem["dependencyType"]): boolean {
  return type !== "permission" && type !== "package";
}

// --- internal ---

function titleOf(item: InboxItem, say: Say): string {
  if (item.kind === "question") return questionTitle(item, say);
  if (item.kind === "held") return item.question ?? "";
  if (item.kind === "blocked") return say("inbox.blocked", { title: item.title });
  if (item.kind === "dependency") return say("inbox.needs", { name: item.name ?? "" });
  return say("inbox.review", { title: item.title, phase: item.phase ?? 0 });
}

function About({ item }: { item: InboxItem }) {
  const say = useSay();
  const language = useLanguage();
  const { blocks, deadlineAt, title, kind, origin } = item;
  if (kind === "review" && blocks < 2) return null;
  return (
    <div>
      {blocks > 1 ? (
        <p className="font-medium text-you">{say("inbox.blocks", { count: blocks - 1 })}</p>
      ) : null}
      <p>
        {kind === "review" ? null : <span className="text-text">{title}</span>}
        {kind === "question" && origin !== null && origin !== "agent"
          ? ` · ${sayWord(say, "origin", origin)}`
          : null}
        {kind === "dependency" ? ` · ${sayWord(say, "need", item.dependencyType ?? "")}` : null}
        {kind === "question"
          ? ` · ${deadlineAt === null ? say("inbox.stands") : say("inbox.deadline", { time: clockTime(deadlineAt, language) })}`
          : null}
      </p>
      {kind === "dependency" && item.description ? <p>{item.description}</p> : null}
      {kind === "dependency" && isSealed(item.dependencyType) ? <p>{say("need.sealed")}</p> : null}
    </div>
  );
}

function ReviewLine({ item }: { item: InboxItem }) {
  const say = useSay();
  const [draft] = useDraft<ReviewDraft>(reviewDraft(item.taskId), emptyReview);
  const { length } = draft.comments;
  return (
    <p className="flex flex-wrap items-center gap-x-2">
      <span>
        {[item.phaseName, say("inbox.files", { count: item.files.length })]
          .filter((part) => part !== null)
          .join(" · ")}
      </span>
      {length > 0 ? (
        <span className="font-medium text-you">{say("inbox.comments", { count: length })}</span>
      ) : null}
      <Link
        href={`/t/${item.taskId}/review`}
        onClick={(event) => event.stopPropagation()}
        className="inline-flex min-h-8 items-center gap-1 font-medium text-text underline underline-offset-3 lg:hidden"
      >
        {say("inbox.open_review")} <Icon name="right" className="size-3" />
      </Link>
    </p>
  );
}
