// The interpreter on a real disk, in this process, killed wherever we like: before, inside and after
// each output and each record.
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { seeded } from "../../../test/crash/programs.ts";
import type { MessageKind } from "../adapters/adapter.ts";
import { commandAdapter } from "../adapters/command.ts";
import type { Framed } from "../adapters/frames.ts";
import { type World, play } from "./play.ts";
import { newSession, sessionFile } from "./session.ts";
import { writeBelow } from "./_write.ts";

class Killed extends Error {}

interface Options {
  readonly messages?: readonly Framed[];
  readonly variables?: Readonly<Record<string, string>>;
  /** Asked before and after each step on the disk, and how much of an output is let through. */
  readonly death?: Death;
  readonly token?: string;
  readonly look?: number;
}

interface Death {
  check(): void;
  cut(length: number): number | null;
}

/** One agent: its home, its working folder, and a file of output for each of its processes. */
function lab(script: string | null) {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-sample-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const outputs: string[] = [];
  const tools: number[] = [];
  let clock = 1_000_000;
  const start = async (options: Options = {}): Promise<number | "killed"> => {
    const path = join(folder, `out-${outputs.length}`);
    writeFileSync(path, "");
    outputs.push(path);
    const file = sessionFile(join(folder, "home"), "s1");
    let mail: readonly Framed[] | null = options.messages ?? [prompt()];
    const { death } = options;
    const world: World = {
      token: options.token,
      look: options.look ?? null,
      pace: 5,
      output: { path, size: 0 },
      sizeOf: (of) => statSync(of, { throwIfNoEntry: false })?.size ?? null,
      print: (bytes) => {
        death?.check();
        const cut = death?.cut(bytes.length) ?? null;
        appendFileSync(path, bytes.subarray(0, cut ?? bytes.length));
        if (cut !== null) throw new Killed();
        death?.check();
      },
      save: (session) => {
        death?.check();
        file.save(session);
        death?.check();
      },
      write: (of, text) => writeBelow(folder, of, text),
      variable: (name) => options.variables?.[name],
      now: () => clock,
      pause: async (milliseconds) => {
        clock += milliseconds;
      },
      tool: async (seconds) => {
        tools.push(seconds);
      },
      receive: async () => {
        const all = mail;
        mail = null;
        return all;
      },
    };
    try {
      return await play(file.load() ?? newSession("en", script), world);
    } catch (error) {
      if (error instanceof Killed) return "killed";
      throw error;
    }
  };
  return {
    folder,
    start,
    tools,
    clock: () => clock,
    outputs: () => outputs.map((path) => readFileSync(path, "utf8")),
    output: () => outputs.map((path) => readFileSync(path, "utf8")).join(""),
    file: (path: string) => readFileSync(join(folder, path), "utf8"),
  };
}

let ids = 0;
const message = (kind: MessageKind, text: string): Framed => ({ id: `m${++ids}`, kind, text });
const prompt = (text = "Go"): Framed => message("prompt", text);

async function said(script: string, options: Options = {}): Promise<string[]> {
  const agent = lab(script);
  await agent.start(options);
  return agent.output().split("\n").slice(0, -1);
}

/** What the engine makes of it. */
function signals(output: string): unknown[] {
  const reader = commandAdapter(["x"]).reader({});
  return [...reader.push(Buffer.from(output)), ...reader.end()].map((event) => {
    if (event.type !== "signal") return event;
    const { start: _start, end: _end, ...signal } = event.signal;
    return signal;
  });
}

const spoken = async (script: string, options?: Options): Promise<unknown[]> =>
  signals(`${(await said(script, options)).join("\n")}\n`);

describe("S7.6 the words", () => {
  test("say prints a line, with the counters of the loops around it", async () => {
    expect(await said("say hello\nsay\nsay a\\nb")).toEqual(["hello", "", "a", "b"]);
    const loops =
      "repeat 2\nrepeat 2\nrepeat 1\nsay {i}{j}{k}\nend\nend\nsay {i} {j}\nend\nsay {i}";
    const wanted = ["111", "121", "1 {j}", "211", "221", "2 {j}", "{i}"];
    expect(await said(loops)).toEqual(wanted);
    expect(
      await said("repeat 0\nsay no\nend\nrepeat 3\nrepeat {i}\nsay {i}.{j}\nend\nend"),
    ).toEqual(["1.1", "2.1", "2.2", "3.1", "3.2", "3.3"]);
  });

  test("write makes folders and files, and nothing outside the working folder", async () => {
    const agent = lab("repeat 2\nwrite a/b{i}/c\\sd.md one\\ntwo {i}\\n\nend");
    expect(await agent.start()).toBe(0);
    expect(agent.file("a/b2/c d.md")).toBe("one\ntwo 2\n");
    for (const path of ["../x", "/tmp/x", "a/../../x", "."])
      await expect(lab(`write ${path} x`).start()).rejects.toThrow("outside the working folder");
  });

  test("sleep and tool take their time", async () => {
    const agent = lab("sleep 1500\nrepeat 1\nsleep {i}\nend\ntool 2");
    const before = agent.clock();
    await agent.start();
    expect(agent.clock() - before).toBe(1501);
    expect(agent.tools).toEqual([2]);
  });

  test("phase and done claim what the engine understands", async () => {
    expect(await spoken("phase 2 a.md b\\sc.md")).toEqual([
      { kind: "phase_complete", phase: 2, completed: "Phase 2", files: ["a.md", "b c.md"] },
    ]);
    expect(await spoken("repeat 1\ndone all {i}\nend")).toEqual([
      { kind: "task_complete", task: null, summary: "all 1" },
    ]);
  });

  test("ask asks, waits, and knows the answer afterwards", async () => {
    const script =
      "ask choice Which? | a | b \\| c\nsay got {answer}\nask business Why\\sC:\\\\x `x`?\nsay no";
    const answer = message("answer", "b |\nc");
    expect(await spoken(script, { messages: [prompt(), answer] })).toEqual([
      {
        kind: "user_question",
        category: "choice",
        question: "Which?",
        options: ["a", "b | c"],
        default: null,
        required: true,
      },
      {
        kind: "user_question",
        category: "business",
        question: "Why C:\\x `x`?",
        options: [],
        default: null,
        required: true,
      },
    ]);
    const lines = await said(script, { messages: [answer, prompt(), answer] });
    expect(lines).not.toContain("got b | c");
    const second = message("answer", "b |\nc");
    expect(await said(script, { messages: [prompt(), second] })).toContain("got b | c");
  });

  test("need asks for a variable that is not there, and goes on in the process that has it", async () => {
    const agent = lab("need api_key KEY to pay\nsay paid");
    expect(await agent.start()).toBe(0);
    const request = {
      kind: "dependency_request",
      type: "api_key",
      name: "KEY",
      description: "to pay",
      required: true,
      default: null,
    };
    expect(signals(agent.output())).toEqual([request]);
    expect(await agent.start()).toBe(0);
    expect(agent.outputs()[1]).toBe("");
    expect(await agent.start({ variables: { KEY: "1" } })).toBe(0);
    expect(agent.outputs()[2]).toBe("paid\n");
    expect(await said("need file F\nsay have", { variables: { F: "" } })).toEqual(["have"]);
  });

  test("S1.18 limit says how long, and does nothing until then", async () => {
    const agent = lab("limit 90\nsay on");
    const before = agent.clock();
    await agent.start();
    expect(agent.clock() - before).toBe(90_000);
    expect(signals(agent.output())).toMatchObject([
      { kind: "error", type: "recoverable", recovery: "pause_and_retry", retryAfter: 90 },
    ]);
    expect(agent.output()).toMatch(/on\n$/);
  });

  test("error goes on, fatal ends with code 1", async () => {
    const agent = lab("error notify_user No \\\\style guide\nfatal Broken\nsay never");
    expect(await agent.start()).toBe(1);
    expect(signals(agent.output())).toMatchObject([
      { kind: "error", type: "recoverable", recovery: "notify_user", message: "No \\style guide" },
      { kind: "error", type: "fatal", recovery: "checkpoint_and_fail", message: "Broken" },
    ]);
  });

  test("S1.14 verdict is understood; said again after a reminder", async () => {
    const agent = lab('verifier\n verdict fail Too "thin"\nend\ndone x');
    await agent.start({ look: 1, messages: [prompt(), message("reminder", "And?")] });
    const found = { id: "sample", status: "failed", details: 'Too "thin"' };
    const result = { kind: "verification_result", criteria: [found] };
    expect(signals(agent.output())).toMatchObject([result, result]);
  });

  test("usage is understood, with a cost and without", async () => {
    expect(await spoken("usage 12 0.5\nrepeat 2\nusage {i}\nend")).toEqual([
      { type: "usage", tokens: 12, costUsd: 0.5 },
      { type: "usage", tokens: 1, costUsd: null },
      { type: "usage", tokens: 2, costUsd: null },
    ]);
  });

  test("flood prints numbered lines of 1,024 bytes", async () => {
    const lines = await said("flood 2");
    expect(lines).toHaveLength(2048);
    expect(lines.every((line, index) => line.startsWith(`flood ${index + 1} `))).toBe(true);
    expect(lines.every((line) => line.length === 1023)).toBe(true);
    expect(await said("flood 0\nsay x")).toEqual(["x"]);
  });

  test("exit ends with its code, and a resumed agent goes on behind it", async () => {
    const agent = lab("say a\nexit 3\nsay b");
    expect(await agent.start()).toBe(3);
    expect(await agent.start()).toBe(0);
    expect(agent.outputs()).toEqual(["a\n", "b\n"]);
  });

  test("S1.13 every marker carries the token of strict markers", async () => {
    const token = "k7Qm2xVb9";
    const script =
      "phase 1 a\nphase 2\nask business Why?\nneed file F\nerror notify_user x\nusage 1\ndone x";
    const messages = [prompt(), prompt(), prompt(), message("answer", "x")];
    const lines = await said(script, { messages, token, variables: { F: "" } });
    const reader = commandAdapter(["x"]).reader({ token });
    const events = [...reader.push(Buffer.from(`${lines.join("\n")}\n`)), ...reader.end()];
    expect(events).toHaveLength(6);
    expect(reader.ignored).toBe(0);
  });
});

const claims = (lines: readonly string[]): number =>
  lines.filter((line) => line.startsWith("===")).length;

describe("S1.15 what it is told", () => {
  const ring =
    "say begin\nphase 1 a\non feedback\nsay rework: {feedback}\nend\nsay next\nwait\nsay last";

  test("nothing happens before the first prompt", async () => {
    expect(await said("say x", { messages: [] })).toEqual([]);
    expect(
      await said("say x", { messages: [message("note", "x"), message("answer", "y")] }),
    ).toEqual([]);
  });

  test("a prompt after a claim goes on, feedback plays its block and claims again", async () => {
    const feedback = message("feedback", "shorter,\nplease");
    const lines = await said(ring, { messages: [prompt(), feedback, feedback, prompt()] });
    expect(claims(lines)).toBe(2);
    expect(lines).toContain("Feedback received: shorter, please");
    expect(lines).toContain("rework: shorter, please");
    expect(lines.slice(-1)).toEqual(["next"]);
    expect((await said(ring, { messages: [prompt(), prompt(), prompt()] })).slice(-2)).toEqual([
      "next",
      "last",
    ]);
  });

  test("a reminder repeats the claim, a note changes nothing, wait takes feedback too", async () => {
    const reminded = await said(ring, { messages: [prompt(), message("reminder", "Well?")] });
    expect(claims(reminded)).toBe(2);
    const noted = await said(ring, { messages: [prompt(), message("note", "Hm")] });
    expect(claims(noted)).toBe(1);
    const fed = await said("wait\nsay a\nwait\non feedback\nsay {feedback}\nend\nsay b", {
      messages: [prompt(), message("feedback", "x"), message("feedback", "y"), prompt()],
    });
    expect(fed).toEqual(["a", "Feedback received: y", "y", "b"]);
  });

  test("S1.16 a message sent again under its id is not acted on again", async () => {
    const agent = lab(ring);
    const [first, second] = [prompt(), prompt()];
    await agent.start({ messages: [first] });
    await agent.start({ messages: [first] });
    await agent.start({ messages: [first, second] });
    await agent.start({ messages: [second] });
    expect(agent.outputs().map((output) => output.split("\n").length - 1)).toEqual([6, 0, 1, 0]);
  });
});

/** Dies at the n-th chance: each disk step has one before and one after it. */
function dieAt(chance: number): Death {
  let left = chance;
  return {
    check() {
      if (left-- === 0) throw new Killed();
    },
    cut: () => null,
  };
}

/** Lets so many bytes out, in all, and dies in the middle of a write. */
function dieAfterBytes(bytes: number): Death {
  let left = bytes;
  return {
    check: () => undefined,
    cut(length) {
      if (left < length) return left;
      left -= length;
      return null;
    },
  };
}

const course = `say begin
repeat 2
  say line {i}
  repeat 2
    say part {i}.{j}\\nsecond line
  end
  ask choice Which {i}? | a | b
  say took {answer}
end
write a.md text\\n
phase 1 a.md
on feedback
  say again
end
sleep 5
need api_key KEY
usage 5
say end`;

describe("S1.20 killed anywhere", () => {
  const told = [
    prompt(),
    ...["a", "b"].map((text) => message("answer", text)),
    message("feedback", "more"),
    prompt(),
  ];
  const options = { messages: told, variables: { KEY: "1" } };

  test("between any two steps, twice over: the outputs together are those of one process", async () => {
    const whole = lab(course);
    expect(await whole.start(options)).toBe(0);
    let chance = 0;
    for (let over = false; !over; chance++) {
      const agent = lab(course);
      over = (await agent.start({ ...options, death: dieAt(chance) })) !== "killed";
      // The second one dies early too, each time a little later.
      await agent.start({ ...options, death: dieAt(chance % 9) });
      expect(await agent.start(options)).toBe(0);
      expect(agent.output()).toBe(whole.output());
    }
    expect(chance).toBeGreaterThan(80);
  });

  test("at random, until it is through: nothing is lost and nothing comes twice", async () => {
    const random = seeded(5);
    const whole = lab(course);
    await whole.start(options);
    for (let round = 0; round < 30; round++) {
      const agent = lab(course);
      let ends: number | "killed" = "killed";
      while (ends === "killed") ends = await agent.start({ ...options, death: dieAt(random(30)) });
      expect(agent.output()).toBe(whole.output());
    }
  });

  test("a process that died before it did anything changes nothing", async () => {
    const agent = lab("repeat 9\nsay line {i}\nend");
    await agent.start({ death: dieAt(9) });
    for (let times = 0; times < 3; times++) await agent.start({ death: dieAt(0) });
    await agent.start();
    expect(agent.output()).toBe(Array.from({ length: 9 }, (_, i) => `line ${i + 1}\n`).join(""));
  });

  test("inside a write, at every byte: the cut line comes whole, every other one once", async () => {
    const script = "repeat 3\nsay line {i}\\nand 줄 {i}\nend\nsay end";
    const whole = lab(script);
    await whole.start();
    const lines = whole.output().split("\n").slice(0, -1);
    const known = new Set(lines);
    const size = Buffer.byteLength(whole.output());
    for (let cut = 0; cut < size; cut++) {
      const agent = lab(script);
      expect(await agent.start({ death: dieAfterBytes(cut) })).toBe("killed");
      // The second one before it prints the rest, or inside that too.
      await agent.start({ death: cut % 2 === 0 ? dieAt(3) : dieAfterBytes(cut % 11) });
      expect(await agent.start()).toBe(0);
      expect(
        agent
          .output()
          .split("\n")
          .filter((line) => known.has(line)),
      ).toEqual(lines);
    }
  });

  test("inside a marker, at every byte: the engine sees it whole in the end", async () => {
    const script = "ask choice Which? | a | b\nphase 3 a.md b.md\nsay end";
    const messages = [prompt(), message("answer", "a"), prompt()];
    const whole = lab(script);
    await whole.start({ messages });
    const wanted = signals(whole.output());
    for (let cut = 0; cut < Buffer.byteLength(whole.output()); cut++) {
      const agent = lab(script);
      expect(await agent.start({ messages, death: dieAfterBytes(cut) })).toBe("killed");
      await agent.start({ messages });
      // Each process is read to its end, as the engine does.
      const seen = agent.outputs().flatMap(signals);
      for (const signal of wanted) expect(seen).toContainEqual(signal);
    }
  });
});
