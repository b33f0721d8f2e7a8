// Group commit: what callers of this process hand in during one turn of the event loop is written
// in one transaction with one sync, and each is answered after COMMIT has returned.
//
//   queued ──turn──▶ BEGIN IMMEDIATE ──▶ each job ──▶ COMMIT (the sync) ──▶ answered
//                        │ busy              │ refused or failed: only its own writes are undone
//                        ▼                   ▼ the disk failed: all of them, and we stop writing
//                  again later, loop free
//
// A job that fails before it has written anything needs no undoing, and nearly all do: what is
// checked is checked by the first statement. So there are no savepoints at first (they copy each
// page they touch: 12–26 % of the time of 200 jobs); only when a job fails half-way is everything
// rolled back and taken up again, each under a savepoint. A job may therefore run twice.
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import type { Connection } from "./_sqlite-connection.ts";
import { faultOf, isBusy, isDiskError, isOnlyStatement, lockedFault } from "./_sqlite-faults.ts";
import { Refused } from "./_sqlite-refusals.ts";

export interface Queue {
  /** Answers with what `job` returned, once that is durable. `bytes`: about how much it writes. */
  write<T>(job: () => T, bytes?: number): Promise<T>;
  /** Reads now; waits, with the loop free, while another process recovers the log. */
  read<T>(read: () => T): Promise<T>;
  /** Transactions committed that wrote something. */
  readonly commits: number;
  /** Takes nothing more and resolves when all that was taken is answered. */
  end(): Promise<void>;
}

/** `patience`: milliseconds to wait for another process's lock before giving up. */
export function createQueue(connection: Connection, patience: number): Queue {
  return new GroupCommit(connection, patience);
}

/** Tries again while another process holds the lock, for so long, with the event loop free. */
export async function patiently<T>(file: string, patience: number, act: () => T): Promise<T> {
  // Asked for when there is something to wait for: Node loads its clocks only then.
  let since: number | undefined;
  for (;;) {
    try {
      return act();
    } catch (error) {
      if (!isBusy(error)) throw faultOf(file, error);
      const waited = performance.now() - (since ??= performance.now());
      if (waited >= patience) throw lockedFault(file, waited, error);
      await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds()));
    }
  }
}

// --- internal ---

interface Job {
  readonly run: () => unknown;
  readonly bytes: number;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
}

type Answer = { readonly job: Job } & (
  | { readonly answer: unknown }
  | { readonly error: unknown; readonly answer?: never }
);

/**
 * The loop stands still during a transaction. A job takes 20–25 µs of CPU on a busy machine, so 256
 * of them 6 ms, and the sync is a 256th each: more would gain nothing. Large contents are counted
 * too: one mebibyte took 11 ms with its sync on a busy disk.
 */
const mostJobs = 256;
const mostBytes = 2 * 1024 * 1024;

/** Different for each process, or they would all come back at the same moment. */
function pauseMilliseconds(): number {
  return 1 + Math.random() * 9;
}

class GroupCommit implements Queue {
  commits = 0;
  readonly #connection: Connection;
  readonly #patience: number;
  // An array and a head index: shift() is linear once there are tens of thousands.
  #queued: Job[] = [];
  #head = 0;
  #scheduled = false;
  #savepoints = false;
  #busySince: number | undefined;
  /** Why nothing is written any more. */
  #stopped: Fault | undefined;
  #closed = false;
  readonly #waiting: (() => void)[] = [];

  constructor(connection: Connection, patience: number) {
    this.#connection = connection;
    this.#patience = patience;
  }

  write<T>(run: () => T, bytes = 0): Promise<T> {
    const refused = this.#closed ? this.#closedFault() : this.#stopped;
    if (refused !== undefined) return Promise.reject(refused);
    return new Promise<T>((resolve, reject) => {
      this.#queued.push({ run, bytes, resolve, reject });
      this.#schedule();
    });
  }

  read<T>(read: () => T): Promise<T> {
    if (this.#closed) return Promise.reject(this.#closedFault());
    try {
      // Nearly always at once: whoever starts reads thousands of times, with code that is still cold.
      return Promise.resolve(read());
    } catch {
      return patiently(this.#connection.file, this.#patience, read);
    }
  }

  end(): Promise<void> {
    this.#closed = true;
    if (!this.#scheduled) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
  }

  #closedFault(): Fault {
    const { file } = this.#connection;
    return new Fault("internal", msg("store.closed", { file }));
  }

  /** At the end of this turn, not at once: whoever else has work in it joins the transaction. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#scheduled = false;
    if (this.#head < this.#queued.length && !this.#begin()) return;
    if (this.#head < this.#queued.length) this.#transact(this.#take());
    if (this.#head < this.#queued.length) this.#schedule();
    else for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** False: another process is writing, and it will be tried again. */
  #begin(): boolean {
    try {
      this.#connection.control("begin immediate");
      this.#busySince = undefined;
      return true;
    } catch (error) {
      const waited = performance.now() - (this.#busySince ??= performance.now());
      if (isBusy(error) && waited < this.#patience) {
        this.#scheduled = true;
        setTimeout(() => this.#flush(), pauseMilliseconds());
        return false;
      }
      this.#busySince = undefined;
      const { file } = this.#connection;
      this.#failAll(
        this.#queued.splice(this.#head),
        isBusy(error) ? lockedFault(file, waited, error) : error,
      );
      return true;
    }
  }

  #take(): Job[] {
    const from = this.#head;
    let bytes = 0;
    while (this.#head < this.#queued.length && this.#head - from < mostJobs && bytes < mostBytes)
      bytes += this.#queued[this.#head++]?.bytes ?? 0;
    const taken = this.#queued.slice(from, this.#head);
    if (this.#head === this.#queued.length) {
      this.#queued = [];
      this.#head = 0;
    }
    return taken;
  }

  #transact(jobs: readonly Job[]): void {
    const connection = this.#connection;
    const before = connection.writes;
    const answers: Answer[] = [];
    try {
      for (const job of jobs) {
        const answer = this.#savepoints ? runAlone(connection, job) : runWithin(connection, job);
        if (answer === undefined) return this.#again(jobs);
        answers.push(answer);
      }
      connection.control("commit");
    } catch (error) {
      this.#failAll(jobs, error);
      return;
    }
    this.#savepoints = false;
    if (connection.writes !== before) this.commits++;
    for (const answer of answers) {
      if ("error" in answer) answer.job.reject(faultOf(connection.file, answer.error));
      else answer.job.resolve(answer.answer as never);
    }
  }

  /** One has failed half-way: the same jobs once more, each to be undone on its own. */
  #again(jobs: readonly Job[]): void {
    this.#connection.control("rollback");
    this.#queued.splice(this.#head, 0, ...jobs);
    this.#savepoints = true;
  }

  #failAll(jobs: readonly Job[], error: unknown): void {
    const { database, file } = this.#connection;
    const fault = faultOf(file, error);
    if (isDiskError(error)) this.#stopped = fault as Fault;
    try {
      if (database.isTransaction) database.exec("rollback");
    } catch (problem) {
      // A transaction we can neither commit nor undo: nothing may be written on top of it.
      this.#stopped ??= faultOf(file, problem) as Fault;
    }
    for (const { reject } of jobs) reject(fault);
    if (this.#stopped !== undefined)
      for (const { reject } of this.#queued.splice(this.#head)) reject(this.#stopped);
  }
}

/** Undefined: it failed and has written something. */
function runWithin(connection: Connection, job: Job): Answer | undefined {
  const before = connection.writes;
  const answer = attempt(job);
  return answer.undo && connection.writes !== before ? undefined : answer;
}

function runAlone(connection: Connection, job: Job): Answer {
  connection.control("savepoint job");
  const answer = attempt(job);
  if (answer.undo) connection.control("rollback to job");
  connection.control("release job");
  return answer;
}

/** Throws only what ends the whole transaction. */
function attempt(job: Job): Answer & { undo: boolean } {
  try {
    return { job, answer: job.run(), undo: false };
  } catch (error) {
    if (error instanceof Refused) return { job, answer: error.answer, undo: true };
    if (!isOnlyStatement(error)) throw error;
    return { job, error, undo: true };
  }
}
