import { appendFileSync, lstatSync, readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hasEnded } from "../../test/chaos/parts.ts";
import { type ChaosWorld, chaosWorld } from "../../test/chaos/world.ts";
import { seeded, until } from "../../test/crash/programs.ts";
import { closeInput, readOutput, watch, writeInput } from "./streams.ts";

let world: ChaosWorld;
beforeEach(() => {
  world = chaosWorld();
});
afterEach(async () => {
  await world.supervisor.sweep(new Set(), { graceMs: 0 });
  await world.close();
});

const bytes = (text: string): Uint8Array => Buffer.from(text);
const ended = async (run: string): Promise<void> =>
  until("it ended", () => hasEnded(world.folder(run)));

test("S1.15 input in half lines arrives whole and in order, also when each part is written twice", async () => {
  await world.startShell("a", 'while IFS= read -r line; do echo "<$line>"; done; echo end');
  const folder = world.folder("a");
  const text = Array.from({ length: 40 }, (_, n) => `line ${n} 한글 ${"x".repeat(n * 7)}\n`).join(
    "",
  );
  const all = Buffer.from(text);
  const random = seeded(7);
  for (let at = 0; at < all.length;) {
    const part = all.subarray(at, at + 1 + random(300));
    await Promise.all([writeInput(folder, at, part), writeInput(folder, at, part)]);
    at += part.length;
    // A part in the middle of a letter waits for its rest.
    const whole = all.subarray(0, at).filter((byte) => byte === 10).length;
    if (random(4) === 0)
      await until("each whole line came", () => world.out("a").split("\n").length - 1 === whole);
  }
  await closeInput(folder);
  await ended("a");
  expect(world.out("a")).toBe(text.replace(/^(.*)$/gm, "<$1>").replace(/<>$/, "end\n"));
});

test("S1.15 the end of input comes after everything written, also before the agent reads", async () => {
  const spec = world.spec("a", ["sh", "-c", "sleep 0.2; exec wc -c"]);
  await world.supervisor.start(spec);
  const folder = world.folder("a");
  // More than a pipe holds.
  const much = Buffer.alloc(3_000_000, "x\n");
  await writeInput(folder, 0, much);
  await closeInput(folder);
  await closeInput(folder);
  await ended("a");
  expect(world.out("a").trim()).toBe("3000000");
  // Repeated after the end: harmless. Something new: refused.
  await writeInput(folder, 0, much);
  await expect(writeInput(folder, much.length, bytes("more"))).rejects.toMatchObject({
    code: "refused",
  });
});

test("S1.15 a gap, and other words at the same place, are refused and write nothing", async () => {
  await world.startShell("a", "exec sleep 1000");
  const folder = world.folder("a");
  await writeInput(folder, 0, bytes("hello\n"));
  await expect(writeInput(folder, 7, bytes("x"))).rejects.toMatchObject({ code: "corrupt" });
  await expect(writeInput(folder, 0, bytes("jello\n"))).rejects.toMatchObject({ code: "corrupt" });
  await writeInput(folder, 3, bytes("lo\nand more\n"));
  expect(readFileSync(join(folder, "in"), "utf8")).toBe("hello\nand more\n");
  await expect(writeInput(world.folder("b"), 0, bytes("x"))).rejects.toMatchObject({
    code: "not_found",
  });
});

test("S1.15 an agent that closed its input or ended is told in vain, without harm to us", async () => {
  const pid = await world.startShell("a", "exec 0<&-; echo closed; exec sleep 1000");
  await until("it closed its input", () => world.out("a") === "closed\n");
  const folder = world.folder("a");
  for (let n = 0; n < 20; n++) await writeInput(folder, n * 50_000, Buffer.alloc(50_000, "y"));
  expect(await world.supervisor.look(folder)).toMatchObject({ state: "running", pid });
  await world.supervisor.end("a", { graceMs: 1000 });
  await writeInput(folder, 0, Buffer.alloc(50_000, "y"));
});

test("S1.20 output is read by position, in pieces no larger than asked for", async () => {
  await world.supervisor.start(world.spec("a", ["sh", "-c", "printf 'one\\ntwo\\n'"]));
  await ended("a");
  const folder = world.folder("a");
  const first = await readOutput(folder, "out", 0, 5);
  expect({ ...first, bytes: Buffer.from(first.bytes).toString() }).toEqual({
    bytes: "one\nt",
    next: 5,
    size: 8,
  });
  const rest = await readOutput(folder, "out", first.next, 1000);
  expect(Buffer.from(rest.bytes).toString()).toBe("wo\n");
  expect(await readOutput(folder, "out", 8, 10)).toMatchObject({ next: 8, size: 8 });
  truncateSync(join(folder, "out"), 3);
  await expect(readOutput(folder, "out", 8, 10)).rejects.toMatchObject({ code: "corrupt" });
});

test("S1.20 an output that was replaced by a pipe or a link is refused, not waited for", async () => {
  await world.startShell(
    "a",
    'cd "$HOLDFAST_HOME/runs/a"; rm out err; mkfifo out; ln -s /etc/passwd err; exec sleep 1000',
  );
  const folder = world.folder("a");
  const err = (): boolean =>
    lstatSync(join(folder, "err"), { throwIfNoEntry: false })?.isSymbolicLink() === true;
  await until("it did so", err);
  await expect(readOutput(folder, "out", 0, 10)).rejects.toMatchObject({ code: "corrupt" });
  await expect(readOutput(folder, "err", 0, 10)).rejects.toMatchObject({ code: "internal" });
});

test("S1.20 200 MB of output come back whole, with little memory", async () => {
  const size = 200 * 1024 * 1024;
  const spec = world.spec("a", ["sh", "-c", `yes 0123456789abcde | head -c ${size}`]);
  await world.supervisor.start(spec);
  await ended("a");
  const folder = world.folder("a");
  const before = process.memoryUsage().rss;
  let [at, sum, most] = [0, 0, 0];
  for (let more = true; more;) {
    const { bytes: part, next, size: all } = await readOutput(folder, "out", at, 256 * 1024);
    // Any byte out of place changes it.
    for (let n = 0; n < part.length; n += 4099)
      sum = (sum + (part[n] ?? 0) * ((at + n) % 251)) >>> 0;
    most = Math.max(most, process.memoryUsage().rss);
    at = next;
    more = next < all;
  }
  expect(at).toBe(size);
  const pattern = Buffer.from("0123456789abcde\n");
  let expected = 0;
  for (let start = 0; start < size; start += 256 * 1024)
    for (let n = start; n < start + 256 * 1024; n += 4099)
      expected = (expected + (pattern[n % 16] ?? 0) * (n % 251)) >>> 0;
  expect(sum).toBe(expected);
  console.log(`200 MB read back with ${Math.round((most - before) / 1e6)} MB more memory`);
  expect(most - before).toBeLessThan(100 * 1024 * 1024);
});

test("S1.20 a watcher is woken by output and by the end", async () => {
  const folder = world.folder("a");
  await world.startShell("a", "read -r x; echo $x; read -r x");
  let wakes = 0;
  // Never by the timer: this one is slower than the test.
  const stop = watch(folder, () => wakes++, 600_000);
  try {
    await writeInput(folder, 0, bytes("hi\n"));
    await until("it was woken by output", () => wakes > 0 && world.out("a") === "hi\n");
    const before = wakes;
    await closeInput(folder);
    await ended("a");
    await until("it was woken by the end", () => wakes > before);
    expect(await world.supervisor.look(folder)).toMatchObject({ state: "ended" });
  } finally {
    stop();
  }
});

test("S1.20 without inotify, and in a folder that vanished, the timer wakes", async () => {
  let wakes = 0;
  const stops = [watch(join(world.home, "nowhere"), () => wakes++, 5)];
  await until("it was woken", () => wakes > 2);
  await world.startShell("a", "true");
  await ended("a");
  stops.push(watch(world.folder("a"), () => wakes++, 5));
  await world.supervisor.removeRun(world.folder("a"));
  const before = wakes;
  await until("it goes on", () => wakes > before + 2);
  for (const stop of stops) stop();
  const after = wakes;
  await new Promise((done) => setImmediate(done));
  expect(wakes).toBe(after);
});

test("S1.20 a flood of output wakes once for each turn of the event loop", async () => {
  await world.startShell("a", "exec sleep 1000");
  const [out, err] = ["out", "err"].map((name) => join(world.folder("a"), name)) as [
    string,
    string,
  ];
  let wakes = 0;
  const stop = watch(world.folder("a"), () => wakes++, 600_000);
  // In turns: the kernel itself makes one event of several to the same file.
  for (let n = 0; n < 2500; n++) for (const path of [out, err]) appendFileSync(path, "x\n");
  await until("it was woken", () => wakes > 0);
  stop();
  expect(statSync(out).size + statSync(err).size).toBe(10_000);
  expect(wakes).toBeLessThan(100);
});
