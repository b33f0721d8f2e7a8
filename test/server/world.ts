// A server with everything real, on a port of its own, and clients that speak to it as programs,
// browsers and attackers do.
import { type IncomingMessage, request as httpRequest } from "node:http";
import { type ServeOptions, type RunningServer, serve } from "../../src/server/serve.ts";
import { createApp } from "../../src/server/app.ts";
import { type Guard, createGuard } from "../../src/server/guard.ts";
import type { Routes } from "../../src/server/routes.ts";
import { Streams } from "../../src/server/streams.ts";
import { type Message, render } from "../../src/core/messages.ts";
import { patience } from "../patience.ts";
import { type EngineWorld, engineWorld } from "../engine/world.ts";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  readonly json: Json;
}

/** Whatever came; a test knows what it looks for. */
export type Json = { readonly [field: string]: never } & { readonly error?: Wrong };
export interface Wrong {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly allowed?: readonly string[];
}

export interface Call {
  readonly method?: string;
  readonly body?: unknown;
  /** Sent as they are; a null one is left out. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

export interface ServerWorld extends EngineWorld {
  /** What the server said to who runs it. */
  readonly told: string[];
  server: RunningServer;
  serve(options?: Partial<ServeOptions>): Promise<RunningServer>;
  call(path: string, call?: Call): Promise<Answer>;
  /** Makes and submits a task; gives its id. */
  task(script: string, more?: object): Promise<string>;
  /** Looks until it is so. */
  until(path: string, is: (json: never) => boolean): Promise<Json>;
  /** Ends every agent, then the server. */
  end(): Promise<void>;
}

export function serverWorld(): ServerWorld {
  const world = engineWorld();
  const told: string[] = [];
  const open = {
    ...world,
    told,
    server: undefined as unknown as RunningServer,
    serve: async (options: Partial<ServeOptions> = {}) => {
      open.server = await serve({
        cwd: world.root,
        env: world.env,
        port: 0,
        programs: { sample: world.sample },
        tell: (text: Message) => void told.push(render("en", text)),
        ...options,
      });
      return open.server;
    },
    call: (path: string, call: Call = {}) => speak(open.server, path, call),
    task: async (script: string, more: object = {}) => {
      const usual = { type: "custom", title: "A task", description: "Do it.", agent: "sample" };
      const body = { submit: true, ...usual, script, ...more };
      const made = await open.call("/api/tasks", { body });
      if (made.status !== 200) throw new Error(made.text);
      return String(made.json["id"]);
    },
    until: async (path: string, is: (json: never) => boolean) => {
      for (const began = Date.now(); ;) {
        const { json, text } = await open.call(path);
        if (is(json as never)) return json;
        if (Date.now() - began > patience) throw new Error(`still ${text}\n${told.join("\n")}`);
        await new Promise((turn) => setTimeout(turn, 20));
      }
    },
    end: async () => {
      const { tasks } = (await open.call("/api/tasks")).json as unknown as { tasks: TaskLike[] };
      for (const { id, status } of tasks)
        if (status === "in_progress" || status === "review")
          await open.call(`/api/tasks/${id}/cancel`, { body: {} });
      for (let left = 1; left > 0;) {
        const rows = await (
          await open.server.serving.context("en", never).store()
        ).entities({
          kind: "process",
        });
        left = rows.filter(({ status }) => status !== "ended").length;
        await new Promise((turn) => setTimeout(turn, 20));
      }
      await open.server.stop();
      await world.close();
    },
  };
  return open;
}

interface TaskLike {
  readonly id: string;
  readonly status: string;
}

const never = new AbortController().signal;

/** Over a real connection. */
export function speak(server: RunningServer, path: string, call: Call = {}): Promise<Answer> {
  const { body, headers = {} } = call;
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const sent = {
    authorization: `Bearer ${server.token}`,
    ...(text === undefined ? {} : { "content-type": "application/json" }),
    ...headers,
  };
  return new Promise((done, fail) => {
    const asking = httpRequest(
      `${server.url}${path}`,
      {
        method: call.method ?? (body === undefined ? "GET" : "POST"),
        headers: withoutNull(sent),
        agent: false,
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("error", fail);
        answer.on("end", () => {
          const { statusCode: status = 0 } = answer;
          done(answerOf(status, answer.headers, Buffer.concat(chunks).toString("utf8")));
        });
      },
    );
    asking.on("error", fail);
    asking.end(text);
  });
}

export function withoutNull(headers: Readonly<Record<string, string | null>>) {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

function answerOf(status: number, headers: IncomingMessage["headers"], text: string): Answer {
  const isJson = (headers["content-type"] ?? "").startsWith("application/json");
  return { status, headers, text, json: (isJson ? JSON.parse(text) : {}) as Json };
}

/** The routes without a socket, before the same engine. */
export function routesOf(
  server: RunningServer,
  options: { now?: () => number; rates?: { read: number; write: number } } = {},
): { routes: Routes; guard: Guard; port: number } {
  const port = Number(new URL(server.url).port);
  const guard = createGuard({ token: server.token, port });
  const streams = new Streams({
    journal: server.serving.journal,
    every: () => () => undefined,
    most: 100,
    backlog: 1 << 20,
  });
  const lag = { read: () => ({ p50: 0, p99: 0, max: 0 }), stop: () => undefined };
  const routes = createApp({
    serving: server.serving,
    guard,
    streams,
    mostStreams: 100,
    lag,
    complain: (cause) => {
      throw cause;
    },
    ...options,
  });
  return { routes, guard, port };
}
