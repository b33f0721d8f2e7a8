// What a session tells in passing: that it forgets or ends, for the journal, and that its account is
// at its limit, for the gate. Where Holdfast never ran nothing is made for it.
import type { TransitionRow } from "../store/database/store.ts";
import type { HookEvent, HookInput } from "./hooks.ts";
import type { Context } from "./operation.ts";

export async function record(event: HookEvent, input: HookInput, context: Context): Promise<void> {
  const store = await context.existingStore();
  const about = store && (await subjectOf(context));
  if (store === undefined || about === undefined) return;
  const metadata = {
    session: short(input["session_id"]),
    // Which of them it is depends on the event; none is long.
    ...(input["trigger"] === undefined ? {} : { by: short(input["trigger"]) }),
    ...(input["reason"] === undefined ? {} : { by: short(input["reason"]) }),
  };
  const timestamp = new Date().toISOString();
  await store.commit({ transitions: [{ timestamp, ...about, trigger: event, metadata }] });
}

/** Every agent of the account is parked before it starts; not an attempt of anybody (S1.18). */
export async function limited(input: HookInput, context: Context): Promise<void> {
  // An agent of ours says it on its own output, with the time of its reset.
  if (context.caller !== null) return;
  const store = await context.existingStore();
  if (store === undefined) return;
  const { closeGate } = await import("../engine/gate.ts");
  const { statedReset } = await import("../agents/claude-limit.ts");
  const now = Date.now();
  await closeGate(store, account, now, statedReset(input, now));
}

// --- internal ---

/** Hooks of ours are Claude Code's; its agents share this account with the person's own session. */
const account = "claude";

type Subject = Pick<TransitionRow, "taskId" | "machine" | "entityId" | "from" | "to">;

async function subjectOf(context: Context): Promise<Subject | undefined> {
  if (context.caller !== null) {
    const { state, agent } = await (await import("./own-run.ts")).ownRun(context);
    const { id: entityId, status } = agent;
    return { taskId: state.task.id, machine: "agent", entityId, from: status, to: status };
  }
  const store = await context.existingStore();
  const project = await store?.projectAt(context.project.root);
  if (project === undefined) return undefined;
  return { taskId: "", machine: "project", entityId: project.id, from: "known", to: "known" };
}

function short(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 100) : "";
}
