// A model API on loopback whose answers a test decides by code, request by request. The agents that ask
// it are the real ones; only what the model "says" is ours.
//
// A wire format is one file (anthropic.ts); another one is added to `wires`.
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropic } from "./anthropic.ts";

/** What an agent asks, told the same way whatever its wire format. */
export interface ModelRequest {
  readonly number: number;
  readonly model: string;
  /** Names of the tools it offers. None: a request beside the work, for example for a title. */
  readonly tools: readonly string[];
  /** What people or the agent's harness said since the model last spoke. */
  readonly said: string;
  /** What came of the tools it called last, in the order of its calls. */
  readonly results: readonly { readonly text: string; readonly isError: boolean }[];
  /** The whole conversation as text, for what must still be in it. */
  readonly conversation: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** How it was answered; null while it is not. */
  outcome: "answered" | "refused" | "dropped" | "abandoned" | null;
}

export interface Say {
  /** Its words; several are sent as pieces, with `between` awaited after each. */
  readonly text?: string | readonly string[];
  readonly between?: (piece: number) => Promise<void>;
  /** Awaited behind its words and before its calls, with the connection open. */
  readonly before?: () => Promise<void>;
  readonly calls?: readonly { readonly name: string; readonly input: object }[];
  readonly usage?: { readonly input: number; readonly output: number };
  readonly headers?: Readonly<Record<string, string>>;
}

export type Reply =
  | Say
  /** Refused with this status. */
  | {
      readonly status: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The connection breaks after so many pieces. */
  | { readonly dropAfter: number; readonly text: readonly string[] }
  /** Never answered. */
  | { readonly hang: true };

export type Script = (request: ModelRequest) => Reply | Promise<Reply>;

export interface Wire {
  /** Is this path one of its own: one that asks the model, or one that counts tokens? */
  path(url: string): "ask" | "count" | null;
  read(body: unknown): Omit<ModelRequest, "number" | "headers" | "outcome">;
  /** Sends it; false: the connection was broken before the end. */
  say(response: ServerResponse, request: ModelRequest, say: Say, body: unknown): Promise<boolean>;
  drop(response: ServerResponse, request: ModelRequest, pieces: readonly string[]): void;
  refusal(status: number, message: string): object;
  counted(): object;
}

export interface ModelApi {
  readonly url: string;
  /** All that were about work, in the order in which they came. */
  readonly requests: ModelRequest[];
  /** Paths nobody here knows. */
  readonly strange: string[];
  /** Decides from now on. */
  play(script: Script): void;
  close(): Promise<void>;
}

const wires: readonly Wire[] = [anthropic];

export async function modelApi(): Promise<ModelApi> {
  let script = nothing;
  let number = 0;
  const requests: ModelRequest[] = [];
  const strange: string[] = [];
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(incoming);
    const url = incoming.url ?? "";
    const wire = wires.find((each) => each.path(url) !== null);
    if (wire === undefined || incoming.method !== "POST") {
      strange.push(`${incoming.method} ${url}`);
      return send(response, 404, {});
    }
    if (wire.path(url) === "count") return send(response, 200, wire.counted());
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, value?.toString()]),
    );
    const request = {
      ...wire.read(body),
      number: ++number,
      headers,
      outcome: null,
    } as ModelRequest;
    // A request beside the work is answered at once and is nobody's turn.
    if (request.tools.length > 0) requests.push(request);
    const reply = request.tools.length > 0 ? await script(request) : { text: "A title" };
    await carryOut(wire, response, request, reply, body);
  };
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((cause: unknown) => {
      strange.push(String(cause));
      response.destroy();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    strange,
    play: (next) => {
      script = next;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

// --- internal ---

const nothing: Script = () => ({ text: "Nothing is planned." });

async function carryOut(
  wire: Wire,
  response: ServerResponse,
  request: ModelRequest,
  reply: Reply,
  body: unknown,
): Promise<void> {
  if ("hang" in reply) {
    // Open until the other side goes.
    await new Promise((gone) => response.once("close", gone));
    request.outcome = "abandoned";
  } else if ("status" in reply) {
    const { status, message = "no", headers = {} } = reply;
    send(response, status, wire.refusal(status, message), headers);
    request.outcome = "refused";
  } else if ("dropAfter" in reply) {
    wire.drop(response, request, reply.text.slice(0, reply.dropAfter));
    request.outcome = "dropped";
  } else {
    const whole = await wire.say(response, request, reply, body);
    request.outcome = whole ? "answered" : "abandoned";
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString("utf8");
  return text === "" ? {} : (JSON.parse(text) as unknown);
}

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
