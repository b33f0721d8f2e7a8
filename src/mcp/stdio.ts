// MCP over the standard streams: `holdfast mcp`, started by an agent's own program.
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { type Outside, createContext } from "../app/context.ts";
import { callerIn } from "../app/caller.ts";
import { createMcpServer } from "./server.ts";

/** Of one message: what is larger ends the connection. */
const mostBytes = 1024 * 1024;

/** Until the client goes, or we are ended. */
export async function serveOverStdio(
  outside: Outside,
  streams: { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream },
  complain: (cause: Error) => void,
): Promise<void> {
  const { stdin, stdout } = streams;
  const where = callerIn(outside.env) === null ? "session" : "run";
  const gone = new Promise<void>((done) => {
    stdin.once("end", done);
    stdin.once("close", done);
    stdin.once("error", () => done());
    outside.ended().addEventListener("abort", () => done(), { once: true });
  });
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: mostBytes });
  const served = serveStdio(() => createMcpServer(where, () => createContext(outside)), {
    transport,
    onerror: complain,
  });
  await gone;
  await served.close();
  stdin.destroy();
}
