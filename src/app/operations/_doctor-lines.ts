// How `doctor` says one thing of its report.
import { Fault } from "../../core/errors.ts";
import type { Message } from "../../core/messages.ts";
import { codeOf, unreadable } from "../../store/disk.ts";
import type { Line, Topic } from "./doctor.ts";

export function ok(topic: Topic, message: Message): Line {
  return { topic, level: "ok", message };
}

export function notice(topic: Topic, message: Message, hint?: Message): Line {
  return { topic, level: "notice", message, ...(hint ? { hint } : {}) };
}

export function problem(topic: Topic, message: Message, hint?: Message): Line {
  return { topic, level: "problem", message, ...(hint ? { hint } : {}) };
}

export function ofFault(topic: Topic, thrown: unknown, path?: string): Line {
  if (!(thrown instanceof Fault)) throw thrown;
  return {
    ...problem(topic, thrown.text, thrown.hint),
    ...(path === undefined ? {} : { path }),
    ...(thrown.code === "corrupt" ? { corrupt: true } : {}),
  };
}

/** What a look came to. A thing that can not be looked at is one line more, and the next goes on. */
export async function looking(
  topic: Topic,
  root: string,
  look: () => Line[] | Promise<Line[]>,
): Promise<Line[]> {
  try {
    return await look();
  } catch (thrown) {
    const path = (thrown as NodeJS.ErrnoException | undefined)?.path ?? root;
    const isDisk = !(thrown instanceof Fault) && codeOf(thrown) !== undefined;
    return [ofFault(topic, isDisk ? unreadable(path, thrown) : thrown)];
  }
}
