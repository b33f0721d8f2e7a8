// The documents of a project, as `doctor` sees them: whether each is what it should be, and as the
// database last wrote it.
import { access, constants } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { Fault } from "../../core/errors.ts";
import { type Message, msg } from "../../core/messages.ts";
import { jsonLimit } from "../../formats/format.ts";
import { formatNames, formats } from "../../formats/registry.ts";
import { taskListPaths } from "../../formats/task-list.ts";
import { codeOf, realDisk, unreadable } from "../../store/disk.ts";
import { findDocuments } from "../../store/files.ts";
import { agreementOf } from "../../store/inspection.ts";
import type { Context } from "../operation.ts";
import { notice, ofFault, ok, problem } from "./_doctor-lines.ts";
import type { Line } from "./doctor.ts";
import { type FileReport, operation as validate } from "./validate.ts";

export async function checkDocuments(context: Context): Promise<Line[]> {
  const { files, shut } = await validated(context);
  if (files.length + shut.length === 0) return [ok("documents", msg("doctor.documents.none"))];
  const bad = files.filter(({ status }) => status === "invalid").map(invalidLine);
  const notices = files
    .filter(({ status, findings }) => status === "valid" && findings.length > 0)
    .map((file) => ({ ...notice("documents", firstOf(file)), path: file.path }));
  const valid = files.length - bad.length;
  return [
    ...(valid > 0 ? [ok("documents", msg("doctor.documents", { count: valid }))] : []),
    ...shut,
    ...bad,
    ...notices,
  ];
}

export interface Validated {
  readonly files: readonly FileReport[];
  /** Folders that may not be looked into, each once. */
  readonly shut: readonly Line[];
}

/** `validate` on all that can be seen of the project. */
export async function validated(context: Context): Promise<Validated> {
  const { root } = context.project;
  const shut = new Map<string, Line>();
  const paths = new Set<string>();
  for (const place of places)
    try {
      for (const path of await findDocuments(root, "", [place])) paths.add(path);
    } catch (thrown) {
      const { folder, fault } = (await shutFolder(root, place)) ?? { folder: place, fault: thrown };
      shut.set(folder, ofFault("documents", fault, folder));
    }
  if (paths.size === 0) return { files: [], shut: [...shut.values()] };
  const there = Object.create(context, { cwd: { value: root } }) as Context;
  const { files } = await validate.run(there, { files: [...paths].toSorted() });
  return { files, shut: [...shut.values()] };
}

/** Documents that are not as the database last wrote them: a person's edit, or a write cut short. */
export async function checkDrift(context: Context): Promise<Line[]> {
  const { root } = context.project;
  return (await driftedRows(context)).map(({ path, agreement }) => ({
    ...notice(
      "documents",
      msg(`doctor.drift.${agreement}`),
      // Why it can not be read, and what to do, has its own line.
      agreement === "unreadable" ? undefined : msg("doctor.drift.hint"),
    ),
    path: relative(root, path),
  }));
}

export async function driftedRows(context: Context) {
  try {
    const store = await context.existingStore();
    const project = await store?.projectAt(context.project.root);
    if (!store || !project) return [];
    return (await store.documents(project.id)).flatMap((row) => {
      const agreement = agreementOf(row, realDisk);
      return agreement === "same" ? [] : [{ path: row.path, format: row.format, agreement }];
    });
  } catch (thrown) {
    // That the database can not be read has its own line.
    if (thrown instanceof Fault) return [];
    throw thrown;
  }
}

/** A broken plan is a person's draft, not a damaged state. */
export function invalidLine(file: FileReport): Line {
  const { path } = file;
  const own = byHand(file);
  const isState = file.format !== "task-list" && file.format !== "project-settings";
  const hint =
    own?.hint ??
    (isState && !own
      ? msg("doctor.documents.fix.hint", { path })
      : msg("doctor.documents.hint", { path }));
  return {
    ...problem("documents", firstOf(file), hint),
    path,
    ...(isState && !own ? { corrupt: true } : {}),
  };
}

// --- internal ---

/** Where documents may lie; of those whose path has a blank, the folder above it. */
const places: readonly string[] = [
  ...new Set([
    ...taskListPaths,
    ...formatNames.map((name) => formats[name].path.replace(/\/[^/]*\{.*$/, "")),
  ]),
];

/** The topmost folder on the way to a place that we may not enter: one line, not one for each. */
async function shutFolder(
  root: string,
  place: string,
): Promise<{ readonly folder: string; readonly fault: Fault } | undefined> {
  const above: string[] = [];
  for (let folder = place; folder !== "."; folder = dirname(folder)) above.unshift(folder);
  for (const folder of above)
    try {
      await access(join(root, folder), constants.R_OK | constants.X_OK);
    } catch (cause) {
      if (codeOf(cause) !== "EACCES") return undefined;
      return { folder, fault: unreadable(join(root, folder), cause) };
    }
  return undefined;
}

/**
 * What --fix leaves alone, with what a person has to do: of a file that is not read no byte could be
 * kept, and what a newer version wrote is not damaged.
 */
function byHand({ findings: [first] }: FileReport): { readonly hint: Message } | undefined {
  if (!first) return undefined;
  const { key, params } = first.message;
  if (key === "file.not_regular") return { hint: msg("doctor.documents.stranger.hint") };
  if (key === "file.too_large")
    return Number(params["size"]) > jsonLimit
      ? { hint: msg("doctor.documents.large.hint") }
      : undefined;
  if (key === "file.no_access")
    return { hint: msg("file.no_access.hint", { path: params["path"] ?? "" }) };
  if (key === "file.unreadable") return { hint: msg("disk.io.hint") };
  const other = key === "format.newer_version" || key === "format.unknown_version";
  return other ? { hint: msg("doctor.documents.newer.hint") } : undefined;
}

function firstOf({ findings }: FileReport): Message {
  const [first, ...others] = findings;
  if (!first) return msg("format.expected.anything");
  const { pointer, message } = first;
  const said = pointer === "" ? message : msg("status.at", { pointer, problem: message });
  return others.length === 0
    ? said
    : msg("doctor.documents.more", { first: said, count: others.length });
}
