// What leaves by a machine's door: messages become English, whatever the user's language (S7.4). A
// program that asks over HTTP says itself which language it wants.
import { type Language, type Message, isMessageKey, render } from "../core/messages.ts";

export function toWire(value: unknown, language: Language = "en"): unknown {
  if (Array.isArray(value)) return value.map((each) => toWire(each, language));
  if (typeof value !== "object" || value === null) return value;
  if (isMessage(value)) return render(language, value);
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, toWire(field, language)]),
  );
}

function isMessage(value: object): value is Message {
  return (
    "key" in value && "params" in value && typeof value.key === "string" && isMessageKey(value.key)
  );
}
