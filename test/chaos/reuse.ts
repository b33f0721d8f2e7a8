// A number comes again at once here, often within the hundredth of a second that start times count.
//
// Runs as a child of the first process of a pid namespace of its own, where the next number can
// be chosen: an agent and its holder die unseen, a stranger gets the number of one of them, and all
// we can do to the run is done. Prints one JSON for each round: what became of the stranger.
import { spawn } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { closeInput } from "../../src/agents/streams.ts";
import { hasBegun, specAt, supervisorAt } from "./parts.ts";

const [home = "", place = "", rounds = "1"] = process.argv.slice(2);
const supervisor = supervisorAt(home);

const stat = (pid: number): string[] => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return [];
  }
};

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It went first.
  }
}

async function until(is: () => boolean): Promise<void> {
  for (let turn = 0; !is(); turn++) {
    if (turn > 10_000) throw new Error("waited in vain");
    await pause(1);
  }
}

/** A process with exactly this number. */
async function strangerAt(pid: number): Promise<number> {
  for (let turn = 0; turn < 1000; turn++) {
    writeFileSync("/proc/sys/kernel/ns_last_pid", String(pid - 1));
    // Another home's: no tag of ours, in a session of its own.
    const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore", env: process.env });
    const got = child.pid ?? 0;
    if (got === pid) return got;
    const gone = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await gone;
  }
  throw new Error(`the number ${pid} does not come again`);
}

for (let round = 0; round < Number(rounds); round++) {
  const run = `run-${round}`;
  const spec = specAt(home, place, run, ["sleep", "1000"]);
  await supervisor.start(spec);
  await until(() => hasBegun(spec.folder));
  const { pid: agent = 0 } = await supervisor.look(spec.folder);
  const holder = Number(stat(agent)[1]);
  // All of its session: while one of it lives, the kernel gives the holder's number to nobody.
  await until(() => {
    const left = readdirSync("/proc")
      .map(Number)
      .filter((pid) => pid > 1 && Number(stat(pid)[3]) === holder);
    for (const pid of left) killIfThere(pid);
    return left.length === 0;
  });
  const reused = round % 2 === 0 ? agent : holder;
  const stranger = await strangerAt(reused);
  await until(() => stat(stranger)[0] === "S");
  const look = await supervisor.look(spec.folder);
  await closeInput(spec.folder);
  const results = [
    await supervisor.freeze(run),
    await supervisor.thaw(run),
    await supervisor.end(run, { graceMs: 0 }),
  ];
  await supervisor.sweep(new Set());
  console.log(
    JSON.stringify({
      look: [look.state, look.code],
      verified: results.every(({ verified }) => verified),
      stranger: stat(stranger)[0] ?? "gone",
      same: stranger === reused,
    }),
  );
  killIfThere(stranger);
}
