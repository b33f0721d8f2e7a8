// One server a home (S7.6). `server.json` says where it is and how to speak with it; the lock beside
// it says who it is, by more than a process number, so that a dead one's place is taken at once.
//
// The token outlives the server: a page that is open, or a script, goes on after a restart. Who
// wants a new one removes the file `server.token`.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { type Liveness, type ProcessIdentity, livenessOf } from "../os/identity.ts";
import { realDisk } from "../store/disk.ts";
import { type Environment, homeOf } from "../store/home.ts";
import { sweepLeft, sweepOwn } from "../store/left.ts";
import { replaceFile } from "../store/replace.ts";
import {
  type Lock,
  type LockWorld,
  acquire,
  lockPath,
  namedAt,
  release,
  sideFile,
} from "../store/lock.ts";

export interface ServerFile {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  readonly startedAt: string;
}

export interface FoundServer extends ServerFile {
  readonly home: string;
}

export interface ServerPlace {
  readonly token: string;
  /** Tells others where the server is. */
  publish(url: string, startedAt: string): Promise<void>;
  /** Nobody is to come any more; the place is still ours. */
  withdraw(): void;
  /** Another server may start. */
  leave(): void;
}

/** Refused as `locked` while another server of this home lives. */
export async function takeServerPlace(home: string, world: LockWorld): Promise<ServerPlace> {
  const file = join(home, "server.json");
  const lock = await locked(file, world);
  sweepLeft(lock, realDisk);
  // Servers that were killed while they came or went: under the lock, nobody but us makes a token.
  sweepOwn(file, { ...world, liveness });
  for (const name of ["server.token", openerName])
    sweepLeft({ ...lock, file: join(home, name) }, realDisk);
  sweepKeys(home);
  const token = await tokenOf(home, world);
  return {
    token,
    publish: (url, startedAt) => {
      const told: ServerFile = { url, token, pid: process.pid, startedAt };
      return replace(file, sideFile(file, lock.token, "tmp"), `${JSON.stringify(told, null, 2)}\n`);
    },
    withdraw: () => {
      realDisk.remove(file);
      realDisk.remove(join(home, openerName));
    },
    leave: () => release(lock, realDisk),
  };
}

/** As it lies there; the server may be gone. */
export function readServerFile(home: string): ServerFile | undefined {
  try {
    const bytes = realDisk.read(join(home, "server.json"), 64 * 1024);
    const value = bytes && (JSON.parse(Buffer.from(bytes).toString("utf8")) as Partial<ServerFile>);
    return value && typeof value.url === "string" && typeof value.pid === "number"
      ? (value as ServerFile)
      : undefined;
  } catch {
    // Half a file of somebody else's: as good as none.
    return undefined;
  }
}

/** The server of this home, if one runs and answers. */
export async function findServer(env: Environment): Promise<FoundServer | undefined> {
  const { path: home } = homeOf(env);
  const file = readServerFile(home);
  if (file === undefined) return undefined;
  try {
    const { ok } = await fetch(`${file.url}/healthz`, { signal: AbortSignal.timeout(answerMs) });
    return ok ? { ...file, home } : undefined;
  } catch {
    // Stopped by a person, or what an earlier server left while the next one is starting.
    return undefined;
  }
}

/**
 * A page of one line that leads to the server with its token. Everybody on the machine can read what a
 * browser is started with; this file is for us alone. Written again for each browser, and gone with the server.
 * Returns its file: address.
 */
export async function writeOpener(home: string, address: string): Promise<string> {
  const path = join(home, openerName);
  const to = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  const text = `<!doctype html>
<meta charset="utf-8" />
<meta name="referrer" content="no-referrer" />
<meta http-equiv="content-security-policy" content="default-src 'none'" />
<meta http-equiv="refresh" content="0; url=${to}" />
<title>Holdfast</title>
<a href="${to}">Holdfast</a>
`;
  await replace(path, sideFile(path, randomBytes(8).toString("hex"), "tmp"), text);
  return pathToFileURL(path).href;
}

/** Whether a server of this home lives: it is starting, at work, ending, or stopped by a signal. */
export function isServed(home: string): boolean {
  const holder = namedAt(lockPath(join(home, "server.json")), realDisk)?.process;
  return holder !== undefined && livenessOf(holder) !== "gone";
}

// --- internal ---

const openerName = "open.html";
/** A server on this machine answers within a few milliseconds, unless it is stopped. */
const answerMs = 2_000;

/** A server that a person stopped with Ctrl-Z is theirs to wake, not ours to replace. */
function liveness(holder: ProcessIdentity): Liveness {
  const found = livenessOf(holder);
  return found === "stopped" ? "alive" : found;
}

async function locked(file: string, world: LockWorld): Promise<Lock> {
  try {
    return await acquire(file, { ...world, liveness }, { living: 0, nameless: 0, stopped: 0 });
  } catch (cause) {
    if (!(cause instanceof Fault) || cause.code !== "locked") throw cause;
    const running = readServerFile(join(file, ".."));
    const text = running
      ? msg("server.running", { url: running.url, pid: running.pid })
      : msg("server.starting");
    throw new Fault("locked", text, { hint: msg("server.running.hint"), cause });
  }
}

async function tokenOf(home: string, world: LockWorld): Promise<string> {
  const file = join(home, "server.token");
  const bytes = realDisk.read(file, 1024);
  const kept = bytes && Buffer.from(bytes).toString("utf8").trim();
  if (kept && /^[\w-]{43}$/.test(kept)) return kept;
  const token = randomBytes(32).toString("base64url");
  await replace(file, sideFile(file, world.random(), "tmp"), `${token}\n`);
  return token;
}

/** Of who was killed while the home got its key: with one there, no other is ever taken. */
function sweepKeys(home: string): void {
  if (realDisk.stamp(join(home, "secret.key")) === null) return;
  for (const name of realDisk.list(home))
    if (/^secret\.key\.[0-9a-f]{16}\.tmp$/.test(name)) realDisk.remove(join(home, name));
}

/** For us alone. */
function replace(path: string, temporary: string, text: string): Promise<void> {
  return replaceFile({ path, temporary, text, mode: 0o600 });
}
