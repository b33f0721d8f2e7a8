// A plan worked through by the real Claude Code: as a session with the plugin that hands the tasks out to
// its subagents, and as the agent that a run starts for each task. Only what the model says is ours.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { loadCodec } from "../../src/formats/codec.ts";
import type { OrchestrateState } from "../../src/formats/orchestrate-state.ts";
import { cli, holdfast, start } from "../cli/program.ts";
import { complete, shell } from "./claude-stage.ts";
import type { ModelRequest, Reply } from "./model-api/model-api.ts";
import { type PluginStage, pluginStage } from "./plugin-stage.ts";

const plan = `# 상점
## Phase 0: Ground
- [ ] T0.1: 준비
## Phase 1: Core
${[1, 2, 3, 4, 5].map((n) => `- [ ] T1.${n}: part ${n}\n${n === 4 ? "  - depends: T1.1, T1.2\n" : ""}`).join("")}## Phase 2: 화면
${[1, 2, 3].map((n) => `- [ ] P2-S${n}-V: screen ${n}\n`).join("")}- [ ] T2.4: joined
  - depends: P2-S1-V, P2-S2-V
## Phase 3: Launch
- [ ] T3.1: docs
- [ ] T3.2: launch
  - depends: T3.1
  - check: grep -q good T3.2.txt
`;
const ids = [...plan.matchAll(/\[ \] ([TP][\w.-]+):/g)].map(([, id = ""]) => id);

for (const { version, path } of inject("claude"))
  describe.skipIf(path === null)(`Claude Code ${version}: a plan`, () => {
    let stage: PluginStage;
    beforeEach(async () => {
      stage = await pluginStage(path ?? "");
    });
    afterEach(() => stage.close());

    const git = (...words: string[]): string => {
      const { stdout, stderr, status } = spawnSync("git", words, {
        cwd: stage.project,
        env: stage.env,
        encoding: "utf8",
      });
      if (status !== 0) throw new Error(`git ${words.join(" ")}: ${stderr}`);
      return stdout.trim();
    };
    const committed = (files: Readonly<Record<string, string>>): void => {
      for (const [name, text] of Object.entries(files))
        writeFileSync(join(stage.project, name), text);
      git("config", "user.name", "Test");
      git("config", "user.email", "test@localhost");
      git("config", "core.quotePath", "false");
      git("add", "-A");
      git("commit", "-qm", "begin");
    };
    const read = (name: string): string => readFileSync(join(stage.project, name), "utf8");
    const stateFile = ".claude/orchestrate-state.json";
    const state = (): OrchestrateState => JSON.parse(read(stateFile)) as OrchestrateState;
    /** Each is merged once, was completed once, and no tree is left. */
    const expectDone = (wanted: readonly string[]): void => {
      expect([...state().tasks.completed].toSorted()).toEqual([...wanted].toSorted());
      const { cwd, env } = { cwd: stage.project, env: stage.env };
      expect(holdfast(["validate", stateFile], { cwd, env })).toMatchObject({ code: 0 });
      const journal = holdfast(["log", "--limit", "1000", "--json"], { cwd, env })
        .out.trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, string>);
      const completed = journal.filter(
        ({ machine, to }) => machine === "unit" && to === "completed",
      );
      expect(completed.map(({ entityId = "" }) => entityId).toSorted()).toEqual(
        [...wanted].toSorted(),
      );
      const subjects = git("log", "--format=%s", "main").split("\n");
      for (const id of wanted)
        expect([id, subjects.filter((line) => line.startsWith(`${id}: `)).length]).toEqual([id, 1]);
      for (const id of wanted) expect(read(`${id}.txt`)).toContain(id);
      expect(git("status", "--porcelain", "--", ".", ":!.claude")).toBe("");
      expect(existsSync(join(stage.project, "worktree"))).toBe(false);
      // Snapshots of an attempt that failed stay as long as those of any task.
      expect(readdirSync(join(stage.home, "workspaces"))).toEqual([]);
      expect([stage.proxy.refused, stage.api.strange]).toEqual([[], []]);
    };

    test("S2.11 a session with the plugin: twelve tasks, each in a clone by a subagent, all merged", async () => {
      committed({ "TASKS.md": plan, ".gitignore": "/.claude/\n" });
      mkdirSync(join(stage.home, "workspaces"), { recursive: true, mode: 0o700 });
      const codec = await loadCodec("orchestrate-state");
      const wrong: unknown[] = [];
      let looks = 0;
      const model = handsOut();
      stage.api.play((request) => {
        if (existsSync(join(stage.project, stateFile))) {
          const found = codec.read(readFileSync(join(stage.project, stateFile)));
          if (!found.ok) wrong.push(found.findings);
          looks++;
        }
        return model.reply(request);
      });
      const turn = stage.conversation(
        "--add-dir",
        join(stage.home, "workspaces"),
        "--allowedTools",
        "Bash(holdfast:*)",
      );
      const lines = await turn("/holdfast:auto-orchestrate");
      expect(lines.at(-1)).toMatchObject({ type: "result", is_error: false });
      expect(model.said.at(-1)).toBe("ALL_DONE");
      expectDone(ids);
      // The check that failed was refused, mended and reported again.
      expect(model.refused).toEqual(["T3.2"]);
      expect(model.folders.size).toBe(ids.length);
      for (const folder of model.folders.values())
        expect(folder).toContain(join(stage.home, "workspaces"));
      expect(wrong).toEqual([]);
      expect(looks).toBeGreaterThan(ids.length);
      expect(state().checkpoints["phase_3"]).toMatchObject({ merged: true });
    });

    test("S2.6 a run that starts it for each task: one whose check fails first, all merged", async () => {
      const small = `# Small
## Phase 1: Core
- [ ] T1.1: model
- [ ] T1.2: pages
  - check: grep -q good T1.2.txt
- [ ] T1.3: search
  - depends: T1.1
## Phase 2: More
- [ ] T2.1: launch
`;
      const settings =
        "version: 1\nslots: 2\npermissions: everything\ncommands: { test: test -f T1.1.txt }\n";
      committed({ "TASKS.md": small, "holdfast.yaml": settings, ".gitignore": "/.claude/\n" });
      const asked: string[] = [];
      const told: string[] = [];
      stage.api.play(({ said, results, conversation }) => {
        const id = /# ([TP]\d[\w.-]*\w)/.exec(conversation)?.[1] ?? "?";
        if (results.length > 0) return { text: complete };
        const again = asked.includes(id);
        asked.push(id);
        if (again) told.push(said);
        const word = id === "T1.2" && !again ? "bad" : "good";
        return shell(`echo ${id} ${word} > ${id}.txt`);
      });
      const env = { ...stage.env, HOLDFAST_CLAUDE: path ?? "" };
      const run = start([process.execPath, cli, "orchestrate", "--agent", "claude"], {
        cwd: stage.project,
        env,
      });
      const { code, out, err } = await run.ended;
      expect({ code, out, err }).toMatchObject({ code: 0 });
      expect(out).toContain("ALL_DONE");
      expect(asked.toSorted()).toEqual(["T1.1", "T1.2", "T1.2", "T1.3", "T2.1"]);
      expect(told).toEqual([expect.stringContaining("grep -q good")]);
      expect(read("T1.2.txt")).toBe("T1.2 good\n");
      expectDone(["T1.1", "T1.2", "T1.3", "T2.1"]);
    });
  });

/** A model that does what the skill says: begins, asks, starts, gives to subagents, reports. */
function handsOut() {
  const said: string[] = [];
  const refused: string[] = [];
  const folders = new Map<string, string>();
  let session = "";
  let working: string[] = [];
  let waits = (_results: ModelRequest["results"]): Reply => ({ text: `Session ${session}?` });
  const report = (word: string, given: readonly string[]) =>
    bash(given.map((id) => `holdfast report orchestrate ${word}:${id} --session ${session}`));
  const asked = ([answer]: ModelRequest["results"]): Reply => {
    const line = firstLine(answer?.text ?? "");
    said.push(line);
    if (!line.startsWith("READY:")) return { text: `It says ${line}.` };
    working = line.slice("READY:".length).split(",").slice(0, 4);
    waits = started;
    return { text: "I begin them.", calls: report("START", working) };
  };
  const started = (results: ModelRequest["results"]): Reply => {
    for (const [place, { text }] of results.entries())
      folders.set(working[place] ?? "", firstLine(text).replace(/^OK:/, ""));
    waits = worked;
    const calls = working.map((id) => ({
      name: "Agent",
      input: {
        description: `Task ${id}`,
        subagent_type: "general-purpose",
        run_in_background: false,
        prompt: `Unit ${id} in ${folders.get(id)} with session ${session}.`,
      },
    }));
    return { text: "Each to a subagent.", calls };
  };
  const worked = (): Reply => {
    waits = reported;
    return { text: "I report them.", calls: report("DONE", working) };
  };
  const reported = (results: ModelRequest["results"]): Reply => {
    const open = working.filter((_, place) => results[place]?.isError === true);
    said.push(...results.flatMap(({ text, isError }) => (isError ? [] : [firstLine(text)])));
    if (open.length === 0) {
      waits = asked;
      const [call] = bash([`holdfast next orchestrate --session ${session}`]);
      return { text: "What is next?", calls: call ? [call] : [] };
    }
    refused.push(...open);
    if (refused.length > 5) return { text: `I can not mend ${open.join(", ")}.` };
    working = open;
    waits = seen;
    // Some versions write over a file only once it was read.
    const calls = open.map((id) => ({ name: "Read", input: { file_path: fileOf(folders, id) } }));
    return { text: "I look at it.", calls };
  };
  const seen = (): Reply => {
    waits = worked;
    const calls = working.map((id) => writes(folders.get(id) ?? "", id, "good"));
    return { text: "I mend it.", calls };
  };
  const reply = ({ said: words, results, conversation }: ModelRequest): Reply => {
    const unit = /^\[\{"role":"user","content":.*?Unit ([\w.-]+) in (\S+) with session/.exec(
      conversation,
    );
    if (unit && !conversation.includes("You hand out the work"))
      return subagent(unit[1] ?? "", unit[2] ?? "", results);
    if (session === "") {
      session = /--session ([\w-]{36})/.exec(words)?.[1] ?? "";
      waits = asked;
      const begin = `holdfast orchestrate --in-session --session ${session}`;
      return { text: "I begin.", calls: bash([begin]) };
    }
    return waits(results);
  };
  return { reply, said, refused, folders: folders as ReadonlyMap<string, string> };
}

const fileOf = (folders: ReadonlyMap<string, string>, id: string): string =>
  join(folders.get(id) ?? "", `${id}.txt`);

const writes = (folder: string, id: string, word: string) => ({
  name: "Write",
  input: { file_path: join(folder, `${id}.txt`), content: `${id} ${word}\n` },
});

const bash = (lines: readonly string[]) =>
  lines.map((command) => ({ name: "Bash", input: { command, description: "Holdfast" } }));

const firstLine = (text: string): string => text.trim().split("\n")[0] ?? "";

const subagent = (id: string, folder: string, results: ModelRequest["results"]): Reply => {
  const last = results.at(-1)?.text ?? "";
  if (results.length === 0)
    return { text: "What is it?", calls: bash([`holdfast orchestrate --unit ${id}`]) };
  if (last.includes(id) && !last.includes(folder))
    return { text: "I write it.", calls: [writes(folder, id, id === "T3.2" ? "bad" : "good")] };
  return { text: `${id} is done.` };
};
