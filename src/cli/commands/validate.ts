import { codes } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import type { FileReport } from "../../app/operations/validate.ts";
import type { Command, Look } from "../command.ts";

interface Output {
  readonly valid: boolean;
  readonly files: readonly FileReport[];
}

export const command: Command<Output> = {
  positional: "files",
  examples: [
    { line: "holdfast validate", does: msg("cli.validate.example.all") },
    {
      line: "holdfast validate .claude/orchestrate-state.json TASKS.md",
      does: msg("cli.validate.example.files"),
    },
    {
      line: "holdfast validate --format test-contract draft.yaml",
      does: msg("cli.validate.example.format"),
    },
  ],
  notes: [msg("cli.validate.note.exit")],
  print: (output, look) => {
    const blocks = output.files.map((file) => fileBlock(file, look));
    return [...blocks, summary(output, look)].join("\n");
  },
  exit: ({ valid, files }) => {
    if (valid) return 0;
    return files.some(({ status }) => status === "invalid")
      ? codes.invalid_input.exit
      : codes.not_found.exit;
  },
};

// --- internal ---

function fileBlock({ path, format, status, findings }: FileReport, { say, paint }: Look): string {
  const mark = status === "valid" ? paint("green", "✓") : paint("red", "✗");
  const head = `${mark} ${path}${format ? ` ${paint("dim", format)}` : ""}`;
  const lines = findings.map((finding) => {
    const place = [
      finding.line === undefined ? "" : `${finding.line}:${finding.column ?? 1}`,
      finding.code ?? "",
      finding.pointer,
    ];
    const where = place.filter((part) => part !== "").join(" ");
    const colour = finding.level === "error" ? "red" : "yellow";
    const word = paint(
      colour,
      say(finding.level === "error" ? msg("cli.validate.error") : msg("cli.validate.notice")),
    );
    return `    ${word} ${where === "" ? "" : `${where}: `}${say(finding.message)}`;
  });
  return [head, ...lines].join("\n");
}

function summary({ files }: Output, { say }: Look): string {
  const valid = files.filter(({ status }) => status === "valid").length;
  const bad = files.length - valid;
  const notices = files
    .flatMap(({ findings }) => findings)
    .filter(({ level }) => level === "notice").length;
  const parts = [msg("cli.validate.valid", { count: valid })];
  if (bad > 0) parts.push(msg("cli.validate.bad", { count: bad }));
  if (notices > 0) parts.push(msg("cli.validate.notices", { count: notices }));
  return parts.map(say).join(" · ");
}
