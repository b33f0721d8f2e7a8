// Who is a process? Its number alone is reused: pid + start time + boot + pid namespace tell.
// A zombie still has a number, so its state is read too. Linux only: elsewhere every process of
// this host counts as living, which makes a takeover wait for a person (`doctor --fix`).
import { readFileSync, readlinkSync } from "node:fs";
import { hostname, uptime } from "node:os";

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
    host: hostname(),
    boot: bootId(),
    namespace: namespaceId(),
    pid: process.pid,
    start: statusOf(process.pid)?.start ?? "",
  });
}

export function livenessOf(other: ProcessIdentity): Liveness {
  const { host, boot, namespace } = self();
  if (other.host !== host) return "unknown";
  // Our own host, another boot: whoever it was, it did not survive.
  if (other.boot !== boot) return "gone";
  if (other.namespace !== namespace) return "unknown";
  const status = statusOf(other.pid);
  if (status === undefined || status.start !== other.start || status.state === "Z") return "gone";
  return status.state === "T" || status.state === "t" ? "stopped" : "alive";
}

/** Milliseconds since 1970 before which nothing of this boot can have happened. */
export function bootedAt(now: number): number {
  // Two seconds of slack: uptime and the wall clock are not read at one instant.
  return now - uptime() * 1000 - 2000;
}

// --- internal ---

let ours: ProcessIdentity | undefined;

function bootId(): string {
  return readOr("/proc/sys/kernel/random/boot_id", "no-boot-id");
}

function namespaceId(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "no-namespace";
  }
}

/** State and start time from /proc; the name before them may hold blanks and brackets. */
function statusOf(pid: number): { state: string; start: string } | undefined {
  const text = readOr(`/proc/${pid}/stat`, "");
  if (text === "") return undefined;
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0] ?? "", start: fields[19] ?? "" };
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, "latin1").trim();
  } catch {
    return otherwise;
  }
}
