// For a journal or an agent, where a message has to be a text.
import { type Message, render } from "../../core/messages.ts";
import type { Draft } from "../_draft.ts";

export function spoken(draft: Draft, message: Message): string {
  return render(draft.task.data.language, message);
}
