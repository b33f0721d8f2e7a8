// Reads, checks and prints one format. What a syntax or a validator costs to load is loaded only
// when that format is used: a hook that touches a JSON state never sees the YAML parser.
import { msg } from "../core/messages.ts";
import { type Place, decode } from "./_text.ts";
import { type SchemaError, describe, findingsOf } from "./complaints.ts";
import { type Finding, type Format, type Syntax, error, mostFindings, notice } from "./format.ts";
import { type Documents, type FormatName, formats } from "./registry.ts";
import { type Validator, loadAllErrors, loadValidator } from "./validators.ts";

export type Read<T> =
  | {
      readonly ok: true;
      readonly value: T;
      readonly notices: readonly Finding[];
      /** Set when an older version was read; the file itself is still the old one. */
      readonly upgradedFrom?: string;
    }
  | {
      readonly ok: false;
      readonly findings: readonly Finding[];
      /** It says a version that is not known here: another program's, not a damaged one of ours. */
      readonly otherVersion?: true;
    };

export interface Codec<T> {
  readonly format: Format<T>;
  /** Stops at the first complaint. */
  read(bytes: Uint8Array): Read<T>;
  /** Schema (first complaint) and rules of a document in memory, notices included. */
  check(document: unknown): Finding[];
  /** The schema alone. */
  fits(document: unknown): boolean;
  /** The text to store; comments, order and style of the previous text stay where they can. */
  print(document: T, previous?: string): string;
  /** Everything there is to say about a file, each with its line: what `validate` prints. */
  inspect(bytes: Uint8Array): Promise<Read<T>>;
}

export async function loadCodec<N extends FormatName>(name: N): Promise<Codec<Documents[N]>> {
  const format: Format<Documents[N]> = formats[name];
  const [syntax, first] = await Promise.all([loadSyntax(format.syntax), loadValidator(name)]);
  const check = checker(format, first);
  return {
    format,
    check,
    fits: first,
    print: (document, previous) => syntax.print(document, previous),
    read: (bytes) => read(format, syntax, check, bytes),
    inspect: async (bytes) => {
      if (bytes.length > format.maxBytes) return read(format, syntax, check, bytes);
      // Collecting every complaint costs 2 µs and 250 bytes for each: not for a file full of them.
      const all = bytes.length > inspectLimit ? first : await loadAllErrors(name);
      const found = read(format, syntax, checker(format, all), bytes);
      return found.ok
        ? { ...found, notices: withPlaces(syntax, bytes, found.notices) }
        : { ...found, findings: withPlaces(syntax, bytes, found.findings) };
    },
  };
}

// --- internal ---

const inspectLimit = 256 * 1024;

interface SyntaxCode {
  parse(text: string): { ok: true; value: unknown } | { ok: false; findings: readonly Finding[] };
  print(value: unknown, previous?: string): string;
  locate(text: string, pointers: readonly string[]): Map<string, Place>;
}

async function loadSyntax(syntax: Syntax): Promise<SyntaxCode> {
  if (syntax === "json") {
    const json = await import("./json.ts");
    return { parse: json.parseJson, print: json.printJson, locate: json.locateJson };
  }
  const [yaml, edit] = await Promise.all([import("./yaml.ts"), import("./yaml-edit.ts")]);
  return {
    parse: yaml.parseYaml,
    print: (value, previous) =>
      previous === undefined ? yaml.printYaml(value) : edit.editYaml(previous, value),
    locate: yaml.locateYaml,
  };
}

function checker<T>(format: Format<T>, validator: Validator): (document: unknown) => Finding[] {
  return (document) =>
    validator(document)
      ? worst(format.rules?.(document as T) ?? [])
      : findingsOf((validator.errors ?? []) as SchemaError[], document, format.secrets);
}

/** A task that stands twice 100,000 times over needs no 100,000 lines; but no error is lost. */
function worst(findings: Finding[]): Finding[] {
  if (findings.length <= mostFindings) return findings;
  const errors = findings.filter(({ level }) => level === "error");
  const notices = findings.filter(({ level }) => level === "notice");
  return [...errors, ...notices].slice(0, mostFindings);
}

function read<T>(
  format: Format<T>,
  syntax: SyntaxCode,
  check: (document: unknown) => Finding[],
  bytes: Uint8Array,
): Read<T> {
  if (bytes.length > format.maxBytes) {
    return {
      ok: false,
      findings: [error("", msg("format.too_large", { size: bytes.length, max: format.maxBytes }))],
    };
  }
  const decoded = decode(bytes);
  if ("finding" in decoded) return { ok: false, findings: [decoded.finding] };
  const parsed = syntax.parse(decoded.text);
  if (!parsed.ok) return parsed;

  const version = atVersion(format, parsed.value);
  if ("refused" in version) return { ok: false, findings: [version.refused], otherVersion: true };
  const findings = check(version.value);
  if (findings.some(({ level }) => level === "error"))
    return version.other ? { ok: false, findings, otherVersion: true } : { ok: false, findings };
  const notices = [...version.notices, ...findings];
  const value = version.value as T;
  return version.from === undefined
    ? { ok: true, value, notices }
    : { ok: true, value, notices, upgradedFrom: version.from };
}

type AtVersion =
  | { refused: Finding }
  | { value: unknown; notices: readonly Finding[]; from?: string; other?: boolean };

/** Older versions are read through the format's upgrade; a newer one is never guessed at. */
function atVersion<T>(format: Format<T>, value: unknown): AtVersion {
  const known = format.version;
  const found =
    typeof value === "object" && value !== null
      ? (value as Record<string, unknown>)["version"]
      : undefined;
  // A missing version is the schema's complaint.
  if (known === null || found === known || found === undefined) return { value, notices: [] };
  if (!isVersion(found)) return { value, notices: [], other: true };
  const upgraded = format.upgrade?.(value as Record<string, unknown>);
  if (upgraded)
    return {
      value: upgraded.value,
      from: upgraded.from,
      notices: [notice("/version", upgraded.notice)],
    };
  // So is one of another type.
  if (typeof found !== typeof known) return { value, notices: [], other: true };
  const newer = compareVersions(String(found), String(known)) > 0;
  const params = { found: String(found), known: String(known) };
  const text = newer ? msg("format.newer_version", params) : msg("format.unknown_version", params);
  const expected = msg("format.expected.exactly", { value: JSON.stringify(known) });
  return { refused: { ...error("/version", text), expected, got: describe(found) } };
}

function isVersion(found: unknown): found is string | number {
  return (
    (typeof found === "string" || typeof found === "number") && /^\d+(\.\d+)*$/.test(String(found))
  );
}

/** By each number in turn: 2.10 is newer than 2.9. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split(".").map(Number), b.split(".").map(Number)];
  for (let part = 0; part < Math.max(left.length, right.length); part++) {
    const difference = (left[part] ?? 0) - (right[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function withPlaces(
  syntax: SyntaxCode,
  bytes: Uint8Array,
  findings: readonly Finding[],
): Finding[] {
  const decoded = decode(bytes);
  if ("finding" in decoded) return [...findings];
  const places = syntax.locate(
    decoded.text,
    findings.filter(({ line }) => line === undefined).map(({ pointer }) => pointer),
  );
  return findings.map((finding) => ({ ...places.get(finding.pointer), ...finding }));
}
