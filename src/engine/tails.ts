// Follows what processes print. Their output lies in files that outlive us, and the offset that was
// read is committed with what it caused: after a crash reading goes on at exactly that byte (S1.20).
//
// Output without a signal causes nothing, so it is not committed line by line: read again after a
// crash it says the same. Every 8 MiB it is, so that a restart does not begin far back.
import type { AgentEvent } from "../agents/adapters/adapter.ts";
import type { Live, Tail } from "./_live.ts";
import type { Clock, Engine } from "./engine.ts";
import type { Hands } from "./hands.ts";

const chunk = 1 << 20;
const commitEvery = 8 << 20;
/** A completion has no closing tag: what stands there when an agent falls silent is all of it. */
const settleMs = 300;

export class Tails {
  readonly #engine: Engine;
  readonly #hands: Hands;
  readonly #clock: Clock;
  readonly #reading = new Map<Tail, Promise<void>>();
  readonly #again = new Set<Tail>();

  constructor(engine: Engine, hands: Hands, clock: Clock) {
    this.#engine = engine;
    this.#hands = hands;
    this.#clock = clock;
  }

  /** Each process that has begun and not ended is followed, once. */
  attach(live: Live): void {
    for (const process of live.state.entities.process.values()) {
      const { id, status, data } = process;
      if (status === "ended") {
        live.tails.get(id)?.stop();
        live.tails.delete(id);
      } else if (status === "running" && !live.tails.has(id)) {
        const agent = live.state.entities.agent.get(data.agentId);
        if (agent === undefined) continue;
        const reader = this.#hands.readerFor(agent, process);
        const tail: Tail = {
          process: id,
          reader,
          committed: data.offset,
          lastOutputAt: data.lastOutputAt,
          stop: () => undefined,
        };
        live.tails.set(id, tail);
        const quiet = this.#settler(live, tail);
        tail.stop = this.#hands.watch(id, () => {
          quiet();
          void this.#follow(live, tail);
        });
        quiet();
        void this.#follow(live, tail);
      }
    }
  }

  /** What its processes printed until now is read when this ends. */
  async look(live: Live): Promise<void> {
    await Promise.all([...live.tails.values()].map((tail) => this.#follow(live, tail)));
  }

  // --- internal ---

  /** Starts again with each new output; fires when there was none for a while. */
  #settler(live: Live, tail: Tail): () => void {
    let cancel: (() => void) | undefined;
    const quiet = (): void => {
      cancel?.();
      cancel = this.#clock.after(settleMs, () => void this.#settle(live, tail, quiet));
    };
    return quiet;
  }

  /** Where we had no time for a while, more lies there unread: it is read before it counts as all. */
  async #settle(live: Live, tail: Tail, again: () => void): Promise<void> {
    if (!isFollowed(live, tail)) return;
    const { offset } = tail.reader;
    await this.#follow(live, tail);
    if (!isFollowed(live, tail)) return;
    if (tail.reader.offset === offset) this.#hand(live, tail, tail.reader.settle());
    else again();
  }

  #follow(live: Live, tail: Tail): Promise<void> {
    this.#again.add(tail);
    const running = this.#reading.get(tail);
    if (running) return running;
    const reading = Promise.resolve().then(() => this.#read(live, tail));
    this.#reading.set(tail, reading);
    return reading;
  }

  async #read(live: Live, tail: Tail): Promise<void> {
    try {
      while (this.#again.delete(tail)) {
        // First whether it lives, then what it wrote: nothing is written after its end.
        const state = await this.#hands.look(tail.process);
        await this.#toTheEnd(live, tail);
        if (!isFollowed(live, tail)) return;
        if (state.state !== "ended") continue;
        this.#hand(live, tail, tail.reader.end());
        tail.stop();
        const { code = null, signal = null } = state;
        this.#engine.post(live.id, { kind: "ended", process: tail.process, code, signal });
        return;
      }
    } catch (cause) {
      // Its end was heard meanwhile, and its files may be gone by now: all of them was read before.
      if (!isFollowed(live, tail)) return;
      this.#engine.parts.complain(`output of ${tail.process}`, cause);
    } finally {
      this.#reading.delete(tail);
    }
  }

  async #toTheEnd(live: Live, tail: Tail): Promise<void> {
    for (;;) {
      const bytes = await this.#hands.read(tail.process, tail.reader.offset, chunk);
      if (bytes.length === 0 || !isFollowed(live, tail)) return;
      tail.lastOutputAt = this.#clock.now();
      this.#hand(live, tail, tail.reader.push(bytes));
      // Not further ahead than what is decided: an agent may print faster than that.
      if (live.pending.length > 0) await this.#engine.wake(live.id);
    }
  }

  #hand(live: Live, tail: Tail, events: readonly AgentEvent[]): void {
    const { offset } = tail.reader;
    if (events.length === 0 && offset - tail.committed < commitEvery) return;
    tail.committed = offset;
    this.#engine.post(live.id, {
      kind: "output",
      process: tail.process,
      output: { events, offset, reader: tail.reader.save() },
    });
  }
}

function isFollowed({ tails }: Live, tail: Tail): boolean {
  return tails.get(tail.process) === tail;
}
