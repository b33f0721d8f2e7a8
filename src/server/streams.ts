// Live events to any number of clients (S1.21, S1.22). Each event is framed once, and all clients
// are sent the same bytes; what comes together goes out together.
//
// A client says up to which event it has all of them. It is handed the rest from the journal and
// joins the others at the instant at which it has what they have: no event is lost or sent twice.
// Who does not read is dropped, and comes back with the number of the last event it got.
import type { Journal, Transition } from "../app/journal.ts";

/** The part of a socket that is needed. */
export interface Outlet {
  write(bytes: Uint8Array): boolean;
  readonly writableLength: number;
  destroy(): unknown;
  end(): unknown;
  once(event: "drain" | "close", call: () => void): unknown;
  readonly destroyed: boolean;
}

export interface StreamsParts {
  readonly journal: Pick<Journal, "position" | "between" | "watch">;
  readonly every: (milliseconds: number, call: () => void) => () => void;
  readonly most: number;
  /** Bytes that may wait for a client before it is dropped. */
  readonly backlog: number;
}

export const usualLimits = { most: 100, backlog: 1024 * 1024 } as const;
const heartbeatMs = 15_000;
/** How long a client may take for what it missed, a page at a time. */
const patienceMs = 30_000;

interface Client {
  readonly outlet: Outlet;
  readonly task: string | undefined;
}

export class Streams {
  readonly #parts: StreamsParts;
  readonly #all = new Set<Client>();
  /**
   * Those who have everything, by the task they want; the others are still being handed what they
   * missed. One filter's clients get the same bytes, in one plain loop over them.
   */
  readonly #live = new Map<string | undefined, Set<Client>>();
  readonly #stops: (() => void)[];
  #dropped = 0;

  constructor(parts: StreamsParts) {
    this.#parts = parts;
    this.#stops = [
      parts.journal.watch({
        transitions: (rows) => this.#publish(rows),
        changed: (ids) => this.#changed(ids),
      }),
      parts.every(heartbeatMs, () => {
        for (const clients of this.#live.values()) this.#send(clients, heartbeat);
      }),
    ];
  }

  get open(): number {
    return this.#all.size;
  }

  get dropped(): number {
    return this.#dropped;
  }

  get isFull(): boolean {
    return this.#all.size >= this.#parts.most;
  }

  /** From now on; or from behind the event with this number. The promise ends once it is live. */
  async join(outlet: Outlet, task: string | undefined, after: number | undefined): Promise<void> {
    const { journal } = this.#parts;
    const client: Client = { outlet, task };
    this.#all.add(client);
    outlet.once("close", () => this.#leave(client));
    // A number from another journal is as good as none.
    let have = Math.min(after ?? journal.position, journal.position);
    outlet.write(greeting(have));
    while (have < journal.position) {
      const upTo = journal.position;
      for await (const rows of journal.between(have, upTo, task)) {
        if (!this.#all.has(client)) return;
        if (!outlet.write(framed(rows)) && !(await drained(outlet))) return this.#drop(client);
      }
      have = upTo;
    }
    // Nothing is awaited since the comparison: the next event goes to this client too.
    if (!this.#all.has(client)) return;
    const others = this.#live.get(task) ?? new Set();
    this.#live.set(task, others.add(client));
  }

  /** Ends every stream in good order: nobody is to wait for us. */
  stop(): void {
    for (const stop of this.#stops) stop();
    for (const { outlet } of this.#all) outlet.end();
    this.#all.clear();
    this.#live.clear();
  }

  // --- internal ---

  #publish(rows: readonly Transition[]): void {
    for (const [task, clients] of this.#live) {
      const wanted = task === undefined ? rows : rows.filter((row) => row.taskId === task);
      if (wanted.length > 0) this.#send(clients, framed(wanted));
    }
  }

  #changed(ids: readonly string[]): void {
    for (const [task, clients] of this.#live) {
      const wanted = task === undefined ? ids : ids.filter((id) => id === task);
      if (wanted.length > 0) this.#send(clients, Buffer.from(wanted.map(changeFrame).join("")));
    }
  }

  #send(clients: ReadonlySet<Client>, bytes: Uint8Array): void {
    const { backlog } = this.#parts;
    for (const client of clients) {
      const { outlet } = client;
      if (!outlet.write(bytes) && outlet.writableLength > backlog) this.#drop(client);
    }
  }

  #drop(client: Client): void {
    this.#dropped++;
    this.#leave(client);
    client.outlet.destroy();
  }

  #leave(client: Client): void {
    const { task } = client;
    this.#all.delete(client);
    const others = this.#live.get(task);
    if (others?.delete(client) && others.size === 0) this.#live.delete(task);
  }
}

/** `id` is what a browser sends back as Last-Event-ID when it comes again. */
export function framed(rows: readonly Transition[]): Uint8Array {
  let text = "";
  for (const row of rows)
    text += `id: ${row.seq}\nevent: transition\ndata: ${JSON.stringify(row)}\n\n`;
  return Buffer.from(text);
}

// --- internal ---

function changeFrame(taskId: string): string {
  return `event: changed\ndata: ${JSON.stringify({ taskId })}\n\n`;
}

/** A comment: it keeps a connection alive, and finds out that the other end is gone. */
const heartbeat = Buffer.from(":\n\n");

/** The number goes out at once: who is cut off before the first event comes back without a gap. */
function greeting(seq: number): Uint8Array {
  return Buffer.from(
    `retry: 2000\n\nid: ${seq}\nevent: ready\ndata: ${JSON.stringify({ seq })}\n\n`,
  );
}

/** False: it took too long, or went away. */
function drained(outlet: Outlet): Promise<boolean> {
  return new Promise((done) => {
    const timer = setTimeout(() => done(false), patienceMs);
    const finish = (): void => {
      clearTimeout(timer);
      done(!outlet.destroyed);
    };
    outlet.once("drain", finish);
    outlet.once("close", finish);
  });
}
