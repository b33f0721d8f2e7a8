// A comment at its line, and the card in which one is written.
import { useEffect, useRef } from "react";
import { Button } from "../../parts/basics.tsx";
import { AreaField } from "../../parts/fields.tsx";
import { useSay } from "../../texts/index.ts";
import { type Composer, type DraftComment, linesText } from "./draft.ts";
import type { Writing } from "./file.tsx";
import type { Row } from "./model.ts";

const card =
  "max-w-2xl rounded-[8px] border border-line border-l-[3px] border-l-you-dot bg-surface px-3 py-2 text-base";

export function CommentCard(props: {
  readonly comment: DraftComment;
  readonly moved: boolean;
  readonly remove: (id: string) => void;
}) {
  const say = useSay();
  const { comment, moved } = props;
  return (
    <div className="bg-page px-3 py-2.5 font-sans whitespace-normal">
      <div className={card}>
        <header className="mb-0.5 flex items-center gap-2 text-xs text-muted">
          <b className="text-text">{say("comment.me")}</b>
          {moved ? (
            <span className="text-you">{say("comment.moved", { line: linesText(comment) })}</span>
          ) : (
            <span>
              {comment.line === null
                ? say("comment.file")
                : say("comment.line", { line: linesText(comment) })}
            </span>
          )}
          <span>{say("comment.unsent")}</span>
          <button
            type="button"
            onClick={() => props.remove(comment.id)}
            className="ml-auto min-h-6 underline underline-offset-3"
          >
            {say("comment.remove")}
          </button>
        </header>
        {moved && comment.quote !== null ? (
          <code className="block text-xs text-muted">{comment.quote}</code>
        ) : null}
        <p className="whitespace-pre-wrap">{comment.text}</p>
      </div>
    </div>
  );
}

export function ComposerCard(
  props: Writing & { readonly composer: Composer; readonly rows?: readonly Row[] },
) {
  const say = useSay();
  const { composer, type, keep, drop } = props;
  const place = useRef<HTMLDivElement>(null);
  useEffect(
    () => place.current?.querySelector("textarea")?.focus(),
    [composer.path, composer.line],
  );
  return (
    <div
      ref={place}
      className="bg-page px-3 py-2.5 font-sans whitespace-normal"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
        event.stopPropagation();
        // What was typed is a comment; nothing typed is none.
        if (composer.text.trim() === "") drop();
        else keep();
      }}
    >
      <div className={`${card} grid gap-2`}>
        <Range {...props} />
        <AreaField
          aria-label={say("comment.write")}
          placeholder={say("comment.write")}
          value={composer.text}
          onChange={type}
          onSubmit={keep}
        />
        <div className="flex items-center gap-2">
          <span className="text-xs text-muted">{say("comment.batch")}</span>
          <Button look="quiet" onClick={drop} className="ml-auto">
            {say("comment.drop")}
          </Button>
          <Button
            look="primary"
            onClick={keep}
            disabled={composer.text.trim() === ""}
            hint="mod+enter"
          >
            {say("comment.add")}
          </Button>
        </div>
      </div>
    </div>
  );
}

// --- internal ---

/** Which lines it is about, and one more or less of them: for hands without a Shift key. */
function Range(props: Writing & { readonly composer: Composer; readonly rows?: readonly Row[] }) {
  const say = useSay();
  const { composer, rows = [], stretch } = props;
  const { line, removed } = composer;
  if (line === null || removed) return null;
  const from = composer.from ?? line;
  const above = rows.find((row) => row.kind !== "hunk" && row.after === from - 1);
  return (
    <p className="flex flex-wrap items-center gap-1.5 text-xs text-muted">
      <span className="font-medium text-text">
        {say("comment.line", { line: linesText(composer) })}
      </span>
      {above === undefined ? null : (
        <Button look="quiet" className="min-h-6" onClick={() => stretch(from - 1, above.text)}>
          {say("comment.more_lines")}
        </Button>
      )}
      {from < line ? (
        <Button look="quiet" className="min-h-6" onClick={() => stretch(from + 1, "")}>
          {say("comment.fewer_lines")}
        </Button>
      ) : (
        <span>{say("comment.shift")}</span>
      )}
    </p>
  );
}
