// Trying again: how long to wait, how often, with what, and when to give up.
//
// Pure: the time and the jitter (a number from 0 to 1) come in as arguments. Jitter only ever
// lengthens a wait, so that a stated minimum stays one.
import { createHash } from "node:crypto";
import type { FailureType } from "./vocabulary.ts";

// --- limits ---

/** How many attempts each thing gets in all. */
export const attemptLimits = {
  /** RALPH on a checkpoint (S0.5). */
  checkpoint: 3,
} as const;

/** How often each thing is done again after its first time. */
export const retryLimits = {
  /** A unit of orchestrate: the default of `retry_limit` (S2.5: it fails after 10 retries). */
  unit: 10,
  /** Request (S4.5). */
  agent: 3,
  gate: 2,
  test: 3,
  phase: 2,
  /** A step of a plan (S3.2). */
  step: 3,
  /** A contract that breaks its schema goes back to its author (S4.3). */
  contract: 3,
  /** A phase whose verification failed (S1.14). */
  rework: 3,
  /** An agent that ended without a claim is reminded (S1.14). */
  reminder: 2,
} as const;

// --- waiting ---

export const backoffs = {
  /** 2 s · 2^n (S3.8). It has no stated cap; three retries never reach this one. */
  transient: { base: 2_000, cap: 600_000 },
  /** 1 s · 2^n up to 30 s: agents of a request (S4.5). */
  agent: { base: 1_000, cap: 30_000 },
  /** A rate limit whose reset is not stated (S1.18); asking every 15 minutes costs nothing. */
  rateLimit: { base: 60_000, cap: 900_000 },
} as const satisfies Record<string, { base: number; cap: number }>;
export type Backoff = keyof typeof backoffs;

/** Milliseconds before retry number `retry` (0 is the first). Jitter adds up to a quarter. */
export function backoff(kind: Backoff, retry: number, jitter = 0): number {
  const { base, cap } = backoffs[kind];
  // Beyond 2^30 the cap holds anyway, and 2^n would leave the safe numbers.
  const times = 2 ** Math.min(Math.max(0, Math.floor(retry)), 30);
  const wait = Math.min(base * times, cap);
  return Math.round(wait * (1 + 0.25 * Math.min(1, Math.max(0, jitter))));
}

export interface RateLimit {
  /** Milliseconds since 1970, both. */
  readonly now: number;
  /** As the agent stated it. */
  readonly resetAt?: number | undefined;
  /** How often in a row the limit was still there after waiting. */
  readonly repeats: number;
  readonly jitter?: number;
}

/** Milliseconds until it is worth asking again: the stated reset, else 60 s exactly, then a backoff with jitter. */
export function rateLimitWait({ now, resetAt, repeats, jitter = 0 }: RateLimit): number {
  // The first wait is a promise to whoever reads it; the agents of one account are staggered anyway.
  const fallback = backoff("rateLimit", repeats, repeats > 0 ? jitter : 0);
  if (resetAt === undefined || !Number.isFinite(resetAt)) return fallback;
  const stated = resetAt - now;
  // In the past, or further than any window known (a week): a wrong unit or a wrong clock.
  if (stated <= 0 || stated > longestWindow) return fallback;
  return Math.max(minimumWait, Math.round(stated));
}

// --- the same error again (S2.5) ---

export interface Failure {
  readonly type?: string | undefined;
  readonly message: string;
  readonly stack?: string | undefined;
}

/**
 * What stays the same when the same thing goes wrong twice: type, message and the top three
 * stack lines, without numbers, paths and quoted values. Short enough to keep and to show; the
 * hash tells apart what the visible part cuts off.
 */
export function errorSignature({ type = "Error", message, stack = "" }: Failure): string {
  const parts = [normalise(type), normalise(message), ...topLines(stack).map(normalise)];
  const hash = createHash("sha256").update(parts.join("\n"), "utf8").digest("hex").slice(0, 12);
  const shown = Array.from(`${parts[0]}: ${parts[1]}`.slice(0, 240)).slice(0, 120).join("");
  return `${shown} #${hash}`;
}

/** Did the last `times` attempts all end in the same error? */
export function sameErrorInARow(signatures: readonly string[], times = 3): boolean {
  const last = signatures.slice(-times);
  return last.length === times && last.every((signature) => signature === last[0]);
}

// --- what a retry gets ---

export const contextLevels = ["plain", "read_code", "debug", "last"] as const;
export type ContextLevel = (typeof contextLevels)[number];

/**
 * Of ten retries 1–3 are plain, 4–6 read the code first, 7–9 debug systematically and 10 is the
 * last; another limit is divided alike, so that of three the second reads and the third is the
 * last. The first attempt (retry 0) and the first retry are always plain.
 */
export function contextLevel(retry: number, limit: number = retryLimits.unit): ContextLevel {
  if (retry <= 1) return "plain";
  if (retry >= limit) return "last";
  return contextLevels[Math.floor(((retry - 1) * 3) / (limit - 1))] ?? "last";
}

// --- kinds of failure ---

/** What a step of a plan does about a failure (S3.8), and what comes after that is used up. */
export const failureAnswers = {
  transient: { action: "retry", backoff: "transient", after: "replan" },
  validation: { action: "revise", backoff: null, after: "replan" },
  dependency: { action: "recover_dependency", backoff: null, after: "replan" },
  resource: { action: "find_alternative", backoff: null, after: "replan" },
  structural: { action: "replan", backoff: null, after: "escalate" },
  critical: { action: "escalate", backoff: null, after: "escalate" },
} as const satisfies Record<
  FailureType,
  { action: string; backoff: Backoff | null; after: "replan" | "escalate" }
>;

/** What RALPH does about a failed checkpoint (S0.5). */
export const failureClasses = {
  NOT_IMPLEMENTED: { action: "retry" },
  LOGIC_ERROR: { action: "retry" },
  TYPE_ERROR: { action: "retry" },
  DESIGN_MISMATCH: { action: "escalate" },
  ENV_ISSUE: { action: "escalate" },
} as const satisfies Record<string, { action: "retry" | "escalate" }>;
export type FailureClass = keyof typeof failureClasses;

// --- internal ---

const minimumWait = 1_000;
const longestWindow = 8 * 24 * 3_600_000;

/** Output may be a whole log; what is wrong stands in its beginning. */
const longestInput = 65_536;

/**
 * One pass, each alternative unable to look past the next quote, blank or line end: linear on
 * any input. An apostrophe (don't) opens nothing.
 */
/** Made when first used: V8 takes 2 ms for the two classes of letters (docs/adr/0010). */
const pieces = (): RegExp =>
  /"[^"\n]*"|`[^`\n]*`|“[^”\n]*”|(?<![\p{L}\p{N}])'[^'\n]*'(?![\p{L}\p{N}])|[^\s"'`“”()[\]{}<>,;=]+/gu;

function normalise(text: string): string {
  return withoutColours(text.slice(0, longestInput))
    .replace(pieces(), (piece) => (/^["'`“]./u.test(piece) ? "STR" : normaliseWord(piece)))
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, " ")
    .trim();
}

function normaliseWord(word: string): string {
  if (/[/\\]/.test(word) && /[\p{L}\p{N}.~]/u.test(word)) return "/PATH";
  // Addresses, hashes and UUIDs: digits alone would leave their letters behind.
  if (/^0x[0-9a-f]+$/i.test(word)) return "N";
  if (/^[0-9a-f-]{8,}$/i.test(word) && /\d/.test(word)) return "N";
  return word.replace(/\d+/g, "N");
}

/** Terminal colours differ between a run with and one without a terminal. */
function withoutColours(text: string): string {
  // oxlint-disable-next-line no-control-regex -- that is what they are
  return text.replace(/\u001b\[[0-9;]{0,20}m/g, "");
}

/** The first three frames; the head of a stack is its message, which varies. */
function topLines(stack: string): string[] {
  const lines = stack
    .slice(0, longestInput)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const frames = lines.filter((line) => /^(?:at |File ")/.test(line));
  return (frames.length > 0 ? frames : lines).slice(0, 3);
}
