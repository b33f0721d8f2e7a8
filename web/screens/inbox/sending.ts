// What has to be known to answer, and how an answer is sent: the same for every form of a question.
import { useMutation } from "@tanstack/react-query";
import { type InboxItem, api } from "../../data/api.ts";
import { dropDraft } from "../../data/drafts.ts";
import { learn } from "../../data/queries.ts";

/** A card of the Inbox has all of it. */
export type Asked = Pick<
  InboxItem,
  | "kind"
  | "id"
  | "taskId"
  | "options"
  | "default"
  | "dependencyType"
  | "name"
  | "question"
  | "parts"
  | "request"
>;

export interface AnswerProps {
  readonly asked: Asked;
  /** Says what was sent; never a secret. */
  readonly onSent: (text: string) => void;
  /** Number keys choose here. */
  readonly focused?: boolean;
}

/** The option a number key chose, or the text where there are none. */
export const answerDraft = (id: string): string => `answer.${id}`;
/** Words beside options: of one's own, or why not. */
export const wordsDraft = (id: string): string => `words.${id}`;
/** Of a form: what is chosen of each part. */
export const choicesDraft = (id: string): string => `choices.${id}`;

/** What goes to the server, and how a person reads it. */
export interface Said {
  readonly text: string;
  readonly words: string;
}

/** Shared with the keys: what is chosen there is sent here. */
export function useAnswer({ asked, onSent }: Pick<AnswerProps, "asked" | "onSent">) {
  return useMutation({
    mutationFn: ({ text: answer }: Said) =>
      api.act(asked.taskId, "answer", { questionId: asked.id, answer }),
    onSuccess: (task, { words }) => {
      for (const draft of [answerDraft, wordsDraft, choicesDraft]) dropDraft(draft(asked.id));
      onSent(words);
      learn(task);
    },
  });
}
