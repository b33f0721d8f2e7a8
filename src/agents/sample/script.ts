// A script → a flat list of instructions, so that one number says where the agent is.
//
// `phase`, `done`, `verdict` and `wait` become a small ring, left by the next prompt:
//
//   claim ─▶ await work ──prompt──▶ what follows
//     ▲          │ feedback
//     └── the `on feedback` block ◀┘        (a reminder goes straight back to the claim)
import { type Message, msg } from "../../core/messages.ts";
import { dependencyTypes } from "../../core/vocabulary.ts";
import { type Op, POUR, counters, questionCategories, recoveries, verdicts } from "./language.ts";
import { Arguments } from "./_arguments.ts";
import { type Complain, type Statement, readTree } from "./_tree.ts";

export type Script =
  | { readonly ok: true; readonly ops: readonly Op[] }
  | { readonly ok: false; readonly complaints: readonly Message[] };

/** `look`: what the verifier plays that looks for the how manieth time; without it, who is judged. */
export function readScript(text: string, look: number | null = null): Script {
  const complaints: Message[] = [];
  // The first few say enough: one forgotten `end` shifts all that follows.
  const complain: Complain = (complaint) => {
    if (complaints.length < MOST) complaints.push(complaint());
  };
  const compiled = (statements: readonly Statement[]): readonly Op[] => {
    const ops: Op[] = [];
    compile({ ops, loops: 0, complain }, statements);
    return ops;
  };
  const tree = readTree(text, complain);
  const main = compiled(tree.filter(({ word }) => word !== "verifier"));
  // All of them, so that each one's mistakes are told.
  const looks = tree
    .filter(({ word }) => word === "verifier")
    .map((statement) => {
      new Arguments(statement, 0, complain).over();
      return compiled(statement.body);
    });
  if (complaints.length > 0) return { ok: false, complaints };
  if (look === null) return { ok: true, ops: main };
  return { ok: true, ops: looks[look - 1] ?? looks.at(-1) ?? passing };
}

// --- internal ---

const MOST = 20;

/** A verifier that is not told otherwise is content. */
const passing: readonly Op[] = [{ do: "verdict", verdict: "pass", details: "" }, { do: "hang" }];

interface Output {
  readonly ops: Op[];
  readonly loops: number;
  readonly complain: Complain;
}

function compile(out: Output, statements: readonly Statement[]): void {
  for (const statement of statements) {
    const { word } = statement;
    if (word === "repeat") addLoop(out, statement);
    else if (rings.has(word)) addRing(out, statement);
    else {
      const found = readers[word]?.(
        new Arguments(statement, out.loops, out.complain),
        out.ops.length,
      );
      if (found) out.ops.push(...found);
    }
  }
}

const rings: ReadonlySet<Statement["word"]> = new Set(["phase", "done", "verdict", "wait"]);

function addLoop(out: Output, statement: Statement): void {
  const { ops, loops, complain } = out;
  const { line, body } = statement;
  if (loops === counters.length)
    return complain(() => msg("sample.too_many_loops", { line, most: counters.length }));
  const input = new Arguments(statement, out.loops, out.complain);
  const count = input.count();
  input.over();
  const start = ops.length;
  ops.push({ do: "hang" }); // Until the end is known.
  compile({ ops, loops: loops + 1, complain }, body);
  ops.push({ do: "again", loop: start });
  ops[start] = { do: "loop", count, each: 1, after: ops.length };
}

function addRing(out: Output, statement: Statement): void {
  const { ops } = out;
  const { word, feedback } = statement;
  const claim = ops.length;
  const input = new Arguments(statement, out.loops, out.complain);
  if (word === "phase") ops.push({ do: "phase", number: input.count(), files: input.words() });
  else if (word === "done") ops.push({ do: "done", summary: input.text("") });
  else if (word === "verdict")
    ops.push({ do: "verdict", verdict: input.oneOf(verdicts), details: input.text("") });
  input.over();
  const wait = ops.length;
  ops.push({ do: "hang" }); // Until the end is known.
  // A bare `wait` is over with any message.
  if (word !== "wait" || feedback) {
    ops.push({ do: "heard" });
    compile(out, feedback ?? []);
    ops.push({ do: "goto", to: claim });
  }
  ops[wait] = { do: "await work", next: ops.length, claim };
}

/** The words without a body: their arguments → instructions. */
const readers: Readonly<
  Partial<Record<Statement["word"], (input: Arguments, at: number) => readonly Op[]>>
> = {
  say: (input) => [{ do: "say", text: input.text("") }],
  write: (input) => [{ do: "write", path: input.word(), text: input.text("") }],
  sleep: (input) => [{ do: "sleep", milliseconds: input.last() }],
  ask: (input) => {
    const category = input.oneOf(questionCategories);
    const [question = "", ...options] = input.cells();
    if (question === "" || (category === "choice" && options.length === 0)) input.refuse();
    return [{ do: "ask", category, question, options }, { do: "await answer" }];
  },
  need: (input) => {
    const type = input.oneOf(dependencyTypes);
    const name = input.word();
    const ask: Op = { do: "need", type, name, description: input.text("") };
    return [ask, { do: "await variable", name }];
  },
  limit: (input) => [{ do: "limit", seconds: input.last() }, { do: "rest" }],
  error: (input) => [{ do: "error", recovery: input.oneOf(recoveries), message: input.text() }],
  fatal: (input) => [
    { do: "fatal", message: input.text() },
    { do: "exit", code: 1 },
  ],
  usage: (input) => {
    const tokens = input.count();
    const cost = input.text("");
    if (!/^(\d{1,6}(\.\d{1,9})?)?$/.test(cost)) input.refuse();
    return [{ do: "usage", tokens, cost: cost === "" ? null : Number(cost) }];
  },
  tool: (input) => [{ do: "tool", seconds: input.count(), path: input.text("tool.ticks") }],
  flood: (input, at) => [
    { do: "loop", count: input.last(), each: POUR.perMegabyte, after: at + 3 },
    { do: "pour" },
    { do: "again", loop: at },
  ],
  exit: (input) => [{ do: "exit", code: input.last() }],
  hang: (input) => {
    input.over();
    return [{ do: "hang" }];
  },
};
