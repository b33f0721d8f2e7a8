// The engine as it runs for hours, and the runs it carries: for a server all of its home, for a foreground
// run itself alone (S6.5c). A foreground run has no server place: it may be at work beside a server and
// beside other runs. Each task and each run is carried by whoever holds its lease.
import { findProject } from "../store/project.ts";
import { type Environment, type Home, checkHome, homeOf, makeHome } from "../store/home.ts";
import type { Store } from "../store/database/store.ts";
import type { Programs } from "../agents/adapters/adapters.ts";
import type { Language, Message } from "../core/messages.ts";
import { self } from "../os/identity.ts";
import { type RunningEngine, builtInPrograms, createEngine, isGone } from "./_engine.ts";
import { usualFloor } from "./_disk-room.ts";
import { type SettingsOf, createSettings } from "./_settings.ts";
import { complaining } from "./_troubles.ts";
import { openSqlite, rowOf } from "./_wiring.ts";
import { type OpenContext, createContext } from "./context.ts";
import { childWorkflow } from "./conduct/children.ts";
import { Conducting } from "./conduct/conducting.ts";
import { type Notifier, type NotifierOptions, createNotifier } from "./notify.ts";

export interface CarryingOptions {
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

export interface CarryingParts extends CarryingOptions {
  readonly home: Home;
  readonly store: Store;
  readonly settings: SettingsOf;
  readonly projectId: string;
  readonly slots: number;
  readonly diskFloor: number;
  readonly only?: { readonly run: string; readonly projectId: string };
}

export interface Carrier {
  start(): Promise<void>;
  /** Ends no agent: whoever resumes the run finds them. */
  stop(): Promise<void>;
}

/** Carries one run of the project in `cwd`, and nothing that is queued beside it (S6.5c). */
export async function openCarrier(options: CarryingOptions, run: string): Promise<Carrier> {
  const home = homeFor(options);
  const opened = await openSqlite(home.database);
  try {
    const parts = await partsOf(options, home, opened);
    return carrying({ ...parts, only: { run, projectId: parts.projectId } }, () => undefined);
  } catch (cause) {
    await opened.close();
    throw cause;
  }
}

export function homeFor({ cwd, env }: CarryingOptions): Home {
  const home = homeOf(env);
  checkHome(home, findProject(cwd, () => home).root);
  makeHome(home);
  return home;
}

export async function partsOf(
  options: CarryingOptions,
  home: Home,
  store: Store,
): Promise<CarryingParts> {
  const settings = createSettings(store);
  const { root, because } = findProject(options.cwd, () => home);
  const { id: projectId } = await rowOf(store, root, options.tell);
  // A broken holdfast.yaml is told when a task needs it; the server starts all the same.
  const own = await settings.of(projectId).catch(() => undefined);
  const slots = options.slots ?? own?.slots ?? usualSlots;
  const diskFloor = options.diskFloor ?? own?.disk?.floor_megabytes ?? usualFloor;
  // A clone goes when its unit is done, and we stay.
  const cwd = because === "clone" ? root : options.cwd;
  return { ...options, cwd, home, store, settings, projectId, slots, diskFloor };
}

export interface Carrying extends Carrier {
  readonly running: RunningEngine;
  readonly complain: (what: string, cause: unknown) => void;
  /** `last`: done when nothing is decided any more, before the database is closed. */
  stop(last?: () => Promise<void>): Promise<void>;
}

/** The engine and the runs it serves, for a server or for one run. */
export function carrying(parts: CarryingParts, committed: (taskId: string) => void): Carrying {
  const { env, home, store, tell, slots, only } = parts;
  let ending = false;
  // What is cut off because we end is done after the next start.
  const complain = complaining((text) => ending || tell(text), Date.now);
  const notifier = notifierOf(parts);
  const running = createEngine({
    store,
    home,
    env,
    programs: parts.programs ?? builtInPrograms(env),
    slots,
    ...ofThisServer(parts),
    notify: notifier.notify,
    complain,
    committed,
    only: only && { run: only.run, where: { projectId: only.projectId, workflow: childWorkflow } },
  });
  const conducting = conductingOf(parts, running, complain);
  return {
    running,
    complain,
    start: async () => {
      await running.service.start();
      conducting.start();
    },
    stop: async (last) => {
      ending = true;
      notifier.stop();
      await conducting.stop();
      await running.service.stop();
      await last?.();
      await running.close();
      await store.close();
    },
  };
}

// --- internal ---

/** Where nobody says how many agents may work at once. */
const usualSlots = 4;

/** Runs that go by themselves are carried out by who serves. */
function conductingOf(
  { env, home, store, settings, tell, only }: CarryingParts,
  { tasks, outputs, clock }: RunningEngine,
  complain: (what: string, cause: unknown) => void,
): Conducting {
  const contextAt = (root: string, language: Language): OpenContext => {
    const shared = { store, tasks, outputs };
    const quiet = { emit: () => undefined, ended: () => new AbortController().signal };
    return createContext({ caller: null, cwd: root, env, language, tell, shared, ...quiet });
  };
  const owner = JSON.stringify(self());
  const place = { home: home.path, store, settings, tasks, clock, only };
  return new Conducting({ ...place, owner, isDead: isGone, contextAt, complain });
}

function notifierOf({ settings, env, tell, webhooks }: CarryingParts): Notifier {
  const common = { settings: settings.of, env, tell };
  return createNotifier(webhooks === undefined ? common : { ...common, webhooks });
}

/** What who starts the server decides for all of its projects. */
function ofThisServer({ diskFloor, strictMarkers = false, tell }: CarryingParts) {
  return {
    ...(diskFloor > 0 ? { disk: { floorBytes: diskFloor * 1e6, tell } } : {}),
    ...(strictMarkers ? { policies: { strictMarkers } } : {}),
  };
}
