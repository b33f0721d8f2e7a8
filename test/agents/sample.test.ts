// The sample agent as the engine runs it: a process of its own, output appended to a file, messages on
// stdin; killed, ended, and started again.
import { type ChildProcess, spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { MessageKind } from "../../src/agents/adapters/adapter.ts";
import { frame } from "../../src/agents/adapters/frames.ts";
import { sampleAdapter } from "../../src/agents/adapters/sample.ts";
import { full, limit, seeded, until } from "../crash/programs.ts";

const root = resolve(import.meta.dirname, "../..");
const shop = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-sample-")));
const program = join(shop, "sample-agent.mjs");

beforeAll(async () => {
  const input = join(root, "src/agents/sample/main.ts");
  const bundle = await rolldown({ input, platform: "node", external: /^node:/ });
  await bundle.write({ dir: shop, entryFileNames: "sample-agent.mjs", codeSplitting: false });
});

afterAll(() => rmSync(shop, { recursive: true, force: true }));

interface Process {
  readonly pid: number;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  tell(kind: MessageKind, text: string, id?: string): void;
  closeInput(): void;
  kill(signal: NodeJS.Signals): void;
  output(): string;
  lines(): number;
  errors(): string;
}

let messages = 0;

/** One agent: its working folder, its home, and a folder for each of its processes. */
function agent(script: string | null) {
  const folder = mkdtempSync(join(shop, "agent-"));
  const cwd = join(folder, "work");
  mkdirSync(cwd);
  const path = script === null ? undefined : join(folder, "script.txt");
  if (path !== undefined) writeFileSync(path, script ?? "");
  const running = new Set<ChildProcess>();
  onTestFinished(async () => {
    const ends = [...running].map((child) => new Promise((end) => child.once("close", end)));
    for (const child of running) child.kill("SIGKILL");
    await Promise.all(ends);
  });
  const started: Process[] = [];
  const start = (environment: Record<string, string | undefined> = {}): Process => {
    const at = join(folder, `run-${started.length}`);
    mkdirSync(at);
    const output = join(at, "out");
    const { command, env } = sampleAdapter([process.execPath, program]).command({
      session: "agent_1",
      resume: started.length > 0,
      cwd,
      home: join(folder, "home"),
      output,
      script: path,
    });
    const files = [openSync(output, "a"), openSync(join(at, "err"), "a")];
    const [file = "", ...words] = command;
    const child = spawn(file, words, {
      cwd,
      env: { PATH: process.env["PATH"], HOLDFAST_SAMPLE_PACE: "1", ...env, ...environment },
      stdio: ["pipe", ...files],
    });
    for (const fd of files) closeSync(fd);
    running.add(child);
    child.stdin?.on("error", () => undefined);
    const ended = new Promise<Awaited<Process["ended"]>>((end) => {
      child.once("close", (code, signal) => {
        running.delete(child);
        end({ code, signal });
      });
    });
    const found: Process = {
      pid: child.pid ?? 0,
      ended,
      tell: (kind, text, id = `m${++messages}`) => child.stdin?.write(frame({ id, kind, text })),
      closeInput: () => child.stdin?.end(),
      kill: (signal) => child.kill(signal),
      output: () => readFileSync(output, "utf8"),
      lines: () => readFileSync(output, "latin1").split("\n").length - 1,
      errors: () => readFileSync(join(at, "err"), "utf8"),
    };
    started.push(found);
    return found;
  };
  return {
    cwd,
    start,
    /** With these messages, until it ends by itself. */
    async run(told: readonly Told[], environment?: Record<string, string | undefined>) {
      const process = start(environment);
      for (const [kind, text, id] of told) process.tell(kind, text, id);
      process.closeInput();
      return { process, ...(await process.ended) };
    },
    output: () => started.map((process) => process.output()).join(""),
  };
}

type Told = readonly [kind: MessageKind, text: string, id: string];
const go: Told = ["prompt", "Go", "p1"];

/** Without the pieces of lines that the kernel leaves when a kill cuts a write, which it may. */
function wholeLines(output: string, wanted: readonly string[]): string[] {
  const known = new Set(wanted);
  return output.split("\n").filter((line) => known.has(line));
}

describe("S1.20 kill -9 and started again", () => {
  const kills = full ? 200 : 20;
  const count = full ? 30_000 : 3_000;

  test(`${kills} times at any moment: each line once, in order`, limit, async () => {
    const random = seeded(42);
    const { start, output } = agent(`repeat ${count}\nsay line {i} 줄\nend\nsay over`);
    for (let kill = 0; kill < kills; kill++) {
      // Told its output's name, and finding it by itself, in turns.
      const process = start(kill % 2 === 0 ? {} : { HOLDFAST_OUTPUT: undefined });
      process.tell(...go);
      const wanted = random(40);
      // A quarter dies while it starts, before or after it took its place over.
      if (kill % 4 === 3) await pause(random(120));
      else await until("some lines", () => process.lines() >= wanted);
      process.kill("SIGKILL");
      expect(await process.ended).toMatchObject({ signal: "SIGKILL" });
    }
    const last = start();
    last.tell(...go);
    expect((await last.ended).code).toBe(0);
    const lines = Array.from({ length: count }, (_, index) => `line ${index + 1} 줄`);
    const all = [...lines, "over"];
    expect(wholeLines(output(), all)).toEqual(all);
  });

  test(
    "after each line of a script with everything: the same output, the same files",
    limit,
    async () => {
      const script = `say begin
write a.md one\\n
repeat 2
  say {i}\\nand more
  ask choice Which? | a | b
  say took {answer}
end
usage 3 0.1
phase 1 a.md
on feedback
  write a.md two: {feedback}\\n
end
error notify_user careful
limit 0
need api_key KEY
say end`;
      const told: Told[] = [
        go,
        ["answer", "a", "a1"],
        ["answer", "b", "a2"],
        ["feedback", "more", "f1"],
        ["prompt", "Next", "p2"],
      ];
      const whole = agent(script);
      expect((await whole.run(told, { KEY: "1" })).code).toBe(0);
      const total = whole.output().split("\n").length - 1;
      expect(total).toBeGreaterThan(30);
      for (let line = 1; line < total; line += full ? 1 : 3) {
        const killed = agent(script);
        const process = killed.start({ KEY: "1" });
        for (const [kind, text, id] of told) process.tell(kind, text, id);
        await until(`line ${line}`, () => process.lines() >= line);
        process.kill("SIGKILL");
        await process.ended;
        expect((await killed.run(told, { KEY: "1" })).code).toBe(0);
        expect(killed.output()).toBe(whole.output());
        expect(readFileSync(join(killed.cwd, "a.md"), "utf8")).toBe("two: more\n");
      }
    },
  );

  test("in the middle of a flood: no line of it is lost or doubled", limit, async () => {
    const { start, output } = agent("flood 20\nsay over");
    for (const megabytes of [1, 4, 9]) {
      const process = start();
      process.tell(...go);
      await until("so much", () => output().length >= megabytes * 1_000_000);
      process.kill("SIGKILL");
      await process.ended;
    }
    const last = start();
    last.tell(...go);
    expect((await last.ended).code).toBe(0);
    const flood = Array.from({ length: 20 * 1024 }, (_, at) =>
      `flood ${at + 1} `.padEnd(1023, "."),
    );
    const all = [...flood, "over"];
    expect(wholeLines(output(), all)).toEqual(all);
  });

  test("a variable it asked for is there in the next process", limit, async () => {
    const one = agent("need api_key KEY\nsay have it");
    const first = one.start();
    first.tell(...go);
    await until("the request", () => first.output().includes("[/DEPENDENCY_REQUEST]"));
    first.kill("SIGTERM");
    expect((await first.ended).code).toBe(143);
    const { process } = await one.run([go], { KEY: "secret" });
    expect(process.output()).toBe("have it\n");
  });
});

const sessionOf = (pid: number): string =>
  readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ")[3] ?? "";
const toolOf = (file: string): number =>
  Number(/^pid (\d+)\n/.exec(existsSync(file) ? readFileSync(file, "utf8") : "")?.[1] ?? 0);

describe("S1.10 its end", () => {
  test("SIGTERM ends it with code 143, and its tool with it", limit, async () => {
    const one = agent("tool 600 deep/ticks");
    const process = one.start();
    process.tell(...go);
    const ticks = join(one.cwd, "deep/ticks");
    await until("ticks", () => existsSync(ticks) && readFileSync(ticks, "utf8").includes("\n3\n"));
    // In a session of its own, as agents start their tools.
    expect(sessionOf(toolOf(ticks))).toBe(String(toolOf(ticks)));
    process.kill("SIGTERM");
    expect(await process.ended).toEqual({ code: 143, signal: null });
    await until("the tool is gone", () => !existsSync(`/proc/${toolOf(ticks)}`));
  });

  test(
    "a kill leaves the tool running, as it does with real agents; a resumed agent starts it anew",
    limit,
    async () => {
      // Long enough to be seen alive when its agent is dead.
      const one = agent("tool 4\nsay over");
      const process = one.start();
      process.tell(...go);
      const ticks = join(one.cwd, "tool.ticks");
      await until("the tool", () => toolOf(ticks) > 0);
      const orphan = toolOf(ticks);
      process.kill("SIGKILL");
      await process.ended;
      expect(existsSync(`/proc/${orphan}`)).toBe(true);
      const { code } = await one.run([go]);
      expect(code).toBe(0);
      expect(one.output()).toBe("over\n");
      await until("the orphan is gone", () => !existsSync(`/proc/${orphan}`));
    },
  );

  test(
    "its input closed while it waits: code 0; while it hangs: nothing, until SIGTERM",
    limit,
    async () => {
      for (const script of ["say a\nask business Why?", "phase 1", "wait", "need file F"])
        expect(await agent(script).run([go])).toMatchObject({ code: 0 });
      expect(await agent("say a").run([])).toMatchObject({ code: 0 });
      const process = agent("say a\nhang").start();
      process.tell(...go);
      process.closeInput();
      await until("the line", () => process.output() === "a\n");
      process.kill("SIGTERM");
      expect((await process.ended).code).toBe(143);
    },
  );

  test("exit and fatal end it with their codes", limit, async () => {
    expect((await agent("exit 7").run([go])).code).toBe(7);
    expect((await agent("fatal broken").run([go])).code).toBe(1);
  });

  test("SIGTERM is heard in the midst of endless work", limit, async () => {
    const process = agent("repeat 999999999\nrepeat 999999999\nend\nend").start();
    process.tell(...go);
    const started = agent("repeat 999999999\nsay x\nend").start();
    started.tell(...go);
    await until("it works", () => started.lines() > 10);
    for (const each of [process, started]) each.kill("SIGTERM");
    expect((await started.ended).code).toBe(143);
    // Perhaps it was not yet listening.
    const { code, signal } = await process.ended;
    expect(code === 143 || signal === "SIGTERM").toBe(true);
  });
});

describe("S7.6 what is wrong is told", () => {
  test(
    "a script with errors does nothing, and each error is named in the reader's language",
    limit,
    async () => {
      const { process, code } = await agent("say a\nphrase 1\nsleep x").run([go]);
      expect(code).toBe(2);
      expect(process.output()).toBe("");
      expect(process.errors()).toBe(
        "Line 2: “phrase” is no word of the script language. Did you mean “phase”?\n" +
          "Line 3: “sleep” is used differently. Write: sleep <milliseconds>\n",
      );
      const korean = await agent("phrase 1").run([go], { LANG: "ko_KR.UTF-8" });
      expect(korean.process.errors()).toContain("혹시 “phase”인가요?");
      const told = { LANG: "ko_KR.UTF-8", HOLDFAST_LANG: "en" };
      const english = await agent("phrase 1").run([go], told);
      expect(english.process.errors()).toContain("Did you mean “phase”?");
    },
  );

  test(
    "a path outside the working folder, or behind a link, is refused with code 4",
    limit,
    async () => {
      const outside = agent("write ../../x.md x");
      const ended = await outside.run([go]);
      expect(ended.code).toBe(4);
      expect(ended.process.errors()).toContain("“../../x.md” lies outside the working folder");
      for (const script of ["write link/x.md x", "write file.md x", "tool 1 link/ticks"]) {
        const linked = agent(script);
        mkdirSync(join(linked.cwd, "../elsewhere"));
        symlinkSync("../elsewhere", join(linked.cwd, "link"));
        symlinkSync("../elsewhere/file.md", join(linked.cwd, "file.md"));
        expect((await linked.run([go])).code).toBe(4);
        expect(existsSync(join(linked.cwd, "../elsewhere/file.md"))).toBe(false);
      }
    },
  );

  test("a session that is not one, and a broken session file, are refused", limit, async () => {
    const { process, code } = await agent("say a").run([go], { HOLDFAST_SESSION: "../x" });
    expect(code).toBe(2);
    expect(process.errors()).toContain("“../x” can not be a session");
    const broken = agent("say a");
    mkdirSync(join(broken.cwd, "../home"));
    writeFileSync(join(broken.cwd, "../home/agent_1.json"), "{");
    expect((await broken.run([go])).code).toBe(6);
  });
});

const phase = (number: number, ...files: string[]): string =>
  `# A shop\n\nDeliverables:\n${files.map((file) => `- ${file}\n`).join("")}\n    === PHASE ${number} COMPLETE ===`;

describe("S6.5 without a script", () => {
  test(
    "it goes through phases, a question, feedback and a kill, and writes what was asked for",
    limit,
    async () => {
      const one = agent(null);
      const first = one.start();
      first.tell("prompt", phase(1, "docs/idea.md", "docs/users.md"), "p1");
      await until("the question", () => first.output().includes("[/USER_QUESTION]"));
      first.kill("SIGKILL");
      await first.ended;
      const second = one.start();
      second.tell("prompt", phase(1, "docs/idea.md", "docs/users.md"), "p1");
      second.tell("answer", "A small team", "a1");
      await until("the claim", () => second.output().includes("=== PHASE 1 COMPLETE ===\n"));
      second.tell("feedback", "Say more about {money}.", "f1");
      await until(
        "it again",
        () => second.output().split("=== PHASE 1 COMPLETE ===\n").length === 3,
      );
      second.tell("prompt", phase(2, "docs/screens.md"), "p2");
      await until("the next", () => second.output().includes("=== PHASE 2 COMPLETE ===\n"));
      second.closeInput();
      expect((await second.ended).code).toBe(0);
      expect(one.output().split("[USER_QUESTION]").length).toBe(2);
      const idea = readFileSync(join(one.cwd, "docs/idea.md"), "utf8");
      expect(idea).toContain("A small team");
      expect(idea).toContain("\nSay more about {money}.\n");
      expect(statSync(join(one.cwd, "docs/screens.md")).size).toBeGreaterThan(800);
    },
  );
});
