// `/plan` and `/request` in the real Claude Code: a model that does what the skill tells it, over `next` and
// `report`, from the first word to the last. It makes mistakes on its way; Holdfast alone writes the state.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { projectHash } from "../../src/core/ids.ts";
import type { Knowledge } from "../../src/formats/knowledge.ts";
import { formatOfPath } from "../../src/formats/registry.ts";
import type { RequestState } from "../../src/formats/request-state.ts";
import type { TaskHistory } from "../../src/formats/task-history.ts";
import { parseYaml } from "../../src/formats/yaml.ts";
import { holdfast } from "../cli/program.ts";
import { reader, watched } from "../orchestrate/carried.ts";
import { closing, plan, verdict } from "../plan/play.ts";
import type { ModelRequest, Say } from "./model-api/model-api.ts";
import { type Course, type PluginStage, play, pluginStage, shell } from "./plugin-stage.ts";
import { answered } from "../request/answered.mjs";

const answers = JSON.parse(
  readFileSync(new URL("../request/role-answers.json", import.meta.url), "utf8"),
) as {
  readonly source: string;
  readonly testFile: string;
  readonly code: string;
  readonly tests: string;
  readonly patterns: string;
  readonly contracts: Readonly<Record<string, object>>;
};

/** What the course met, for the test to look at. */
interface Met {
  readonly lines: string[];
  readonly told: string[];
}

for (const { version, path } of inject("claude"))
  describe.skipIf(path === null)(`Claude Code ${version}: whole workflows by the plugin`, () => {
    let stage: PluginStage;
    beforeEach(async () => {
      stage = await pluginStage(path ?? "");
    });
    afterEach(() => stage.close());

    /** One turn, with every document read whenever it can be; what is left is valid for the program, too. */
    const turn = async (text: string, below: string, course: (first: ModelRequest) => Course) => {
      const { api, proxy, project, env, conversation } = stage;
      const { look } = await reader({ project }, below);
      const { stop } = watched(look);
      play(api, course);
      const lines = await conversation("--allowedTools", "Bash(holdfast:*)", "Read")(text);
      stop();
      look();
      expect([...api.strange, ...proxy.refused]).toEqual([]);
      expect(lines.at(-1)).toMatchObject({ type: "result", subtype: "success", is_error: false });
      const files = readdirSync(join(project, below), { recursive: true, encoding: "utf8" })
        .map((name) => join(below, name))
        .filter((name) => formatOfPath(name) !== undefined && !name.includes("/backup/"))
        .toSorted();
      const valid = holdfast(["validate", ...files], { cwd: project, env });
      expect({ code: valid.code, err: valid.err }).toEqual({ code: 0, err: "" });
      return files.map((name) => name.slice(below.length + 1));
    };

    test("S6.4 /plan: planned, worked, judged, learnt; what is refused is mended", async () => {
      const met: Met = { lines: [], told: [] };
      // `/plan` alone is Claude Code's own; the others need no name before theirs.
      const files = await turn("/holdfast:plan Two notes", ".claude/memory", (first) =>
        planned(first, stage.project, met),
      );
      expect(files).toEqual([
        "agents/editor.json",
        "agents/orchestrator.json",
        "agents/writer.json",
        "shared-context.json",
        "task-history.json",
        "task-state.json",
      ]);
      expect(met.lines).toEqual([
        "READY:PLAN",
        "READY:PLAN",
        "READY:1",
        "READY:2",
        "READY:VERDICT",
        "READY:LESSONS",
        "ALL_DONE",
      ]);
      const [hand, form, unmet, stop] = met.told;
      expect(hand).toContain("Holdfast alone writes it");
      expect(form).toContain("/steps/0/agent: is missing");
      expect(unmet).toContain("one.md");
      expect(stop).toContain("Steps of the plan are still yours: 1");
      const history = JSON.parse(
        readFileSync(join(stage.project, ".claude/memory/task-history.json"), "utf8"),
      ) as TaskHistory;
      expect(history).toMatchObject({
        tasks: [{ name: "Two notes", result: "success", lessons: ["test first"] }],
        statistics: { total_tasks: 1, success_rate: 1 },
      });
    });

    test("S6.4 /request: contracts, gates and code; a false pass and a stray file are caught", async () => {
      const { project } = stage;
      mkdirSync(join(project, "src"));
      writeFileSync(join(project, answers.source), "export const item = 0;\n");
      const met: Met = { lines: [], told: [] };
      const files = await turn("/request read an item", ".claude/orchestrator", (first) =>
        requested(first, project, met),
      );
      const hash = projectHash(project);
      expect(files).toEqual([
        `knowledge/${hash}/knowledge.yaml`,
        `sessions/${hash}/contracts/R1/T1/T1-S1/test-contract.yaml`,
        `sessions/${hash}/contracts/R1/T1/T1-S1/test-result.yaml`,
        `sessions/${hash}/contracts/R1/T1/design-brief.yaml`,
        `sessions/${hash}/contracts/R1/T1/design-contract.yaml`,
        `sessions/${hash}/contracts/R1/explored.yaml`,
        `sessions/${hash}/contracts/R1/task-breakdown.yaml`,
        `sessions/${hash}/session.json`,
        `sessions/${hash}/state.json`,
      ]);
      const below = join(project, ".claude/orchestrator");
      const { request, tasks } = JSON.parse(
        readFileSync(join(below, `sessions/${hash}/state.json`), "utf8"),
      ) as RequestState;
      expect(request).toMatchObject({ status: "completed", global_phase: "complete" });
      expect(tasks["T1"]?.subtasks["T1-S1"]?.gates).toEqual({
        "GATE-1": "passed",
        "GATE-2": "passed",
        "GATE-3": "passed",
        "GATE-4": "passed",
      });
      const told = met.told.join("\n");
      // Unknown field: named by `contracts` before it counts, and by the report.
      expect(told).toMatch(/\/mood/);
      expect(told).toMatch(/RETRY:explore:\d/);
      expect(told).toMatch(/BACK:T1-S1:planning[^]*src\/stray\.mjs/);
      expect(told).toMatch(/BACK:T1-S1:implementation[^]*GATE-2/);
      expect(told).toContain("holds T1-S1 of the request");
      expect(met.lines.at(-1)).toBe("ALL_DONE");
      const read = parseYaml(readFileSync(join(below, `knowledge/${hash}/knowledge.yaml`), "utf8"));
      const known = (read.ok ? read.value : {}) as Knowledge;
      expect(known).toMatchObject({ patterns: { naming: "camelCase" }, decisions: [{}] });
      // What to do, not the gate's own words (S4.7).
      expect(known.pitfalls.map(({ description }) => description)).toEqual([
        expect.stringMatching(/^Change only /),
        expect.stringMatching(/^Run “node /),
      ]);
    });
  });

// --- what a model does that follows the skill ---

/** The skill says it to the model; without it no report would be this session's. */
function sessionIn({ conversation }: ModelRequest): string {
  const [, session = ""] = /Your session is `([\w-]{36})`/.exec(conversation) ?? [];
  if (session === "") throw new Error(conversation);
  return session;
}

function write(path: string, content: string) {
  return { name: "Write", input: { file_path: path, content } };
}

function looked(path: string) {
  return { name: "Read", input: { file_path: path } };
}

function* did(...calls: NonNullable<Say["calls"]>): Generator<Say, string[], ModelRequest> {
  const { results } = yield { text: "Next.", calls };
  return results.map(({ text }) => text);
}

const bash = (command: string) => ({ name: "Bash", input: { command, description: "Holdfast" } });
const first = (text = ""): string => text.split("\n")[0] ?? "";

function* planned(begun: ModelRequest, project: string, { lines, told }: Met): Course {
  const at = (path: string): string => join(project, path);
  const tag = `--session ${sessionIn(begun)}`;
  const report = (line: string) => bash(`holdfast report plan ${tag} ${JSON.stringify(line)}`);
  const steps = plan([
    { id: 1, files: ["one.md"] },
    { id: 2, agent: "editor", needs: [1] },
  ]);
  yield* shell('holdfast plan "Two notes" --in-session');
  let plans = 0;
  for (;;) {
    const [next = ""] = yield* shell(`holdfast next plan ${tag}`);
    const line = first(next);
    lines.push(line);
    if (line === "READY:PLAN" && ++plans === 1) {
      const state = at(".claude/memory/task-state.json");
      // Read before, or Claude Code itself would refuse it.
      const [, refused = ""] = yield* did(looked(state), write(state, "{}"));
      const [, form = ""] = yield* did(
        write(at("steps.json"), '{"success_criteria":["a"],"steps":[{"id":1}]}'),
        report("PLAN:steps.json"),
      );
      told.push(refused, form);
    } else if (line === "READY:PLAN") {
      yield* did(write(at("steps.json"), steps), report("PLAN:steps.json"));
    } else if (line === "READY:1") {
      const [, unmet = ""] = yield* did(report("START:1"), report("DONE:1:it is there"));
      // To end the turn with a step in hand is not the end of it.
      const { said } = yield { text: "I stop here." };
      told.push(unmet, said);
      yield* did(write(at("one.md"), "one\n"), report("DONE:1:it is there"));
    } else if (line === "READY:2") {
      yield* did(report("START:2"), report("DONE:2:edited"));
    } else if (line === "READY:VERDICT") {
      yield* did(write(at("verdict.json"), verdict([true])), report("VERDICT:verdict.json"));
    } else if (line === "READY:LESSONS") {
      yield* did(write(at("lessons.json"), closing), report("LESSONS:lessons.json"));
    } else return line === "ALL_DONE" ? "Both are there." : `What is ${next}?`;
  }
}

function* requested(begun: ModelRequest, project: string, { lines, told }: Met): Course {
  const at = (path: string): string => join(project, path);
  const tag = `--session ${sessionIn(begun)}`;
  const report = (line: string) => bash(`holdfast report request ${tag} ${line}`);
  const tries = new Map<string, number>();
  yield* shell('holdfast request "read an item" --in-session');
  for (let round = 0; round < 40; round++) {
    const [next = ""] = yield* shell(`holdfast next request ${tag}`);
    const line = first(next);
    lines.push(line);
    if (!line.startsWith("READY:")) return line === "ALL_DONE" ? "It is read." : `What is ${next}?`;
    const [unit = ""] = line.slice("READY:".length).split(",");
    const [, path, format = "code", form = ""] = formIn.exec(next) ?? [];
    const time = (tries.get(format) ?? 0) + 1;
    tries.set(format, time);
    yield* did(report(`START:${unit}`));
    if (path === undefined) {
      told.push(...(yield* coded(at, time, report(`DONE:${unit}`))));
      continue;
    }
    const read = parseYaml(form);
    const filled = {
      ...(read.ok ? answered(read.value as object) : {}),
      ...answers.contracts[format],
      ...(format === "explored" && time === 1 ? { mood: "good" } : {}),
      ...(format === "test-result" ? { execution: execution() } : {}),
    };
    const also =
      format === "test-contract"
        ? [write(at(answers.testFile), answers.tests)]
        : format === "explored"
          ? [write(at(path.replace("explored.yaml", "patterns.yaml")), answers.patterns)]
          : [];
    const checks =
      format === "explored" && time === 1
        ? [bash(`holdfast contracts ${tag} --unit ${unit} --text @${path}`)]
        : [];
    const [...said] = yield* did(
      write(at(path), JSON.stringify(filled)),
      ...also,
      ...checks,
      report(`DONE:${unit}`),
    );
    told.push(...said);
  }
  return "It does not end.";
}

const formIn =
  /`(\.holdfast\/drafts\/[^`]*?([\w-]+)\.(?:yaml|json))`[^`]*```(?:yaml|json)\n([^]*?)\n```/;

/** Says what it likes: the command is run by Holdfast itself. */
function execution(): object {
  const command = `node --test ${answers.testFile}`;
  return { command, timestamp: "2026-01-01T00:00:00Z", result: "pass" };
}

/** First with a file that no design names, then with code that does not do it, then well. */
function* coded(
  at: (path: string) => string,
  time: number,
  done: NonNullable<Say["calls"]>[number],
): Generator<Say, string[], ModelRequest> {
  const source = at(answers.source);
  const code = time < 3 ? "export const item = 2;\n" : answers.code;
  const stray = at("src/stray.mjs");
  const strays = time === 1 ? [write(stray, "export {};\n")] : [];
  const removed = time === 2 ? [bash(`rm ${stray}`)] : [];
  const said = yield* did(looked(source), write(source, code), ...strays, ...removed);
  if (time !== 1) return [...said, ...(yield* did(done))];
  // To end the turn with a subtask in hand is not the end of it.
  const { said: held } = yield { text: "I stop here." };
  return [...said, held, ...(yield* did(done))];
}
