import { describe, expect, test } from "vitest";
import { type Unit, drawn } from "./_units-parts.ts";
import { operation } from "./machines.ts";
import { taskMachine } from "../../core/machines/task.ts";
import { agentMachine } from "../../core/machines/agent.ts";
import type { Context } from "../operation.ts";

const unit = (id: string, state: Unit["state"], dependencies: readonly string[] = []): Unit => ({
  id,
  state,
  dependencies,
  title: id,
  status: state,
  phase: null,
  attempts: null,
  owner: null,
  files: [],
  check: null,
});

const picture = (...units: Unit[]) =>
  drawn({ workflow: "orchestrate", title: "", updatedAt: null, units });

describe("units as a graph", () => {
  test("S2.2 what waits for a failure is blocked, however long the chain", () => {
    const { nodes } = picture(
      unit("a", "failed"),
      unit("b", "pending", ["a"]),
      unit("c", "pending", ["b"]),
      unit("d", "pending"),
    );
    expect(nodes.map(({ state }) => state)).toEqual(["failed", "blocked", "blocked", "pending"]);
  });

  test("S0.5 an escalated checkpoint holds back like a failure, and stays what it is", () => {
    const { nodes } = picture(unit("cp-1", "escalated"), unit("cp-2", "pending", ["cp-1"]));
    expect(nodes.map(({ state }) => state)).toEqual(["escalated", "blocked"]);
  });

  test("the longest chain of what is left sets the pace; one unit alone is none", () => {
    const { critical, nodes } = picture(
      unit("a", "completed"),
      unit("b", "in_progress", ["a"]),
      unit("c", "pending", ["b"]),
      unit("d", "ready", ["a"]),
    );
    expect(critical).toEqual(["b", "c"]);
    expect(nodes.filter((node) => node.critical).map(({ id }) => id)).toEqual(["b", "c"]);
    expect(picture(unit("a", "ready")).critical).toEqual([]);
  });

  test("S2.4 a plan that goes in a circle, or names what is not there, is still drawn", () => {
    const { nodes, edges, critical } = picture(
      unit("a", "pending", ["b", "gone", "a"]),
      unit("b", "pending", ["a", "a"]),
    );
    expect(nodes).toHaveLength(2);
    expect(edges).toEqual([
      { from: "b", to: "a" },
      { from: "a", to: "b" },
    ]);
    expect(critical).toEqual([]);
  });

  test("S5.4 a plan without end is cut, and it is said how much is left out", () => {
    const many = Array.from({ length: 5_003 }, (_, at) => unit(`T1.${at}`, "pending"));
    const { nodes, left } = picture(...many);
    expect([nodes.length, left]).toEqual([5_000, 3]);
  });
});

describe("machines as data", () => {
  test("S6.2 every row of the tables is there once for each state it begins in, guarded rows with what they refuse", async () => {
    const { machines } = await operation.run({} as Context, {});
    for (const [table, shown] of [
      [taskMachine, machines[0]],
      [agentMachine, machines[1]],
    ] as const) {
      const rows = table.rows.flatMap((row) => [row.from].flat().map(() => row));
      expect(shown?.rows.map(({ on }) => on)).toEqual(rows.map(({ on }) => on));
      rows.forEach((row, index) => {
        const told = shown?.rows[index];
        // A guard that never refuses in any world would be a guard that says nothing.
        expect([row.on, (told?.refusals.length ?? 0) > 0]).toEqual([
          row.on,
          row.when !== undefined,
        ]);
        expect([row.on, (told?.needs.length ?? 0) > 0]).toEqual([row.on, row.needs !== undefined]);
      });
    }
  });
});
