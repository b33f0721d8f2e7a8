// The engine, put together from its parts: for one tick of a command, or for hours in the server.
import { fileURLToPath } from "node:url";
import { Supervisor } from "../agents/supervisor.ts";
import type { Programs } from "../agents/adapters/adapters.ts";
import { findProgram, isThere } from "../agents/programs.ts";
import type { Message } from "../core/messages.ts";
import { DiskWatch, type DiskWatchParts, measureHome } from "../engine/disk.ts";
import { Engine } from "../engine/engine.ts";
import { EngineHands, type Notify } from "../engine/effects.ts";
import { readerSeal } from "../engine/output-secrets.ts";
import { Processes } from "../engine/processes.ts";
import { request } from "../engine/request.ts";
import { Retention } from "../engine/retention.ts";
import { type RunScope, Service } from "../engine/service.ts";
import { Surroundings } from "../engine/surroundings.ts";
import type { Policies } from "../engine/decide/world.ts";
import { type ProcessIdentity, livenessOf, self } from "../os/identity.ts";
import type { Store } from "../store/database/store.ts";
import { realDisk } from "../store/disk.ts";
import type { Environment, Home } from "../store/home.ts";
import { openSecretBox } from "../store/secrets.ts";
import { type RealClock, realClock } from "./_clock.ts";
import { complaining } from "./_troubles.ts";
import { secretValues } from "./_secret-values.ts";
import { createSettings } from "./_settings.ts";
import { Outputs } from "./outputs.ts";
import { Tasks } from "./tasks.ts";

export interface EngineOptions {
  readonly store: Store;
  readonly home: Home;
  readonly env: Environment;
  readonly programs: Programs;
  /** How many agents may work at once; with none, only what is there is looked after. */
  readonly slots: number;
  readonly notify: Notify;
  readonly complain: (what: string, cause: unknown) => void;
  readonly policies?: Partial<Policies>;
  readonly holdBack?: () => Message | null;
  /** Without it nobody looks whether the disk has room. `measure` is for tests. */
  readonly disk?: Omit<DiskWatchParts, "measure"> & Partial<Pick<DiskWatchParts, "measure">>;
  /** For tests: between two looks at what ended tasks keep. */
  readonly retainMs?: number;
  /** The one run to look after; without it, all tasks of the home. */
  readonly only?: RunScope | undefined;
  readonly committed?: (taskId: string) => void;
  /** For tests: called at named places, where it may end the process. */
  readonly at?: (place: string) => void;
}

export interface RunningEngine {
  readonly engine: Engine;
  readonly service: Service;
  readonly tasks: Tasks;
  readonly outputs: Outputs;
  readonly retention: Retention;
  readonly clock: RealClock;
  close(): Promise<void>;
}

/** An agent that ignores a polite end is killed after this. */
const graceMs = 5_000;
/** How long a caller waits for the answer of another process. */
const patienceMs = 30_000;

export function createEngine(options: EngineOptions): RunningEngine {
  const { store, home, programs, slots, complain, at, committed } = options;
  const base = basicParts(options);
  const { clock, settings, secrets, valuesOf, surroundings, supervisor, hands, disk } = base;
  const engine = new Engine({
    store,
    clock,
    ids: { next: randomName },
    hands,
    surroundings,
    owner: JSON.stringify(self()),
    isDead: isGone,
    slots,
    complain,
    ...(at === undefined ? {} : { at }),
    ...(committed === undefined ? {} : { committed }),
  });
  const sweep = async (keep: ReadonlySet<string>): Promise<void> => {
    await supervisor.sweep(keep);
  };
  const limitsFor = surroundings.limitsFor.bind(surroundings);
  const retention = new Retention({ store, home: home.path, now: clock.now, limitsFor });
  const { retainMs, only } = options;
  const parts = { engine, store, clock, surroundings, sweep, disk, retention, retainMs, only };
  const service = new Service(parts);
  const tasks = new Tasks({
    home: home.path,
    store,
    secrets,
    settings: settings.of,
    rootOf: settings.rootOf,
    now: clock.now,
    random: randomName,
    machine: { env: options.env, programs },
    request: (id, command, key) => request({ store, clock, engine, patienceMs }, id, command, key),
  });
  const outputs = new Outputs({ home: home.path, tasks, valuesOf, retention });
  const close = async (): Promise<void> => {
    await engine.stop();
    clock.stop();
  };
  return { engine, service, tasks, outputs, retention, clock, close };
}

/** For a command: it decides and looks after what is there, and starts no agent. */
export function engineForOneTick(
  store: Store,
  home: Home,
  env: Environment,
  tell: (text: Message) => void,
): RunningEngine {
  return createEngine({
    store,
    home,
    env,
    programs: builtInPrograms(env),
    slots: 0,
    notify: async (sent) => {
      const { createNotifier } = await import("./notify.ts");
      const settings = createSettings(store).of;
      await createNotifier({ settings, env, tell, isCommand: true }).notify(sent);
    },
    complain: complaining(tell, Date.now),
  });
}

/** The sample agent lies beside the program; this code beside both or in a folder below. Others lie anywhere. */
export function builtInPrograms(env: Environment): Programs {
  const own = beside("cli.cjs");
  return {
    sample: [process.execPath, beside("sample-agent.js").path],
    find: (name) => findProgram(name, env),
    isThere: (program) => isThere(program, env),
    // From its sources it is not built, and nobody in a run can call it.
    ...(own.there ? { own: [process.execPath, own.path] } : {}),
  };
}

// --- internal ---

/** In the folder of this code, or the one above. */
function beside(name: string): { readonly path: string; readonly there: boolean } {
  const places = [name, `../${name}`].map((each) => fileURLToPath(new URL(each, import.meta.url)));
  const found = places.find((path) => realDisk.stamp(path) !== null);
  return { path: found ?? places[0] ?? "", there: found !== undefined };
}

/** What the engine stands on: settings, secrets, processes, hands. */
function basicParts(options: EngineOptions) {
  const { store, home, env, programs, notify, policies } = options;
  const clock = realClock();
  const settings = createSettings(store);
  const secrets = openSecretBox(home.path);
  const valuesOf = (scope: string): Promise<Record<string, string>> =>
    secretValues(store, secrets, scope);
  const supervisor = new Supervisor({ home: home.path, ...clock });
  const { rootOf } = settings;
  const known = { valuesOf, readers: readerSeal(secrets), settings: settings.of };
  const common = { store, clock, programs, home: home.path, ...known };
  const disk =
    options.disk === undefined
      ? null
      : new DiskWatch({ measure: () => measureHome(home.path), ...options.disk });
  const surroundings = new Surroundings({
    ...common,
    random: Math.random,
    holdBack: () => options.holdBack?.() ?? disk?.holdBack() ?? null,
    ...(policies === undefined ? {} : { policies }),
  });
  const proofOf = (process: string): Promise<string> => secrets.proof("run", process);
  const parts = { ...common, supervisor, env, rootOf, proofOf, graceMs };
  const hands = new EngineHands({ ...parts, processes: new Processes(parts), notify });
  return { clock, settings, secrets, valuesOf, surroundings, supervisor, hands, disk };
}

function randomName(): string {
  return crypto.randomUUID().replaceAll("-", "").slice(0, 16);
}

/** What we can not judge (another host) counts as living: its lease runs out by itself. */
export function isGone(owner: string): boolean {
  try {
    return livenessOf(JSON.parse(owner) as ProcessIdentity) === "gone";
  } catch {
    return false;
  }
}
