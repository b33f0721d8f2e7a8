import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { until } from "../../test/crash/programs.ts";
import { rowsOf } from "./_ps.ts";
import { livenessOf, self } from "./identity.ts";
import {
  type ProcessRow,
  identifyInShell,
  isGone,
  parseIdentified,
  processes,
} from "./processes.ts";

const started: ChildProcess[] = [];
const start = (command: string, args: string[], env = {}): number => {
  const child = spawn(command, args, { stdio: "ignore", env: { ...process.env, ...env } });
  started.push(child);
  return child.pid ?? 0;
};
const rowAt = (pid: number): ProcessRow => {
  const row = processes.at(pid);
  if (row === undefined) throw new Error(`there is no process ${pid}`);
  return row;
};
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

test("S1.10 every process is listed with its parent, group, session, state and threads", () => {
  const list = processes.list();
  const us = list.find(({ pid }) => pid === process.pid);
  expect(us).toEqual({ ...processes.at(process.pid), state: us?.state });
  expect(us?.parent).toBe(process.ppid);
  expect(us?.threads).toBe(processes.threads(process.pid).length);
  expect(list.length).toBeGreaterThan(2);
  expect(processes.at(2 ** 22 + 1)).toBeUndefined();
});

test("S1.10 a program whose name holds blanks, brackets and letters of a state is read rightly", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-names-"));
  try {
    const program = join(folder, "a) Z 1 (b");
    copyFileSync("/bin/sleep", program);
    const pid = start(program, ["1000"]);
    await until("it sleeps", () => processes.at(pid)?.state === "S");
    expect(processes.at(pid)).toMatchObject({ pid, parent: process.pid, threads: 1 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("S1.10 a variable is found whole, at its own name, and only in processes of our user", async ({
  skip,
}) => {
  const long = "x".repeat(100_000);
  const pid = start("sleep", ["1000"], { NOT_MY_TAG: "no", LONG: long, MY_TAG: "yes\nand more" });
  await until("it runs", () => processes.variable(pid, "LONG") === long);
  expect(processes.variable(pid, "MY_TAG")).toBe("yes\nand more");
  expect(processes.variable(pid, "TAG")).toBeUndefined();
  expect(processes.variable(2 ** 22 + 1, "MY_TAG")).toBeUndefined();
  skip(process.getuid?.() !== 0, "another user's process: only root can start one");
  // Root may read every environment, and still looks only at its own.
  const child = spawn("sleep", ["1000"], { uid: 65_534, env: { MY_TAG: "theirs" } });
  started.push(child);
  await until("it runs", () => processes.at(child.pid ?? 0)?.state === "S");
  expect(processes.variable(child.pid ?? 0, "MY_TAG")).toBeUndefined();
});

test("S1.10 a variable is found at every moment, also of a process that becomes one program after another", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-exec-"));
  try {
    // In between it has no environment for a moment, which it spends much of its life in.
    const program = join(folder, "again");
    writeFileSync(program, `exec sh ${program}\n`);
    const pid = start("sh", [program], { MY_TAG: "mine" });
    const seen = Array.from({ length: 1_000 }, () => processes.variable(pid, "MY_TAG"));
    expect(seen.filter((each) => each !== "mine")).toEqual([]);
    const empty = start("env", ["-i", "/bin/sleep", "1000"]);
    await until("it is emptied", () => processes.variable(empty, "PATH") === undefined);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("S1.10 a stopped process is stopped, a zombie is gone, a stranger with its number is not it", async () => {
  const pid = start("sh", ["-c", "sleep 1000 & echo; exec sleep 1001"]);
  await until("it has a child", () => processes.list().some(({ parent }) => parent === pid));
  const child = processes.list().find(({ parent }) => parent === pid);
  const identity = { ...self(), pid: child?.pid ?? 0, start: child?.start ?? "" };
  expect(livenessOf(identity)).toBe("alive");
  expect(livenessOf({ ...identity, start: "1" })).toBe("gone");
  expect(livenessOf({ ...identity, boot: "another" })).toBe("gone");
  expect(livenessOf({ ...identity, boot: "another", host: "elsewhere" })).toBe("unknown");
  // A host may change its name while it runs.
  expect(livenessOf({ ...identity, host: "renamed" })).toBe("alive");
  expect(livenessOf({ ...identity, namespace: "another" })).toBe("unknown");
  process.kill(identity.pid, "SIGSTOP");
  await until("it is stopped", () => livenessOf(identity) === "stopped");
  process.kill(identity.pid, "SIGKILL");
  // Nobody waits for it: `sleep` does not know that it has a child.
  await until("it is a zombie", () => processes.at(identity.pid)?.state === "Z");
  expect(isGone(rowAt(identity.pid))).toBe(true);
  expect(livenessOf(identity)).toBe("gone");
});

test("S1.10 a process is not gone while one of its threads lives", () => {
  const row = rowAt(process.pid);
  expect(isGone({ ...row, state: "Z", threads: 1 })).toBe(true);
  expect(isGone({ ...row, state: "Z", threads: 2 })).toBe(false);
});

test("S1.20 a shell says who it is, and a subshell who it is, not who its shell is", () => {
  const script = `${identifyInShell("a")}; echo "$$ $a"; ( ${identifyInShell("a")}; echo "$a" )`;
  const { stdout } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
  const [shell = "", subshell = ""] = stdout.split("\n");
  const pid = Number.parseInt(shell, 10);
  expect(parseIdentified(shell.slice(shell.indexOf(" ") + 1))?.pid).toBe(pid);
  expect(parseIdentified(subshell)?.pid).toBeGreaterThan(pid);
  expect(parseIdentified("")).toBeUndefined();
  expect(parseIdentified("12 (sh) S 1")).toBeUndefined();
});

test("S6.7 what ps says is read as /proc says it", () => {
  const pid = start("sleep", ["1000"]);
  const columns = "pid=,ppid=,pgid=,stat=,lstart=";
  const { stdout } = spawnSync("ps", ["-axo", columns], { encoding: "utf8" });
  const row = rowsOf(stdout).find((each) => each.pid === pid);
  const { parent, group } = rowAt(pid);
  expect(row).toMatchObject({ pid, parent, group, threads: 1 });
  expect(row?.start).toMatch(/^\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}$/);
});
