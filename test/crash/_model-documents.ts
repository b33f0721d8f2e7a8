// The documents of the model: they hold the numbers of all updates that made them, "1.2.3", and say
// it in every sector, so that a mix of two versions is no version, and an update that was lost, or
// done twice, is seen. Fields that a person added are no part of that.
import { isDeepStrictEqual } from "node:util";
import { type Codec, loadCodec } from "../../src/formats/codec.ts";
import type { FormatName } from "../../src/formats/registry.ts";
import { checksum } from "../../src/store/_document-sum.ts";
import type { DocumentRef, Update } from "../../src/store/documents.ts";

export type Fields = Readonly<Record<string, unknown>>;
export type ModelFormat = Extract<FormatName, "shared-context" | "develop-state">;

export interface ModelRef extends DocumentRef {
  readonly format: ModelFormat;
}

/** The history of each document; null: there is no file. */
export type State = readonly (string | null)[];

export const modelPaths: Readonly<Record<ModelFormat, string>> = {
  "shared-context": ".claude/memory/shared-context.json",
  "develop-state": ".develop-workflow/state.yaml",
};

/** The history with one more update. */
export function longer(history: string | null, update: number): string {
  return history === null ? `${update}` : `${history}.${update}`;
}

/** The history without its last update. */
export function shorter(history: string | null | undefined): string | null {
  return history?.split(".").slice(0, -1).join(".") ?? null;
}

export function show(states: readonly State[]): string {
  return states.map((state) => `(${state.map((each) => each ?? "–").join(", ")})`).join(" ");
}

/** The document of this history, on top of what a person added to the one before. */
export function withHistory(format: ModelFormat, history: string, before: Fields = {}): Fields {
  return { ...before, ...fieldsOf[format](history) };
}

/** Its history, and which fields a person added; undefined: it is no version of ours. */
export function historyOf(
  format: ModelFormat,
  document: unknown,
): { readonly history: string; readonly notes: readonly string[] } | undefined {
  const entries = Object.entries(document as Fields);
  const notes = entries.map(([key]) => key).filter((key) => key.startsWith("note_"));
  const ours = Object.fromEntries(entries.filter(([key]) => !key.startsWith("note_")));
  const history = wordsOf[format](ours).split(" ")[0] ?? "";
  return isDeepStrictEqual(ours, fieldsOf[format](history)) ? { history, notes } : undefined;
}

/** Adds its number to each history, and results in them; null removes. */
export function updateOf(files: readonly ModelRef[], id: number | null): Update<State> {
  return {
    files,
    event: id ?? "remove",
    apply: (documents) => {
      const made = files.map(({ path, format }) => {
        const before = documents.get(path) as Fields | undefined;
        if (id === null) return { path, history: null, document: null };
        const history = longer(before ? (historyOf(format, before)?.history ?? "?") : null, id);
        return { path, history, document: withHistory(format, history, before) };
      });
      return {
        documents: new Map(made.map(({ path, document }) => [path, document])),
        result: made.map(({ history }) => history),
      };
    },
  };
}

/** Loaded once: a process of the product does the same. */
export function codecOf(format: ModelFormat): Promise<Codec<unknown>> {
  return (codecs[format] ??= loadCodec(format) as Promise<Codec<unknown>>);
}

/** Is this a version of ours? Asked by checksum: the same few are looked at thousands of times. */
export async function isWhole(format: ModelFormat, bytes: Uint8Array): Promise<boolean> {
  const sum = checksum(bytes);
  const known = whole.get(sum);
  if (known !== undefined) return known;
  const read = (await codecOf(format)).read(bytes);
  const found = read.ok && historyOf(format, read.value) !== undefined;
  whole.set(sum, found);
  return found;
}

/** With a field of their own: a step that a person may take. */
export function noted(format: ModelFormat, bytes: Uint8Array, note: string): Uint8Array {
  const text = Buffer.from(bytes).toString("utf8");
  if (format === "develop-state") return Buffer.from(`# by hand\n${text}${note}: by hand\n`);
  return Buffer.from(JSON.stringify({ ...(JSON.parse(text) as Fields), [note]: "by hand" }));
}

/** With one of the engine's own words changed as well: not a step for a person. */
export function meddled(format: ModelFormat, bytes: Uint8Array, note: string): Uint8Array {
  const text = Buffer.from(noted(format, bytes, note)).toString("utf8");
  return Buffer.from(text.replace(sessionId, "session-2026-09-09-009").replace("DESIGN", "REVIEW"));
}

/** Not even readable. */
export function garbled(bytes: Uint8Array, note: string): Uint8Array {
  return Buffer.concat([Buffer.from(`{ ${note}\n`), bytes.subarray(0, bytes.length >> 1)]);
}

// --- internal ---

const codecs: { [F in ModelFormat]?: Promise<Codec<unknown>> } = {};
const whole = new Map<string, boolean>();

const time = "2026-01-01T00:00:00Z";
const sessionId = "session-2026-01-01-001";
/** Some sectors full of it. */
const words = (history: string): string =>
  `${history}${` ${history}`.repeat(Math.ceil(1500 / (history.length + 1)))}`;

const fieldsOf: Readonly<Record<ModelFormat, (history: string) => Fields>> = {
  "shared-context": (history) => ({
    version: "1.0",
    session: { id: sessionId, started_at: time },
    shared_data: { words: words(history) },
    preferences: { history },
    last_updated: time,
  }),
  "develop-state": (history) => ({
    phase: "DESIGN",
    feature: words(history),
    started_at: time,
    updated_at: time,
  }),
};

const wordsOf: Readonly<Record<ModelFormat, (document: Fields) => string>> = {
  "shared-context": (document) =>
    String((document["shared_data"] as Fields | undefined)?.["words"]),
  "develop-state": (document) => String(document["feature"]),
};
