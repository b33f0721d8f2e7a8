// The wire format of the Anthropic Messages API: requests, streamed and whole answers, refusals.
import type { ServerResponse } from "node:http";
import type { ModelRequest, Say, Wire } from "./model-api.ts";

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: string | readonly Block[];
  readonly is_error?: boolean;
  readonly tool_use_id?: string;
}
interface Body {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly { readonly name: string }[];
  readonly messages?: readonly {
    readonly role: string;
    readonly content: string | readonly Block[];
  }[];
}

export const anthropic: Wire = {
  path: (url) => {
    const path = url.split("?")[0] ?? "";
    if (path === "/v1/messages/count_tokens") return "count";
    return path === "/v1/messages" ? "ask" : null;
  },
  read: (given) => {
    const { model = "", tools = [], messages = [] } = given as Body;
    const last = messages.findLastIndex(({ role }) => role === "assistant");
    const blocks = messages
      .slice(last + 1)
      .filter(({ role, content }) => role === "user" || isSaidMeanwhile(role, content))
      .flatMap(({ content }) => blocksOf(content));
    return {
      model,
      tools: tools.map(({ name }) => name),
      said: textOf(blocks),
      results: blocks
        .filter(({ type }) => type === "tool_result")
        .toSorted((a, b) => placeOf(a) - placeOf(b))
        .map(({ content = "", is_error: isError = false }) => ({
          text: textOf(blocksOf(content)),
          isError,
        })),
      conversation: JSON.stringify(messages),
    };
  },
  say: async (response, request, say, body) => {
    const { stream = false } = body as Body;
    if (stream) return streamed(response, request, say);
    const content = [
      { type: "text", text: pieces(say).join("") },
      ...calls(request, say).map((call) => ({ type: "tool_use", ...call })),
    ];
    response.writeHead(200, { "content-type": "application/json", ...say.headers });
    response.end(JSON.stringify({ ...message(request, say), content, ...ending(say) }));
    return true;
  },
  drop: (response, request, said) => {
    open(response, request, {});
    for (const piece of said) delta(response, 0, { type: "text_delta", text: piece });
    // After what was said has left, so that the other side sees it and then the break.
    response.write("", () => response.destroy());
  },
  refusal: (status, said) => ({
    type: "error",
    error: { type: errorTypes[status] ?? "api_error", message: said },
    request_id: "req_1",
  }),
  counted: () => ({ input_tokens: 1_000 }),
};

// --- internal ---

interface Event {
  readonly type: string;
  readonly [field: string]: unknown;
}

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};

/** New models are told what a person says in the middle of a turn, like the harness's own notes, as `system`. */
function isSaidMeanwhile(role: string, content: string | readonly Block[]): boolean {
  return role === "system" && textOf(blocksOf(content)).startsWith("The user sent a new message");
}

const blocksOf = (content: string | readonly Block[]): readonly Block[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;
const textOf = (blocks: readonly Block[]): string =>
  blocks.flatMap(({ type, text }) => (type === "text" ? [text ?? ""] : [])).join("\n");
const pieces = ({ text = "" }: Say): readonly string[] =>
  typeof text === "string" ? [text] : text;

/** Of the call it answers: some agents send results as they come. */
function placeOf({ tool_use_id: id = "" }: Block): number {
  return Number(id.slice(id.lastIndexOf("_") + 1)) || 0;
}

function calls(request: ModelRequest, say: Say) {
  return (say.calls ?? []).map(({ name, input }, place) => ({
    id: `toolu_${request.number}_${place}`,
    name,
    input,
  }));
}

function message(request: ModelRequest, { usage }: Say) {
  return {
    id: `msg_${request.number}`,
    type: "message",
    role: "assistant",
    model: request.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: usage?.input ?? 100,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 1,
    },
  };
}

function ending(say: Say) {
  const stop = (say.calls ?? []).length > 0 ? "tool_use" : "end_turn";
  return {
    stop_reason: stop,
    usage: { input_tokens: say.usage?.input ?? 100, output_tokens: say.usage?.output ?? 20 },
  };
}

async function streamed(
  response: ServerResponse,
  request: ModelRequest,
  say: Say,
): Promise<boolean> {
  open(response, request, say);
  for (const [place, piece] of pieces(say).entries()) {
    delta(response, 0, { type: "text_delta", text: piece });
    await say.between?.(place);
    if (response.destroyed) return false;
  }
  event(response, { type: "content_block_stop", index: 0 });
  await say.before?.();
  if (response.destroyed) return false;
  for (const [place, { id, name, input }] of calls(request, say).entries()) {
    const index = place + 1;
    const block = { type: "tool_use", id, name, input: {} };
    event(response, { type: "content_block_start", index, content_block: block });
    delta(response, index, { type: "input_json_delta", partial_json: JSON.stringify(input) });
    event(response, { type: "content_block_stop", index });
  }
  const { stop_reason: stop, usage } = ending(say);
  const end = { stop_reason: stop, stop_sequence: null };
  event(response, {
    type: "message_delta",
    delta: end,
    usage: { output_tokens: usage.output_tokens },
  });
  event(response, { type: "message_stop" });
  response.end();
  return true;
}

function open(response: ServerResponse, request: ModelRequest, say: Say): void {
  response.writeHead(200, { "content-type": "text/event-stream", ...say.headers });
  event(response, { type: "message_start", message: message(request, say) });
  event(response, {
    type: "content_block_start",
    index: 0,
    content_block: { type: "text", text: "" },
  });
}

function delta(response: ServerResponse, index: number, change: object): void {
  event(response, { type: "content_block_delta", index, delta: change });
}

function event(response: ServerResponse, data: Event): void {
  response.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
}
