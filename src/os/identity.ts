// Who is a process? Its number alone is reused: pid + start time + boot + pid namespace tell.
// A zombie still has a number, so its state is read too.
import { readFileSync, readlinkSync } from "node:fs";
import { hostname, uptime } from "node:os";
import { isGone, processes } from "./processes.ts";

export interface ProcessIdentity {
  readonly host: string;
  readonly boot: string;
  /** The pid namespace: two containers on one volume may both have a process 1. */
  readonly namespace: string;
  readonly pid: number;
  readonly start: string;
}

/** stopped: by a signal; it may go on at any time. unknown: of a world we can not look into. */
export type Liveness = "alive" | "stopped" | "gone" | "unknown";

export function self(): ProcessIdentity {
  return (ours ??= {
    host: hostName(),
    boot: bootId(),
    namespace: namespaceId(),
    pid: process.pid,
    start: processes.at(process.pid)?.start ?? "",
  });
}

export function livenessOf(other: ProcessIdentity): Liveness {
  const { host, boot, namespace } = self();
  // A boot's id is unlike any other's, a host may change its name while it runs.
  const sameBoot = other.boot === boot && (boot !== noBootId || other.host === host);
  if (!sameBoot && other.host !== host) return "unknown";
  // Our own host, another boot: whoever it was, it did not survive.
  if (!sameBoot) return "gone";
  if (other.namespace !== namespace) return "unknown";
  const row = processes.at(other.pid);
  if (row === undefined || row.start !== other.start || isGone(row)) return "gone";
  return row.state === "T" || row.state === "t" ? "stopped" : "alive";
}

/** Milliseconds since 1970 before which nothing of this boot can have happened. */
export function bootedAt(now: number): number {
  // Two seconds of slack: uptime and the wall clock are not read at one instant.
  return now - uptime() * 1000 - 2000;
}

// --- internal ---

const noBootId = "no-boot-id";
let ours: ProcessIdentity | undefined;

/** From the kernel, where it is the same: node:os takes longer to load than all of this. */
function hostName(): string {
  try {
    return readFileSync("/proc/sys/kernel/hostname", "utf8").trim() || hostname();
  } catch {
    return hostname();
  }
}

function bootId(): string {
  try {
    // As UTF-8 Node reads it in one go.
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return noBootId;
  }
}

function namespaceId(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "no-namespace";
  }
}
