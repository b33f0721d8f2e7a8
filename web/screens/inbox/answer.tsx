// Answering, wherever a question or a need is shown: in the Inbox's list and on the task's page.
import { useDraft } from "../../data/drafts.ts";
import { Act, Kbd } from "../../parts/basics.tsx";
import { AreaField } from "../../parts/fields.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { sayWord, useSay } from "../../texts/index.ts";
import { PartsForm } from "./form.tsx";
import { needsForm } from "./parts.ts";
import { Permission } from "./permission.tsx";
import { Provide } from "./provide.tsx";
import { type AnswerProps, type Asked, answerDraft, useAnswer, wordsDraft } from "./sending.ts";

export function Answer(props: AnswerProps) {
  const { kind, parts, options, request } = props.asked;
  if (kind === "dependency") return <Provide {...props} />;
  if (request !== null) return <Permission {...props} request={request} />;
  if (needsForm(parts)) return <PartsForm {...props} />;
  return options.length > 0 ? <Options {...props} /> : <FreeText {...props} />;
}

// --- internal ---

const option =
  "h-auto max-w-full py-1 text-left whitespace-normal aria-pressed:border-ink aria-pressed:shadow-[inset_0_0_0_1px_var(--ink)]";

function Options({ asked, onSent, focused = false }: AnswerProps) {
  const say = useSay();
  const [chosen] = useDraft(answerDraft(asked.id), "");
  const send = useAnswer({ asked, onSent });
  const [part] = asked.parts;
  const explained = part?.descriptions.some((text) => text !== "") === true;
  return (
    <div className="grid gap-1.5">
      <div
        className={explained ? "grid gap-1.5" : "flex flex-wrap gap-1.5"}
        role="group"
        aria-label={asked.question ?? ""}
      >
        {asked.options.map((each, place) => (
          <Act
            key={each}
            disabled={send.isPending}
            aria-pressed={chosen === each}
            onClick={() => send.mutate({ text: each, words: sayWord(say, "option", each) })}
            className={`${option} ${explained ? "justify-start" : ""}`}
          >
            {focused && place < 9 ? <Kbd of={String(place + 1)} /> : null}
            <span>
              {sayWord(say, "option", each)}
              {explained && part?.descriptions[place] ? (
                <span className="block text-xs text-muted">{part.descriptions[place]}</span>
              ) : null}
            </span>
            {each === asked.default ? (
              <span className="text-muted">{say("ask.default")}</span>
            ) : null}
          </Act>
        ))}
      </div>
      {chosen !== "" && asked.options.includes(chosen) ? (
        <p className="text-xs text-muted">
          {say("ask.chosen", { option: sayWord(say, "option", chosen) })} <Kbd of="mod+enter" />
        </p>
      ) : null}
      {part?.free === true ? <Words asked={asked} send={send} label={say("ask.own")} /> : null}
      {send.error ? <ErrorNote error={send.error} kept={say("error.kept")} /> : null}
    </div>
  );
}

function FreeText({ asked, onSent }: AnswerProps) {
  const say = useSay();
  const send = useAnswer({ asked, onSent });
  return (
    <div className="grid gap-1.5">
      <Words asked={asked} send={send} label={say("ask.answer")} />
      {send.error ? <ErrorNote error={send.error} kept={say("error.kept")} /> : null}
    </div>
  );
}

function Words(props: {
  readonly asked: Asked;
  readonly send: ReturnType<typeof useAnswer>;
  readonly label: string;
}) {
  const say = useSay();
  const { asked, send, label } = props;
  // Beside options it is not what a number key chose.
  const key = asked.options.length > 0 ? wordsDraft(asked.id) : answerDraft(asked.id);
  const [text, setText] = useDraft(key, asked.options.length > 0 ? "" : (asked.default ?? ""));
  const go = (): void => {
    const words = text.trim();
    if (words !== "" && !send.isPending) send.mutate({ text: words, words });
  };
  return (
    <div className="flex items-end gap-1.5">
      <AreaField
        rows={1}
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={setText}
        onSubmit={go}
      />
      <Act disabled={text.trim() === "" || send.isPending} onClick={go} title={say("key.send")}>
        {say("ask.send")}
      </Act>
    </div>
  );
}
