// Agents of a request as a script: what each of them leaves behind, and what commands print.
import { parseYaml, printYaml } from "../../src/formats/yaml.ts";
import type { AgentOrder, Order, OrderOutcome } from "../../src/workflows/orders.ts";
import { answered } from "./answered.mjs";
import { tests } from "./in-session.ts";

/** What the scripted project is made of; each part may be another by its key. */
export interface Script {
  readonly tasks?: readonly { id: string; name: string; subtasks: readonly string[] }[];
  readonly assumptions?: readonly string[];
  /** By the order's key without its request: `T1-S1.test-1`. Undefined: as usual. */
  readonly outcome?: (key: string, order: Order) => OrderOutcome | undefined;
  readonly files?: Readonly<Record<string, string>>;
  readonly design?: Readonly<Record<string, unknown>>;
  readonly changed?: readonly string[];
}

export const source = "src/item.ts";
export const testFile = "test/item.test.ts";
export const passing = "\n Test Files  1 passed (1)\n      Tests  2 passed (2)\n";
export const failing =
  "\n FAIL  test/item.test.ts > reads_an_item\nAssertionError: expected 1 to be 2\n\n      Tests  1 failed | 1 passed (2)\n";

export function done(
  order: AgentOrder,
  files: Readonly<Record<string, string>>,
  changed: readonly string[] = [],
): OrderOutcome {
  return { kind: "done", key: order.key, commit: "c".repeat(40), changed, words: "", files };
}

/** The form in the prompt, filled in: so the prompts themselves are what is tested. */
export function formIn({ prompt }: AgentOrder): Record<string, unknown> {
  const all = [...prompt.matchAll(/```(?:yaml|json)\n([^]*?)\n```/g)];
  const read = parseYaml(all.at(-1)?.[1] ?? "");
  if (!read.ok) throw new Error(prompt);
  return answered(read.value as Record<string, unknown>);
}

export function usual(order: Order, script: Script = {}): OrderOutcome {
  const key = order.key.replace(/^R\d+\./, "");
  const own = script.outcome?.(key, order);
  if (own !== undefined) return own;
  if (order.kind === "land") return { kind: "landed", key: order.key, commit: "abc1234" };
  if (order.kind === "ask") return { kind: "answered", key: order.key, answer: "retry" };
  if (order.kind === "command") return ran(order.key, key, script);
  return done(order, agentFiles(order, script), order.merges ? [source, testFile] : []);
}

function ran(key: string, name: string, script: Script): OrderOutcome {
  const output = /\.base-/.test(name)
    ? `${"b".repeat(40)}\n`
    : /\.diff-/.test(name)
      ? `${(script.changed ?? [source, testFile]).join("\n")}\n`
      : /\.run-/.test(name)
        ? passing
        : "";
  return { kind: "ran", key, code: 0, output };
}

export function agentFiles(order: AgentOrder, script: Script = {}): Record<string, string> {
  const [draft = ""] = order.wanted;
  if (order.role === "implementer")
    return {
      [source]: "export const item = 1;\n",
      [testFile]: 'import { item } from "../src/item.ts";\n',
      ...script.files,
    };
  const form = formIn(order);
  if (order.role === "verifier") return { [draft]: JSON.stringify(form) };
  return { [draft]: printYaml({ ...form, ...filled(order, form, script) }) };
}

function filled(order: AgentOrder, form: Record<string, unknown>, script: Script): object {
  const { tasks = [{ id: "T1", name: "read an item", subtasks: ["T1-S1"] }] } = script;
  switch (form["created_by"]) {
    case "code-explore":
      return {
        explored_files: [{ path: source, summary: "items" }],
        directory_structure: { src: "code", test: "tests" },
      };
    case "planner":
      return {
        objective: "items can be read",
        tasks: tasks.map(({ id, name, subtasks }) => ({
          id,
          name,
          objective: `${name}, whole`,
          subtasks: subtasks.map((sub) => ({
            id: sub,
            name: `do ${sub}`,
            description: `how ${sub}`,
          })),
        })),
        task_order: tasks.map(({ id }) => id),
        assumptions: script.assumptions ?? ["the code is in src/"],
      };
    case "architect":
      return {
        invariants: [{ id: "INV-1", rule: "an item is never changed" }],
        interfaces: [
          { name: "read", input: { type: "id" }, output: { type: "Item" }, contract: "by id" },
        ],
        boundaries: [{ from: "item", to: "database", allowed: false }],
        layer_assignments: [{ component: "item", layer: "domain" }],
        file_refs: [{ entity: "item", path: source, status: "to_modify" }],
        ...script.design,
      };
    default:
      return order.wanted[0]?.includes("test-contract")
        ? {
            ...tests,
            test_file_path: testFile,
          }
        : { execution: { ...(form["execution"] as object), command: "npx vitest run" } };
  }
}
