import type { RecallHit, Recalled } from "../../app/operations/recall.ts";
import { msg } from "../../core/messages.ts";
import type { Command, Look } from "../command.ts";

export const command: Command<Recalled> = {
  positional: "question",
  examples: [
    { line: 'holdfast recall "why do sessions live in Redis?"', does: msg("cli.recall.example") },
    { line: "holdfast recall 환불 --in review --since 4w", does: msg("cli.recall.example.in") },
    { line: "holdfast recall --rebuild", does: msg("cli.recall.example.rebuild") },
  ],
  notes: [msg("cli.recall.note")],
  print: ({ question, hits, entries, rebuilt }, look) => {
    const { say } = look;
    const built = rebuilt ? [say(msg("recall.rebuilt", { count: entries }))] : [];
    if (question === null) return built.join("\n");
    const found = hits.map((hit) => hitText(hit, look));
    const none = say(msg("recall.nothing", { count: entries }));
    return [...built, ...(found.length > 0 ? found : [none])].join("\n");
  },
};

// --- internal ---

function hitText({ kind, title, excerpt, at, place, task }: RecallHit, look: Look): string {
  const { paint, say } = look;
  const where = task === null || task === place ? place : `${task} ${place}`;
  const when = at === null ? "" : `${at.slice(0, 16).replace("T", " ")}  `;
  const head = `${paint("bold", title)}  ${paint("dim", `${when}${say(msg(`recall.kind.${kind}`))} · ${where}`)}`;
  return excerpt === "" ? head : `${head}\n    ${excerpt}`;
}
