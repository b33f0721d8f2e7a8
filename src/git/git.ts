// Git, so that nothing of a repository runs in our process (threat: an agent plants a hook, a
// filter, a pager, an address that is a command).
//
// Three walls, each enough for most of it: a repository of an agent is never opened at all
// (snapshot.ts has its own beside it); what configuration can start is switched off by
// configuration of ours, which wins over a repository's; and no address is ever followed, since no
// protocol is allowed and objects travel as packs through a pipe (_git-objects.ts).
import { type ChildProcess, spawn } from "node:child_process";
import { statfsSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Fault } from "../core/errors.ts";
import { type Message, msg } from "../core/messages.ts";
import { codeOf } from "../store/disk.ts";
import { type GitSettings, gitEnvironment } from "./_environment.ts";

export interface GitPlace {
  /** A folder of ours, or of the project: never looked above. */
  readonly cwd: string;
  readonly gitDir?: string;
  readonly workTree?: string;
  /** A private index. */
  readonly index?: string;
  /** A folder of objects that are looked for as well. */
  readonly objects?: string;
  /** Marks the process, so that one that outlived us can be found (leftovers.ts). */
  readonly tag?: string;
  /** More configuration, as strong as our own. */
  readonly settings?: GitSettings;
  /** Sees the user's own configuration: only to read a setting, where no repository is. */
  readonly asUser?: boolean;
  /** Commits are signed by the user's own key: what git has to know for it (own-commands.ts). */
  readonly signing?: GitSettings;
  /** What a commit is dated, in milliseconds since 1970. */
  readonly at?: number;
  /** Who makes a commit; without it Holdfast itself, as for its own snapshots. */
  readonly identity?: Identity;
}

/** As `git config user.name` and `user.email` have it. */
export interface Identity {
  readonly name: string;
  readonly email: string;
}

export interface GitOptions extends GitPlace {
  readonly input?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Bytes of output that are taken; more is a Fault, or with `cut` the end. */
  readonly maxOutput?: number;
  readonly cut?: boolean;
  readonly seconds?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Hears the output while it comes, for who feeds a process by what it answers; null: it has ended. */
  readonly heard?: (part: Buffer | null) => void;
}

export interface GitOutcome {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** There was more than `maxOutput`. */
  readonly cut: boolean;
  /** What ended it, where it did not end by itself. */
  readonly signal: NodeJS.Signals | null;
}

/** Runs git and gives its output; what it refuses is a Fault with its own words. */
export async function git(args: readonly string[], options: GitOptions): Promise<Buffer> {
  const outcome = await tryGit(args, options);
  if (outcome.code !== 0 && !outcome.cut) throw gitFault(args, outcome.stderr, options);
  return outcome.stdout;
}

/** A line of output, without its end. */
export async function gitLine(args: readonly string[], options: GitOptions): Promise<string> {
  return (await git(args, options)).toString("utf8").replace(/\n$/, "");
}

/** As git, but an exit code is an answer. */
export async function tryGit(args: readonly string[], options: GitOptions): Promise<GitOutcome> {
  const child = startGit(args, options);
  const feeding = feed(child, options.input);
  const outcome = await collect(child, args, options);
  const fed = await feeding;
  // Why git stopped reading is in its own words; why we stopped writing is not.
  if (fed !== undefined && codeOf(fed) !== "EPIPE" && codeOf(fed) !== prematureClose) throw fed;
  return outcome;
}

/** Bytes of one git into another: objects on their way between two repositories. */
export async function pipeGit(
  from: { args: readonly string[]; options: GitOptions },
  to: { args: readonly string[]; options: GitOptions },
): Promise<Buffer> {
  const source = startGit(from.args, from.options);
  const sink = startGit(to.args, to.options);
  const through = (async () => {
    if (source.stdout && sink.stdin) await pipeline(source.stdout, sink.stdin);
  })().catch((cause: unknown) => cause);
  const feeding = feed(source, from.options.input);
  const [sent, taken] = await Promise.all([
    collect(source, from.args, from.options, false),
    collect(sink, to.args, to.options),
  ]);
  await Promise.all([through, feeding]);
  if (sent.code !== 0) throw gitFault(from.args, sent.stderr, from.options);
  if (taken.code !== 0) throw gitFault(to.args, taken.stderr, to.options);
  return taken.stdout;
}

export function gitFault(args: readonly string[], stderr: string, { cwd }: GitPlace): Fault {
  // The same as for any other write: what waits for room must know it by its name. Git has many
  // words for it, and sometimes none.
  if (/No space left|Out of diskspace|quota exceeded/.test(stderr) || isFull(cwd))
    return new Fault("internal", msg("disk.full", { path: cwd }), { hint: msg("disk.full.hint") });
  const detail = stderr.trim().slice(-mostWords) || "(nothing)";
  const command = args.find((word) => !word.startsWith("-")) ?? "";
  return new Fault("internal", msg("git.failed", { command, detail }), { hint: hintFor(stderr) });
}

/** The lock that was in the way: of a git that is at work, or of one that was killed alone. */
export function lockIn(stderr: string): string | undefined {
  return /'([^'\n]+\.lock)': File exists/.exec(stderr)?.[1];
}

/**
 * Did somebody else than us end a git of this tag since that was asked last? Its locks stay, and who alone
 * works there has to remove them.
 */
export function gitDied(tag: string): boolean {
  return ended.delete(tag);
}

/** What we rely on (an empty filter, --end-of-options, GIT_CONFIG_COUNT) is in it, and tested. */
export const oldestGit = [2, 39] as const;

/** A Fault if there is no git, or one that is too old. Asked before anything begins, and once. */
export async function requireGit(env: GitOptions["env"] = process.env): Promise<void> {
  const path = env["PATH"] ?? "";
  const known = versions.get(path) ?? readVersion(env);
  versions.set(path, known);
  try {
    await known;
  } catch (cause) {
    versions.delete(path);
    throw cause;
  }
}

// --- internal ---

const leastRoom = 1024 * 1024;

function isFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize < leastRoom;
  } catch {
    return false;
  }
}

const mostWords = 2_000;
const mostOutput = 16 * 1024 * 1024;
const mostSeconds = 300;
const prematureClose = "ERR_STREAM_PREMATURE_CLOSE";
/** Tags of those that ended by a signal that was not ours. */
const ended = new Set<string>();
const versions = new Map<string, Promise<void>>();

export function startGit(args: readonly string[], options: GitOptions): ChildProcess {
  const { cwd, gitDir, workTree } = options;
  const places = [
    ...(gitDir === undefined ? [] : [`--git-dir=${gitDir}`]),
    ...(workTree === undefined ? [] : [`--work-tree=${workTree}`]),
  ];
  // A group of its own: what it may have started ends with it.
  return spawn("git", ["--no-pager", ...places, ...args], {
    cwd,
    env: gitEnvironment(options, options.env ?? process.env),
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
}

async function readVersion(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const child = startGit(["version"], { cwd: "/", env });
  child.stdin?.end();
  const { stdout } = await collect(child, ["version"], { cwd: "/" });
  const text = stdout.toString("utf8").trim();
  const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(text) ?? [];
  const [oldMajor, oldMinor] = oldestGit;
  if (Number(major) > oldMajor || (Number(major) === oldMajor && Number(minor) >= oldMinor)) return;
  throw new Fault("refused", msg("git.too_old", { found: text, wanted: oldestGit.join(".") }), {
    hint: msg("git.install.hint", { wanted: oldestGit.join(".") }),
  });
}

/** What went wrong on the way in, if anything did; known only once git has had its say. */
async function feed(child: ChildProcess, input: GitOptions["input"]): Promise<unknown> {
  const { stdin } = child;
  if (stdin === null) return undefined;
  try {
    if (input === undefined) {
      stdin.on("error", () => undefined).end();
      return undefined;
    }
    const bytes = typeof input === "string" || input instanceof Uint8Array ? [input] : input;
    await pipeline(Readable.from(bytes), stdin);
    return undefined;
  } catch (cause) {
    return cause;
  }
}

function collect(
  child: ChildProcess,
  args: readonly string[],
  options: GitOptions,
  takeOutput = true,
): Promise<GitOutcome> {
  const { maxOutput = mostOutput, cut = false, seconds = mostSeconds } = options;
  const parts: Buffer[] = [];
  const words: Buffer[] = [];
  let [size, spoken, tooMuch, late] = [0, 0, false, false];
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It ended by itself meanwhile.
    }
  };
  if (takeOutput)
    child.stdout?.on("data", (part: Buffer) => {
      options.heard?.(part);
      if (size + part.length > maxOutput) {
        tooMuch = true;
        end();
      }
      if (size < maxOutput) parts.push(part.subarray(0, maxOutput - size));
      size += part.length;
    });
  child.stderr?.on("data", (part: Buffer) => {
    spoken += part.length;
    words.push(part);
    // The last words are the ones that say why.
    while (spoken - (words[0]?.length ?? 0) > mostWords) spoken -= words.shift()?.length ?? 0;
  });
  return new Promise((done, failed) => {
    const timer = setTimeout(() => {
      late = true;
      end();
    }, seconds * 1000);
    child.once("error", (cause) => {
      clearTimeout(timer);
      options.heard?.(null);
      failed(startFault(cause));
    });
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      options.heard?.(null);
      if (signal !== null && !late && !tooMuch && options.tag !== undefined) ended.add(options.tag);
      const stderr = Buffer.concat(words).toString("utf8");
      if (late) failed(gitFault(args, `${stderr}\n(${seconds} s)`, options));
      else if (tooMuch && !cut) failed(tooMuchFault(args, maxOutput));
      else done({ code: code ?? 1, stdout: Buffer.concat(parts), stderr, cut: tooMuch, signal });
    });
  });
}

function hintFor(stderr: string): Message {
  if (/dubious ownership/.test(stderr)) return msg("git.owner.hint");
  const path = lockIn(stderr);
  return path === undefined ? msg("git.failed.hint") : msg("git.locked.hint", { path });
}

function startFault(cause: unknown): Fault {
  const hint = msg("git.install.hint", { wanted: oldestGit.join(".") });
  if (codeOf(cause) === "ENOENT") return new Fault("refused", msg("git.missing"), { hint, cause });
  return new Fault("internal", msg("git.failed", { command: "", detail: String(cause) }), {
    cause,
  });
}

function tooMuchFault(args: readonly string[], max: number): Fault {
  return new Fault("refused", msg("git.too_much", { command: args[0] ?? "", max }), {
    hint: msg("git.too_much.hint"),
  });
}
