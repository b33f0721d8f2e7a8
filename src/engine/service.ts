// The engine as it runs for hours: brings back what was there (S1.20), then listens: to timers, to
// what other processes commit, to free slots.
import type { Store, TaskRow } from "../store/database/store.ts";
import { lookAtDisk } from "./_disk-holds.ts";
import { timerKey } from "./_draft.ts";
import { frozenAgents, waitingForSlot } from "./_live.ts";
import { tasksToOwn } from "./_ownership.ts";
import { retain } from "./_retain.ts";
import { type RunScope, Scope } from "./_scope.ts";
import type { DiskWatch } from "./disk.ts";
import type { Clock, Engine } from "./engine.ts";
import type { Retention } from "./retention.ts";
import type { Kinds } from "./state.ts";
import type { Surroundings } from "./surroundings.ts";

export type { RunScope } from "./_scope.ts";

export interface ServiceParts {
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: Clock;
  readonly surroundings: Surroundings;
  /** Ends what carries our tag and belongs to no run we know. */
  readonly sweep: (keep: ReadonlySet<string>) => Promise<void>;
  /** Null: nobody looks at the disk. */
  readonly disk: DiskWatch | null;
  readonly retention: Retention;
  /** Between two looks at what ended tasks keep; ten minutes if left out. */
  readonly retainMs?: number | undefined;
  /** The one run that a foreground process carries; without it, all tasks of the home. */
  readonly only?: RunScope | undefined;
}

const pollMs = 250;
/** A task that another process had in its hands for a moment is taken back after this. */
const adoptMs = 1_000;
const renewMs = 20_000;
const diskMs = 1_000;
const retainMs = 600_000;
/** Of a long queue the first are read, the rest when these may not start: 5,000 rows take 50 ms. */
const firstOfQueue = 64;
/** The longest sleep: a clock that was moved is noticed after this. */
const longestMs = 30_000;

export class Service {
  readonly #parts: ServiceParts;
  readonly #scope: Scope;
  #version = -1;
  #cancels: (() => void)[] = [];
  #ended = false;
  readonly #works = new Set<Promise<void>>();
  #scheduling: Promise<void> | null = null;
  #scheduleAgain = false;
  #retainedAt = 0;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
    this.#scope = new Scope(parts.store, parts.only);
  }

  async start(): Promise<void> {
    const { engine, surroundings, sweep } = this.#parts;
    await surroundings.load();
    engine.onFreeSlot = () => void this.schedule();
    // Together: the leases of all of them are taken with one sync, or two.
    await Promise.all((await this.#toOwn()).map((id) => engine.own(id)));
    await sweep(await this.#knownRuns());
    await this.#lookAtDisk();
    for (const id of engine.live.keys()) void engine.wake(id);
    this.#every(pollMs, () => this.#look());
    this.#every(adoptMs, () => this.#adopt());
    this.#every(renewMs, () => engine.leases.renew());
    this.#every(diskMs, () => this.#lookAtDisk());
    // What other tasks keep is no run's business.
    if (this.#scope.isWhole) this.#every(this.#parts.retainMs ?? retainMs, () => this.#retain());
    await this.#look();
  }

  async stop(): Promise<void> {
    this.#ended = true;
    for (const cancel of this.#cancels) cancel();
    await Promise.all([...this.#works, this.#scheduling]);
    await this.#parts.engine.stop();
  }

  /** Someone in this process put a message into the inbox. */
  mailFor(taskId: string): void {
    void this.#parts.engine.wake(taskId, true).then(() => this.schedule());
  }

  /** Free slots: first to agents that are to go on, then to tasks in the queue's order (S1.7b). */
  schedule(): Promise<void> {
    this.#scheduleAgain = true;
    // Begun after it is known here, so that its end can take it away.
    this.#scheduling ??= Promise.resolve().then(() => this.#schedule());
    return this.#scheduling;
  }

  // --- internal ---

  /** Whoever owns the task: its agent is not an orphan. */
  async #knownRuns(): Promise<Set<string>> {
    const { store } = this.#parts;
    const rows = await Promise.all(
      ["starting", "running"].map((status) => store.entities({ kind: "process", status })),
    );
    return new Set(rows.flat().map(({ id }) => id));
  }

  async #toOwn(): Promise<string[]> {
    return this.#scope.among(await tasksToOwn(this.#parts.store));
  }

  async #adopt(): Promise<void> {
    const { engine } = this.#parts;
    for (const id of new Set([...(await this.#toOwn()), ...engine.leases.lost]))
      if (!engine.live.has(id) && (await engine.own(id))) await engine.wake(id);
    await this.#freeMemory();
    await this.schedule();
  }

  /** S1.7b: of the frozen agents of a project only so many stay; who waits longest is ended. */
  async #freeMemory(): Promise<void> {
    const { engine, surroundings } = this.#parts;
    const projects = new Map<string, { id: string; agent: Kinds["agent"] }[]>();
    for (const live of engine.live.values()) {
      const { projectId } = live.state.task;
      const frozen = frozenAgents(live).map((agent) => ({ id: live.id, agent }));
      if (frozen.length > 0)
        projects.set(projectId, [...(projects.get(projectId) ?? []), ...frozen]);
    }
    for (const [projectId, frozen] of projects) {
      const { frozenMost } = await surroundings.policiesFor(projectId);
      const over = frozen.length - frozenMost;
      if (over <= 0) continue;
      frozen.sort((a, b) => (a.agent.data.stillSince ?? 0) - (b.agent.data.stillSince ?? 0));
      for (const { id, agent } of frozen.slice(0, over)) {
        const key = timerKey(id, "frozen", agent.id);
        engine.post(id, { kind: "timer", key, name: "frozen", data: {} });
      }
    }
  }

  async #lookAtDisk(): Promise<void> {
    const { engine, disk } = this.#parts;
    if (disk !== null) await lookAtDisk(engine, disk);
  }

  /** What ended tasks keep is told before it goes, and goes when that time is over (S1.21c). */
  async #retain(): Promise<void> {
    const now = this.#parts.clock.now();
    // It wakes more often than that: see longestMs.
    if (now < this.#retainedAt + (this.#parts.retainMs ?? retainMs)) return;
    this.#retainedAt = now;
    await retain(this.#parts, now, () => !this.#ended);
  }

  async #look(): Promise<void> {
    const { engine, store, clock } = this.#parts;
    const due = await store.timersDue(clock.now());
    for (const { key, taskId, name, data } of due) {
      if (taskId === "") {
        await store.commit({ timersGone: [key] });
        continue;
      }
      if (!(await this.#scope.has(taskId))) continue;
      const live = await engine.own(taskId);
      if (live === undefined) continue;
      if (live.pending.some((input) => input.kind === "timer" && input.key === key)) continue;
      // What it said and nobody has read yet is no silence: we may have been late, or not there.
      if (name === "silence") await engine.tails.look(live);
      engine.post(taskId, { kind: "timer", key, name, data });
      await engine.wake(taskId);
    }
    const version = await store.version();
    if (version !== this.#version) {
      this.#version = version;
      await this.#parts.surroundings.load();
      // Together: what is decided at the same time is written with one sync.
      const mailed = await this.#scope.among(await store.tasksWithMail());
      await Promise.all(mailed.map((id) => engine.wake(id, true)));
    }
    await this.schedule();
  }

  async #schedule(): Promise<void> {
    try {
      while (this.#scheduleAgain && !this.#ended) {
        this.#scheduleAgain = false;
        await this.#grant();
        await this.#begin();
      }
    } finally {
      this.#scheduling = null;
    }
  }

  async #grant(): Promise<void> {
    const { engine, surroundings } = this.#parts;
    for (const live of engine.live.values()) {
      if (engine.slotsFree <= 0) return;
      const waiting = waitingForSlot(live).some(
        ({ data }) => surroundings.gateOf(data.adapter).closedUntil === null,
      );
      if (!waiting) continue;
      engine.post(live.id, { kind: "command", seq: null, command: { name: "grant_slot" } });
      await engine.wake(live.id);
    }
  }

  async #begin(): Promise<void> {
    const { engine } = this.#parts;
    if (engine.slotsFree <= 0) return;
    const { tasks, more } = await this.#scope.queue(firstOfQueue);
    await this.#beginFrom(tasks);
    if (more && engine.slotsFree > 0) await this.#beginFrom((await this.#scope.queue()).tasks);
  }

  async #beginFrom(queue: TaskRow[]): Promise<void> {
    const { engine, surroundings } = this.#parts;
    while (queue.length > 0 && engine.slotsFree > 0 && !this.#ended) {
      const next: TaskRow[] = [];
      for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
        if (await surroundings.mayStart(task)) next.push(task);
        if (next.length >= engine.slotsFree) break;
      }
      // Together, as many as there are slots: who of them comes first makes no difference.
      await Promise.all(next.map(({ id }) => this.#start(id)));
    }
  }

  async #start(id: string): Promise<void> {
    const { engine } = this.#parts;
    if ((await engine.own(id)) === undefined) return;
    engine.post(id, { kind: "command", seq: null, command: { name: "start" } });
    await engine.wake(id);
  }

  #every(milliseconds: number, work: () => Promise<void>): void {
    const { clock, engine } = this.#parts;
    const next = (): void => {
      if (this.#ended) return;
      const place = this.#cancels.length;
      this.#cancels[place] = clock.after(Math.min(milliseconds, longestMs), () => {
        const done: Promise<void> = work()
          .catch((cause: unknown) => engine.parts.complain("service", cause))
          .finally(() => {
            this.#works.delete(done);
            next();
          });
        this.#works.add(done);
      });
      this.#cancels = this.#cancels.slice(-8);
    };
    next();
  }
}
