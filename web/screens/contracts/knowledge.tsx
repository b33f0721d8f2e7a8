// What a project taught: patterns, decisions by what they are about, and what to look out for (S4.7).
import type { Knowledge } from "../../../src/formats/knowledge.ts";
import { useSay } from "../../texts/index.ts";
import { Head, Nothing, Section } from "../documents/parts.tsx";
import { Value, useCut } from "../documents/value.tsx";

export function KnowledgePane({ knowledge }: { knowledge: Knowledge }) {
  const say = useSay();
  const { project, patterns, decisions, pitfalls, updated_at: at } = knowledge;
  return (
    <>
      <Head title={say("contracts.knowledge")} since={at}>
        <code>{project.path}</code>
      </Head>
      <Section title={say("contracts.decisions")}>
        {decisions.length === 0 ? <Nothing>{say("contracts.decisions.none")}</Nothing> : null}
        <Decisions of={decisions} />
      </Section>
      <Section title={say("contracts.pitfalls")}>
        {pitfalls.length === 0 ? <Nothing>{say("contracts.pitfalls.none")}</Nothing> : null}
        <Pitfalls of={pitfalls} />
      </Section>
      <Section title={say("contracts.patterns")}>
        {Object.keys(patterns).length === 0 ? (
          <Nothing>{say("contracts.patterns.none")}</Nothing>
        ) : (
          <Value of={patterns} />
        )}
      </Section>
    </>
  );
}

// --- internal ---

type Decision = Knowledge["decisions"][number];

/** Each topic once, the newest word on it first. */
function Decisions({ of }: { of: readonly Decision[] }) {
  const byTopic = new Map<string, Decision[]>();
  for (const each of of.toReversed())
    byTopic.set(each.topic, [...(byTopic.get(each.topic) ?? []), each]);
  const [topics, more] = useCut([...byTopic]);
  return (
    <>
      <dl className="grid gap-4">
        {topics.map(([topic, decisions]) => (
          <div key={topic} className="grid gap-1.5">
            <dt className="font-medium wrap-anywhere">{topic}</dt>
            {decisions.map((each) => (
              <dd key={each.id} className="grid gap-0.5 border-l-2 border-line pl-3 text-sm">
                <p className="flex flex-wrap gap-x-2">
                  <span className="wrap-anywhere">{each.decision}</span>
                  <span className="ml-auto text-xs leading-5 whitespace-nowrap text-muted">
                    <span className="font-mono">{each.id}</span> · {each.created_at.slice(0, 10)}
                  </span>
                </p>
                {each.rationale === "" ? null : (
                  <p className="wrap-anywhere text-muted">{each.rationale}</p>
                )}
                {each.refs.map((ref, place) => (
                  <code key={place} className="text-code wrap-anywhere text-muted">
                    {ref}
                  </code>
                ))}
              </dd>
            ))}
          </div>
        ))}
      </dl>
      {more}
    </>
  );
}

function Pitfalls({ of }: { of: Knowledge["pitfalls"] }) {
  const say = useSay();
  const [shown, more] = useCut(of);
  return (
    <>
      <ul className="grid gap-3">
        {shown.map(({ id, description, reason, learned_from: from }) => (
          <li key={id} className="grid gap-0.5 text-sm">
            <p className="flex flex-wrap gap-x-2">
              <span className="font-medium wrap-anywhere">{description}</span>
              <span className="ml-auto text-xs leading-5 whitespace-nowrap text-muted">
                <span className="font-mono">{id}</span>
                {from === undefined ? "" : ` · ${say("contracts.learned", { from })}`}
              </span>
            </p>
            {reason === "" ? null : <p className="wrap-anywhere text-muted">{reason}</p>}
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}
