// `holdfast hook <event>`: what an agent's hooks call, with the hook's JSON on standard input. It
// never gets in the way by accident: whatever goes wrong here, the agent goes on (exit 0), and the
// reason stands on standard error. Only what a gate forbids ends with 2.
import { createContext } from "../../app/context.ts";
import { type HookAnswer, type HookInput, answerHook, hookEvents } from "../../app/hooks.ts";
import { msg } from "../../core/messages.ts";
import type { Look, OwnCall, OwnCommand } from "../command.ts";
import { hookInput, hookObject, mostHookBytes } from "../hook-input.ts";

export const command: OwnCommand = {
  positional: "event",
  fields: { event: msg("op.hook.event") },
  schema: {
    properties: { event: { type: "string", enum: hookEvents } },
    required: ["event"],
  },
  examples: [{ line: "holdfast hook SessionStart", does: msg("cli.hook.example") }],
  run: async (call) => {
    const { input: given, io, look } = call;
    try {
      const event = hookEvents.find((each) => each === given["event"]);
      if (event === undefined)
        throw new Error(look.say(msg("hook.unknown", { known: hookEvents.join(", ") })));
      const input = parsed(hookInput(), look);
      const context = contextFor(call, input);
      try {
        return print(await answerHook(event, input, context), event, call);
      } finally {
        await context.close();
      }
    } catch (thrown) {
      const detail = thrown instanceof Error ? thrown.message : String(thrown);
      io.err(look.say(msg("hook.open", { detail })));
      return 0;
    }
  },
};

// --- internal ---

function parsed(text: string | undefined, look: Look): HookInput {
  if (text === undefined)
    throw new Error(look.say(msg("hook.too_large", { limit: mostHookBytes })));
  const input = hookObject(text);
  // Without its words: they may be anybody's.
  if (input === undefined) throw new Error(look.say(msg("hook.not_json")));
  return input;
}

function contextFor({ cwd, io, look }: OwnCall, { cwd: told }: HookInput) {
  return createContext({
    // The session's folder, which is not always the one its hooks run in.
    cwd: typeof told === "string" && told.startsWith("/") ? told : cwd,
    env: io.env,
    language: look.language,
    ended: () => io.ended(),
    tell: (text) => io.err(look.say(text)),
    emit: () => undefined,
  });
}

function print(answer: HookAnswer, event: string, { io, look }: OwnCall): number {
  switch (answer.kind) {
    case "nothing":
      return 0;
    case "context": {
      const hookSpecificOutput = { hookEventName: event, additionalContext: answer.text };
      io.out(JSON.stringify({ hookSpecificOutput }));
      return 0;
    }
    case "block":
      io.out(JSON.stringify({ decision: "block", reason: look.say(answer.reason) }));
      return 0;
    default:
      io.err(look.say(answer.reason));
      return 2;
  }
}
