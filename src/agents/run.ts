// One run: one operating-system process of an agent, in a folder of its own that outlives us.
//
//   in      what the agent is told; only appended. Our offsets into it are committed first
//   out err what it says, appended by itself
//   claim   who holds the run: written once, by the first holder (see _holder.ts)
//   pid     which process is the agent: written by it, just before it becomes the agent
//   exit    how it ended
//   close   nothing more will be said to it
//   log     complaints of the holder; p, wake: the holder's own pipes
//
//   absent ──claim──▶ starting ──pid──▶ running ──exit──▶ ended
//                        └──────────────────┴── its processes are gone: ended, code unknown
//
// A line counts once its newline is there, so a file that is half written says nothing. What a
// process is stands in it as pid + start time + boot: a number alone may be a stranger's by now.
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { constants as systemConstants } from "node:os";
import { basename, dirname, join } from "node:path";
import { type Liveness, type ProcessIdentity, livenessOf, self } from "../os/identity.ts";
import { type ProcessRow, isGone, parseIdentified, processes } from "../os/processes.ts";
import { asFault, codeOf, plainly } from "./_files.ts";
import { homeName, tagName } from "./names.ts";

export interface RunState {
  readonly state: "absent" | "starting" | "running" | "ended";
  readonly pid?: number;
  readonly identity?: ProcessIdentity;
  /** As a shell says it: 128 + the signal's number if one ended it. Null: unknown. */
  readonly code?: number | null;
  readonly signal?: string;
  /** The agent is stopped and waits for a thaw. */
  readonly frozen: boolean;
}

export { homeName, tagName } from "./names.ts";

export function runFolder(home: string, run: string): string {
  return join(home, "runs", run);
}

/**
 * Is the process that has an identity's number and start time really of this run? Start times are
 * hundredths of a second: so it has to bear a sign of the run as well. The holder always carries the
 * tag; an agent may have dropped it, but is the holder's child, or in its session.
 */
export function isOfRun(
  row: ProcessRow,
  folder: string,
  holder: ProcessIdentity | "nobody",
): boolean {
  if (holder !== "nobody" && row.pid !== holder.pid)
    if (row.parent === holder.pid || row.session === holder.pid) return true;
  return belongsTo(row.pid, dirname(dirname(folder)), basename(folder));
}

/** Does the process carry the run's tag? Another home may have a run of that name. */
export function belongsTo(pid: number, home: string, run: string): boolean {
  return processes.variable(pid, tagName) === run && processes.variable(pid, homeName) === home;
}

/** What a run's files and processes say now. Reads a few small files: cheap. */
export function lookAt(folder: string): RunState {
  const exit = readLine(join(folder, "exit"));
  if (exit !== undefined) return endedWith(Number(exit));
  const holder = holderOf(folder);
  if (holder === undefined) return { state: "absent", frozen: false };
  const agent = identityIn(join(folder, "pid"));
  if (agent === undefined) {
    const begins = holder !== "nobody" && lifeOf(holder, folder, holder) !== "gone";
    return begins ? { state: "starting", frozen: false } : settled(folder);
  }
  const liveness = lifeOf(agent, folder, holder);
  // Of another machine: it can not be judged from here, and must not be started twice.
  if (liveness !== "gone")
    return {
      state: "running",
      pid: agent.pid,
      identity: agent,
      frozen: liveness === "stopped",
    };
  // The holder is about to say how it ended; one that is stopped will not say so soon.
  const tells = holder !== "nobody" && lifeOf(holder, folder, holder) === "alive";
  return tells
    ? { state: "running", pid: agent.pid, identity: agent, frozen: false }
    : settled(folder);
}

/** From then on no holder starts anything here, however late it comes. */
export function claimForNobody(folder: string): void {
  try {
    const handle = openSync(join(folder, "claim"), "wx", 0o600);
    writeSync(handle, "nobody\n");
    closeSync(handle);
  } catch (cause) {
    if (codeOf(cause) !== "EEXIST" && codeOf(cause) !== "ENOENT") throw asFault(folder, cause);
  }
}

/** What is said of a process besides its number: passed to the holder, which writes it down. */
export function placeOfOurs(): string {
  const { host, boot, namespace } = self();
  return JSON.stringify({ host, boot, namespace });
}

/** Who holds the run; nobody, if it was never to start or its claim could not be written. */
export function holderOf(folder: string): ProcessIdentity | "nobody" | undefined {
  const path = join(folder, "claim");
  const text = readSmall(path);
  if (text === undefined) return undefined;
  const holder = parseIdentity(text);
  if (holder !== undefined) return holder;
  if (text === "nobody\n") return "nobody";
  // Made, not yet written: whoever does it carries the tag, unless it died just there.
  const [home, run] = [dirname(dirname(folder)), basename(folder)];
  const maker = processes.list().find((row) => !isGone(row) && belongsTo(row.pid, home, run));
  if (maker === undefined) return parseIdentity(readSmall(path) ?? "") ?? "nobody";
  return { ...self(), pid: maker.pid, start: maker.start };
}

export function agentOf(folder: string): ProcessIdentity | undefined {
  return identityIn(join(folder, "pid"));
}

// --- internal ---

const mostBytes = 4096;

/** No exit was written. Looks again: it may have been, after we looked first. */
function settled(folder: string): RunState {
  const exit = readLine(join(folder, "exit"));
  return exit === undefined
    ? { state: "ended", code: null, frozen: false }
    : endedWith(Number(exit));
}

function endedWith(code: number): RunState {
  if (!Number.isInteger(code)) return { state: "ended", code: null, frozen: false };
  const signal = Object.entries(systemConstants.signals).find(
    ([, number]) => number + 128 === code,
  );
  return { state: "ended", code, ...(signal ? { signal: signal[0] } : {}), frozen: false };
}

function lifeOf(
  identity: ProcessIdentity,
  folder: string,
  holder: ProcessIdentity | "nobody",
): Liveness {
  const liveness = livenessOf(identity);
  if (liveness === "gone" || liveness === "unknown") return liveness;
  const row = processes.at(identity.pid);
  return row !== undefined && isOfRun(row, folder, holder) ? liveness : "gone";
}

function identityIn(path: string): ProcessIdentity | undefined {
  return parseIdentity(readSmall(path) ?? "");
}

/** Two lines: the place (ours), then the process in the system's own words. */
function parseIdentity(text: string): ProcessIdentity | undefined {
  const [place = "", words = "", rest] = text.split("\n");
  const row = rest === undefined ? undefined : parseIdentified(words);
  if (row === undefined) return undefined;
  try {
    const { host, boot, namespace } = JSON.parse(place) as ProcessIdentity;
    return { host, boot, namespace, pid: row.pid, start: row.start };
  } catch {
    return undefined;
  }
}

function readLine(path: string): string | undefined {
  const text = readSmall(path);
  return text?.endsWith("\n") === true ? text.slice(0, -1) : undefined;
}

/** Undefined where there is none. The agent could put anything there: nothing is waited for. */
function readSmall(path: string): string | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(path, plainly);
    const bytes = Buffer.allocUnsafe(mostBytes);
    return bytes.toString("utf8", 0, readSync(handle, bytes, 0, mostBytes, 0));
  } catch (cause) {
    if (codeOf(cause) === "ENOENT" || codeOf(cause) === "ENOTDIR") return undefined;
    throw asFault(path, cause);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
