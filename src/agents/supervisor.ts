// The supervisor of agent processes: starts, watches, freezes, thaws and ends them (S1.10, S1.20).
//
// It remembers nothing. All it knows stands in the run's folder and in the system's table of
// processes, so that any process of ours can go on where another died, and everything here may be
// repeated. What should run, and what was read and said, is the engine's to store.
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { Fault } from "../core/errors.ts";
import { isSafeId, requireSafeId } from "../core/ids.ts";
import { msg } from "../core/messages.ts";
import { type ProcessIdentity, livenessOf, self } from "../os/identity.ts";
import { processes } from "../os/processes.ts";
import { asFault, codeOf } from "./_files.ts";
import { launch } from "./_holder.ts";
import { type Around, type Clock, type Found, endTree, freezeTree, thawTree } from "./_signals.ts";
import { starterName } from "./names.ts";
import { type RunState, claimForNobody, homeName, lookAt, runFolder, tagName } from "./run.ts";

export type { Around, Clock, Found } from "./_signals.ts";

export interface RunSpec {
  /** The tag of this one process, unlike any other: a safe id. */
  readonly run: string;
  /** `runFolder(home, run)`: made by `start`, for us alone. */
  readonly folder: string;
  readonly command: readonly string[];
  readonly cwd: string;
  /** Complete: nothing is inherited. Never written down: a secret goes no other way. */
  readonly env: Readonly<Record<string, string>>;
}

export interface SupervisorWorld extends Clock {
  /** HOLDFAST_HOME. */
  readonly home: string;
  /** A POSIX shell. */
  readonly shell?: string;
  /** Called after each step of a start, for tests that end us there. */
  readonly onStep?: (step: StartStep) => void;
}

export const startSteps = ["folder", "files", "spawned", "claimed"] as const;
export type StartStep = (typeof startSteps)[number];

export interface Swept extends Found {
  readonly run: string;
}

export class Supervisor {
  readonly #world: SupervisorWorld;

  constructor(world: SupervisorWorld) {
    this.#world = world;
  }

  /** Once for each folder, however often it is called: only the first holder claims it. */
  async start(spec: RunSpec): Promise<RunState> {
    const { shell = "/bin/sh", onStep = () => undefined } = this.#world;
    const { folder, command, cwd } = spec;
    this.#check(spec);
    makeFolder(folder);
    onStep("folder");
    if (lookAt(folder).state === "absent") {
      for (const name of ["in", "out", "err", "log"]) makeFile(join(folder, name));
      onStep("files");
      const tags = { [tagName]: spec.run, [homeName]: this.#world.home };
      const env = { ...spec.env, ...tags, ...startedByUs() };
      await launch({ shell, folder, command, cwd, env, spawned: () => onStep("spawned") });
      onStep("claimed");
    }
    return lookAt(folder);
  }

  async look(folder: string): Promise<RunState> {
    return lookAt(folder);
  }

  freeze(run: string, { around = sendAtOnce }: { around?: Around } = {}): Promise<Found> {
    return freezeTree(this.#world.home, run, this.#world, around);
  }

  thaw(run: string): Promise<Found> {
    return thawTree(this.#world.home, run, this.#world);
  }

  /** No holder that is still on its way starts anything afterwards. */
  end(run: string, { graceMs }: { graceMs: number }): Promise<Found> {
    return endTree(this.#world.home, run, this.#world, graceMs);
  }

  /**
   * Ends what belongs to this home and to no run that should be: left by a death of ours. What another
   * living process of ours started is not left: it may be a check of its own, or a run that began since.
   */
  async sweep(
    keep: ReadonlySet<string>,
    { graceMs = 2000 }: { graceMs?: number } = {},
  ): Promise<Swept[]> {
    const found = new Set<string>();
    const spared = new Set(keep);
    const ancestors = ownAncestors();
    for (const { pid } of processes.list()) {
      const run = processes.variable(pid, tagName);
      // A tag is what a process says of itself: it becomes a path only if it could be ours.
      if (run === undefined || !isSafeId(run)) continue;
      if (processes.variable(pid, homeName) !== this.#world.home) continue;
      // We may be a tool of an agent ourselves: nobody saws off the branch they sit on.
      if (ancestors.has(pid) || isOfAnother(pid)) spared.add(run);
      found.add(run);
    }
    return Promise.all(
      [...found]
        .filter((run) => !spared.has(run))
        .map(async (run) => ({ run, ...(await this.end(run, { graceMs })) })),
    );
  }

  /** Refused while it runs. Also finishes a removal that was interrupted. */
  async removeRun(folder: string): Promise<void> {
    const run = requireSafeId(basename(folder));
    if (folder !== runFolder(this.#world.home, run))
      throw new Fault("invalid_input", msg("run.elsewhere", { path: folder }), {
        hint: msg("run.elsewhere.hint"),
      });
    const { state } = lookAt(folder);
    if (state === "starting" || state === "running")
      throw new Fault("refused", msg("run.still_running", { path: folder }), {
        hint: msg("run.still_running.hint"),
      });
    claimForNobody(folder);
    const aside = `${folder}.removed`;
    try {
      await rm(aside, { recursive: true, force: true });
      // Away at once: a late holder must find neither the folder nor half of it.
      renameIfThere(folder, aside);
      await rm(aside, { recursive: true, force: true });
    } catch (cause) {
      throw asFault(folder, cause);
    }
  }

  #check({ run, folder, command, cwd }: RunSpec): void {
    requireSafeId(run);
    const [program = ""] = command;
    if (folder !== runFolder(this.#world.home, run) || program === "" || program.startsWith("-"))
      throw new Fault("invalid_input", msg("run.bad_command", { command: command.join(" ") }), {
        hint: msg("run.bad_command.hint"),
      });
    if (!isFolder(cwd))
      throw new Fault("not_found", msg("run.no_folder", { path: cwd }), {
        hint: msg("run.no_folder.hint"),
      });
  }
}

/** For the environment of a process that is tagged. */
export function startedByUs(): Record<string, string> {
  return { [starterName]: JSON.stringify(self()) };
}

// --- internal ---

function isOfAnother(pid: number): boolean {
  const starter = processes.variable(pid, starterName);
  if (starter === undefined || starter === JSON.stringify(self())) return false;
  try {
    return livenessOf(JSON.parse(starter) as ProcessIdentity) !== "gone";
  } catch {
    // Nothing that we wrote.
    return false;
  }
}

const sendAtOnce: Around = (stop) => {
  stop();
  return Promise.resolve();
};

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stats = lstatSync(folder);
    // Whoever may write there decides what runs, and reads what is said.
    const isOurs = stats.isDirectory() && stats.uid === process.getuid?.();
    if (!isOurs || (stats.mode & 0o077) !== 0)
      throw new Fault("refused", msg("run.folder_open", { path: folder }), {
        hint: msg("run.folder_open.hint"),
      });
  } catch (cause) {
    throw asFault(folder, cause);
  }
}

function makeFile(path: string): void {
  try {
    const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants;
    closeSync(openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600));
  } catch (cause) {
    throw asFault(path, cause);
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function ownAncestors(): Set<number> {
  const found = new Set<number>();
  for (let pid = process.pid; pid > 0 && !found.has(pid);) {
    found.add(pid);
    pid = processes.at(pid)?.parent ?? 0;
  }
  return found;
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (cause) {
    if (codeOf(cause) !== "ENOENT") throw cause;
  }
}
