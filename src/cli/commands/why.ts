import type { ExplainedEvent, Explanation } from "../../app/operations/why.ts";
import { msg } from "../../core/messages.ts";
import type { Command, Look } from "../command.ts";

interface Output {
  readonly explanations: readonly Explanation[];
}

export const command: Command<Output> = {
  positional: "id",
  examples: [
    { line: "holdfast why T1.5", does: msg("cli.why.example.unit") },
    { line: "holdfast why request:T1", does: msg("cli.why.example.prefix") },
  ],
  notes: [msg("cli.why.note.ids")],
  print: ({ explanations }, look) => explanations.map((one) => explained(one, look)).join("\n\n"),
};

// --- internal ---

function explained(one: Explanation, look: Look): string {
  const { say, paint } = look;
  // What an event is refused for has mostly been said above.
  const said = new Set(one.reasons.map(({ key }) => key));
  const news = one.events.filter(
    ({ allowed, reasons }) => allowed || !reasons.every(({ key }) => said.has(key)),
  );
  const name = one.name === "" ? "" : `  ${one.name}`;
  return [
    `${paint("bold", one.ref)}${name}  ${paint("dim", one.status)}`,
    ...one.reasons.map((reason) => `  ${paint("yellow", "!")} ${say(reason)}`),
    ...one.next.map((next) => `  → ${say(next)}`),
    ...news.map((event) => paint("dim", `    ${eventText(event, look)}`)),
  ].join("\n");
}

function eventText({ event, allowed, to, reasons }: ExplainedEvent, { say }: Look): string {
  if (allowed) return say(msg("why.event.allowed", { event, to: to ?? "" }));
  return say(msg("why.event.refused", { event, reasons: reasons.map(say).join(" ") }));
}
