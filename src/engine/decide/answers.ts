// What a person said, read as an answer (S1.15): exactly, then without case; else refused with the
// closest option. One text carries all of it, so that every door can send it:
//
//   one question, one choice    Blue
//   more than one choice        a, b      (or one a line, or a JSON list)
//   several questions           one answer a line in their order (or {"<question>": "<answer>", …})
//   a permission                allow · deny · deny: <why>
import type { Answered, Asked } from "../../agents/adapters/adapter.ts";
import { closest } from "../../core/closest.ts";
import { type Message, msg } from "../../core/messages.ts";
import type { QuestionData } from "../state.ts";

export type ReadAnswer =
  | { readonly ok: true; readonly text: string; readonly given: readonly Answered[] }
  | { readonly ok: false; readonly reason: Message };

export function readAnswer(question: QuestionData, said: string): ReadAnswer {
  const text = said.trim();
  if (question.origin === "permission") return verdictIn(text, question.options);
  const { parts } = question;
  const [only] = parts.length > 0 ? parts : [plain(question)];
  if (parts.length <= 1 && only) return single(only, text);
  const pieces = piecesFor(parts, text);
  if (pieces === undefined)
    return refuse(msg("question.each_part", { count: parts.length, questions: listed(parts) }));
  const given: Answered[] = [];
  for (const [place, part] of parts.entries()) {
    const read = single(part, pieces[place] ?? "");
    if (!read.ok) return refuse(msg("question.part", { part: part.question, reason: read.reason }));
    given.push(...read.given);
  }
  return { ok: true, given, text: inWords(given) };
}

/** For an agent that can only be told, or a person who reads it later. */
export function inWords(given: readonly Answered[]): string {
  return given.map(({ question, chosen }) => `- ${question} ${chosen.join(", ")}`).join("\n");
}

export function listed(parts: readonly Asked[]): string {
  const lines = parts.map(({ question, options }, place) => {
    const choice = options.length === 0 ? "" : ` (${options.join(" | ")})`;
    return `${place + 1}. ${question}${choice}`;
  });
  return lines.join("\n");
}

// --- internal ---

function plain({ question, options }: QuestionData): Asked {
  return { question, options, several: false };
}

function single(part: Asked, text: string): ReadAnswer {
  const chosen: string[] = [];
  for (const each of wantedIn(part, text)) {
    const option = optionFor(part, each);
    if (option === undefined) return refuse(notAnOption(each, part.options));
    if (!chosen.includes(option)) chosen.push(option);
  }
  if (chosen.length === 0) return refuse(msg("agent.needs_answer"));
  return { ok: true, text: chosen.join(", "), given: [{ question: part.question, chosen }] };
}

/** As it is spelt there; words of one's own where they are allowed and no misspelt option. */
function optionFor(part: Asked, said: string): string | undefined {
  const text = said.trim();
  if (text === "") return undefined;
  const { options, free = false } = part;
  if (options.length === 0) return text;
  const own = free && closest(text, options) === undefined ? text : undefined;
  return optionNamed(part, text) ?? own;
}

function optionNamed({ options }: Asked, text: string): string | undefined {
  if (options.includes(text)) return text;
  return options.find((option) => option.toLowerCase() === text.toLowerCase());
}

/** The choices that a text makes, where there may be several. */
function wantedIn(part: Asked, text: string): string[] {
  const { options, several, free = false } = part;
  if (!several || options.length === 0 || optionNamed(part, text) !== undefined) return [text];
  const list = parsed(text);
  const cells = (Array.isArray(list) ? list.map(String) : text.split(/[,\n]/))
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "");
  // A sentence of one's own has commas too.
  const isSentence = free && !Array.isArray(list) && cells.some((cell) => !optionNamed(part, cell));
  return isSentence ? [text] : cells;
}

/** One text for each question; undefined: it can not be told which is for which. */
function piecesFor(parts: readonly Asked[], text: string): string[] | undefined {
  const value = parsed(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const named = new Map(Object.entries(value));
    const found = parts.map(
      ({ question, header }) => named.get(question) ?? named.get(header ?? ""),
    );
    return found.every((each) => each !== undefined) ? found.map(asText) : undefined;
  }
  const lines = Array.isArray(value)
    ? value.map(asText)
    : text.split("\n").filter((line) => line.trim() !== "");
  return lines.length === parts.length ? lines : undefined;
}

function asText(value: unknown): string {
  return Array.isArray(value) ? JSON.stringify(value) : String(value);
}

function parsed(text: string): unknown {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** `text` is what the agent is told with a refusal. */
function verdictIn(text: string, options: readonly string[]): ReadAnswer {
  const [, word = "", why = ""] = /^(allow|deny)(?:$|[:\s]\s*([^]*))/i.exec(text) ?? [];
  const verdict = word.toLowerCase();
  if (verdict === "" || (verdict === "allow" && why !== ""))
    return refuse(notAnOption(text.split(/\s/)[0] ?? "", options));
  return { ok: true, text: why === "" ? verdict : `${verdict}: ${why.trim()}`, given: [] };
}

function notAnOption(answer: string, options: readonly string[]): Message {
  const near = closest(answer, options);
  const list = options.join(", ");
  return near === undefined
    ? msg("question.not_an_option", { answer, options: list })
    : msg("question.did_you_mean", { answer, near, options: list });
}

function refuse(reason: Message): ReadAnswer & { ok: false } {
  return { ok: false, reason };
}
