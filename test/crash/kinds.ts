// What processes write at once in these tests: JSON and YAML, open and strict, one file and
// several in one change. Each counts, by name, in a place that its schema allows.
import { join } from "node:path";
import type { FormatName } from "../../src/formats/registry.ts";
import type { DocumentRef } from "../../src/store/documents.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Counter {
  readonly path: string;
  counts(document: Fields): Fields;
  put(document: Fields, name: string, value: number): Fields;
}

const requestState = ".claude/orchestrator/sessions/a1b2c3d4/state.json";
const knowledgeFile = ".claude/orchestrator/knowledge/a1b2c3d4/knowledge.yaml";

// oxfmt-ignore
const counters = {
  // Open: a map of its own, or a field that a person could have added.
  "shared-context":    inField(".claude/memory/shared-context.json", "shared_data"),
  "orchestrate-state": inField(".claude/orchestrate-state.json", "counts"),
  "task-state":        inField(".claude/memory/task-state.json", "counts"),
  "develop-state":     inField(".develop-workflow/state.yaml", "counts"),
  // Strict: nothing may be added, so it stands in a place for words.
  knowledge:           inField(knowledgeFile, "patterns", String),
  "request-state":     inRequest(requestState),
} satisfies Partial<Record<FormatName, Counter>>;

type Counted = keyof typeof counters;

const files = {
  "shared-context": ["shared-context"],
  "orchestrate-state": ["orchestrate-state"],
  "task-state": ["task-state"],
  "develop-state": ["develop-state"],
  knowledge: ["knowledge"],
  "request-state": ["request-state"],
  several: ["task-state", "develop-state", "request-state"],
} as const satisfies Record<string, readonly Counted[]>;

export type Kind = keyof typeof files;
export const kinds = Object.keys(files) as Kind[];

export function refsOf(project: string, kind: Kind): DocumentRef[] {
  return files[kind].map((format) => ({ path: join(project, counters[format].path), format }));
}

export function countOf(
  document: unknown,
  name: string,
  format: FormatName = "shared-context",
): number {
  if (document === undefined) return 0;
  return Number(counterOf(format).counts(document as Fields)[name] ?? 0);
}

/** One more of this name. */
export function counted(document: unknown, name: string, format: FormatName): Fields {
  const value = countOf(document, name, format) + 1;
  return counterOf(format).put(document as Fields, name, value);
}

// --- internal ---

function counterOf(format: FormatName): Counter {
  if (!(format in counters)) throw new Error(`${format} does not count`);
  return counters[format as Counted];
}

function inField(path: string, field: string, as: (value: number) => unknown = Number): Counter {
  const counts = (document: Fields): Fields => (document[field] ?? {}) as Fields;
  return {
    path,
    counts,
    put: (document, name, value) => ({
      ...document,
      [field]: { ...counts(document), [name]: as(value) },
    }),
  };
}

/** In the words of the request: its tasks have rules of their own. */
function inRequest(path: string): Counter {
  return {
    path,
    counts: countsInWords,
    put: (document, name, value) => ({
      ...document,
      request: {
        ...(document["request"] as Fields),
        original_request: JSON.stringify({ ...countsInWords(document), [name]: value }),
      },
    }),
  };
}

function countsInWords({ request }: Fields): Fields {
  const words = String((request as Fields)["original_request"]);
  return words.startsWith("{") ? (JSON.parse(words) as Fields) : {};
}
