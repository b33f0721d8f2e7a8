// A script's lines → statements with their bodies. Everything that is wrong is gathered, so that a
// script can be mended at once.
import { closest } from "../../core/closest.ts";
import { type Message, msg } from "../../core/messages.ts";
import { type Word, usages } from "./language.ts";

export interface Statement {
  readonly word: Word;
  readonly line: number;
  /** What follows the word, as written. */
  readonly rest: string;
  /** Of `repeat` and `verifier`. */
  readonly body: readonly Statement[];
  /** The `on feedback` block behind it. */
  readonly feedback: readonly Statement[] | null;
}

/** Asked for only while it would be told: finding the closest of many words takes its time. */
export type Complain = (complaint: () => Message) => void;

export function readTree(text: string, complain: Complain): readonly Statement[] {
  const top: Growing[] = [];
  const open: { readonly owner: Growing; readonly list: Growing[] }[] = [];
  const lines = text.split("\n");
  for (const [index, raw] of lines.entries()) {
    const content = raw.trim();
    if (content === "" || content.startsWith("#")) continue;
    const line = index + 1;
    const [name = ""] = /^\S+/.exec(content) ?? [];
    const rest = content.slice(name.length).trimStart();
    const list = open.at(-1)?.list ?? top;
    if (!isWord(name)) complain(() => unknownWord(line, name));
    else if (name === "end") {
      if (!open.pop()) complain(() => msg("sample.end_stray", { line }));
    } else if (name === "on") {
      const owner = list.at(-1);
      const attached = takesFeedback(owner) && rest === "feedback" ? owner : null;
      if (!attached) complain(() => msg("sample.on_place", { line }));
      const handler: Growing[] = [];
      if (attached) attached.feedback = handler;
      // Opened in any case: its `end` must not close something else.
      open.push({ owner: { word: name, line, rest, body: [], feedback: null }, list: handler });
    } else {
      const statement: Growing = { word: name, line, rest, body: [], feedback: null };
      if (name === "verifier" && open.length > 0)
        complain(() => msg("sample.verifier_place", { line }));
      list.push(statement);
      if (name === "repeat" || name === "verifier")
        open.push({ owner: statement, list: statement.body });
    }
    if (open.length > DEEPEST) {
      complain(() => msg("sample.too_deep", { line, most: DEEPEST }));
      return [];
    }
  }
  for (const { owner } of open)
    complain(() => msg("sample.end_missing", { line: owner.line, word: owner.word }));
  return top;
}

// --- internal ---

/** Of any block in any other. What follows walks the tree by recursion. */
const DEEPEST = 8;

interface Growing extends Statement {
  readonly body: Growing[];
  feedback: Growing[] | null;
}

function isWord(name: string): name is Word {
  return Object.hasOwn(usages, name);
}

function takesFeedback(statement: Growing | undefined): statement is Growing {
  return (
    statement !== undefined &&
    statement.feedback === null &&
    ["phase", "done", "verdict", "wait"].includes(statement.word)
  );
}

function unknownWord(line: number, word: string): Message {
  const known = Object.keys(usages);
  const near = closest(word, known);
  const shown = word.slice(0, 80);
  return near === undefined
    ? msg("sample.unknown_word", { line, word: shown, known: known.join(", ") })
    : msg("sample.misspelt_word", { line, word: shown, near });
}
