// The script language's words, and the instructions a script becomes. docs/sample-agent.md explains
// them with examples.
import type { AgentError, UserQuestion } from "../../core/protocol.ts";
import type { DependencyType } from "../../core/vocabulary.ts";

/** How each word is used: shown when it is used otherwise. */
export const usages = {
  say: "say <text>",
  write: "write <path> <text>",
  sleep: "sleep <milliseconds>",
  phase: "phase <number> <file> …",
  done: "done <summary>",
  verdict: "verdict <pass|fail> <text>",
  ask: "ask <category> <question> | <option> | …",
  need: "need <type> <name> <why>",
  limit: "limit <seconds>",
  error: "error <recovery> <message>",
  fatal: "fatal <message>",
  usage: "usage <tokens> <cost>",
  tool: "tool <seconds> <file>",
  flood: "flood <megabytes>",
  exit: "exit <code>",
  hang: "hang",
  wait: "wait",
  repeat: "repeat <times>",
  on: "on feedback",
  verifier: "verifier",
  end: "end",
} as const;

export type Word = keyof typeof usages;

export const questionCategories = [
  "business",
  "clarification",
  "choice",
  "confirmation",
] as const satisfies readonly UserQuestion["category"][];

export const recoveries = [
  "pause_and_retry",
  "checkpoint_and_fail",
  "notify_user",
] as const satisfies readonly AgentError["recovery"][];

export const verdicts = ["pass", "fail"] as const;

/** The counters of the loops around it, from the outermost in. */
export const counters = ["i", "j", "k"] as const;
/** A number of the script, or the place of the loop whose counter it is. */
export type Count = number | { readonly loop: number };

export type Op =
  | { readonly do: "say"; readonly text: string }
  | { readonly do: "write"; readonly path: string; readonly text: string }
  | { readonly do: "sleep"; readonly milliseconds: Count }
  | { readonly do: "phase"; readonly number: Count; readonly files: readonly string[] }
  | { readonly do: "done"; readonly summary: string }
  | {
      readonly do: "verdict";
      readonly verdict: (typeof verdicts)[number];
      readonly details: string;
    }
  | {
      readonly do: "ask";
      readonly category: UserQuestion["category"];
      readonly question: string;
      readonly options: readonly string[];
    }
  | {
      readonly do: "need";
      readonly type: DependencyType;
      readonly name: string;
      readonly description: string;
    }
  | { readonly do: "limit"; readonly seconds: Count }
  | {
      readonly do: "error";
      readonly recovery: AgentError["recovery"];
      readonly message: string;
    }
  | { readonly do: "fatal"; readonly message: string }
  | { readonly do: "usage"; readonly tokens: Count; readonly cost: number | null }
  | { readonly do: "tool"; readonly seconds: Count; readonly path: string }
  /** 64 KiB of a flood, numbered by the loop around it. */
  | { readonly do: "pour" }
  /** Says that feedback was received. */
  | { readonly do: "heard" }
  | { readonly do: "exit"; readonly code: Count }
  | { readonly do: "hang" }
  /** Until a limit has passed. */
  | { readonly do: "rest" }
  | { readonly do: "await answer" }
  | { readonly do: "await variable"; readonly name: string }
  /** A prompt goes on at `next`, a reminder at `claim`, feedback right behind. */
  | { readonly do: "await work"; readonly next: number; readonly claim: number }
  /** Enters a loop, or goes behind it; `each` multiplies the count. */
  | { readonly do: "loop"; readonly count: Count; readonly each: number; readonly after: number }
  /** The end of a loop's body. */
  | { readonly do: "again"; readonly loop: number }
  | { readonly do: "goto"; readonly to: number };

/** How much of a flood is one instruction: 16 of them are a megabyte. */
export const POUR = { lines: 64, width: 1024, perMegabyte: 16 } as const;

/**
 * `\n`, `\t`, `\s` (a space), `\\`, `\{`, `\|` and the blanks `{i}`, `{answer}`, …: all in one
 * pass, so that a value never takes part in it. A blank nobody knows stays as it is.
 */
export function fill(text: string, value: (name: string) => string | undefined): string {
  return text.replace(/\\([nts\\{|])|\{(\w+)\}/g, (whole, sign?: string, name?: string) =>
    sign === undefined ? (value(name ?? "") ?? whole) : (signs[sign] ?? sign),
  );
}

/** A text as a script has to write it, so that `fill` gives it back. */
export function escape(text: string): string {
  return text
    .replace(/[\\{|]/g, (sign) => `\\${sign}`)
    .replace(/\r\n?|\n/g, "\\n")
    .replaceAll("\t", "\\t");
}

/** The same for one word: a path. */
export function escapeWord(text: string): string {
  return escape(text).replaceAll(" ", "\\s");
}

// --- internal ---

const signs: Readonly<Record<string, string>> = { n: "\n", t: "\t", s: " " };
