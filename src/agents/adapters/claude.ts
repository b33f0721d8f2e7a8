// Claude Code (docs/agents.md): a process that takes messages as JSON lines on stdin and answers the
// same way, one turn a message. Tried with 2.1.197 and 2.1.325 (test/agents/claude-*.cli.test.ts).
//
// Its login, its settings and its conversations stay where they are, in the user's home.
import { Fault } from "../../core/errors.ts";
import { uuidOf } from "../../core/ids.ts";
import { type Message, msg, render } from "../../core/messages.ts";
import { toldName } from "../names.ts";
import type { Adapter, AgentMessage, PermissionPolicy, Start } from "./adapter.ts";
import { fieldsOf } from "./_claude-messages.ts";
import { messageUuid } from "./_claude-names.ts";
import { createClaudeReader } from "./_claude-reader.ts";

/**
 * `program`: where it is found, asked when a process is started; undefined: nowhere. `own`: how Holdfast
 * is called; undefined: by nobody in a run.
 */
export function claudeAdapter(program: () => string | undefined, own?: readonly string[]): Adapter {
  return {
    name: "claude",
    capabilities: {
      resume: true,
      stdin: true,
      structured: true,
      deduplicates: true,
      softPause: true,
    },
    inherits,
    check: () => void located(program),
    command: (start) => {
      const hooks = own === undefined ? [] : hooked(own);
      const command = [located(program), ...flags(start, hooks)];
      return { command, env: environment(start, hooks.length > 0) };
    },
    reader: createClaudeReader,
    message: (message) => line(said(message)),
    interrupt: (id) =>
      line({ type: "control_request", request_id: id, request: { subtype: "interrupt" } }),
  };
}

// --- internal ---

/** Without them it can not be reached or paid where no login lies in the home. */
const inherits = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_BASE_URL",
  "ANTHROPIC_CUSTOM_HEADERS",
  "ANTHROPIC_MODEL",
  "ANTHROPIC_SMALL_FAST_MODEL",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDE_CONFIG_DIR",
] as const;

function located(program: () => string | undefined): string {
  const path = program();
  if (path !== undefined) return path;
  throw new Fault("not_found", msg("adapter.missing", { agent: "claude" }), {
    hint: msg("agents.claude.get"),
  });
}

/**
 * What it may do unasked (S1.16). What is beyond is asked for, and the engine or a person answers; so
 * `everything` needs no mode that asks nobody, which Claude Code refuses to root.
 */
const modes: Readonly<Record<PermissionPolicy, readonly string[]>> = {
  "read-only": ["--permission-mode", "default", "--disallowedTools", "Edit,Write,NotebookEdit"],
  edits: ["--permission-mode", "acceptEdits"],
  everything: ["--permission-mode", "acceptEdits", "--allowedTools", "Bash,WebFetch,WebSearch"],
};

/**
 * A conversation that was named is taken up. One that was not lies nowhere, or on the disk without a
 * word of ours in it: another one is begun, under a name of this process, since a name can not be given twice.
 */
function conversation({ session, named, output }: Start): readonly string[] {
  return named === undefined
    ? ["--session-id", uuidOf(`${session} ${output}`)]
    : ["--resume", named];
}

/**
 * After a compaction it is told where the work stands (S0.10), by the hook that Claude Code calls between
 * the summary and its next request. A message of ours would come when the turn is over: too late, and a
 * turn of its own. It needs no server, and comes once for each compaction, whoever dies meanwhile.
 */
function hooked(own: readonly string[]): readonly string[] {
  const words = [...own, "hook", "SessionStart"].map(quoted).join(" ");
  const hook = { type: "command", command: `${toldName}= ${words}`, timeout: 10 };
  const hooks = { SessionStart: [{ matcher: "compact", hooks: [hook] }] };
  return ["--settings", JSON.stringify({ hooks })];
}

/** As one word for a shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function flags(start: Start, hooks: readonly string[]): string[] {
  const { permissions = "edits", role, token } = start;
  // oxfmt-ignore
  return [
    "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
    "--replay-user-messages", "--permission-prompt-tool", "stdio",
    ...modes[role === "verifier" ? "read-only" : permissions],
    "--append-system-prompt", instructions(token),
    ...hooks,
    ...conversation(start),
  ];
}

/** What docs/protocol.md says, as short as it can be. A compaction does not take it away. */
function instructions(token: string | undefined): string {
  const mark = token === undefined ? "" : ` ${token}`;
  const protocol = spoken(msg("adapter.claude.protocol", { mark }));
  return token === undefined
    ? protocol
    : `${protocol}\n\n${spoken(msg("adapter.claude.strict", { token }))}`;
}

/** For a model: one language is enough. */
const spoken = (text: Message): string => render("en", text);

function environment({ session }: Start, told: boolean): Record<string, string> {
  return {
    HOLDFAST_SESSION: session,
    ...(told ? { [toldName]: "1" } : {}),
    // How long to wait is ours to decide: a parked agent costs no slot (S1.18).
    CLAUDE_CODE_MAX_RETRIES: "2",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
}

function said({ id, text, about, permission, answers }: AgentMessage): object {
  if (about !== undefined && answers !== undefined) {
    const given = answers.given.map(({ question, chosen }) => [question, chosen.join(", ")]);
    const updatedInput = {
      ...fieldsOf(answers.input),
      answers: Object.fromEntries(given) as object,
    };
    return response(about, { behavior: "allow", updatedInput });
  }
  // An empty input means: as it was asked.
  if (about !== undefined && permission !== undefined)
    return response(
      about,
      permission.allow
        ? { behavior: "allow", updatedInput: {} }
        : { behavior: "deny", message: whole(text) || spoken(msg("adapter.claude.refused")) },
    );
  const content = [{ type: "text", text: asWords(whole(text)) }];
  const uuid = messageUuid(id, text);
  return { type: "user", uuid, message: { role: "user", content }, parent_tool_use_id: null };
}

function response(request: string, verdict: object): object {
  const answer = { subtype: "success", request_id: request, response: verdict };
  return { type: "control_response", response: answer };
}

/** Half a character would be refused by the API, with the whole conversation from then on. */
function whole(text: string): string {
  return Buffer.from(text).toString("utf8");
}

/** What begins with a slash would be a command of the terminal's: /compact, /clear. */
function asWords(text: string): string {
  return text.startsWith("/") ? `\n${text}` : text;
}

function line(value: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}
