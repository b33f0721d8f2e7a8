// The verdict: one for everything, with its consequence in words before it is sent. A and R only
// open it; Ctrl Enter or the button sends. What was written stays until the server has taken it.
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { type Review, type TaskDetail, api } from "../../data/api.ts";
import { dropDraft } from "../../data/drafts.ts";
import { client, learn } from "../../data/queries.ts";
import { useKeys } from "../../keys.ts";
import { Act, Button } from "../../parts/basics.tsx";
import { AreaField } from "../../parts/fields.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { type Say, useSay } from "../../texts/index.ts";
import { type ReviewDraft, reviewDraft, sentComments } from "./draft.ts";

interface Props {
  readonly task: TaskDetail;
  readonly review: Review;
  readonly unseen: number;
  readonly draft: ReviewDraft;
  readonly setDraft: (change: (before: ReviewDraft) => ReviewDraft) => void;
}

type Kind = "approve" | "changes";

export function Verdict(props: Props) {
  const say = useSay();
  const { unseen, draft } = props;
  const [kind, setKind] = useState<Kind | null>(null);
  const send = useVerdict(props, () => setKind(null));
  const missing = kind === "changes" && draft.comments.length === 0 && draft.feedback.trim() === "";
  const go = (): void => {
    if (kind !== null && !missing && !send.isPending) send.mutate(kind);
  };
  useKeys([
    { keys: ["a"], label: "key.approve", run: () => setKind("approve") },
    { keys: ["r"], label: "key.changes", run: () => setKind("changes") },
    { keys: ["mod+enter"], label: "key.send", run: () => (kind === null ? false : go()) },
    { keys: ["escape"], label: "key.back", run: () => (kind === null ? false : setKind(null)) },
  ]);
  return (
    <footer className="border-t border-line bg-surface px-5.5 py-2.5 shadow-[0_-4px_12px_var(--shade)] max-sm:px-4">
      {kind === null ? null : <Words {...props} kind={kind} onSubmit={go} />}
      {send.error ? <ErrorNote error={send.error} kept={say("error.kept")} /> : null}
      <div className="flex flex-wrap items-center gap-2.5">
        <p className="min-w-40 flex-1 text-sm text-muted">
          <Bar unseen={unseen} comments={draft.comments.length} />
        </p>
        {kind === null ? (
          <>
            <Button onClick={() => setKind("changes")} hint="r" className="min-h-9 px-3.5">
              {say("verdict.changes")}
            </Button>
            <Button
              look="primary"
              onClick={() => setKind("approve")}
              hint="a"
              className="min-h-9 px-3.5"
            >
              {say("verdict.approve")}
            </Button>
          </>
        ) : (
          <>
            <Button look="quiet" onClick={() => setKind(null)} className="min-h-9">
              {say("verdict.not_yet")}
            </Button>
            <Act
              look="primary"
              disabled={missing || send.isPending}
              onClick={go}
              hint="mod+enter"
              className="min-h-9 px-3.5"
            >
              {say(kind === "approve" ? "verdict.approve" : "verdict.send_changes")}
            </Act>
          </>
        )}
      </div>
    </footer>
  );
}

// --- internal ---

function useVerdict({ task, review, draft }: Props, done: () => void) {
  return useMutation({
    mutationFn: (kind: Kind) => {
      const { id: reviewId, hash } = review;
      const words = draft.feedback.trim();
      if (kind === "approve") {
        const comment = approvalWords(words, draft);
        return api.act(task.id, "approve", {
          reviewId,
          hash,
          ...(comment === "" ? {} : { comment }),
        });
      }
      const comments = sentComments(draft.comments);
      return api.act(task.id, "request-changes", { reviewId, feedback: words, comments });
    },
    onSuccess: (answer) => {
      dropDraft(reviewDraft(task.id));
      done();
      learn(answer);
    },
    // Somebody else may have been faster, or the files are not what they were: show what is so now.
    onError: () => {
      void client.invalidateQueries({ queryKey: ["task", task.id] });
      void client.invalidateQueries({ queryKey: ["review", task.id] });
    },
  });
}

/** An approval has one text: comments at lines are told in it. */
function approvalWords(words: string, { comments }: ReviewDraft): string {
  const lines = sentComments(comments).map(
    ({ path, line, text }) => `- ${path}${line === null ? "" : `:${line}`}: ${text}`,
  );
  return [words, ...lines].filter((part) => part !== "").join("\n");
}

function Bar({ unseen, comments }: { unseen: number; comments: number }) {
  const say = useSay();
  return (
    <>
      <b className="font-medium text-text">
        {unseen > 0 ? say("verdict.unseen", { count: unseen }) : say("verdict.all_seen")}
      </b>{" "}
      {comments > 0 ? say("verdict.comments", { count: comments }) : null}
    </>
  );
}

function Words({
  task,
  review,
  draft,
  setDraft,
  kind,
  onSubmit,
}: Props & { kind: Kind; onSubmit: () => void }) {
  const say = useSay();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector("textarea")?.focus(), [kind]);
  return (
    <div ref={place} className="mb-2.5 grid gap-1.5">
      <p className="text-sm">{consequence(kind, task, review, say)}</p>
      <AreaField
        aria-label={say(kind === "approve" ? "verdict.comment" : "verdict.feedback")}
        placeholder={say(kind === "approve" ? "verdict.comment" : "verdict.feedback")}
        value={draft.feedback}
        onChange={(feedback) => setDraft((before) => ({ ...before, feedback }))}
        onSubmit={onSubmit}
      />
    </div>
  );
}

function consequence(kind: Kind, task: TaskDetail, review: Review, say: Say): string {
  if (kind === "changes")
    return say("verdict.then_rework", { phase: review.phaseName ?? String(review.phase) });
  const next = task.phases[review.phase]?.name;
  return next === undefined ? say("verdict.then_done") : say("verdict.then_next", { phase: next });
}
