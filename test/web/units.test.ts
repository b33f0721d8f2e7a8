// The units of a run as the page lists them: all of its plan, in order, and why each waits (S6.2).
import { describe, expect, test } from "vitest";
import { conductors } from "../../src/app/conduct/conductors.ts";
import { type Graph, type Unit, linesOf } from "../../web/screens/task/units.ts";

const node = (id: string, state: Unit["state"], phase: string | null = null): Unit => ({
  id,
  title: `do ${id}`,
  state,
  phase,
});
const part = (id: string, unit: string) => ({ id, unit, title: `task ${id}` });
const shown = (graph: Graph | undefined, parts: ReturnType<typeof part>[]) =>
  linesOf(graph, parts).map(({ id, unit, part: made, waits }) => [
    unit === null ? "" : id,
    made?.id ?? unit?.state,
    waits?.kind === "units"
      ? waits.ids.join()
      : waits?.kind === "phase"
        ? waits.phase
        : waits?.kind,
  ]);

describe("the units of a run", () => {
  test("S6.2 all of the plan are there, in its order, those that wait with the reason", () => {
    const nodes = [
      node("T1.1", "completed", "1"),
      node("T1.2", "in_progress", "1"),
      node("T1.3", "pending", "1"),
      node("T1.4", "ready", "1"),
      node("T2.1", "ready", "2"),
    ];
    const edges = [
      { from: "T1.1", to: "T1.3" },
      { from: "T1.2", to: "T1.3" },
      { from: "T1.1", to: "T1.4" },
    ];
    const graph = { workflow: "orchestrate", nodes, edges } as const;
    expect(shown(graph, [part("b", "T1.2"), part("a", "T1.1")])).toEqual([
      ["T1.1", "a", undefined],
      ["T1.2", "b", undefined],
      ["T1.3", "pending", "T1.2"],
      ["T1.4", "ready", "turn"],
      ["T2.1", "ready", "1"],
    ]);
  });

  test("S6.2 earlier attempts stand below the newest, what belongs to no unit at the end", () => {
    const graph = {
      workflow: "plan",
      nodes: [node("1", "in_progress"), node("2", "blocked")],
      edges: [{ from: "1", to: "2" }],
    } as const;
    const parts = [part("second", "1"), part("first", "1"), part("planner", "plan")];
    expect(shown(graph, parts)).toEqual([
      ["1", "second", undefined],
      ["", "first", undefined],
      ["2", "blocked", "1"],
      ["", "planner", undefined],
    ]);
  });

  test("S6.2 a team's task stands at each of its checkpoints; without a plan, what was begun is shown", () => {
    const nodes = [node("cp-1", "in_progress"), node("cp-2", "in_progress")];
    const team = part("team", "cp-1,cp-2");
    expect(shown({ workflow: "develop", nodes, edges: [] }, [team])).toEqual([
      ["cp-1", "team", undefined],
      ["cp-2", "team", undefined],
    ]);
    expect(shown(undefined, [team])).toEqual([["", "team", undefined]]);
  });
});

test("S6.1 every kind of run has a word of its own, in both languages", async () => {
  // Its types are the browser's: it is only read here.
  const place = new URL("../../web/texts/new.ts", import.meta.url).href;
  const { newTexts } = (await import(place)) as {
    newTexts: Record<string, { en: string; ko: string } | undefined>;
  };
  for (const name of Object.keys(conductors)) {
    const word = newTexts[`new.name.${name}`];
    expect({ name, en: word?.en, ko: word?.ko }).toEqual({
      name,
      en: expect.stringMatching(/^[A-Z]/),
      ko: expect.stringMatching(/[가-힣]/),
    });
  }
});
