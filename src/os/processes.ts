// The processes of this machine, as they are now: /proc on Linux, `ps` elsewhere (untested).
import { closeSync, fstatSync, openSync, readSync, readdirSync } from "node:fs";
import { ps, rowInShell, startOf } from "./_ps.ts";

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** As the kernel says it: R, S, D, T (stopped), t (traced), Z (zombie), … */
  readonly state: string;
  /** Never the same for two processes with one pid. */
  readonly start: string;
  readonly threads: number;
}

export interface ProcessTable {
  /** Each process once, the youngest first. */
  list(): ProcessRow[];
  at(pid: number): ProcessRow | undefined;
  /** A variable of a process of our own user, as it was when its program began. */
  variable(pid: number, name: string): string | undefined;
  /** The states of its threads. */
  threads(pid: number): string[];
}

const linux: ProcessTable = {
  list: () => {
    const rows: ProcessRow[] = [];
    const seen = new Set<string>();
    // Looks again until no new one has come: one that forks and ends all the time is gone before
    // its turn, but its child is among the few of the next look.
    for (let look = 0; look < mostLooks; look++) {
      const fresh = readdirSync("/proc").filter((name) => isNumber(name) && !seen.has(name));
      if (fresh.length === 0) break;
      for (const name of fresh) {
        seen.add(name);
        const row = rowAt(Number(name));
        if (row !== undefined) rows.push(row);
      }
    }
    // Those that were seen last first: they are the likeliest to be gone soon.
    return rows.toReversed();
  },
  at: rowAt,
  variable: (pid, name) => {
    let before: Emptiness | undefined;
    for (let look = 0; ; look++) {
      const bytes = readWhole(`/proc/${pid}/environ`, true);
      if (bytes === undefined) return undefined;
      if (bytes.length > 0) return entryOf(bytes, name);
      // In an exec it has none for a moment: taken for a stranger's, it would be left alive.
      const now = emptinessOf(pid);
      before ??= now;
      if (look === mostBlinks || hasNoVariables(now, before)) return undefined;
      blink();
    }
  },
  threads: (pid) => {
    try {
      return readdirSync(`/proc/${pid}/task`).flatMap((task) => {
        const bytes = readWhole(`/proc/${pid}/task/${task}/stat`);
        return bytes === undefined ? [] : (parseStat(bytes.toString("latin1"))?.state ?? []);
      });
    } catch {
      return [];
    }
  },
};

export const processes: ProcessTable = process.platform === "linux" ? linux : ps;

/** A zombie, unless only its first thread has ended. */
export function isGone({ state, threads }: ProcessRow): boolean {
  return (state === "Z" || state === "X") && threads <= 1;
}

/**
 * A command of sh that puts into a variable what the system says of the process that runs it. A
 * subshell is told of itself, not of the shell it was forked from.
 */
export function identifyInShell(variable: string): string {
  return process.platform === "linux"
    ? `read -r ${variable} </proc/self/stat`
    : `${variable}=$(${rowInShell})`;
}

/** Reads what `identifyInShell` found. */
export function parseIdentified(words: string): Pick<ProcessRow, "pid" | "start"> | undefined {
  return process.platform === "linux" ? parseStat(words) : startOf(words);
}

// --- internal ---

const mostLooks = 5;

/** Milliseconds that a look may stand still for a process on its way from one program to the next. */
const mostBlinks = 100;

/** Stands still for a millisecond. */
function blink(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
}

function rowAt(pid: number): ProcessRow | undefined {
  const bytes = readWhole(`/proc/${pid}/stat`);
  return bytes === undefined ? undefined : parseStat(bytes.toString("latin1"));
}

interface Emptiness {
  readonly state: string;
  /** In hundredths of a second. */
  readonly used: number;
  readonly memory: number;
  readonly begin: number;
  readonly end: number;
}

function emptinessOf(pid: number): Emptiness {
  const line = readWhole(`/proc/${pid}/stat`)?.toString("latin1") ?? "";
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const [user = 0, system = 0, memory = 0, begin = 0, end = 0] = [11, 12, 20, 47, 48].map((place) =>
    Number(fields[place] ?? 0),
  );
  return { state: fields[0] ?? "", used: user + system, memory, begin, end };
}

/**
 * The kernel's own processes have no memory at all. One that was emptied has an environment that begins where
 * it ends. In an exec it does so for a moment, too, and may lose the processor in it: but then it is about to
 * run, and has not run on since we looked first.
 */
function hasNoVariables(now: Emptiness, before: Emptiness): boolean {
  if (now.memory === 0) return true;
  if (now.begin === 0 || now.begin !== now.end) return false;
  const isResting = now.state === "S" || now.state === "T" || now.state === "t";
  return isResting || (now.begin === before.begin && now.used > before.used + 1);
}

/** A line of /proc/<pid>/stat; the name in it may hold blanks and brackets. */
function parseStat(line: string): ProcessRow | undefined {
  const end = line.lastIndexOf(")");
  const pid = Number.parseInt(line, 10);
  // After the name: state, parent, group, session, …; threads is the 18th, start the 20th.
  const fields = line.slice(end + 2).split(" ");
  const [state = "", parent, group, session] = fields;
  const start = fields[19];
  if (end < 0 || !(pid > 0) || start === undefined) return undefined;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    state,
    start,
    threads: Number(fields[17]),
  };
}

function isNumber(name: string): boolean {
  const first = name.charCodeAt(0);
  return first >= 0x30 && first <= 0x39;
}

/** One for all: a look at every process reads hundreds of files. It grows, and is kept. */
let space = Buffer.allocUnsafe(4 * 1024);

/**
 * What a file of /proc says, good until the next call; undefined where the process is gone, or
 * the file is not ours to read. `ours`: nor another user's.
 */
function readWhole(path: string, ours = false): Buffer | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(path, "r");
    if (ours && fstatSync(handle).uid !== process.getuid?.()) return undefined;
    let length = 0;
    for (;;) {
      if (length === space.length) space = Buffer.concat([space, Buffer.allocUnsafe(length)]);
      const count = readSync(handle, space, length, space.length - length, null);
      length += count;
      // These files give all they have, as far as there is room.
      if (length < space.length) return space.subarray(0, length);
    }
  } catch (cause) {
    // In an exec an environment may have its end and not yet its beginning: as good as none.
    return (cause as NodeJS.ErrnoException).code === "EIO" ? Buffer.alloc(0) : undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** `name=value` in a row of texts that each end with a zero. */
function entryOf(bytes: Buffer, name: string): string | undefined {
  const wanted = `${name}=`;
  for (let from = 0; ;) {
    const at = bytes.indexOf(wanted, from);
    if (at < 0) return undefined;
    from = at + wanted.length;
    if (at > 0 && bytes[at - 1] !== 0) continue;
    const end = bytes.indexOf(0, from);
    return bytes.toString("utf8", from, end < 0 ? bytes.length : end);
  }
}
