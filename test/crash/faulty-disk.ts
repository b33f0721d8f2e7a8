// A disk that fails or dies at a step, its n-th or the first of a name. A death is a throw that
// nobody handles: what comes after it in the same process does not happen, because every later step
// throws too. By itself it is the real disk; over one in memory (memory-disk.ts) a step may also
// break off in the middle, and the power may go.
import { dirname } from "node:path";
import { type Disk, realDisk } from "../../src/store/disk.ts";
import { type Halves, failure } from "./memory-disk.ts";

export class Died extends Error {}

/** `within`: when half of the step is done; a step that has no halves is spared. */
export type FaultKind =
  | "die_before"
  | "die_within"
  | "die_after"
  | "EIO"
  | "EIO_within"
  | "ENOSPC"
  | "ENOSPC_within";

export interface FaultyDisk extends Disk {
  /** The names of the steps taken so far. */
  readonly taken: readonly string[];
  /** Whether the fault has come. */
  readonly struck: boolean;
  readonly dead: boolean;
  /** Folders in which a sync has failed. */
  readonly unsure: ReadonlySet<string>;
  /** Any other step that can meet the fault, such as a commit. */
  step<T>(name: string, act: () => Promise<T>): Promise<T>;
}

export interface Surroundings {
  /** The disk below; one in memory can do a step by half. */
  readonly base?: Disk & { readonly half?: Halves };
  /** Runs before each step, whatever becomes of it; `path`: what it removes, or renames onto. */
  readonly before?: (step: number, name: string, path: unknown) => void;
  /** At the moment of death: the power may go with it. */
  readonly onDeath?: () => void;
}

export function faultyDisk(
  at: number | string,
  kind: FaultKind,
  sticky = false,
  surroundings: Surroundings = {},
): FaultyDisk {
  const { base = realDisk } = surroundings;
  const disk = new Steps(at, kind, sticky, surroundings);
  for (const name of steps) {
    const real = base[name].bind(base) as Act;
    const half = halfOf(name, base);
    Object.assign(disk, { [name]: (...args: unknown[]) => disk.take(name, real, half, args) });
  }
  for (const name of ["read", "stamp", "list", "close"] as const) {
    const real = base[name].bind(base) as Act;
    const look: Act = (...args) => {
      if (disk.dead && name !== "close") throw new Died("dead");
      return real(...args);
    };
    Object.assign(disk, { [name]: look });
  }
  return disk as unknown as FaultyDisk;
}

// --- internal ---

/** Steps that change the disk or make it durable; reads are not counted. */
const steps = ["create", "sync", "link", "rename", "remove", "syncFolder", "makeFolder"] as const;

/** The call that reports a step's failure. */
const calls: Readonly<Record<string, string>> = {
  sync: "fsync",
  syncFolder: "fsync",
  link: "link",
  rename: "rename",
  remove: "unlink",
  makeFolder: "mkdir",
};

type Act = (...args: unknown[]) => unknown;

/** What is left of a step that breaks off. */
interface Half {
  readonly ofDead?: Act;
  readonly ofFailed?: Act;
}

function halfOf(name: string, base: NonNullable<Surroundings["base"]>): Half {
  const act = base.half?.[name as keyof Halves]?.bind(base.half) as Act | undefined;
  if (!act) return {};
  if (name !== "create") return { ofFailed: act };
  const undone: Act = (path, ...rest) => {
    act(path, ...rest);
    // It leaves nothing behind if it fails.
    base.remove(path as string);
  };
  return { ofDead: act, ofFailed: undone };
}

class Steps {
  readonly taken: string[] = [];
  readonly unsure = new Set<string>();
  struck = false;
  dead = false;
  readonly #kind: FaultKind;
  readonly #sticky: boolean;
  #at: number | string;
  readonly #surroundings: Surroundings;
  /** The folder of each file that was opened. */
  readonly #folders = new Map<unknown, string>();

  constructor(at: number | string, kind: FaultKind, sticky: boolean, around: Surroundings) {
    this.#at = at;
    this.#kind = kind;
    this.#sticky = sticky;
    this.#surroundings = around;
  }

  /** Done, and an error all the same, is a half of it: whoever asked can not know. */
  async step<T>(name: string, act: () => Promise<T>): Promise<T> {
    return (await this.take(name, act, { ofFailed: act }, [])) as T;
  }

  take(name: string, real: Act, half: Half, args: readonly unknown[]): unknown {
    if (this.dead) throw new Died("dead");
    this.taken.push(name);
    this.#surroundings.before?.(this.taken.length, name, args.at(-1));
    const kind = this.#kind;
    if (this.#at === name) this.#at = this.taken.length;
    // Sticky from the first time on that it came: a step without halves does not count.
    const hit = this.taken.length === this.#at || (this.#sticky && this.struck);
    const act = this.#broken(real, half, kind);
    if (hit && act) this.struck = true;
    const result = (hit && act ? act : real)(...args);
    if (name === "create") this.#folders.set(result, dirname(args[0] as string));
    if (!hit || !act || kind.startsWith("die")) return result;
    if (name === "sync") this.unsure.add(this.#folders.get(args[0]) ?? "");
    if (name === "syncFolder") this.unsure.add(args[0] as string);
    const fault = failure(kind.replace("_within", ""), calls[name] ?? "write");
    const fail = (): never => {
      throw fault;
    };
    // A sync never throws at once: whoever began it looks later.
    if (name === "sync") return Promise.reject(fault);
    return result instanceof Promise ? result.then(fail) : fail();
  }

  /** What happens in place of the step; undefined: it has no halves. */
  #broken(real: Act, half: Half, kind: FaultKind): Act | undefined {
    const die = (): never => {
      this.dead = true;
      this.#surroundings.onDeath?.();
      throw new Died(`died at ${this.taken.length}`);
    };
    const thenDie =
      (act: Act): Act =>
      (...args) => {
        const result = act(...args);
        return result instanceof Promise ? result.then(die) : die();
      };
    if (kind === "die_before") return die;
    if (kind === "die_after") return thenDie(real);
    if (kind === "die_within") return half.ofDead && thenDie(half.ofDead);
    return kind.endsWith("_within") ? half.ofFailed : () => undefined;
  }
}
