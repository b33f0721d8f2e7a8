// A receiver of webhooks on this machine.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** What it was sent, and how it answers from now on. */
export async function receiver() {
  const bodies: string[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += String(part)));
    request.on("end", () => {
      bodies.push(body);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}/services/XXX`;
  return { bodies, address, fails: () => (status = 500) };
}
