// A request carried out by itself (S4.4), with real agents, real git, a real test command and real kills.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectHash } from "../../src/core/ids.ts";
import type { Knowledge } from "../../src/formats/knowledge.ts";
import type { RequestState } from "../../src/formats/request-state.ts";
import { parseYaml } from "../../src/formats/yaml.ts";
import { holdfast } from "../cli/program.ts";
import { full } from "../crash/programs.ts";
import { differences, endingOf, killedAt, leftIn, served, someOf } from "../conduct/killed.ts";
import { figure } from "../figures.ts";
import { followed, reader } from "../orchestrate/carried.ts";
import { repository } from "../orchestrate/repository.ts";

const limit = { timeout: full ? 7_200_000 : 600_000 };

const source = "src/item.mjs";
const stray = "src/stray.mjs";
const good = { [source]: "export const item = 1;\n" };

const units = {
  // An agent that fails is tried again.
  explored: [{ fail: "no network", write: {} }, {}],
  // A field that the format does not know: refused, with its place.
  "design-contract": [
    { more: { file_refs: [{ entity: "item", path: source, status: "to_modify", mood: "good" }] } },
    {},
    // Designed again after GATE-3: of its topic the newest is known.
    { more: { invariants: [{ id: "INV-1", rule: "an item stays as it is" }] } },
  ],
  // What is no pattern, then one.
  patterns: [{ text: "errors:\n  - values\n" }, { text: "errors: values\n" }],
  // A file that no design names: GATE-3.
  code: [{ write: { ...good, [stray]: "export {};\n" } }, { write: good, remove: [stray] }],
};

const folder = ".claude/orchestrator";
const settings = `version: 1\ncommands:\n  test: "node --test test/item.test.mjs"\n`;

/** A run of its own, killed where it is told to. */
async function played(kills: string) {
  const made = repository(undefined, units, settings, {
    program: "../request/role-agent.mjs",
    files: { [source]: "export const item = 0;\n" },
  });
  const { look, seen } = await reader(made, folder);
  const story = {
    workflow: "request",
    begin: ["request", "read an item", ...made.agent],
    resume: ["request", "resume"],
  } as const;
  const told = await killedAt(made, story, kills, look);
  look();
  return { made, look, seen, ...told };
}

test(
  "S4.4 a request is explored, planned, designed, tested, built, verified and landed, killed at its boundaries",
  limit,
  async () => {
    const { made, look, seen, said, kills, met } = await played(someOf(6, 700, 44));
    // Said by who lived to say it.
    expect(full || { last: said.at(-1), kills }).toEqual(full || { last: "ALL_DONE", kills: 6 });
    await served(made, 1);
    const ending = await endingOf(made, folder);
    // Nobody was killed there; everything else is the same.
    const wanted = full ? await endingOf((await played("")).made, folder) : ending;
    const lost = [...differences(ending, wanted), ...leftIn(ending)];
    figure("boundaries of a request", {
      seen: kills,
      lost: lost.length,
      more: `${met} boundaries`,
    });
    expect(ending).toEqual(wanted);
    expect(lost).toEqual([]);
    expect([...seen].toSorted()).toEqual(
      "design-brief design-contract explored knowledge request-session request-state task-breakdown test-contract test-result".split(
        " ",
      ),
    );
    expect(Object.fromEntries(made.conversations())).toEqual({
      explored: 2,
      // GATE-3 goes back to planning, so that these are asked a second time.
      "task-breakdown": 2,
      "design-contract": 3,
      "test-contract": 2,
      code: 2,
      verdict: 1,
      "test-result": 1,
    });
    expect(made.prompt("design-contract", 2)).toContain("/file_refs/0/mood");
    expect(made.prompt("code", 2)).toContain(stray);
    const { tasks, request } = JSON.parse(
      made.read(`${session(made.project)}/state.json`),
    ) as RequestState;
    expect(request).toMatchObject({ status: "completed", global_phase: "complete" });
    expect(tasks["T1"]?.subtasks["T1-S1"]).toMatchObject({
      phase: "complete",
      gates: { "GATE-1": "passed", "GATE-3": "passed", "GATE-4": "passed", "GATE-2": "passed" },
    });
    const { out } = holdfast(["log", "--limit", "0", "--json"], {
      cwd: made.project,
      env: made.env,
    });
    expect(out.match(/(?:pass|fail)_gate_\d/g)).toEqual(
      "pass_gate_1 fail_gate_3 pass_gate_1 pass_gate_3 pass_gate_4 pass_gate_2".split(" "),
    );
    const knowledge = `.claude/orchestrator/knowledge/${projectHash(made.project)}/knowledge.yaml`;
    const learned = known(made.read(knowledge));
    expect(learned).toMatchObject({
      patterns: { naming: "camelCase" },
      decisions: [
        {
          id: "D2",
          topic: "read an item",
          decision: "INV-1: an item stays as it is; item ✗ database; item: domain",
          refs: [source],
        },
      ],
      pitfalls: [{ id: "P1", description: expect.stringContaining(stray), learned_from: "T1" }],
    });
    // Asked to learn it knows the same, and adds what it is given.
    const learn = (...words: string[]) =>
      holdfast(["request", "learn", ...words], { cwd: made.project, env: made.env });
    expect(learn().out).toMatch(/^LEARNED:1:1:1\n/);
    expect(known(made.read(knowledge))).toEqual(learned);
    made.write("patterns.yaml", "testing: node --test\n");
    expect(learn("--patterns", "patterns.yaml").out).toMatch(/^LEARNED:2:1:1\n/);
    rmSync(join(made.project, "patterns.yaml"));
    // With an agent it has them looked for; what is no pattern goes back to it.
    const looked = await followed(made, ["request", "learn", ...made.agent], look);
    expect({ code: looked.code, last: looked.lines }).toEqual({
      code: 0,
      last: expect.arrayContaining([expect.stringMatching(/^LEARNED:3:1:1$/)]),
    });
    expect(made.conversations().get("patterns")).toBe(2);
    expect(made.prompt("patterns", 2)).toContain("/patterns/errors");
    expect(known(made.read(knowledge)).patterns).toEqual({
      naming: "camelCase",
      testing: "node --test",
      errors: "values",
    });
    expect(made.git("log", "-1", "--format=%s", "main")).toBe("R1: read an item");
    expect(made.read(source)).toBe(good[source]);
    expect(existsSync(join(made.project, stray))).toBe(false);
    expect(made.git("status", "--porcelain", "--", ".", ":!.claude")).toBe("");
    expect(made.git("branch", "--format=%(refname:short)")).toBe("main");
    // Of the attempt that failed the snapshots stay, as of any task that ended.
    expect(made.trees()).toEqual([expect.stringMatching(/^task_\w+\.git$/)]);
  },
);

function session(project: string): string {
  return `.claude/orchestrator/sessions/${projectHash(project)}`;
}

function known(text: string): Knowledge {
  const read = parseYaml(text);
  if (!read.ok) throw new Error(text);
  return read.value as Knowledge;
}
