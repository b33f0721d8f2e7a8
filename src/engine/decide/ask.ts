// A question to a person: an agent's own, a permission, a spent budget, a silent agent. One thing to
// them: something to be answered, with options, a default, and a deadline (S1.15, S1.16).
import type { Draft } from "../_draft.ts";
import type { Kinds, QuestionData } from "../state.ts";
import { judgeAgent, takeAgent } from "./agent.ts";
import type { World } from "./world.ts";

/** What most questions are: one, required, that nobody answers by itself. */
const usual = { default: null, required: true, reference: null, parts: [], request: null };

type Usual = "default" | "required" | "reference" | "parts" | "request";
export type Question = Pick<QuestionData, "origin" | "category" | "question" | "options"> &
  Partial<Pick<QuestionData, Usual>>;

/** The agent asks, and waits. */
export function ask(draft: Draft, agent: Kinds["agent"], asked: Question, world: World): void {
  const metadata = { category: asked.category };
  const step = { event: "ask" as const, reason: "question", metadata };
  const judged = judgeAgent(draft, agent, step, world);
  if (!judged.ok) return;
  openQuestion(draft, agent.id, asked, world);
  takeAgent(draft, agent.id, step, judged, world);
}

/** We ask about it. */
export function openQuestion(draft: Draft, agentId: string, asked: Question, world: World): string {
  const id = `question_${draft.ids.next()}`;
  const { questionDeadlineMs: wait } = world.policies;
  const deadline = wait === null ? null : draft.now + wait;
  draft.add("question", id, "open", {
    ...usual,
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
