// Answers: checked against the options, given once, and what each kind of question does with them.
import { msg } from "../../core/messages.ts";
import type { Draft } from "../_draft.ts";
import type { Kinds } from "../state.ts";
import { judgeAgent, takeAgent } from "./agent.ts";
import { type ReadAnswer, readAnswer } from "./answers.ts";
import { raiseBudget } from "./budget.ts";
import { answerRequest } from "./requests.ts";
import { cancelled, stepTask } from "./task.ts";
import { accountMended } from "./turns.ts";
import { notVerifiedAnswered } from "./verifier.ts";
import { watchdogAnswered } from "./watchdogs.ts";
import { workspaceBack } from "./workspace.ts";
import { type Answer, type World, done } from "./world.ts";

export function answerQuestion(draft: Draft, id: string, text: string, world: World): Answer {
  const question = draft.get("question", id);
  if (question === undefined) return refusal("not_found", msg("question.unknown", { id }));
  if (question.status !== "open")
    return refusal("refused", msg(`question.${question.status}`, { id }));
  const read = readAnswer(question.data, text);
  return read.ok ? give(draft, question, read, world) : refusal("invalid_input", read.reason);
}

export function refusal(
  code: "refused" | "invalid_input" | "not_found",
  reason: ReturnType<typeof msg>,
): Answer & { ok: false } {
  return { ok: false, code, reasons: [reason], allowed: [] };
}

// --- internal ---

type Read = ReadAnswer & { readonly ok: true };

function give(draft: Draft, question: Kinds["question"], read: Read, world: World): Answer {
  const { agentId, origin } = question.data;
  const answer = read.text;
  const agent = draft.get("agent", agentId);
  if (origin === "agent" || origin === "permission") {
    const metadata = { question: question.id };
    const step = { event: "answer" as const, input: { answer }, metadata };
    const judged = agent && judgeAgent(draft, agent, step, world);
    if (!judged?.ok)
      return { ok: false, code: "refused", reasons: judged?.reasons ?? [], allowed: [] };
    settle(draft, question.id, answer);
    // Told first: where a new process is needed, this is what it begins with.
    answerRequest(draft, question, read, world);
    takeAgent(draft, agentId, step, judged, world);
    return done;
  }
  settle(draft, question.id, answer);
  switch (origin) {
    // Whoever carries the run out finds it there.
    case "run":
      return done;
    case "budget":
      return answer === "continue"
        ? raiseBudget(draft, agentId, world)
        : stepTask(draft, { event: "cancel", failure: cancelled("budget") }, world);
    case "account":
      return accountMended(draft, agentId, answer, world);
    case "workspace":
      return workspaceBack(draft, agentId, answer, world);
    case "verifier":
      return notVerifiedAnswered(draft, answer, world);
    default:
      return watchdogAnswered(draft, agentId, origin, answer, world);
  }
}

function settle(draft: Draft, id: string, answer: string): void {
  draft.set("question", id, { answer, answeredAt: draft.at }, "answered");
  draft.noTimer("question", id);
}
