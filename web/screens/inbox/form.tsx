// Several questions at once, or one with several choices: each with its own options and words, all of
// them answered together.
import { useId } from "react";
import { useDraft } from "../../data/drafts.ts";
import { Act, Kbd } from "../../parts/basics.tsx";
import { AreaField } from "../../parts/fields.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { useSay } from "../../texts/index.ts";

import {
  type Choice,
  type Choices,
  type Part,
  answerText,
  answerWords,
  answeredCount,
  choiceOf,
  noChoices,
  optionAt,
  toggled,
  worded,
} from "./parts.ts";
import { type AnswerProps, type Asked, choicesDraft, useAnswer } from "./sending.ts";

export function PartsForm({ asked, onSent, focused = false }: AnswerProps) {
  const say = useSay();
  const { parts } = asked;
  const form = useParts({ asked, onSent });
  const { choices, set, go, send, ready } = form;
  return (
    <div className="grid gap-3">
      {parts.map((part, place) => (
        <PartFields
          key={part.question}
          part={part}
          place={place}
          alone={parts.length === 1}
          choice={choiceOf(choices, place)}
          // Numbers go on through all parts, as the keys do.
          first={focused ? parts.slice(0, place).flatMap(({ options }) => options).length : null}
          set={(choice) => set(place, choice)}
          onSubmit={go}
        />
      ))}
      <div className="flex flex-wrap items-center gap-2">
        <Act
          look={ready ? "primary" : "plain"}
          disabled={!ready || send.isPending}
          onClick={go}
          title={say("key.send")}
          {...(focused && ready ? { hint: "mod+enter" } : {})}
        >
          {say(parts.length > 1 ? "ask.send_all" : "ask.send")}
        </Act>
        {parts.length > 1 ? (
          <span role="status" className="text-xs text-muted">
            {say("ask.answered", { done: answeredCount(parts, choices), count: parts.length })}
          </span>
        ) : null}
      </div>
      {send.error ? <ErrorNote error={send.error} kept={say("error.kept")} /> : null}
    </div>
  );
}

/** What is chosen of each part, kept as one chooses; the keys of the list work on the same. */
export function useParts({ asked, onSent }: { asked: Asked; onSent: (text: string) => void }) {
  const { parts } = asked;
  const [choices, setChoices] = useDraft<Choices>(choicesDraft(asked.id), noChoices);
  const send = useAnswer({ asked, onSent });
  const ready = parts.length > 0 && answeredCount(parts, choices) === parts.length;
  const set = (place: number, choice: Choice): void =>
    setChoices((before) => ({ ...before, [place]: choice }));
  const press = (at: number): boolean => {
    const found = optionAt(parts, at);
    const part = parts[found?.place ?? -1];
    if (found === undefined || part === undefined) return false;
    set(found.place, toggled(part, choiceOf(choices, found.place), found.option));
    return true;
  };
  const go = (): boolean => {
    if (!ready || send.isPending) return false;
    send.mutate({ text: answerText(parts, choices), words: answerWords(parts, choices) });
    return true;
  };
  return { choices, set, press, go, send, ready };
}

// --- internal ---

function PartFields(props: {
  readonly part: Part;
  readonly place: number;
  readonly alone: boolean;
  readonly choice: Choice;
  /** The number key of its first option; null: none. */
  readonly first: number | null;
  readonly set: (choice: Choice) => void;
  readonly onSubmit: () => void;
}) {
  const say = useSay();
  const name = useId();
  const { part, place, alone, choice, first, set } = props;
  const { question, header, options, descriptions, several, free } = part;
  return (
    <fieldset className="grid min-w-0 gap-1">
      <legend className={alone ? "sr-only" : "mb-1 text-sm text-text"}>
        {alone ? null : <span className="text-muted">{place + 1}. </span>}
        {header === null || alone ? null : (
          <span className="mr-1.5 rounded-[4px] bg-sunken px-1.5 py-px text-xs font-medium">
            {header}
          </span>
        )}
        <span className="font-medium">{question}</span>{" "}
        {several ? <span className="text-xs text-muted">{say("ask.several")}</span> : null}
      </legend>
      {alone && several ? <p className="text-xs text-muted">{say("ask.several")}</p> : null}
      {options.map((option, at) => (
        <Option
          key={option}
          text={option}
          description={descriptions[at] ?? ""}
          kind={several ? "checkbox" : "radio"}
          name={name}
          checked={choice.chosen.includes(option)}
          press={() => set(toggled(part, choice, option))}
          number={first !== null && first + at < 9 ? String(first + at + 1) : null}
        />
      ))}
      {free ? (
        <AreaField
          rows={1}
          aria-label={options.length > 0 ? `${question} ${say("ask.own")}` : question}
          placeholder={say(options.length > 0 ? "ask.own" : "ask.answer")}
          value={choice.own}
          onChange={(own) => set(worded(part, choice, own))}
          onSubmit={props.onSubmit}
        />
      ) : null}
    </fieldset>
  );
}

function Option(props: {
  readonly text: string;
  readonly description: string;
  readonly kind: "checkbox" | "radio";
  readonly name: string;
  readonly checked: boolean;
  readonly press: () => void;
  readonly number: string | null;
}) {
  return (
    <label className="flex min-h-8 cursor-pointer items-start gap-2 rounded-control border border-line px-2.5 py-1.5 text-sm text-text hover:bg-sunken has-checked:border-ink has-checked:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-ring max-sm:min-h-11">
      <input
        type={props.kind}
        name={props.name}
        checked={props.checked}
        onChange={props.press}
        className="mt-[3px] accent-(--ink)"
      />
      <span className="min-w-0 flex-1">
        {props.text}
        {props.description === "" ? null : (
          <span className="block text-xs text-muted">{props.description}</span>
        )}
      </span>
      {props.number === null ? null : <Kbd of={props.number} />}
    </label>
  );
}
