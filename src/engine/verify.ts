// Is a phase really done (S1.14)? An agent's word is a claim: the declared files are looked at, the
// files it says it made are looked for, and the phase's own commands run in the workspace. All of it
// is done each time, so that one rework can mend all there is.
import { isAbsolute, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type Language, type Message, msg, render } from "../core/messages.ts";
import { type Redactor, createRedactor } from "../core/redact.ts";
import { type CommandOutcome, type RunCommand, runCommand } from "./_command.ts";
import { loadCodec } from "../formats/codec.ts";
import { findingIn } from "../formats/format.ts";
import { formats } from "../formats/registry.ts";
import { lookInside, readInside } from "../git/files.ts";
import { type Declared, type Deliverable, lookAtDeliverables } from "./deliverables.ts";

export type Check =
  | "exists"
  | "not_empty"
  | "placeholder"
  | "min_characters"
  /** It is not valid in the format that was declared for it. */
  | "format"
  | "claimed_file"
  /** A file that a snapshot can not keep, or the project not take. */
  | "kept"
  | "command";

export interface VerifyFinding {
  readonly check: Check;
  readonly text: Message;
  readonly path?: string;
  readonly command?: string;
  readonly exitCode?: number;
  /** The end of what the command printed, without secrets. */
  readonly output?: string;
}

export interface VerifyOptions {
  readonly folder: string;
  readonly phase: {
    readonly deliverables: readonly Declared[];
    readonly verify: readonly string[];
  };
  /** What the agent says it made. */
  readonly claimedFiles?: readonly string[];
  /** All that the commands see. */
  readonly env: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  /** For each command. */
  readonly seconds?: number;
  /** Of what is checked, where several may be at once in one folder. */
  readonly tag?: string;
  readonly signal?: AbortSignal;
  readonly run?: RunCommand;
  /** Milliseconds; only differences count. */
  readonly now?: () => number;
}

export interface Verification {
  readonly passed: boolean;
  /** Stopped by the signal: neither passed nor failed. */
  readonly stopped: boolean;
  readonly findings: readonly VerifyFinding[];
  /** Those that ran, without secrets. */
  readonly commands: readonly { readonly command: string; readonly milliseconds: number }[];
}

export async function verifyPhase(options: VerifyOptions): Promise<Verification> {
  const { folder, phase, claimedFiles = [], signal, now = Date.now } = options;
  const found = await lookAtDeliverables(folder, phase.deliverables);
  const findings = [
    ...aboutDeliverables(found, phase.deliverables),
    ...(await aboutFormats(folder, phase.deliverables)),
    ...aboutClaims(folder, claimedFiles, phase.deliverables),
  ];
  const redactor = createRedactor(options.secrets ?? []);
  const commands: { command: string; milliseconds: number }[] = [];
  for (const command of phase.verify) {
    const began = now();
    const finding = await aboutCommand(command, options, redactor);
    if (signal?.aborted === true)
      return { passed: false, stopped: true, findings: [], commands: [] };
    const milliseconds = Math.max(0, now() - began);
    commands.push({ command: redactor.text(command), milliseconds });
    if (finding !== undefined) findings.push(finding);
  }
  const clean = findings.map((finding) => redacted(finding, redactor));
  return { passed: clean.length === 0, stopped: false, findings: clean, commands };
}

/** What is wrong with declared files, as they were looked at. */
export function aboutDeliverables(
  found: readonly Deliverable[],
  declared: readonly Declared[],
): VerifyFinding[] {
  return found.flatMap((file, place) => aboutFile(file, declared[place]?.minCharacters));
}

/** For the agent: what to mend, in its task's language. Bounded, whatever a command printed. */
export function feedbackOf(findings: readonly VerifyFinding[], language: Language): string {
  const said = findings.slice(0, mostFindings).map((finding) => {
    const line = `- ${render(language, finding.text)}`;
    const output = finding.output?.trim() ?? "";
    if (output === "") return line;
    const label = render(language, msg("verify.output"));
    return `${line}\n  ${label}\n\n${fenced(output)}`;
  });
  const more = findings.length - mostFindings;
  if (more > 0) said.push(`- ${render(language, msg("verify.more", { count: more }))}`);
  return said.join("\n");
}

// --- internal ---

const mostFindings = 40;
const mostClaims = 200;
const outputBytes = 4 * 1024;
const usualSeconds = 1_200;

function aboutFile(file: Deliverable, wanted = 1): VerifyFinding[] {
  const { path, kind, characters, placeholders } = file;
  if (kind === "missing") return [{ check: "exists", path, text: msg("verify.missing", { path }) }];
  if (kind === "unreadable")
    return [{ check: "exists", path, text: msg("verify.unreadable", { path }) }];
  if (kind !== "file" && kind !== "folder")
    return [{ check: "exists", path, text: msg("verify.not_a_file", { path }) }];
  if (!file.present || file.bytes === 0 || characters === 0)
    return [{ check: "not_empty", path, text: msg("verify.empty", { path }) }];
  const findings: VerifyFinding[] = placeholders.map(({ line, found }) => ({
    check: "placeholder",
    path,
    text: msg("verify.placeholder", { path, line, found }),
  }));
  if (file.onlyHeadings)
    findings.push({ check: "placeholder", path, text: msg("verify.only_headings", { path }) });
  const short = tooShort(file, wanted);
  if (short !== undefined) findings.push({ check: "min_characters", path, text: short });
  return findings;
}

function tooShort(
  { path, kind, bytes, characters }: Deliverable,
  wanted: number,
): Message | undefined {
  if (kind === "folder" || wanted <= 1) return undefined;
  if (characters !== null)
    return characters >= wanted ? undefined : msg("verify.short", { path, characters, wanted });
  // Too large to be read, it has at least a character for each four bytes.
  return bytes >= wanted * 4 && bytes > 4 * 1024 * 1024
    ? undefined
    : msg("verify.not_text", { path, wanted });
}

/** Everything that is wrong with each, so that one rework can mend it; one that is missing is reported as such. */
async function aboutFormats(
  folder: string,
  declared: readonly Declared[],
): Promise<VerifyFinding[]> {
  const findings: VerifyFinding[] = [];
  for (const { path, format } of declared) {
    if (format === undefined) continue;
    if (lookInside(folder, path).kind !== "file") continue;
    const bytes = readInside(folder, path, formats[format].maxBytes + 1);
    if (bytes === undefined) {
      findings.push({ check: "format", path, text: msg("verify.unreadable", { path }) });
      continue;
    }
    if (bytes.length === 0) continue;
    const read = await (await loadCodec(format)).inspect(bytes);
    if (read.ok) continue;
    for (const finding of read.findings)
      if (finding.level === "error")
        findings.push({ check: "format", path, text: findingIn(path, finding) });
  }
  return findings;
}

function aboutClaims(
  folder: string,
  claimed: readonly string[],
  declared: readonly Declared[],
): VerifyFinding[] {
  const known = new Set(declared.map(({ path }) => path));
  return claimed.slice(0, mostClaims).flatMap((name): VerifyFinding[] => {
    const path = (isAbsolute(name) ? relative(folder, name) : name).replace(/^(?:\.\/)+|\/+$/g, "");
    // Those are looked at already, and closer.
    if (path === "" || known.has(path)) return [];
    const { kind } = lookInside(folder, path);
    if (kind === "missing")
      return [{ check: "claimed_file", path, text: msg("verify.claimed", { path }) }];
    if (kind === "outside")
      return [
        { check: "claimed_file", path: name, text: msg("verify.claimed_outside", { path: name }) },
      ];
    return [];
  });
}

/** Also what was found in a file, or how a command reads: it may hold a secret. */
function redacted(finding: VerifyFinding, redactor: Redactor): VerifyFinding {
  const { text, path, command } = finding;
  return {
    ...finding,
    text: redactedText(text, redactor),
    ...(path === undefined ? {} : { path: redactor.text(path) }),
    ...(command === undefined ? {} : { command: redactor.text(command) }),
  };
}

/** A finding about a format holds another text, with the value that was found. */
function redactedText({ key, params }: Message, redactor: Redactor): Message {
  const clean = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === "string"
      ? redactor.text(value)
      : typeof value === "object"
        ? redactedText(value, redactor)
        : value,
  ]);
  return { key, params: Object.fromEntries(clean) as Message["params"] };
}

async function aboutCommand(
  command: string,
  options: VerifyOptions,
  redactor: Redactor,
): Promise<VerifyFinding | undefined> {
  const { folder, env, signal, run = runCommand, seconds = usualSeconds } = options;
  const { tag = folder } = options;
  const outcome = await run({
    command,
    cwd: folder,
    tag: `verify:${tag}`,
    env,
    seconds,
    maxOutput: outputBytes,
    redactor,
    ...(signal ? { signal } : {}),
  });
  const { ended, exitCode } = outcome;
  if (ended === "exit" && exitCode === 0) return undefined;
  const text =
    ended === "late"
      ? msg("verify.late", { command, seconds })
      : ended === "not_started"
        ? msg("verify.not_started", { command, detail: outcome.output })
        : msg("verify.command", { command, code: exitCode });
  return { check: "command", command, exitCode, text, output: shown(outcome) };
}

/** Fit to be read: no colours, no cursor movements, nothing one can not see. */
function shown({ output, cut, ended }: CommandOutcome): string {
  if (ended === "not_started") return "";
  const plain = stripVTControlCharacters(output)
    .replace(/\r+\n?/g, "\n")
    .replace(/(?![\n\t])\p{C}/gu, "");
  // The first line may have lost its beginning.
  return cut > 0 ? `…${plain.slice(plain.indexOf("\n"))}` : plain;
}

/** A fence longer than any in the text: it can not end it. */
function fenced(output: string): string {
  const longest = Math.max(2, ...(output.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${output}\n${fence}`;
}
