import { describe, expect, test } from "vitest";
import { Fault } from "../../core/errors.ts";
import { render } from "../../core/messages.ts";
import type { Adapter, AgentEvent, Start } from "./adapter.ts";
import { adapterOf } from "./adapters.ts";

const programs = { sample: ["node", "/opt/sample-agent.js"] };
const start: Start = {
  session: "agent_1",
  resume: false,
  cwd: "/project/tree",
  home: "/home/agents",
  output: "/home/runs/1/out",
};
const plain = adapterOf("command:./agent.sh", programs);

function refusal(agent: string): { code: string; text: string; hint: string } {
  try {
    return { code: "", text: adapterOf(agent, programs).name, hint: "" };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const hint = error.hint ? render("en", error.hint) : "";
    return { code: error.code, text: error.message, hint };
  }
}

function events(adapter: Adapter, text: string, token?: string): AgentEvent[] {
  const reader = adapter.reader({ token });
  return [...reader.push(Buffer.from(text)), ...reader.end()];
}

const usages = (text: string, token?: string): number[] =>
  events(plain, text, token).flatMap((event) => (event.type === "usage" ? [event.tokens] : []));

const usage = (tokens: number): string => `[USAGE_JSON]{"tokens":${tokens}}[/USAGE_JSON]\n`;

describe("S6.5 an agent by its name", () => {
  test("a command is its words, and is told its session and its language", () => {
    const adapter = adapterOf("command:./agent.sh 'two words'", programs);
    expect(adapter.command(start)).toEqual({
      command: ["./agent.sh", "two words"],
      env: { HOLDFAST_SESSION: "agent_1", HOLDFAST_RESUMED: "0" },
    });
    const again = adapter.command({ ...start, resume: true, token: "k7Qm2xVb9", language: "ko" });
    expect(again.env).toEqual({
      HOLDFAST_SESSION: "agent_1",
      HOLDFAST_RESUMED: "1",
      HOLDFAST_LANG: "ko",
      HOLDFAST_TOKEN: "k7Qm2xVb9",
    });
    expect(adapter.capabilities).toMatchObject({ resume: false, deduplicates: false });
  });

  test("the sample agent gets its script, its home and the file of its output", () => {
    const adapter = adapterOf("sample", programs);
    expect(adapter.command(start).command).toEqual(programs.sample);
    const { command, env } = adapter.command({ ...start, script: "/tmp/a b.txt" });
    expect(command).toEqual([...programs.sample, "--script", "/tmp/a b.txt"]);
    expect(env).toMatchObject({
      HOLDFAST_SESSION: "agent_1",
      HOLDFAST_SAMPLE_HOME: "/home/agents",
      HOLDFAST_OUTPUT: "/home/runs/1/out",
    });
    expect(adapter.capabilities).toMatchObject({ resume: true, deduplicates: true });
  });

  test("a name nobody knows and a command that can not be read are invalid input", () => {
    expect(refusal("smaple")).toEqual({
      code: "invalid_input",
      text: "There is no agent “smaple”. Known: sample, claude, command:<program>.",
      hint: "Did you mean “sample”?",
    });
    expect(refusal("command:a | b")).toMatchObject({ code: "invalid_input" });
    expect(refusal("command:a | b").text).toContain("“|” at character 3");
    expect(refusal("command:").text).toContain("it names no program");
    expect(refusal("command:a 'b").hint).toContain("sh -c");
  });
});

describe("S1.21c usage of a plain command", () => {
  test("is a line of its own, with or without a cost", () => {
    expect(events(plain, '[USAGE_JSON]{"tokens":12,"cost_usd":0.5}[/USAGE_JSON]\n')).toEqual([
      { type: "usage", tokens: 12, costUsd: 0.5 },
    ]);
    expect(events(plain, '  [USAGE_JSON] {"tokens":3} [/USAGE_JSON] \r\n')).toEqual([
      { type: "usage", tokens: 3, costUsd: null },
    ]);
    expect(usages(usage(1) + usage(2).trimEnd())).toEqual([1, 2]);
  });

  test("is nothing in prose, in a fence, indented like code, or where its numbers make no sense", () => {
    expect(usages(`see ${usage(1)}> ${usage(2)}    ${usage(3)}\t${usage(4)}`)).toEqual([]);
    expect(usages("```\n" + usage(1) + "```\n" + usage(2))).toEqual([2]);
    expect(usages("~~~~ text\n```\n~~~\n" + usage(1) + "~~~~\n" + usage(2))).toEqual([2]);
    expect(usages("```x``` inline\n" + usage(1))).toEqual([1]);
    for (const bad of ["-1", "1.5", "1e99", '"1"', "null", "{}"])
      expect(usages(`[USAGE_JSON]{"tokens":${bad}}[/USAGE_JSON]\n`)).toEqual([]);
    for (const bad of ["[]", "null", "{}", "{", '{"tokens":1,"cost_usd":-1}'])
      expect(usages(`[USAGE_JSON]${bad}[/USAGE_JSON]\n`)).toEqual([]);
    expect(usages(`[USAGE_JSON]{"tokens":1${" ".repeat(2000)}}[/USAGE_JSON]\n`)).toEqual([]);
  });

  test("counts again when a fence that nobody closed has hidden enough", () => {
    const noise = `${"x".repeat(99)}\n`.repeat(700);
    expect(usages("```\n" + usage(1) + noise + usage(2))).toEqual([2]);
  });

  test("S1.13 needs the token of strict markers", () => {
    const token = "k7Qm2xVb9";
    const strict = usage(2).replace("JSON]", `JSON ${token}]`);
    expect(usages(usage(1) + strict, token)).toEqual([2]);
    expect(usages(strict)).toEqual([]);
  });
});

const stream = `Reading the brief
${usage(100)}\`\`\`
[USER_QUESTION]
${usage(1)}\`\`\`
[USER_QUESTION]
category: choice
question: 어느 것으로 할까요?
options: [가, 나]
required: true
[/USER_QUESTION]
=== PHASE 1 COMPLETE ===
Files created:
- docs/a.md
${usage(200)}[ERROR] type: recoverable, message: slow, recovery: notify_user
[DEPENDENCY_REQUEST_JSON]{"type":"api_key","name":"K","description":"d","required":true}[/DEPENDENCY_REQUEST_JSON]
=== CUSTOM TASK COMPLETE ===
Summary: done
${usage(300).trimEnd()}`;

describe("S1.20 reading", () => {
  const bytes = Buffer.from(stream);
  const whole = events(plain, stream);
  const kinds = whole.map((event) => (event.type === "signal" ? event.signal.kind : event.type));

  test("gives the events in the order of their lines", () => {
    expect(kinds).toEqual([
      "usage",
      "user_question",
      "phase_complete",
      "usage",
      "error",
      "dependency_request",
      "task_complete",
      "usage",
    ]);
  });

  test("is the same in chunks of any size", () => {
    for (const size of [1, 2, 3, 5, 16, 100]) {
      const reader = plain.reader({});
      const found: AgentEvent[] = [];
      for (let at = 0; at < bytes.length; at += size)
        found.push(...reader.push(bytes.subarray(at, at + size)));
      expect([...found, ...reader.end()]).toEqual(whole);
      expect(reader.offset).toBe(bytes.length);
    }
  });

  test("goes on after a crash at every byte", () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      const before = plain.reader({});
      const found = before.push(bytes.subarray(0, cut));
      const after = plain.reader({ resume: before.save() });
      expect(after.offset).toBe(cut);
      found.push(...after.push(bytes.subarray(cut)), ...after.end());
      expect(found).toEqual(whole);
    }
  });

  test("a completion counts when the agent falls silent, and only once", () => {
    const reader = plain.reader({});
    expect(reader.push(Buffer.from("=== PHASE 2 COMPLETE ===\n"))).toEqual([]);
    expect(reader.settle()).toMatchObject([{ signal: { kind: "phase_complete", phase: 2 } }]);
    expect([...reader.settle(), ...reader.end()]).toEqual([]);
  });

  test("refuses a state that is not its own", () => {
    for (const resume of ["", "null", "{}", '{"version":2}'])
      expect(() => plain.reader({ resume })).toThrow(Fault);
  });
});
