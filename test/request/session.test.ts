// request in session, on a real disk (S4.1 to S4.8).
import { describe, expect, test } from "vitest";
import { fill, inSession, world, type World } from "./world.ts";

const limit = { timeout: 120_000 };

const tests = {
  test_cases: [
    {
      id: "TC-1",
      name: "reads_an_item",
      target: "read",
      given: "",
      when: "",
      // oxlint-disable-next-line unicorn/no-thenable -- the format's own word
      then: "",
      category: "happy_path",
    },
  ],
  coverage_targets: ["read"],
  test_file_path: "test/item.test.sh",
};
const command = "sh test/item.test.sh";
const passing = "echo 1..1; test -f src/item.ts && echo 'ok 1 - reads_an_item'\n";

const design = {
  invariants: [{ id: "INV-1", rule: "an item is never changed" }],
  interfaces: [],
  boundaries: [{ from: "item", to: "database", allowed: false }],
  layer_assignments: [],
  file_refs: [
    { entity: "item", path: "src/item.ts", status: "to_modify" },
    { entity: "database", path: "src/database.ts", status: "to_create" },
  ],
};

/** One step in session: what is filled in, and what is made beside it. */
async function step(made: World, unit: string, more?: object, work?: () => void): Promise<string> {
  const next = await made.next();
  expect(next.line).toMatch(new RegExp(`^READY:(?:.*,)?${unit}(?:,|$)`));
  expect((await made.report(`START:${unit}`)).line).toBe(`OK:${made.root}`);
  const own = await made.next();
  if (more !== undefined) fill(own, made, more);
  work?.();
  return (await made.report(`DONE:${unit}`)).line;
}

async function discovered(made: World): Promise<void> {
  await made.request("read items", { inSession: true });
  await step(made, "explore", {
    explored_files: [{ path: "src/item.ts", summary: "items" }],
    directory_structure: { src: "code" },
  });
  await step(made, "plan", {
    tasks: [
      {
        id: "T1",
        name: "items",
        objective: "read",
        subtasks: [{ id: "T1-S1", name: "read", description: "how" }],
      },
    ],
    task_order: ["T1"],
    assumptions: ["code is in src/"],
  });
}

describe("in session", () => {
  test(
    "S4.4 a request goes from its first to its last gate, and the tree is that of S4.1",
    limit,
    async () => {
      const made = world();
      expect((await made.next()).line).toBe("ERROR:NOT_STARTED");
      await discovered(made);
      expect(await step(made, "T1", design)).toBe("OK");
      expect(await step(made, "T1-S1", tests, () => made.write("test/item.test.sh", passing))).toBe(
        "OK",
      );
      expect(made.state().tasks["T1"]?.subtasks["T1-S1"]).toMatchObject({
        phase: "implementation",
      });
      expect(
        await step(made, "T1-S1", undefined, () => {
          made.write("src/database.ts", "export const rows = [];\n");
          made.write("src/item.ts", "export const item = 2;\n");
        }),
      ).toBe("OK");
      expect(made.state().tasks["T1"]?.subtasks["T1-S1"]?.gates).toMatchObject({
        "GATE-3": "passed",
      });
      expect(await step(made, "T1-S1", {})).toBe("OK");
      const judged = { execution: { command, timestamp: "2026-01-01T00:00:00Z", result: "pass" } };
      expect(await step(made, "T1-S1", judged)).toBe("ALL_DONE");
      expect((await made.next()).line).toBe("ALL_DONE");
      const at = (path: string) => inSession(made.root, path).replace(/^\.claude\//, "");
      const tree = made.tree().filter((path) => !path.endsWith(".bak"));
      expect(tree).toEqual(
        [
          at("knowledge").replace(/sessions\/(\w+)\/knowledge/, "knowledge/$1/knowledge.yaml"),
          at("contracts/R1/T1/T1-S1/test-contract.yaml"),
          at("contracts/R1/T1/T1-S1/test-result.yaml"),
          at("contracts/R1/T1/design-brief.yaml"),
          at("contracts/R1/T1/design-contract.yaml"),
          at("contracts/R1/explored.yaml"),
          at("contracts/R1/task-breakdown.yaml"),
          at("session.json"),
          at("state.json"),
        ].toSorted(),
      );
    },
  );
});
