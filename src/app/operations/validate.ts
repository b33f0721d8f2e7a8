// `validate`: is each document what it should be? Reads, never writes (S6.1): a file that the
// next update would repair is fine, with a notice.
import { z } from "zod";
import { Fault } from "../../core/errors.ts";
import { type Message, msg } from "../../core/messages.ts";
import { loadCodec } from "../../formats/codec.ts";
import type { Finding } from "../../formats/format.ts";
import { type FormatName, formatNames, formatOfPath, formats } from "../../formats/registry.ts";
import { isTaskListPath, maxTaskListBytes, parseTaskList } from "../../formats/task-list.ts";
import { findDocuments, readRegularFile, resolvePath } from "../../store/files.ts";
import { type Context, type Operation, sentence } from "../operation.ts";
import { knownFormat } from "./schema.ts";

const finding = () =>
  z.object({
    level: z.enum(["error", "notice"]),
    /** TASKS.md has its own codes (S2.4). */
    code: z.string().optional(),
    pointer: z.string(),
    line: z.number().optional(),
    column: z.number().optional(),
    message: sentence(),
    expected: sentence().optional(),
    got: sentence().optional(),
  });

const report = () =>
  z.object({
    path: z.string(),
    format: z.string().nullable(),
    status: z.enum(["valid", "invalid", "missing"]),
    findings: z.array(finding()),
  });

export type FileReport = z.infer<ReturnType<typeof report>>;
type FindingReport = z.infer<ReturnType<typeof finding>>;

export const input = () =>
  z.strictObject({ files: z.array(z.string()).optional(), format: z.string().optional() });

export const output = () => z.object({ valid: z.boolean(), files: z.array(report()) });

export const operation: Operation<
  z.infer<ReturnType<typeof input>>,
  z.infer<ReturnType<typeof output>>
> = {
  name: "validate",
  fields: { files: msg("op.validate.files"), format: msg("op.validate.format") },
  run: async (context, { files = [], format }) => {
    const wanted = format === undefined || format === taskList ? format : knownFormat(format);
    const paths = files.length > 0 ? await expand(context, files) : await documentsHere(context);
    if (paths.length === 0) throw nothingFound(context, files);
    const reports: FileReport[] = [];
    for (const path of paths) reports.push(await inspect(context, path, wanted));
    return { valid: reports.every(({ status }) => status === "valid"), files: reports };
  },
};

// --- internal ---

const taskList = "task-list";
type Kind = FormatName | typeof taskList;

/** In a clone they are copies at most: those of the project that it was made from are meant. */
async function documentsHere({ cwd, project }: Context): Promise<string[]> {
  return project.because === "clone" && cwd !== project.root
    ? findDocuments(project.root, project.root)
    : findDocuments(cwd);
}

/** A folder stands for the documents in it. */
async function expand(context: Context, files: readonly string[]): Promise<string[]> {
  const expanded = await Promise.all(
    files.map((file) => findDocuments(resolvePath(context.cwd, file), file)),
  );
  return expanded.flat();
}

function nothingFound(context: Context, files: readonly string[]): Fault {
  const where = files.length > 0 ? files.join(", ") : context.cwd;
  return new Fault("not_found", msg("op.validate.nothing", { where }), {
    hint: msg("op.validate.nothing.hint"),
  });
}

async function inspect(
  context: Context,
  path: string,
  wanted: Kind | undefined,
): Promise<FileReport> {
  const kind = wanted ?? (isTaskListPath(path) ? taskList : formatOfPath(path)) ?? null;
  try {
    const limit = kind === taskList || kind === null ? maxTaskListBytes : formats[kind].maxBytes;
    const bytes = await readRegularFile(resolvePath(context.cwd, path), limit);
    // Only now: of a file that is not there, its format is not what is wrong.
    if (kind === null)
      return refused(path, null, "invalid", msg("op.validate.unknown", { known: knownNames() }));
    return kind === taskList
      ? inspectTaskList(path, bytes)
      : await inspectDocument(path, kind, bytes);
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return refused(path, kind, thrown.code === "not_found" ? "missing" : "invalid", thrown.text);
  }
}

function knownNames(): string {
  return [...formatNames, taskList].join(", ");
}

function refused(
  path: string,
  format: Kind | null,
  status: FileReport["status"],
  message: Message,
): FileReport {
  return { path, format, status, findings: [{ level: "error", pointer: "", message }] };
}

async function inspectDocument(
  path: string,
  kind: FormatName,
  bytes: Uint8Array,
): Promise<FileReport> {
  const read = await (await loadCodec(kind)).inspect(bytes);
  const findings = (read.ok ? read.notices : read.findings).map(reportOf);
  return { path, format: kind, status: read.ok ? "valid" : "invalid", findings };
}

function inspectTaskList(path: string, bytes: Uint8Array): FileReport {
  const { problems, notices } = parseTaskList(new TextDecoder().decode(bytes));
  const findings: FindingReport[] = [
    ...problems.map(({ code, line, column, text }) => ({
      level: "error" as const,
      code,
      pointer: "",
      line,
      column,
      message: text,
    })),
    ...notices.map(({ line, column, text }) => ({
      level: "notice" as const,
      pointer: "",
      line,
      column,
      message: text,
    })),
  ];
  return { path, format: taskList, status: problems.length > 0 ? "invalid" : "valid", findings };
}

function reportOf({ text, ...rest }: Finding): FindingReport {
  return { ...rest, message: text };
}
