// The protocol read a second time, by other means: the whole text at once, an array of lines
// and regular expressions. Slow and simple, it shares no code with the parser it checks.

export interface ReferenceLimits {
  block: number;
  field: number;
  fence: number;
}

export interface ReferenceResult {
  signals: Record<string, unknown>[];
  ignored: number;
}

interface TextLine {
  /** Decoded, without newline and trailing blanks; the head only where it is too long. */
  text: string;
  start: number;
  end: number;
}

interface Run {
  lines: TextLine[];
  token: string | undefined;
  limits: ReferenceLimits;
  signals: Record<string, unknown>[];
  ignored: Set<number>;
  fence: { mark: string; until: number } | null;
}

const defaults: ReferenceLimits = { block: 102_400, field: 10_000, fence: 65_536 };

export function reference(
  bytes: Uint8Array,
  options: { token?: string | undefined; limits?: Partial<ReferenceLimits> } = {},
): ReferenceResult {
  const limits = { ...defaults, ...options.limits };
  const run: Run = {
    lines: toLines(bytes, limits.block),
    token: options.token,
    limits,
    signals: [],
    ignored: new Set(),
    fence: null,
  };
  for (let at = 0; at < run.lines.length;) at = text(run, at);
  return { signals: run.signals, ignored: run.ignored.size };
}

// --- lines ---

function toLines(bytes: Uint8Array, limit: number): TextLine[] {
  const latin = Buffer.from(bytes).toString("latin1");
  const lines: TextLine[] = [];
  for (const match of latin.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const start = match.index;
    const end = start + match[0].length;
    let raw = match[0].replace(/\n$/, "").slice(0, limit);
    if (start === 0) raw = raw.replace(/^\xef\xbb\xbf/, "");
    const decoded = Buffer.from(raw, "latin1").toString("utf8");
    lines.push({ text: decoded.replace(/[ \t\r]+$/, ""), start, end });
  }
  return lines;
}

function line(run: Run, at: number): TextLine {
  const found = run.lines[at];
  if (!found) throw new Error(`no line ${at}`);
  return found;
}

function size(run: Run, from: number, to: number): number {
  return line(run, to).end - line(run, from).start;
}

// --- markers ---

type Found =
  | { kind: "block" | "json" | "short"; name: string; rest: string }
  | { kind: "phase"; phase: number }
  | { kind: "task" }
  | { kind: "verification" };

const tag = /^ {0,3}\[(DEPENDENCY_REQUEST|USER_QUESTION|ERROR)(_JSON)?( [^\]]*)?\](.*)$/s;
const heading =
  /^ {0,3}=== (?:PHASE (\d{1,4}) COMPLETE|(CUSTOM TASK COMPLETE)|(VERIFICATION_RESULT))(.*) ===$/s;

function marker(run: Run, at: number): Found | null {
  const { text: whole } = line(run, at);
  const long = size(run, at, at) > run.limits.block;
  let found: Found | null = null;
  let word = "";
  const tagged = tag.exec(whole);
  const headed = heading.exec(whole);
  if (tagged) {
    const [, name = "", isJson, given = "", after = ""] = tagged;
    const rest = after.replace(/^[ \t\r]+/, "");
    word = given;
    if (isJson && /^(\{|$)/.test(rest)) found = { kind: "json", name, rest };
    else if (!isJson && rest === "") found = { kind: "block", name, rest };
    else if (!isJson && name === "ERROR" && rest.startsWith("type:"))
      found = { kind: "short", name, rest };
  } else if (headed) {
    word = headed[4] ?? "";
    if (headed[1]) found = { kind: "phase", phase: Number(headed[1]) };
    else found = { kind: headed[2] ? "task" : "verification" };
  }
  if (!found) return null;
  const admitted = run.token === undefined ? word === "" : word === ` ${run.token}`;
  if (long) return admitted && /json|short/.test(found.kind) ? found : null;
  if (admitted) return found;
  if (run.token !== undefined && /^( [^ \t]+)?$/.test(word)) run.ignored.add(at);
  return null;
}

function fenceMark(run: Run, at: number): { mark: string; bare: boolean } | null {
  if (size(run, at, at) > run.limits.block) return null;
  const match = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line(run, at).text);
  if (!match) return null;
  const [, mark = "", info = ""] = match;
  if (mark.startsWith("`") && info.includes("`")) return null;
  return { mark, bare: info === "" };
}

/** True when the line belongs to a fence; run.fence is what is open after it. */
function inFence(run: Run, at: number): boolean {
  const found = fenceMark(run, at);
  if (run.fence) {
    if (found?.bare && found.mark.startsWith(run.fence.mark)) {
      run.fence = null;
      return true;
    }
    if (line(run, at).start < run.fence.until) return true;
  }
  if (found) run.fence = { mark: found.mark, until: line(run, at).start + run.limits.fence };
  return found !== null;
}

// --- each construct: takes the index of its first line, returns that of the next to read ---

function text(run: Run, at: number): number {
  if (inFence(run, at)) return at + 1;
  const found = marker(run, at);
  if (!found) return at + 1;
  run.fence = null;
  if (found.kind === "phase" || found.kind === "task") return completion(run, at, found);
  if (found.kind === "verification") return verification(run, at);
  if (size(run, at, at) > run.limits.block) {
    bad(run, found.name, at, at, ["too_large"]);
    return at + 1;
  }
  if (found.kind === "short") {
    judge(run, found.name, at, at, shortFields(found.rest), true);
    return at + 1;
  }
  return found.kind === "json" ? json(run, at, found) : block(run, at, found.name);
}

function block(run: Run, from: number, name: string): number {
  const fields: { key: string; value: string; more: string[]; items: string[] }[] = [];
  let margin: number | null = null;
  for (let at = from + 1; ; at++) {
    if (at >= run.lines.length) return bad(run, name, from, at - 1, ["unclosed"]);
    if (size(run, from, at) > run.limits.block) return bad(run, name, from, at - 1, ["too_large"]);
    const { text: whole } = line(run, at);
    const closer = /^ {0,3}\[\/((?:DEPENDENCY_REQUEST|USER_QUESTION|ERROR)(?:_JSON)?)\]$/.exec(
      whole,
    );
    if (closer?.[1] === name) {
      run.fence = null;
      const raw = new Map<string, unknown>();
      const twice: string[] = [];
      for (const { key, value, more, items } of fields) {
        if (raw.has(key)) twice.push(key);
        else raw.set(key, key === "options" ? asList(value, items) : asText(value, more));
      }
      judge(run, name, from, at, { raw, twice, odd: [] }, false);
      return at + 1;
    }
    const fenced = inFence(run, at);
    if (!fenced && closer) return bad(run, name, from, at, ["wrong_closer"]);
    if (!fenced && marker(run, at)) return bad(run, name, from, at - 1, ["unclosed"]);
    const last = fields.at(-1);
    if (whole === "") {
      last?.more.push("");
      continue;
    }
    const content = whole.replace(/^[ \t\r]+/, "");
    const column = width(/^[ \t]*/.exec(whole)?.[0] ?? "");
    margin ??= column;
    const item = /^-(?:[ \t][ \t\r]*(.*))?$/s.exec(content);
    const field = /^([a-z_]{1,40}):[ \t\r]*(.*)$/s.exec(content);
    if (last?.key === "options" && item) last.items.push(item[1] ?? "");
    else if (last && column > margin && last.key !== "options") last.more.push(whole);
    else if (last && column > margin && last.items.length > 0)
      last.items.push(`${last.items.pop()}\n${content}`);
    else if (field && !(last && column > margin))
      fields.push({ key: field[1] ?? "", value: field[2] ?? "", more: [], items: [] });
    else {
      bad(run, name, from, at - 1, ["stray_line"]);
      return fenced ? at + 1 : at;
    }
  }
}

function json(run: Run, from: number, opener: { name: string; rest: string }): number {
  const { name } = opener;
  const closer = `[/${name}_JSON]`;
  const kept = opener.rest === "" ? [] : [opener.rest];
  for (let at = from; ; at++) {
    if (at > from) {
      if (at >= run.lines.length) return bad(run, name, from, at - 1, ["unclosed"]);
      if (size(run, from, at) > run.limits.block)
        return bad(run, name, from, at - 1, ["too_large"]);
      const { text: whole } = line(run, at);
      if (!whole.endsWith(closer)) {
        const fenced = inFence(run, at);
        if (!fenced && /^ {0,3}\[\/(DEPENDENCY_REQUEST|USER_QUESTION|ERROR)(_JSON)?\]$/.test(whole))
          return bad(run, name, from, at, ["wrong_closer"]);
        if (!fenced && marker(run, at)) return bad(run, name, from, at - 1, ["unclosed"]);
      }
      if (!/^ {0,3}(`{3,}[^`]*|~{3,}.*)$/s.test(whole) || whole.endsWith(closer)) kept.push(whole);
    }
    if (!kept.at(-1)?.endsWith(closer)) continue;
    const body = kept.join("\n").slice(0, -closer.length);
    run.fence = null;
    const fields = jsonFields(body);
    if (fields) judge(run, name, from, at, fields, false);
    else bad(run, name, from, at, ["bad_json"]);
    return at + 1;
  }
}

function completion(run: Run, from: number, found: Found): number {
  const isPhase = found.kind === "phase";
  const name = isPhase ? "PHASE COMPLETE" : "CUSTOM TASK COMPLETE";
  const labels = isPhase
    ? /^(completed|phase|documents created|files created):[ \t\r]*(.*)$/is
    : /^(task|summary):[ \t\r]*(.*)$/is;
  const values: Record<string, string | null> = { completed: null, task: null, summary: null };
  const files: string[] = [];
  let current = "";
  let at = from + 1;
  for (; at < run.lines.length; at++) {
    const { text: whole } = line(run, at);
    const content = whole.replace(/^[ \t\r]+/, "");
    const ends = /^(|={3,}|Ready for review\.?)$/.test(content);
    const label = labels.exec(content);
    const item = /^-(?:[ \t][ \t\r]*(.*))?$/s.exec(content);
    const key = label?.[1]?.toLowerCase() ?? "";
    const value = label?.[2] ?? "";
    if (ends) {
      // Its last line.
    } else if (key === "completed" || key === "phase") {
      values["completed"] ??= value || null;
      current = "";
    } else if (key.endsWith("created")) {
      files.push(...(inline(value) ?? []));
      current = "files";
    } else if (key && values[key] === null) {
      values[key] = value;
      current = key;
    } else if (isPhase && current === "files" && item) {
      if (item[1]) files.push(item[1]);
    } else if (!isPhase && current && /^[ \t]/.test(whole)) {
      values[current] = [values[current], content].filter(Boolean).join("\n");
    } else break;
    if (size(run, from, at) > run.limits.block) return bad(run, name, from, at - 1, ["too_large"]);
    if (ends) {
      at++;
      break;
    }
  }
  const paths = files.map((file) => file.replace(/^`(.+)`$/s, "$1"));
  const all = [...paths, ...Object.values(values)];
  if (all.some((one) => Array.from(one ?? "").length > run.limits.field)) {
    bad(run, name, from, at - 1, ["field_too_long"]);
    return at;
  }
  const { completed, task, summary } = values;
  const said = isPhase
    ? { kind: "phase_complete", phase: found.phase, completed, files: paths }
    : { kind: "task_complete", task, summary };
  run.signals.push({ ...said, start: line(run, from).start, end: line(run, at - 1).end });
  return at;
}

function verification(run: Run, from: number): number {
  const name = "VERIFICATION_RESULT";
  const kept: string[] = [];
  let fenced = false;
  let depth = 0;
  for (let at = from + 1; ; at++) {
    if (at >= run.lines.length) return bad(run, name, from, at - 1, ["bad_json"]);
    if (size(run, from, at) > run.limits.block) return bad(run, name, from, at - 1, ["too_large"]);
    const content = line(run, at).text.replace(/^[ \t\r]+/, "");
    const mark = fenceMark(run, at);
    if (mark && !fenced && depth === 0) {
      inFence(run, at);
      fenced = true;
      continue;
    }
    if (fenced && mark?.bare && run.fence && mark.mark.startsWith(run.fence.mark)) {
      run.fence = null;
      return bad(run, name, from, at, ["bad_json"]);
    }
    const foreign = !fenced && (mark || marker(run, at));
    if (foreign || (depth === 0 && !/^(\{|$)/.test(content)))
      return bad(run, name, from, at - 1, ["bad_json"]);
    kept.push(content);
    if (content === "") continue;
    // Without its strings the line has only the brackets that count.
    const bare = content.replace(/"(?:[^"\\]|\\.)*"/gs, "");
    if (bare.includes('"')) return bad(run, name, from, at, ["bad_json"]);
    depth += bare.replace(/[^{[]/g, "").length - bare.replace(/[^}\]]/g, "").length;
    if (depth > 0) continue;
    result(run, from, at, kept.join("\n"));
    return at + 1;
  }
}

function result(run: Run, from: number, at: number, body: string): void {
  const name = "VERIFICATION_RESULT";
  const object = parse(body);
  if (!object) return void bad(run, name, from, at, ["bad_json"]);
  const list = object["criteria"];
  if (!Array.isArray(list) || list.length === 0)
    return void bad(run, name, from, at, ["no_criteria"]);
  const complaints: string[] = [];
  const criteria = list.map((one: Record<string, unknown> | null) => {
    const { id, status, details = "", suggestion = "", affectedDocuments = [] } = one ?? {};
    const texts = [
      id,
      details,
      suggestion,
      ...(Array.isArray(affectedDocuments) ? affectedDocuments : [0]),
    ];
    if (
      !id ||
      !/^(passed|failed)$/.test(String(status)) ||
      texts.some((t) => typeof t !== "string")
    )
      complaints.push("bad_criterion");
    else if (texts.some((t) => Array.from(String(t)).length > run.limits.field))
      complaints.push("field_too_long");
    return { id, status, details, suggestion, affectedDocuments };
  });
  if (complaints.length > 0) return void bad(run, name, from, at, complaints.slice(0, 10));
  const { start } = line(run, from);
  run.signals.push({ kind: "verification_result", criteria, start, end: line(run, at).end });
}

// --- fields ---

interface Raw {
  raw: Map<string, unknown>;
  twice: string[];
  odd: string[];
}

function asText(value: string, more: string[]): string {
  const lines = more.join("\n").replace(/\n+$/, "").split("\n");
  const margins = lines.filter(Boolean).map((one) => /^[ \t]*/.exec(one)?.[0].length ?? 0);
  const margin = margins.length > 0 ? Math.min(...margins) : 0;
  const rest = more.some(Boolean) ? lines.map((one) => one.slice(margin)) : [];
  return [...(value === "" ? [] : [value]), ...rest].join("\n");
}

function asList(value: string, items: string[]): unknown {
  const listed = inline(value);
  if (value !== "" && !listed) return value;
  return [...(listed ?? []), ...items.filter(Boolean)];
}

function inline(value: string): string[] | null {
  const match = /^\[(.*)\]$/s.exec(value);
  if (!match) return null;
  const inside = match[1] ?? "";
  if (/^[ \t\r]*"/.test(inside)) {
    const list = parse(`{"a":${value}}`)?.["a"];
    if (Array.isArray(list) && list.every((one) => typeof one === "string"))
      return list.filter(Boolean);
  }
  return inside
    .split(",")
    .map((one) => one.replace(/^[ \t\r]+|[ \t\r]+$/g, ""))
    .filter(Boolean);
}

function shortFields(rest: string): Raw {
  const raw = new Map<string, unknown>();
  const pieces = rest.split(/,(?=[ \t]*(?:type|message|details|recovery|retry_after|reset_at):)/);
  let last = "";
  for (const piece of pieces) {
    const [, key = "", value = ""] = /^[ \t]*([a-z_]+):(.*)$/s.exec(piece) ?? [];
    if (raw.has(key)) raw.set(last, `${String(raw.get(last))},${piece}`);
    else raw.set((last = key), value);
  }
  for (const [key, value] of raw) raw.set(key, String(value).replace(/^[ \t\r]+|[ \t\r]+$/g, ""));
  return { raw, twice: [], odd: [] };
}

function jsonFields(body: string): Raw | null {
  const object = parse(body);
  if (!object) return null;
  const raw = new Map<string, unknown>();
  const odd: string[] = [];
  for (const [key, value] of Object.entries(object)) {
    if (simple(value)) raw.set(key, String(value));
    else if (Array.isArray(value) && value.every(simple)) raw.set(key, value.map(String));
    else if (value !== null) odd.push(key);
  }
  return { raw, twice: [], odd };
}

function simple(one: unknown): boolean {
  return /string|number|boolean/.test(typeof one);
}

function parse(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return Object.prototype.toString.call(value) === "[object Object]"
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

const tables: Record<string, Record<string, RegExp | "text" | "list" | "seconds" | "time">> = {
  DEPENDENCY_REQUEST: {
    type: /^(api_key|env_variable|service|file|permission|package)$/,
    name: "text",
    description: "text",
    required: /^(true|false)$/,
    default: "text",
  },
  USER_QUESTION: {
    category: /^(business|clarification|choice|confirmation)$/,
    question: "text",
    options: "list",
    default: "text",
    required: /^(true|false)$/,
  },
  ERROR: {
    type: /^(recoverable|fatal)$/,
    message: "text",
    details: "text",
    recovery: /^(pause_and_retry|checkpoint_and_fail|notify_user)$/,
    retry_after: "seconds",
    reset_at: "time",
  },
};
const kinds: Record<string, string> = {
  DEPENDENCY_REQUEST: "dependency_request",
  USER_QUESTION: "user_question",
  ERROR: "error",
};
const optional = /^(default|options|details|retry_after|reset_at)$/;
const newlines = /^(description|question|message|details)$/;

function judge(run: Run, name: string, from: number, at: number, given: Raw, short: boolean): void {
  const { raw, twice, odd } = given;
  const table = tables[name] ?? {};
  const wrong: string[] = [
    ...[...raw.keys()].filter((key) => !(key in table)).map(() => "unknown_field"),
    ...[...new Set(twice)].map(() => "duplicate_field"),
    ...odd.map(() => "not_text"),
  ];
  const out: Record<string, unknown> = { kind: kinds[name] };
  const fatal = raw.get("type") === "fatal";
  const long = (one: string): boolean => Array.from(one).length > run.limits.field;
  for (const [key, rule] of Object.entries(table)) {
    let value = raw.get(key) ?? (rule === "list" ? [] : "");
    if (rule === "list") {
      if (!Array.isArray(value)) wrong.push("not_a_list");
      else wrong.push(...value.filter(long).map(() => "field_too_long"));
      out[key] = value;
      continue;
    }
    if (typeof value !== "string") {
      wrong.push("not_text");
      continue;
    }
    if (newlines.test(key))
      value = value.replace(/(\\?)\\n/g, (_, b: string) => (b ? "\\n" : "\n"));
    if (value === "") {
      const may =
        optional.test(key) || (short && (key === "message" || (key === "recovery" && fatal)));
      if (!may && !odd.includes(key)) wrong.push("missing_field");
      out[key] = key === "message" ? "" : key === "recovery" ? "checkpoint_and_fail" : null;
      continue;
    }
    if (long(value as string)) wrong.push("field_too_long");
    if (rule instanceof RegExp && !rule.test(value as string)) wrong.push("bad_value");
    out[key] = value;
    if (key === "required") out[key] = value === "true";
    if (rule === "seconds") {
      if (!/^\d{1,9}(\.\d{1,9})?$/.test(value as string)) wrong.push("bad_seconds");
      out[key] = Number(value);
    }
    if (rule === "time") {
      out[key] = moment(value as string);
      if (out[key] === null) wrong.push("bad_time");
    }
  }
  if (name === "ERROR") {
    out["retryAfter"] = out["retry_after"];
    out["resetAt"] = out["reset_at"];
    delete out["retry_after"];
    delete out["reset_at"];
  }
  if (wrong.length === 0 && out["category"] === "choice" && (out["options"] as []).length === 0)
    wrong.push("options_needed");
  if (wrong.length > 0) bad(run, name, from, at, wrong);
  else run.signals.push({ ...out, start: line(run, from).start, end: line(run, at).end });
}

function moment(value: string): string | null {
  const epoch = /^\d{9,11}(\.\d{1,9})?$/.test(value);
  const iso = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/.test(value);
  const date = epoch
    ? new Date(Math.round(Number(value) * 1000))
    : new Date(value.replace(" ", "T"));
  return (epoch || iso) && !Number.isNaN(date.getTime()) ? date.toISOString() : null;
}

/** Reports lines from..to as malformed, and says where to go on: the line after. */
function bad(run: Run, name: string, from: number, to: number, complaints: string[]): number {
  const lines = run.lines.slice(from, to + 1).map((one) => one.text);
  const excerpt = lines
    .join("\n")
    .slice(0, 400)
    .replace(/[\ud800-\udbff]$/, "");
  const { start } = line(run, from);
  const { end } = line(run, to);
  run.signals.push({
    kind: "malformed",
    marker: name,
    complaints: complaints.toSorted(),
    excerpt,
    start,
    end,
  });
  return to + 1;
}

function width(blanks: string): number {
  return Array.from(blanks).reduce((sum, one) => (one === "\t" ? sum + 4 - (sum % 4) : sum + 1), 0);
}
