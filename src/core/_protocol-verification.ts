// `=== VERIFICATION_RESULT ===` and the JSON after it, bare or in a code fence.
import { checkVerification } from "./_protocol-checks.ts";
import type { Line } from "./_protocol-lines.ts";
import { readFence, trim } from "./_protocol-markers.ts";
import {
  type AskOpener,
  type Grammar,
  type Open,
  type Outcome,
  type VerificationBody,
  badJson,
  fail,
  finish,
  include,
  trackFence,
  unclosed,
} from "./_protocol-open.ts";

export function addVerification(
  grammar: Grammar,
  open: Open,
  body: VerificationBody,
  line: Line,
  opener: AskOpener,
): Outcome {
  const { state } = grammar;
  const begun = body.depth > 0;
  const mark = readFence(line.text);
  if (mark && !body.fenced && !begun) {
    trackFence(grammar, line);
    body.fenced = true;
    include(open, line);
    return "taken";
  }
  const closes =
    body.fenced &&
    mark?.bare &&
    mark.char === state.fence?.char &&
    mark.length >= state.fence.length;
  if (closes) {
    state.fence = null;
    include(open, line);
    fail(grammar, open, badJson(open));
    return "taken";
  }
  const content = trim(line.text);
  const foreign = !body.fenced && (mark !== null || opener() !== null);
  if (foreign || (!begun && content !== "" && !content.startsWith("{"))) {
    fail(grammar, open, begun ? unclosed(open) : badJson(open));
    return "again";
  }
  include(open, line);
  body.lines.push(content);
  body.depth = depthAfter(content, body.depth);
  if (body.depth < 0) fail(grammar, open, badJson(open));
  else if (body.depth === 0 && content !== "")
    finish(grammar, open, checkVerification(body.lines.join("\n"), grammar.limits));
  return "taken";
}

// --- internal ---

/** Brackets open after the line; -1 when it ends inside a string, which JSON forbids. */
function depthAfter(text: string, before: number): number {
  let depth = before;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (quoted && char === "\\") at++;
    else if (char === '"') quoted = !quoted;
    else if (!quoted && (char === "{" || char === "[")) depth++;
    else if (!quoted && (char === "}" || char === "]")) depth--;
  }
  return quoted ? -1 : Math.max(0, depth);
}
