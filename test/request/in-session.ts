// A request worked through in session, step by step, for tests that look at what is on the disk.
import { expect } from "vitest";
import { type World, fill } from "./world.ts";

export const tests = {
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
export const command = "sh test/item.test.sh";
export const passing = "echo 1..1; test -f src/item.ts && echo 'ok 1 - reads_an_item'\n";

export const design = {
  invariants: [{ id: "INV-1", rule: "an item is never changed" }],
  interfaces: [],
  boundaries: [{ from: "item", to: "database", allowed: false }],
  layer_assignments: [],
  file_refs: [
    { entity: "item", path: "src/item.ts", status: "to_modify" },
    { entity: "database", path: "src/database.ts", status: "to_create" },
  ],
};

export const breakdown = {
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
};

/** One step in session: what is filled in, and what is made beside it. */
export async function step(
  made: World,
  unit: string,
  more?: object,
  work?: () => void,
): Promise<string> {
  const next = await made.next();
  expect(next.line).toMatch(new RegExp(`^READY:(?:.*,)?${unit}(?:,|$)`));
  expect((await made.report(`START:${unit}`)).line).toBe(`OK:${made.root}`);
  const own = await made.next();
  if (more !== undefined) fill(own, made, more);
  work?.();
  return (await made.report(`DONE:${unit}`)).line;
}

export async function discovered(made: World): Promise<void> {
  await made.request("read items", { inSession: true });
  await step(made, "explore", {
    explored_files: [{ path: "src/item.ts", summary: "items" }],
    directory_structure: { src: "code" },
  });
  await step(made, "plan", breakdown);
}
