// Asks something of a task, from any process: the message goes into the inbox first, so it is never
// lost; whoever owns the task decides on it. With nobody there, that is this process, for one tick.
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import type { Store } from "../store/database/store.ts";
import type { Command } from "./decide/commands.ts";
import type { Answer } from "./decide/world.ts";
import type { Clock, Engine } from "./engine.ts";

export interface RequestParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly engine: Engine;
  /** How long an owner elsewhere may take to answer. */
  readonly patienceMs: number;
}

const lookAgainMs = 25;

/** `key`: sent twice under the same one, it is decided once (S1.22: Idempotency-Key). */
export async function request(
  { store, clock, engine, patienceMs }: RequestParts,
  taskId: string,
  command: Command,
  key: string,
): Promise<Answer> {
  const before = await store.inboxEntry(key);
  if (before === undefined)
    await store.commit({
      inbox: [{ key, taskId, name: command.name, data: command, createdAt: clock.now() }],
    });
  const deadline = clock.now() + patienceMs;
  try {
    return await answered();
  } finally {
    if (engine.parts.slots === 0) await engine.letGo(taskId);
  }

  async function answered(): Promise<Answer> {
    for (;;) {
      await engine.wake(taskId, true);
      const entry = await store.inboxEntry(key);
      // It went with the task, which somebody deleted meanwhile.
      if (entry === undefined)
        throw new Fault("not_found", msg("task.unknown", { id: taskId }), {
          hint: msg("task.unknown.hint"),
        });
      if (entry.acknowledgedAt !== null) return entry.outcome as Answer;
      if (clock.now() > deadline)
        throw new Fault("locked", msg("engine.no_answer", { id: taskId }), {
          hint: msg("engine.no_answer.hint"),
        });
      await new Promise<void>((turn) => clock.after(lookAgainMs, turn));
    }
  }
}
