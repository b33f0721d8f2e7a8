// What clears by itself, apart from what needs a person: what holds it, how many, and until when.
import { Link } from "wouter";
import type { Inbox } from "../../data/api.ts";
import { clockTime } from "../../parts/figures.tsx";
import { Icon } from "../../parts/icons.tsx";
import { waitLooks } from "../../parts/state.tsx";
import { useLanguage, useSay } from "../../texts/index.ts";

export function ClearsItself({ waiting }: { waiting: Inbox["waiting"] }) {
  const say = useSay();
  const language = useLanguage();
  if (waiting.length === 0) return null;
  const kinds = [...new Set(waiting.map(({ kind }) => kind))];
  return (
    <section className="border-t border-line px-4.5 py-3 text-xs text-muted">
      <h3 className="mb-1 font-semibold">{say("inbox.itself")}</h3>
      <ul>
        {kinds.map((kind) => {
          const these = waiting.filter((wait) => wait.kind === kind);
          const until = these.flatMap((wait) => wait.until ?? []).toSorted()[0];
          const { icon, tone } = waitLooks[kind];
          const [first] = these;
          return (
            <li key={kind} data-tone={tone} className="flex items-center gap-2 py-0.5">
              <Icon name={icon} className="size-3.5 text-(--fg)" />
              <span>{say(`wait.${kind}`)}</span>
              <span className="ml-auto whitespace-nowrap">
                {until !== undefined
                  ? say("wait.until", { time: clockTime(until, language) })
                  : null}
                {these.length === 1 && first !== undefined ? (
                  <Link href={`/t/${first.taskId}`} className="ml-2 underline underline-offset-3">
                    {first.title}
                  </Link>
                ) : (
                  <Link href="/board?status=pending" className="ml-2 underline underline-offset-3">
                    {say("inbox.tasks", { count: these.length })}
                  </Link>
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
