// The one loop: read → decide (pure) → commit (one transaction) → act. Nothing else changes a task.
//
//   wake(task) ─▶ tick: lease, state ─▶ inputs ─▶ decide() on a Draft ─▶ commit ─▶ effects ─┐
//        ▲                                                                                 │
//        └──────── output, ends, timers, mail of other processes, results of effects ◀─────┘
//
// A tick needs the task's lease (DESIGN, idea 2). Any process may be the engine for one tick: with
// no slots it decides, freezes and ends, but starts no agent. What was committed and not done is
// done again after a crash: each effect is harmless to repeat.
import type { Store } from "../store/database/store.ts";
import { type Effect, Draft, type Ids } from "./_draft.ts";
import { type Live, isIdle, isOver } from "./_live.ts";
import { Ownership, inOrder } from "./_ownership.ts";
import type { Hands } from "./hands.ts";
import { LeaseEnded, refusedWith } from "./lease.ts";
import { type EffectResult, type Input, decide } from "./inputs.ts";
import { isInSession } from "./state.ts";
import { Tails } from "./tails.ts";
import type { Slots } from "./decide/world.ts";
import type { Surroundings } from "./surroundings.ts";

export interface Clock {
  now(): number;
  /** Calls back once; the returned function takes it back. */
  after(milliseconds: number, call: () => void): () => void;
}

export interface EngineParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly hands: Hands;
  readonly surroundings: Surroundings;
  /** Who we are, so that others can find out whether we live. */
  readonly owner: string;
  readonly isDead: (owner: string) => boolean;
  readonly slots: number;
  /** A named place between two steps, where a test may end the process. */
  readonly at?: (place: string) => void;
  /** Something about this task is different now. */
  readonly committed?: (taskId: string) => void;
  readonly complain: (what: string, cause: unknown) => void;
}

export class Engine {
  readonly parts: EngineParts;
  readonly #owned: Ownership;
  /** One tick of a task at a time. */
  readonly #turns = new Map<string, Promise<void>>();
  readonly #again = new Set<string>();
  /** Effects under way, by task. */
  readonly #acts = new Map<string, Set<Promise<void>>>();
  readonly tails: Tails;
  /** For whoever gives slots to those who wait. */
  onFreeSlot: () => void = () => undefined;
  #stopping = false;

  constructor(parts: EngineParts) {
    this.parts = parts;
    this.#owned = new Ownership(parts);
    this.tails = new Tails(this, parts.hands, parts.clock);
  }

  get live(): ReadonlyMap<string, Live> {
    return this.#owned.live;
  }

  get leases(): Pick<Ownership, "renew" | "lost"> {
    return this.#owned;
  }

  get slotsFree(): number {
    return this.#stopping ? 0 : this.#owned.slotsFree;
  }

  /** Something happened: decided in the next tick of that task. */
  post(taskId: string, input: Input): void {
    const live = this.live.get(taskId);
    if (live === undefined) return;
    live.pending.push(input);
    void this.wake(taskId);
  }

  /** Ticks until nothing is left to decide. The promise ends with the tick that saw this call. */
  wake(taskId: string, mail = false): Promise<void> {
    const live = this.live.get(taskId);
    if (live && mail) live.mail = true;
    this.#again.add(taskId);
    const running = this.#turns.get(taskId);
    if (running) return running;
    // Begun after it is known here, so that its end can take it away.
    const turn = Promise.resolve().then(() => this.#run(taskId));
    this.#turns.set(taskId, turn);
    return turn;
  }

  /** Takes the task under our lease; undefined: somebody else who lives has it. */
  async own(taskId: string): Promise<Live | undefined> {
    // What an earlier owning of ours began must have ended: nothing is done twice at once.
    while (!this.live.has(taskId) && this.#acts.has(taskId)) await this.#quiet(taskId);
    const live = await this.#owned.own(taskId);
    if (live) this.tails.attach(live);
    return live;
  }

  /**
   * For who only passes by: the task is let go as soon as what was decided is carried out, so that
   * a server finds it free. What needs a slot is left to that server.
   */
  async letGo(taskId: string): Promise<void> {
    for (;;) {
      await this.#turns.get(taskId);
      const live = this.live.get(taskId);
      if (live === undefined) return;
      if (this.#acts.has(taskId)) {
        await this.#quiet(taskId);
        continue;
      }
      // What was just ended is seen to have ended.
      await this.tails.look(live);
      if (!this.#turns.has(taskId)) return this.#owned.release(live);
    }
  }

  /** Ends nothing: agents live on, and the next engine finds them. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const live of this.live.values()) for (const abort of live.long.values()) abort.abort();
    await Promise.all([
      ...this.#turns.values(),
      ...[...this.#acts.keys()].map((id) => this.#quiet(id)),
    ]);
    await Promise.all([...this.live.values()].map((live) => this.#owned.release(live)));
  }

  // --- one tick after another ---

  async #run(taskId: string): Promise<void> {
    try {
      while (this.#again.delete(taskId) && !this.#stopping) {
        const live = await this.own(taskId);
        if (live === undefined) return;
        await this.#decideAll(live);
      }
    } finally {
      // At once with the last look: whoever wakes the task from now on begins a turn of its own.
      this.#turns.delete(taskId);
    }
  }

  async #decideAll(live: Live): Promise<void> {
    try {
      while (await this.#tick(live)) this.#act(live);
      if (this.live.get(live.id) !== live) return;
      this.#act(live);
      // A run is changed by who carries it out, too: what we remember of it would be old.
      if ((isOver(live) || isInSession(live.state.task)) && isIdle(live))
        await this.#owned.release(live);
    } catch (cause) {
      // The state in memory may be ahead of what was committed: read it anew.
      this.#owned.lose(live);
      if (!(cause instanceof LeaseEnded)) this.parts.complain(`tick of ${live.id}`, cause);
    }
  }

  /** True if something was decided. */
  async #tick(live: Live): Promise<boolean> {
    const inputs = await this.#inputs(live);
    if (inputs.length === 0) return false;
    const slots = this.#owned.slotsOfATick();
    try {
      const decided = await this.#decideAndCommit(live, inputs, slots);
      if (slots.freed) this.onFreeSlot();
      return decided;
    } catch (cause) {
      slots.undo();
      throw cause;
    }
  }

  async #decideAndCommit(live: Live, given: readonly Input[], slots: Slots): Promise<boolean> {
    const { clock, ids, store, surroundings } = this.parts;
    const inputs = await surroundings.cleaned(live, given);
    const world = await surroundings.world(live, inputs, slots);
    const draft = new Draft(live.state, clock.now(), ids);
    const answers = inputs.map((input) => decide(draft, input, world));
    const mail = inputs.flatMap((input, place) =>
      input.kind === "command" && input.seq !== null ? [{ seq: input.seq, place }] : [],
    );
    // A start that was refused, a timer that came too early: nothing to remember.
    if (draft.isEmpty && mail.length === 0) return true;
    // With the task goes what else was to be done for it.
    if (draft.isGone) for (const { key } of live.effects) draft.done(key);
    surroundings.decided(draft);
    const outcome = await store.commit({
      ...draft.toChange(),
      snapshots: draft.snapshots.map((each) => ({
        ...each,
        taskId: live.id,
        createdAt: draft.at,
      })),
      lease: live.lease,
      acknowledge: mail.map(({ seq, place }) => ({ seq, at: draft.now, outcome: answers[place] })),
    });
    if (!outcome.ok) throw refusedWith(outcome.code);
    this.parts.at?.("committed");
    this.parts.committed?.(live.id);
    live.state = draft.after();
    const ended = new Set(inputs.flatMap((input) => (input.kind === "effect" ? [input.key] : [])));
    for (const key of ended) live.underWay.delete(key);
    live.effects = inOrder([
      ...live.effects.filter(({ key }) => !ended.has(key)),
      ...draft.effects,
    ]);
    // Nobody waits any more for a check or a set-up of a task that ended.
    if (draft.isGone) {
      this.#owned.drop(live);
      return false;
    }
    if (isOver(live)) for (const abort of live.long.values()) abort.abort();
    return true;
  }

  async #inputs(live: Live): Promise<Input[]> {
    const inputs = live.pending.splice(0);
    if (live.mail) {
      live.mail = false;
      const rows = await this.parts.store.openInbox(live.id);
      for (const { seq, data } of rows)
        inputs.push({ kind: "command", seq, command: data as never });
    }
    return inputs;
  }

  // --- acting ---

  /** In order, one at a time; what takes long runs beside. */
  #act(live: Live): void {
    if (this.#stopping) return;
    this.tails.attach(live);
    for (const effect of live.effects) {
      if (live.underWay.has(effect.key)) {
        if (this.parts.hands.isLong(effect.name)) continue;
        return;
      }
      // Nothing may write where everything is removed.
      const removes = effect.name === "remove" || effect.name === "clear";
      if (removes && live.long.size > 0) return;
      live.underWay.add(effect.key);
      this.#begin(live, effect);
      if (!this.parts.hands.isLong(effect.name)) return;
    }
  }

  #begin(live: Live, effect: Effect): void {
    const acts = this.#acts.get(live.id) ?? new Set();
    this.#acts.set(live.id, acts);
    const act: Promise<void> = this.#carryOut(live, effect).finally(() => {
      acts.delete(act);
      if (acts.size === 0) this.#acts.delete(live.id);
    });
    acts.add(act);
  }

  /** When nothing is under way for this task. */
  async #quiet(taskId: string): Promise<void> {
    await Promise.all(this.#acts.get(taskId) ?? new Set<Promise<void>>());
  }

  async #carryOut(live: Live, effect: Effect): Promise<void> {
    this.parts.at?.(`before ${effect.name}`);
    const abort = new AbortController();
    live.long.set(effect.key, abort);
    try {
      const result = await this.parts.hands.carryOut(effect, live, abort.signal);
      this.parts.at?.(`after ${effect.name}`);
      this.#end(live, effect, result);
    } catch (cause) {
      this.parts.complain(`${effect.name} of ${live.id}`, cause);
      const tries = (live.tries.get(effect.key) ?? 0) + 1;
      live.tries.set(effect.key, tries);
      const given = this.parts.hands.giveUp(effect, tries, cause);
      if (given) return this.#end(live, effect, given);
      // Tried again a little later; it stays committed until it is done.
      this.parts.clock.after(this.parts.hands.retryMs * 2 ** Math.min(tries - 1, 5), () => {
        live.underWay.delete(effect.key);
        if (this.live.get(live.id) === live) void this.wake(live.id);
      });
    } finally {
      live.long.delete(effect.key);
    }
  }

  /** It stays under way until its end is committed: nobody begins it again before. */
  #end(live: Live, { key, name }: Effect, result: EffectResult): void {
    live.pending.push({ kind: "effect", key, name, result });
    // Not awaited: a tick that is stopping waits for this to end.
    void this.wake(live.id);
  }
}
