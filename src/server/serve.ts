// Starts and stops the server: the port, the home's one server place, the engine behind it.
import { type Server, createServer } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Watcher } from "../app/journal.ts";
import { type Serving, type ServingOptions, openServing } from "../app/serving.ts";
import { Fault } from "../core/errors.ts";
import { msg, render } from "../core/messages.ts";
import { createApp } from "./app.ts";
import { createGuard } from "./guard.ts";
import { measureLag } from "./metrics.ts";
import { Streams, usualLimits } from "./streams.ts";

export interface ServeOptions extends ServingOptions {
  readonly port: number;
  readonly host?: string | undefined;
  /** Said by a person who knows that other machines can then reach it. */
  readonly allowRemote?: boolean;
  /** Sees every transition from the start on. */
  readonly watcher?: Watcher;
  readonly mostStreams?: number;
  readonly backlog?: number;
}

export interface RunningServer {
  readonly url: string;
  readonly token: string;
  readonly serving: Serving;
  /** Ends in good order; says how many agents live on. */
  stop(): Promise<number>;
}

export async function serve(options: ServeOptions): Promise<RunningServer> {
  const host = options.host ?? "127.0.0.1";
  if (!isLoopback(host)) {
    if (options.allowRemote !== true)
      throw new Fault("refused", msg("server.remote", { host }), {
        hint: msg("server.remote.hint"),
      });
    options.tell(msg("server.remote", { host }));
  }
  const serving = await openServing(options);
  const server = createServer(timeouts);
  server.maxConnections = mostConnections;
  try {
    const port = await listen(server, host, options.port);
    const { place, journal } = serving;
    const streams = new Streams({
      journal,
      every: repeat,
      most: options.mostStreams ?? usualLimits.most,
      backlog: options.backlog ?? usualLimits.backlog,
    });
    const lag = measureLag();
    const { app } = createApp({
      serving,
      guard: createGuard({ token: place.token, port, host: options.host }),
      streams,
      mostStreams: options.mostStreams ?? usualLimits.most,
      lag,
      complain: (cause) =>
        options.tell(msg("engine.trouble", { what: "HTTP", detail: String(cause) })),
    });
    if (options.watcher) journal.watch(options.watcher);
    // Who comes before the engine has brought everything back waits for it.
    const started = serving.start();
    answer(server, (request, connection) => started.then(() => app.fetch(request, connection)));
    await started;
    const url = `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
    await place.publish(url, new Date().toISOString());
    return {
      url,
      token: place.token,
      serving,
      stop: async () => {
        place.withdraw();
        streams.stop();
        lag.stop();
        await close(server);
        return serving.stop();
      },
    };
  } catch (cause) {
    server.close();
    await serving.stop();
    throw cause;
  }
}

/** 127.0.0.0/8, ::1, and the name that stands for them everywhere. */
export function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith("127.");
  return host === "::1" || host.toLowerCase() === "localhost";
}

// --- internal ---

/** A request has to arrive in time and in reason; an answer may take as long as it takes. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16 * 1024,
} as const;

const mostConnections = 512;
/** What is under way when we stop gets this long to be answered. */
const lastAnswersMs = 5_000;

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.once("error", (cause: NodeJS.ErrnoException) => fail(listenFault(cause, host, port)));
    server.listen(port, host, () => {
      server.removeAllListeners("error");
      done((server.address() as AddressInfo).port);
    });
  });
}

function listenFault(cause: NodeJS.ErrnoException, host: string, port: number): unknown {
  const taken = msg("server.port_taken.hint");
  if (cause.code === "EADDRINUSE")
    return new Fault("refused", msg("server.port_taken", { port }), { hint: taken, cause });
  if (cause.code === "EACCES")
    return new Fault("refused", msg("server.port_denied", { port }), { hint: taken, cause });
  if (cause.code === "EADDRNOTAVAIL" || cause.code === "ENOTFOUND" || cause.code === "EAI_AGAIN")
    return new Fault("invalid_input", msg("server.no_address", { host }), {
      hint: msg("server.no_address.hint"),
      cause,
    });
  return cause;
}

function answer(server: Server, fetch: Parameters<typeof getRequestListener>[0]): void {
  const listener = getRequestListener(fetch, {
    // The globals of this process are nobody's to replace.
    overrideGlobalObjects: false,
    // What can not even be read as a request: a broken address, for one.
    errorHandler: () => new Response(unreadable, { status: 400, headers: unreadableHeaders }),
  });
  server.on("request", (incoming, outgoing) => void listener(incoming, outgoing));
  server.on("clientError", (cause: NodeJS.ErrnoException, socket) => {
    if (cause.code === "ECONNRESET" || !socket.writable) return;
    const status =
      cause.code === "HPE_HEADER_OVERFLOW"
        ? "431 Request Header Fields Too Large"
        : "400 Bad Request";
    socket.end(
      `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(unreadable)}\r\n\r\n${unreadable}`,
    );
  });
}

const unreadable = JSON.stringify({
  error: {
    code: "invalid_input",
    message: render("en", msg("http.unreadable")),
    hint: render("en", msg("http.unreadable.hint")),
  },
});
const unreadableHeaders = { "content-type": "application/json" };

function repeat(milliseconds: number, call: () => void): () => void {
  const timer = setInterval(call, milliseconds);
  return () => clearInterval(timer);
}

/** No new ones; idle ones end at once, what is under way is answered first. */
function close(server: Server): Promise<void> {
  return new Promise((done) => {
    const late = setTimeout(() => server.closeAllConnections(), lastAnswersMs);
    server.close(() => {
      clearTimeout(late);
      done();
    });
    server.closeIdleConnections();
  });
}
