// An agent for tests of a request: who it is, it reads in its prompt. It fills in the form that stands
// there, so that the prompts themselves are what is tested; `more` of its course goes in as well.
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { converse } from "../orchestrate/conversation.mjs";
import { answered } from "./answered.mjs";

const { source, testFile, code, tests, patterns, contracts } = JSON.parse(
  readFileSync(new URL("role-answers.json", import.meta.url), "utf8"),
);

converse(
  (prompt) =>
    draftIn(prompt)?.format ??
    (prompt.includes("(implementer)") ? "code" : patternsAt(prompt) && "patterns"),
  (unit, prompt, own) => {
    if (unit === "code") return { write: { [source]: code } };
    if (unit === "patterns") return { write: { [patternsAt(prompt)]: own.text } };
    const { path, form } = draftIn(prompt);
    const text = JSON.stringify({ ...answered(form), ...contracts[unit], ...own?.more });
    return { write: { [path]: text, ...also(unit, prompt) } };
  },
);

/** What goes with a contract: the tests themselves, the patterns that an explorer has seen. */
function also(unit, prompt) {
  if (unit === "test-contract") return { [testFile]: tests };
  const place = patternsAt(prompt);
  return unit === "explored" && place ? { [place]: patterns } : {};
}

function patternsAt(prompt) {
  return /`([^`]+\.patterns\.yaml)`/.exec(prompt)?.[1];
}

/** The last of its kind: contracts that it was given stand before it. */
function draftIn(prompt) {
  const form =
    /`(\.holdfast\/drafts\/[^`]*?([\w-]+)\.(?:yaml|json))`[^`]*```(?:yaml|json)\n([^]*?)\n```/;
  const [, path, format, text] = form.exec(prompt) ?? [];
  return path === undefined ? undefined : { path, format, form: parse(text) };
}
