// Claude Code's output as events.
//
// Markers are looked for in the assistant's own text alone: not in what tools or subagents print, not in
// what is replayed. They are handed out when the turn is over, or the assistant goes on in spite of
// them, or it falls silent: its turn's usage, which comes a few milliseconds after its last words, is
// then counted before a claim stops the process, and signals that came together are put in the
// order of S1.13.
//
// A message counts as heard at the end of its turn, not when it is echoed: the echo comes up to 100 ms
// before the conversation holds it on disk, and a process killed between would have lost it. Sent
// again under the same id it is not acted on again. For the same reason the conversation is named, so
// that it can be taken up, when it first falls silent behind an echo, or at the end of that turn.
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import { type Signal, byPriority, createProtocolParser } from "../../core/protocol.ts";
import type { AgentEvent, Reader } from "./adapter.ts";
import {
  type ApiError,
  type Fields,
  type Spending,
  cut,
  detailOf,
  fieldsOf,
  listOf,
  requestEvent,
  spendingOf,
  textOf,
  verdictOf,
} from "./_claude-messages.ts";
import { messageId } from "./_claude-names.ts";
import { type SavedLines, createJsonLines } from "./_json-lines.ts";

export function createClaudeReader(options: {
  resume?: string | undefined;
  token?: string | undefined;
}): Reader {
  const { token } = options;
  const saved = options.resume === undefined ? undefined : readSaved(options.resume);
  const lines = createJsonLines(saved?.lines);
  const state: State = saved?.state ?? {
    session: null,
    named: false,
    echoed: [],
    signals: [],
    ignored: 0,
    spent: { tokens: 0, costUsd: 0 },
    resetAt: null,
    error: null,
  };
  const takeAll = (values: readonly unknown[]): AgentEvent[] =>
    values.flatMap((value) => take(state, fieldsOf(value), token));
  return {
    push: (chunk) => takeAll(lines.push(chunk)),
    settle: () => [...name(state), ...signals(state)],
    end: () => [...takeAll(lines.end()), ...signals(state)],
    save: () => JSON.stringify({ version: 1, lines: lines.save(), state } satisfies Saved),
    get offset() {
      return lines.offset;
    },
    get ignored() {
      return state.ignored;
    },
  };
}

// --- internal ---

/** Plain data, so that reading goes on where it was saved. */
interface State {
  /** Of the first message that was echoed. */
  session: string | null;
  named: boolean;
  /** Our messages that were echoed in this turn. */
  echoed: string[];
  /** Found and not handed out yet. */
  signals: Signal[];
  ignored: number;
  /** In this process until the last turn's end. */
  spent: Spending;
  /** When the account's limit is lifted, as it said before the turn failed. */
  resetAt: number | null;
  error: ApiError | null;
}

interface Saved {
  readonly version: 1;
  readonly lines: SavedLines;
  readonly state: State;
}

const longestText = 4_000;
/** More than anybody says in one turn: what is repeated without end is not kept without end. */
const mostSignals = 200;

function take(state: State, message: Fields, token: string | undefined): AgentEvent[] {
  switch (message["type"]) {
    case "system":
      return message["subtype"] === "api_retry" ? [{ type: "retry", until: null }] : [];
    case "user":
      return takeEcho(state, message);
    case "assistant":
      return takeAssistant(state, message, token);
    case "control_request":
      return requestEvent(message);
    case "rate_limit_event":
      return takeLimit(state, message);
    case "result":
      return takeResult(state, message);
    default:
      return [];
  }
}

function takeEcho(state: State, message: Fields): AgentEvent[] {
  const id = message["isReplay"] === true ? messageId(textOf(message["uuid"])) : undefined;
  if (id === undefined) return [];
  state.session ??= textOf(message["session_id"]) || null;
  if (!state.echoed.includes(id)) state.echoed.push(id);
  return [];
}

function takeAssistant(state: State, message: Fields, token: string | undefined): AgentEvent[] {
  const { model, content } = fieldsOf(message["message"]);
  if (model === "<synthetic>") {
    state.error = { error: textOf(message["error"]), apiError: textOf(message["api_error"]) };
    return [];
  }
  // A subagent's words are the output of a tool.
  if (message["parent_tool_use_id"] != null) return [];
  const events = signals(state);
  for (const block of listOf(content).map(fieldsOf)) {
    if (block["type"] === "tool_use") {
      const input = fieldsOf(block["input"]);
      events.push({ type: "tool", name: textOf(block["name"]), detail: detailOf(input) });
    }
    const text = block["type"] === "text" ? textOf(block["text"]) : "";
    if (text === "") continue;
    events.push({ type: "text", text: cut(text, longestText) });
    const parser = createProtocolParser({ token });
    state.signals.push(...parser.push(Buffer.from(text)), ...parser.end());
    state.signals.length = Math.min(state.signals.length, mostSignals);
    state.ignored += parser.ignored;
  }
  return events;
}

/** `allowed` comes with ordinary turns; only a refusal says when to ask again. */
function takeLimit(state: State, message: Fields): AgentEvent[] {
  const { status, resetsAt } = fieldsOf(message["rate_limit_info"]);
  if (status === "rejected" && typeof resetsAt === "number") state.resetAt = resetsAt * 1_000;
  return [];
}

function takeResult(state: State, message: Fields): AgentEvent[] {
  const verdict = verdictOf(message, state.error);
  const events: AgentEvent[] = [
    ...name(state),
    ...usage(state, message),
    ...state.echoed.map((id): AgentEvent => ({ type: "heard", id })),
    ...signals(state),
  ];
  if (verdict.kind === "limit") {
    const { message: said } = verdict;
    events.push({ type: "rateLimited", resetAt: state.resetAt, message: said });
  } else if (verdict.kind === "failed") {
    events.push({ type: "failed", class: verdict.class, message: verdict.message });
  }
  state.echoed = [];
  state.resetAt = null;
  state.error = null;
  // Where there is no conversation, no turn began.
  const began = verdict.kind !== "failed" || verdict.class !== "session";
  return began ? [...events, { type: "turnEnd" }] : events;
}

/**
 * `modelUsage` is a sum, of this process or, in newer versions, of the whole conversation; these say
 * beside it what is new since the last result. So a sum is compared only with one of this process.
 */
function usage(state: State, message: Fields): AgentEvent[] {
  const sum = spendingOf(message["modelUsage"]);
  const since = spendingOf(message["model_usage_since_last_result"]);
  const before = state.spent;
  if (sum) state.spent = sum;
  const more =
    since ??
    (sum && {
      tokens: Math.max(0, sum.tokens - before.tokens),
      costUsd: Math.max(0, sum.costUsd - before.costUsd),
    });
  if (!more || (more.tokens === 0 && more.costUsd === 0)) return [];
  return [{ type: "usage", tokens: Math.round(more.tokens), costUsd: more.costUsd }];
}

/** Once it lies on the disk. */
function name(state: State): AgentEvent[] {
  if (state.named || state.session === null) return [];
  state.named = true;
  return [{ type: "session", id: state.session }];
}

/** What was found and not handed out yet. */
function signals(state: State): AgentEvent[] {
  const found = byPriority(state.signals);
  state.signals = [];
  return found.map((signal) => ({ type: "signal", signal }));
}

/** Our own row, guarded by the store's checksum: this only tells a foreign text from ours. */
function readSaved(text: string): Saved {
  try {
    const saved = JSON.parse(text) as Partial<Saved> | null;
    if (saved?.version === 1 && typeof saved.lines?.offset === "number" && saved.state)
      return saved as Saved;
  } catch {
    // Told below.
  }
  throw new Fault("corrupt", msg("protocol.bad_state"));
}
