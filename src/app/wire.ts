// What leaves by a machine's door: messages become English, whatever the user's language (S7.4).
import { type Message, render, texts } from "../core/messages.ts";

export function toWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toWire);
  if (typeof value !== "object" || value === null) return value;
  if (isMessage(value)) return render("en", value);
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, toWire(field)]));
}

function isMessage(value: object): value is Message {
  return (
    "key" in value &&
    "params" in value &&
    typeof value.key === "string" &&
    Object.hasOwn(texts, value.key)
  );
}
