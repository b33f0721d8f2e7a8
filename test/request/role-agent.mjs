// An agent for tests of a request: who it is, it reads in its prompt. It fills in the form that stands
// there, so that the prompts themselves are what is tested; `more` of its course goes in as well.
import { parse } from "yaml";
import { converse } from "../orchestrate/conversation.mjs";

const source = "src/item.mjs";
const testFile = "test/item.test.mjs";

const parts = {
  explored: () => ({
    explored_files: [{ path: source, summary: "items" }],
    directory_structure: { src: "code" },
  }),
  "task-breakdown": () => ({
    objective: "an item is read",
    tasks: [
      {
        id: "T1",
        name: "read an item",
        objective: "an item is read, whole",
        subtasks: [{ id: "T1-S1", name: "read it", description: "item is 1" }],
      },
    ],
    task_order: ["T1"],
    assumptions: [`the code is in ${source}`],
  }),
  "design-contract": () => ({
    invariants: [{ id: "INV-1", rule: "an item is never changed" }],
    interfaces: [
      { name: "item", input: { type: "none" }, output: { type: "number" }, contract: "is 1" },
    ],
    boundaries: [{ from: "item", to: "database", allowed: false }],
    layer_assignments: [{ component: "item", layer: "domain" }],
    file_refs: [{ entity: "item", path: source, status: "to_modify" }],
  }),
  "test-contract": () => ({
    test_cases: [
      {
        id: "TC-1",
        name: "reads an item",
        target: "item",
        given: "a module",
        when: "it is imported",
        // oxlint-disable-next-line unicorn/no-thenable -- the format's own word
        then: "item is 1",
        category: "happy_path",
      },
    ],
    coverage_targets: ["item"],
    test_file_path: testFile,
  }),
  "test-result": () => ({}),
  verdict: () => ({}),
};

const tests = `import { strictEqual } from "node:assert";
import { test } from "node:test";
import { item } from "../${source}";
test("reads an item", () => strictEqual(item, 1));
`;

converse(
  (prompt) => draftIn(prompt)?.format ?? (prompt.includes("(implementer)") ? "code" : undefined),
  (unit, prompt, own) => {
    if (unit === "code") return { write: { [source]: "export const item = 1;\n" } };
    const { path, form } = draftIn(prompt);
    const text = JSON.stringify({ ...form, ...parts[unit](), ...own?.more });
    return { write: { [path]: text, ...also(unit, prompt) } };
  },
);

/** What goes with a contract: the tests themselves, the patterns that an explorer has seen. */
function also(unit, prompt) {
  if (unit === "test-contract") return { [testFile]: tests };
  const patterns = /`([^`]+\.patterns\.yaml)`/.exec(prompt)?.[1];
  return unit === "explored" && patterns ? { [patterns]: "naming: camelCase\n" } : {};
}

/** The last of its kind: contracts that it was given stand before it. */
function draftIn(prompt) {
  const form =
    /`(\.holdfast\/drafts\/[^`]*?([\w-]+)\.(?:yaml|json))`[^`]*```(?:yaml|json)\n([^]*?)\n```/;
  const [, path, format, text] = form.exec(prompt) ?? [];
  return path === undefined ? undefined : { path, format, form: parse(text) };
}
