// The documents of a plan's memory or of requests, read as they lie there: no lock, nothing made. What
// was provided for a task is blanked, wherever an agent may have written it.
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import type { Redactor } from "../../core/redact.ts";
import type { GateName } from "../../core/vocabulary.ts";
import { loadCodec } from "../../formats/codec.ts";
import { type FormatName, formatOfPath, formats } from "../../formats/registry.ts";
import { findDocuments, readRegularFile, resolvePath } from "../../store/files.ts";
import { orchestratorFolder } from "../../workflows/request/places.ts";
import type { Context } from "../operation.ts";
import { secretsOf } from "../recall/catch-up.ts";
import { type RequestRow, requestRows } from "../request/rows.ts";
import { invalidLine } from "./_doctor-documents.ts";
import { ofFault } from "./_doctor-lines.ts";
import { checkMemory } from "./_doctor-memory.ts";
import type { Line } from "./doctor.ts";
import type { DocumentShown, DocumentsShown, documentParts } from "./documents.ts";
import type { FileReport } from "./validate.ts";

type Part = (typeof documentParts)[number];
type Said = DocumentsShown["problems"][number];
type Request = DocumentsShown["requests"][number];

interface ReadFile {
  readonly path: string;
  readonly format: FormatName;
  /** Null, and why: it can not be read. */
  readonly bytes: Uint8Array | null;
  readonly fault?: Fault;
}

export interface Files {
  readonly found: readonly ReadFile[];
  /** What may not be looked into. */
  readonly shut: readonly Line[];
  readonly left: number;
}

/** Read, not yet understood: whoever knows these bytes already needs no more. */
export async function filesOf(root: string, part: Part): Promise<Files> {
  const paths: string[] = [];
  const shut: Line[] = [];
  for (const place of places[part])
    try {
      paths.push(...(await findDocuments(root, "", [place])));
    } catch (thrown) {
      shut.push(ofFault("documents", thrown, place));
    }
  const found: ReadFile[] = [];
  let bytes = 0;
  for (const path of paths.toSorted()) {
    const format = formatOfPath(path);
    if (format === undefined) continue;
    const file = await readFile(root, path, format);
    bytes += file.bytes?.length ?? 0;
    if (bytes > mostBytes) return { found, shut, left: paths.length - found.length };
    found.push(file);
  }
  return { found, shut, left: 0 };
}

export async function shownOf({ path, format, bytes, fault }: ReadFile): Promise<DocumentShown> {
  const read = bytes === null ? undefined : await (await loadCodec(format)).inspect(bytes);
  const unread = { level: "error" as const, pointer: "", text: fault?.text ?? msg("plan.none") };
  const findings = read === undefined ? [unread] : read.ok ? read.notices : read.findings;
  const report: FileReport = {
    path,
    format,
    status: read?.ok === true ? "valid" : "invalid",
    findings: findings.map(({ text, ...rest }) => ({ ...rest, message: text })),
  };
  const line = read?.ok === true ? null : invalidLine(report);
  return {
    path,
    format,
    value: read?.ok === true ? read.value : null,
    says: line === null ? null : { message: line.message, hint: line.hint ?? null },
    findings: report.findings.slice(0, mostFindings).map((each) => ({
      level: each.level,
      pointer: each.pointer,
      line: each.line ?? null,
      message: each.message,
    })),
  };
}

/** Across documents: folders that are shut, a memory that does not fit its history (S3.7). */
export async function problemsOf(
  context: Context,
  part: Part,
  shut: readonly Line[],
): Promise<Said[]> {
  const unfit = part === "memory" ? await checkMemory(context) : [];
  return [...shut, ...unfit].map(({ path = "", message, hint }) => ({
    path,
    message,
    hint: hint ?? null,
  }));
}

/** The newest first. */
export async function requestsOf(context: Context, projectId: string): Promise<Request[]> {
  const store = await context.existingStore();
  const rows = store ? await requestRows(store, projectId) : [];
  return rows.toReversed().map(requestOf);
}

/** Blanks every value that was provided, in all texts of what is shown. */
export async function cleanerOf(context: Context): Promise<<T>(shown: T) => T> {
  const store = await context.existingStore();
  if (store === undefined) return (shown) => shown;
  const redactor = await secretsOf({ known: { store }, home: context.home.path });
  return (shown) => (redactor.active ? (cleaned(shown, redactor) as typeof shown) : shown);
}

// --- internal ---

const places: Readonly<Record<Part, readonly string[]>> = {
  memory: (["task-state", "task-history", "shared-context"] as const)
    .map((name) => formats[name].path)
    .concat(formats["agent-memory"].path.replace(/\/[^/]*$/, "")),
  contracts: [orchestratorFolder],
};

/** More would take the browser long, and nobody reads it there. */
const mostBytes = 16 * 1_024 * 1_024;
const mostFindings = 20;

async function readFile(root: string, path: string, format: FormatName): Promise<ReadFile> {
  try {
    const bytes = await readRegularFile(resolvePath(root, path), formats[format].maxBytes);
    return { path, format, bytes };
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return { path, format, bytes: null, fault: thrown };
  }
}

function requestOf({ id: task, status, data: { session } }: RequestRow): Request {
  return {
    id: session.id,
    task,
    status,
    text: session.text,
    asks: session.ask?.question ?? null,
    gates: Object.entries(session.work).flatMap(([subtask, { gates }]) =>
      Object.entries(gates).map(([gate, { result, at, verdicts, uncovered }]) => ({
        subtask,
        gate: gate as GateName,
        result,
        at,
        verdicts: verdicts.map((each) => ({ ...each })),
        uncovered: [...uncovered],
      })),
    ),
  };
}

/** Names of fields too: an agent makes up its own. */
function cleaned(value: unknown, redactor: Redactor): unknown {
  if (typeof value === "string") return redactor.text(value);
  if (Array.isArray(value)) return value.map((each) => cleaned(each, redactor));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [redactor.text(name), cleaned(each, redactor)]),
  );
}
