// Help texts, made from the operation, its command and the message table.
import { operations } from "../app/operations.ts";
import { type Message, msg } from "../core/messages.ts";
import { type InputSchema, flagName } from "./arguments.ts";
import { type AnyCommand, type Look, ownCommands } from "./command.ts";

export function mainHelp({ say, paint }: Look): string {
  const rows = Object.entries({ ...operations, ...ownCommands }).map(
    ([name, { summary }]) => [name, say(summary)] as const,
  );
  return [
    say(msg("cli.about")),
    section(say(msg("cli.usage")), ["holdfast <command> [options]"], paint),
    section(say(msg("cli.commands")), table(rows), paint),
    section(say(msg("cli.options")), table(commonRows(say, ["version"])), paint),
    section(say(msg("cli.exit_codes")), [say(msg("cli.exit_codes.list"))], paint),
    say(msg("cli.more_help")),
  ].join("\n\n");
}

/** Of an operation, or of a command that is none. */
export interface About {
  readonly name: string;
  readonly summary: Message;
  readonly fields: Readonly<Record<string, Message>>;
}

export function commandHelp(
  about: About,
  command: Pick<AnyCommand, "positional" | "examples" | "notes">,
  schema: InputSchema,
  look: Look,
): string {
  const { say, paint } = look;
  const { positional } = command;
  const flags = Object.entries(about.fields).filter(([field]) => field !== positional);
  const rows = flags.map(([field, means]) => [flagForm(field, schema), say(means)] as const);
  const parts = [
    `${paint("bold", `holdfast ${about.name}`)}: ${say(about.summary)}`,
    section(say(msg("cli.usage")), [usageLine(about.name, positional, schema)], paint),
  ];
  if (positional !== undefined) {
    const means = about.fields[positional];
    if (means)
      parts.push(section(say(msg("cli.arguments")), table([[positional, say(means)]]), paint));
  }
  parts.push(section(say(msg("cli.options")), table([...rows, ...commonRows(say)]), paint));
  const examples = command.examples.flatMap(({ line, does }) => [
    paint("dim", `# ${say(does)}`),
    line,
  ]);
  parts.push(section(say(msg("cli.examples")), examples, paint));
  return [...parts, ...(command.notes ?? []).map(say)].join("\n\n");
}

// --- internal ---

type Rows = readonly (readonly [string, string])[];

function usageLine(name: string, positional: string | undefined, schema: InputSchema): string {
  if (positional === undefined) return `holdfast ${name} [options]`;
  const many = schema.properties?.[positional]?.type === "array" ? "…" : "";
  const word = schema.required?.includes(positional)
    ? `<${positional}>${many}`
    : `[${positional}${many}]`;
  return `holdfast ${name} ${word} [options]`;
}

function flagForm(field: string, schema: InputSchema): string {
  const { type, enum: values } = schema.properties?.[field] ?? {};
  if (type === "boolean") return `--${flagName(field)}`;
  return `--${flagName(field)} <${values?.join("|") ?? (type === "number" || type === "integer" ? "n" : "name")}>`;
}

function commonRows(say: (message: Message) => string, more: readonly "version"[] = []): Rows {
  return [
    ["--json", say(msg("cli.flag.json"))],
    ["--cwd <folder>", say(msg("cli.flag.cwd"))],
    ["--lang <en|ko>", say(msg("cli.flag.lang"))],
    ["-h, --help", say(msg("cli.flag.help"))],
    ...more.map(() => ["--version", say(msg("cli.flag.version"))] as const),
  ];
}

function section(title: string, lines: readonly string[], paint: Look["paint"]): string {
  return [paint("bold", title), ...lines.map((line) => `  ${line}`)].join("\n");
}

function table(rows: Rows): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`);
}
