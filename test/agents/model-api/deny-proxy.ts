// A proxy that refuses everything and writes down who was to be reached: an agent under test may talk
// to its model on loopback and to nobody else.
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface DenyProxy {
  readonly url: string;
  readonly refused: string[];
  close(): Promise<void>;
}

export async function denyProxy(): Promise<DenyProxy> {
  const refused: string[] = [];
  const server = createServer((request, response) => {
    refused.push(`${request.method} ${request.url}`);
    response.writeHead(403).end();
  });
  server.on("connect", ({ url }: { url?: string }, socket: Socket) => {
    refused.push(`CONNECT ${url}`);
    socket.on("error", () => undefined);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    refused,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
