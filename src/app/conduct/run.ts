// A run of a workflow, carried out by itself: asks what should be under way, does what is missing, tells
// what came of it, and waits for the next thing to happen. It holds no state of its own: whoever goes
// on after a crash asks the same and finds what was begun by its key.
//
//   orders() ─▶ begin, make a child │ merge, take │ test and land │ ask ─▶ wait for a change ─▶ …
//
// One at a time has a run (its lease); the engine looks after the children, in this process or another.
import { Fault } from "../../core/errors.ts";
import { render } from "../../core/messages.ts";
import { openBranch } from "../../git/branches.ts";
import type { Held } from "../../git/held.ts";
import { claimRepository, releaseRepository } from "../../git/mark.ts";
import { beginRun, checkLanded } from "../../git/target.ts";
import { hasHistory } from "../../git/workspace.ts";
import type { Clock } from "../../engine/engine.ts";
import { leaseMs, takeLease } from "../../engine/lease.ts";
import type { RunPlace, Task } from "../../engine/state.ts";
import type { LeaseRow, Store } from "../../store/database/store.ts";
import type { AgentOrder, Order, OrderOutcome, RunStands } from "../../workflows/orders.ts";
import type { SettingsOf } from "../_settings.ts";
import type { Context } from "../operation.ts";
import type { Tasks } from "../tasks.ts";
import { branchAt } from "./_tree.ts";
import { type Place, ask, clearAway, land, outcomeOf, runCommandOrder } from "./carry.ts";
import { leaseOf } from "./carried.ts";
import { childId, childrenOf, isOver, newChild } from "./children.ts";
import type { Conductor } from "./conductor.ts";
import {
  askAbout,
  heldWords,
  isStopped,
  openUnreadable,
  takeAnswer,
  unreadable,
  withdraw,
} from "./held.ts";
import { endRun, holdRun, placeRun, runOf } from "./row.ts";

export interface RunParts {
  readonly store: Store;
  readonly tasks: Tasks;
  readonly settings: SettingsOf;
  readonly clock: Clock;
  readonly home: string;
  /** Of the run's project. */
  readonly context: Context;
  readonly conductor: Conductor;
  readonly owner: string;
  readonly isDead: (owner: string) => boolean;
  readonly signal: AbortSignal;
  readonly complain: (what: string, cause: unknown) => void;
}

export type RunEnd =
  | { readonly kind: "ended"; readonly result: "completed" | "failed"; readonly why: string }
  | { readonly kind: "held"; readonly why: string }
  /** By a person at the terminal: its agents stand still. */
  | { readonly kind: "paused" }
  /** Another process has it, or we are to end. */
  | { readonly kind: "left" };

const pollMs = 250;
const troubleMs = 1_000;
/** A file that is gone, or says what nobody understands: only a person can mend that. */
const mendable = new Set(["not_found", "invalid_input", "corrupt"]);
const renewMs = 20_000;

export class Run {
  readonly #parts: RunParts;
  readonly #id: string;
  /** What takes long, by the branch in whose tree it is done. */
  readonly #underWay = new Map<string, Promise<void>>();
  #lease: LeaseRow | undefined;
  #renewedAt = 0;
  #hold: string | Held | null = null;
  /** The question about something that cannot be read; undefined: nobody has looked for one yet. */
  #asked: string | null | undefined;
  /** Whom we told to stand still: each telling is a commit, and would wake us again. */
  readonly #still = new Set<string>();
  /** When an order may begin that has to wait. */
  #nextAt = Infinity;

  constructor(parts: RunParts, taskId: string) {
    this.#parts = parts;
    this.#id = taskId;
  }

  async go(): Promise<RunEnd> {
    const { store, signal } = this.#parts;
    // Beside the task's own, which the engine takes for each tick.
    this.#lease = await takeLease(this.#parts, leaseOf(this.#id));
    if (this.#lease === undefined) return { kind: "left" };
    try {
      const refused = await this.#recordTarget();
      if (refused !== undefined) return refused;
      for (;;) {
        const version = await store.version();
        const end = await this.#roundOrTrouble();
        if (end !== undefined) return end;
        if (signal.aborted || !(await this.#renew())) return { kind: "left" };
        await this.#change(version);
      }
    } finally {
      await Promise.all(this.#underWay.values());
      if (this.#lease) await store.release(this.#lease);
    }
  }

  /** Where it lands, and whose it is, is settled before anything is begun. */
  async #recordTarget(): Promise<RunEnd | undefined> {
    const { store, context, home } = this.#parts;
    const repository = { root: context.project.root, run: this.#id };
    const row = (await store.task(this.#id)) as Task | undefined;
    if (row === undefined || isOver(row) || !(await hasHistory(repository.root))) return undefined;
    try {
      claimRepository(repository, home);
      await beginRun(repository);
      return undefined;
    } catch (cause) {
      if (!(cause instanceof Fault) || cause.code !== "refused") throw cause;
      const words = [cause.text, ...(cause.hint ? [cause.hint] : [])];
      return this.#held(row, words.map((each) => render(context.language, each)).join(" "));
    }
  }

  // --- one round ---

  async #roundOrTrouble(): Promise<RunEnd | undefined> {
    try {
      return await this.#round();
    } catch (cause) {
      if (cause instanceof Fault && mendable.has(cause.code)) return this.#waitFor(cause);
      // A git that is at work in the project, a lock somebody holds: tried again a little later.
      this.#parts.complain(`run ${this.#id}`, cause);
      const isLocked = cause instanceof Fault && cause.code === "locked";
      this.#nextAt = this.#parts.clock.now() + (isLocked ? pollMs : troubleMs);
      return undefined;
    }
  }

  /** What a person has to mend, as a plan that is gone: asked once, and looked at again until it is well. */
  async #waitFor(cause: Fault): Promise<RunEnd | undefined> {
    const { store } = this.#parts;
    const row = (await store.task(this.#id)) as Task | undefined;
    if (row === undefined) return { kind: "left" };
    const held = unreadable(cause);
    if (this.#asked && (await isStopped(store, this.#asked))) return this.#held(row, held);
    this.#asked = await askAbout(this.#asking(), row, held);
    this.#nextAt = this.#parts.clock.now() + troubleMs;
    return undefined;
  }

  async #readAgain(): Promise<void> {
    const { store } = this.#parts;
    if (this.#asked === undefined) this.#asked = await openUnreadable(store, this.#id);
    if (this.#asked === null) return;
    await withdraw(store, this.#asked);
    this.#asked = null;
  }

  async #round(): Promise<RunEnd | undefined> {
    const { store, conductor, context } = this.#parts;
    const row = (await store.task(this.#id)) as Task | undefined;
    const run = row && runOf(row);
    if (row === undefined || run === undefined || isOver(row)) {
      await this.#withdraw();
      return row === undefined || run === undefined
        ? { kind: "left" }
        : { kind: "ended", result: row.status as "completed" | "failed", why: "" };
    }
    if (run.paused || run.stilled === true) await this.#tellPause(row, run);
    if (run.paused) return undefined;
    if (run.heldBy) {
      this.#hold = (await takeAnswer(await this.#place(row), row, run.heldBy)) ?? null;
      return undefined;
    }
    if (this.#hold !== null && this.#underWay.size === 0) return this.#held(row, this.#hold);
    const wanted = await conductor.orders(context, this.#id);
    await this.#readAgain();
    if (wanted.kind === "held") {
      await this.#cancelOthers(row, []);
      return this.#underWay.size > 0 ? undefined : this.#held(row, wanted.why);
    }
    if (wanted.kind === "ended") {
      const lost = wanted.result === "completed" ? await this.#lost(row) : undefined;
      if (lost !== undefined) return this.#held(row, lost);
      await this.#withdraw();
      await endRun(store, this.#id, wanted.result, wanted.why, this.#parts.clock.now());
      releaseRepository({ root: context.project.root, run: this.#id });
      return wanted;
    }
    await this.#tellPlace(run, wanted.place);
    const place = await this.#place(row);
    this.#nextAt = Infinity;
    for (const order of wanted.orders) {
      if (this.#parts.signal.aborted || this.#hold !== null) break;
      await this.#see(row, order, place);
    }
    await this.#cancelOthers(row, wanted.orders);
    return undefined;
  }

  /** For who looks at it as a task. */
  async #tellPlace(known: RunPlace, now: RunStands): Promise<void> {
    const { store, clock } = this.#parts;
    const { phase, phases, name } = now;
    if (known.phase === phase && known.phases === phases && known.name === name) return;
    await placeRun(store, this.#id, now, clock.now());
  }

  async #see(row: Task, order: Order, place: Place): Promise<void> {
    if (order.kind === "agent") return this.#seeAgent(row, order, place);
    if (order.kind === "ask") {
      const answered = await ask(place, row, order);
      return answered && this.#take(answered);
    }
    // One at a time in a branch's tree: a command sees it as it was committed, and nobody else's files.
    const tree = order.branch.name ?? "";
    if (this.#underWay.has(tree)) return;
    const work = order.kind === "land" ? land(place, order) : runCommandOrder(place, order);
    const whole: Promise<void> = work
      .then((outcome) => outcome && this.#take(outcome))
      .catch((cause: unknown) => this.#parts.complain(`${order.kind} ${order.key}`, cause))
      .finally(() => this.#underWay.delete(tree));
    this.#underWay.set(tree, whole);
  }

  async #seeAgent(row: Task, order: AgentOrder, place: Place): Promise<void> {
    const { store } = this.#parts;
    const child = (await store.task(childId(row.id, order.key))) as Task | undefined;
    if (child === undefined && order.notBefore !== undefined && order.notBefore > place.now()) {
      this.#nextAt = Math.min(this.#nextAt, order.notBefore);
      return;
    }
    if (child === undefined) return this.#begin(row, order, place);
    if (!isOver(child)) return;
    const outcome = await outcomeOf(place, order, child);
    if (outcome === undefined) return;
    await this.#take(outcome);
    if (outcome.kind !== "held") await clearAway(place, child);
  }

  async #begin(row: Task, order: AgentOrder, place: Place): Promise<void> {
    const { store, conductor, context, clock } = this.#parts;
    const opened = await openBranch(branchAt(place, order.branch.name));
    if ("kind" in opened) return this.#take(opened);
    const { commit: base } = opened;
    if (!(await conductor.begin(context, this.#id, order.key))) return;
    const { settings } = place;
    // Refused: somebody made it meanwhile, and theirs is the same.
    await store.commit(newChild(row, { order, base, settings, now: clock.now() }));
  }

  async #take(outcome: OrderOutcome | Held): Promise<void> {
    const { conductor, context } = this.#parts;
    if (outcome.kind === "held") {
      this.#hold = outcome;
      return;
    }
    const why = await conductor.take(context, this.#id, outcome);
    if (typeof why === "string") this.#hold = why;
  }

  /** A run ends when all that landed is still there. */
  async #lost({ id, projectId }: Task): Promise<Held | undefined> {
    return checkLanded({ root: await this.#parts.settings.rootOf(projectId), run: id });
  }

  /** Where a person has a choice it is a question, for whoever sees to it first. */
  async #held(row: Task, hold: string | Held): Promise<RunEnd> {
    const { store, clock, context } = this.#parts;
    const asked = typeof hold === "string" ? null : await askAbout(this.#asking(), row, hold);
    const why = typeof hold === "string" ? hold : heldWords(hold, row.id, context.language);
    await holdRun(store, this.#id, why, asked, clock.now());
    return { kind: "held", why };
  }

  /** Without the settings, which may be what cannot be read. */
  #asking() {
    const { store, clock, context } = this.#parts;
    return { store, language: context.language, now: () => clock.now() };
  }

  // --- children ---

  /** Also one that was in the queue and began since. */
  async #tellPause(row: Task, { paused, stilled = false }: RunPlace): Promise<void> {
    const { store, clock } = this.#parts;
    if (!paused) this.#still.clear();
    for (const child of await childrenOf(store, row)) {
      if (child.status !== "in_progress" || this.#still.has(child.id)) continue;
      if (paused) this.#still.add(child.id);
      await this.#act(child, paused ? "pause" : "resume");
    }
    if (paused !== stilled) await placeRun(store, this.#id, { stilled: paused }, clock.now());
  }

  /** Whoever works on what nobody wants any more. */
  async #cancelOthers(row: Task, orders: readonly Order[]): Promise<void> {
    const wanted = new Set(orders.map(({ key }) => childId(row.id, key)));
    for (const child of await childrenOf(this.#parts.store, row))
      if (!isOver(child) && !wanted.has(child.id)) await this.#act(child, "cancel");
  }

  async #withdraw(): Promise<void> {
    const { store } = this.#parts;
    const row = (await store.task(this.#id)) as Task | undefined;
    if (row === undefined) return;
    for (const child of await childrenOf(store, row)) {
      if (!isOver(child)) await this.#act(child, "cancel");
      else await clearAway(await this.#place(row), child);
    }
  }

  async #act(child: Task, name: "pause" | "resume" | "cancel"): Promise<void> {
    try {
      await this.#parts.tasks.act(child.id, { name });
    } catch (cause) {
      // It ended meanwhile, or stands still already.
      if (!(cause instanceof Fault) || cause.code === "internal") throw cause;
    }
  }

  // --- around it ---

  async #place({ id, projectId, data }: Task): Promise<Place> {
    const { store, settings, home, clock, context, signal } = this.#parts;
    return {
      run: id,
      store,
      home,
      root: await settings.rootOf(projectId),
      env: context.env,
      language: data.language,
      settings: await settings.of(projectId),
      now: () => clock.now(),
      signal,
    };
  }

  /** Until somebody has committed something, or what takes long has ended. */
  async #change(version: number): Promise<void> {
    const { store, signal, clock } = this.#parts;
    const doing = this.#underWay.size;
    for (;;) {
      await this.#pause(pollMs);
      if (signal.aborted || this.#underWay.size < doing || this.#hold !== null) return;
      if ((await store.version()) !== version || clock.now() >= this.#nextAt) return;
      if (!(await this.#renew())) return;
    }
  }

  #pause(milliseconds: number): Promise<void> {
    const { clock, signal } = this.#parts;
    return new Promise((turn) => {
      const done = (): void => {
        cancel();
        signal.removeEventListener("abort", done);
        turn();
      };
      const cancel = clock.after(milliseconds, done);
      signal.addEventListener("abort", done);
    });
  }

  /** False: somebody else has it now. */
  async #renew(): Promise<boolean> {
    const { store, clock } = this.#parts;
    if (this.#lease === undefined) return false;
    if (clock.now() < this.#renewedAt + renewMs) return true;
    this.#lease = await store.renew(this.#lease, clock.now(), leaseMs);
    this.#renewedAt = clock.now();
    return this.#lease !== undefined;
  }
}
