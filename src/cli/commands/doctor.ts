import type { Checkup, Line } from "../../app/operations/doctor.ts";
import { codes } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import type { Command, Look } from "../command.ts";

export const command: Command<Checkup> = {
  examples: [
    { line: "holdfast doctor", does: msg("cli.doctor.example.look") },
    { line: "holdfast doctor --fix", does: msg("cli.doctor.example.fix") },
  ],
  notes: [msg("cli.doctor.note.exit")],
  print: ({ lines, fixed }, look) => {
    const { say, paint } = look;
    const done = fixed.map((text) => `${paint("green", "→")} ${say(text)}`);
    const problems = lines.filter(({ level }) => level === "problem").length;
    const end =
      problems === 0
        ? paint("green", say(msg("doctor.all_well")))
        : paint("red", say(msg("doctor.problems", { count: problems })));
    return [...done, ...lines.map((line) => lineText(line, look)), "", end].join("\n");
  },
  exit: ({ ok, lines }) => {
    if (ok) return 0;
    return lines.some(({ corrupt }) => corrupt) ? codes.corrupt.exit : codes.refused.exit;
  },
};

// --- internal ---

const marks = {
  ok: ["green", "✓"],
  notice: ["yellow", "!"],
  problem: ["red", "✗"],
} as const;

function lineText({ topic, level, path, message, hint }: Line, { say, paint }: Look): string {
  const [colour, mark] = marks[level];
  const where = path === undefined ? "" : `${path}: `;
  const text = `${paint(colour, mark)} ${paint("bold", say(msg(`doctor.topic.${topic}`)))}  ${where}${say(message)}`;
  return hint ? `${text}\n    ${paint("dim", say(hint))}` : text;
}
