// One MCP server: the protocol is the library's, the tools are ours. Loaded only by its two doors,
// since the library costs more to load than all the rest of Holdfast.
import { Server } from "@modelcontextprotocol/server";
import type { OpenContext } from "../app/context.ts";
import { version } from "../app/version.ts";
import { msg, render } from "../core/messages.ts";
import { type Where, callTool, describedTools } from "./tools.ts";

/** `open`: for each call anew, so that none sees what another left. */
export function createMcpServer(where: Where, open: () => OpenContext): Server {
  const server = new Server(
    { name: "holdfast", title: "Holdfast", version },
    {
      capabilities: { tools: {} },
      instructions: render("en", msg(where === "run" ? "mcp.about.run" : "mcp.about.session")),
      // Only for forms that a server asks its client to fill in, which this one never does.
      jsonSchemaValidator: {
        getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "" }),
      },
    },
  );
  server.setRequestHandler("tools/list", async () => ({ tools: await describedTools(where) }));
  server.setRequestHandler("tools/call", async ({ params }) => ({
    ...(await callTool(where, params.name, params.arguments, open)),
  }));
  return server;
}
