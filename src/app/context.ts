// Wires the parts together for one call. Nothing is opened before an operation asks for it: a look
// at a JSON file loads neither the database nor a codec it does not need.
import type { Language, Message } from "../core/messages.ts";
import type { Store } from "../store/database/store.ts";
import {
  type Environment,
  type Home,
  checkHome,
  hasDatabase,
  homeOf,
  makeHome,
  requireApart,
} from "../store/home.ts";
import { type Project, findProject, ownClone } from "../store/project.ts";
import type { RunningEngine } from "./_engine.ts";
import { type Caller, callerIn } from "./caller.ts";
import type { RunEnd } from "./conduct/run.ts";
import type { Context } from "./operation.ts";
import type { Outputs } from "./outputs.ts";
import type { Tasks } from "./tasks.ts";

export interface Outside {
  readonly cwd: string;
  readonly env: Environment;
  readonly language: Language;
  /** Only a long operation asks for it: listening changes what Ctrl-C does. */
  readonly ended: () => AbortSignal;
  /** What a person should hear of their files, as it happens. */
  readonly tell: (text: Message) => void;
  readonly emit: (part: object) => void;
  /** The run that calls; without it what the environment says. Null: none, whatever it says. */
  readonly caller?: Caller | null;
  /** Where something already keeps the database and the tasks: the server. */
  readonly shared?: Shared;
}

export interface Shared {
  readonly store: Store;
  readonly tasks: Tasks;
  readonly outputs: Outputs;
}

export interface OpenContext extends Context {
  close(): Promise<void>;
}

export function createContext(outside: Outside): OpenContext {
  const home = once((): Home => homeOf(outside.env));
  const project = once((): Project => findProject(outside.cwd, home));
  let opened: Promise<Store> | undefined = outside.shared && Promise.resolve(outside.shared.store);
  let engine: RunningEngine | undefined;
  const open = (): Promise<Store> =>
    (opened ??= database().then(({ openSqlite }) => openSqlite(home().database)));

  const { ready, isThere } = doorOf(home, outside.cwd, () => project().root);
  const store = async (): Promise<Store> => {
    ready();
    return open();
  };
  const projectRow = once(async () =>
    (await wiring()).rowOf(await store(), project().root, outside.tell),
  );
  const lockWorld = once(async () => (await wiring()).lockWorldOf(await store()));
  const documents = once(async () => {
    const { id: projectId } = await projectRow();
    const place = { projectId, quarantine: home().quarantine };
    return (await wiring()).documentsOf(await store(), await lockWorld(), place, outside.tell);
  });
  const working = once(async (): Promise<Pick<Shared, "tasks" | "outputs">> => {
    if (outside.shared) return outside.shared;
    const { engineForOneTick } = await import("./_engine.ts");
    engine = engineForOneTick(await store(), home(), outside.env, outside.tell);
    return engine;
  });
  const others = new Map<string, OpenContext>();
  const context: OpenContext = {
    cwd: outside.cwd,
    env: outside.env,
    language: outside.language,
    get project() {
      return project();
    },
    get home() {
      return home();
    },
    get ended() {
      return outside.ended();
    },
    store,
    at: (root) => (root === project().root ? context : elsewhere(others, outside, root)),
    existingStore: async () => opened ?? (isThere() ? open() : undefined),
    projectRow,
    documents,
    lockWorld,
    tasks: async () => (await working()).tasks,
    outputs: async () => (await working()).outputs,
    caller: outside.caller === undefined ? callerIn(outside.env) : outside.caller,
    send: async (...mail) =>
      outside.shared?.tasks.send(...mail) ?? (await wiring()).leaveMail(await store(), ...mail),
    carryOut: (taskId) => carryOut(context, outside, taskId),
    emit: outside.emit,
    close: () => closeAll(engine, others, outside.shared ? undefined : opened),
  };
  return context;
}

// --- internal ---

const wiring = () => import("./_wiring.ts");
/** Apart: who only looks needs nothing of what writes documents. */
const database = () => import("../store/database/sqlite.ts");

/** Once in a call: to check a home is to look at every folder on the way. */
function doorOf(home: () => Home, cwd: string, root: () => string) {
  const checked = once((): void => {
    checkHome(home());
    // In a workspace of another home this one has nothing to tell.
    ownClone(cwd, home);
  });
  return {
    ready: once((): void => {
      checked();
      requireApart(home(), root());
      makeHome(home());
    }),
    /** Where it lies does no harm to who only looks; who could have put it there does. */
    isThere: (): boolean => {
      checked();
      return hasDatabase(home());
    },
  };
}

async function closeAll(
  engine: RunningEngine | undefined,
  others: ReadonlyMap<string, OpenContext>,
  opened: Promise<Store> | undefined,
): Promise<void> {
  await engine?.close();
  for (const other of others.values()) await other.close();
  // One that could not be opened has been told already.
  const done = await opened?.catch(() => undefined);
  await done?.close();
}

async function carryOut(
  context: Context,
  { shared, tell }: Outside,
  taskId: string,
): Promise<RunEnd | null> {
  if (shared) return null;
  const { carryThrough } = await import("./conduct/following.ts");
  return carryThrough(context, taskId, tell);
}

function elsewhere(others: Map<string, OpenContext>, outside: Outside, root: string): OpenContext {
  const other = others.get(root) ?? createContext({ ...outside, cwd: root });
  others.set(root, other);
  return other;
}

/** Made when first asked for, and only once. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
