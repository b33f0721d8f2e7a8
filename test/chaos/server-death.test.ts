// The server dies; its agents do not, and the next one goes on with them (S1.20).
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { closeInput, readOutput, writeInput } from "../../src/agents/streams.ts";
import { startSteps } from "../../src/agents/supervisor.ts";
import { full, limit, until } from "../crash/programs.ts";
import { hasBegun, hasEnded } from "./parts.ts";
import { type Server, bundle, startServer, ways } from "./servers.ts";
import { type ChaosWorld, chaosWorld, isThere, kill, killGroup, living, moving } from "./world.ts";

const rounds = full ? 25 : 2;

let world: ChaosWorld;
let shelf: ChaosWorld;
let program = "";

beforeAll(async () => {
  shelf = chaosWorld();
  program = await bundle("server.ts", shelf.place);
});
afterAll(() => shelf.close());
beforeEach(() => {
  world = chaosWorld();
});
afterEach(() => world.close());

const serve = (options?: Parameters<typeof startServer>[3]): Server =>
  startServer(program, world.home, world.place, options);
const runs = (run: string): Promise<void> =>
  until("the agent runs", () => hasBegun(world.folder(run)));
const pidOf = async (run: string): Promise<number> =>
  (await world.supervisor.look(world.folder(run))).pid ?? 0;

test.for(startSteps)(
  "S1.20 killed after the step “%s” of a start and started again: exactly one process",
  limit,
  async (deadly) => {
    for (let round = 0; round < rounds; round++) {
      const run = `${deadly}-${round}`;
      const said = join(world.place, run);
      const command = ["sh", "-c", `echo $$ >>${said}; exec sleep 1000`];
      const first = serve({ deadly });
      await expect(first.ask({ do: "start", run, command })).rejects.toThrow("ended before");
      // Two at once: whoever comes second must find it taken.
      const next = [serve(), serve()];
      await Promise.all(next.map((server) => server.ask({ do: "start", run, command })));
      await until("it says so", () => existsSync(said) && readFileSync(said, "utf8") !== "");
      for (const server of next) await server.stop();
      // A holder of the first server that comes late has been refused by now, or is it.
      await until("nobody is on the way", () => living(world.home).length === 3);
      expect(readFileSync(said, "utf8")).toBe(`${await pidOf(run)}\n`);
      await world.supervisor.end(run, { graceMs: 2000 });
      expect(readFileSync(said, "utf8").split("\n")).toHaveLength(2);
    }
  },
);

test(
  "S1.20 output goes on while no server lives, and is read on without a gap or a repeat",
  limit,
  async () => {
    const server = serve();
    const script =
      "n=0; while [ $n -lt 400 ]; do n=$((n+1)); echo line $n; done; read -r x; echo done";
    await server.ask({ do: "start", run: "a", command: ["sh", "-c", `read -r x; ${script}`] });
    const folder = world.folder("a");
    await server.ask({ do: "say", run: "a", offset: 0, text: "go\n" });
    const first = await readOutput(folder, "out", 0, 1000);
    server.child.kill("SIGKILL");
    await server.ended;
    await until("it went on", () => world.out("a").includes("line 400\n"));
    // The next server repeats what was committed, and reads on from what was.
    const next = serve();
    await next.ask({ do: "say", run: "a", offset: 0, text: "go\n" });
    await next.ask({ do: "say", run: "a", offset: 3, text: "end\n" });
    await until("it ended", () => hasEnded(folder));
    const rest = await readOutput(folder, "out", first.next, 1_000_000);
    const lines = Buffer.concat([first.bytes, rest.bytes]).toString().split("\n");
    expect(lines).toEqual([...Array.from({ length: 400 }, (_, n) => `line ${n + 1}`), "done", ""]);
    await next.stop();
  },
);

test(
  "S1.15 a server that dies in the middle of a line: the next one ends it, and it arrives once",
  limit,
  async () => {
    const echo = 'while IFS= read -r line; do echo "<$line>"; done';
    const message = '{"answer":"네, 계속하세요"}\n';
    const bytes = Buffer.from(message);
    const server = serve();
    await server.ask({ do: "start", run: "a", command: ["sh", "-c", echo] });
    const folder = world.folder("a");
    // Cut inside a letter: as a death in the middle of a write leaves it.
    const cut = bytes.indexOf("계") + 1;
    writeFileSync(join(folder, "in"), bytes.subarray(0, cut));
    server.child.kill("SIGKILL");
    await server.ended;
    const next = serve();
    for (let n = 0; n < 3; n++) await next.ask({ do: "say", run: "a", offset: 0, text: message });
    await until("it arrived", () => world.out("a") !== "");
    await next.ask({ do: "close", run: "a" });
    await until("it ended", () => hasEnded(folder));
    expect(world.out("a")).toBe(`<${message.trim()}>\n`);
    await next.stop();
  },
);

test(
  "S1.20 frozen by a server that is killed: the next one sees it, thaws it, and it goes on",
  limit,
  async () => {
    const ticks = join(world.place, "ticks");
    const count = (): number => (existsSync(ticks) ? readFileSync(ticks).length : 0);
    const server = serve();
    const script = `while :; do echo >>${ticks}; sleep 0.01; done`;
    await server.ask({ do: "start", run: "a", command: ["setsid", "-w", "sh", "-c", script] });
    await until("it ticks", () => count() > 3);
    expect(await server.ask({ do: "freeze", run: "a" })).toMatchObject({ verified: true });
    server.child.kill("SIGKILL");
    await server.ended;
    expect(moving(living(world.home))).toEqual([]);
    const next = serve();
    expect(await next.ask({ do: "look", run: "a" })).toMatchObject({
      state: "running",
      frozen: true,
    });
    const before = count();
    expect(await next.ask({ do: "thaw", run: "a" })).toMatchObject({ verified: true });
    await until("it ticks on", () => count() > before + 3);
    await next.ask({ do: "end", run: "a" });
    await next.stop();
  },
);

test("S1.20 what a dead server left is swept by the next one", limit, async () => {
  const server = serve();
  const command = ["sh", "-c", "trap '' TERM; setsid sleep 1000 & sleep 1001"];
  await server.ask({ do: "start", run: "a", command });
  await runs("a");
  await until("all run", () => living(world.home).length >= 5);
  // Its holder dies too: nobody is left who knows of the agent but its tag.
  const all = living(world.home);
  server.child.kill("SIGKILL");
  await server.ended;
  kill(Math.min(...all.map(({ pid }) => pid)));
  const next = serve();
  expect(await next.ask({ do: "sweep", run: "" })).toMatchObject([{ run: "a", verified: true }]);
  expect(all.filter(({ pid }) => isThere(pid))).toEqual([]);
  await next.stop();
});

test(
  "S1.20 a sweep by a tool of an agent ends what is stray, and neither the tool nor its agent",
  limit,
  async () => {
    const { supervisor } = world;
    // Of one that lives it would not be stray.
    const gone = serve();
    await gone.ask({ do: "start", run: "stray", command: ["sleep", "1000"] });
    gone.child.kill("SIGKILL");
    await gone.ended;
    const command = [process.execPath, program, world.home, world.place];
    await supervisor.start(world.spec("a", ["sh", "-c", `${command.join(" ")}; echo went on`]));
    const question = `${JSON.stringify({ do: "sweep", run: "" })}\n`;
    await writeInput(world.folder("a"), 0, Buffer.from(question));
    await until("it swept", () => world.out("a") !== "");
    expect(JSON.parse(world.out("a"))).toMatchObject([{ run: "stray", verified: true }]);
    await closeInput(world.folder("a"));
    await until("its agent went on", () => world.out("a").endsWith("went on\n"));
    await until("it ended", () => living(world.home).length === 0);
  },
);

test.for(["SIGINT", "SIGHUP", "SIGQUIT", "SIGTERM", "SIGTSTP"] as const)(
  "S1.20 %s to the server's whole group does not reach the agent",
  limit,
  async (signal) => {
    const server = serve({ way: "detached" });
    await startHearing(server);
    const { pid = 0 } = server.child;
    killGroup(pid, signal);
    // It would only stand still.
    if (signal === "SIGTSTP") killGroup(pid, "SIGKILL");
    await server.ended;
    expect(await heard("a")).toBe("ready\nQUIT\n");
  },
);

test(
  "S1.20 neither Ctrl-C nor the end of the server's terminal reaches the agent",
  limit,
  async ({ skip }) => {
    skip(
      spawnSync("script", ["--version"]).error !== undefined,
      "a terminal: there is no script(1)",
    );
    for (const how of ["\u0003", "hangup"]) {
      const words = [process.execPath, program, world.home, world.place].join(" ");
      const terminal = spawn("script", ["-qec", words, "/dev/null"], {
        stdio: ["pipe", "ignore", "ignore"],
      });
      const ended = new Promise((done) => terminal.once("close", done));
      terminal.stdin.on("error", () => undefined);
      const run = how === "hangup" ? "b" : "a";
      terminal.stdin.write(`${JSON.stringify({ do: "start", run, command: hearing })}\n`);
      await runs(run);
      await until("it listens", () => world.out(run) === "ready\n");
      if (how === "hangup") terminal.kill("SIGKILL");
      else terminal.stdin.write(how);
      await ended;
      expect(await heard(run)).toBe("ready\nQUIT\n");
    }
  },
);

test.for([...ways, "nohup"] as const)(
  "S1.20 an agent of a server started “%s” ignores and blocks no signal",
  limit,
  async (way) => {
    const masks = "grep -E 'Sig(Ign|Blk)' /proc/self/status; exec sleep 1000";
    const command = ["sh", "-c", masks];
    const server = way === "nohup" ? serveByNohup() : serve({ way });
    await server.ask({ do: "start", run: "a", command });
    await until("it says so", () => world.out("a").split("\n").length === 3);
    expect(world.out("a")).toBe("SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
    await server.ask({ do: "end", run: "a" });
    await server.stop();
  },
);

// --- internal ---

/** Says each signal it hears. */
const hearing = [
  "sh",
  "-c",
  'for s in HUP INT QUIT TERM TSTP; do trap "echo $s" $s; done; echo ready; while :; do sleep 0.01; done',
];

async function startHearing(server: Server): Promise<void> {
  await server.ask({ do: "start", run: "a", command: hearing });
  await until("it listens", () => world.out("a") === "ready\n");
}

/** Everything it heard, with a signal of ours as the last. */
async function heard(run: string): Promise<string> {
  kill(await pidOf(run), "SIGQUIT");
  await until("it hears us", () => world.out(run).includes("QUIT"));
  const out = world.out(run);
  await world.supervisor.end(run, { graceMs: 0 });
  return out;
}

function serveByNohup(): Server {
  // What nohup does: the program that follows inherits an ignored SIGHUP.
  const wrapper = join(world.place, "nohup.mjs");
  writeFileSync(
    wrapper,
    `import { spawnSync } from "node:child_process";
spawnSync("nohup", [process.execPath, ${JSON.stringify(program)}, ...process.argv.slice(2)], { stdio: "inherit" });`,
  );
  return startServer(wrapper, world.home, world.place);
}
