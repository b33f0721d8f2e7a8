import { describe, expect, test } from "vitest";
import { Fault } from "../../core/errors.ts";
import { msg, render } from "../../core/messages.ts";
import type { AgentEvent, AgentMessage, Start } from "./adapter.ts";
import { claudeAdapter } from "./claude.ts";
import { messageId, messageUuid } from "./_claude-names.ts";
import { longestLine } from "./_json-lines.ts";

const adapter = claudeAdapter(() => "/opt/claude");
const start: Start = {
  session: "a1b2c3",
  resume: false,
  cwd: "/project/tree",
  home: "/home/agents",
  output: "/home/runs/1/out",
};
const session = { id: start.session };

// --- what Claude Code prints ---

const lines = (...messages: readonly object[]): string =>
  messages.map((message) => `${JSON.stringify(message)}\n`).join("");
const assistant = (content: readonly object[], more: object = {}): object => ({
  type: "assistant",
  message: { model: "claude-opus", role: "assistant", content },
  parent_tool_use_id: null,
  ...more,
});
const says = (text: string, more: object = {}): object => assistant([{ type: "text", text }], more);
const uses = (name: string, input: object): object =>
  assistant([{ type: "tool_use", name, input }]);
const echo = (id: string, more: object = {}): object => ({
  type: "user",
  isReplay: true,
  uuid: messageUuid(id, "what was said"),
  ...more,
});
const init = { type: "system", subtype: "init", session_id: "s-1" };
const result = (more: object = {}): object => ({ is_error: false, ...more, type: "result" });
const spent = (inputTokens: number, outputTokens: number, costUSD: number): object => ({
  "claude-opus": { inputTokens, outputTokens, cacheReadInputTokens: 9_999, costUSD },
});
const synthetic = (error: string, more: object = {}): object => ({
  ...assistant([{ type: "text", text: "=== PHASE 1 COMPLETE ===" }], { error, ...more }),
  message: { model: "<synthetic>", content: [{ type: "text", text: "=== PHASE 1 COMPLETE ===" }] },
});
const question =
  "[USER_QUESTION]\ncategory: choice\nquestion: 어느 것?\noptions: [가, 나]\nrequired: true\n[/USER_QUESTION]";

function read(text: string, token?: string): AgentEvent[] {
  const reader = adapter.reader({ token });
  return [...reader.push(Buffer.from(text)), ...reader.end()];
}
const kinds = (events: readonly AgentEvent[]): string[] =>
  events.map((event) => (event.type === "signal" ? event.signal.kind : event.type));

// --- what is looked at ---

const told = (message: Omit<AgentMessage, "id" | "kind">): unknown => {
  const text = Buffer.from(adapter.message({ id: "m7", kind: "answer", ...message }, session));
  expect(text.indexOf("\n")).toBe(text.length - 1);
  return JSON.parse(text.toString());
};
const words = (text: string): unknown =>
  (told({ text }) as { message: { content: [{ text: string }] } }).message.content[0].text;
const verdict = (allow: boolean, text = ""): unknown =>
  told({ text, about: "r-1", permission: { allow, input: null } });
const answer = (response: object): object => ({
  type: "control_response",
  response: { subtype: "success", request_id: "r-1", response },
});
const request = (id: string, tool: string, input: object): object => ({
  type: "control_request",
  request_id: id,
  request: { subtype: "can_use_tool", tool_name: tool, input },
});
const refused = (status: number | null, error: string, more: object = {}): AgentEvent[] =>
  read(
    lines(
      synthetic(error, more),
      result({ subtype: "success", is_error: true, api_error_status: status, result: "said" }),
    ),
  );
const classOf = (status: number | null, error: string, more: object = {}): unknown => {
  const [event] = refused(status, error, more);
  return event?.type === "failed" ? event.class : event?.type;
};
const limitEvent = (status: string): object => ({
  type: "rate_limit_event",
  rate_limit_info: { status, resetsAt: 1_794_769_342, rateLimitType: "five_hour" },
});
const usages = (...results: readonly object[]): unknown[] =>
  read(lines(...results)).flatMap((event) =>
    event.type === "usage" ? [[event.tokens, event.costUsd]] : [],
  );

const allowed = (more: Partial<Start>): string => {
  const { command } = adapter.command({ ...start, ...more });
  return command.slice(command.indexOf("--permission-mode") + 1, -4).join(" ");
};
const shown = (token?: string): string => {
  const { command } = adapter.command({ ...start, token });
  return command[command.indexOf("--append-system-prompt") + 1] ?? "";
};
const keptOf = (id: string, input: object): unknown => {
  const [event] = read(lines(request(id, "Write", input)));
  return event?.type === "permission" ? [event.input, event.detail.length] : event;
};

// --- how it is started and told ---

describe("S6.5 Claude Code is started", () => {
  test("S0.10 with a hook that tells it after a compaction where the work stands", () => {
    const hooked = claudeAdapter(() => "/opt/claude", ["/opt/node", "/it's here/cli.cjs"]);
    const { command, env } = hooked.command(start);
    const at = command.indexOf("--settings");
    expect(JSON.parse(command[at + 1] ?? "")).toEqual({
      hooks: {
        SessionStart: [
          {
            matcher: "compact",
            hooks: [
              {
                type: "command",
                command: String.raw`HOLDFAST_TOLD= '/opt/node' '/it'\''s here/cli.cjs' 'hook' 'SessionStart'`,
                timeout: 10,
              },
            ],
          },
        ],
      },
    });
    expect(env).toMatchObject({ HOLDFAST_TOLD: "1" });
    // One that judges forgets as well.
    expect(hooked.command({ ...start, role: "verifier" }).command).toContain(command[at + 1]);
    // Where nobody can be called nothing is promised.
    const none = adapter.command(start);
    expect(none.command).not.toContain("--settings");
    expect(none.env).not.toHaveProperty("HOLDFAST_TOLD");
  });

  test("S1.20 with a conversation of its own, or the one that was named", () => {
    const { command, env } = adapter.command(start);
    const [flag, name] = command.slice(-2);
    expect(command.slice(0, 2)).toEqual(["/opt/claude", "-p"]);
    expect(flag).toBe("--session-id");
    expect(name).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(env).toMatchObject({ CLAUDE_CODE_MAX_RETRIES: "2", DISABLE_AUTOUPDATER: "1" });
    const again = { ...start, resume: true };
    expect(adapter.command({ ...again, named: "s-1" }).command.slice(-2)).toEqual([
      "--resume",
      "s-1",
    ]);
    // Killed before it was written: a name can not be given twice.
    const next = adapter.command({ ...again, output: "/home/runs/2/out" }).command;
    expect(next.at(-2)).toBe("--session-id");
    expect(next.at(-1)).not.toBe(name);
  });

  test("S1.16 with a mode for what it may do unasked; a verifier may not edit", () => {
    expect(allowed({})).toBe("acceptEdits");
    expect(allowed({ permissions: "edits" })).toBe("acceptEdits");
    expect(allowed({ permissions: "everything" })).toContain("--allowedTools Bash");
    const reading = "default --disallowedTools Edit,Write,NotebookEdit";
    expect(allowed({ permissions: "read-only" })).toBe(reading);
    expect(allowed({ permissions: "everything", role: "verifier" })).toBe(reading);
  });

  test("S1.12 with the protocol in its instructions, which read as what they show", () => {
    for (const token of [undefined, "k7Qm2xVb9"]) {
      const [asking = "", failing = ""] = shown(token).split("\n[ERROR");
      const found = (text: string): string[] => kinds(read(lines(says(text)), token));
      expect(found(asking)).toEqual(["text", "dependency_request", "user_question"]);
      expect(found(`[ERROR${failing}`)).toEqual(["text", "error"]);
    }
    expect(shown("k7Qm2xVb9")).toContain("=== PHASE 1 COMPLETE k7Qm2xVb9 ===");
  });

  test("only where it is: else the error says how to get it", () => {
    const nowhere = claudeAdapter(() => undefined);
    const missing = expect.objectContaining({
      code: "not_found",
      message: "The agent “claude” is not on this machine.",
      hint: msg("agents.claude.get"),
    }) as Error;
    expect(() => nowhere.command(start)).toThrow(missing);
    expect(() => nowhere.check?.()).toThrow(missing);
    expect(render("en", msg("agents.claude.get"))).toContain("HOLDFAST_CLAUDE");
  });
});

describe("S1.15 Claude Code is told", () => {
  test("S1.16 under a UUID that carries our id, the same whenever it is sent again", () => {
    expect(told({ text: "두 줄\n입니다" })).toMatchObject({
      type: "user",
      uuid: messageUuid("m7", "두 줄\n입니다"),
      message: { role: "user", content: [{ type: "text", text: "두 줄\n입니다" }] },
    });
    for (const id of ["m", "m1", "m12345678", "~!"]) {
      const uuid = messageUuid(id, "said");
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-81d[1-9]-80[0-9a-f]{2}-[0-9a-f]{12}$/);
      expect(messageId(uuid)).toBe(id);
      expect(messageUuid(id, "said otherwise")).not.toBe(uuid);
    }
    const long = messageUuid("a-long-id-of-somebody", "said");
    expect(long).toBe(messageUuid("a-long-id-of-somebody", "said"));
    expect(messageId(long)).toBeUndefined();
    expect(messageId("22222222-2222-4222-8222-222222222222")).toBeUndefined();
    expect(messageId("")).toBeUndefined();
  });

  test("words, never a command of its terminal, never half a character", () => {
    expect(words("/compact")).toBe("\n/compact");
    expect(words("a /compact")).toBe("a /compact");
    expect(words("cut \ud83d")).toBe("cut \ufffd");
  });

  test("S1.16 a verdict on what it asked for; the input stays with Claude Code", () => {
    expect(verdict(true)).toEqual(answer({ behavior: "allow", updatedInput: {} }));
    expect(verdict(false, "Not there.")).toEqual(
      answer({ behavior: "deny", message: "Not there." }),
    );
    expect(verdict(false)).toEqual(answer({ behavior: "deny", message: "A person refused this." }));
  });

  test("the answers to its questions, each under its question", () => {
    const input = { questions: [{ question: "Which?" }] };
    const given = [
      { question: "Which?", chosen: ["SQLite"] },
      { question: "Colours?", chosen: ["red", "blue"] },
    ];
    expect(told({ text: "", about: "r-2", answers: { given, input } })).toMatchObject({
      response: {
        request_id: "r-2",
        response: {
          updatedInput: { ...input, answers: { "Which?": "SQLite", "Colours?": "red, blue" } },
        },
      },
    });
  });

  test("to stop, by a request of its own", () => {
    const bytes = adapter.interrupt?.("i-1", session) ?? new Uint8Array();
    expect(JSON.parse(Buffer.from(bytes).toString())).toEqual({
      type: "control_request",
      request_id: "i-1",
      request: { subtype: "interrupt" },
    });
  });
});

// --- what it says ---

describe("S1.13 markers of Claude Code", () => {
  test("count in the assistant's own words alone", () => {
    const marker = "=== PHASE 1 COMPLETE ===";
    const stream = lines(
      { type: "user", message: { content: [{ type: "text", text: marker }] } },
      { type: "user", isReplay: true, message: { content: [{ type: "text", text: marker }] } },
      { type: "user", message: { content: [{ type: "tool_result", content: marker }] } },
      says(marker, { parent_tool_use_id: "toolu_1" }),
      assistant([{ type: "thinking", thinking: marker }]),
      uses("Bash", { command: `echo '${marker}'` }),
      synthetic("server_error"),
      { type: "system", subtype: "status", text: marker },
      result({ result: marker }),
    );
    expect(kinds(read(stream))).toEqual(["tool", "turnEnd"]);
    expect(kinds(read(lines(says(`Done.\n${marker}`))))).toEqual(["text", "phase_complete"]);
  });

  test("come after the usage of their turn, in their order, and as soon as it goes on or falls silent", () => {
    const both = says(
      `${question}\n[ERROR] type: recoverable, message: slow, recovery: notify_user\n`,
    );
    const turn = lines(both, result({ modelUsage: spent(10, 5, 0.5) }));
    expect(kinds(read(turn))).toEqual(["text", "usage", "error", "user_question", "turnEnd"]);
    const goesOn = lines(both, uses("Bash", { command: "ls" }));
    expect(kinds(read(goesOn))).toEqual(["text", "error", "user_question", "tool"]);
    const reader = adapter.reader({});
    expect(kinds(reader.push(Buffer.from(lines(both))))).toEqual(["text"]);
    expect(kinds(reader.settle())).toEqual(["error", "user_question"]);
    expect([...reader.settle(), ...reader.end()]).toEqual([]);
  });

  test("need the token where one is asked for", () => {
    const stream = lines(says("=== PHASE 1 COMPLETE ===\n\n=== PHASE 2 COMPLETE k7Qm2xVb9 ==="));
    const reader = adapter.reader({ token: "k7Qm2xVb9" });
    const events = [...reader.push(Buffer.from(stream)), ...reader.end()];
    expect(events).toMatchObject([
      { type: "text" },
      { signal: { kind: "phase_complete", phase: 2 } },
    ]);
    expect(reader.ignored).toBe(1);
  });
});

describe("what Claude Code asks", () => {
  test("S1.16 is a permission, with what a person needs to decide", () => {
    const input = { command: "rm -r x", description: "Removes" };
    expect(read(lines(request("r", "Bash", input)))).toEqual([
      { type: "permission", id: "r", tool: "Bash", detail: "rm -r x", input },
    ]);
  });

  test("S1.16 is known again by its input, however large that is", () => {
    const large = { file_path: "x".repeat(9_000), content: "가".repeat(100_000) };
    expect(keptOf("r", large)).toEqual(keptOf("s", { ...large }));
    expect(keptOf("r", large)).not.toEqual(
      keptOf("s", { ...large, content: "나".repeat(100_000) }),
    );
    expect(keptOf("r", large)).toEqual([{ digest: expect.any(String) as string }, 500]);
  });

  test("S1.15 is a question, or several at once", () => {
    const input = {
      questions: [
        {
          question: "Which?",
          header: "DB",
          multiSelect: true,
          options: [{ label: "가", description: "하나" }, { label: "b" }],
        },
      ],
    };
    expect(read(lines(request("q", "AskUserQuestion", input)))).toEqual([
      {
        type: "question",
        id: "q",
        input,
        questions: [
          {
            question: "Which?",
            header: "DB",
            several: true,
            free: true,
            options: ["가", "b"],
            descriptions: ["하나", ""],
          },
        ],
      },
    ]);
  });

  test("is nothing else: requests of other kinds are passed over", () => {
    const other = {
      type: "control_request",
      request_id: "x",
      request: { subtype: "hook_callback" },
    };
    expect(read(lines(other, { type: "control_request" }, { type: "control_response" }))).toEqual(
      [],
    );
  });
});

describe("how a turn of Claude Code ends", () => {
  test("S1.18 at a limit: with the stated reset where there is one", () => {
    expect(refused(429, "rate_limit")).toEqual([
      { type: "rateLimited", resetAt: null, message: "said" },
      { type: "turnEnd" },
    ]);
    const over = result({ is_error: true, api_error_status: null, result: "limit" });
    const limited = synthetic("", { api_error: "usage_limit_reached" });
    expect(read(lines(limitEvent("rejected"), limited, over))[0]).toEqual({
      type: "rateLimited",
      resetAt: 1_794_769_342_000,
      message: "limit",
    });
    expect(read(lines(limitEvent("allowed_warning"), result()))).toEqual([{ type: "turnEnd" }]);
  });

  test("S1.14 refused, with the class of what went wrong", () => {
    expect(classOf(401, "authentication_failed")).toBe("auth");
    expect(classOf(403, "authentication_failed")).toBe("auth");
    expect(classOf(400, "billing_error")).toBe("billing");
    expect(classOf(402, "unknown")).toBe("billing");
    expect(classOf(400, "unknown")).toBe("input");
    expect(classOf(404, "model_not_found")).toBe("input");
    expect(classOf(413, "invalid_request")).toBe("input");
    expect(classOf(529, "server_error")).toBe("network");
    expect(classOf(500, "unknown")).toBe("network");
    expect(classOf(null, "server_error", { api_error: "connection_failed" })).toBe("network");
    expect(classOf(null, "")).toBe("unknown");
  });

  test("S1.11 without its conversation: it has to begin anew", () => {
    const errors = ["No conversation found with session ID: 1"];
    const lost = result({ subtype: "error_during_execution", is_error: true, errors });
    expect(read(lines(lost))).toMatchObject([{ type: "failed", class: "session" }]);
  });

  test("interrupted: as it was wanted, and an error of the turn before does not stick to it", () => {
    const stopped = {
      subtype: "error_during_execution",
      is_error: true,
      terminal_reason: "aborted_tools",
    };
    expect(read(lines(result(stopped)))).toEqual([{ type: "turnEnd" }]);
    const failed = result({ is_error: true, api_error_status: 401, result: "no" });
    const stream = lines(synthetic("authentication_failed"), failed, says("hello"), result());
    expect(kinds(read(stream))).toEqual(["failed", "turnEnd", "text", "turnEnd"]);
  });

  test("S1.21c with what it spent since the last one, whichever way it is told", () => {
    expect(
      usages(
        result({ modelUsage: spent(100, 20, 1) }),
        result({ modelUsage: spent(250, 40, 1.5) }),
      ),
    ).toEqual([
      [120, 1],
      [170, 0.5],
    ]);
    // A conversation that was taken up: the sum holds what earlier processes spent.
    const since = spent(100, 20, 0.25);
    const carried = { modelUsage: spent(900, 90, 9), model_usage_since_last_result: since };
    expect(usages(result(carried))).toEqual([[120, 0.25]]);
    expect(usages(result(), result({ modelUsage: spent(0, 0, 0) }))).toEqual([]);
    expect(usages(result({ modelUsage: { m: { inputTokens: -5, costUSD: "1" } } }))).toEqual([]);
  });

  test("S1.16 with the messages it took up; a retry is told", () => {
    const retry = { type: "system", subtype: "api_retry", attempt: 1, retry_delay_ms: 1000 };
    expect(read(lines(init, echo("m1"), echo("m1"), retry, init, echo("m2"), result()))).toEqual([
      { type: "retry", until: null },
      { type: "heard", id: "m1" },
      { type: "heard", id: "m2" },
      { type: "turnEnd" },
    ]);
    expect(read(lines(echo("m1"), result(), echo("m9"), result()))).toEqual([
      { type: "heard", id: "m1" },
      { type: "turnEnd" },
      { type: "heard", id: "m9" },
      { type: "turnEnd" },
    ]);
  });
});

describe("S1.20 the conversation of Claude Code is named when it is on the disk", () => {
  const began = echo("m1", { session_id: "s-1" });
  const named = { type: "session", id: "s-1" };

  test("when it falls silent behind its first message, or at the end of that turn, once", () => {
    const reader = adapter.reader({});
    expect(reader.push(Buffer.from(lines(init, began)))).toEqual([]);
    expect(reader.settle()).toEqual([named]);
    const rest = lines(echo("m2", { session_id: "s-1" }), result());
    expect(kinds([...reader.settle(), ...reader.push(Buffer.from(rest))])).not.toContain("session");
    expect(read(lines(init, began, result(), result()))[0]).toEqual(named);
    expect(
      kinds(read(lines(began, result(), result()))).filter((kind) => kind === "session"),
    ).toEqual(["session"]);
  });

  test("not where none began", () => {
    const errors = ["No conversation found with session ID: 1"];
    const lost = lines(init, result({ session_id: "s-1", is_error: true, errors }));
    const reader = adapter.reader({});
    expect(kinds([...reader.push(Buffer.from(lost)), ...reader.settle()])).toEqual(["failed"]);
  });
});

describe("S1.20 reading Claude Code", () => {
  const stream =
    lines(
      init,
      echo("m1"),
      says("안녕하세요"),
      uses("Write", { file_path: "한글.md" }),
      says(question),
    ) +
    "a warning that is no JSON\n\n[1,2]\nnull\n" +
    lines(
      { type: "brand_new", anything: {} },
      says("Working on"),
      says("=== PHASE 2 COMPLETE ===\nFiles created:\n- docs/가.md"),
      result({ modelUsage: spent(10, 5, 0.125) }),
      synthetic("rate_limit"),
      result({ is_error: true, api_error_status: 429, result: "no" }),
    ) +
    lines(says("the last words")).trimEnd();
  const bytes = Buffer.from(stream);
  const whole = read(stream);

  test("gives the events in the order of their lines; what is not known is passed over", () => {
    // oxfmt-ignore
    expect(kinds(whole)).toEqual([
      "text", "tool", "text", "user_question", "text", "text",
      "usage", "heard", "phase_complete", "turnEnd", "rateLimited", "turnEnd", "text",
    ]);
  });

  test("is the same in chunks of any size", () => {
    for (const size of [1, 2, 3, 7, 64, 1_000]) {
      const reader = adapter.reader({});
      const found: AgentEvent[] = [];
      for (let at = 0; at < bytes.length; at += size)
        found.push(...reader.push(bytes.subarray(at, at + size)));
      expect([...found, ...reader.end()]).toEqual(whole);
      expect(reader.offset).toBe(bytes.length);
    }
  });

  test("goes on after a crash at every byte, from the beginning of the line that was cut", () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      const before = adapter.reader({});
      const found = before.push(bytes.subarray(0, cut));
      expect(before.offset).toBe(cut);
      const after = adapter.reader({ resume: before.save() });
      expect(after.offset).toBe(bytes.subarray(0, cut).lastIndexOf("\n") + 1);
      found.push(...after.push(bytes.subarray(after.offset)), ...after.end());
      expect(found).toEqual(whole);
    }
  });

  test("a line that is too long costs no memory, and nothing but itself", () => {
    const reader = adapter.reader({});
    const found = reader.push(Buffer.from(lines(says("before")) + '{"type":"user","content":"'));
    const part = Buffer.alloc(1 << 20, "x");
    let most = 0;
    for (let size = 0; size <= longestLine * 3; size += part.length) {
      found.push(...reader.push(part));
      most = Math.max(most, reader.save().length);
    }
    expect(most).toBeLessThan(1_000);
    // Saved in the middle of it, the rest is passed over as well.
    const after = adapter.reader({ resume: reader.save() });
    expect(after.offset).toBe(reader.offset);
    found.push(
      ...after.push(Buffer.from(`${lines(says("inside")).trim()}"}\n${lines(says("after"))}`)),
    );
    expect(found).toMatchObject([{ text: "before" }, { text: "after" }]);
  });

  test("a message nested without end is read like any other", () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const nested = `{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"X","input":{"a":${deep}}}}\n`;
    expect(read(nested)).toEqual([
      { type: "permission", id: "r", tool: "X", detail: "", input: { request: "r" } },
    ]);
  });

  test("refuses a state that is not its own", () => {
    for (const resume of ["", "null", "{}", '{"version":2}', '{"version":1,"lines":{}}'])
      expect(() => adapter.reader({ resume })).toThrow(Fault);
  });
});
