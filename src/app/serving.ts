// What stands behind the server's door: the home's one server place, the engine as it runs for
// hours, the journal as it grows, and a context for each call. The door itself only speaks HTTP.
import type { Home } from "../store/home.ts";
import type { Change, Store } from "../store/database/store.ts";
import type { Language } from "../core/messages.ts";
import type { RunningEngine } from "./_engine.ts";
import { lockWorldOf, openSqlite } from "./_wiring.ts";
import type { Caller } from "./caller.ts";
import {
  type CarryingOptions,
  type CarryingParts,
  carrying,
  homeFor,
  partsOf,
} from "./carrying.ts";
import { type OpenContext, createContext } from "./context.ts";
import { Journal } from "./journal.ts";
import { type ServerPlace, takeServerPlace } from "./server-file.ts";

export type ServingOptions = CarryingOptions;

/** How many of what, for a page of figures. */
export interface Figures {
  readonly tasks: Readonly<Record<string, number>>;
  readonly agents: Readonly<Record<string, number>>;
  readonly slots: { readonly used: number; readonly total: number };
  /** By all tasks, on the day of the budgets. */
  readonly today: { readonly costUsd: number; readonly tokens: number };
  readonly open: Readonly<Record<"question" | "dependency" | "review", number>>;
  readonly ticks: number;
  readonly commits: {
    readonly count: number;
    readonly seconds: number;
    /** How many took at most so many seconds; each counts in all that follow. */
    readonly within: readonly { readonly seconds: number; readonly count: number }[];
  };
}

export interface Serving {
  readonly home: Home;
  readonly place: ServerPlace;
  readonly journal: Journal;
  /** For one call; of an agent in its run, if one is named. */
  context(language: Language, ended: AbortSignal, caller?: Caller | null): OpenContext;
  figures(): Promise<Figures>;
  /** Brings back what was there, and goes on. */
  start(): Promise<void>;
  /** Ends no agent; says how many live on. */
  stop(): Promise<number>;
}

export async function openServing(options: ServingOptions): Promise<Serving> {
  const home = homeFor(options);
  const opened = await openSqlite(home.database);
  try {
    const place = await takeServerPlace(home.path, lockWorldOf(opened));
    const { store, commits } = timed(opened);
    return serving({ ...(await partsOf(options, home, store)), commits, place });
  } catch (cause) {
    await opened.close();
    throw cause;
  }
}

// --- internal ---

interface Parts extends CarryingParts {
  readonly commits: Commits;
  readonly place: ServerPlace;
}

function serving(parts: Parts): Serving {
  const { cwd, env, home, place, store, tell, slots } = parts;
  let ticks = 0;
  const carrier = carrying(parts, (taskId) => {
    ticks++;
    journal.committed(taskId);
  });
  const { running, complain } = carrier;
  const journal = new Journal({ store, after: running.clock.after, complain });
  const { tasks, outputs } = running;
  return {
    home,
    place,
    journal,
    context: (language, ended, caller = null) =>
      createContext({
        caller,
        cwd,
        env,
        language,
        ended: () => ended,
        tell,
        emit: () => undefined,
        shared: { store, tasks, outputs },
      }),
    figures: () => figuresOf(store, running, { ticks, slots, commits: parts.commits }),
    start: async () => {
      await journal.start();
      await carrier.start();
    },
    stop: async () => {
      let living = 0;
      await carrier.stop(async () => {
        await journal.stop();
        const { ended: _, ...alive } = await store.countByStatus("process");
        living = Object.values(alive).reduce((sum, count) => sum + count, 0);
      });
      place.leave();
      return living;
    },
  };
}

interface Commits {
  count: number;
  seconds: number;
  readonly within: { readonly seconds: number; count: number }[];
}

/** From a cheap flush to a disk that is in trouble. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

function timed(store: Store): { store: Store; commits: Commits } {
  const within = bounds.map((seconds) => ({ seconds, count: 0 }));
  const commits: Commits = { count: 0, seconds: 0, within };
  const commit = async (change: Change) => {
    const began = performance.now();
    try {
      return await store.commit(change);
    } finally {
      const seconds = (performance.now() - began) / 1_000;
      commits.count++;
      commits.seconds += seconds;
      for (const bound of within) if (seconds <= bound.seconds) bound.count++;
    }
  };
  return { store: { ...store, commit }, commits };
}

async function figuresOf(
  store: Store,
  { engine }: RunningEngine,
  { ticks, slots, commits }: { ticks: number; slots: number; commits: Commits },
): Promise<Figures> {
  const open = async (kind: string): Promise<number> =>
    (await store.countByStatus(kind))["open"] ?? 0;
  return {
    tasks: await store.countByStatus(),
    agents: await store.countByStatus("agent"),
    slots: { used: slots - engine.slotsFree, total: slots },
    today: sumOf(await store.entities({ kind: "spending", status: today() })),
    open: {
      question: await open("question"),
      dependency: await open("dependency"),
      review: await open("review"),
    },
    ticks,
    commits,
  };
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function sumOf(rows: readonly { readonly data: unknown }[]): Figures["today"] {
  let [costUsd, tokens] = [0, 0];
  for (const { data } of rows) {
    const spent = data as Figures["today"];
    costUsd += spent.costUsd;
    tokens += spent.tokens;
  }
  return { costUsd, tokens };
}
