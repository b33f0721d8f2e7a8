// "What did we decide about this, and when?" A question in one's own words to everything that happened
// in a project. The question stands in the address, so that an answer can be kept and sent on.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { recallKinds } from "../../../src/core/vocabulary.ts";
import { type Recalled, api } from "../../data/api.ts";
import { useCount } from "../../notify.ts";
import { Chip } from "../../parts/basics.tsx";
import { LineField } from "../../parts/fields.tsx";
import { Age } from "../../parts/figures.tsx";
import { Empty, ErrorNote, Skeleton } from "../../parts/notes.tsx";
import { ProjectPick, useProject } from "../../parts/project.tsx";
import { useSay } from "../../texts/index.ts";
import { addressOf } from "../documents/place.ts";

type Hit = Recalled["hits"][number];

/** Who types on is not interrupted by answers to half a word. */
const pauseMs = 300;

export function RecallScreen() {
  const say = useSay();
  useCount(say("nav.recall"));
  const [params, setParams] = useSearchParams();
  const [question, kind] = [params.get("q") ?? "", params.get("in") ?? ""];
  const [typed, setTyped] = useState(question);
  const set = (name: string, value: string): void =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === "") next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed.trim() !== question) set("q", typed.trim());
    }, pauseMs);
    return () => clearTimeout(timer);
  });
  return (
    <main className="min-h-0 overflow-y-auto">
      <div className="mx-auto grid max-w-3xl gap-4 px-5 py-4 max-sm:px-4">
        <div className="flex flex-wrap items-center gap-2">
          <h1 className="text-lg font-semibold">{say("nav.recall")}</h1>
          <span className="ml-auto">
            <ProjectPick onPick={(id) => set("project", id)} />
          </span>
        </div>
        <LineField
          type="search"
          value={typed}
          onChange={setTyped}
          onSubmit={(value) => set("q", value.trim())}
          aria-label={say("recall.ask")}
          placeholder={say("recall.placeholder")}
          maxLength={2_000}
          autoFocus
        />
        <div role="group" aria-label={say("recall.kinds")} className="flex flex-wrap gap-1.5">
          <Chip on={kind === ""} onClick={() => set("in", "")}>
            {say("recall.kind.all")}
          </Chip>
          {recallKinds.map((each) => (
            <Chip key={each} on={kind === each} onClick={() => set("in", each)}>
              {say(`recall.kind.${each}`)}
            </Chip>
          ))}
        </div>
        <Answers question={question} kind={kind} />
      </div>
    </main>
  );
}

// --- internal ---

interface Asked {
  readonly question: string;
  readonly kind: string;
}

function Answers({ question, kind }: Asked) {
  const say = useSay();
  const { id: about, ready } = useProject();
  const { data, error, refetch } = useQuery({
    queryKey: ["recall", question, kind, about ?? ""],
    queryFn: () => api.recall({ question, in: kind, project: about, limit: 30 }),
    enabled: question !== "" && ready,
    // What is asked again may have another answer by now.
    staleTime: 0,
    placeholderData: (before) => before,
  });
  if (question === "") return <Empty title={say("recall.start")}>{say("recall.start.hint")}</Empty>;
  if (error) return <ErrorNote error={error} again={() => void refetch()} />;
  if (data === undefined) return <Skeleton rows={6} />;
  if (data.hits.length === 0)
    return (
      <Empty title={say("recall.none")}>{say("recall.none.hint", { count: data.entries })}</Empty>
    );
  return (
    <section aria-live="polite" className="grid gap-2">
      <p className="text-xs text-muted">{say("recall.found", { count: data.hits.length })}</p>
      <ol className="grid gap-2">
        {data.hits.map((hit, place) => (
          <HitCard key={`${hit.place} ${hit.title} ${place}`} hit={hit} />
        ))}
      </ol>
    </section>
  );
}

function HitCard({ hit }: { hit: Hit }) {
  const say = useSay();
  const { kind, title, excerpt, at, place } = hit;
  const { id: project } = useProject();
  const href = hrefOf(hit, project);
  return (
    <li className="grid min-w-0 gap-1 rounded-card border border-line bg-surface px-3.5 py-2.5">
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        {href === undefined ? (
          <span className="min-w-0 font-medium wrap-anywhere">{title}</span>
        ) : (
          <Link href={href} className="min-w-0 font-medium wrap-anywhere hover:underline">
            {title}
          </Link>
        )}
        <Age since={at} className="ml-auto text-xs text-muted" />
      </p>
      {excerpt === "" ? null : <p className="text-sm wrap-anywhere">{excerpt}</p>}
      <p className="text-xs wrap-anywhere text-muted">
        {say(`recall.kind.${kind}`)} · {place}
      </p>
    </li>
  );
}

/** To the task it is of, or to the document it stands in. */
function hrefOf({ kind, task, place }: Hit, project: string | undefined): string | undefined {
  if (task === null) return addressOf(place, project);
  return kind === "output" ? `/t/${task}/output` : `/t/${task}`;
}
