// What a process of an agent asks for and waits: a permission, or questions in a form of their own
// (S1.16). It is answered by the request's id, and only in that process: another one of the same
// conversation knows nothing of it. What a policy says about a permission is answered at once.
import { isDeepStrictEqual } from "node:util";
import type { AgentEvent } from "../../agents/adapters/adapter.ts";
import { type Message, msg } from "../../core/messages.ts";
import type { Draft } from "../_draft.ts";
import type { Heard, Kinds, QuestionData } from "../state.ts";
import { type ReadAnswer, inWords, listed } from "./answers.ts";
import { ask } from "./ask.ts";
import { reply, tell } from "./process.ts";
import { spoken } from "./spoken.ts";
import type { World } from "./world.ts";

type Agent = Kinds["agent"];
type Permission = Extract<AgentEvent, { type: "permission" }> & Heard;
type Questions = Extract<AgentEvent, { type: "question" }> & Heard;

export function takePermission(draft: Draft, agent: Agent, event: Permission, world: World): void {
  const waits = waiting(draft, event.process);
  // Whoever comes next asks anew.
  if (waits === undefined) return;
  const { id: request, tool, detail, input, secret = false } = event;
  const verdict = verdictOn(draft, agent, event);
  if (verdict !== null) {
    const { allow, by, text } = verdict;
    const same = { from: agent.status, to: agent.status };
    draft.journal("agent", agent.id, same, "permission", { tool, allow, by, detail: cut(detail) });
    const given = { process: waits.id, request, permission: { allow, input } };
    return reply(draft, text === null ? "" : spoken(draft, text), given, world);
  }
  const shown = cut(detail === "" ? JSON.stringify(input) : detail);
  const question = spoken(draft, msg("question.permission", { tool, detail: shown }));
  const asked = {
    origin: "permission" as const,
    category: "confirmation",
    question,
    options: ["allow", "deny"],
    reference: request,
    request: { process: waits.id, tool, input, secret, used: false },
  };
  ask(draft, agent, asked, world);
}

export function takeQuestions(draft: Draft, agent: Agent, event: Questions, world: World): void {
  const { id: request, questions, input = null, secret = false, process = "" } = event;
  const [first] = questions;
  if (first === undefined) return;
  // Nobody answers a verifier; told so it goes on.
  if (agent.data.role === "verifier") {
    const given = { process, request, permission: { allow: false, input } };
    return reply(draft, spoken(draft, msg("verifier.no_questions")), given, world);
  }
  const one = questions.length === 1;
  const asked = {
    origin: "agent" as const,
    category: first.options.length > 0 ? "choice" : "clarification",
    question: one ? first.question : listed(questions),
    options: one ? first.options : [],
    reference: request,
    parts: questions,
    request: { process, tool: null, input, secret, used: false },
  };
  ask(draft, agent, asked, world);
}

/** The answer goes back by its id where the asker lives, else it is told in words. */
export function answerRequest(
  draft: Draft,
  { id, data }: Kinds["question"],
  { text, given }: ReadAnswer & { ok: true },
  world: World,
): void {
  const { agentId, request, reference } = data;
  if (request === null || reference === null)
    return tell(draft, agentId, "answer", text, world, { about: id });
  const { process, input } = request;
  if (request.tool !== null) return tellVerdict(draft, data, text, world);
  const said = spoken(draft, msg("question.told", { answers: inWords(given) }));
  const to = { process, request: reference };
  // What was blanked can not be handed back: the answer comes as the reason of a refusal.
  const back = request.secret
    ? { ...to, permission: { allow: false, input: null } }
    : { ...to, answers: { given, input: input ?? undefined } };
  tell(draft, agentId, "answer", said, world, { reply: back });
}

/** Whoever goes on with a verdict has used it up. */
export function useVerdicts(draft: Draft, processId: string): void {
  for (const { id, status, data } of draft.all("question")) {
    const { request } = data;
    if (status !== "answered" || request?.process !== processId || request.used) continue;
    draft.set("question", id, { request: { ...request, used: true } });
  }
}

// --- internal ---

interface Verdict {
  readonly allow: boolean;
  /** For the journal: whose it is. */
  readonly by: "policy" | "verifier" | "secret" | "person";
  readonly text: Message | null;
}

/** Null: a person decides. */
function verdictOn(draft: Draft, agent: Agent, event: Permission): Verdict | null {
  const { access, secret = false } = event;
  const allowed = (by: Verdict["by"]): Verdict => ({ allow: true, by, text: null });
  const denied = (by: Verdict["by"], text: Message): Verdict => ({ allow: false, by, text });
  if (secret) return denied("secret", msg("permission.secret"));
  if (agent.data.role === "verifier")
    return access === "read" ? allowed("verifier") : denied("verifier", msg("permission.verifier"));
  const policy = draft.task.data.document?.type.permissions ?? "edits";
  if (access === "read" || policy === "everything") return allowed("policy");
  if (access === "edit")
    return policy === "edits" ? allowed("policy") : denied("policy", msg("permission.read_only"));
  return saidBefore(draft, agent, event);
}

/** A person decided on exactly this, and the process that asked died before it could go on. */
function saidBefore(draft: Draft, agent: Agent, event: Permission): Verdict | null {
  const { tool, input, process } = event;
  const row = draft.all("question").find(({ status, data }) => {
    const { agentId, request } = data;
    if (status !== "answered" || agentId !== agent.id || request === null) return false;
    if (request.used || request.process === process) return false;
    return request.tool === tool && isDeepStrictEqual(request.input, input);
  });
  if (row === undefined || row.data.request === null) return null;
  draft.set("question", row.id, { request: { ...row.data.request, used: true } });
  const { allow, why } = verdictIn(row.data.answer ?? "");
  return { allow, by: "person", text: why === "" ? null : msg("permission.why", { why }) };
}

function tellVerdict(draft: Draft, data: QuestionData, text: string, world: World): void {
  const { agentId, request, reference } = data;
  const { allow, why } = verdictIn(text);
  const waits = waiting(draft, request?.process);
  if (waits === undefined) {
    const said = { tool: request?.tool ?? "", verdict: text };
    return tell(draft, agentId, "note", spoken(draft, msg("permission.told", said)), world);
  }
  const { id: process } = waits;
  const permission = { allow, input: request?.input ?? null };
  reply(draft, why, { process, request: reference ?? "", permission }, world);
}

function verdictIn(text: string): { allow: boolean; why: string } {
  const allow = text.startsWith("allow");
  return { allow, why: allow ? "" : text.replace(/^deny(?:: )?/, "") };
}

/** Does it still wait for its answer? One that is being replaced does not. */
function waiting(draft: Draft, process: string | undefined): Kinds["process"] | undefined {
  const row = draft.get("process", process ?? null);
  return row && row.status !== "ended" && !row.data.wanted ? row : undefined;
}

function cut(text: string): string {
  return text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text;
}
