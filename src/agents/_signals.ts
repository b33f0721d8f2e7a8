// Freeze, thaw and end a run's processes (S1.10), each verified by looking at them again.
//
// - SIGTSTP does nothing in a process group without a parent in its session, which is what every
//   detached process is; SIGSTOP does. It comes at once, so that nobody has to be waited for.
// - Parents are stopped before their children and go on after them. A shell with job control
//   that saw its child stop would take the job for suspended and go on with the next one.
// - A fork that was under way shows up in the next look. So it is looked until all stand still,
//   twice: the first time, the last of them may have forked before it stood.
// - A stopped process acts on SIGTERM only when it goes on, so SIGCONT follows.
// - Before SIGKILL everything is stopped: what stands still can not fork away from it.
import { type ProcessRow, processes } from "../os/processes.ts";
import { type Known, type Tree, send, sendToGroups, treeOf } from "./_tree.ts";
import { claimForNobody, runFolder } from "./run.ts";

export interface Clock {
  /** Milliseconds; only differences count. */
  readonly now: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** What a freeze, thaw or end found. */
export interface Found {
  /** Processes that it was about. */
  readonly count: number;
  /** Seen in the wished state: all stopped, none stopped, none left. */
  readonly verified: boolean;
  readonly ms: number;
}

/** Called with what sends the stops: to be called once, at once, with the database's lock held. */
export type Around = (stop: () => void) => Promise<void>;

export async function freezeTree(
  home: string,
  run: string,
  clock: Clock,
  around: Around,
): Promise<Found> {
  const began = clock.now();
  const known: Known = new Map();
  for (;;) {
    let [still, count] = [false, 0];
    await around(() => {
      const stopped = stopAll(home, run, known, clock);
      still = stopped.still;
      count = stopped.tree.rows.length;
    });
    const ms = clock.now() - began;
    if (still || ms > freezePatience) return { count, verified: still, ms };
    await clock.wait(shortest);
  }
}

export async function thawTree(home: string, run: string, clock: Clock): Promise<Found> {
  const began = clock.now();
  const known: Known = new Map();
  for (let first = true; ; first = false) {
    const { rows } = treeOf(home, run, known);
    const stopped = rows.filter((row) => threadsOf(row).includes("T"));
    // Once to all: it also takes away the stop that a parent in the kernel has still before it.
    for (const row of (first ? rows : stopped).toReversed()) send(row, "SIGCONT");
    const ms = clock.now() - began;
    const verified = stopped.length === 0;
    if (verified || ms > freezePatience) return { count: rows.length, verified, ms };
    await clock.wait(shortest);
  }
}

export async function endTree(
  home: string,
  run: string,
  clock: Clock,
  graceMs: number,
): Promise<Found> {
  claimForNobody(runFolder(home, run));
  const began = clock.now();
  const known: Known = new Map();
  const asked = new Set<number>();
  let aloneSince = Infinity;
  for (let turn = 0, empty = 0; ; turn++) {
    const tree = treeOf(home, run, known);
    const ms = clock.now() - began;
    empty = tree.rows.length === 0 ? empty + 1 : 0;
    // Twice, for the same reason as above.
    if (empty === 2) return { count: known.size, verified: true, ms };
    if (ms > graceMs + killPatience) return { count: known.size, verified: false, ms };
    if (ms < graceMs) askToEnd(tree, asked, turn === 0);
    else {
      // The holder is left: it says how the agent ended, and ends by itself.
      const alone = tree.rows.every((row) => row === tree.holder);
      aloneSince = alone ? Math.min(aloneSince, ms) : Infinity;
      if (!alone) killAll(home, run, known, clock);
      else if (ms - aloneSince > holderPatience) tree.rows.forEach(kill);
    }
    if (empty === 0) await clock.wait(Math.min(longest, shortest * 2 ** Math.min(turn, 10)));
  }
}

// --- internal ---

const shortest = 2;
const longest = 50;
/** How long the event loop may stand still for a freeze before it takes a breath. */
const burst = 50;
/** How long a look waits for one parent, and in how many the children wait for their parents. */
const blink = 5;
const patientRounds = 8;
/** How often a vforked child is let go on, to reach its exec. */
const mostReleases = 5;
/** However slow the machine is: so many allow for all this, and for two quiet looks after. */
const fewestRounds = 12;
const freezePatience = 2000;
const killPatience = 5000;
/** On a loaded machine it may take a second to write one line; an end that it did not say is unknown. */
const holderPatience = 2500;

/**
 * Stops everything, and looks until it stands still. Does not return in between.
 *
 * A parent waits in the kernel for its child between vfork and exec (dash does so for each
 * command) and is not stopped there if that child is. The child goes on for as long as it takes;
 * if it does not come to its exec, the parent counts as still: before it runs again, it stops.
 */
function stopAll(home: string, run: string, known: Known, clock: Clock): Stopped {
  const began = clock.now();
  for (let round = 0, quiet = 0; ; round++) {
    const tree = treeOf(home, run, known);
    const stopped = new Set(tree.rows.filter((row) => isIn(row, "TtZX")));
    const parents = new Set([...stopped].map(({ parent }) => parent));
    const waits = (row: ProcessRow): boolean => parents.has(row.pid) && isIn(row, "TtZXD");
    const moving = tree.rows.filter(
      (row) => !stopped.has(row) && !(round > mostReleases && waits(row)),
    );
    quiet = moving.length === 0 ? quiet + 1 : 0;
    if (quiet === 2) return { tree, still: true };
    if (round > fewestRounds && clock.now() - began > burst) return { tree, still: false };
    const left = sendStops(moving, round > patientRounds, clock);
    // One that forks and ends faster than we look is caught with its whole group, seen or not. Not
    // before the parents stand still: the order within a group is the kernel's.
    if (left === 0 && (round > 0 || moving.length === 0)) sendToGroups(tree, "SIGSTOP");
    const waiting = new Set(moving.filter(waits).map(({ pid }) => pid));
    for (const row of stopped) if (waiting.has(row.parent)) send(row, "SIGCONT");
  }
}

/**
 * Parents first, and sent is not yet stopped: the children of one that still runs are left for the
 * next round. How many were left.
 */
function sendStops(moving: readonly ProcessRow[], all: boolean, clock: Clock): number {
  const running = new Set(moving.map(({ pid }) => pid));
  const parents = new Set(moving.map(({ parent }) => parent));
  let left = 0;
  for (const row of moving) {
    if (running.has(row.parent) && !all) {
      left++;
      continue;
    }
    send(row, "SIGTSTP");
    send(row, "SIGSTOP");
    if (parents.has(row.pid) && standsStill(row, clock)) running.delete(row.pid);
  }
  return left;
}

/** It does at once, unless the machine has no time for it. */
function standsStill({ pid }: ProcessRow, { now }: Clock): boolean {
  const deadline = now() + blink;
  for (;;) {
    const state = processes.at(pid)?.state ?? "X";
    if ("TtDZX".includes(state)) return true;
    if (now() > deadline) return false;
  }
}

interface Stopped {
  readonly tree: Tree;
  readonly still: boolean;
}

/** The state of a process is that of its first thread: the others are asked too. */
function threadsOf({ pid, state, threads }: ProcessRow): readonly string[] {
  return threads <= 1 ? [state] : processes.threads(pid);
}

function isIn(row: ProcessRow, states: string): boolean {
  return threadsOf(row).every((each) => states.includes(each));
}

/**
 * Once, all that is there, whole groups at a time; later only the agent, if it had not begun. What
 * an agent starts to clean up after itself is left alone while the grace lasts. The holder, which
 * is in the agent's group, minds no SIGTERM.
 */
function askToEnd(tree: Tree, asked: Set<number>, first: boolean): void {
  const { rows, holder, groups } = tree;
  if (first) for (const signal of ["SIGTERM", "SIGCONT"] as const) sendToGroups(tree, signal);
  for (const row of rows) {
    const reached = first && groups.includes(row.group);
    const due = first || row.parent === holder?.pid;
    if (due && row !== holder && !reached && !asked.has(row.pid)) {
      send(row, "SIGTERM");
      send(row, "SIGCONT");
    }
    if (due) asked.add(row.pid);
  }
}

function killAll(home: string, run: string, known: Known, clock: Clock): void {
  const { tree } = stopAll(home, run, known, clock);
  for (const row of tree.rows) if (row !== tree.holder) kill(row);
  if (tree.holder) send(tree.holder, "SIGCONT");
}

function kill(row: ProcessRow): void {
  send(row, "SIGKILL");
}
