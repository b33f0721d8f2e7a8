import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fixtureOf, newTask, own, seed, seeds } from "../../test/fixtures/documents.ts";
import { parseCheckpointId, parseRequestId, parseUnitId } from "../core/ids.ts";
import { languages, render } from "../core/messages.ts";
import { type Codec, loadCodec } from "./codec.ts";
import { type Finding, mostFindings, pointerTo, stepsOf } from "./format.ts";
import { patterns } from "./patterns.ts";
import { type FormatName, formatNames, formatOfPath, formats } from "./registry.ts";
import { loadJsonSchemas } from "./validators.ts";

// --- helpers ---

/** A document that may be broken in every way. */
type Free = ReturnType<typeof JSON.parse>;

const encoder = new TextEncoder();
const codecs = new Map<FormatName, Codec<Free>>();
for (const name of formatNames) codecs.set(name, (await loadCodec(name)) as Codec<Free>);

function codecOf(name: FormatName): Codec<Free> {
  const codec = codecs.get(name);
  if (!codec) throw new Error(name);
  return codec;
}

/** The fixture's value, fresh each time. */
function valueOf(name: FormatName): Free {
  const read = codecOf(name).read(fixtureOf(name).bytes);
  if (!read.ok) throw new Error(`the fixture of ${name} does not read`);
  return structuredClone(read.value);
}

function bytesOf(name: FormatName, value: unknown): Uint8Array {
  return encoder.encode(codecOf(name).print(value));
}

/** Findings of a document, through bytes and back. */
async function findingsIn(name: FormatName, value: unknown): Promise<readonly Finding[]> {
  const bytes = bytesOf(name, value);
  const read = await codecOf(name).inspect(bytes);
  const quick = codecOf(name).read(bytes);
  expect(quick.ok).toBe(read.ok);
  return read.ok ? read.notices : read.findings;
}

const short = (found: Finding): string => `${found.level} ${found.pointer} ${found.text.key}`;

// --- the examples of the source documents ---

const expectedNotices: Readonly<Record<string, readonly string[]>> = {
  "full/.claude/orchestrate-state.json": ["notice /tasks/in_progress/0 format.rule.two_lists"],
  "full/.claude/orchestrator/sessions/a1b2c3d4/contracts/R1/T1/T1-S2/test-contract.yaml": [
    "notice /coverage_targets/1 format.rule.uncovered",
  ],
};

const count = (part: RegExp): number => seeds.filter(({ path }) => part.test(path)).length;

describe("the sources' own examples", () => {
  test("S0.1 S2.1 S3.1 S4.2 there are 17 whole ones: 1, 2, 5 and 9", () => {
    expect(seeds.length).toBe(17);
    expect(count(/develop-workflow/)).toBe(1);
    expect(count(/orchestrate-state/)).toBe(2);
    expect(count(/\.claude\/memory/)).toBe(5);
    expect(count(/\.claude\/orchestrator\//)).toBe(9);
  });

  for (const fixture of [...seeds, ...newTask, ...own]) {
    test(`S5 ${fixture.path} reads as ${fixture.format}, with the notices it deserves`, async () => {
      const codec = codecOf(fixture.format);
      for (const read of [codec.read(fixture.bytes), await codec.inspect(fixture.bytes)]) {
        expect(read.ok ? [] : read.findings).toEqual([]);
        expect(read.ok && read.notices.map(short)).toEqual(expectedNotices[fixture.path] ?? []);
      }
    });

    test(`S0.1 S2.1 ${fixture.path} printed unchanged is the same, byte for byte`, () => {
      const codec = codecOf(fixture.format);
      const read = codec.read(fixture.bytes);
      if (!read.ok) throw new Error("does not read");
      expect(codec.print(read.value, fixture.text)).toBe(fixture.text);
      const fresh = codec.print(read.value);
      const again = codec.read(encoder.encode(fresh));
      expect(again.ok && again.value).toEqual(read.value);
      expect(again.ok && JSON.stringify(again.value)).toBe(JSON.stringify(read.value));
      expect(codec.print(read.value, fresh)).toBe(fresh);
    });
  }

  test("S2.2 T1.3 in two lists is told with its line, and repaired later, not refused", async () => {
    const { bytes } = seed("full/.claude/orchestrate-state.json");
    const read = await codecOf("orchestrate-state").inspect(bytes);
    expect(read.ok && read.notices[0]).toMatchObject({ level: "notice", line: 16 });
    expect(read.ok && read.notices[0]?.text.params).toEqual({
      id: "T1.3",
      list: "in_progress",
      other: "ready",
    });
  });

  test("S5.5 every format has a JSON Schema, and every fixture a format", async () => {
    const schemas = await loadJsonSchemas();
    expect(Object.keys(schemas).toSorted()).toEqual([...formatNames].toSorted());
    for (const name of formatNames) expect(fixtureOf(name).format).toBe(name);
  });
});

// --- fields we do not know ---

/** Pointers of all objects in a value. */
function objectsIn(value: unknown, here = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, item]) =>
    objectsIn(item, here + pointerTo(key)),
  );
  return Array.isArray(value) ? inner : [here, ...inner];
}

function at(value: Free, pointer: string): Free {
  return stepsOf(pointer).reduce((inner, step) => inner[step], value);
}

describe("fields we do not know", () => {
  // Maps by id, where any other key is a wrong id and not an unknown field.
  const maps: Readonly<Record<string, readonly string[]>> = {
    "develop-state": ["/checkpoints"],
    "orchestrate-state": ["/dependencies", "/checkpoints"],
  };

  for (const name of formatNames.filter((format) => formats[format].open)) {
    test(`S2.1 S3.1 ${name} is open: a person's own fields survive a write, in any object`, () => {
      const codec = codecOf(name);
      for (const pointer of objectsIn(valueOf(name))) {
        if (maps[name]?.includes(pointer)) continue;
        const value = valueOf(name);
        at(value, pointer).our_note = { 내: ["것", 1, null, { deep: true }] };
        const read = codec.read(bytesOf(name, value));
        expect([pointer, read.ok && read.value]).toEqual([pointer, value]);
        expect(codec.print(value, fixtureOf(name).text)).toContain("our_note");
      }
    });
  }

  test("S4.2 S0.4 a strict format refuses one and names the closest field it knows", async () => {
    const value = valueOf("request-state");
    value.global = {};
    value.request.globl_phase = "task_loop";
    const found = await findingsIn("request-state", value);
    expect(found.map(short).toSorted()).toEqual([
      "error /global format.unknown",
      "error /request/globl_phase format.unknown_closest",
    ]);
    const near = found.find(({ pointer }) => pointer === "/request/globl_phase");
    expect(near?.text.params).toEqual({ field: "globl_phase", closest: "global_phase" });
  });
});

// --- versions ---

const findingsAt = async (name: FormatName, version: unknown): Promise<string[]> =>
  (await findingsIn(name, { ...valueOf(name), version })).map(short);

describe("versions", () => {
  for (const name of formatNames) {
    const { version } = formats[name];
    if (version === null) continue;
    const newer = typeof version === "number" ? version + 1 : `${version}.1`;
    const older = typeof version === "number" ? version - 1 : "0.9";

    test(`S5.3 ${name}: a newer version is never guessed at, an unknown older one is refused`, async () => {
      expect(await findingsAt(name, newer)).toEqual(["error /version format.newer_version"]);
      expect(await findingsAt(name, older)).toEqual(["error /version format.unknown_version"]);
    });

    test(`S5 ${name}: without a version, or with one of another type, the schema complains`, async () => {
      const missing = valueOf(name);
      delete missing.version;
      expect((await findingsIn(name, missing)).map(short)).toEqual([
        "error /version format.missing",
      ]);
      for (const odd of [null, [version], { version }, typeof version === "number" ? "1" : 9])
        expect((await findingsIn(name, { ...valueOf(name), version: odd })).map(short)).toEqual([
          "error /version format.mismatch",
        ]);
    });
  }

  test("S5 2.10 is newer than 2.9, and 10.0 than 2.0", async () => {
    for (const version of ["2.0.1", "2.10", "10.0", "3"]) {
      const found = await findingsAt("orchestrate-state", version);
      expect([version, ...found]).toEqual([version, "error /version format.newer_version"]);
    }
  });
});

// --- orchestrate-state 1.x ---

describe("S2.1 orchestrate-state 1.x reads as mode normal", () => {
  const codec = codecOf("orchestrate-state");

  function upgraded(old: unknown): Free {
    const read = codec.read(encoder.encode(JSON.stringify(old)));
    if (!read.ok)
      throw new Error(read.findings.map((f) => `${f.pointer} ${render("en", f.text)}`).join("; "));
    expect(read.upgradedFrom).toMatch(/^1/);
    expect(read.value.version).toBe("2.0");
    expect(read.value.mode).toBe("normal");
    expect(codec.check(read.value).filter(({ level }) => level === "error")).toEqual([]);
    expect(read.notices[0]?.text.key).toBe("format.upgrade.orchestrate");
    return read.value;
  }

  test("flat lists of ids", () => {
    const value = upgraded({
      version: "1.0",
      project: "shop",
      current_phase: 1,
      completed_tasks: ["T0.1", "T0.2"],
      failed_tasks: [],
      pending_tasks: ["T1.1"],
      started_at: "2026-01-02T03:04:05Z",
    });
    expect(value.tasks).toMatchObject({ completed: ["T0.1", "T0.2"], pending: ["T1.1"] });
    expect(value.execution).toMatchObject({ current_phase: 1, started_at: "2026-01-02T03:04:05Z" });
    expect(value.metrics).toMatchObject({ total_tasks: 3, completed_count: 2, failed_count: 0 });
    expect(value.completed_tasks).toEqual(["T0.1", "T0.2"]);
  });

  test("lists of objects, with what they say kept", () => {
    const failed = [{ id: "T1.2", error: "E", attempts: 10, skipped_at: "2026-01-01" }];
    const value = upgraded({
      version: "1.2",
      completed_tasks: [{ id: "T1.1", commit: "abc" }, { task_id: "P0-T0.1" }, {}, null, 7],
      failed_tasks: failed,
      decisions: ["use JWT"],
    });
    expect(value.tasks.completed).toEqual(["T1.1", "P0-T0.1"]);
    expect(value.tasks.failed).toEqual(["T1.2"]);
    expect(value.failed_tasks).toEqual(failed);
    expect(value.decisions).toEqual(["use JWT"]);
  });

  test("maps by id and mere numbers", () => {
    const value = upgraded({
      version: "1.1",
      completed_tasks: { "P2-R1-T1": { at: "x" }, "P2-S1-V": true, note: "y" },
      failed_tasks: 3,
      total_tasks: "45",
    });
    expect(value.tasks.completed).toEqual(["P2-R1-T1", "P2-S1-V"]);
    expect(value.metrics).toMatchObject({ total_tasks: 45, completed_count: 2, failed_count: 3 });
    expect(value.failed_tasks).toBe(3);
  });

  test("tasks as a list with statuses, and as a map", () => {
    const list = [
      { id: "T1.1", title: "a", status: "done" },
      { id: "T1.2", status: "In Progress" },
      { id: "T1.3" },
    ];
    const value = upgraded({ version: "1.0", tasks: list });
    expect(value.tasks).toMatchObject({
      completed: ["T1.1"],
      in_progress: ["T1.2"],
      pending: ["T1.3"],
    });
    expect(value.v1).toEqual({ tasks: list });
    const map = { "T1.1": { status: "completed" }, "T1.2": "failed", "T1.3": 5 };
    const other = upgraded({ version: "1.0", tasks: map });
    expect(other.tasks).toMatchObject({
      completed: ["T1.1"],
      failed: ["T1.2"],
      pending: ["T1.3"],
    });
    expect(Object.keys(other.tasks)).toHaveLength(6);
    expect(other.v1.tasks).toEqual(map);
  });

  test("camelCase", () => {
    const value = upgraded({
      version: "1.0",
      projectName: "가게",
      currentPhase: "2",
      completedTasks: ["T0.1"],
      inProgressTasks: ["T2.1"],
      startedAt: "2026-01-02 03:04:05",
      lastUpdated: "2026-01-03",
      config: { maxParallel: 3, retryLimit: 5 },
    });
    expect(value.project).toBe("가게");
    expect(value.tasks).toMatchObject({ completed: ["T0.1"], in_progress: ["T2.1"] });
    expect(value.execution).toMatchObject({
      current_phase: 2,
      started_at: "2026-01-02T03:04:05",
      last_updated: "2026-01-03T00:00:00",
    });
    expect(value.config).toMatchObject({ max_parallel: 3, retry_limit: 5, maxParallel: 3 });
  });

  const phase = (current_phase: unknown): number =>
    upgraded({ version: "1.0", current_phase, completed_tasks: ["T3.1", "T0.1"] }).execution
      .current_phase;

  test("current_phase in every spelling seen", () => {
    expect(["P0", "P2", "phase_4", "Phase 1: 기반", 7, "5"].map(phase)).toEqual([0, 2, 4, 1, 7, 5]);
    // Words and nothing at all: the furthest phase that has begun.
    expect(["DONE", "COMPLETE", "completed", null, {}, -1, 1.5].map(phase)).toEqual(
      Array.from({ length: 7 }, () => 3),
    );
  });

  test("checkpoints with counts for lists and times in words", () => {
    const checkpoints = {
      phase_0: { tasks: 4, completed_at: "yesterday", merged: "yes", note: "n" },
      P1: { tasks: ["T1.1"], merge_commit: "abc1234", completed_at: "2026-01-02T00:00:00Z" },
      final: { ok: true },
      phase_2: "done",
    };
    const value = upgraded({ version: "1.0", checkpoints });
    expect(value.checkpoints).toEqual({
      phase_0: { tasks_count: 4, note: "n" },
      phase_1: {
        tasks: ["T1.1"],
        merge_commit: "abc1234",
        completed_at: "2026-01-02T00:00:00Z",
      },
      phase_2: {},
    });
    expect(value.v1.checkpoints).toEqual(checkpoints);
  });

  test("what only a dependency names is pending; a circle is still refused", () => {
    const value = upgraded({
      version: "1.0",
      completed_tasks: ["T1.1"],
      dependencies: { "T1.2": ["T1.1", "T1.9"], "T1.3": "T1.2", note: ["x"], "T1.4": [1, "x"] },
    });
    expect(value.tasks.pending.toSorted()).toEqual(["T1.2", "T1.3", "T1.4", "T1.9"]);
    expect(value.dependencies).toEqual({
      "T1.2": ["T1.1", "T1.9"],
      "T1.3": ["T1.2"],
      "T1.4": [],
    });
    const circle = codec.read(
      encoder.encode(
        JSON.stringify({ version: "1.0", dependencies: { "T1.1": ["T1.2"], "T1.2": ["T1.1"] } }),
      ),
    );
    expect(!circle.ok && circle.findings.map(short)).toEqual([
      "error /dependencies/T1.1/0 format.rule.circle",
    ]);
  });

  test("a task that stands twice keeps the place that is furthest along", () => {
    const value = upgraded({
      version: "1.0",
      tasks: { pending: ["T1.1", "T1.2"], completed: ["T1.1"], in_progress: ["T1.2"] },
    });
    expect(value.tasks).toMatchObject({
      completed: ["T1.1"],
      in_progress: ["T1.2"],
      pending: [],
    });
  });

  test("next to nothing; a number as version; everything of the wrong type", () => {
    expect(upgraded({ version: "1" }).project).toBe("project");
    expect(upgraded({ version: 1, completed_tasks: ["T1.1"] }).tasks.completed).toEqual(["T1.1"]);
    const odd = {
      version: "1.0",
      mode: 5,
      project: [],
      execution: "x",
      tasks: 1,
      dependencies: [1],
      checkpoints: null,
      metrics: "m",
      config: true,
      own: { a: 1 },
    };
    const value = upgraded(odd);
    const { version: _, own: mine, ...rest } = odd;
    expect(value.v1).toEqual(rest);
    expect(value.own).toEqual(mine);
  });

  test("any JSON object with version 1.0 reads, or is refused for a circle or its webhook", () => {
    const names = [
      "tasks",
      "completed_tasks",
      "completedTasks",
      "execution",
      "dependencies",
      "checkpoints",
      "metrics",
      "config",
      "current_phase",
      "started_at",
      "project",
    ];
    const leaf = fc.oneof(
      fc.constantFrom("T1.1", "T1.2", "P0", "done", "2026-01-01", "phase_1", ""),
      fc.integer(),
      fc.constant(null),
      fc.boolean(),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie("tree"), { maxLength: 4 }),
        fc.dictionary(
          fc.constantFrom("T1.1", "T1.2", "phase_1", "P3", "completed", "status", "id", "tasks"),
          tie("tree"),
          { maxKeys: 4, noNullPrototype: true },
        ),
      ),
    }));
    const documents = fc.dictionary(fc.constantFrom(...names), tree, { noNullPrototype: true });
    fc.assert(
      fc.property(documents, (old) => {
        const read = codec.read(encoder.encode(JSON.stringify({ ...old, version: "1.0" })));
        const refusals = read.ok ? [] : read.findings.map(({ text }) => text.key);
        expect(refusals.filter((key) => key !== "format.rule.circle")).toEqual([]);
      }),
      { numRuns: 2000, seed: 21 },
    );
  });
});

// --- rules across fields ---

interface Rule {
  readonly says: string;
  readonly format: FormatName;
  readonly breaks: (document: Free) => unknown;
  /** `level pointer rule`, all of them. */
  readonly found: readonly string[];
  /** The nearest document that keeps the rule; the fixture itself where not given. */
  readonly keeps?: (document: Free) => unknown;
}

const error = (pointer: string, rule: string): string => `error ${pointer} format.rule.${rule}`;
const told = (pointer: string, rule: string): string => `notice ${pointer} format.rule.${rule}`;
const entry = (id: string): Free => ({
  id,
  name: "n",
  result: "success",
  started_at: "2026-01-01T00:00:00Z",
  completed_at: "2026-01-01T00:00:00Z",
  duration_seconds: 1,
  summary: "",
});

const rules: readonly Rule[] = [
  {
    says: "S0.1 a strategy before IMPLEMENT",
    format: "develop-state",
    breaks: (d) => (d.phase = "REVIEW"),
    found: [error("/strategy", "strategy_early")],
    keeps: (d) => {
      d.phase = "REVIEW";
      delete d.strategy;
    },
  },
  {
    says: "S0.1 IMPLEMENT without a strategy",
    format: "develop-state",
    breaks: (d) => delete d.strategy,
    found: [told("", "strategy_missing")],
    keeps: (d) => {
      d.phase = "DONE";
      delete d.strategy;
    },
  },
  {
    says: "S0.2 pending with an attempt",
    format: "develop-state",
    breaks: (d) => (d.checkpoints["cp-3"].iteration = 1),
    found: [error("/checkpoints/cp-3/iteration", "iteration")],
  },
  {
    says: "S0.2 passed without one",
    format: "develop-state",
    breaks: (d) => (d.checkpoints["cp-1"].iteration = 0),
    found: [error("/checkpoints/cp-1/iteration", "iteration")],
    keeps: (d) => (d.checkpoints["cp-1"] = { status: "escalated", iteration: 3 }),
  },
  {
    says: "S0.4 a dependency that does not exist",
    format: "checkpoint-definitions",
    breaks: (d) => d.checkpoints[1].dependencies.push("cp-9"),
    found: [error("/checkpoints/1/dependencies/1", "missing_dependency")],
  },
  {
    says: "S0.4 a circle",
    format: "checkpoint-definitions",
    breaks: (d) => (d.checkpoints[0].dependencies = ["cp-3"]),
    found: [error("/checkpoints/0/dependencies/0", "circle")],
    keeps: (d) => (d.checkpoints[0].dependencies = []),
  },
  {
    says: "S0.4 one id in two spellings",
    format: "checkpoint-definitions",
    breaks: (d) => (d.checkpoints[2].id = "cp-2"),
    found: [error("/checkpoints/2/id", "same_id")],
    keeps: (d) => (d.checkpoints[1].id = "cp-2"),
  },
  {
    says: "S2.2 a task in two lists",
    format: "orchestrate-state",
    breaks: (d) => d.tasks.failed.push("T1.4"),
    found: [told("/tasks/in_progress/0", "two_lists"), told("/tasks/failed/0", "two_lists")],
    keeps: (d) => (d.tasks.ready = ["T1.4"]),
  },
  {
    says: "S2.2 a task twice in one list",
    format: "orchestrate-state",
    breaks: (d) => (d.tasks.ready = ["T1.4", "T1.4"]),
    found: [told("/tasks/ready/1", "two_lists")],
    keeps: (d) => (d.tasks.ready = ["T1.4"]),
  },
  {
    says: "S2.4 a missing dependency",
    format: "orchestrate-state",
    breaks: (d) => {
      d.tasks.ready = ["T1.4"];
      d.dependencies["T1.3"][1] = "T9.9";
    },
    found: [error("/dependencies/T1.3/1", "missing_dependency")],
    // A finished phase's tasks count as completed, though no list names them.
    keeps: (d) => {
      d.tasks.ready = ["T1.4"];
      d.dependencies["T1.3"][1] = "T0.5.2";
    },
  },
  {
    says: "S2.4 a circle",
    format: "orchestrate-state",
    breaks: (d) => {
      d.tasks.ready = ["T1.4"];
      d.dependencies["T1.4"] = ["T1.1", "T1.7"];
    },
    found: [error("/dependencies/T1.4/1", "circle")],
    keeps: (d) => (d.tasks.ready = ["T1.4"]),
  },
  {
    says: "S2.2 dependencies of a task in no list",
    format: "orchestrate-state",
    breaks: (d) => {
      d.tasks.ready = ["T1.4"];
      d.dependencies["T8.1"] = ["T1.1"];
    },
    found: [told("/dependencies/T8.1", "stranger")],
    keeps: (d) => (d.tasks.ready = ["T1.4"]),
  },
  {
    says: "S3.2 a step that depends on none",
    format: "task-state",
    breaks: (d) => (d.current_task.plan.steps[0].dependencies = [2]),
    found: [error("/current_task/plan/steps/0/dependencies/0", "missing_dependency")],
  },
  {
    says: "S3.2 a step that depends on itself",
    format: "task-state",
    breaks: (d) => (d.current_task.plan.steps[0].dependencies = [1]),
    found: [error("/current_task/plan/steps/0/dependencies/0", "circle")],
    keeps: (d) => {
      const [step] = d.current_task.plan.steps;
      d.current_task.plan.steps.push({ ...step, id: 2, dependencies: [1] });
    },
  },
  {
    says: "S3.2 two steps with one id",
    format: "task-state",
    breaks: (d) => d.current_task.plan.steps.push(d.current_task.plan.steps[0]),
    found: [error("/current_task/plan/steps/1/id", "same_id")],
    keeps: (d) => d.current_task.plan.steps.push({ ...d.current_task.plan.steps[0], id: 2 }),
  },
  {
    says: "S3.2 a current step that does not exist",
    format: "task-state",
    breaks: (d) => (d.current_task.plan.current_step = 7),
    found: [error("/current_task/plan/current_step", "no_such_step")],
    keeps: (d) => (d.current_task.plan.current_step = 0),
  },
  {
    says: "S3.3 a waiting plan with the id of the current one",
    format: "task-state",
    breaks: (d) => (d.pending_tasks = [structuredClone(d.current_task)]),
    found: [error("/pending_tasks/0/id", "same_id")],
    keeps: (d) => (d.pending_tasks = [{ ...d.current_task, id: "task-2025-11-18-002" }]),
  },
  {
    says: "S3.2 a fault in a waiting plan",
    format: "task-state",
    breaks: (d) => {
      d.pending_tasks = [structuredClone({ ...d.current_task, id: "task-2025-11-18-002" })];
      d.pending_tasks[0].plan.current_step = 3;
    },
    found: [error("/pending_tasks/0/plan/current_step", "no_such_step")],
  },
  {
    says: "S3.6 one plan twice",
    format: "task-history",
    breaks: (d) => d.tasks.push(entry(d.tasks[0].id)),
    found: [error("/tasks/1/id", "same_id")],
    keeps: (d) => d.tasks.push(entry("task-2025-11-18-002")),
  },
  {
    says: "S3.6 more than 100 plans",
    format: "task-history",
    breaks: (d) => {
      for (let n = 100; n < 200; n++) d.tasks.push(entry(`task-2025-11-19-${n}`));
      d.statistics.total_tasks = 101;
    },
    found: [told("/tasks", "history_long")],
    keeps: (d) => {
      for (let n = 100; n < 199; n++) d.tasks.push(entry(`task-2025-11-19-${n}`));
    },
  },
  {
    says: "S3.6 a total below what is listed",
    format: "task-history",
    breaks: (d) => (d.statistics.total_tasks = 0),
    found: [told("/statistics/total_tasks", "total_low")],
    keeps: (d) => (d.statistics.total_tasks = 1),
  },
  {
    says: "S3.9 a cache of more than 50",
    format: "agent-memory",
    breaks: (d) => (d.cache.recent_topics = Array.from({ length: 51 }, (_, n) => n)),
    found: [told("/cache/recent_topics", "cache_long")],
    keeps: (d) => (d.cache.recent_topics = Array.from({ length: 50 }, (_, n) => n)),
  },
  {
    says: "S4.2 an order that names a task twice",
    format: "request-state",
    breaks: (d) => (d.task_order = ["T1", "T1"]),
    found: [error("/task_order/1", "same_id")],
  },
  {
    says: "S4.2 a task and a current task that no order names",
    format: "request-state",
    breaks: (d) => (d.task_order = ["T2"]),
    found: [error("/tasks/T1", "not_in_order"), error("/request/current_task", "not_in_order")],
    keeps: (d) => {
      d.task_order = [];
      d.tasks = {};
      d.request.current_task = null;
    },
  },
  {
    says: "S4.1 another task's subtask",
    format: "request-state",
    breaks: (d) => d.tasks.T1.subtask_order.push("T2-S1"),
    found: [error("/tasks/T1/subtask_order/3", "foreign_subtask")],
    keeps: (d) => d.tasks.T1.subtask_order.push("T1-S4"),
  },
  {
    says: "S4.2 a subtask order with one twice",
    format: "request-state",
    breaks: (d) => d.tasks.T1.subtask_order.push("T1-S1"),
    found: [error("/tasks/T1/subtask_order/3", "same_id")],
  },
  {
    says: "S4.2 subtasks that no order names",
    format: "request-state",
    breaks: (d) => (d.tasks.T1.subtask_order = ["T1-S1", "T1-S3"]),
    found: [
      error("/tasks/T1/subtasks/T1-S2", "not_in_order"),
      error("/tasks/T1/current_subtask", "not_in_order"),
    ],
    keeps: (d) => (d.tasks.T1.subtask_order = ["T1-S1", "T1-S2"]),
  },
  {
    says: "S4.4 completed, and still in a phase",
    format: "request-state",
    breaks: (d) => (d.tasks.T1.subtasks["T1-S1"].phase = "verification"),
    found: [error("/tasks/T1/subtasks/T1-S1/phase", "phase_status")],
  },
  {
    says: "S4.4 completed with a gate that did not pass, or was not asked",
    format: "request-state",
    breaks: (d) =>
      (d.tasks.T1.subtasks["T1-S1"].gates = { "GATE-1": "passed", "GATE-4": "failed" }),
    found: [
      error("/tasks/T1/subtasks/T1-S1/gates/GATE-2", "gate_open"),
      error("/tasks/T1/subtasks/T1-S1/gates/GATE-4", "gate_open"),
    ],
    keeps: (d) => (d.tasks.T1.subtasks["T1-S1"].gates["GATE-3"] = "passed"),
  },
  {
    says: "S4.2 two tasks with one id",
    format: "task-breakdown",
    breaks: (d) => {
      d.tasks.push(structuredClone(d.tasks[1]));
    },
    found: [error("/tasks/2/id", "same_id")],
  },
  {
    says: "S4.2 two subtasks with one id",
    format: "task-breakdown",
    breaks: (d) => (d.tasks[0].subtasks[2].id = "T1-S1"),
    found: [error("/tasks/0/subtasks/2/id", "same_id")],
    keeps: (d) => (d.tasks[0].subtasks[2].id = "T1-S9"),
  },
  {
    says: "S4.1 a subtask under another task",
    format: "task-breakdown",
    breaks: (d) => (d.tasks[0].subtasks[0].id = "T2-S9"),
    found: [error("/tasks/0/subtasks/0/id", "foreign_subtask")],
  },
  {
    says: "S4.2 an order of tasks that do not exist",
    format: "task-breakdown",
    breaks: (d) => d.task_order.push("T3"),
    found: [error("/task_order/2", "no_such_task")],
    keeps: (d) => (d.task_order = ["T2", "T1"]),
  },
  {
    says: "S4.2 an order with a task twice and one left out",
    format: "task-breakdown",
    breaks: (d) => (d.task_order = ["T1", "T1"]),
    found: [error("/task_order/1", "same_id"), error("/task_order", "not_in_order")],
  },
  {
    says: "S4.2 a brief with a subtask twice",
    format: "design-brief",
    breaks: (d) => (d.subtasks[1].id = "T1-S1"),
    found: [error("/subtasks/1/id", "same_id")],
  },
  {
    says: "S4.1 a brief with another task's subtask",
    format: "design-brief",
    breaks: (d) => (d.subtasks[1].id = "T12-S1"),
    found: [error("/subtasks/1/id", "foreign_subtask")],
  },
  {
    says: "S4.2 two invariants with one id",
    format: "design-contract",
    breaks: (d) => (d.invariants[1].id = "INV-1"),
    found: [error("/invariants/1/id", "same_id")],
  },
  {
    says: "S4.2 two test cases with one id",
    format: "test-contract",
    breaks: (d) => {
      d.coverage_targets.pop();
      d.test_cases[1].id = "TC-1";
    },
    found: [error("/test_cases/1/id", "same_id")],
    keeps: (d) => d.coverage_targets.pop(),
  },
  {
    says: "S4.1 a test contract of another task's subtask",
    format: "test-contract",
    breaks: (d) => {
      d.coverage_targets.pop();
      d.subtask_id = "T2-S2";
    },
    found: [error("/subtask_id", "foreign_subtask")],
    keeps: (d) => d.coverage_targets.pop(),
  },
  {
    says: "S4.2b a target without a case",
    format: "test-contract",
    breaks: () => {},
    found: [told("/coverage_targets/1", "uncovered")],
    keeps: (d) => (d.test_cases[1].target = "AController.handleGet"),
  },
  {
    says: "S4.1 a result of another task's subtask",
    format: "test-result",
    breaks: (d) => (d.task_id = "T11"),
    found: [error("/subtask_id", "foreign_subtask")],
  },
  {
    says: "S4.2 a sum that does not add up",
    format: "test-result",
    breaks: (d) => (d.summary.skipped = 1),
    found: [error("/summary/total", "sum")],
    keeps: (d) => (d.summary = { total: 3, passed: 2, failed: 0, skipped: 1 }),
  },
  {
    says: "S4.2 a pass with failures",
    format: "test-result",
    breaks: (d) => (d.summary = { total: 2, passed: 1, failed: 1, skipped: 0 }),
    found: [error("/execution/result", "pass_with_failures")],
  },
  {
    says: "S4.2 more failures listed than counted",
    format: "test-result",
    breaks: (d) =>
      (d.failed_tests = [{ id: "TC-1", name: "n", category: "test_error", message: "" }]),
    found: [error("/failed_tests", "more_failed")],
  },
  {
    says: "S4.5 complete although it failed",
    format: "test-result",
    breaks: (d) => (d.execution.result = "fail"),
    found: [error("/recommendation/action", "complete_despite_failure")],
    keeps: (d) => {
      d.execution.result = "fail";
      d.recommendation.action = "retry_design";
      d.summary = { total: 2, passed: 1, failed: 1, skipped: 0 };
      d.failed_tests = [{ id: "TC-1", name: "n", category: "design_violation", message: "m" }];
    },
  },
  {
    says: "S4.7 two decisions with one id",
    format: "knowledge",
    breaks: (d) => d.decisions.push(d.decisions[0]),
    found: [error("/decisions/1/id", "same_id")],
    keeps: (d) => d.decisions.push({ ...d.decisions[0], id: "D2", created_at: "2026-01-01" }),
  },
  {
    says: "S4.7 two pitfalls with one id",
    format: "knowledge",
    breaks: (d) => (d.pitfalls[1].id = "P1"),
    found: [error("/pitfalls/1/id", "same_id")],
  },
  {
    says: "S1.17 a type of our own name",
    format: "project-settings",
    breaks: (d) => (d.task_types.develop = d.task_types.blog_post),
    found: [error("/task_types/develop", "type_taken")],
    keeps: (d) => (d.task_types.developer = d.task_types.blog_post),
  },
];

describe("rules across fields", () => {
  for (const { says, format, breaks, found, keeps } of rules) {
    test(`${says} is found at its place, and its opposite is not (${format})`, async () => {
      const broken = valueOf(format);
      breaks(broken);
      const findings = await findingsIn(format, broken);
      expect(findings.map(short)).toEqual(found);
      for (const finding of findings) {
        expect(finding.line).toBeGreaterThan(0);
        for (const language of languages)
          expect(render(language, finding.text)).not.toMatch(/\{\w+\}|undefined|\[object/);
      }
      const kept = valueOf(format);
      keeps?.(kept);
      const broke = new Set(found);
      const seen = await findingsIn(format, kept);
      expect(seen.filter((finding) => broke.has(short(finding)))).toEqual([]);
      expect(seen.filter(({ level }) => level === "error")).toEqual([]);
    });
  }

  test("S5.4 an agent's name that can not be a file's is refused", async () => {
    for (const agent of ["con", "x.lock", "a\u202eb", "constructor", "a:b", "-rf", "a ", "ａ"]) {
      const found = await findingsIn("agent-memory", { ...valueOf("agent-memory"), agent });
      const places = found.map(({ level, pointer }) => `${level} ${pointer}`);
      expect([agent, ...places]).toEqual([agent, "error /agent"]);
    }
    for (const agent of ["orchestrator", "글쓰기 도우미", "agent_2.1"]) {
      const found = await findingsIn("agent-memory", { ...valueOf("agent-memory"), agent });
      expect([agent, ...found]).toEqual([agent]);
    }
  });

  test.each([
    ...["a\0b", "\0", " ", "", "\n"].map((command) => [command, ["/commands/test"]] as const),
    ...["npm test", "a\nb", "\t테스트 "].map((command) => [command, []] as const),
  ])("S5.4 a command that no shell can be given is refused: %j", async (command, places) => {
    const settings = { ...valueOf("project-settings"), commands: { test: command } };
    const findings = await findingsIn("project-settings", settings);
    expect(findings.map(({ pointer }) => pointer)).toEqual(places);
  });

  test("S6.1 many notices are cut, but never the error behind them", async () => {
    const state = valueOf("orchestrate-state");
    state.tasks.ready = ["T1.4"];
    state.tasks.blocked = Array.from({ length: 500 }, () => "T1.4");
    const notices = await findingsIn("orchestrate-state", state);
    expect(notices).toHaveLength(mostFindings);
    state.dependencies["T1.7"] = ["T9.9"];
    const [first, ...rest] = await findingsIn("orchestrate-state", state);
    expect(first && short(first)).toBe(error("/dependencies/T1.7/0", "missing_dependency"));
    expect(rest).toHaveLength(mostFindings - 1);
  });
});

// --- patterns ---

describe("patterns", () => {
  const parsers: Readonly<Record<string, (text: string) => unknown>> = {
    unitId: parseUnitId,
    checkpointId: parseCheckpointId,
    checkpointKey: parseCheckpointId,
    requestId: parseRequestId,
    taskId: parseRequestId,
    subtaskId: parseRequestId,
  };

  for (const [name, parse] of Object.entries(parsers)) {
    test(`S2.4 S4.1 every ${name} that the schema accepts is one that core can read`, () => {
      const pattern = new RegExp(patterns[name as keyof typeof patterns], "u");
      fc.assert(
        fc.property(fc.stringMatching(pattern), (id) => {
          expect([id, parse(id)]).not.toEqual([id, undefined]);
        }),
        { numRuns: 500, seed: 4 },
      );
    });
  }

  test("S5.4 a path stays inside the project whatever characters are in it", () => {
    const pattern = new RegExp(patterns.relativePath, "u");
    const step = fc.oneof(
      fc.constantFrom("..", ".", "a", "", "..a", "a..", "\u2028", "\u2029", "\n", "\\", "…", "\0"),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), fc.constantFrom("/", "\\"), (parts, sign) => {
        const path = parts.join(sign);
        const climbs = path.startsWith("/") || path.split(/[/\\]/).includes("..");
        expect([path, climbs && pattern.test(path)]).toEqual([path, false]);
      }),
      { numRuns: 5000, seed: 5 },
    );
    expect(pattern.test("x\u2028/../../etc/passwd")).toBe(false);
    for (const path of ["src/a.ts", "한글/파일.md", "..a/b", "a..b", ".env", "a b/c"])
      expect([path, pattern.test(path)]).toEqual([path, true]);
  });
});

// --- paths ---

const filled = (path: string): string =>
  path
    .replace("{hash}", "a1b2c3d4")
    .replace("{request}", "R1")
    .replace("{task}", "T1")
    .replace("{subtask}", "T1-S1")
    .replace("{name}", "orchestrator");

describe("S5 the format of a path", () => {
  for (const name of formatNames)
    test(`${formats[name].path} is ${name}, from any root`, () => {
      const path = filled(formats[name].path);
      for (const written of [path, `./${path}`, `/home/me/app/${path}`, path.replaceAll("/", "\\")])
        expect(formatOfPath(written)).toBe(name);
    });

  test("an agent called like another format's file is still an agent", () => {
    expect(formatOfPath(".claude/memory/agents/state.json")).toBe("agent-memory");
    expect(formatOfPath(".claude/memory/agents/holdfast.yaml")).toBe("project-settings");
  });

  test("foreign files have none", () => {
    for (const path of [
      "",
      "/",
      "package.json",
      "src/index.ts",
      "agents/x.json",
      ".claude/agents/x.json",
      ".claude/memory/agents/x.json.bak",
      ".claude/memory/agents/",
      ".claude/memory/agents/notes/x.json",
      ".claude/orchestrate-state.json.lock",
      ".claude/orchestrate-state.json.bak",
      ".develop-workflow/state.yml",
      "STATE.YAML",
      "xstate.json",
      "toString",
      "__proto__",
    ])
      expect([path, formatOfPath(path)]).toEqual([path, undefined]);
  });
});

// --- the webhook ---

describe("S2.3 the webhook address appears in no finding", () => {
  const secret = "T0SECRET/B0HIDDEN/cANARYcANARY";
  const url = `https://hooks.slack.com/services/${secret}`;
  const codec = codecOf("orchestrate-state");

  async function silent(text: string): Promise<number> {
    const bytes = encoder.encode(text);
    const reads = [codec.read(bytes), await codec.inspect(bytes)];
    const findings = reads.flatMap((read) => (read.ok ? read.notices : read.findings));
    const said = [
      JSON.stringify(findings),
      ...findings.flatMap(({ text: sentence, expected, got }) =>
        [sentence, expected, got].flatMap((part) =>
          part ? languages.map((language) => render(language, part)) : [],
        ),
      ),
    ].join("\n");
    for (const part of ["SECRET", "HIDDEN", "cANARY", "hooks.slack"])
      expect(said).not.toContain(part);
    return findings.filter(({ level }) => level === "error").length;
  }

  test("as a value of any wrong shape, in any place", async () => {
    const wrong = [
      url.replace("https", "http"),
      ` ${url}`,
      `${url}\n`,
      `${url} ${url}`,
      url + "x".repeat(2000),
      url.slice(8),
      [url],
      { url },
      [[url]],
    ];
    for (const value of wrong) {
      const state = valueOf("orchestrate-state");
      state.config.slack_webhook_url = value;
      expect(await silent(JSON.stringify(state))).toBeGreaterThan(0);
      for (const version of ["1.0", "9.0", "0.1"])
        await silent(JSON.stringify({ ...state, version, slack_webhook_url: value }));
      await silent(JSON.stringify({ version: "1.0", config: { slackWebhookUrl: value } }));
    }
    const places: ((state: Free) => unknown)[] = [
      (s) => (s.config = url),
      (s) => (s.config = [url]),
      (s) => (s.config.retry_limit = url),
      (s) => (s.config.max_parallel = url),
      (s) => (s.mode = url),
      (s) => (s.version = url),
      (s) => s.tasks.ready.push(url),
      (s) => (s.execution.started_at = url),
      (s) => (s.dependencies["T1.3"] = [url]),
      (s) => (s.dependencies["T1.3"] = url.slice(8)),
      (s) => (s.checkpoints.phase_1.progress = url),
    ];
    for (const put of places) {
      const state = valueOf("orchestrate-state");
      put(state);
      expect(await silent(JSON.stringify(state))).toBeGreaterThan(0);
    }
  });

  test("in text that is not JSON, broken at any character of it", async () => {
    const { text: seedText } = seed("full/.claude/orchestrate-state.json");
    const text = seedText.replace(/"https:[^"]*"/, JSON.stringify(url));
    const from = text.indexOf(url);
    let broken = 0;
    for (let place = from - 25; place < from + url.length + 4; place++) {
      for (const put of ['"', "\t", "\n", "\\", "\0", ",", "{", "\\ud800"])
        broken += await silent(text.slice(0, place) + put + text.slice(place));
      broken += await silent(text.slice(0, place));
      broken += await silent(text.slice(0, place) + text.slice(place + 1));
    }
    await silent(
      text.replace('"slack_webhook_url"', '"slack_webhook_url": 1, "slack_webhook_url"'),
    );
    await silent(text.replace('"slack_webhook_url"', '"slack_webhok_url"'));
    expect(broken).toBeGreaterThan(500);
  });
});
