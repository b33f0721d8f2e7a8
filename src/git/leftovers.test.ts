import { type ChildProcess, spawn } from "node:child_process";
import { afterEach, expect, test } from "vitest";
import { processes } from "../os/processes.ts";
import { tagVariable } from "./_environment.ts";
import { endLeftovers, killThis, leftovers } from "./leftovers.ts";

const tag = `leftovers.test ${process.pid}`;
let child: ChildProcess;
afterEach(() => child.kill("SIGKILL"));

test("S1.10 what carries the tag is found, and ended as the process it was found as", async () => {
  const pid = await sleeper();
  expect(leftovers(tag).map((row) => row.pid)).toEqual([pid]);
  const ended = new Promise<string | null>((end) => {
    child.once("exit", (_, signal) => end(signal));
  });
  await endLeftovers(tag);
  expect(leftovers(tag)).toEqual([]);
  expect(await ended).toBe("SIGKILL");
});

test("S1.10 a number that has become another process's is left alone", async () => {
  const pid = await sleeper();
  const row = processes.at(pid);
  // As if the one that was found had ended, and its number had been given out again.
  killThis({ pid, start: `${Number(row?.start) - 1}` });
  child.kill("SIGTERM");
  const [code, signal] = await new Promise<[number | null, string | null]>((end) => {
    child.once("exit", (...how) => end(how));
  });
  expect([code, signal]).toEqual([7, null]);
});

// --- internal ---

/** Says when it is there; ends with 7 where it is asked politely. */
async function sleeper(): Promise<number> {
  const script =
    'process.on("SIGTERM", () => process.exit(7)); setInterval(() => {}, 1000); console.log("there")';
  child = spawn(process.execPath, ["-e", script], {
    env: { ...process.env, [tagVariable]: tag },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((there) => child.stdout?.once("data", there));
  return child.pid ?? 0;
}
