// A disk that fails or dies at its n-th step. A death is a throw that nobody handles: what comes
// after it in the same process does not happen, because every later step throws too.
import { type Disk, realDisk } from "../../src/store/disk.ts";

export class Died extends Error {}

export type FaultKind = "die_before" | "die_after" | "EIO" | "ENOSPC";

/** Steps that change the disk or make it durable; reads are not counted. */
const steps = ["create", "sync", "link", "rename", "remove", "syncFolder", "makeFolder"] as const;

export interface FaultyDisk extends Disk {
  /** The names of the steps taken so far. */
  readonly taken: string[];
}

export function faultyDisk(at: number, kind: FaultKind, sticky = false): FaultyDisk {
  const taken: string[] = [];
  let dead = false;
  const disk: Record<string, unknown> = { ...realDisk, taken };
  const die = (): never => {
    dead = true;
    throw new Died(`died at ${taken.length}`);
  };
  for (const name of steps) {
    const real = realDisk[name] as (...args: unknown[]) => unknown;
    disk[name] = (...args: unknown[]) => {
      if (dead) throw new Died("dead");
      taken.push(name);
      const hit = sticky ? taken.length >= at : taken.length === at;
      if (!hit) return real(...args);
      if (kind === "die_before") return die();
      if (kind === "die_after") {
        const result = real(...args);
        if (result instanceof Promise) return result.then(die);
        return die();
      }
      const fault = Object.assign(new Error(kind), { code: kind });
      if (name === "sync") return Promise.reject(fault);
      throw fault;
    };
  }
  for (const name of ["read", "stamp", "list", "close"] as const) {
    const real = realDisk[name] as (...args: unknown[]) => unknown;
    disk[name] = (...args: unknown[]) => {
      if (dead && name !== "close") throw new Died("dead");
      return real(...args);
    };
  }
  return disk as unknown as FaultyDisk;
}
