// Raw fields → a signal, or everything that is wrong with them, so that the agent can mend the
// whole block at once.
import { type Message, msg } from "./messages.ts";
import { type Raw, type RawFields, parseObject } from "./_protocol-fields.ts";
import {
  type BlockName,
  type Criterion,
  type Limits,
  type Said,
  criterionStatuses,
  errorTypes,
  questionCategories,
  recoveries,
} from "./_protocol-signals.ts";
import { dependencyTypes } from "./vocabulary.ts";

export type Checked = { readonly said: Said } | { readonly complaints: readonly Message[] };

/** The fields of each block, in the order of the grammar. */
export const fieldsOf: Readonly<Record<BlockName, readonly string[]>> = {
  DEPENDENCY_REQUEST: ["type", "name", "description", "required", "default"],
  USER_QUESTION: ["category", "question", "options", "default", "required"],
  ERROR: ["type", "message", "details", "recovery", "retry_after", "reset_at"],
};

export function isListField(key: string): boolean {
  return key === "options";
}

/** `short`: the one-line error, which may leave out its message. */
export function checkBlock(
  name: BlockName,
  raw: RawFields,
  limits: Limits,
  short = false,
): Checked {
  const fields = createFields(name, raw, limits);
  const said =
    name === "DEPENDENCY_REQUEST"
      ? dependency(fields)
      : name === "USER_QUESTION"
        ? question(fields)
        : agentError(fields, short);
  return fields.complaints.length > 0 ? { complaints: fields.complaints } : { said };
}

/** The texts of a completion have no table, but the same limit. */
export function tooLong(field: string, text: string, limits: Limits): Message | null {
  if (text.length <= limits.field || Array.from(text).length <= limits.field) return null;
  return msg("protocol.field_too_long", { field, limit: limits.field });
}

export function checkVerification(text: string, limits: Limits): Checked {
  const object = parseObject(text);
  if (!object) return { complaints: [msg("protocol.bad_json", { marker: "VERIFICATION_RESULT" })] };
  const criteria = object["criteria"];
  if (!Array.isArray(criteria) || criteria.length === 0)
    return { complaints: [msg("protocol.no_criteria")] };
  const complaints: Message[] = [];
  const read = criteria.map((item: unknown, index) => {
    const criterion = readCriterion(item);
    if (!criterion) complaints.push(msg("protocol.bad_criterion", { number: index + 1 }));
    else {
      const long = tooLong("criteria", longest(criterion), limits);
      if (long) complaints.push(long);
    }
    return criterion;
  });
  if (complaints.length > 0) return { complaints: complaints.slice(0, 10) };
  return {
    said: { kind: "verification_result", criteria: read.filter((item) => item !== null) },
  };
}

// --- internal ---

/** Hands out checked values and gathers complaints; a bad value is a harmless stand-in. */
interface Fields {
  readonly complaints: Message[];
  text(key: string, required: boolean): string | null;
  oneOf<T extends string>(key: string, allowed: readonly T[], absent?: T): T;
  flag(key: string): boolean;
  list(key: string): readonly string[];
}

function createFields(name: BlockName, raw: RawFields, limits: Limits): Fields {
  const complaints: Message[] = [];
  const known = fieldsOf[name];
  for (const field of raw.values.keys())
    if (!known.includes(field))
      complaints.push(
        msg("protocol.unknown_field", { field: shown(field), known: known.join(", ") }),
      );
  for (const field of new Set(raw.duplicates))
    complaints.push(msg("protocol.duplicate_field", { field: shown(field) }));
  for (const field of raw.odd) complaints.push(msg("protocol.not_text", { field: shown(field) }));

  const text = (key: string, required: boolean): string | null => {
    const value = raw.values.get(key) ?? "";
    if (typeof value !== "string") complaints.push(msg("protocol.not_text", { field: key }));
    else if (value === "") {
      if (required && !raw.odd.includes(key))
        complaints.push(msg("protocol.missing_field", { field: key }));
    } else {
      const whole = prose.has(key) ? unescape(value) : value;
      const long = tooLong(key, whole, limits);
      if (long) complaints.push(long);
      return whole;
    }
    return null;
  };
  const oneOf = <T extends string>(key: string, allowed: readonly T[], absent?: T): T => {
    const value = text(key, absent === undefined);
    const found = allowed.find((word) => word === value);
    if (value !== null && found === undefined)
      complaints.push(
        msg("protocol.bad_value", { field: key, value: shown(value), allowed: allowed.join(", ") }),
      );
    return found ?? absent ?? (allowed[0] as T);
  };
  const list = (key: string): readonly string[] => {
    const value: Raw = raw.values.get(key) ?? [];
    if (typeof value === "string") {
      complaints.push(msg("protocol.not_a_list", { field: key }));
      return [];
    }
    for (const item of value) {
      const long = tooLong(key, item, limits);
      if (long) complaints.push(long);
    }
    return value;
  };
  return { complaints, text, oneOf, list, flag: (key) => oneOf(key, ["true", "false"]) === "true" };
}

function dependency(fields: Fields): Said {
  return {
    kind: "dependency_request",
    type: fields.oneOf("type", dependencyTypes),
    name: fields.text("name", true) ?? "",
    description: fields.text("description", true) ?? "",
    required: fields.flag("required"),
    default: fields.text("default", false),
  };
}

function question(fields: Fields): Said {
  const category = fields.oneOf("category", questionCategories);
  const said: Said = {
    kind: "user_question",
    category,
    question: fields.text("question", true) ?? "",
    options: fields.list("options"),
    default: fields.text("default", false),
    required: fields.flag("required"),
  };
  const sound = fields.complaints.length === 0;
  if (sound && category === "choice" && said.options.length === 0)
    fields.complaints.push(msg("protocol.options_needed"));
  return said;
}

function agentError(fields: Fields, short: boolean): Said {
  const type = fields.oneOf("type", errorTypes);
  // The short form of a fatal error says nothing more; what follows is always the same.
  const recovery = short && type === "fatal" ? "checkpoint_and_fail" : undefined;
  return {
    kind: "error",
    type,
    message: fields.text("message", !short) ?? "",
    details: fields.text("details", false),
    recovery: fields.oneOf("recovery", recoveries, recovery),
    retryAfter: seconds(fields),
    resetAt: time(fields),
  };
}

function seconds(fields: Fields): number | null {
  const value = fields.text("retry_after", false);
  if (value === null) return null;
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(value))
    fields.complaints.push(msg("protocol.bad_seconds", { value: shown(value) }));
  return Number(value);
}

// With its zone: a local time of an unknown machine can not be waited for.
const isoTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/;

function time(fields: Fields): string | null {
  const value = fields.text("reset_at", false);
  if (value === null) return null;
  // Through Date, so that what passes is a real moment.
  const moment = /^\d{9,11}(\.\d{1,9})?$/.test(value)
    ? Number(value) * 1000
    : isoTime.test(value)
      ? Date.parse(value.replace(" ", "T"))
      : NaN;
  if (!Number.isNaN(moment)) return new Date(Math.round(moment)).toISOString();
  fields.complaints.push(msg("protocol.bad_time", { value: shown(value) }));
  return null;
}

/** Fields written for people. Names and defaults may be Windows paths: `C:\new` stays. */
const prose = new Set(["description", "question", "message", "details"]);

/** `\n` is a newline, `\\n` the two characters; every other backslash stays. */
function unescape(text: string): string {
  return text.replace(/\\?\\n/g, (found) => (found.length === 2 ? "\n" : "\\n"));
}

function shown(value: string): string {
  return value.length > 80 ? `${value.slice(0, 80)}…` : value;
}

function readCriterion(item: unknown): Criterion | null {
  if (typeof item !== "object" || item === null) return null;
  const {
    id,
    status,
    details = "",
    suggestion = "",
    affectedDocuments = [],
  } = item as Partial<Record<keyof Criterion, unknown>>;
  const known = criterionStatuses.find((word) => word === status);
  if (typeof id !== "string" || id === "" || !known) return null;
  if (typeof details !== "string" || typeof suggestion !== "string") return null;
  if (!Array.isArray(affectedDocuments)) return null;
  if (!affectedDocuments.every((file) => typeof file === "string")) return null;
  return { id, status: known, details, suggestion, affectedDocuments };
}

function longest(criterion: Criterion): string {
  const { id, details, suggestion, affectedDocuments } = criterion;
  return [id, details, suggestion, ...affectedDocuments].reduce((a, b) =>
    b.length > a.length ? b : a,
  );
}
