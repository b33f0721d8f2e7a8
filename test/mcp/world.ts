// A server with agents at work, and MCP clients that speak with it as an agent's own program does.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { lookAt, runFolder } from "../../src/agents/run.ts";
import type { Store } from "../../src/store/database/store.ts";
import { cli } from "../cli/program.ts";
import { environmentOf } from "../crash/programs.ts";
import { patience } from "../patience.ts";
import { type ServerWorld, serverWorld } from "../server/world.ts";

export interface Called {
  readonly isError: boolean;
  readonly text: string;
  /** Whatever came; a test knows what it looks for. */
  readonly data: Readonly<Record<string, never>> & { readonly error?: Wrong };
}

export interface Wrong {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly field?: string;
}

export interface Connected {
  readonly client: Client;
  readonly names: () => Promise<string[]>;
  readonly call: (name: string, given?: Record<string, unknown>) => Promise<Called>;
}

/** One run of an agent: what its processes find in their environment. */
export interface Run {
  readonly id: string;
  readonly taskId: string;
  readonly env: Record<string, string>;
  readonly bearer: string;
}

export interface McpWorld extends ServerWorld {
  store(): Promise<Store>;
  /** A task whose agent is there and does nothing by itself. */
  working(more?: object): Promise<Run>;
  stdio(env: Record<string, string>, cwd?: string): Promise<Connected>;
  http(bearer: string, headers?: Record<string, string>): Promise<Connected>;
}

export function mcpWorld(): McpWorld {
  const world = serverWorld();
  const clients: Client[] = [];
  const own = {
    store: () => world.server.serving.context("en", new AbortController().signal).store(),
    working: async (more: object = {}) => {
      const taskId = await world.task("hang", more);
      await world.until(
        `/api/tasks/${taskId}/agent`,
        (agent: { status: string }) => agent.status === "running",
      );
      return runOf(await own.store(), world.home, taskId);
    },
    stdio: async (env: Record<string, string>, cwd = world.root) => {
      const client = new Client({ name: "test", version: "1" });
      const all = { ...world.env, ...env };
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [cli, "mcp"],
          env: all,
          cwd,
          stderr: "pipe",
        }),
      );
      clients.push(client);
      return connected(client);
    },
    http: async (bearer: string, headers: Record<string, string> = {}) => {
      const client = new Client({ name: "test", version: "1" });
      const sent = { authorization: `Bearer ${bearer}`, ...headers };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${world.server.url}/mcp`), {
          requestInit: { headers: sent },
        }),
      );
      clients.push(client);
      return connected(client);
    },
    end: async () => {
      // One that is frozen with its run can not say goodbye: it is thawed by the end of its task.
      const { tasks } = (await world.call("/api/tasks")).json as unknown as {
        tasks: { id: string; status: string }[];
      };
      for (const { id, status } of tasks)
        if (status === "in_progress" || status === "review")
          await world.call(`/api/tasks/${id}/cancel`, { body: {} });
      await Promise.all(clients.map((client) => client.close()));
      await world.end();
    },
  };
  // The server is set when it starts: looked up, not copied.
  return Object.create(world, Object.getOwnPropertyDescriptors(own)) as McpWorld;
}

/** From the process itself: what it was really given. */
export async function runOf(store: Store, home: string, taskId: string): Promise<Run> {
  for (const began = Date.now(); ;) {
    const rows = await store.entities({ taskId, kind: "process" });
    const id = rows.find(({ status }) => status === "running")?.id;
    const { pid } = id === undefined ? {} : lookAt(runFolder(home, id));
    if (id !== undefined && pid !== undefined) {
      const pairs = environmentOf(pid);
      const found = (name: string): string =>
        pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
      const names = ["HOLDFAST_RUN", "HOLDFAST_RUN_TOKEN", "HOLDFAST_HOME"];
      const env = Object.fromEntries(names.map((name) => [name, found(name)]));
      // Between its fork and its own program it has nothing yet.
      if (names.every((name) => env[name] !== ""))
        return { id, taskId, env, bearer: `${id}.${env["HOLDFAST_RUN_TOKEN"]}` };
    }
    if (Date.now() - began > patience) throw new Error(`no process of ${taskId}`);
    await new Promise((turn) => setTimeout(turn, 20));
  }
}

function connected(client: Client): Connected {
  return {
    client,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given = {}) => {
      const { content, structuredContent, isError } = await client.callTool({
        name,
        arguments: given,
      });
      const [first] = content as { text?: string }[];
      const data = (structuredContent ?? {}) as never;
      return { isError: isError === true, text: first?.text ?? "", data };
    },
  };
}
