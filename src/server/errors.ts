// Every error leaves in one form (S1.22): {error: {code, message, hint, allowed?}}. The status comes
// from the code table; what only a web server refuses has codes of its own below.
import { Fault, codes } from "../core/errors.ts";
import { type Language, type Message, msg, render } from "../core/messages.ts";
import { Refused } from "../app/tasks.ts";

export const doorCodes = {
  unauthorized: 401,
  forbidden: 403,
  method_not_allowed: 405,
  too_large: 413,
  unsupported_type: 415,
  too_many_requests: 429,
} as const;

export type DoorCode = keyof typeof doorCodes;

/** What the door itself says no to, before any operation is asked. */
export interface Refusal {
  readonly code: DoorCode;
  readonly text: Message;
  readonly hint: Message;
  readonly headers?: Readonly<Record<string, string>>;
}

export function refusalResponse(refusal: Refusal, language: Language): Response {
  const { code, text, hint, headers = {} } = refusal;
  return errorResponse(doorCodes[code], { code, text, hint }, language, headers);
}

/** Of whatever an operation threw. What nobody foresaw is told to who runs the server as well. */
export function faultResponse(
  thrown: unknown,
  language: Language,
  complain: (cause: unknown) => void,
): Response {
  const fault = thrown instanceof Fault ? thrown : unforeseen(thrown);
  if (fault.code === "internal") complain(thrown);
  const { code, text, hint = msg("http.hint") } = fault;
  const allowed = fault instanceof Refused ? fault.allowed : [];
  return errorResponse(codes[code].http, { code, text, hint, allowed }, language);
}

// --- internal ---

interface Said {
  readonly code: string;
  readonly text: Message;
  readonly hint: Message;
  readonly allowed?: readonly string[];
}

function errorResponse(
  status: number,
  { code, text, hint, allowed = [] }: Said,
  language: Language,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const error = {
    code,
    message: render(language, text),
    hint: render(language, hint),
    ...(allowed.length === 0 ? {} : { allowed }),
  };
  return Response.json({ error }, { status, headers });
}

function unforeseen(thrown: unknown): Fault {
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  return new Fault("internal", msg("error.internal", { detail }), {
    hint: msg("error.internal.hint"),
    cause: thrown,
  });
}
