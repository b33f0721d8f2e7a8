// A question to a person: an agent's own, a permission, a spent budget, a silent agent. One thing to
// them: something to be answered, with options, a default, and a deadline (S1.15, S1.16).
import type { Draft } from "../_draft.ts";
import type { QuestionData } from "../state.ts";
import type { World } from "./world.ts";

export type Asked = Pick<
  QuestionData,
  "origin" | "category" | "question" | "options" | "default" | "required" | "reference"
>;

export function openQuestion(draft: Draft, agentId: string, asked: Asked, world: World): string {
  const id = `question_${draft.ids.next()}`;
  const { questionDeadlineMs: wait } = world.policies;
  const deadline = wait === null ? null : draft.now + wait;
  draft.add("question", id, "open", {
    ...asked,
    agentId,
    askedAt: draft.at,
    deadlineAt: deadline === null ? null : new Date(deadline).toISOString(),
    answer: null,
    answeredAt: null,
  });
  if (deadline !== null) draft.timer("question", id, deadline);
  draft.effect("notify", { what: "question", id });
  return id;
}
