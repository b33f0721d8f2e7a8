import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import {
  type ChaosWorld,
  chaosWorld,
  isThere,
  kill,
  living,
  ownZombies,
  parentOf,
  statesOf,
} from "../../test/chaos/world.ts";
import { hasBegun, hasEnded, supervisorAt } from "../../test/chaos/parts.ts";
import { until } from "../../test/crash/programs.ts";
import { self } from "../os/identity.ts";
import { processes } from "../os/processes.ts";
import { launch } from "./_holder.ts";
import { holderOf } from "./run.ts";
import { closeInput } from "./streams.ts";

let world: ChaosWorld;
beforeEach(() => {
  world = chaosWorld();
});
afterEach(() => world.close());

const ended = async (run: string): Promise<void> =>
  until("it ended", () => hasEnded(world.folder(run)));
const look = (run: string): ReturnType<ChaosWorld["supervisor"]["look"]> =>
  world.supervisor.look(world.folder(run));

test("S1.20 a run is absent, runs, and has ended with its code; its output is in its files", async () => {
  expect(await look("a")).toEqual({ state: "absent", frozen: false });
  const pid = await world.startShell("a", "read -r line; echo said $line; echo bad >&2; exit 7");
  expect(await look("a")).toMatchObject({ state: "running", pid, frozen: false });
  await closeInput(world.folder("a"));
  await ended("a");
  expect(await look("a")).toEqual({ state: "ended", code: 7, frozen: false });
  expect(world.out("a")).toBe("said\n");
  expect(readFileSync(join(world.folder("a"), "err"), "utf8")).toBe("bad\n");
});

test("S1.20 an agent ended by a signal says which", async () => {
  await world.startShell("a", "kill -9 $$");
  await ended("a");
  expect(await look("a")).toEqual({ state: "ended", code: 137, signal: "SIGKILL", frozen: false });
});

test("S1.20 a program that does not exist ends with 127, and its complaint is kept", async () => {
  await world.supervisor.start(world.spec("a", ["no-such-program-here"]));
  await ended("a");
  expect(await look("a")).toMatchObject({ state: "ended", code: 127 });
  expect(readFileSync(join(world.folder("a"), "err"), "utf8")).toContain("no-such-program-here");
});

test("S1.20 holder and agent gone without a word: ended, code unknown", async () => {
  const pid = await world.startShell("a", "exec sleep 1000");
  const holder = parentOf(pid);
  kill(holder);
  await until("the holder is gone", () => !isThere(holder));
  expect(await look("a")).toMatchObject({ state: "running", pid });
  kill(pid);
  await until("the agent is gone", () => !isThere(pid));
  expect(await look("a")).toEqual({ state: "ended", code: null, frozen: false });
  expect(await world.supervisor.end("a", { graceMs: 1000 })).toMatchObject({ verified: true });
});

test("S1.20 a claim that was made and never written is judged by the tag", async () => {
  const folder = world.folder("a");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, "claim"), "");
  expect(await look("a")).toEqual({ state: "ended", code: null, frozen: false });
  expect(await world.supervisor.start(world.spec("a", ["true"]))).toMatchObject({ state: "ended" });
  expect(readdirSync(folder)).toEqual(["claim"]);
});

test("S1.10 what was ended before it began does not begin afterwards", async () => {
  mkdirSync(world.folder("a"), { recursive: true, mode: 0o700 });
  expect(await world.supervisor.end("a", { graceMs: 0 })).toMatchObject({
    count: 0,
    verified: true,
  });
  expect(await world.supervisor.start(world.spec("a", ["sleep", "1000"]))).toEqual({
    state: "ended",
    code: null,
    frozen: false,
  });
  expect(living(world.home)).toEqual([]);
});

test("S1.20 fifty starts of one run at once, and more later: one agent, no zombie of ours", async () => {
  const spec = world.spec("a", ["sh", "-c", "echo $$; exec sleep 1000"]);
  const other = supervisorAt(world.home);
  const states = await Promise.all(
    Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? other : world.supervisor).start(spec)),
  );
  expect(states.map(({ state }) => state).filter((state) => state === "absent")).toEqual([]);
  await until("it said so", () => world.out("a") !== "");
  const { pid } = await world.supervisor.start(spec);
  expect(world.out("a")).toBe(`${pid}\n`);
  // Holder, feeder, agent; the feeder may be in a `cat` for a moment.
  await until("they are three", () => living(world.home).length === 3);
  await world.supervisor.end("a", { graceMs: 2000 });
  await until("all are reaped", () => ownZombies().length === 0);
  expect(world.out("a").split("\n")).toHaveLength(2);
});

test("S1.20 of fifty holders on their way one claims the run, and it is the one that holds it", async () => {
  // As servers leave them that died after they had started one: none looks before it claims.
  const { folder, command, cwd, env } = world.spec("a", ["sh", "-c", "echo $$; exec sleep 1000"]);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of ["in", "out"]) writeFileSync(join(folder, name), "");
  let spawned = 0;
  const one = { shell: "/bin/sh", folder, command, cwd, env, spawned: () => spawned++ };
  await Promise.all(Array.from({ length: 50 }, () => launch(one)));
  expect(spawned).toBe(50);
  await until("it said so", () => world.out("a") !== "");
  await until("the others left", () => living(world.home).length === 3);
  const { pid = 0 } = await look("a");
  expect(world.out("a")).toBe(`${pid}\n`);
  expect(holderOf(folder)).toMatchObject({ pid: parentOf(pid) });
  await world.supervisor.end("a", { graceMs: 2000 });
});

test("S6.6 nothing of a run is readable by others, and no secret stands in a file or an argument", async () => {
  const secret = "hunter2-in-the-environment";
  const spec = world.spec("a", ["sh", "-c", "echo ${#TOKEN}; exec sleep 1000"], { TOKEN: secret });
  await world.supervisor.start(spec);
  await until("it said so", () => world.out("a") === `${secret.length}\n`);
  for (const name of readdirSync(world.folder("a")).filter((each) => !/^(p|wake)$/.test(each)))
    expect(readFileSync(join(world.folder("a"), name), "utf8")).not.toContain(secret);
  for (const { command } of living(world.home)) expect(command).not.toContain(secret);
  await world.supervisor.end("a", { graceMs: 1000 });
  chmodSync(world.folder("a"), 0o755);
  await expect(world.supervisor.start(spec)).rejects.toMatchObject({ code: "refused" });
});

test("S6.6 the agent gets its own environment, default signals, and no file of ours", async () => {
  const script = [
    "env | cut -d= -f1 | sort | tr '\\n' ' '; echo",
    "grep SigIgn /proc/self/status",
    "umask",
    "ls /proc/$$/fd",
  ].join("; ");
  await world.supervisor.start({
    ...world.spec("a", ["sh", "-c", script]),
    env: { PATH: process.env["PATH"] ?? "", holdfast: "mine", d: "mine too" },
  });
  await ended("a");
  const [names, ignored, umask, ...files] = world.out("a").split("\n");
  // PWD is the shell's own.
  expect(
    names
      ?.trim()
      .split(" ")
      .filter((name) => !/^(PWD|SHLVL|_|OLDPWD)$/.test(name)),
  ).toEqual(["HOLDFAST_HOME", "HOLDFAST_RUN", "HOLDFAST_STARTER", "PATH", "d", "holdfast"]);
  expect(ignored).toBe("SigIgn:\t0000000000000000");
  // Beyond 9 a shell can not close them.
  expect(files.filter((file) => file.length === 1)).toEqual(["0", "1", "2"]);
  expect(umask).toBe(process.umask().toString(8).padStart(4, "0"));
});

test("S1.20 a start that can not be is refused with its reason, and leaves nothing behind", async () => {
  const spec = world.spec("a", ["true"]);
  const bad = [
    [{ ...spec, command: [] }, "invalid_input"],
    [{ ...spec, command: ["-n"] }, "invalid_input"],
    [{ ...spec, run: "../b" }, "invalid_input"],
    [{ ...spec, folder: join(world.home, "elsewhere") }, "invalid_input"],
    [{ ...spec, cwd: join(world.place, "none") }, "not_found"],
  ] as const;
  for (const [each, code] of bad)
    await expect(world.supervisor.start(each)).rejects.toMatchObject({ code });
  expect(existsSync(world.home)).toBe(false);
  await expect(
    world.supervisor.start({ ...spec, command: ["echo", "x".repeat(200_000)] }),
  ).rejects.toMatchObject({ code: "internal", text: { key: "run.cannot_start" } });
  expect(await look("a")).toMatchObject({ state: "absent" });
  symlinkSync(world.place, world.folder("b"));
  await expect(world.supervisor.start(world.spec("b", ["true"]))).rejects.toMatchObject({
    code: "refused",
  });
});

test("S1.20 the holder works where sh is bash", async () => {
  const shell = join(world.place, "sh");
  symlinkSync("/bin/bash", shell);
  const supervisor = supervisorAt(world.home, { shell });
  await supervisor.start(world.spec("a", ["cat"]));
  await until("it runs", () => hasBegun(world.folder("a")));
  expect(await supervisor.freeze("a")).toMatchObject({ verified: true });
  expect(await look("a")).toMatchObject({ state: "running", frozen: true });
  expect(await supervisor.end("a", { graceMs: 60_000 })).toMatchObject({ verified: true });
  expect(await look("a")).toMatchObject({ state: "ended", code: 143, signal: "SIGTERM" });
});

test("S1.20 a sweep ends runs of this home that nobody wants, and no others", async () => {
  const other = chaosWorld();
  onTestFinished(() => other.close());
  const kept = await world.startShell("kept", "exec sleep 1000");
  const stray = await world.startShell("stray", "setsid sleep 1000 & exec sleep 1000");
  const foreign = await other.startShell("stray", "exec sleep 1000");
  await until("its tool runs", () => living(world.home).some(({ pid }) => parentOf(pid) === stray));
  await until(
    "the others sleep",
    () => [...statesOf(kept), ...statesOf(foreign)].join("") === "SS",
  );
  const swept = await world.supervisor.sweep(new Set(["kept"]), { graceMs: 2000 });
  expect(swept).toMatchObject([{ run: "stray", verified: true }]);
  expect(swept[0]?.count).toBeGreaterThanOrEqual(4);
  expect(new Set(living(world.home).map(({ run }) => run))).toEqual(new Set(["kept"]));
  expect(statesOf(kept)).toEqual(["S"]);
  expect(statesOf(foreign)).toEqual(["S"]);
  expect(await world.supervisor.sweep(new Set(["kept"]))).toEqual([]);
  expect(await world.supervisor.sweep(new Set())).toMatchObject([{ run: "kept" }]);
  expect(await other.supervisor.sweep(new Set())).toMatchObject([{ run: "stray" }]);
});

test("S6.5c a sweep leaves alone what another living process of ours has started, until that one is gone", async () => {
  const starter = spawn("sleep", ["1000"]);
  onTestFinished(() => void starter.kill("SIGKILL"));
  const { pid = 0 } = starter;
  const named = JSON.stringify({ ...self(), pid, start: processes.at(pid)?.start });
  const check = `HOLDFAST_RUN=gate_1 HOLDFAST_STARTER='${named}' setsid sleep 1000 & echo $!; wait`;
  await world.startShell("a", check);
  await until("it runs", () => living(world.home).some(({ run }) => run === "gate_1"));
  expect(await world.supervisor.sweep(new Set(["a"]))).toEqual([]);
  expect(statesOf(Number(world.out("a")))).toEqual(["S"]);
  starter.kill("SIGKILL");
  await once(starter, "exit");
  expect(await world.supervisor.sweep(new Set(["a"]))).toMatchObject([{ run: "gate_1" }]);
  await world.supervisor.end("a", { graceMs: 1000 });
});

test("S5.4 a tag that would lead elsewhere is nobody's, and only a run's folder is removed", async () => {
  const outside = join(world.place, "outside");
  mkdirSync(join(world.home, "runs"), { recursive: true });
  mkdirSync(outside);
  const script = `HOLDFAST_RUN=../../place/outside setsid sleep 1000 & echo $!; wait`;
  await world.startShell("a", script);
  await until("it runs", () => world.out("a") !== "");
  expect(await world.supervisor.sweep(new Set(["a"]))).toEqual([]);
  expect(readdirSync(outside)).toEqual([]);
  for (const folder of [outside, join(world.home, "runs"), `${world.folder("a")}/../../../place`])
    await expect(world.supervisor.removeRun(folder)).rejects.toMatchObject({
      code: "invalid_input",
    });
  expect(existsSync(outside)).toBe(true);
  // It is found all the same: as a child.
  expect(await world.supervisor.end("a", { graceMs: 1000 })).toMatchObject({ verified: true });
  expect(isThere(Number(world.out("a")))).toBe(false);
});

test("S1.20 a run is removed when it has ended, whatever the agent put there", async () => {
  await world.startShell("a", `ln -s ${world.place} "$HOLDFAST_HOME/runs/a/link"; exec sleep 1000`);
  writeFileSync(join(world.place, "precious"), "");
  await until("it put it there", () => existsSync(join(world.folder("a"), "link")));
  await expect(world.supervisor.removeRun(world.folder("a"))).rejects.toMatchObject({
    code: "refused",
  });
  await world.supervisor.end("a", { graceMs: 1000 });
  await world.supervisor.removeRun(world.folder("a"));
  await world.supervisor.removeRun(world.folder("a"));
  expect(readdirSync(join(world.home, "runs"))).toEqual([]);
  expect(readdirSync(world.place)).toEqual(["precious"]);
});
