// Job 8: one event to 1,000 clients. The limit is one shared buffer, written to each raw socket. The
// clients read in a process of their own, so that only sending is measured. A naive server makes the
// JSON for each client.
import { type ChildProcess, spawn } from "node:child_process";
import { type AddressInfo, type Server, type Socket, createServer } from "node:net";
import type { Transition, Watcher } from "../src/app/journal.ts";
import { Streams, framed } from "../src/server/streams.ts";
import { compare, demand } from "./harness.ts";

const job = "8 one event to 1,000 clients";
const CLIENTS = 1_000;
const EVENTS = 100;
const TOGETHER = 10;

export async function bench(): Promise<void> {
  const reader = await startReader();
  try {
    const contenders = [
      { name: "raw write of one buffer", clients: await connected(reader), send: raw },
      { name: "streams", clients: await connected(reader), send: streamed(1) },
      {
        name: `streams, ${TOGETHER} together`,
        clients: await connected(reader),
        send: streamed(TOGETHER),
      },
      { name: "JSON for each client", clients: await connected(reader), send: naive },
    ];
    const { ratio } = await compare({
      job: `${job}, ${EVENTS} events`,
      rounds: 8,
      measure: "cpu",
      contenders: contenders.map(({ name, clients, send }) => ({ name, run: () => send(clients) })),
      // Every byte left for every client.
      equal: (sent) => new Set(sent).size === 1,
    });
    const base = "raw write of one buffer";
    demand(job, "streams over raw writes", ratio("streams", base), 1.1);
    demand(job, "ten together over raw writes", ratio(`streams, ${TOGETHER} together`, base), 0.2);
  } finally {
    reader.server.close();
    reader.child.kill();
  }
}

// --- internal ---

interface Reader {
  readonly child: ChildProcess;
  readonly server: Server;
  readonly arrived: Socket[];
}

/** Connects when told, reads and forgets. */
const program = `
const { connect } = require("node:net");
process.on("message", ({ port, count }) => {
  for (let each = 0; each < count; each++) connect(port, "127.0.0.1").on("error", () => {}).resume();
});
`;

async function startReader(): Promise<Reader> {
  const arrived: Socket[] = [];
  const server = createServer((socket) => {
    socket.setNoDelay(true);
    socket.on("error", () => undefined);
    arrived.push(socket);
  });
  await new Promise<void>((done) =>
    server.listen({ port: 0, host: "127.0.0.1", backlog: 4_096 }, done),
  );
  const child = spawn(process.execPath, ["-e", program], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  return { child, server, arrived };
}

/** A thousand sockets of each contender's own: what one left in a buffer is not another's. */
async function connected({ child, server, arrived }: Reader): Promise<Socket[]> {
  const { port } = server.address() as AddressInfo;
  child.send({ port, count: CLIENTS });
  while (arrived.length < CLIENTS) await turn();
  return arrived.splice(0);
}

const events: Transition[] = Array.from({ length: EVENTS }, (_, place) => ({
  timestamp: "2026-01-01T00:00:00.000Z",
  taskId: "task_0123456789abcdef",
  type: "state_transition",
  machine: "agent",
  entityId: "agent_0123456789abcdef",
  from: "running",
  to: "waiting_review",
  trigger: "PHASE_COMPLETE",
  metadata: { phase: 1, deliverables: 9 },
  seq: 100_000 + place,
}));

/** All went out when the kernel has it all. */
async function drained(clients: readonly Socket[]): Promise<number> {
  await Promise.all(
    clients
      .filter(({ writableLength }) => writableLength > 0)
      .map((socket) => new Promise((done) => socket.once("drain", done))),
  );
  return events.reduce((sum, event) => sum + framed([event]).length, 0);
}

async function raw(clients: readonly Socket[]): Promise<number> {
  for (const event of events) {
    const bytes = framed([event]);
    for (const socket of clients) socket.write(bytes);
    await turn();
  }
  return drained(clients);
}

function streamed(together: number): (clients: readonly Socket[]) => Promise<number> {
  let ready: Promise<Watcher> | undefined;
  return async (clients) => {
    ready ??= joined(clients);
    const watcher = await ready;
    for (let from = 0; from < events.length; from += together) {
      watcher.transitions(events.slice(from, from + together));
      await turn();
    }
    return drained(clients);
  };
}

async function joined(clients: readonly Socket[]): Promise<Watcher> {
  let watcher: Watcher | undefined;
  const streams = new Streams({
    journal: {
      position: 0,
      // oxlint-disable-next-line require-yield -- there is nothing before the first event
      between: async function* () {
        return;
      },
      watch: (given) => {
        watcher = given;
        return () => undefined;
      },
    },
    every: () => () => undefined,
    most: CLIENTS,
    backlog: 64 << 20,
  });
  for (const socket of clients) await streams.join(socket, undefined, undefined);
  if (watcher === undefined) throw new Error("nobody watches");
  return watcher;
}

async function naive(clients: readonly Socket[]): Promise<number> {
  for (const event of events) {
    for (const socket of clients)
      socket.write(`id: ${event.seq}\nevent: transition\ndata: ${JSON.stringify(event)}\n\n`);
    await turn();
  }
  return drained(clients);
}

/** As in life: one event, then whatever else there is to do. */
function turn(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
