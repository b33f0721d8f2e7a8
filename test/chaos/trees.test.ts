// Trees of processes that do not want to be found: frozen whole, thawed whole, none survives its end.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { full, limit, seeded, until } from "../crash/programs.ts";
import { figure } from "../figures.ts";
import { hasBegun, hasEnded } from "./parts.ts";
import {
  type ChaosWorld,
  chaosWorld,
  isThere,
  living,
  moving,
  parentOf,
  statesOf,
} from "./world.ts";

let world: ChaosWorld;
beforeEach(() => {
  world = chaosWorld();
});
afterEach(() => world.close());

const trees = full ? 100 : 20;

test(`S1.10 of ${trees} trees, ended running or frozen, no process survives`, limit, async () => {
  const random = seeded(2027);
  let [most, all] = [0, 0];
  for (let n = 0; n < trees; n++) {
    const run = `tree-${n}`;
    const list = join(world.place, run);
    const { script, size } = tree(list, random, 3);
    await world.startShell(run, script);
    await until(`all ${size} run`, () => pids(list).length === size);
    // Every second one is frozen first.
    const frozen = n % 2 === 1 || (await world.supervisor.freeze(run)).verified;
    const { verified, count } = await world.supervisor.end(run, { graceMs: 100 });
    expect({ run, frozen, verified, left: pids(list).filter(isThere) }).toEqual({
      run,
      frozen: true,
      verified: true,
      left: [],
    });
    expect(count).toBeGreaterThanOrEqual(size);
    most = Math.max(most, size);
    all += size;
  }
  figure("trees ended", {
    seen: trees,
    lost: 0,
    more: `${all} processes, ${most} in the largest`,
  });
});

test(
  "S1.10 a tool without the tag, left by its parent, is found by its session",
  limit,
  async () => {
    const list = join(world.place, "list");
    const hidden = `env -i sh -c 'echo $$ >>${list}; while :; do /bin/sleep 0.01; done' &`;
    await world.startShell("a", `( ( ${hidden} ) & ); exec sleep 1000`);
    await until("it runs", () => pids(list).length === 1);
    const [pid = 0] = pids(list);
    expect(living(world.home).map((each) => each.pid)).not.toContain(pid);
    expect(await world.supervisor.freeze("a")).toMatchObject({ verified: true });
    expect(statesOf(pid)).toEqual(["T"]);
    expect(await world.supervisor.end("a", { graceMs: 100 })).toMatchObject({ verified: true });
    expect(isThere(pid)).toBe(false);
  },
);

test("S1.10 an agent that forks without end is frozen and ended", limit, async () => {
  const forker = "while :; do sleep 0.01 & sleep 0.002; done";
  await world.startShell("a", `trap '' TERM; (${forker}) & (${forker}) & setsid sh -c '${forker}'`);
  // Six that stay, and what each of the three forks has just begun; on a slow machine not much more.
  await until("there are many", () => living(world.home).length > 8);
  const found = await world.supervisor.freeze("a");
  expect(found).toMatchObject({ verified: true });
  const all = living(world.home);
  expect(moving(all)).toEqual([]);
  expect(all.length).toBe(found.count);
  console.log(`${found.count} processes frozen in ${Math.round(found.ms)} ms while they forked`);
  expect(await world.supervisor.thaw("a")).toMatchObject({ verified: true });
  expect(await world.supervisor.end("a", { graceMs: 50 })).toMatchObject({ verified: true });
  expect(living(world.home)).toEqual([]);
});

test(
  "S1.10 a process that forks and ends faster than we look is caught with its group",
  limit,
  async () => {
    const hop = join(world.place, "hop.sh");
    const hops = join(world.place, "hops");
    // Ends by itself some day, should we fail.
    writeFileSync(hop, `[ "$1" -gt 30000 ] && exit; echo >>${hops}; sh ${hop} $(($1 + 1)) & exit`);
    await world.startShell("a", `sh ${hop} 0 & exec sleep 1000`);
    await until("it hops", () => count(hops) > 20);
    expect(await world.supervisor.freeze("a")).toMatchObject({ verified: true });
    const before = count(hops);
    spawnSync("sleep", ["0.05"]);
    expect(count(hops)).toBe(before);
    await world.supervisor.thaw("a");
    await until("it hops on", () => count(hops) > before + 20);
    expect(await world.supervisor.end("a", { graceMs: 0 })).toMatchObject({ verified: true });
    const after = count(hops);
    spawnSync("sleep", ["0.05"]);
    expect({ hops: count(hops), left: living(world.home) }).toEqual({ hops: after, left: [] });
  },
);

test(
  "S1.10 a parent that watches its children, as a shell with job control does, sees none of them stopped",
  limit,
  async ({ skip }) => {
    // Many children, so that whoever lets the parent go too early or stops it too late is seen.
    const program = compile(`int main(void) {
      int status;
      for (int n = 0; n < 60; n++) if (fork() == 0) for (;;) pause();
      for (;;) if (waitpid(-1, &status, WUNTRACED) > 0 && WIFSTOPPED(status)) write(1, "seen\\n", 5);
    }`);
    skip(program === undefined, "stopped children: there is no C compiler (cc)");
    await world.supervisor.start(world.spec("a", [program ?? ""]));
    const { pid = 0 } = await running("a");
    await until("its children run", () => living(world.home).length >= 63);
    for (let n = 0; n < 10; n++) {
      expect(await world.supervisor.freeze("a")).toMatchObject({ verified: true });
      expect(await world.supervisor.thaw("a")).toMatchObject({ verified: true });
      await until("it waits again", () => statesOf(pid).join("") === "S");
      expect(world.out("a")).toBe("");
    }
    await world.supervisor.end("a", { graceMs: 500 });
  },
);

test(
  "S1.10 a parent that waits in the kernel for a vforked child counts as still",
  limit,
  async ({ skip }) => {
    const program = compile("int main(void) { if (vfork() == 0) for (;;) pause(); }");
    skip(program === undefined, "vfork: there is no C compiler (cc)");
    await world.supervisor.start(world.spec("a", [program ?? ""]));
    const { pid = 0 } = await running("a");
    await until("it waits", () => statesOf(pid).join("") === "D");
    expect(await world.supervisor.freeze("a")).toMatchObject({ verified: true });
    const child = living(world.home).find((each) => parentOf(each.pid) === pid);
    expect([statesOf(pid), child?.states]).toEqual([["D"], ["T"]]);
    expect(await world.supervisor.thaw("a")).toMatchObject({ verified: true });
    expect(await world.supervisor.end("a", { graceMs: 1000 })).toMatchObject({ verified: true });
  },
);

test(
  "S1.10 a parent that was frozen waiting for a vforked child goes on, also when its child is late",
  limit,
  async ({ skip }) => {
    const go = join(world.place, "go");
    // The child comes to its exec only when it is told, long after the thaw.
    const program = compile(`int main(void) {
      if (vfork() == 0) { while (access("${go}", F_OK)) usleep(1000); execl("/bin/true", "true", (char *)0); _exit(1); }
      wait(0);
      write(1, "went on\\n", 8);
    }`);
    skip(program === undefined, "vfork: there is no C compiler (cc)");
    await world.supervisor.start(world.spec("a", [program ?? ""]));
    const { pid = 0 } = await running("a");
    await until("it waits", () => statesOf(pid).join("") === "D");
    expect(await world.supervisor.freeze("a")).toMatchObject({ verified: true });
    expect(await world.supervisor.thaw("a")).toMatchObject({ verified: true });
    writeFileSync(go, "");
    await until("it went on", () => world.out("a") === "went on\n");
    await until("it ended", () => hasEnded(world.folder("a")));
  },
);

test(
  "S1.10 a parent between vfork and exec is brought to a stop, with its child",
  limit,
  async ({ skip }) => {
    // It spends nearly all of its life there.
    const program = compile(`int main(void) {
      for (;;) {
        if (vfork() == 0) { usleep(3000); execl("/bin/true", "true", (char *)0); _exit(1); }
        wait(0);
      }
    }`);
    skip(program === undefined, "vfork: there is no C compiler (cc)");
    await world.supervisor.start(world.spec("a", [program ?? ""]));
    const { pid = 0 } = await running("a");
    const seen: string[] = [];
    for (let n = 0; n < 10; n++) {
      await until("it waits", () => statesOf(pid).join("") === "D");
      expect(await world.supervisor.freeze("a")).toMatchObject({ verified: true });
      const child = living(world.home).find((each) => parentOf(each.pid) === pid);
      // A child that gets no time for its exec, however often it is let go on, is stopped before it.
      const waits = statesOf(pid).join("") === "D" && child?.states.join("") === "T";
      seen.push(waits ? "waits for its stopped child" : statesOf(pid).join(""));
      expect(await world.supervisor.look(world.folder("a"))).toMatchObject({ frozen: true });
      expect(await world.supervisor.thaw("a")).toMatchObject({ verified: true });
    }
    expect(seen).toContain("T");
    expect(seen.filter((how) => how !== "T" && how !== "waits for its stopped child")).toEqual([]);
    await world.supervisor.end("a", { graceMs: 1000 });
  },
);

test("S1.10 every thread of a program is stopped, and goes on", limit, async () => {
  const tick = `require("fs").appendFileSync(${JSON.stringify(join(world.place, "ticks"))}, "x")`;
  const program = `setInterval(() => ${tick}, 1); for (let n = 0; n < 4; n++) new (require("worker_threads").Worker)(${JSON.stringify(`setInterval(() => ${tick}, 1)`)}, { eval: true })`;
  await world.supervisor.start(world.spec("a", [process.execPath, "-e", program]));
  const { pid = 0 } = await running("a");
  const ticks = (): number => count(join(world.place, "ticks"));
  await until("it ticks", () => ticks() > 100);
  for (let n = 0; n < 5; n++) {
    expect(await world.supervisor.freeze("a")).toMatchObject({ verified: true });
    expect(statesOf(pid).length).toBeGreaterThan(5);
    expect(new Set(statesOf(pid))).toEqual(new Set(["T"]));
    const before = ticks();
    spawnSync("sleep", ["0.02"]);
    expect(ticks()).toBe(before);
    await world.supervisor.thaw("a");
    await until("it ticks on", () => ticks() > before);
  }
  await world.supervisor.end("a", { graceMs: 1000 });
});

test(
  "S1.10 the stops are sent, and all seen stopped, before the lock held around them is let go",
  limit,
  async () => {
    await world.startShell("a", "while :; do sleep 0.01; done");
    const seen: number[] = [];
    const runs = (): number => moving(living(world.home)).length;
    const found = await world.supervisor.freeze("a", {
      around: async (stop) => {
        await Promise.resolve();
        expect(runs()).toBeGreaterThanOrEqual(3);
        stop();
        seen.push(runs());
      },
    });
    expect(found).toMatchObject({ verified: true });
    expect(seen).toEqual([0]);
    await world.supervisor.end("a", { graceMs: 1000 });
  },
);

test(
  "S1.10 a freeze whose stops are never sent is not verified; all may be repeated",
  limit,
  async () => {
    await world.startShell("a", "exec sleep 1000");
    const never = { around: () => Promise.resolve() };
    expect(await world.supervisor.freeze("a", never)).toMatchObject({ verified: false });
    for (let n = 0; n < 2; n++) {
      expect(await world.supervisor.freeze("a")).toMatchObject({ verified: true });
      expect(await world.supervisor.look(world.folder("a"))).toMatchObject({ frozen: true });
    }
    for (let n = 0; n < 2; n++) {
      expect(await world.supervisor.thaw("a")).toMatchObject({ verified: true });
      expect(await world.supervisor.look(world.folder("a"))).toMatchObject({ frozen: false });
    }
    for (let n = 0; n < 2; n++)
      expect(await world.supervisor.end("a", { graceMs: 2000 })).toMatchObject({ verified: true });
    for (const what of ["freeze", "thaw"] as const)
      expect(await world.supervisor[what]("a")).toMatchObject({ count: 0, verified: true });
  },
);

test(
  "S1.10 an agent may clean up after itself, with helpers of its own, while the grace lasts",
  limit,
  async () => {
    await world.startShell(
      "a",
      "trap 'sleep 0.2 && echo cleaned up; exit 3' TERM; echo ready; while :; do sleep 0.01; done",
    );
    await until("it is ready", () => world.out("a") === "ready\n");
    expect(await world.supervisor.end("a", { graceMs: 20_000 })).toMatchObject({ verified: true });
    expect(world.out("a")).toBe("ready\ncleaned up\n");
    expect(await world.supervisor.look(world.folder("a"))).toMatchObject({ code: 3 });
  },
);

// --- internal ---

const count = (path: string): number => (existsSync(path) ? readFileSync(path).length : 0);

const pids = (path: string): number[] =>
  existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1).map(Number) : [];

/** Undefined where there is no compiler. */
function compile(text: string): string | undefined {
  const [source, program] = [join(world.place, "program.c"), join(world.place, "program")];
  writeFileSync(source, `#include <sys/wait.h>\n#include <unistd.h>\n${text}\n`);
  const built = spawnSync("cc", ["-w", "-o", program, source], { encoding: "utf8" });
  if (built.error) return undefined;
  if (built.status !== 0) throw new Error(built.stderr);
  return program;
}

async function running(run: string): ReturnType<ChaosWorld["supervisor"]["look"]> {
  await until("it runs", () => hasBegun(world.folder(run)));
  return world.supervisor.look(world.folder(run));
}

/** A script of sh; each process of it writes its number to the list, and stays. */
function tree(
  list: string,
  random: (below: number) => number,
  depth: number,
  tagged = true,
): { script: string; size: number } {
  let script = `echo $$ >>${list}; `;
  let size = 1;
  if (random(3) === 0) script += "trap '' TERM; ";
  if (random(3) === 0) script += "trap '' TSTP HUP INT; ";
  const children = depth === 0 ? 0 : 1 + random(3);
  for (let n = 0; n < children; n++) {
    const form = forms[random(tagged ? forms.length : forms.length - 1)] ?? "";
    const child = tree(list, random, depth - 1, tagged && !form.startsWith("env -i"));
    size += child.size;
    // Quotes inside quotes, one level for each depth.
    const quoted = `sh -c '${child.script.replaceAll("'", String.raw`'\''`)}'`;
    script += `${form.replace("CHILD", () => quoted)}\n`;
  }
  return { script: `${script}while :; do /bin/sleep 0.05; done`, size };
}

const forms = [
  "CHILD &",
  "setsid CHILD &",
  "nohup CHILD >/dev/null 2>&1 &",
  "( ( CHILD & ) & )",
  // Without the tag, but with its parent or its session.
  "env -i CHILD &",
  // A daemon: its parent ends, and it leads a session of its own. Only the tag is left of it: one
  // that had lost that too is nobody's, and the one thing that can not be found.
  "( setsid CHILD & )",
];
