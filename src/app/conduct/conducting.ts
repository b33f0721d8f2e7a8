// The runs that are to be carried out here: found, taken up, and let go when we end. For a server these are
// all runs of its home, for a foreground process the one it was started for (S6.5c).
import type { Clock } from "../../engine/engine.ts";
import { type Task, isInSession } from "../../engine/state.ts";
import type { Store } from "../../store/database/store.ts";
import type { SettingsOf } from "../_settings.ts";
import type { Context } from "../operation.ts";
import type { Tasks } from "../tasks.ts";
import { conductors } from "./conductors.ts";
import { endedWithTrees, settleLeft } from "./_leftovers.ts";
import { isAnswered } from "./held.ts";
import { letRun, runOf } from "./row.ts";
import { Run, type RunEnd } from "./run.ts";

export interface ConductingParts {
  readonly store: Store;
  readonly tasks: Tasks;
  readonly settings: SettingsOf;
  readonly clock: Clock;
  readonly home: string;
  readonly owner: string;
  readonly isDead: (owner: string) => boolean;
  /** For calls on a project, in the run's language. */
  readonly contextAt: (root: string, language: Task["data"]["language"]) => Context;
  readonly complain: (what: string, cause: unknown) => void;
  /** A foreground process: this run, and what earlier runs of its project left. */
  readonly only?: { readonly run: string; readonly projectId: string } | undefined;
}

const lookMs = 500;

export class Conducting {
  readonly #parts: ConductingParts;
  readonly #runs = new Map<string, Promise<RunEnd>>();
  readonly #ending = new AbortController();
  #looking: Promise<void> | null = null;
  #cancel: () => void = () => undefined;
  #swept = false;

  constructor(parts: ConductingParts) {
    this.#parts = parts;
  }

  start(): void {
    if (this.#ending.signal.aborted) return;
    this.#looking ??= this.#look()
      .catch((cause: unknown) => this.#parts.complain("runs", cause))
      .finally(() => {
        this.#looking = null;
        if (!this.#ending.signal.aborted)
          this.#cancel = this.#parts.clock.after(lookMs, () => this.start());
      });
  }

  /** Agents live on; the next to look goes on where this one was. */
  async stop(): Promise<void> {
    this.#ending.abort();
    this.#cancel();
    await this.#looking;
    await Promise.all(this.#runs.values());
  }

  // --- internal ---

  async #look(): Promise<void> {
    const { store, home, contextAt, complain, only } = this.#parts;
    const isOurs = (projectId: string): boolean => (only?.projectId ?? projectId) === projectId;
    // First: a run goes on from documents as they were committed.
    if (!this.#swept) {
      const projects = (await store.projects()).filter(({ id }) => isOurs(id));
      await settleLeft(store, projects, (root) => contextAt(root, "en"), complain);
    }
    const rows = (await store.tasks({ status: "in_progress" })) as Task[];
    for (const row of rows.filter(({ id }) => (only?.run ?? id) === id)) {
      const run = isInSession(row) ? runOf(row) : undefined;
      if (run === undefined) continue;
      if (run.held === null) this.#take(row);
      else if (run.heldBy && (await isAnswered(store, run.heldBy))) {
        await letRun(store, row.id, {}, this.#parts.clock.now());
        this.#take(row);
      }
    }
    if (this.#swept) return;
    this.#swept = true;
    for (const row of await endedWithTrees(store, home)) if (isOurs(row.projectId)) this.#take(row);
  }

  #take(row: Task): void {
    const load = conductors[row.workflow];
    if (load !== undefined && !this.#runs.has(row.id))
      this.#runs.set(row.id, this.#begin(row, load));
  }

  async #begin(row: Task, load: (typeof conductors)[string]): Promise<RunEnd> {
    const { contextAt, settings, complain } = this.#parts;
    try {
      const root = await settings.rootOf(row.projectId);
      const context = contextAt(root, row.data.language);
      const { signal } = this.#ending;
      const run = new Run({ ...this.#parts, context, conductor: await load(), signal }, row.id);
      return await run.go();
    } catch (cause) {
      complain(`run ${row.id}`, cause);
      return { kind: "left" };
    } finally {
      this.#runs.delete(row.id);
    }
  }
}
