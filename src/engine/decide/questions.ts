// Answers: checked against the options, given once, and what each kind of question does with them.
import { closest } from "../../core/closest.ts";
import { msg } from "../../core/messages.ts";
import type { Draft } from "../_draft.ts";
import type { Kinds, QuestionData } from "../state.ts";
import { stepAgent } from "./agent.ts";
import { raiseBudget } from "./budget.ts";
import { replaceProcess, tell } from "./process.ts";
import { stepTask } from "./task.ts";
import { type Answer, type World, done } from "./world.ts";

export function answerQuestion(draft: Draft, id: string, text: string, world: World): Answer {
  const question = draft.get("question", id);
  if (question === undefined) return refusal("not_found", msg("question.unknown", { id }));
  if (question.status !== "open")
    return refusal("refused", msg(`question.${question.status}`, { id }));
  const chosen = chosenOption(question.data, text);
  if (chosen === undefined) {
    const near = closest(text, [...question.data.options]);
    const options = question.data.options.join(", ");
    return refusal(
      "invalid_input",
      near === undefined
        ? msg("question.not_an_option", { answer: text, options })
        : msg("question.did_you_mean", { answer: text, near, options }),
    );
  }
  return give(draft, question, chosen, world);
}

/** The answer as it will be given; undefined: not one of the options. */
export function chosenOption({ options }: QuestionData, text: string): string | undefined {
  const said = text.trim();
  if (said === "") return undefined;
  if (options.length === 0 || options.includes(said)) return said;
  return options.find((option) => option.toLowerCase() === said.toLowerCase());
}

// --- internal ---

function give(draft: Draft, question: Kinds["question"], answer: string, world: World): Answer {
  const { agentId, origin, reference } = question.data;
  const settle = (): void => {
    draft.set("question", question.id, { answer, answeredAt: draft.at }, "answered");
    draft.noTimer("question", question.id);
  };
  if (origin === "budget") {
    settle();
    return answer === "continue"
      ? raiseBudget(draft, agentId, world)
      : stepTask(draft, { event: "cancel", failure: cancelled("budget") }, world);
  }
  if (origin === "silence") {
    settle();
    if (answer === "wait") {
      draft.timer("silence", agentId, draft.now + world.policies.silenceMs);
      return done;
    }
    replaceProcess(draft, agentId);
    return done;
  }
  const agent = draft.get("agent", agentId);
  const verdict =
    agent &&
    stepAgent(
      draft,
      agentId,
      { event: "answer", input: { answer }, metadata: { question: question.id } },
      world,
    );
  if (verdict !== true) return { ok: false, code: "refused", reasons: verdict ?? [], allowed: [] };
  settle();
  tell(draft, agentId, "answer", answer, world, reference ?? question.id);
  return done;
}

export function cancelled(why: string): { reason: "cancelled"; message: string } {
  return { reason: "cancelled", message: why };
}

export function refusal(
  code: "refused" | "invalid_input" | "not_found",
  reason: ReturnType<typeof msg>,
): Answer & { ok: false } {
  return { ok: false, code, reasons: [reason], allowed: [] };
}
