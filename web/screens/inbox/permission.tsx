// May the agent use this tool? What it would do stands there in full; a refusal can say why, which the
// agent is told.
import type { InboxItem } from "../../data/api.ts";
import { useDraft } from "../../data/drafts.ts";
import { Act, Kbd } from "../../parts/basics.tsx";
import { LineField } from "../../parts/fields.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { type Say, sayWord, useSay } from "../../texts/index.ts";
import { type AnswerProps, type Said, answerDraft, useAnswer, wordsDraft } from "./sending.ts";

type Request = NonNullable<InboxItem["request"]>;

export function Permission(props: AnswerProps & { readonly request: Request }) {
  const say = useSay();
  const { asked, onSent, focused = false, request } = props;
  const [chosen] = useDraft(answerDraft(asked.id), "");
  const [why, setWhy] = useDraft(wordsDraft(asked.id), "");
  const send = useAnswer({ asked, onSent });
  return (
    <div className="grid gap-2">
      <Wanted request={request} otherwise={asked.question ?? ""} />
      <div className="flex flex-wrap items-center gap-1.5" role="group" aria-label={request.tool}>
        {asked.options.map((option, place) => (
          <Act
            key={option}
            disabled={send.isPending}
            aria-pressed={chosen === option}
            onClick={() => send.mutate(verdictSaid(option, why, say))}
            className="aria-pressed:border-ink aria-pressed:shadow-[inset_0_0_0_1px_var(--ink)]"
          >
            {focused ? <Kbd of={String(place + 1)} /> : null}
            {sayWord(say, "option", option)}
          </Act>
        ))}
        {chosen === "" ? null : (
          <span>
            {say("ask.chosen", { option: sayWord(say, "option", chosen) })} <Kbd of="mod+enter" />
          </span>
        )}
      </div>
      <LineField
        value={why}
        onChange={setWhy}
        aria-label={say("permission.why")}
        placeholder={say("permission.why")}
        className="text-xs"
        onSubmit={() => {
          if (why.trim() !== "" && !send.isPending) send.mutate(verdictSaid("deny", why, say));
        }}
      />
      {send.error ? <ErrorNote error={send.error} kept={say("error.kept")} /> : null}
    </div>
  );
}

/** A reason goes with a refusal alone. */
export function verdictSaid(option: string, why: string, say: Say): Said {
  const text = option === "deny" && why.trim() !== "" ? `deny: ${why.trim()}` : option;
  return { text, words: sayWord(say, "option", option) };
}

// --- internal ---

/** The tool's input, field by field; as it is where it was too long to be whole. */
function Wanted({ request, otherwise }: { request: Request; otherwise: string }) {
  const fields = fieldsOf(request.input);
  if (fields === null) return <Block text={request.input || otherwise} />;
  if (fields.length === 0) return <p className="text-text">{otherwise}</p>;
  return (
    <dl className="grid gap-1">
      {fields.map(([name, value]) => {
        const short = value.length <= 24 && !value.includes("\n");
        return (
          <div key={name} className={short ? "flex min-w-0 gap-2" : "grid min-w-0 gap-0.5"}>
            <dt className="font-mono text-xs text-muted">{name}</dt>
            <dd className={short ? "font-mono text-xs text-text" : "min-w-0"}>
              {short ? value : <Block text={value} />}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** A long one scrolls, by keys too. */
function Block({ text }: { text: string }) {
  return (
    <pre
      tabIndex={text.length > 200 ? 0 : undefined}
      className="max-h-48 min-w-0 overflow-y-auto rounded-control bg-sunken px-2.5 py-1.5 text-code break-words whitespace-pre-wrap text-text"
    >
      {text}
    </pre>
  );
}

function fieldsOf(input: string): [string, string][] | null {
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
    return Object.entries(value).map(([name, field]) => [
      name,
      typeof field === "string" ? field : JSON.stringify(field, null, 2),
    ]);
  } catch {
    return null;
  }
}
