import type { Logged, LoggedTransition } from "../../app/operations/log.ts";
import { msg } from "../../core/messages.ts";
import type { Command, Look } from "../command.ts";
import { noticeText } from "../look.ts";

export const command: Command<Logged> = {
  examples: [
    { line: "holdfast log", does: msg("cli.log.example.recent") },
    { line: "holdfast log --task task_abc123 --limit 0 --json", does: msg("cli.log.example.task") },
    { line: "holdfast log --follow", does: msg("cli.log.example.follow") },
  ],
  print: ({ transitions, followed, notices }, look) => {
    if (followed) return "";
    const lines = transitions.map((each) => line(each, look));
    const told = notices.map((notice) => noticeText(notice, look));
    return [...(lines.length > 0 ? lines : [look.say(msg("log.nothing"))]), ...told].join("\n");
  },
  jsonLines: ({ transitions }) => transitions,
  part: (part, look) => line(part as LoggedTransition, look),
};

// --- internal ---

function line(each: LoggedTransition, { paint }: Look): string {
  const { timestamp, machine, entityId, from, to, trigger, metadata } = each;
  const more = JSON.stringify(metadata);
  const tail = more === "{}" || more === "null" ? "" : ` ${paint("dim", more)}`;
  return `${paint("dim", timestamp)}  ${machine} ${paint("bold", entityId)}  ${from} → ${to}  (${trigger})${tail}`;
}
