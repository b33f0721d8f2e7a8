// Help texts, made from the operation, its command and the message table.
import { operations } from "../app/operations.ts";
import { type Message, msg } from "../core/messages.ts";
import { type InputSchema, flagName, placedFields } from "./arguments.ts";
import { type AnyCommand, type Look, groups, ownCommands } from "./command.ts";

export function mainHelp({ say, paint }: Look): string {
  const rows = all.flatMap(([name, { summary }]) => {
    const [first, second] = name.split(" ");
    if (second === undefined) return [[name, say(summary)] as const];
    // A group takes one line, where its first command stands.
    const members = all.filter((each) => each[0].startsWith(`${first} `));
    if (members[0]?.[0] !== name) return [];
    return [[`${first} …`, say(groups[first as keyof typeof groups](members.length))] as const];
  });
  return [
    say(msg("cli.about")),
    section(say(msg("cli.usage")), ["holdfast <command> [options]"], paint),
    section(say(msg("cli.commands")), table(rows), paint),
    section(say(msg("cli.options")), table(commonRows(say, ["version"])), paint),
    section(say(msg("cli.exit_codes")), [say(msg("cli.exit_codes.list"))], paint),
    say(msg("cli.more_help")),
  ].join("\n\n");
}

/** What may follow the first word; undefined: no command begins with it. */
export function groupHelp(group: string, { say, paint }: Look): string | undefined {
  const members = all.filter(([name]) => name.startsWith(`${group} `));
  if (members.length === 0) return undefined;
  return [
    `${paint("bold", `holdfast ${group}`)}: ${say(groups[group as keyof typeof groups](members.length))}`,
    section(say(msg("cli.usage")), [`holdfast ${group} <command> [options]`], paint),
    section(
      say(msg("cli.commands")),
      table(members.map(([name, { summary }]) => [name.slice(group.length + 1), say(summary)])),
      paint,
    ),
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
  const placed = placedFields(command.positional);
  const flags = Object.entries(about.fields).filter(([field]) => !placed.includes(field));
  const rows = flags.map(([field, means]) => [flagForm(field, schema), say(means)] as const);
  const parts = [
    `${paint("bold", `holdfast ${about.name}`)}: ${say(about.summary)}`,
    section(say(msg("cli.usage")), [usageLine(about.name, placed, schema)], paint),
  ];
  const words = placed.flatMap((field) => {
    const means = about.fields[field];
    return means ? [[field, say(means)] as const] : [];
  });
  if (words.length > 0) parts.push(section(say(msg("cli.arguments")), table(words), paint));
  parts.push(section(say(msg("cli.options")), table([...rows, ...commonRows(say)]), paint));
  const examples = command.examples.flatMap(({ line, does }) => [
    paint("dim", `# ${say(does)}`),
    line,
  ]);
  parts.push(section(say(msg("cli.examples")), examples, paint));
  return [...parts, ...(command.notes ?? []).map(say)].join("\n\n");
}

// --- internal ---

const all = Object.entries({ ...operations, ...ownCommands });

type Rows = readonly (readonly [string, string])[];

function usageLine(name: string, placed: readonly string[], schema: InputSchema): string {
  const words = placed.map((field) => {
    const many = schema.properties?.[field]?.type === "array" ? "…" : "";
    return schema.required?.includes(field) ? `<${field}>${many}` : `[${field}${many}]`;
  });
  return ["holdfast", name, ...words, "[options]"].join(" ");
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
