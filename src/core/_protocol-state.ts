// The grammar as a small machine over lines. It holds at most one open thing and one fence.
//
//            opener                    own closer, or a line that does not belong
//   text ───────────────▶ open thing ─────────────────────────────────────────────▶ text
//                             │  opener · limit · end of stream: malformed, and the line that
//                             └─ ended it is looked at again as text
//
// All of it is plain data, so that parsing goes on at exactly the byte where it was saved.
import { msg } from "./messages.ts";
import { checkBlock, fieldsOf, isListField } from "./_protocol-checks.ts";
import {
  type Completion,
  type PhaseLines,
  type TaskLines,
  addToCompletion,
  checkCompletion,
  tooLarge,
} from "./_protocol-completion.ts";
import { type Entries, addLine, fromEntries, fromJson, fromOneLine } from "./_protocol-fields.ts";
import type { Line } from "./_protocol-lines.ts";
import {
  IGNORED,
  type Opener,
  readCloser,
  readFence,
  readOpener,
  trim,
  trimEnd,
} from "./_protocol-markers.ts";
import {
  type AskOpener,
  type BlockBody,
  type Grammar,
  type JsonBody,
  type Open,
  type Outcome,
  type VerificationBody,
  closerOf,
  cut,
  fail,
  finish,
  head,
  include,
  trackFence,
  unclosed,
} from "./_protocol-open.ts";
import { addVerification } from "./_protocol-verification.ts";

export function takeLine(grammar: Grammar, line: Line): void {
  const { open } = grammar.state;
  let opener: AskOpener = () => openerOf(grammar, line);
  if (open) {
    opener = once(opener);
    if (addToOpen(grammar, open, line, opener) === "taken") return;
  }
  if (trackFence(grammar, line)) return;
  const found = opener();
  if (found) begin(grammar, found, line);
}

/** Ends what is open: a completion is complete, anything else was never closed. */
export function endOpen(grammar: Grammar): void {
  const { open } = grammar.state;
  if (!open) return;
  const { body } = open;
  if (body.kind === "phase" || body.kind === "task")
    finish(grammar, open, checkCompletion(body, grammar.limits));
  else fail(grammar, open, unclosed(open));
}

// --- internal ---

/** A line may be asked twice, but an ignored marker is counted once. */
function once<T>(compute: () => T): () => T {
  let value: { readonly it: T } | undefined;
  return () => (value ??= { it: compute() }).it;
}

function isLong(grammar: Grammar, line: Line): boolean {
  return line.end - line.start > grammar.limits.block;
}

function openerOf(grammar: Grammar, line: Line): Opener | null {
  const found = readOpener(line.text, grammar.token);
  if (found === null) return null;
  // Only the head of such a line is known, and nothing that is alone on its line is so long.
  if (isLong(grammar, line))
    return found !== IGNORED && (found.kind === "json" || found.kind === "line") ? found : null;
  if (found !== IGNORED) return found;
  grammar.state.ignored++;
  return null;
}

function begin(grammar: Grammar, opener: Opener, line: Line): void {
  const { state, limits } = grammar;
  state.fence = null;
  const { marker, body } = opened(opener);
  const { start, end } = line;
  const open: Open = { marker, start, end, excerpt: head(trimEnd(line.text)), body };
  if (isLong(grammar, line)) return fail(grammar, open, tooLarge(marker, limits));
  state.open = open;
  if (opener.kind === "line")
    finish(
      grammar,
      open,
      checkBlock("ERROR", fromOneLine(opener.rest, fieldsOf.ERROR), limits, true),
    );
  else if (body.kind === "json" && opener.kind === "json" && opener.rest !== "")
    addJson(grammar, open, body, opener.rest);
}

function opened(opener: Opener): Pick<Open, "marker" | "body"> {
  switch (opener.kind) {
    case "line":
      return { marker: "ERROR", body: { kind: "json", name: "ERROR", lines: [] } };
    case "json":
      return { marker: opener.name, body: { kind: "json", name: opener.name, lines: [] } };
    case "block": {
      const entries: Entries = { margin: -1, list: [] };
      return { marker: opener.name, body: { kind: "block", name: opener.name, entries } };
    }
    case "phase": {
      const { phase } = opener;
      const body: PhaseLines = { kind: "phase", phase, completed: null, files: [], listing: false };
      return { marker: "PHASE COMPLETE", body };
    }
    case "task": {
      const body: TaskLines = { kind: "task", task: null, summary: null, current: null };
      return { marker: "CUSTOM TASK COMPLETE", body };
    }
    case "verification": {
      const body: VerificationBody = { kind: "verification", lines: [], depth: 0, fenced: false };
      return { marker: "VERIFICATION_RESULT", body };
    }
  }
  return opener satisfies never;
}

function addToOpen(grammar: Grammar, open: Open, line: Line, opener: AskOpener): Outcome {
  const { body } = open;
  if (body.kind === "phase" || body.kind === "task")
    return addCompletion(grammar, open, body, line);
  if (line.end - open.start > grammar.limits.block) {
    fail(grammar, open, tooLarge(open.marker, grammar.limits));
    return "again";
  }
  if (body.kind === "verification") return addVerification(grammar, open, body, line, opener);
  return addToBlock(grammar, open, body, line, opener);
}

function addCompletion(grammar: Grammar, open: Open, body: Completion, line: Line): Outcome {
  const { limits } = grammar;
  const belongs = addToCompletion(body, line.text);
  if (belongs !== "no" && line.end - open.start > limits.block) {
    fail(grammar, open, tooLarge(open.marker, limits));
    return "again";
  }
  if (belongs !== "no") include(open, line);
  if (belongs !== "yes") finish(grammar, open, checkCompletion(body, limits));
  return belongs === "no" ? "again" : "taken";
}

function addToBlock(
  grammar: Grammar,
  open: Open,
  body: BlockBody | JsonBody,
  line: Line,
  opener: AskOpener,
): Outcome {
  const closer = readCloser(line.text);
  // Its own closing tag counts even in a fence: a value that quotes a cut log often opens one
  // and never closes it, and the block would be lost.
  if (body.kind === "block" && closer === body.name) {
    include(open, line);
    finish(grammar, open, checkBlock(body.name, fromEntries(body.entries.list), grammar.limits));
    grammar.state.fence = null;
    return "taken";
  }
  if (body.kind === "json" && trimEnd(line.text).endsWith(closerOf(open))) {
    include(open, line);
    addJson(grammar, open, body, line.text);
    grammar.state.fence = null;
    return "taken";
  }
  const fenced = trackFence(grammar, line);
  if (!fenced && closer !== null) {
    include(open, line);
    const params = { marker: open.marker, found: `[/${closer}]`, closer: closerOf(open) };
    fail(grammar, open, msg("protocol.wrong_closer", params));
    return "taken";
  }
  if (!fenced && opener()) {
    fail(grammar, open, unclosed(open));
    return "again";
  }
  if (body.kind === "json") addJson(grammar, open, body, line.text);
  else if (!addLine(body.entries, line.text, isListField)) {
    fail(grammar, open, msg("protocol.stray_line", { line: cut(trim(line.text), 80) }));
    return fenced ? "taken" : "again";
  }
  include(open, line);
  return "taken";
}

function addJson(grammar: Grammar, open: Open, body: JsonBody, text: string): void {
  const line = trimEnd(text);
  const closer = closerOf(open);
  if (!line.endsWith(closer)) {
    // A fence around the JSON is harmless, and no line of JSON looks like one.
    if (readFence(line) === null) body.lines.push(line);
    return;
  }
  body.lines.push(line.slice(0, -closer.length));
  const raw = fromJson(body.lines.join("\n"));
  if (raw) finish(grammar, open, checkBlock(body.name, raw, grammar.limits));
  else fail(grammar, open, msg("protocol.bad_json", { marker: `[${body.name}_JSON]` }));
}
