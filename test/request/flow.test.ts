// A request from its first order to its last, by the reducer alone (S4.3 to S4.8). Every document is
// checked by its format, and every machine's promise, after each step (play.ts).
import { describe, expect, test } from "vitest";
import type { Order, OrderOutcome } from "../../src/workflows/orders.ts";
import { printYaml } from "../../src/formats/yaml.ts";
import { Play } from "./play.ts";
import {
  type Script,
  agentFiles,
  done,
  failing,
  formIn,
  source,
  testFile,
  usual,
} from "./scripted.ts";

/** Plays until nothing is wanted; the keys in their order. */
function playAll(play: Play, script: Script = {}, until?: string): string[] {
  const keys: string[] = [];
  for (;;) {
    // One at a time: what one brings about may make another unwanted.
    const [order] = play.orders();
    const key = order?.key.replace(/^R1\./, "");
    if (order === undefined || key === undefined || key === until) return keys;
    keys.push(key);
    play.take(usual(order, script));
    if (keys.length > 200) throw new Error(keys.join(" "));
  }
}

const words = (text: string): string[] => text.split(" ");
const subtask = (play: Play) => play.state.tasks["T1"]?.subtasks["T1-S1"];
const gatesOf = (play: Play): unknown[] =>
  play.journal.flatMap(({ metadata: { gate, result } }) =>
    typeof gate === "string" && typeof result === "string" ? `${gate} ${result}` : [],
  );

/** Only for this key, only as often as it says. */
const once = (wanted: string, make: (order: Order) => OrderOutcome): Script => ({
  outcome: (key, order) => (key === wanted ? make(order) : undefined),
});
const ran = (order: Order, code: number, output: string): OrderOutcome => ({
  kind: "ran",
  key: order.key,
  code,
  output,
});
const answer = (order: Order, text: string): OrderOutcome => ({
  kind: "answered",
  key: order.key,
  answer: text,
});

const fails = (order: Order, why: "agent" | "cancelled"): OrderOutcome => ({
  kind: "failed",
  key: order.key,
  why,
  reason: "no network",
});

test("S4.5 an agent that failed is tried again after 1, 2 and 4 seconds, the other one is not held up", () => {
  const play = new Play();
  const waits = [1, 2, 3].map((time) => {
    play.take(fails(play.order(`R1.explore-${time}`), "agent"));
    // Whoever looks lets time pass.
    const { at } = play;
    return (play.order(`R1.explore-${time + 1}`).notBefore ?? 0) - at;
  });
  expect(waits).toEqual([1_000, 2_000, 4_000]);
  expect(play.order("R1.plan-1").notBefore).toBeUndefined();
});

describe("a request that goes well", () => {
  test("S4.4 it explores and plans side by side, then goes through gates 1, 3, 4 and 2", () => {
    const play = new Play();
    const first = play.orders();
    expect(first.map(({ key }) => key)).toEqual(["R1.explore-1", "R1.plan-1"]);
    expect(first).toMatchObject([
      { merges: false, wanted: [".holdfast/drafts/explore.explored.yaml", expect.any(String)] },
      { merges: false, wanted: [".holdfast/drafts/plan.task-breakdown.yaml"] },
    ]);
    expect(playAll(play)).toEqual(
      words(
        "explore-1 plan-1 T1.design-1 T1-S1.base-1 T1-S1.test-1 T1-S1.file-1 T1-S1.implement-1 T1-S1.diff-1 T1-S1.verify-1 T1-S1.judge-1 T1-S1.run-1 land-1",
      ),
    );
    expect(gatesOf(play)).toEqual([
      "GATE-1 passed",
      "GATE-3 passed",
      "GATE-4 passed",
      "GATE-2 passed",
    ]);
    expect(play.state.request).toMatchObject({ status: "completed", global_phase: "complete" });
    expect(play.session).toMatchObject({ status: "completed", current_task: "T1" });
    expect(play.end()).toMatchObject({ result: "completed" });
  });

  test("S4.4 tasks and subtasks come one after another, each task with its own design", () => {
    const play = new Play();
    const tasks = [
      { id: "T1", name: "one", subtasks: ["T1-S1", "T1-S2"] },
      { id: "T2", name: "two", subtasks: ["T2-S1"] },
    ];
    const keys = playAll(play, { tasks });
    expect(keys.filter((key) => /design|test-/.test(key))).toEqual(
      words("T1.design-1 T1-S1.test-1 T1-S2.test-1 T2.design-1 T2-S1.test-1"),
    );
    expect(play.state.task_order).toEqual(["T1", "T2"]);
  });

  test("S4.2b the engine writes the brief: from the breakdown, with the files that it names", () => {
    const play = new Play();
    const tasks = [
      { id: "T1", name: "read an item", subtasks: ["T1-S1"] },
      { id: "T2", name: "other", subtasks: ["T2-S1"] },
    ];
    playAll(play, { tasks }, "T1.design-1");
    expect(play.contract("design-brief", "T1")).toMatchObject({
      created_by: "orchestrator",
      task_name: "read an item",
      objective: "read an item, whole",
      subtasks: [{ id: "T1-S1", name: "do T1-S1" }],
      completion_criteria: ["how T1-S1", "its tests pass"],
      scope_out: ["T2 other: other, whole"],
      file_refs: [{ entity: "item", path: source, status: "exists" }],
    });
    expect(play.contract("design-brief", "T2")).toBeDefined();
  });
});

describe("what agents write (S4.3)", () => {
  test("S4.3 an unknown field is refused with its path, and its author asked again, three times", () => {
    const play = new Play();
    const script: Script = {
      outcome: (key, order) =>
        key.startsWith("explore") && order.kind === "agent"
          ? done(order, { [order.wanted[0] ?? ""]: printYaml({ ...formIn(order), mood: "good" }) })
          : undefined,
    };
    const seen: string[] = [];
    for (let n = 1; n <= 4; n++) {
      const order = play.order(`R1.explore-${n}`);
      seen.push(order.prompt);
      play.take(usual(order, script));
    }
    expect(seen[0]).not.toContain("was refused");
    expect(seen[1]).toMatch(/explore\.explored\.yaml was refused[^]*\/mood: /);
    expect(play.state.request.status).toBe("stopped");
    expect(play.orders()).toMatchObject([{ kind: "ask", key: "R1.ask-1", unit: "explore" }]);
    expect(play.contract("explored")).toBeUndefined();
    // A person lets it go on: it is asked for once more.
    play.take(answer({ ...play.orders()[0], key: "R1.ask-1" } as Order, "retry please"));
    expect(play.orders().map(({ key }) => key)).toContain("R1.explore-5");
  });

  test.each([
    ["a wrong id", "T1.design-1", { task_id: "T9" }, "/task_id"],
    [
      "a file of ours",
      "T1.design-1",
      { file_refs: [{ entity: "s", path: ".claude/orchestrator/x", status: "exists" }] },
      "/file_refs/0/path",
    ],
    [
      "a boundary nobody can look at",
      "T1.design-1",
      { boundaries: [{ from: "x", to: "y", allowed: false }] },
      "/boundaries/0/from",
    ],
    [
      "a target without a case",
      "T1-S1.test-1",
      { coverage_targets: ["write"] },
      "/coverage_targets/0",
    ],
    ["a test file of ours", "T1-S1.test-1", { test_file_path: ".git/hooks/x" }, "/test_file_path"],
  ])(
    "S4.3 %s: refused with the field, what was expected and what stands there",
    (_name, key, wrong, field) => {
      const play = new Play();
      playAll(play, {}, key);
      const order = play.order(`R1.${key}`);
      const [draft = ""] = order.wanted;
      const files = agentFiles(order);
      const read = {
        ...formIn({ ...order, prompt: `\`\`\`yaml\n${files[draft] ?? ""}\n\`\`\`` }),
        ...wrong,
      };
      const { answer: told } = play.take(done(order, { [draft]: printYaml(read) }));
      expect(told).toMatchObject({ kind: "again", left: 2 });
      const [next] = play.orders();
      expect(next).toMatchObject({ key: `R1.${key.replace("-1", "-2")}` });
      expect(next?.kind === "agent" && next.prompt).toContain(`- ${field}`);
      expect(next?.kind === "agent" && next.prompt).toMatch(/expected .+, got /i);
      playAll(play);
      expect(play.state.request.status).toBe("completed");
    },
  );

  test("S4.3 a draft that is not there is asked for, and a type that was changed is refused", () => {
    const play = new Play();
    const first = play.order("R1.plan-1");
    play.take(done(first, {}));
    expect(play.order("R1.plan-2").prompt).toContain("is not there");
    const second = play.order("R1.plan-2");
    const wrong = printYaml({ ...formIn(second), assumptions: "none" });
    play.take(done(second, { [second.wanted[0] ?? ""]: wrong }));
    expect(play.order("R1.plan-3").prompt).toContain("/assumptions");
  });

  test("S4.4 half of the assumptions wrong: the planner sees what was explored, and plans again", () => {
    const play = new Play();
    const script: Script = { assumptions: ["auth is in src/auth/", "it uses Node.js"] };
    playAll(play, script, "plan-2");
    const order = play.order("R1.plan-2");
    expect(order.prompt).toContain("src/auth");
    expect(order.prompt).toContain("### explored.yaml");
    playAll(play, {
      assumptions: ["items are in src/item.ts", "it uses Node.js", "auth is in lib/auth/"],
    });
    expect(play.state.request.status).toBe("completed");
  });

  test("S4.4 fewer are told to the architect", () => {
    const play = new Play();
    playAll(play, { assumptions: ["in src/", "in test/", "in lib/x/"] }, "T1.design-1");
    expect(play.order("R1.T1.design-1").prompt).toContain("in lib/x/ (✗ lib/x)");
  });
});

describe("gates that fail (S4.4, S4.5)", () => {
  test("S4.4 GATE-1: no test file, the qa-engineer writes it; after two retries a person is asked", () => {
    const play = new Play();
    const script: Script = {
      outcome: (key, order) => (/\.file-/.test(key) ? ran(order, 1, "") : undefined),
    };
    const keys = playAll(play, script, "ask-1");
    expect(keys.filter((key) => /\.test-/.test(key))).toEqual(
      words("T1-S1.test-1 T1-S1.test-2 T1-S1.test-3"),
    );
    expect(subtask(play)).toMatchObject({
      status: "in_progress",
      phase: "test_first",
      gates: { "GATE-1": "failed" },
    });
    expect(play.state.request.status).toBe("stopped");
    expect(play.orders()).toMatchObject([{ kind: "ask", unit: "T1-S1" }]);
    playAll(play);
    expect(play.state.request.status).toBe("completed");
  });

  test("S4.4 GATE-3: a file outside the design goes back to planning, and the plan is made again", () => {
    const play = new Play();
    const script = once("T1-S1.diff-1", (order) => ran(order, 0, `${source}\nREADME.md\n`));
    const keys = playAll(play, script);
    expect(keys.slice(keys.indexOf("T1-S1.diff-1"), keys.indexOf("T1-S1.diff-1") + 4)).toEqual(
      words("T1-S1.diff-1 plan-2 T1.design-2 T1-S1.test-2"),
    );
    expect(gatesOf(play).slice(0, 3)).toEqual(["GATE-1 passed", "GATE-3 failed", "GATE-1 passed"]);
    expect(play.state.request.status).toBe("completed");
  });

  test("S4.5 after two new plans a person is asked, the subtask in progress with its gate failed", () => {
    const play = new Play();
    const script: Script = {
      outcome: (key, order) => (/\.diff-/.test(key) ? ran(order, 0, "README.md\n") : undefined),
    };
    const keys = playAll(play, script, "ask-1");
    expect(keys.filter((key) => key.startsWith("plan-"))).toEqual(words("plan-1 plan-2 plan-3"));
    expect(subtask(play)).toMatchObject({ status: "in_progress", gates: { "GATE-3": "failed" } });
    expect(play.session.status).toBe("stopped");
    expect(play.orders()[0]).toMatchObject({
      kind: "ask",
      options: [/^retry/, /^stop/].map((each) => expect.stringMatching(each)),
    });
    play.take(answer(play.orders()[0] as Order, "stop"));
    expect(play.orders()).toEqual([]);
    expect(play.end()).toBeUndefined();
    play.wish("resume");
    playAll(play);
    expect(play.state.request.status).toBe("completed");
  });

  test("S4.4 GATE-4: a forbidden import is found by code, nobody is asked to judge, back to design", () => {
    const play = new Play();
    const crossing = `import {\n  rows,\n} from "./database.js";\n`;
    const script: Script = {
      design: {
        boundaries: [{ from: "item", to: "database", allowed: false }],
        file_refs: [
          { entity: "item", path: source, status: "to_modify" },
          { entity: "database", path: "src/database.ts", status: "to_create" },
          { entity: "script", path: "build.sh", status: "to_create" },
        ],
      },
      files: { "src/database.ts": "export const rows = [];\n", "build.sh": "true\n" },
      outcome: (key, order) =>
        key === "T1-S1.implement-1" && order.kind === "agent"
          ? done(order, {
              ...agentFiles(order),
              [source]: crossing,
              "src/database.ts": "",
              "build.sh": "",
            })
          : undefined,
    };
    const keys = playAll(play, script);
    expect(keys.slice(keys.indexOf("T1-S1.diff-1"), keys.indexOf("T1-S1.diff-1") + 2)).toEqual(
      words("T1-S1.diff-1 T1.design-2"),
    );
    const failed = play.journal.find(({ trigger }) => trigger === "fail_gate_4");
    expect(failed?.metadata).toMatchObject({
      verdicts: [
        { item: "boundary item → database", holds: false, why: `${source}:1`, by: "code" },
      ],
    });
    expect(play.state.request.status).toBe("completed");
  });

  test("S4.4 GATE-4: a language that is not read is said openly, with the gate", () => {
    const play = new Play();
    const script: Script = {
      design: {
        boundaries: [{ from: "script", to: "item", allowed: false }],
        file_refs: [
          { entity: "item", path: source, status: "to_modify" },
          { entity: "script", path: "build.sh", status: "exists" },
        ],
      },
      files: { "build.sh": ". src/item.ts\n" },
    };
    playAll(play, script);
    expect(play.run.work["T1-S1"]?.gates["GATE-4"]).toMatchObject({
      result: "passed",
      uncovered: ["boundary script → item: build.sh"],
    });
  });

  test("S4.4 GATE-4: a declared file that is missing, and one that is due with the last subtask", () => {
    const play = new Play();
    const script: Script = {
      tasks: [{ id: "T1", name: "one", subtasks: ["T1-S1", "T1-S2"] }],
      design: {
        boundaries: [],
        file_refs: [
          { entity: "item", path: source, status: "to_modify" },
          { entity: "late", path: "src/late.ts", status: "to_create" },
        ],
      },
    };
    playAll(play, script, "T1.design-2");
    expect(play.state.tasks["T1"]?.subtasks["T1-S1"]?.status).toBe("completed");
    expect(
      play.journal.findLast(({ trigger }) => trigger === "fail_gate_4")?.metadata,
    ).toMatchObject({
      verdicts: [{ item: "file src/late.ts", holds: false }],
    });
  });

  test("S4.2b GATE-4: the verifier judges each item, its verdicts are kept, and one missing is asked for", () => {
    const play = new Play();
    playAll(play, {}, "T1-S1.verify-1");
    const order = play.order("R1.T1-S1.verify-1");
    const { items } = formIn(order) as { items: { item: string; holds: boolean; why: string }[] };
    expect(items.map(({ item }) => item)).toEqual([
      "INV-1",
      "interface read",
      "layer item",
      "completion_criteria 1",
      "completion_criteria 2",
      "scope_in 1",
      "scope_in 2",
    ]);
    const [draft = ""] = order.wanted;
    play.take(done(order, { [draft]: JSON.stringify({ items: items.slice(1) }) }));
    expect(play.order("R1.T1-S1.verify-2").prompt).toContain("No verdict on: INV-1");
    const broken = items.map((each) =>
      each.item === "INV-1" ? { ...each, holds: false, why: "it is changed" } : each,
    );
    play.take(
      done(play.order("R1.T1-S1.verify-2"), { [draft]: JSON.stringify({ items: broken }) }),
    );
    expect(play.orders()[0]?.key).toBe("R1.T1.design-2");
    expect(play.order("R1.T1.design-2").prompt).toContain("INV-1 (it is changed)");
    expect(play.run.work["T1-S1"]?.gates["GATE-4"]?.verdicts).toHaveLength(7 + 1);
    playAll(play);
    expect(play.state.request.status).toBe("completed");
  });

  test("S4.4 GATE-2: what the engine's own run says counts, and the result is the engine's", () => {
    const play = new Play();
    const script = once("T1-S1.run-1", (order) => ran(order, 1, failing));
    const keys = playAll(play, script);
    expect(keys.slice(keys.indexOf("T1-S1.run-1"), keys.indexOf("T1-S1.run-1") + 3)).toEqual(
      words("T1-S1.run-1 T1-S1.implement-2 T1-S1.diff-2"),
    );
    // The claim said “complete”: the engine's own run has the last word.
    expect(play.contract("test-result", "T1", "T1-S1")).toMatchObject({
      execution: { command: "npx vitest run", result: "pass" },
      summary: { total: 2, passed: 2, failed: 0, skipped: 0 },
    });
    const failed = play.journal.find(({ trigger }) => trigger === "fail_gate_2");
    expect(failed?.metadata["why"]).toMatch(/vitest: 1 passed, 1 failed.*retry_implementation/);
  });

  test("S4.5 GATE-2: retry_design goes back to the architect; three retries, then a person", () => {
    const play = new Play();
    const script: Script = {
      outcome: (key, order) => {
        if (/\.run-/.test(key)) return ran(order, 1, failing);
        if (!key.endsWith(".judge-1") || order.kind !== "agent") return undefined;
        const [draft = ""] = order.wanted;
        const form = formIn(order);
        return done(order, {
          [draft]: printYaml({
            ...form,
            execution: {
              ...(form["execution"] as object),
              command: "npx vitest run",
              result: "fail",
            },
            summary: { total: 1, passed: 0, failed: 1, skipped: 0 },
            failed_tests: [
              { id: "TC-1", name: "reads_an_item", category: "design_violation", message: "" },
            ],
            recommendation: { action: "retry_design", reason: "the interface is wrong" },
          }),
        });
      },
    };
    const keys = playAll(play, script, "ask-1");
    expect(keys.slice(keys.indexOf("T1-S1.run-1"), keys.indexOf("T1-S1.run-1") + 2)).toEqual(
      words("T1-S1.run-1 T1.design-2"),
    );
    expect(keys.filter((key) => /\.run-/.test(key))).toHaveLength(4);
    expect(subtask(play)).toMatchObject({ phase: "verification", gates: { "GATE-2": "failed" } });
    expect(play.contract("test-result", "T1", "T1-S1")?.failed_tests).toEqual([
      {
        id: "TC-1",
        name: "test/item.test.ts > reads_an_item",
        category: "implementation_error",
        message: "AssertionError: expected 1 to be 2",
      },
    ]);
  });

  test("S4.4 the project's own test command is the only one that counts", () => {
    const play = new Play();
    play.rules = { test: "npm test" };
    playAll(play, {}, "T1-S1.judge-2");
    expect(play.order("R1.T1-S1.judge-2").prompt).toContain("/execution/command");
  });

  test("S4.5 an agent that fails is started again three times, then a person is asked; cancelled, it stops", () => {
    const play = new Play();
    const script: Script = {
      outcome: (key, order) => (key.startsWith("T1.design") ? fails(order, "agent") : undefined),
    };
    const keys = playAll(play, script, "ask-1");
    expect(keys.filter((key) => key.startsWith("T1.design"))).toHaveLength(4);
    play.take(answer(play.orders()[0] as Order, "retry"));
    expect(play.order("R1.T1.design-5").prompt).toContain("no network");
    play.take(fails(play.order("R1.T1.design-5"), "cancelled"));
    expect(play.state.request.status).toBe("stopped");
    expect(play.orders()).toEqual([]);
  });

  test("S4.4 work that can not be merged is a person's to decide", () => {
    const play = new Play();
    const script = once("land-1", (order) => ({
      kind: "not_landed",
      key: order.key,
      why: "conflict",
      reason: "src/item.ts",
    }));
    const keys = playAll(play, script);
    expect(keys.slice(-3)).toEqual(words("land-1 ask-1 land-2"));
    expect(play.state.request.status).toBe("completed");
  });
});

describe("told twice, interrupted, taken back (S4.8)", () => {
  test("S4.8 after any number of outcomes a fresh reader of the documents wants the same", () => {
    const play = new Play();
    const script = once("T1-S1.run-1", (order) => ran(order, 1, failing));
    let steps = 0;
    for (let [order] = play.orders(); order !== undefined; [order] = play.orders()) {
      // Whoever comes after a crash has nothing but what was written.
      const fresh = play.copy();
      expect(fresh.orders()).toEqual(play.orders());
      const outcome = usual(order, script);
      play.take(outcome);
      const after = JSON.stringify([play.state, play.run]);
      // The same outcome again, as one who did not hear that it was taken would tell it.
      expect(play.take(outcome).answer.kind).toBe("unknown");
      expect(JSON.stringify([play.state, play.run])).toBe(after);
      steps++;
    }
    expect(steps).toBeGreaterThan(12);
    expect(play.state.request.status).toBe("completed");
  });

  test.each([
    ["explored", [], "T1-S1.implement-1", "explore-2"],
    ["task-breakdown", [], "T1-S1.implement-1", "plan-2"],
    ["design-contract", ["T1"], "T1-S1.implement-1", "T1.design-2"],
    ["test-contract", ["T1", "T1-S1"], "T1-S1.implement-1", "T1-S1.test-2"],
    ["test-contract", ["T1", "T1-S1"], "T1-S1.judge-1", "T1-S1.test-2"],
    ["design-brief", ["T1"], "T1-S1.implement-1", "T1-S1.implement-1"],
  ] as const)("S4.8 without %s%s at %s it goes back to %s", (format, of, at, next) => {
    const play = new Play();
    playAll(play, {}, at);
    play.remove(format, ...of);
    expect(play.orders()[0]?.key).toBe(`R1.${next}`);
    playAll(play);
    expect(play.state.request.status).toBe("completed");
  });

  test("S4.8 stopped it wants nothing, resumed it wants the same, reset it is over", () => {
    const play = new Play();
    playAll(play, {}, "T1-S1.implement-1");
    const before = play.orders().map(({ key }) => key);
    play.wish("stop");
    expect(play.orders()).toEqual([]);
    expect(play.session.status).toBe("stopped");
    play.wish("resume");
    expect(play.orders().map(({ key }) => key)).toEqual(before);
    play.wish("reset");
    expect(play.end()).toMatchObject({ result: "failed" });
    expect(play.session.status).toBe("stopped");
    expect(play.state.request.status).toBe("stopped");
    expect(() => play.wish("resume")).toThrow("request.reset_already");
  });

  test("S4.4 a new plan keeps what is completed, and refuses to lose it", () => {
    const play = new Play();
    const tasks = [
      { id: "T1", name: "one", subtasks: ["T1-S1"] },
      { id: "T2", name: "two", subtasks: ["T2-S1"] },
    ];
    const script: Script = {
      ...once("T2-S1.diff-1", (order) => ran(order, 0, "README.md\n")),
      tasks,
    };
    playAll(play, script, "plan-2");
    const lost = play.order("R1.plan-2");
    const other: Script = { tasks: [{ id: "T3", name: "three", subtasks: ["T3-S1"] }] };
    play.take(usual(lost, other));
    expect(play.order("R1.plan-3").prompt).toContain("the completed task T1 “one”");
    const keys = playAll(play, script);
    expect(keys.filter((key) => key.startsWith("T1"))).toEqual([]);
    expect(play.state.tasks["T1"]?.status).toBe("completed");
  });
});

describe("what is learned, and who is told (S4.6, S4.7)", () => {
  test("S4.7 a failure that was mended is a pitfall, a design is a decision, the newest of its topic", () => {
    const play = new Play();
    playAll(
      play,
      once("T1-S1.diff-1", (order) => ran(order, 0, `${source}\nREADME.md\n`)),
    );
    expect(play.knowledge?.pitfalls).toMatchObject([
      {
        id: "P1",
        // What to do, not what a gate said.
        description:
          "Change only files that the design's file_refs name; to change README.md, plan and design it first.",
        reason: expect.stringContaining("GATE-3"),
        learned_from: "T1",
      },
    ]);
    expect(play.knowledge?.decisions).toMatchObject([
      {
        topic: "read an item",
        decision: expect.stringContaining("INV-1: an item is never changed"),
        refs: [source],
      },
    ]);
  });

  test("S4.7 of one topic the newest design wins", () => {
    const play = new Play();
    const keys: Script = {
      outcome: (key, order) => {
        if (key === "T1-S1.diff-1") return ran(order, 0, "README.md\n");
        if (key !== "T1.design-2" || order.kind !== "agent") return undefined;
        return done(
          order,
          agentFiles(order, { design: { invariants: [{ id: "INV-1", rule: "changed" }] } }),
        );
      },
    };
    playAll(play, keys);
    expect(play.knowledge?.decisions).toHaveLength(1);
    expect(play.knowledge?.decisions[0]).toMatchObject({
      id: "D2",
      decision: expect.stringContaining("INV-1: changed"),
    });
  });

  test("S4.7 patterns come from code-explore; what is no pattern is left out and nobody sent back", () => {
    const play = new Play();
    const order = play.order("R1.explore-1");
    const [, patterns = ""] = order.wanted;
    play.take(done(order, { ...agentFiles(order), [patterns]: "naming: camelCase\n" }));
    expect(play.knowledge?.patterns).toEqual({ naming: "camelCase" });
  });

  test("S4.6 each role gets exactly its contracts, the patterns, five decisions and the pitfalls", () => {
    const play = new Play();
    const project = play.session.project;
    const decisions = Array.from({ length: 7 }, (_, n) => ({
      id: `D${n + 1}`,
      topic: `topic ${n + 1}`,
      decision: "so",
      rationale: "",
      refs: [],
      created_at: "2026-01-01",
    }));
    play.knowledge = {
      version: 1,
      project,
      patterns: { testing: "vitest" },
      decisions,
      pitfalls: [{ id: "P1", description: "a trap", reason: "fell in" }],
      updated_at: "2026-01-01T00:00:00Z",
    };
    const seen = new Map<string, string[]>();
    const script: Script = {
      outcome: (key, order) => {
        if (order.kind !== "agent") return undefined;
        seen.set(
          key,
          [...order.prompt.matchAll(/^### (\S+)\.yaml$/gm)].map(([, name = ""]) => name),
        );
        expect(order.prompt).toContain("testing: vitest");
        expect(order.prompt).toContain("a trap (fell in)");
        expect([...order.prompt.matchAll(/topic \d/g)].length).toBe(
          key.startsWith("T1-S1") ? 4 : 5,
        );
        return undefined;
      },
    };
    playAll(play, script);
    expect(Object.fromEntries(seen)).toEqual({
      "explore-1": [],
      "plan-1": ["explored"],
      "T1.design-1": ["explored", "design-brief"],
      "T1-S1.test-1": ["design-contract"],
      "T1-S1.implement-1": ["design-contract", "test-contract"],
      "T1-S1.verify-1": ["design-brief", "design-contract", "test-contract"],
      "T1-S1.judge-1": ["design-contract", "test-contract"],
    });
    expect(testFile).toBe("test/item.test.ts");
  });
});
