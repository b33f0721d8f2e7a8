// Processes by `ps`, for systems without /proc. Meant for macOS, where nobody has tried it yet:
// rows and parsing are tested with Linux' own `ps`, the flag -E (environment) is not.
import { spawnSync } from "node:child_process";
import type { ProcessRow, ProcessTable } from "./processes.ts";

export const ps: ProcessTable = {
  list: () => {
    environments = environmentsOf(["-axEww"]);
    return rowsOf(run(["-axo", columns]));
  },
  at: (pid) => {
    environments.delete(pid);
    return rowsOf(run(["-o", columns, "-p", String(pid)]))[0];
  },
  // As of the last look: a call of `ps` for each process of the machine would take seconds.
  variable: (pid, name) => {
    const words = environments.get(pid) ?? environmentsOf(["-Eww", "-p", String(pid)]).get(pid);
    return words?.findLast((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
  },
  // It stops and goes on as a whole, and `ps` shows the worst of them.
  threads: (pid) => rowsOf(run(["-o", columns, "-p", String(pid)])).map(({ state }) => state),
};

/** `$PPID` of the process in between is the one that asks. */
export const rowInShell = "exec sh -c 'LC_ALL=C ps -o pid=,lstart= -p $PPID'";

export function startOf(words: string): { pid: number; start: string } | undefined {
  const [pid, ...start] = words.trim().split(/\s+/);
  return start.length === 0 ? undefined : { pid: Number(pid), start: start.join(" ") };
}

export function rowsOf(text: string): ProcessRow[] {
  return text.split("\n").flatMap((line) => {
    const [pid, parent, group, state = "", ...start] = line.trim().split(/\s+/);
    if (start.length === 0) return [];
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      // macOS tells no session's number. A group is never larger than its session.
      session: Number(group),
      state: state.slice(0, 1),
      start: start.join(" "),
      threads: 1,
    };
  });
}

// --- internal ---

const columns = "pid=,ppid=,pgid=,stat=,lstart=";

let environments = new Map<number, string[]>();

/** Words, unquoted: good enough for values without blanks. None of another user's process. */
function environmentsOf(which: readonly string[]): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const line of run([...which, "-o", "pid=,uid=,command="]).split("\n")) {
    const [pid, owner, ...words] = line.trim().split(/\s+/);
    found.set(Number(pid), owner === String(process.getuid?.()) ? words : []);
  }
  return found;
}

function run(args: readonly string[]): string {
  // One language: the start time is compared as text.
  const { stdout } = spawnSync("ps", args, {
    encoding: "utf8",
    env: { PATH: "/bin:/usr/bin", LC_ALL: "C" },
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout ?? "";
}
