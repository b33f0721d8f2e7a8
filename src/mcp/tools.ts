// The tools, made from the table of operations (DESIGN, idea 5): one for each that is marked for
// agents. None holds logic of its own. What goes wrong comes back as a result an agent can act on.
import { checkInput, inputSchema } from "../app/input.ts";
import { type OperationEntry, type OperationName, operations } from "../app/operations.ts";
import type { OpenContext } from "../app/context.ts";
import { Refused } from "../app/tasks.ts";
import { toWire } from "../app/wire.ts";
import { closest } from "../core/closest.ts";
import { Fault } from "../core/errors.ts";
import { type Message, msg, render } from "../core/messages.ts";

/** `run`: the caller is an agent that Holdfast started, and acts for its own task alone. */
export type Where = "run" | "session";

export interface ToolResult {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly structuredContent: Record<string, unknown>;
  readonly isError?: boolean;
}

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object"; readonly [more: string]: unknown };
  readonly annotations: { readonly readOnlyHint: boolean; readonly openWorldHint: false };
}

/** What each may see and do there, in the order of the table. */
export async function describedTools(where: Where): Promise<ToolDescription[]> {
  return Promise.all(
    toolsFor(where).map(async ({ name, operation, entry }) => ({
      name,
      description: render("en", entry.summary),
      inputSchema: await schemaOf(operation),
      annotations: { readOnlyHint: entry.mcp?.reads === true, openWorldHint: false as const },
    })),
  );
}

export async function callTool(
  where: Where,
  name: string,
  given: unknown,
  open: () => OpenContext,
): Promise<ToolResult> {
  const tools = toolsFor(where);
  const tool = tools.find((each) => each.name === name);
  try {
    if (tool === undefined) throw unknownTool(name, tools);
    const input = (given ?? {}) as Record<string, unknown>;
    await checkInput(tool.operation, input);
    const context = open();
    try {
      const output = toWire(await (await tool.entry.load()).run(context, input));
      const text = JSON.stringify(output);
      return {
        content: [{ type: "text", text }],
        structuredContent: output as Record<string, unknown>,
      };
    } finally {
      await context.close();
    }
  } catch (thrown) {
    return wrong(thrown);
  }
}

// --- internal ---

interface Tool {
  readonly name: string;
  readonly operation: OperationName;
  readonly entry: OperationEntry;
}

function toolsFor(where: Where): Tool[] {
  return Object.entries(operations as Record<string, OperationEntry>).flatMap(([name, entry]) =>
    entry.mcp?.for === where || entry.mcp?.for === "both"
      ? [{ name: entry.mcp.tool, operation: name as OperationName, entry }]
      : [],
  );
}

async function schemaOf(operation: OperationName): Promise<ToolDescription["inputSchema"]> {
  // Its dialect is named for validators; what it says holds in those that clients assume as well.
  const { $schema: _, ...schema } = (await inputSchema(operation)) as Record<string, unknown>;
  return { ...schema, type: "object" };
}

function unknownTool(name: string, tools: readonly Tool[]): Fault {
  const known = tools.map((tool) => tool.name);
  const shown = name.slice(0, 80);
  const near = closest(shown, known);
  return new Fault("not_found", msg("mcp.unknown_tool", { name: shown }), {
    hint:
      near === undefined
        ? msg("mcp.unknown_tool.hint", { known: known.join(", ") })
        : msg("cli.did_you_mean", { word: near }),
  });
}

/** What, where, and what to do: as data, and as words for who reads no data. */
function wrong(thrown: unknown): ToolResult {
  const { code, text, hint } = thrown instanceof Fault ? thrown : unforeseen(thrown);
  const advice = hint ?? adviceOn(code);
  const { field } = text.params;
  const allowed = thrown instanceof Refused ? thrown.allowed : [];
  const error = {
    code,
    message: render("en", text),
    ...(code === "invalid_input" && typeof field === "string" ? { field } : {}),
    ...(advice ? { hint: render("en", advice) } : {}),
    ...(allowed.length > 0 ? { allowed } : {}),
  };
  const words = [error.message, ...("hint" in error ? [error.hint] : [])].join("\n");
  return {
    isError: true,
    content: [{ type: "text", text: words }],
    structuredContent: { error },
  };
}

function adviceOn(code: Fault["code"]): Message | undefined {
  return code === "invalid_input" ? msg("mcp.mend") : undefined;
}

function unforeseen(thrown: unknown): Fault {
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  return new Fault("internal", msg("error.internal", { detail }), { cause: thrown });
}
