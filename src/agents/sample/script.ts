// A script → a flat list of instructions, so that one number says where the agent is.
//
// `phase`, `done` and `wait` become a small ring, left by the next prompt:
//
//   claim ─▶ await work ──prompt──▶ what follows
//     ▲          │ feedback
//     └── the `on feedback` block ◀┘        (a reminder goes straight back to the claim)
import { type Message, msg } from "../../core/messages.ts";
import { dependencyTypes } from "../../core/vocabulary.ts";
import { type Op, POUR, counters, questionCategories, recoveries } from "./language.ts";
import { Arguments } from "./_arguments.ts";
import { type Complain, type Statement, readTree } from "./_tree.ts";

export type Script =
  | { readonly ok: true; readonly ops: readonly Op[] }
  | { readonly ok: false; readonly complaints: readonly Message[] };

export function readScript(text: string): Script {
  const complaints: Message[] = [];
  // The first few say enough: one forgotten `end` shifts all that follows.
  const complain: Complain = (complaint) => {
    if (complaints.length < MOST) complaints.push(complaint());
  };
  const ops: Op[] = [];
  compile({ ops, loops: 0, complain }, readTree(text, complain));
  return complaints.length > 0 ? { ok: false, complaints } : { ok: true, ops };
}

// --- internal ---

const MOST = 20;

interface Output {
  readonly ops: Op[];
  readonly loops: number;
  readonly complain: Complain;
}

function compile(out: Output, statements: readonly Statement[]): void {
  for (const statement of statements) {
    const { word } = statement;
    if (word === "repeat") addLoop(out, statement);
    else if (word === "phase" || word === "done" || word === "wait") addRing(out, statement);
    else {
      const found = readers[word]?.(
        new Arguments(statement, out.loops, out.complain),
        out.ops.length,
      );
      if (found) out.ops.push(...found);
    }
  }
}

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
