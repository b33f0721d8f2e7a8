// What a project's documents remember, as entries: one for each thing that somebody may ask for. What
// only says how far a run is (the states of orchestrate and of a request's session) is in the journal.
import { loadCodec } from "../../formats/codec.ts";
import { type Documents, type FormatName, formatOfPath } from "../../formats/registry.ts";
import { isTaskListPath } from "../../formats/task-list-paths.ts";
import { type Part, entry } from "./_entry.ts";
import { contractReaders } from "./_contracts.ts";
import { memoryReaders } from "./_memory.ts";

export type Readers = {
  readonly [N in FormatName]?: (document: Documents[N], at: string) => Part[];
};

/** Is there anything to remember in a file of this name? */
export function isRemembered(path: string): boolean {
  const format = formatOfPath(path);
  return isTaskListPath(path) || (format !== undefined && readers[format] !== undefined);
}

/** `modified`: of the file, for what says no time of its own. What can not be read says nothing. */
export async function entriesIn(
  path: string,
  bytes: Uint8Array,
  modified: string,
): Promise<Part[]> {
  if (isTaskListPath(path)) return inTaskList(bytes, modified);
  const format = formatOfPath(path);
  return format === undefined ? [] : inDocument(format, bytes, modified);
}

// --- internal ---

const readers: Readers = {
  "develop-state": ({ feature, started_at: at }) => [entry("feature", "unit", at, feature)],
  "checkpoint-definitions": ({ checkpoints }, at) =>
    checkpoints.map(({ id, description, interface: files, tests, validation }) =>
      entry(id, "unit", at, id, description, files, tests, validation),
    ),
  ...memoryReaders,
  ...contractReaders,
};

async function inDocument(
  format: FormatName,
  bytes: Uint8Array,
  modified: string,
): Promise<Part[]> {
  // The format's own reader and its own codec: that they fit is in the type of the table.
  const reader = readers[format] as ((document: unknown, at: string) => Part[]) | undefined;
  if (reader === undefined) return [];
  const read = (await loadCodec(format)).read(bytes);
  return read.ok ? once(reader(read.value, modified)) : [];
}

async function inTaskList(bytes: Uint8Array, modified: string): Promise<Part[]> {
  const { parseTaskList } = await import("../../formats/task-list.ts");
  const { tasks } = parseTaskList(new TextDecoder().decode(bytes));
  return once(
    tasks.map(({ id, title, owner, files, other }) =>
      entry(id, "unit", modified, `${id} ${title}`, owner, files, other),
    ),
  );
}

/** A list that a person wrote may name one thing twice. */
function once(parts: readonly Part[]): Part[] {
  return [...new Map(parts.map((part) => [part.key, part])).values()];
}
