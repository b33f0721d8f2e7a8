// GET /api/events: the stream of S1.22. The socket is written to directly: the frames of an event
// are the same bytes for all, and a web stream for each client would cost more than sending them.
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { refusalResponse } from "./errors.ts";
import { type Asked, sealed } from "./routes.ts";
import type { Streams } from "./streams.ts";

export function openStream(asked: Asked, streams: Streams, most: number): Response {
  const query = new URL(asked.request.url).searchParams;
  const after = numberOf(asked.request.headers.get("last-event-id") ?? query.get("after"));
  const task = query.get("task") ?? undefined;
  const outgoing = asked.connection?.outgoing;
  if (outgoing === undefined || !("useChunkedEncodingByDefault" in outgoing))
    throw new Fault("refused", msg("http.no_stream"));
  if (streams.isFull)
    return refusalResponse(
      {
        code: "too_many_requests",
        text: msg("http.too_many_streams", { limit: most }),
        hint: msg("http.too_many_streams.hint"),
        headers: { "retry-after": "10" },
      },
      asked.language,
    );
  const { socket } = outgoing;
  // Gone before we answered.
  if (socket === null) return RESPONSE_ALREADY_SENT;
  // The end of the connection is the end of the body: bytes are sent as they are, without chunks.
  outgoing.useChunkedEncodingByDefault = false;
  outgoing.shouldKeepAlive = false;
  const { headers } = sealed(
    new Response(null, { headers: { "content-type": "text/event-stream; charset=utf-8" } }),
  );
  outgoing.writeHead(200, Object.fromEntries(headers));
  outgoing.flushHeaders();
  socket.setNoDelay(true);
  socket.setTimeout(0);
  void streams.join(socket, task, after);
  return RESPONSE_ALREADY_SENT;
}

// --- internal ---

function numberOf(given: string | null): number | undefined {
  if (given === null || given === "") return undefined;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new Fault("invalid_input", msg("http.bad_event_id", { given: given.slice(0, 40) }));
}
