// Answering, wherever a question or a need is shown: in the Inbox's list and on the task's page.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type InboxItem, api } from "../../data/api.ts";
import { dropDraft, useDraft } from "../../data/drafts.ts";
import { learn } from "../../data/queries.ts";
import { Act, Kbd } from "../../parts/basics.tsx";
import { AreaField, LineField } from "../../parts/fields.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { sayWord, useSay } from "../../texts/index.ts";

/** What has to be known to answer; a card of the Inbox has all of it. */
export type Asked = Pick<
  InboxItem,
  "kind" | "id" | "taskId" | "options" | "default" | "dependencyType" | "name" | "question"
>;

interface Props {
  readonly asked: Asked;
  /** Says what was sent; never a secret. */
  readonly onSent: (text: string) => void;
  /** Number keys choose here. */
  readonly focused?: boolean;
}

export function Answer(props: Props) {
  if (props.asked.kind === "dependency") return <Provide {...props} />;
  return props.asked.options.length > 0 ? <Options {...props} /> : <FreeText {...props} />;
}

export const answerDraft = (id: string): string => `answer.${id}`;

/** Shared with the keys: what is chosen there is sent here. */
export function useAnswer({ asked, onSent }: Pick<Props, "asked" | "onSent">) {
  return useMutation({
    mutationFn: (answer: string) =>
      api.act(asked.taskId, "answer", { questionId: asked.id, answer }),
    onSuccess: (task, answer) => {
      dropDraft(answerDraft(asked.id));
      onSent(answer);
      learn(task);
    },
  });
}

// --- internal ---

function Options({ asked, onSent, focused = false }: Props) {
  const say = useSay();
  const [chosen] = useDraft(answerDraft(asked.id), "");
  const send = useAnswer({ asked, onSent });
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap gap-1.5" role="group" aria-label={asked.question ?? ""}>
        {asked.options.map((option, place) => (
          <Act
            key={option}
            disabled={send.isPending}
            aria-pressed={chosen === option}
            onClick={() => send.mutate(option)}
            className="h-auto max-w-full py-1 text-left whitespace-normal aria-pressed:border-ink aria-pressed:shadow-[inset_0_0_0_1px_var(--ink)]"
          >
            {focused && place < 9 ? <Kbd of={String(place + 1)} /> : null}
            <span>{sayWord(say, "option", option)}</span>
            {option === asked.default ? (
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
      {send.error ? <ErrorNote error={send.error} /> : null}
    </div>
  );
}

function FreeText({ asked, onSent }: Props) {
  const say = useSay();
  const [text, setText] = useDraft(answerDraft(asked.id), asked.default ?? "");
  const send = useAnswer({ asked, onSent });
  const go = (): void => {
    if (text.trim() !== "" && !send.isPending) send.mutate(text.trim());
  };
  return (
    <div className="grid gap-1.5">
      <div className="flex items-end gap-1.5">
        <AreaField
          rows={1}
          aria-label={say("ask.answer")}
          placeholder={say("ask.answer")}
          value={text}
          onChange={setText}
          onSubmit={go}
        />
        <Act disabled={text.trim() === "" || send.isPending} onClick={go} title={say("key.send")}>
          {say("ask.send")}
        </Act>
      </div>
      {send.error ? <ErrorNote error={send.error} kept={say("error.kept")} /> : null}
    </div>
  );
}

/** The value lives in this field alone until it is sent: it is kept nowhere in the browser. */
function Provide({ asked, onSent }: Props) {
  const say = useSay();
  const { id, taskId, dependencyType: type, name } = asked;
  const [value, setValue] = useState("");
  const provide = useMutation({
    mutationFn: (given: string) =>
      api.act(taskId, "provide", {
        dependencyId: id,
        value: given,
        ...(type === "package" ? { confirmed: true } : {}),
      }),
    onSuccess: (task, given) => {
      setValue("");
      onSent(type === "permission" ? sayWord(say, "option", given) : say("need.provided"));
      learn(task);
    },
  });
  const go = (given: string): void => {
    if (given !== "" && !provide.isPending) provide.mutate(given);
  };
  return (
    <div className="grid gap-1.5">
      {type === "permission" ? (
        <div className="flex gap-1.5">
          {["yes", "no"].map((word) => (
            <Act key={word} onClick={() => go(word)}>
              {sayWord(say, "option", word)}
            </Act>
          ))}
        </div>
      ) : (
        <div className="flex gap-1.5">
          {type === "file" ? (
            <FilePick label={name ?? ""} onText={setValue} />
          ) : (
            <LineField
              type={type === "package" ? "text" : "password"}
              autoComplete="off"
              spellCheck={false}
              aria-label={say("need.value", { name: name ?? "" })}
              placeholder={say(type === "package" ? "need.package" : "need.paste")}
              value={value}
              onChange={setValue}
              onSubmit={go}
            />
          )}
          <Act disabled={value === "" || provide.isPending} onClick={() => go(value)}>
            {say("need.provide")}
          </Act>
        </div>
      )}
      {provide.error ? <ErrorNote error={provide.error} /> : null}
    </div>
  );
}

function FilePick({ label, onText }: { label: string; onText: (text: string) => void }) {
  return (
    <input
      type="file"
      aria-label={label}
      className="min-w-0 flex-1 text-sm"
      onChange={({ target }) => void target.files?.[0]?.text().then(onText)}
    />
  );
}
