// What a stored format is, and what can be said about a document of it.
//
// The zod schema in each format's file is the single source: types come from it, and the build
// turns it into JSON Schema and a compiled validator (scripts/generate.ts). At run time nothing
// here loads zod: the hot path is one generated function (docs/adr/0004).
import { type Message, msg } from "../core/messages.ts";

export type Syntax = "json" | "yaml";

/** One thing found in a document. A notice is repairable or merely worth knowing: exit 0. */
export interface Finding {
  readonly level: "error" | "notice";
  /** JSON pointer (RFC 6901) to the place; "" is the whole document. */
  readonly pointer: string;
  readonly text: Message;
  /** What should stand there and what does, where the schema is at odds with the document. */
  readonly expected?: Message;
  readonly got?: Message;
  /** 1-based, where the text itself could not be read or the place was looked up. */
  readonly line?: number;
  readonly column?: number;
}

export interface Upgrade {
  readonly value: unknown;
  readonly from: string;
  /** What the older document meant, told to the reader. */
  readonly notice: Message;
}

export interface Format<T = unknown> {
  readonly name: string;
  /** One line for lists and help. */
  readonly title: Message;
  readonly syntax: Syntax;
  /** Where it lies, as people write it: `.claude/orchestrator/sessions/{hash}/state.json`. */
  readonly path: string;
  /** May carry fields we do not know, which survive our writes? (S2.1, S3.1; not S4.2) */
  readonly open: boolean;
  /** The version this program writes; null where the format has none (S0.1). */
  readonly version: string | number | null;
  /** The largest file we agree to read (S5.4). */
  readonly maxBytes: number;
  /** Pointers whose values are never shown, logged or copied (S2.3). */
  readonly secrets?: readonly string[];
  /** Rules across fields: what a schema can not say. */
  readonly rules?: (document: T) => Finding[];
  /**
   * May a person have changed this place by hand (S5.3)? Asked only for places the schema knows;
   * fields of a person's own are always theirs.
   */
  readonly personMay?: (pointer: string, before: T, after: T) => boolean;
  /** What to do instead of a change that a person may not make there. */
  readonly notByHand?: (pointer: string) => Message | undefined;
  /** A person who removes the file means it (S0.8): it is not written back. */
  readonly removable?: boolean;
  /** Reads an older version; undefined if it is not one this format knows. */
  readonly upgrade?: (document: Readonly<Record<string, unknown>>) => Upgrade | undefined;
}

const MiB = 1024 * 1024;

/** 100,000 tasks make 12 MiB of orchestrate-state; the rest stay far below. */
export const jsonLimit = 32 * MiB;
/** YAML costs 100× of JSON. The largest file by far, 32,000 keys, is 0.7 MiB. */
export const yamlLimit = 1 * MiB;

/** More findings than this would help nobody, and each one costs a look for its line. */
export const mostFindings = 50;

export function error(pointer: string, text: Message): Finding {
  return { level: "error", pointer, text };
}

export function notice(pointer: string, text: Message): Finding {
  return { level: "notice", pointer, text };
}

/** A finding with its place, for whoever has to mend the file: `checkpoints.yaml:4 /checkpoints/0/id: …`. */
export function findingIn(path: string, { pointer, line, text }: Finding): Message {
  const place = `${line === undefined ? "" : `:${line}`}${pointer === "" ? "" : ` ${pointer}`}`;
  return msg("format.finding_in", { path, place, problem: text });
}

/** Keys become one step of a JSON pointer. */
export function pointerTo(...steps: readonly (string | number)[]): string {
  return steps
    .map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

export function stepsOf(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
