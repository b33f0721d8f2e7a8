import { describe, expect, test } from "vitest";
import { fixtureOf } from "../../../test/fixtures/documents.ts";
import { render } from "../../core/messages.ts";
import { type Codec, loadCodec } from "../../formats/codec.ts";
import { type MemoryFormat, initialMemory, isMemory } from "./initial.ts";
import { repairMemory } from "./repair.ts";

const now = "2026-01-31T09:00:00.000Z";
const memory = ["task-state", "task-history", "shared-context", "agent-memory"] as const;
type Fields = Record<string, unknown>;

const seen = (format: MemoryFormat): Fields => JSON.parse(fixtureOf(format).text) as Fields;
const without = (format: MemoryFormat, field: string): Fields => {
  const { [field]: _, ...rest } = seen(format);
  return rest;
};
const repaired = (format: MemoryFormat, value: unknown) =>
  repairMemory(format, value, "writing-assistant", now);
const said = (made: ReturnType<typeof repaired>): string[] | undefined =>
  made?.done.map((message) => render("en", message));
const codecOf = async (format: MemoryFormat) => (await loadCodec(format)) as Codec<unknown>;

describe("an initial state (S3.1)", () => {
  test.each(memory)("%s is a valid document without a notice", async (format) => {
    const codec = await codecOf(format);
    expect(codec.check(initialMemory(format, "writer", now))).toEqual([]);
    expect(isMemory(format)).toBe(true);
  });

  test("the empty state of the sources' own example", () => {
    const empty = fixtureOf("task-state");
    expect(initialMemory("task-state", "", "2025-11-18T10:00:00Z")).toEqual({
      ...(JSON.parse(empty.text) as object),
      current_task: null,
    });
    expect(isMemory("orchestrate-state")).toBe(false);
  });
});

describe("safe repairs (S3.7)", () => {
  test.each(
    memory.flatMap((format) =>
      Object.keys(initialMemory(format, "writer", now))
        .filter((field) => format !== "task-history" || field !== "statistics")
        .map((field) => [format, field] as const),
    ),
  )("%s: %s that is missing gets its empty value, and the rest stays", async (format, field) => {
    const made = repaired(format, without(format, field));
    const initial: Fields = { ...initialMemory(format, "writing-assistant", now) };
    expect(made?.value).toEqual({ ...seen(format), [field]: initial[field] });
    expect(said(made)).toEqual([`/${field} was missing, now ${JSON.stringify(initial[field])}`]);
    expect(
      (await codecOf(format)).check(made?.value).filter(({ level }) => level === "error"),
    ).toEqual([]);
  });

  test("S3.6 statistics cover all that ever ended, so they are not made up from what is listed", () => {
    expect(repaired("task-history", without("task-history", "statistics"))).toBeUndefined();
  });

  test("no field is filled beside one we do not know: it may be the same one, misspelt", () => {
    const { pending_tasks: tasks, ...rest } = seen("task-state");
    expect(repaired("task-state", { ...rest, pending_tasjs: tasks })).toBeUndefined();
  });

  test("a task that stands twice stands once; of two ends the later one stays", async () => {
    const { current_task: task } = seen("task-state");
    const state = { ...seen("task-state"), pending_tasks: [task, { ...(task as Fields) }] };
    const made = repaired("task-state", state);
    expect(made?.value).toEqual(seen("task-state"));
    expect(said(made)).toHaveLength(2);

    const history = seen("task-history");
    const [ended] = history["tasks"] as Fields[];
    const later = { ...ended, result: "failure", completed_at: "2025-11-18T11:00:00Z" };
    const both = repaired("task-history", { ...history, tasks: [ended, later] });
    expect(both?.value).toEqual({ ...history, tasks: [later] });
    expect(said(both)).toEqual(["/tasks/0: task-2025-11-18-001 stood twice, one of them is gone"]);
    expect((await codecOf("task-history")).check(both?.value)).toEqual([]);
  });

  test("two tasks with one id get two", async () => {
    const task = seen("task-state")["current_task"] as Fields;
    const other = { ...task, name: "다른 작업" };
    const made = repaired("task-state", { ...seen("task-state"), pending_tasks: [other] });
    expect(made?.value).toEqual({
      ...seen("task-state"),
      pending_tasks: [{ ...other, id: "task-2025-11-18-002" }],
    });
    expect((await codecOf("task-state")).check(made?.value)).toEqual([]);
  });

  test.each([[null], [[]], ["text"], [42], [{ tasks: 3, pending_tasks: [1, null, {}] }]])(
    "what is no memory at all is left alone: %j",
    (value) => {
      expect(
        repaired("task-state", value)?.done.some(({ key }) => key !== "repair.field"),
      ).not.toBe(true);
      expect(() => repaired("task-history", value)).not.toThrow();
    },
  );

  test("a valid file has nothing to repair", () => {
    for (const format of memory) expect(repaired(format, seen(format))).toBeUndefined();
  });
});
