import { spawnSync } from "node:child_process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { full, limit } from "../crash/programs.ts";
import { figure } from "../figures.ts";
import { bundle } from "./servers.ts";
import { type ChaosWorld, chaosWorld } from "./world.ts";

const rounds = full ? 50 : 10;

let world: ChaosWorld;
beforeEach(() => {
  world = chaosWorld();
});
afterEach(() => world.close());

/** A process table of our own: the shell is its first process, and reaps whatever is orphaned. */
const inNamespace = (script: string): ReturnType<typeof spawnSync> =>
  spawnSync("unshare", ["--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c", script], {
    encoding: "utf8",
    timeout: limit.timeout,
  });

test(
  `S1.10 in ${rounds} of ${rounds} reuses of a number, of agent or holder, no stranger is signalled`,
  limit,
  async ({ skip }) => {
    const able = inNamespace("echo 100 >/proc/sys/kernel/ns_last_pid");
    skip(able.status !== 0, "reuse of numbers: it needs root, unshare and ns_last_pid");
    const program = await bundle("reuse.ts", world.place);
    const words = [process.execPath, program, world.home, world.place, rounds].join(" ");
    const { stdout, stderr, status } = inNamespace(`${words}; exit $?`);
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    const lines = String(stdout).trim().split("\n");
    const seen = lines.map((line) => JSON.parse(line) as { stranger: string; same: boolean });
    figure("numbers reused", {
      seen: seen.filter(({ same }) => same).length,
      lost: seen.filter(({ stranger }) => stranger !== "S").length,
    });
    expect(seen).toEqual(
      Array.from({ length: rounds }, () => ({
        look: ["ended", null],
        verified: true,
        stranger: "S",
        same: true,
      })),
    );
  },
);
