// MCP over HTTP (streamable, without sessions): each request stands alone, so a server that was
// restarted answers the next one. Who may ask was decided by the door's guard.
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Caller } from "../app/caller.ts";
import type { OpenContext } from "../app/context.ts";
import { createMcpServer } from "./server.ts";

export interface HttpCall {
  readonly request: Request;
  /** Parsed already. */
  readonly body: unknown;
  /** The run it comes from; null: anybody with the server's token. */
  readonly caller: Caller | null;
  readonly open: () => OpenContext;
}

export async function answerOverHttp(
  { request, body, caller, open }: HttpCall,
  complain: (cause: Error) => void,
): Promise<Response> {
  const handler = createMcpHandler(
    () => createMcpServer(caller === null ? "session" : "run", open),
    { onerror: complain },
  );
  return handler.fetch(request, { parsedBody: body });
}
