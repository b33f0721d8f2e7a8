// What Claude Code's messages mean (stream-json, as 2.1.197 and 2.1.325 write it). A message or field
// that is not known here means nothing: new versions add some every week.
import type { Json } from "../../core/events.ts";
import { uuidOf } from "../../core/ids.ts";
import type { AgentEvent, Asked, FailureClass } from "./adapter.ts";

/** Any JSON object; every field of it is looked at before it is believed. */
export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

// --- asking ---

/** A tool that may not be used unasked, or a question: both wait for our `control_response`. */
export function requestEvent(message: Fields): AgentEvent[] {
  const id = textOf(message["request_id"]);
  const request = fieldsOf(message["request"]);
  if (request["subtype"] !== "can_use_tool" || id === "") return [];
  const tool = textOf(request["tool_name"]);
  const input = fieldsOf(request["input"]);
  const questions = tool === "AskUserQuestion" ? listOf(input["questions"]).flatMap(askedOf) : [];
  if (questions.length > 0) return [{ type: "question", id, questions, input: kept(input, id) }];
  // No `access`: Claude Code knows the policy, and asks only for what is beyond it.
  return [{ type: "permission", id, tool, detail: detailOf(input), input: kept(input, id) }];
}

/**
 * What the same request is known by when it is made again. Claude Code keeps the input itself: one that
 * is too large for a row is told by its digest, one nested too deep by nothing but its own id.
 */
function kept(input: Fields, id: string): Json {
  if (!isShallow(input, deepest)) return { request: id };
  const text = JSON.stringify(input);
  return text.length <= largestInput ? (input as unknown as Json) : { digest: uuidOf(text) };
}

function isShallow(value: unknown, left: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return left > 0 && Object.values(value).every((each) => isShallow(each, left - 1));
}

const deepest = 50;
const largestInput = 64 * 1024;

/** What a tool is about to do, in one line for people. */
export function detailOf(input: Fields): string {
  const named = ["command", "file_path", "notebook_path", "path", "url", "pattern", "query"];
  const text = [...named, "description", "prompt"].map((name) => textOf(input[name])).find(Boolean);
  return cut(text ?? "", 500);
}

export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

function askedOf(value: unknown): Asked[] {
  const { question, header, multiSelect, options } = fieldsOf(value);
  if (typeof question !== "string" || question === "") return [];
  const choices = listOf(options).map(fieldsOf);
  return [
    {
      question,
      options: choices.map(({ label }) => textOf(label)),
      several: multiSelect === true,
      header: textOf(header),
      descriptions: choices.map(({ description }) => textOf(description)),
      free: true,
    },
  ];
}

// --- spending ---

export interface Spending {
  readonly tokens: number;
  readonly costUsd: number;
}

/**
 * Of all models together. What is read again from a cache is not counted as tokens: each request reads
 * all of the conversation again, and a limit would be met by waiting long enough. Its cost is in the cost.
 */
export function spendingOf(perModel: unknown): Spending | null {
  const models = Object.values(fieldsOf(perModel)).map(fieldsOf);
  if (models.length === 0) return null;
  return models.reduce<Spending>(
    (sum, { inputTokens, outputTokens, cacheCreationInputTokens, costUSD }) => ({
      tokens:
        sum.tokens + amount(inputTokens) + amount(outputTokens) + amount(cacheCreationInputTokens),
      costUsd: sum.costUsd + amount(costUSD),
    }),
    { tokens: 0, costUsd: 0 },
  );
}

/** Sums must stay sums: a budget is not moved by a negative or endless number. */
function amount(value: unknown): number {
  return typeof value === "number" && value >= 0 && value <= 1e12 ? value : 0;
}

// --- failing ---

/** What the synthetic message said that stands in for the model's, when the API gave up. */
export interface ApiError {
  readonly error: string;
  readonly apiError: string;
}

export type Verdict =
  | { readonly kind: "fine" }
  | { readonly kind: "limit"; readonly message: string }
  | { readonly kind: "failed"; readonly class: FailureClass; readonly message: string };

/**
 * How a turn ended. A refused request comes as `subtype: "success"` with `is_error`; the status and the
 * synthetic message's `error` say which, and neither alone says all: a spent credit is a 400, a lost
 * connection has no status.
 */
export function verdictOf(result: Fields, synthetic: ApiError | null): Verdict {
  if (result["is_error"] !== true) return { kind: "fine" };
  // Interrupted, by us or by a message that could not wait: its end is what was wanted.
  if (textOf(result["terminal_reason"]).startsWith("aborted")) return { kind: "fine" };
  const errors = listOf(result["errors"]).map(textOf);
  const message = cut([textOf(result["result"]), ...errors].filter(Boolean).join("\n"), 2_000);
  const status = typeof result["api_error_status"] === "number" ? result["api_error_status"] : null;
  const { error = "", apiError = "" } = synthetic ?? {};
  if (status === 429 || error === "rate_limit" || apiError === "usage_limit_reached")
    return { kind: "limit", message };
  return { kind: "failed", class: classOf(status, error, apiError, message), message };
}

function classOf(
  status: number | null,
  error: string,
  apiError: string,
  message: string,
): FailureClass {
  if (message.includes("No conversation found")) return "session";
  if (error === "billing_error" || status === 402) return "billing";
  if (error === "authentication_failed" || status === 401 || status === 403) return "auth";
  if (error === "server_error" || apiError === "connection_failed") return "network";
  if (status !== null && status >= 500) return "network";
  return status !== null && status >= 400 ? "input" : "unknown";
}
