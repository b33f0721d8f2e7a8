// Says something to a task from inside one of its own runs: put into the inbox, decided by whoever
// owns the task. Never by the caller, as request.ts does it: an engine freezes an agent with all it
// has started, and the caller is one of those.
import type { Store } from "../store/database/store.ts";
import type { Command } from "./decide/commands.ts";
import type { Answer } from "./decide/world.ts";

export interface MailParts {
  readonly store: Store;
  readonly now: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** How long somebody may take to answer. */
  readonly patienceMs: number;
}

const lookAgainMs = 25;

/** Undefined: nobody answered yet. It lies there all the same, and is taken by who comes next. */
export async function leaveMail(
  { store, now, wait, patienceMs }: MailParts,
  taskId: string,
  command: Command,
  key: string,
): Promise<Answer | undefined> {
  const createdAt = now();
  await store.commit({ inbox: [{ key, taskId, name: command.name, data: command, createdAt }] });
  for (;;) {
    const entry = await store.inboxEntry(key);
    // Before the clock is looked at: we may have been frozen for hours since.
    if (entry === undefined || entry.acknowledgedAt !== null)
      return entry?.outcome as Answer | undefined;
    if (now() - createdAt > patienceMs) return undefined;
    await wait(lookAgainMs);
  }
}
