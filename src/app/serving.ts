// What stands behind the server's door: the home's one server place, the engine as it runs for
// hours, the journal as it grows, and a context for each call. The door itself only speaks HTTP.
import { findProject } from "../store/project.ts";
import { type Environment, type Home, checkHome, homeOf, makeHome } from "../store/home.ts";
import type { Change, Store } from "../store/database/store.ts";
import type { Programs } from "../agents/adapters/adapters.ts";
import type { Language, Message } from "../core/messages.ts";
import { self } from "../os/identity.ts";
import { type RunningEngine, builtInPrograms, createEngine, isGone } from "./_engine.ts";
import { usualFloor } from "./_disk-room.ts";
import { type SettingsOf, createSettings } from "./_settings.ts";
import { complaining } from "./_troubles.ts";
import { lockWorldOf, openSqlite, rowOf } from "./_wiring.ts";
import { type OpenContext, createContext } from "./context.ts";
import { Conducting } from "./conduct/conducting.ts";
import { Journal } from "./journal.ts";
import { type Notifier, type NotifierOptions, createNotifier } from "./notify.ts";
import type { Caller } from "./caller.ts";
import { type ServerPlace, takeServerPlace } from "./server-file.ts";

export interface ServingOptions {
  /** Tasks that a call creates belong to the project of this folder. */
  readonly cwd: string;
  readonly env: Environment;
  /** Agents at once; without it what holdfast.yaml says. */
  readonly slots?: number | undefined;
  /** Free megabytes below which agents stand still; 0: nobody looks. Without it what holdfast.yaml says. */
  readonly diskFloor?: number | undefined;
  /** Markers of every project need their run's token, whatever its holdfast.yaml says (S1.13). */
  readonly strictMarkers?: boolean | undefined;
  /** For who runs the server: trouble, and what waits for a person. */
  readonly tell: (text: Message) => void;
  readonly programs?: Programs;
  /** For tests: where webhooks may go. */
  readonly webhooks?: NotifierOptions["webhooks"];
}

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

/** Where nobody says how many agents may work at once. */
const usualSlots = 4;

export async function openServing(options: ServingOptions): Promise<Serving> {
  const { cwd, env, tell } = options;
  const home = homeOf(env);
  const { root, because } = findProject(cwd, () => home);
  checkHome(home, root);
  makeHome(home);
  const opened = await openSqlite(home.database);
  try {
    const place = await takeServerPlace(home.path, lockWorldOf(opened));
    const { store, commits } = timed(opened);
    const settings = createSettings(store);
    const project = await rowOf(store, root, tell);
    // A broken holdfast.yaml is told when a task needs it; the server starts all the same.
    const own = await settings.of(project.id).catch(() => undefined);
    const slots = options.slots ?? own?.slots ?? usualSlots;
    const diskFloor = options.diskFloor ?? own?.disk?.floor_megabytes ?? usualFloor;
    // A clone goes when its unit is done, and we stay.
    const asked = because === "clone" ? { ...options, cwd: root } : options;
    return serving({ ...asked, home, place, store, commits, settings, slots, diskFloor, tell });
  } catch (cause) {
    await opened.close();
    throw cause;
  }
}

// --- internal ---

interface Parts extends ServingOptions {
  readonly home: Home;
  readonly place: ServerPlace;
  readonly store: Store;
  readonly commits: Commits;
  readonly settings: SettingsOf;
  readonly slots: number;
  readonly diskFloor: number;
}

function serving(parts: Parts): Serving {
  const { cwd, env, home, place, store, tell, slots } = parts;
  let [ticks, ending] = [0, false];
  // What is cut off because we end is done after the next start.
  const complain = complaining((text) => ending || tell(text), Date.now);
  const notifier = notifierOf(parts);
  const running = createEngine({
    store,
    home,
    env,
    programs: parts.programs ?? builtInPrograms(parts.env),
    slots,
    ...ofThisServer(parts),
    notify: notifier.notify,
    complain,
    committed: (taskId) => {
      ticks++;
      journal.committed(taskId);
    },
  });
  const journal = new Journal({ store, after: running.clock.after, complain });
  const { tasks, outputs } = running;
  const conducting = conductingOf(parts, running, complain);
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
      await running.service.start();
      conducting.start();
    },
    stop: async () => {
      ending = true;
      notifier.stop();
      await conducting.stop();
      await running.service.stop();
      await journal.stop();
      const { ended: _, ...alive } = await store.countByStatus("process");
      await running.close();
      await store.close();
      place.leave();
      return Object.values(alive).reduce((sum, count) => sum + count, 0);
    },
  };
}

/** Runs that go by themselves are carried out by who serves. */
function conductingOf(
  { env, home, store, settings, tell }: Parts,
  { tasks, outputs, clock }: RunningEngine,
  complain: (what: string, cause: unknown) => void,
): Conducting {
  const contextAt = (root: string, language: Language): OpenContext => {
    const shared = { store, tasks, outputs };
    const quiet = { emit: () => undefined, ended: () => new AbortController().signal };
    return createContext({ caller: null, cwd: root, env, language, tell, shared, ...quiet });
  };
  const owner = JSON.stringify(self());
  const place = { home: home.path, store, settings, tasks, clock };
  return new Conducting({ ...place, owner, isDead: isGone, contextAt, complain });
}

function notifierOf({ settings, env, tell, webhooks }: Parts): Notifier {
  const common = { settings: settings.of, env, tell };
  return createNotifier(webhooks === undefined ? common : { ...common, webhooks });
}

/** What who starts the server decides for all of its projects. */
function ofThisServer({ diskFloor, strictMarkers = false, tell }: Parts) {
  return {
    ...(diskFloor > 0 ? { disk: { floorBytes: diskFloor * 1e6, tell } } : {}),
    ...(strictMarkers ? { policies: { strictMarkers } } : {}),
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
