// Who calls, for a claim (S2.11): a session by its name, or the process that all its calls come from.
import type { Environment } from "../store/home.ts";
import { type ProcessIdentity, livenessOf, self } from "../os/identity.ts";
import { processes } from "../os/processes.ts";
import type { Holder, UnitData } from "../workflows/orchestrate/private.ts";

export type SessionHolder = Holder<ProcessIdentity>;
export type SessionUnit = UnitData<ProcessIdentity>;

export interface Owner {
  readonly session: string;
  readonly process: ProcessIdentity | null;
}

/** How long a claim stands without a word of its session (S2.11). */
export const leaseMs = 60 * 60_000;

export function ownerOf(given: string | undefined, env: Environment): Owner {
  const named = [given, env["HOLDFAST_SESSION"], env["CLAUDE_SESSION_ID"]].find(
    (name) => name !== undefined && name !== "",
  );
  return named === undefined ? ofProcess() : { session: named.slice(0, 200), process: null };
}

export function holderOf({ session, process }: Owner, now: number): SessionHolder {
  return { session, process, since: new Date(now).toISOString(), until: now + leaseMs };
}

/** Has it run out, or is who held it gone? Its own session may always go on with it. */
export function isLost(
  { holder }: Pick<SessionUnit, "holder">,
  { session }: Owner,
  now: number,
): boolean {
  if (holder === null || holder.session === session) return false;
  return holder.until <= now || (holder.process !== null && livenessOf(holder.process) === "gone");
}

/** Written once in a while, not at every call. */
export function isDue(
  { holder }: Pick<SessionUnit, "holder">,
  { session }: Owner,
  now: number,
): boolean {
  return holder?.session === session && holder.until - now < leaseMs - renewAfterMs;
}

// --- internal ---

const renewAfterMs = 10 * 60_000;

/**
 * The outermost of the processes we come from: a terminal, or an agent's program. Those nearer to us
 * may be a shell that an agent started for this one call; their end would be the end of the claim.
 */
function ofProcess(): Owner {
  const { host, boot, namespace, pid, start } = self();
  let found = { pid, start };
  let row = processes.at(pid);
  for (let depth = 0; depth < deepest && row !== undefined && row.parent > 1; depth++) {
    row = processes.at(row.parent);
    if (row !== undefined) found = { pid: row.pid, start: row.start };
  }
  const session = `process ${found.pid}-${found.start}`;
  return { session, process: { host, boot, namespace, ...found } };
}

const deepest = 64;
