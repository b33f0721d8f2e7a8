// What happens in an agent's own session, as its hooks tell it (S6.4). Each event is one call of the
// program, made at every turn: it loads only its own part.
//
// Nothing here may get in an agent's way by accident: only `refuse` and `block` do, and whoever calls
// lets everything else pass, also what goes wrong.
import { toldName } from "../agents/names.ts";
import { type Message, msg } from "../core/messages.ts";
import type { InSession } from "./in-session.ts";
import type { Context } from "./operation.ts";
import { mayHold } from "./orchestrating.ts";
import { stateFileOf } from "./state-files.ts";

/** Only events that the oldest Claude Code we speak with knows: one it does not know ends them all. */
export const hookEvents = [
  "SessionStart",
  "PreCompact",
  "SessionEnd",
  "Stop",
  "StopFailure",
  "PreToolUse",
  "TaskCompleted",
] as const;
export type HookEvent = (typeof hookEvents)[number];

/** The hook's JSON as it came: nothing in it is taken for granted. */
export type HookInput = Readonly<Record<string, unknown>>;

export type HookAnswer =
  | { readonly kind: "nothing" }
  /** For the agent to read when its session begins. */
  | { readonly kind: "context"; readonly text: string }
  /** It is to go on. */
  | { readonly kind: "block"; readonly reason: Message }
  /** It may not. */
  | { readonly kind: "refuse"; readonly reason: Message };

export async function answerHook(
  event: HookEvent,
  input: HookInput,
  context: Context,
): Promise<HookAnswer> {
  switch (event) {
    case "SessionStart": {
      if (input["source"] === "compact" && context.env[toldName] === "1") return nothing;
      const text = await (await import("./_hook-start.ts")).whereItStands(context);
      return text === "" ? nothing : { kind: "context", text };
    }
    case "PreCompact":
    case "SessionEnd":
      await (await import("./_hook-record.ts")).record(event, input, context);
      return nothing;
    case "StopFailure":
      if (input["error"] === "rate_limit")
        await (await import("./_hook-record.ts")).limited(input, context);
      return nothing;
    case "Stop":
      return stop(input, context);
    case "PreToolUse": {
      const { tool_name: tool, tool_input: given } = input;
      const found = stateFileOf(tool, given, context.cwd);
      if (found === null) return nothing;
      const { path, instead } = found;
      return { kind: "refuse", reason: msg("hook.state_file", { path, instead }) };
    }
    default: {
      const { task_subject: subject } = input;
      if (typeof subject !== "string") return nothing;
      for (const own of await sessions(input, context)) {
        const reason = await own.notDone(context, subject.slice(0, 1_000), asker(input));
        if (reason !== null) return { kind: "refuse", reason };
      }
      return nothing;
    }
  }
}

// --- internal ---

const nothing: HookAnswer = { kind: "nothing" };

/**
 * Once in a row: `stop_hook_active` says that it goes on only because we asked. A person who
 * interrupts is not fought either: an interrupted turn fires no Stop at all.
 */
async function stop(input: HookInput, context: Context): Promise<HookAnswer> {
  if (input["stop_hook_active"] !== false) return nothing;
  for (const own of await sessions(input, context)) {
    const reason = await own.more(context, asker(input));
    if (reason !== null) return { kind: "block", reason };
  }
  return nothing;
}

/** What the session may have work in: its own run, or units of a run that it holds. */
async function sessions({ session_id: id }: HookInput, context: Context): Promise<InSession[]> {
  const { inSession, sessionOf } = await import("./in-session.ts");
  if (context.caller !== null) return [await sessionOf(context, undefined)];
  const held = typeof id === "string" ? mayHold(context.cwd) : [];
  return Promise.all(held.flatMap((workflow) => inSession[workflow]?.() ?? []));
}

function asker({ session_id: id }: HookInput): { session?: string } {
  return typeof id === "string" && id !== "" ? { session: id } : {};
}
