// Named patterns: the schema uses the source, the complaint looks up its words.
// Anchored, without nested repetition: each is linear on any input.
import { type Message, msg } from "../core/messages.ts";

const day = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const clock = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?`;
const offset = String.raw`(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?`;

/** Not in a name: control signs, and the two line ends that `.` does not match either. */
const odd = String.raw`\x00-\x1f\x7f\u2028\u2029`;
/** One path part that stays where it is put: no separator, no leading dot, no control sign. */
const part = String.raw`[^\s./\\${odd}][^/\\${odd}]{0,199}`;

/** A number as ids write it (core/ids.ts): no leading zeros, small enough to be exact. */
const n = String.raw`(?:0|[1-9]\d{0,8})`;
/** The running number of a day: three digits, and from 1000 on as many as it takes. */
const ofDay = String.raw`(?:\d{3}|[1-9]\d{3,8})`;

export const patterns = {
  filled: String.raw`\S`,
  command: String.raw`^(?!\s*$)[^\x00]+$`,
  time: `^${day}T${clock}${offset}$`,
  dayOrTime: `^${day}(?:T${clock}${offset})?$`,
  checkpointId: String.raw`^(?:cp|checkpoint)-[1-9]\d{0,5}$`,
  checkpointKey: String.raw`^cp-[1-9]\d{0,5}$`,
  unitId: String.raw`^(?:T${n}(?:\.${n}){1,2}|P${n}-(?:T${n}\.${n}|[RS]${n}-(?:T${n}|V)))$`,
  phaseKey: String.raw`^phase_\d{1,4}$`,
  fraction: String.raw`^\d{1,6}/\d{1,6}$`,
  planTaskId: String.raw`^task-${day}-${ofDay}$`,
  planSessionId: String.raw`^session-${day}-${ofDay}$`,
  requestId: String.raw`^R[1-9]\d{0,5}$`,
  taskId: String.raw`^T[1-9]\d{0,5}$`,
  subtaskId: String.raw`^T[1-9]\d{0,5}-S[1-9]\d{0,5}$`,
  projectHash: "^[0-9a-f]{8}$",
  commit: "^[0-9a-f]{7,40}$",
  webhook: String.raw`^https://[^\s]{4,2000}$`,
  agentName: `^${part}$`,
  relativePath: String.raw`^(?!/)(?![^${odd}]*(?:^|[/\\])\.\.(?:[/\\]|$))[^${odd}]{1,1000}$`,
  absolutePath: String.raw`^/[^${odd}]{0,4000}$`,
  typeName: "^[a-z][a-z0-9_-]{0,39}$",
  variableName: "^[A-Za-z_][A-Za-z0-9_]{0,99}$",
} as const;

export type PatternName = keyof typeof patterns;

let bySource: ReadonlyMap<string, PatternName> | undefined;

/** What a pattern means, for a person; a pattern without a name shows itself. */
export function patternText(source: string): Message {
  // As RegExp prints it: the schemas pass through one.
  bySource ??= new Map(
    (Object.keys(patterns) as PatternName[]).map((name) => [
      new RegExp(patterns[name], "u").source,
      name,
    ]),
  );
  const name = bySource.get(source);
  return name ? msg(`format.pattern.${name}`) : msg("format.pattern.other", { source });
}
