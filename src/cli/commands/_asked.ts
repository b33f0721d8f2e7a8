// How what waits for a person reads on a terminal: each question with how to answer it, a permission
// with what it is asked for; and how long the engine's checks took.
import type { PartView, RequestView } from "../../app/task-views.ts";
import { msg } from "../../core/messages.ts";
import type { Look } from "../command.ts";
import { shortText } from "../figures.ts";

interface OpenQuestion {
  readonly id: string;
  readonly question: string;
  readonly options: readonly string[];
  readonly parts: readonly PartView[];
  readonly request: RequestView | null;
}

interface Checked {
  readonly status: string;
  readonly phase: number;
  readonly accepted: boolean;
  readonly took: { readonly milliseconds: number } | null;
}

export interface Waiting {
  readonly id: string;
  readonly attempts: readonly Checked[];
  readonly openQuestions: readonly OpenQuestion[];
  readonly openDependencies: readonly {
    readonly id: string;
    readonly type: string;
    readonly name: string;
  }[];
  readonly openReviews: readonly { readonly id: string; readonly phase: number }[];
}

export function waitingLines(task: Waiting, look: Look): string[] {
  const { say, paint } = look;
  return [
    ...task.openQuestions.flatMap((asked) => questionLines(task.id, asked, look)),
    ...task.openDependencies.map(
      ({ id, type, name }) => `  ${paint("yellow", "+")} ${id}: ${type} ${name}`,
    ),
    ...task.openReviews.map(
      ({ id, phase }) => `  ${paint("yellow", "✓")} ${say(msg("cli.task.review", { id, phase }))}`,
    ),
  ];
}

/** Only where something was checked; an agent that ended without a claim is no check. */
export function checkedLines(attempts: readonly Checked[], look: Look): string[] {
  const { say, paint } = look;
  return attempts.flatMap(({ status, phase, accepted, took }) => {
    const unjudged = accepted ? [acceptedLine(phase, look)] : [];
    if (took === null) return unjudged;
    const params = { phase, time: shortText(took.milliseconds) };
    return status === "passed"
      ? [`  ${paint("green", "✓")} ${say(msg("cli.task.checked", params))}`, ...unjudged]
      : [`  ${paint("red", "✗")} ${say(msg("cli.task.checked.failed", params))}`];
  });
}

export function acceptedLine(phase: number, { say, paint }: Look): string {
  return `  ${paint("yellow", "!")} ${say(msg("cli.task.accepted", { phase }))}`;
}

// --- internal ---

function questionLines(taskId: string, asked: OpenQuestion, look: Look): string[] {
  const { id, question, options, parts, request } = asked;
  const { say, paint } = look;
  const mark = `  ${paint("yellow", "?")} ${id}: `;
  if (parts.length === 0 || (parts.length === 1 && isPlain(parts[0]))) {
    const choices = options.length === 0 ? "" : ` [${options.join(" | ")}]`;
    return [`${mark}${question}${choices}`, ...requestLines(request, look)];
  }
  const [first] = parts;
  const command = `holdfast task answer ${taskId} --question-id ${id} --answer '${example(parts)}'`;
  const key = parts.length > 1 ? "cli.task.answer_parts" : "cli.task.answer_one";
  return [
    `${mark}${parts.length === 1 ? (first?.question ?? question) : ""}`.trimEnd(),
    ...parts.flatMap((part, place) => partLines(part, place, parts.length, look)),
    `      ${paint("dim", say(msg(key, { command })))}`,
  ];
}

/** One question and its options: nothing that has to be explained. */
function isPlain(part: PartView | undefined): boolean {
  return part === undefined || (!part.several && part.free === (part.options.length === 0));
}

function partLines(part: PartView, place: number, count: number, { say, paint }: Look): string[] {
  const { question, header, options, descriptions, several, free } = part;
  const head = header === null ? "" : `${paint("bold", header)} · `;
  const number = count > 1 ? `${place + 1}. ` : "";
  const how = [
    ...(options.length === 0
      ? [say(msg("cli.task.part.words"))]
      : [say(msg(several ? "cli.task.part.several" : "cli.task.part.one"))]),
    ...(free && options.length > 0 ? [say(msg("cli.task.part.free"))] : []),
  ].join(", ");
  const line = count > 1 ? `    ${number}${head}${question} ` : "    ";
  return [
    `${line}${paint("dim", `(${how})`)}`,
    ...options.map((option, at) => {
      const why = descriptions[at] ?? "";
      return `      - ${option}${why === "" ? "" : paint("dim", `  ${why}`)}`;
    }),
  ];
}

/** As it could be answered: the first of each, in the form that can not be misread. */
function example(parts: readonly PartView[]): string {
  const given = parts.map(({ options, several }) => {
    const [first = "…"] = options;
    return several ? [first] : first;
  });
  const [only] = given;
  const text =
    given.length === 1 && typeof only === "string"
      ? only
      : JSON.stringify(given.length === 1 ? only : given);
  // Within single quotes of a shell.
  return text.replaceAll("'", String.raw`'\''`);
}

function requestLines(request: RequestView | null, { paint }: Look): string[] {
  if (request === null || request.input === "" || request.input === "null") return [];
  return request.input
    .split("\n")
    .slice(0, mostLines)
    .map((line) => `      ${paint("dim", line.slice(0, 500))}`);
}

const mostLines = 20;
