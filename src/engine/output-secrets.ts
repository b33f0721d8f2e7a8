// What an agent said, as it may be stored (S6.6): decided on it is journaled, shown and sent, and it
// may hold the values that its task was given. They are blanked before anything is decided.
//
// The reader's state is the exact text of what is not complete yet, half a secret perhaps. It has to
// stay as it is, so it is sealed like a secret.
import { isDeepStrictEqual } from "node:util";
import type { Redactor } from "../core/redact.ts";
import type { SecretBox } from "../store/secrets.ts";
import type { Input } from "./inputs.ts";
import type { Heard } from "./state.ts";

export interface ReaderSeal {
  seal(taskId: string, reader: string): Promise<string>;
  open(taskId: string, reader: string): string;
}

export function readerSeal(box: SecretBox): ReaderSeal {
  return {
    seal: async (taskId, reader) =>
      mark + Buffer.from(await box.seal(taskId, "reader", reader)).toString("base64"),
    open: (taskId, reader) =>
      reader.startsWith(mark)
        ? box.open(taskId, "reader", Buffer.from(reader.slice(mark.length), "base64"))
        : reader,
  };
}

export async function withoutSecrets(
  taskId: string,
  inputs: readonly Input[],
  redactor: Redactor,
  readers: ReaderSeal,
): Promise<readonly Input[]> {
  if (!redactor.active) return inputs;
  return Promise.all(
    inputs.map(async (input) => {
      if (input.kind !== "output") return input;
      const { events, reader, offset } = input.output;
      const output = {
        events: events.map((event) => withoutSecret(event, redactor)),
        reader: await readers.seal(taskId, reader),
        offset,
      };
      return { ...input, output };
    }),
  );
}

/** A request is handed back with its answer: one that is not what it was can not be (S1.16). */
function withoutSecret(event: Heard, redactor: Redactor): Heard {
  const clean = blanked(event, redactor);
  const isRequest = event.type === "permission" || event.type === "question";
  return isRequest && !isDeepStrictEqual(clean, event) ? { ...clean, secret: true } : clean;
}

/** Plain data all the way down. */
export function blanked<T>(value: T, redactor: Redactor): T {
  if (typeof value === "string") return redactor.text(value) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => blanked(each, redactor)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, blanked(field as unknown, redactor)]),
  ) as T;
}

// --- internal ---

/** A reader's own state is JSON: it never begins like this. */
const mark = "sealed:";
